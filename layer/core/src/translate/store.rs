//! Parsed blobs and translations in one bounded cache, and the counters.
//!
//! Errors are cached too, because they are as deterministic as words. What must hold: the size of
//! an entry includes all memory that it keeps alive, with the key and an error's text, and no
//! memory counts in two entries.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use foldhash::SharedSeed;
use foldhash::fast::FoldHasher;

use crate::translate::blob::{FoundContainer, Identifier};
use crate::translate::cache::Cache;
use crate::translate::parsed::ParsedBlob;
use crate::translate::pdb::{BlobKey, PdbDigest};
use crate::translate::stats::Stats;
use crate::translator::{Descriptor, Error, ErrorKind, Place, Plan, Request};

/// A translated entry point.
pub struct Emitted {
    /// The module, with the blob's hash in it.
    pub words: Vec<u32>,
    /// The index of the instruction with the hash; `None` for a module of `override_dir`.
    pub name_at: Option<usize>,
    /// What a pipeline stage needs to know of the module.
    pub stage: Arc<StageOfCode>,
}

/// What a pipeline stage needs to know of the module of its code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StageOfCode {
    /// The entry point's name in the module.
    pub entry: String,
    /// The subgroup size that the stage must require.
    pub required_subgroup_size: Option<u32>,
    /// The module has wave operations.
    pub has_waves: bool,
    /// The module has SPIR-V 1.6 or later, in which the subgroup size may vary.
    pub varies: bool,
    /// The size in x of a thread group; 0 for stages without one.
    pub group_width: u32,
}

/// The translation with the plan that needs no pipeline layout.
pub struct DefaultTranslation {
    /// The request, with the plan.
    pub request: Arc<Request>,
    /// The PDB of its blob.
    pdb: Option<PdbDigest>,
    /// The hash of the key.
    hash: u64,
    /// What a stage with this translation needs to know.
    pub stage: Arc<StageOfCode>,
}

impl DefaultTranslation {
    /// The translation of this request, for a blob with this PDB.
    pub fn new(request: Arc<Request>, pdb: Option<PdbDigest>, emitted: &Emitted) -> Self {
        let hash = Lookup::Emitted(&request, pdb).hash();
        Self { request, pdb, hash, stage: emitted.stage.clone() }
    }
}

/// A cache of parsed blobs and translations, with counters.
pub struct Store {
    cache: Cache<Key, Result<Value, Error>>,
    /// The counters.
    pub stats: Stats,
}

/// Identifies everything that a translation without a pipeline depends on besides its blob, such as
/// a device. Numbers must be unique.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scope(pub u64);

#[derive(Clone)]
enum Key {
    /// Code from the application.
    Code(Arc<[u8]>),
    Parsed(BlobKey),
    /// A request, and the PDB of its blob.
    Emitted(Arc<Request>, Option<PdbDigest>),
    /// The translation of a shader module with this blob in a scope.
    Default(Scope, BlobKey),
}

/// A key that is looked for. Code is looked for by the application's own bytes.
#[derive(Clone, Copy)]
enum Lookup<'a> {
    Code(&'a [u8]),
    Parsed(BlobKey),
    Emitted(&'a Arc<Request>, Option<PdbDigest>),
    Default(Scope, BlobKey),
}

impl Lookup<'_> {
    /// A fast hash. The cryptographic hash of code, which identifies a blob, takes several times as
    /// long as everything else for a cached module. The fast hash has a secret that is chosen once
    /// per process, so that no one can construct code with colliding hashes.
    fn hash(self) -> u64 {
        let mut hasher = FoldHasher::with_seed(0, SharedSeed::global_random());
        match self {
            Lookup::Code(code) => hasher.write(code),
            Lookup::Parsed(blob) => return hash_of(Identifier::new(blob.hash)),
            Lookup::Emitted(request, pdb) => {
                request.hash(&mut hasher);
                pdb.hash(&mut hasher);
            }
            Lookup::Default(scope, blob) => {
                hasher.write_u64(scope.0);
                hasher.write(&blob.hash.0);
                blob.pdb.hash(&mut hasher);
            }
        }
        hasher.finish()
    }

    fn is(self, key: &Key) -> bool {
        match (self, key) {
            (Lookup::Code(code), Key::Code(other)) => *code == **other,
            (Lookup::Parsed(blob), Key::Parsed(other)) => blob == *other,
            (Lookup::Emitted(request, pdb), Key::Emitted(other, of)) => pdb == *of && request == other,
            (Lookup::Default(scope, blob), Key::Default(other, of)) => scope == *other && blob == *of,
            _ => false,
        }
    }

    fn key(self) -> Key {
        match self {
            Lookup::Code(code) => Key::Code(code.into()),
            Lookup::Parsed(blob) => Key::Parsed(blob),
            Lookup::Emitted(request, pdb) => Key::Emitted(request.clone(), pdb),
            Lookup::Default(scope, blob) => Key::Default(scope, blob),
        }
    }
}

/// The hash of the key of a parsed blob, which an identifier is enough to find, whatever its PDB.
fn hash_of(blob: Identifier) -> u64 {
    let mut hasher = FoldHasher::with_seed(0, SharedSeed::global_random());
    hasher.write(&blob.0);
    hasher.finish()
}

/// A cached value. Its variant is that of its key.
#[derive(Clone)]
enum Value {
    /// The blob of code, whose bytes are those of the key unless the blob is embedded in SPIR-V.
    Code(Arc<FoundContainer>),
    Parsed(Arc<ParsedBlob>),
    Emitted(Arc<Emitted>),
    Default(Option<Arc<DefaultTranslation>>),
}

impl Key {
    /// The bytes that only this key points to.
    fn byte_size(&self) -> usize {
        match self {
            Key::Code(code) => code.len(),
            Key::Emitted(request, _) => size_of::<Request>() + bytes_of_request(request),
            Key::Parsed(_) | Key::Default(..) => 0,
        }
    }
}

/// The bytes that only this value points to.
fn bytes_of_value(value: &Result<Value, Error>) -> usize {
    match value {
        Ok(Value::Code(source)) => size_of::<FoundContainer>() + source.embedded_bytes(),
        // The blob keeps the place of its source, whose bytes may be gone.
        Ok(Value::Parsed(blob)) => size_of::<ParsedBlob>() + size_of::<FoundContainer>() + blob.shader.byte_size(),
        Ok(Value::Emitted(emitted)) => {
            size_of_val(emitted.words.as_slice()) + size_of::<StageOfCode>() + emitted.stage.entry.len()
        }
        Ok(Value::Default(None)) => 0,
        // The request is the key of another entry, which may be evicted before.
        Ok(Value::Default(Some(default))) => {
            size_of::<DefaultTranslation>() + size_of::<Request>() + bytes_of_request(&default.request)
        }
        Err(error) => error.message().len(),
    }
}

/// The bytes that a request points to: its plan has an entry for each resource that the blob
/// declares.
fn bytes_of_request(request: &Request) -> usize {
    let outputs = request.options.pipeline.mesh_outputs.as_deref().unwrap_or_default();
    let captured = request.options.pipeline.stream_output.as_deref().unwrap_or_default();
    let names = outputs.iter().map(|output| &output.semantic).chain(captured.iter().map(|output| &output.semantic));
    let names: usize = names.map(|name| name.len()).sum();
    request.entry_name.len() + bytes_of_plan(&request.plan) + size_of_val(outputs) + size_of_val(captured) + names
}

/// The bytes that a plan points to.
fn bytes_of_plan(plan: &Plan) -> usize {
    plan.resources.heap_bytes() + plan.heaps.descriptors.capacity() * size_of::<Descriptor>()
}

impl Default for Store {
    fn default() -> Self {
        Self { cache: Cache::new(Key::byte_size, bytes_of_value), stats: Stats::default() }
    }
}

impl Store {
    /// Raises the bound of the cache to `bytes`, if it is lower.
    pub fn allow(&self, bytes: usize) {
        self.cache.allow(bytes);
    }

    /// Whether the blob is parsed.
    pub fn has_parsed(&self, blob: BlobKey) -> bool {
        self.has(Lookup::Parsed(blob))
    }

    /// The parsed blob of an identifier, with any PDB, if the cache has it.
    pub fn identified(&self, blob: Identifier) -> Option<Result<Arc<ParsedBlob>, Error>> {
        let is = |key: &Key| matches!(key, Key::Parsed(found) if Identifier::new(found.hash) == blob);
        Some(self.cache.find(hash_of(blob), is)?.and_then(Value::parsed))
    }

    /// Whether the request is translated for a blob with this PDB.
    pub fn has_emitted(&self, request: &Arc<Request>, pdb: Option<PdbDigest>) -> bool {
        self.has(Lookup::Emitted(request, pdb))
    }

    /// The blob of code, if the code is known.
    pub fn known_source(&self, code: &[u8]) -> Option<Result<Arc<FoundContainer>, Error>> {
        let lookup = Lookup::Code(code);
        let found = self.cache.find(lookup.hash(), |key| lookup.is(key))?;
        Some(found.and_then(Value::code))
    }

    /// The blob of code. `make` gets a copy of the code.
    ///
    /// # Errors
    /// What `make` returned, now or earlier.
    pub fn source(
        &self,
        code: &[u8],
        make: impl FnOnce(Arc<[u8]>) -> Result<FoundContainer, Error>,
    ) -> Result<Arc<FoundContainer>, Error> {
        let lookup = Lookup::Code(code);
        let make = |key: &Key| match key {
            Key::Code(code) => Ok(Value::Code(Arc::new(make(code.clone())?))),
            _ => Err(wrong_value()),
        };
        self.cache.get(lookup.hash(), |key| lookup.is(key), || lookup.key(), make).0.and_then(Value::code)
    }

    /// The parsed blob, and whether this call parsed it.
    ///
    /// # Errors
    /// What `make` returned, now or earlier.
    pub fn parsed(
        &self,
        blob: BlobKey,
        make: impl FnOnce() -> Result<Arc<ParsedBlob>, Error>,
    ) -> (Result<Arc<ParsedBlob>, Error>, bool) {
        let lookup = Lookup::Parsed(blob);
        let (value, made) = self.get(lookup.hash(), lookup, || Ok(Value::Parsed(make()?)));
        (value.and_then(Value::parsed), made)
    }

    /// The translation of a blob that needs no pipeline; `None` where it has none.
    ///
    /// # Errors
    /// What `make` returned, now or earlier.
    pub fn default_translation(
        &self,
        scope: Scope,
        blob: BlobKey,
        make: impl FnOnce() -> Result<Option<Arc<DefaultTranslation>>, Error>,
    ) -> Result<Option<Arc<DefaultTranslation>>, Error> {
        let lookup = Lookup::Default(scope, blob);
        self.counted(lookup.hash(), lookup, || Ok(Value::Default(make()?))).and_then(Value::default)
    }

    /// The translation of a request, for a blob with this PDB.
    ///
    /// # Errors
    /// What `make` returned, now or earlier.
    pub fn emitted(
        &self,
        request: &Arc<Request>,
        pdb: Option<PdbDigest>,
        make: impl FnOnce() -> Result<Emitted, Error>,
    ) -> Result<Arc<Emitted>, Error> {
        let lookup = Lookup::Emitted(request, pdb);
        self.counted(lookup.hash(), lookup, || Ok(Value::Emitted(Arc::new(make()?)))).and_then(Value::emitted)
    }

    /// The translation that a module had when it was created, if the cache still has it.
    pub fn known_default(&self, default: &DefaultTranslation) -> Option<Arc<Emitted>> {
        let lookup = Lookup::Emitted(&default.request, default.pdb);
        let found = self.cache.find(default.hash, |key| lookup.is(key))?.and_then(Value::emitted).ok()?;
        self.stats.hit();
        Some(found)
    }

    fn has(&self, lookup: Lookup<'_>) -> bool {
        self.cache.has(lookup.hash(), |key| lookup.is(key))
    }

    fn get(
        &self,
        hash: u64,
        lookup: Lookup<'_>,
        make: impl FnOnce() -> Result<Value, Error>,
    ) -> (Result<Value, Error>, bool) {
        self.cache.get(hash, |key| lookup.is(key), || lookup.key(), |_| make())
    }

    /// As [`get`](Self::get), with the hits counted.
    fn counted(
        &self,
        hash: u64,
        lookup: Lookup<'_>,
        make: impl FnOnce() -> Result<Value, Error>,
    ) -> Result<Value, Error> {
        let (value, made) = self.get(hash, lookup, make);
        if !made {
            self.stats.hit();
        }
        value
    }
}

macro_rules! variants {
    ($($name:ident $variant:ident $ty:ty,)*) => {
        impl Value {
            $(fn $name(self) -> Result<$ty, Error> {
                if let Value::$variant(it) = self { Ok(it) } else { Err(wrong_value()) }
            })*
        }
    };
}

variants! {
    code Code Arc<FoundContainer>,
    parsed Parsed Arc<ParsedBlob>,
    emitted Emitted Arc<Emitted>,
    default Default Option<Arc<DefaultTranslation>>,
}

fn wrong_value() -> Error {
    Error::new(ErrorKind::Bug, Place::Input, "the cache has a value of another variant than its key")
}

#[cfg(test)]
mod tests;
