//! The context of translations, and their steps: parse, plan, emit.
//!
//! In: a DXIL container, or a SPIR-V module with an embedded one. Out: parsed blobs and emitted
//! modules, shared by all callers. What must hold: no lock is held while parsing or translating; a
//! failure names its blob.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use crate::translate::blob::{FoundContainer, Identifier, digest_of};
use crate::translate::dump::Dump;
use crate::translate::failure::{Failure, Stages};
use crate::translate::overrides::Overrides;
use crate::translate::parsed::ParsedBlob;
use crate::translate::pdb::{self, BlobKey, Pdb};
use crate::translate::seam::{self, Planned, RootSignatures};
use crate::translate::spirv;
use crate::translate::store::{Emitted, Scope, StageOfCode, Store};
use crate::translate::validator::Validator;
use crate::translator::{
    BindingMap, BindingOptions, BlobDigest, CodeOptions, Debug, DeviceProfile, EntryId, Error, ErrorKind,
    PipelineLayout, PipelineState, Place, Plan, Request, RootSignature,
};

/// Everything that a translation depends on besides shaders and layouts.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// How resources are bound.
    pub bindings: &'a BindingOptions,
    /// The root signatures of the settings, and those that an application gives with the stages
    /// that are planned.
    pub signatures: RootSignatures<'a>,
    /// The binding map, or the reason why it cannot be used. Only the models `auto` and `map` read
    /// it.
    pub map: Option<&'a Result<BindingMap, Error>>,
    /// The translation options of the settings.
    pub code: CodeOptions,
    /// The device profile.
    pub profile: &'a Arc<DeviceProfile>,
    /// The folder with the PDB files of shaders, for names and debug information.
    pub pdb_path: Option<&'a Path>,
    /// Dumps each translation.
    pub dump: Option<&'a Dump>,
    /// Replaces translations.
    pub overrides: Option<&'a Overrides>,
    /// Validates modules before the driver gets them.
    pub validator: Option<&'a Validator>,
    /// The cache, and the counters.
    pub store: &'a Store,
    /// Identifies all of the above, if set: two contexts with one scope are equal.
    pub scope: Option<Scope>,
}

impl Context<'_> {
    /// The container of code, which is a container or a SPIR-V module with an embedded one.
    ///
    /// # Errors
    /// The translator's, if an embedded container is damaged.
    pub fn source(&self, code: &[u8]) -> Result<Arc<FoundContainer>, Failure> {
        let source = self.store.source(code, FoundContainer::from_code);
        let source = source.map_err(|error| Failure::new(None, None, error))?;
        self.store.stats.blob(source.bytes.len());
        if let Some(dump) = self.dump {
            dump.blob(source.hash, &source.bytes);
        }
        Ok(source)
    }

    /// Parses a container, or takes the result from the cache.
    ///
    /// # Errors
    /// The translator's.
    pub fn parse(&self, source: &Arc<FoundContainer>) -> Result<Arc<ParsedBlob>, Failure> {
        let (blob, is_new) = self.parsed(source, None);
        if !is_new {
            self.store.stats.hit();
        }
        blob
    }

    /// The parsed container: from the cache, or `known`, or parsed by this call.
    pub(super) fn parsed(
        &self,
        source: &Arc<FoundContainer>,
        known: Option<Arc<ParsedBlob>>,
    ) -> (Result<Arc<ParsedBlob>, Failure>, bool) {
        let pdb = self.pdb(source);
        let key = key_of(source, pdb.as_ref());
        let parse = || {
            let start = Instant::now();
            let shader = pdb::parse(source, pdb.as_ref());
            self.store.stats.parse(start.elapsed(), shader.is_err());
            let BlobKey { hash, pdb } = key;
            Ok(Arc::new(ParsedBlob { hash, pdb, source: Arc::downgrade(source), shader: shader? }))
        };
        let known = known.filter(|known| known.key() == key);
        let (parsed, is_new) = self.store.parsed(key, || known.map_or_else(parse, Ok));
        (parsed.map_err(|error| Failure::new(Some(source.hash), None, error)), is_new)
    }

    /// The PDB of a container.
    fn pdb(&self, source: &FoundContainer) -> Option<Pdb> {
        Pdb::read(source, self.pdb_path?)
    }

    /// The key of a container in the cache.
    pub(super) fn key(&self, source: &FoundContainer) -> BlobKey {
        key_of(source, self.pdb(source).as_ref())
    }

    /// The parsed container of an identifier, if the cache has it.
    pub fn identified(&self, identifier: Identifier) -> Option<Result<Arc<ParsedBlob>, Failure>> {
        let blob = match self.store.identified(identifier)? {
            Ok(blob) => blob,
            Err(error) => return Some(Err(Failure::new(None, None, error))),
        };
        // The cache may have it with another PDB than that which the folder has now.
        let source = self.pdb_path.and_then(|_| blob.source.upgrade());
        Some(source.map_or(Ok(blob), |source| self.parse(&source)))
    }

    /// The hash of the container of code.
    ///
    /// # Errors
    /// The translator's, if an embedded container is damaged.
    pub fn hash_of(&self, code: &[u8]) -> Result<BlobDigest, Failure> {
        let hash = match self.store.known_source(code) {
            Some(source) => source.map(|source| source.hash),
            None => digest_of(code),
        };
        hash.map_err(|error| Failure::new(None, None, error))
    }

    /// Whether the container of code is parsed.
    ///
    /// # Errors
    /// As for [`hash_of`](Self::hash_of).
    pub fn has_parsed(&self, code: &[u8]) -> Result<bool, Failure> {
        let key = match self.pdb_path {
            Some(_) => self.key(&*self.source(code)?),
            None => BlobKey { hash: self.hash_of(code)?, pdb: None },
        };
        Ok(self.store.has_parsed(key))
    }

    /// The binding plans of the stages of one pipeline, which are planned together.
    ///
    /// # Errors
    /// The translator's errors. A failure of several stages names all of them.
    pub fn plan(&self, stages: &[(&ParsedBlob, EntryId)], layout: Option<&PipelineLayout>) -> Result<Planned, Failure> {
        let planned = self.plan_all(stages, layout);
        if planned.is_err() {
            self.store.stats.plan_failure();
        }
        planned
    }

    /// The global root signature of the stages of one pipeline, if one of them has it.
    pub fn root_signature_of<'a>(&'a self, stages: &[(&'a ParsedBlob, EntryId)]) -> Option<&'a RootSignature> {
        let of_blobs = || stages.iter().find_map(|(blob, entry)| blob.shader.root_signature(*entry));
        self.signatures.global.or_else(of_blobs)
    }

    fn plan_all(&self, stages: &[(&ParsedBlob, EntryId)], layout: Option<&PipelineLayout>) -> Result<Planned, Failure> {
        let inputs: Vec<_> = stages.iter().map(|(blob, entry)| (&blob.shader, *entry)).collect();
        let fail = |error| match stages {
            [] => Failure::new(None, None, error),
            [(blob, entry)] => blob.failure(Some(*entry), error),
            [(blob, entry), ..] => {
                let stages = stages.iter().map(|&(blob, entry)| {
                    let shader = &blob.shader;
                    let name = move || shader.entry_name(entry).escape_debug();
                    (blob.hash, move || format!("{} `{}`", shader.stage_name(entry), name()))
                });
                Failure { stages: Some(Box::new(Stages::new(stages))), ..blob.failure(Some(*entry), error) }
            }
        };
        let map = self.map.map(|map| map.as_ref().map_err(|error| fail(error.clone()))).transpose()?;
        let given = seam::Given { signatures: self.signatures, map };
        let planned = seam::plan(&inputs, self.bindings, given, layout, self.profile).map_err(fail)?;
        if planned.stages.len() != stages.len() {
            let reason = format!("{} binding plans for {} stages", planned.stages.len(), stages.len());
            return Err(fail(Error::new(ErrorKind::Bug, Place::Input, reason)));
        }
        Ok(planned)
    }

    /// The request for a translation with this context.
    ///
    /// # Errors
    /// The translator's, where the blob does not have the entry point.
    pub fn request(
        &self,
        blob: &ParsedBlob,
        entry: EntryId,
        plan: &Plan,
        pipeline_state: PipelineState,
    ) -> Result<Arc<Request>, Failure> {
        let request = blob.shader.request(blob.hash, entry, plan, pipeline_state, self.code, self.profile);
        Ok(Arc::new(request.map_err(|error| blob.failure(None, error))?))
    }

    /// Translates a request, or takes the result from the cache; `blob` is the blob of the request.
    ///
    /// # Errors
    /// The translator's.
    pub fn emit(&self, blob: &ParsedBlob, request: &Arc<Request>) -> Result<Arc<Emitted>, Failure> {
        let stats = &self.store.stats;
        let emitted = self.store.emitted(request, blob.pdb, || {
            let start = Instant::now();
            if request.options.debug != Debug::None
                && let Some(warning) = blob.shader.debug_warning()
            {
                log::warn!("blob {}: {warning}", blob.hash.short());
            }
            let result = seam::translate(&blob.shader, request);
            let time = start.elapsed();
            let words = result.as_ref().ok().map(|t| t.words.as_slice());
            stats.translation(time, words.map(size_of_val));
            let translation = result?;
            log::debug!(
                "blob {}, entry `{}`: {} words in {time:?}",
                blob.hash.short(),
                request.entry_name,
                translation.words.len()
            );
            let (words, name_at) = spirv::name_after(translation.words, blob.hash);
            let stage = StageOfCode {
                entry: translation.entry,
                required_subgroup_size: translation.required_subgroup_size,
                has_waves: spirv::has_waves(&words),
                varies: spirv::version(&words) >= 0x0001_0600,
                group_width: translation.group_width,
            };
            Ok(Emitted { words, name_at, stage: Arc::new(stage) })
        });
        if let Some(dump) = self.dump {
            let words = || Some(spirv::without_name(&emitted.as_ref().ok()?.words, emitted.as_ref().ok()?.name_at));
            dump.translation(request, blob.pdb, words);
        }
        let emitted = emitted.map_err(|error| blob.failure(Some(request.entry), error))?;
        let module = self.overrides.and_then(|overrides| overrides.get(request, &emitted)).unwrap_or(emitted);
        if let Some(validator) = self.validator {
            let verdict = validator.check(request, blob.pdb, &module);
            verdict.map_err(|error| blob.failure(Some(request.entry), error))?;
        }
        Ok(module)
    }
}

fn key_of(source: &FoundContainer, pdb: Option<&Pdb>) -> BlobKey {
    BlobKey { hash: source.hash, pdb: pdb.and_then(Pdb::digest) }
}
