//! Shader modules that are created from DXIL: the blob, and the translation that needs no pipeline.
//!
//! A blob whose resources cannot be bound without a pipeline layout gets a placeholder module,
//! which is replaced in every pipeline.

use std::borrow::Cow;
use std::ffi::CString;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::translate::context::Context;
use crate::translate::failure::Failure;
use crate::translate::parsed::ParsedBlob;
use crate::translate::spirv;
use crate::translate::store::DefaultTranslation;
use crate::translator::{ErrorKind, PipelineState};

/// A shader module that was created from DXIL.
pub struct Module {
    /// The blob.
    pub blob: Arc<ParsedBlob>,
    /// The translation in its driver module; `None` for a placeholder.
    pub default: Option<Arc<DefaultTranslation>>,
    /// The debug name that the application gave it.
    pub name: Mutex<Option<CString>>,
}

impl Module {
    /// Parses a blob, and translates it if that is possible without a pipeline.
    ///
    /// # Errors
    /// The translator's errors, except for those that a pipeline layout may resolve.
    pub fn new(bytes: &[u8], context: &Context<'_>) -> Result<Self, Failure> {
        let blob = context.parse(bytes)?;
        let default = default_of(&blob, context)?;
        Ok(Self { blob, default, name: Mutex::default() })
    }

    /// The SPIR-V of its driver module.
    pub fn words(&self) -> Cow<'_, [u32]> {
        match &self.default {
            Some(default) => Cow::Borrowed(&default.emitted.words),
            None => Cow::Owned(spirv::placeholder(self.blob.hash)),
        }
    }
}

/// The translation of a blob; `None` if it depends on a pipeline.
fn default_of(blob: &ParsedBlob, context: &Context<'_>) -> Result<Option<Arc<DefaultTranslation>>, Failure> {
    if blob.shader.is_library() {
        return Ok(None);
    }
    // Dumps, overrides and the validator have to see each translation, so the cache is bypassed.
    let unseen = context.dump.is_none() && context.overrides.is_none() && context.validator.is_none();
    let scope = context.scope.filter(|_| unseen);
    let Some(scope) = scope else { return default_now(blob, context) };
    let mut made = None;
    let found = context.store.default_translation(scope, blob.hash, || {
        let result = default_now(blob, context);
        let cached = result.clone().map_err(|failure| failure.error);
        made = Some(result);
        cached
    });
    match (made, found) {
        (Some(made), _) => made,
        (None, Ok(default)) => Ok(default),
        // The failure names its blob and its entry point.
        (None, Err(_)) => default_now(blob, context),
    }
}

fn default_now(blob: &ParsedBlob, context: &Context<'_>) -> Result<Option<Arc<DefaultTranslation>>, Failure> {
    match translate(blob, context) {
        Ok(default) => Ok(Some(Arc::new(default))),
        // With a pipeline layout the resource may be bound, and another lowering may be possible.
        Err(failure) if matches!(failure.error.kind(), ErrorKind::Binding | ErrorKind::MissingFeature(_)) => {
            log::info!("{failure}; the shader is translated when a pipeline gives its layout");
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}

fn translate(blob: &ParsedBlob, context: &Context<'_>) -> Result<DefaultTranslation, Failure> {
    let entry = blob.entry("main")?;
    let plan = context.plan(&[(blob, entry)], None)?.stages.pop().unwrap_or_default();
    let request = context.request(blob, entry, &plan, PipelineState::default())?;
    let emitted = context.emit(blob, &request)?;
    Ok(DefaultTranslation { plan, emitted })
}
