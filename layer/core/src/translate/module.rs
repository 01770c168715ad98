//! What a shader module made of DXIL holds: the blob, and the translation that needs no pipeline.
//!
//! A blob whose resources have no place without a pipeline layout gets a placeholder module, which
//! is replaced in every pipeline.

use std::borrow::Cow;
use std::ffi::CString;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::translate::context::Context;
use crate::translate::failure::Failure;
use crate::translate::source::Source;
use crate::translate::spirv;
use crate::translate::store::DefaultTranslation;
use crate::translator::{ErrorKind, Facts};

/// A shader module that was made of DXIL.
pub struct Module {
    /// The blob.
    pub source: Arc<Source>,
    /// The translation that its driver module holds; `None` for a placeholder.
    pub default: Option<Arc<DefaultTranslation>>,
    /// The debug name that the application gave it.
    pub name: Mutex<Option<CString>>,
}

impl Module {
    /// Parses a blob and translates it as far as that is possible without a pipeline.
    ///
    /// # Errors
    /// The translator's, except for those that a pipeline layout may remove.
    pub fn new(bytes: &[u8], context: &Context<'_>) -> Result<Self, Failure> {
        let source = context.parse(bytes)?;
        let default = default_of(&source, context)?;
        Ok(Self { source, default, name: Mutex::default() })
    }

    /// The SPIR-V of its driver module.
    pub fn words(&self) -> Cow<'_, [u32]> {
        match &self.default {
            Some(default) => Cow::Borrowed(&default.emitted.words),
            None => Cow::Owned(spirv::placeholder(self.source.hash)),
        }
    }
}

/// The translation of a blob; `None` where a pipeline is needed to say how.
fn default_of(source: &Source, context: &Context<'_>) -> Result<Option<Arc<DefaultTranslation>>, Failure> {
    if source.shader.is_library() {
        return Ok(None);
    }
    // Dumps, overrides and the validator see each translation.
    let unseen = context.dump.is_none() && context.overrides.is_none() && context.validator.is_none();
    let scope = context.scope.filter(|_| unseen);
    let Some(scope) = scope else { return default_now(source, context) };
    let mut made = None;
    let found = context.store.default_translation(scope, source.hash, || {
        let result = default_now(source, context);
        let cached = result.clone().map_err(|failure| failure.error);
        made = Some(result);
        cached
    });
    match (made, found) {
        (Some(made), _) => made,
        (None, Ok(default)) => Ok(default),
        // The failure names its blob and its entry point.
        (None, Err(_)) => default_now(source, context),
    }
}

fn default_now(source: &Source, context: &Context<'_>) -> Result<Option<Arc<DefaultTranslation>>, Failure> {
    match translate(source, context) {
        Ok(default) => Ok(Some(Arc::new(default))),
        // With a pipeline layout the resource may have a place, and another lowering may be
        // possible.
        Err(failure) if matches!(failure.error.kind(), ErrorKind::Binding | ErrorKind::MissingFeature(_)) => {
            log::info!("{failure}; the shader is translated when a pipeline gives its layout");
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}

fn translate(source: &Source, context: &Context<'_>) -> Result<DefaultTranslation, Failure> {
    let entry = source.entry("main")?;
    let plan = context.plan(&[(source, entry)], None)?.stages.pop().unwrap_or_default();
    let request = context.request(source, entry, &plan, Facts::default())?;
    let emitted = context.emit(source, &request)?;
    Ok(DefaultTranslation { plan, emitted })
}
