//! Shader modules that are created from DXIL: the blob, and the translation that needs no pipeline.
//!
//! A blob whose resources cannot be bound without a pipeline layout gets a placeholder module,
//! which is replaced in every pipeline.

use std::borrow::Cow;
use std::ffi::CString;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use crate::translate::blob::FoundContainer;
use crate::translate::context::Context;
use crate::translate::failure::Failure;
use crate::translate::parsed::ParsedBlob;
use crate::translate::root_signature::GivenRootSignatures;
use crate::translate::spirv;
use crate::translate::store::{DefaultTranslation, Emitted};
use crate::translator::{BlobDigest, ErrorKind, PipelineState};

/// A shader module that was created from DXIL. It keeps the container and no parsed blob, which may
/// have many times the size.
pub struct Module {
    /// The container.
    source: Arc<FoundContainer>,
    /// The parsed blob, while the cache or a call has it.
    parsed: Mutex<Weak<ParsedBlob>>,
    /// The translation in its driver module; `None` for a placeholder.
    pub default: Option<Arc<DefaultTranslation>>,
    /// The words of that translation, while the cache or a call has them.
    pub emitted: Weak<Emitted>,
    /// The root signatures that the application gave with it.
    pub given: GivenRootSignatures,
    /// The debug name that the application gave it.
    pub name: Mutex<Option<CString>>,
}

/// A translation that needs no pipeline, with its words.
type Found = Option<(Arc<DefaultTranslation>, Arc<Emitted>)>;

impl Module {
    /// Translates a blob if that is possible without a pipeline. Returns the translation, too.
    ///
    /// # Errors
    /// The translator's errors, except for those that a pipeline layout may resolve.
    pub fn new(
        code: &[u8],
        given: GivenRootSignatures,
        context: &Context<'_>,
    ) -> Result<(Self, Option<Arc<Emitted>>), Failure> {
        let source = context.source(code)?;
        let locals = [given.local.clone()];
        let mut context = *context;
        context.signatures.locals = &locals;
        if let Some(global) = &given.global {
            context.signatures.global = Some(global);
            context.scope = None;
        }
        let context = &context;
        let (default, emitted) = default_of(&source, context)?.unzip();
        let weak = emitted.as_ref().map(Arc::downgrade).unwrap_or_default();
        let (parsed, name) = Default::default();
        Ok((Self { source, parsed, default, emitted: weak, given, name }, emitted))
    }

    /// The hash of its blob.
    pub fn hash(&self) -> BlobDigest {
        self.source.hash
    }

    /// Its parsed blob, which is parsed again if the cache has evicted it.
    ///
    /// # Errors
    /// The translator's.
    pub fn blob(&self, context: &Context<'_>) -> Result<Arc<ParsedBlob>, Failure> {
        let known = self.parsed.lock().upgrade();
        let blob = context.parsed(&self.source, known).0?;
        *self.parsed.lock() = Arc::downgrade(&blob);
        Ok(blob)
    }

    /// The SPIR-V of its driver module; `emitted` is what [`new`](Self::new) returned.
    pub fn words<'a>(&self, emitted: Option<&'a Emitted>) -> Cow<'a, [u32]> {
        match emitted {
            Some(emitted) => Cow::Borrowed(&emitted.words),
            None => Cow::Owned(spirv::placeholder(self.hash())),
        }
    }
}

/// The translation of a blob; `None` if it depends on a pipeline.
fn default_of(source: &Arc<FoundContainer>, context: &Context<'_>) -> Result<Found, Failure> {
    // Dumps, overrides and the validator have to see each translation, so the cache is bypassed.
    let unseen = context.dump.is_none() && context.overrides.is_none() && context.validator.is_none();
    let scope = context.scope.filter(|_| unseen);
    let Some(scope) = scope else { return default_now(source, context) };
    let mut made = None;
    let found = context.store.default_translation(scope, context.key(source), || {
        let result = made.insert(default_now(source, context));
        let default = result.as_ref().map_err(|failure| failure.error.clone())?;
        Ok(default.as_ref().map(|(default, _)| default.clone()))
    });
    match (made, found) {
        (Some(made), _) => made,
        (None, Ok(None)) => Ok(None),
        (None, Ok(Some(default))) => {
            let emitted = match context.store.known_default(&default) {
                Some(emitted) => emitted,
                None => context.emit(&*context.parse(source)?, &default.request)?,
            };
            Ok(Some((default, emitted)))
        }
        // The failure names its blob and its entry point.
        (None, Err(_)) => default_now(source, context),
    }
}

fn default_now(source: &Arc<FoundContainer>, context: &Context<'_>) -> Result<Found, Failure> {
    let blob = context.parse(source)?;
    if blob.shader.is_library() {
        return Ok(None);
    }
    match translate(&blob, context) {
        Ok((default, emitted)) => Ok(Some((Arc::new(default), emitted))),
        // With a pipeline layout the resource may be bound, and another lowering may be possible.
        Err(failure) if matches!(failure.error.kind(), ErrorKind::Binding | ErrorKind::MissingFeature(_)) => {
            log::info!("{failure}; the shader is translated when a pipeline gives its layout");
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}

fn translate(blob: &ParsedBlob, context: &Context<'_>) -> Result<(DefaultTranslation, Arc<Emitted>), Failure> {
    let entry = blob.entry("main")?;
    let plan = context.plan(&[(blob, entry)], None)?.stages.pop().unwrap_or_default();
    let request = context.request(blob, entry, &plan, PipelineState::default())?;
    let emitted = context.emit(blob, &request)?;
    Ok((DefaultTranslation::new(request, blob.pdb, &emitted), emitted))
}
