//! What a translation depends on besides shaders and layouts, and the operations: parse, plan,
//! emit.
//!
//! In: a DXIL container, or a SPIR-V module that carries one. Out: parsed blobs and emitted modules,
//! shared by all who ask. What must hold: no lock is held while parsing or translating; a failure names its blob.

use std::sync::Arc;
use std::time::Instant;

use crate::translate::blob::Blob;
use crate::translate::dump::Dump;
use crate::translate::failure::{Failure, Stages};
use crate::translate::overrides::Overrides;
use crate::translate::seam::{self, Planned, Shader};
use crate::translate::source::Source;
use crate::translate::spirv;
use crate::translate::store::{Emitted, Scope, Store};
use crate::translate::validator::Validator;
use crate::translator::{
    BindingMap, BindingOptions, CodeOptions, DeviceProfile, EntryId, Error, ErrorKind, Facts, PipelineLayout, Place,
    Plan, Request, RootSignature,
};

/// What a translation depends on besides shaders and layouts.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// How resources are bound.
    pub bindings: &'a BindingOptions,
    /// The root signature of all pipelines, if the setting `root_signature` names one.
    pub root_signature: Option<&'a RootSignature>,
    /// The local root signature of ray-tracing shaders with which their library associates none, or
    /// several, if the setting `local_root_signature` names one.
    pub local_root_signature: Option<&'a RootSignature>,
    /// The binding map, or why it cannot be used. It is read only under the models `auto` and `map`.
    pub map: Option<&'a Result<BindingMap, Error>>,
    /// What settings say about the code.
    pub code: CodeOptions,
    /// What the device has enabled.
    pub profile: &'a Arc<DeviceProfile>,
    /// What gets a dump of each translation.
    pub dump: Option<&'a Dump>,
    /// What may replace a translation.
    pub overrides: Option<&'a Overrides>,
    /// What looks at a module before the driver gets it.
    pub validator: Option<&'a Validator>,
    /// The cache, and the counters.
    pub store: &'a Store,
    /// Names all of the above, if it has a name: two contexts of one scope are equal.
    pub scope: Option<Scope>,
}

impl Context<'_> {
    /// The parsed blob of this code, which is a container or a SPIR-V module that carries one, from
    /// the cache or now.
    ///
    /// # Errors
    /// The translator's.
    pub fn parse(&self, code: &[u8]) -> Result<Arc<Source>, Failure> {
        let named = || self.parse_blob(&Blob::of(code)?);
        // A dump needs the blob and its name, whatever is in the cache.
        if self.dump.is_some() {
            return named();
        }
        let mut made = None;
        let found = self.store.code(code, || {
            let result = named();
            let error = result.as_ref().map(Arc::clone).map_err(|failure| failure.error.clone());
            made = Some(result);
            error
        });
        match (made, found) {
            (Some(made), _) => made,
            (None, Ok(source)) => {
                self.store.stats.blob(code.len());
                Ok(source)
            }
            // The failure names its blob.
            (None, Err(_)) => named(),
        }
    }

    /// The parsed blob, from the cache or now.
    ///
    /// # Errors
    /// The translator's.
    fn parse_blob(&self, blob: &Blob<'_>) -> Result<Arc<Source>, Failure> {
        let (hash, bytes) = (blob.hash, &*blob.bytes);
        self.store.stats.blob(bytes.len());
        if let Some(dump) = self.dump {
            dump.blob(hash, bytes);
        }
        let parsed = self.store.source(hash, || {
            let start = Instant::now();
            let shader = Shader::parse(bytes);
            self.store.stats.parse(start.elapsed(), shader.is_err());
            Ok(Source { hash, shader: shader? })
        });
        parsed.map_err(|error| Failure::new(Some(hash), None, error))
    }

    /// The binding plans of the stages of one pipeline, which is planned as a whole.
    ///
    /// # Errors
    /// The translator's. The failure of several stages names all of them.
    pub fn plan(&self, stages: &[(&Source, EntryId)], layout: Option<&PipelineLayout>) -> Result<Planned, Failure> {
        let planned = self.plan_all(stages, layout);
        if planned.is_err() {
            self.store.stats.plan_failure();
        }
        planned
    }

    fn plan_all(&self, stages: &[(&Source, EntryId)], layout: Option<&PipelineLayout>) -> Result<Planned, Failure> {
        let inputs: Vec<_> = stages.iter().map(|(source, entry)| (&source.shader, *entry)).collect();
        let fail = |error| match stages {
            [] => Failure::new(None, None, error),
            [(source, entry)] => source.failure(Some(*entry), error),
            [(source, entry), ..] => {
                let stages = stages.iter().map(|&(source, entry)| {
                    let shader = &source.shader;
                    let name = move || shader.entry_name(entry).escape_debug();
                    (source.hash, move || format!("{} `{}`", shader.stage_name(entry), name()))
                });
                Failure { stages: Some(Box::new(Stages::new(stages))), ..source.failure(Some(*entry), error) }
            }
        };
        let map = self.map.map(|map| map.as_ref().map_err(|error| fail(error.clone()))).transpose()?;
        let (root_signature, local_root_signature) = (self.root_signature, self.local_root_signature);
        let given = seam::Given { root_signature, local_root_signature, map };
        let planned = seam::plan(&inputs, self.bindings, given, layout, self.profile).map_err(fail)?;
        if planned.stages.len() != stages.len() {
            let reason = format!("{} binding plans for {} stages", planned.stages.len(), stages.len());
            return Err(fail(Error::new(ErrorKind::Bug, Place::Input, reason)));
        }
        Ok(planned)
    }

    /// The name of a translation for this device.
    ///
    /// # Errors
    /// The translator's, where the blob does not have the entry point.
    pub fn request(&self, source: &Source, entry: EntryId, plan: &Plan, facts: Facts) -> Result<Arc<Request>, Failure> {
        let request = source.shader.request(source.hash, entry, plan, (facts, self.code), self.profile);
        Ok(Arc::new(request.map_err(|error| source.failure(None, error))?))
    }

    /// The translation that a request names, from the cache or now; `source` is the request's blob.
    ///
    /// # Errors
    /// The translator's.
    pub fn emit(&self, source: &Source, request: &Arc<Request>) -> Result<Arc<Emitted>, Failure> {
        let stats = &self.store.stats;
        let emitted = self.store.emitted(request, || {
            let start = Instant::now();
            let result = seam::translate(&source.shader, request);
            let time = start.elapsed();
            let words = result.as_ref().ok().map(|t| t.words.as_slice());
            stats.translation(time, words.map(size_of_val));
            let translation = result?;
            log::debug!(
                "blob {}, entry `{}`: {} words in {time:?}",
                source.hash.short(),
                request.entry_name,
                translation.words.len()
            );
            let (words, name_at) = spirv::name_after(translation.words, source.hash);
            Ok(Emitted {
                words,
                name_at,
                entry: translation.entry,
                required_subgroup_size: translation.required_subgroup_size,
            })
        });
        if let Some(dump) = self.dump {
            let words = || Some(spirv::without_name(&emitted.as_ref().ok()?.words, emitted.as_ref().ok()?.name_at));
            dump.translation(request, words);
        }
        let emitted = emitted.map_err(|error| source.failure(Some(request.entry), error))?;
        let module = self.overrides.and_then(|overrides| overrides.of(request, &emitted)).unwrap_or(emitted);
        if let Some(validator) = self.validator {
            let verdict = validator.check(request, &module);
            verdict.map_err(|error| source.failure(Some(request.entry), error))?;
        }
        Ok(module)
    }
}
