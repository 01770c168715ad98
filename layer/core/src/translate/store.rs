//! Parsed blobs and translations, kept in one bounded cache, and the counters of what happened.
//!
//! Errors are cached too: they are as deterministic as words.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use foldhash::SharedSeed;
use foldhash::fast::FoldHasher;

use crate::translate::cache::Cache;
use crate::translate::source::Source;
use crate::translate::stats::Stats;
use crate::translator::{BlobDigest, Error, ErrorKind, Place, Plan, Request};

/// A translated entry point.
pub struct Emitted {
    /// The module, with the blob's hash in it.
    pub words: Vec<u32>,
    /// The place of the instruction that has the hash; `None` for a module of `override_dir`.
    pub name_at: Option<usize>,
    /// The entry point's name in the module.
    pub entry: String,
    /// The subgroup size that the pipeline stage must require.
    pub required_subgroup_size: Option<u32>,
}

/// The translation under the plan that needs no pipeline layout.
pub struct DefaultTranslation {
    /// The plan.
    pub plan: Plan,
    /// The translation.
    pub emitted: Arc<Emitted>,
}

/// A cache of parsed blobs and translations, with counters.
pub struct Store {
    cache: Cache<Key, Result<Value, Error>>,
    /// The counters.
    pub stats: Stats,
}

#[derive(PartialEq, Eq, Hash)]
enum Key {
    /// Code as the application hands it in.
    Code(Code),
    Source(BlobDigest),
    Emitted(Arc<Request>),
    /// What a shader module of this blob is under a scope.
    Default(Scope, BlobDigest),
}

/// Names all that translations without a pipeline depend on besides their blob, such as a device. Who
/// makes one gives each another number.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scope(pub u64);

/// Bytes whose hash is quick to compute. A cryptographic hash of the code, which names a blob, takes
/// several times as long as all else that a module from the cache costs. It has a secret, which is
/// chosen once per process, so that nobody can choose codes that have the same hash.
#[derive(PartialEq, Eq)]
struct Code(Box<[u8]>);

impl Hash for Code {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut hasher = FoldHasher::with_seed(0, SharedSeed::global_random());
        hasher.write(&self.0);
        state.write_u64(hasher.finish());
    }
}

/// A cached value: of the key's variant.
#[derive(Clone)]
enum Value {
    /// The blob that code is, and the size of the code, which the key holds.
    Code(Arc<Source>, usize),
    Source(Arc<Source>),
    Emitted(Arc<Emitted>),
    Default(Option<Arc<DefaultTranslation>>),
}

impl Value {
    fn byte_size(&self) -> usize {
        match self {
            Value::Code(_, size) => *size,
            Value::Source(source) => source.shader.byte_size(),
            Value::Emitted(emitted) => emitted.words.len() * size_of::<u32>(),
            Value::Default(_) => size_of::<DefaultTranslation>(),
        }
    }
}

impl Default for Store {
    fn default() -> Self {
        Self { cache: Cache::new(|value| value.as_ref().map_or(0, Value::byte_size)), stats: Stats::default() }
    }
}

impl Store {
    /// Raises the bound of both kinds of values together to `bytes`, if it is lower.
    pub fn allow(&self, bytes: usize) {
        self.cache.allow(bytes);
    }

    /// Whether the blob is parsed.
    pub fn has_source(&self, blob: BlobDigest) -> bool {
        self.cache.has(&Key::Source(blob))
    }

    /// Whether the request is translated.
    pub fn has(&self, request: &Arc<Request>) -> bool {
        self.cache.has(&Key::Emitted(request.clone()))
    }

    /// The parsed blob.
    ///
    /// # Errors
    /// What `make` returned, now or earlier.
    pub fn source(&self, blob: BlobDigest, make: impl FnOnce() -> Result<Source, Error>) -> Result<Arc<Source>, Error> {
        match self.get(Key::Source(blob), || Ok(Value::Source(Arc::new(make()?))))? {
            Value::Source(source) => Ok(source),
            _ => Err(wrong_value()),
        }
    }

    /// The parsed blob that code is, by the code itself.
    ///
    /// # Errors
    /// What `make` returned, now or earlier.
    pub fn code(&self, code: &[u8], make: impl FnOnce() -> Result<Arc<Source>, Error>) -> Result<Arc<Source>, Error> {
        match self.get(Key::Code(Code(code.into())), || Ok(Value::Code(make()?, code.len())))? {
            Value::Code(source, _) => Ok(source),
            _ => Err(wrong_value()),
        }
    }

    /// The translation of a blob that needs no pipeline; `None` where it has none.
    ///
    /// # Errors
    /// What `make` returned, now or earlier.
    pub fn default_translation(
        &self,
        scope: Scope,
        blob: BlobDigest,
        make: impl FnOnce() -> Result<Option<Arc<DefaultTranslation>>, Error>,
    ) -> Result<Option<Arc<DefaultTranslation>>, Error> {
        match self.get(Key::Default(scope, blob), || Ok(Value::Default(make()?)))? {
            Value::Default(default) => Ok(default),
            _ => Err(wrong_value()),
        }
    }

    /// The translation that a request names.
    ///
    /// # Errors
    /// What `make` returned, now or earlier.
    pub fn emitted(
        &self,
        request: &Arc<Request>,
        make: impl FnOnce() -> Result<Emitted, Error>,
    ) -> Result<Arc<Emitted>, Error> {
        match self.get(Key::Emitted(request.clone()), || Ok(Value::Emitted(Arc::new(make()?))))? {
            Value::Emitted(emitted) => Ok(emitted),
            _ => Err(wrong_value()),
        }
    }

    fn get(&self, key: Key, make: impl FnOnce() -> Result<Value, Error>) -> Result<Value, Error> {
        let (value, made) = self.cache.get(key, make);
        if !made {
            self.stats.hit();
        }
        value
    }
}

fn wrong_value() -> Error {
    Error::new(ErrorKind::Bug, Place::Input, "the cache has a value of another variant than its key")
}
