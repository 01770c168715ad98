//! Parsed blobs and translations, kept in one bounded cache, and the counters of what happened.
//!
//! Errors are cached too: they are as deterministic as words.

use std::sync::Arc;

use crate::translate::cache::Cache;
use crate::translate::source::Source;
use crate::translate::stats::Stats;
use crate::translator::{BlobDigest, Error, ErrorKind, Place, Request};

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

/// A cache of parsed blobs and translations, with counters.
pub struct Store {
    cache: Cache<Key, Result<Value, Error>>,
    /// The counters.
    pub stats: Stats,
}

#[derive(PartialEq, Eq, Hash)]
enum Key {
    Source(BlobDigest),
    Emitted(Arc<Request>),
}

/// A cached value: of the key's variant.
#[derive(Clone)]
enum Value {
    Source(Arc<Source>),
    Emitted(Arc<Emitted>),
}

impl Value {
    fn byte_size(&self) -> usize {
        match self {
            Value::Source(source) => source.shader.byte_size(),
            Value::Emitted(emitted) => emitted.words.len() * size_of::<u32>(),
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
            Value::Emitted(_) => Err(wrong_value()),
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
            Value::Source(_) => Err(wrong_value()),
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
