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
use crate::translate::store::Emitted;
use crate::translator::{ErrorKind, Facts, Plan};

/// A shader module that was made of DXIL.
pub struct Module {
    /// The blob.
    pub source: Arc<Source>,
    /// The translation that its driver module holds; `None` for a placeholder.
    pub default: Option<DefaultTranslation>,
    /// The debug name that the application gave it.
    pub name: Mutex<Option<CString>>,
}

/// The translation under the plan that needs no pipeline layout.
pub struct DefaultTranslation {
    /// The plan.
    pub plan: Plan,
    /// The translation.
    pub emitted: Arc<Emitted>,
}

impl Module {
    /// Parses a blob and translates it as far as that is possible without a pipeline.
    ///
    /// # Errors
    /// The translator's, except for those that a pipeline layout may remove.
    pub fn new(bytes: &[u8], context: &Context<'_>) -> Result<Self, Failure> {
        let source = context.parse(bytes)?;
        if source.shader.is_library() {
            return Ok(Self { source, default: None, name: Mutex::default() });
        }
        match DefaultTranslation::new(&source, context) {
            Ok(default) => Ok(Self { source, default: Some(default), name: Mutex::default() }),
            // With a pipeline layout the resource may have a place, and another lowering may be
            // possible.
            Err(failure) if matches!(failure.error.kind(), ErrorKind::Binding | ErrorKind::MissingFeature(_)) => {
                log::info!("{failure}; the shader is translated when a pipeline gives its layout");
                Ok(Self { source, default: None, name: Mutex::default() })
            }
            Err(failure) => Err(failure),
        }
    }

    /// The SPIR-V of its driver module.
    pub fn words(&self) -> Cow<'_, [u32]> {
        match &self.default {
            Some(default) => Cow::Borrowed(&default.emitted.words),
            None => Cow::Owned(spirv::placeholder(self.source.hash)),
        }
    }
}

impl DefaultTranslation {
    fn new(source: &Source, context: &Context<'_>) -> Result<Self, Failure> {
        let entry = source.entry("main")?;
        let plan = context.plan(&[(source, entry)], None)?.pop().unwrap_or_default();
        let request = context.request(source, entry, &plan, Facts::default())?;
        let emitted = context.emit(source, &request)?;
        Ok(Self { plan, emitted })
    }
}
