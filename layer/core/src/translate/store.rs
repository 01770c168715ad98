//! Parsed blobs and translations in one bounded cache, and the counters.
//!
//! Errors are cached too, because they are as deterministic as words. What must hold: the size of
//! an entry includes all memory that it keeps alive, with the key and an error's text. A value that
//! two entries share counts in both, because either may outlive the other.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use foldhash::SharedSeed;
use foldhash::fast::FoldHasher;

use crate::translate::cache::Cache;
use crate::translate::parsed::ParsedBlob;
use crate::translate::stats::Stats;
use crate::translator::{BlobDigest, Descriptor, Error, ErrorKind, Place, Plan, Request};

/// A translated entry point.
pub struct Emitted {
    /// The module, with the blob's hash in it.
    pub words: Vec<u32>,
    /// The index of the instruction with the hash; `None` for a module of `override_dir`.
    pub name_at: Option<usize>,
    /// The entry point's name in the module.
    pub entry: String,
    /// The subgroup size that the pipeline stage must require.
    pub required_subgroup_size: Option<u32>,
}

/// The translation with the plan that needs no pipeline layout.
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
    /// Code from the application.
    Code(Code),
    Parsed(BlobDigest),
    Emitted(Arc<Request>),
    /// The translation of a shader module with this blob in a scope.
    Default(Scope, BlobDigest),
}

/// Identifies everything that a translation without a pipeline depends on besides its blob, such as
/// a device. Numbers must be unique.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scope(pub u64);

/// Bytes with a fast hash. The cryptographic hash of the code, which identifies a blob, takes
/// several times as long as everything else for a cached module. The fast hash has a secret that is
/// chosen once per process, so that no one can construct code with colliding hashes.
#[derive(PartialEq, Eq)]
struct Code(Box<[u8]>);

impl Hash for Code {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut hasher = FoldHasher::with_seed(0, SharedSeed::global_random());
        hasher.write(&self.0);
        state.write_u64(hasher.finish());
    }
}

/// A cached value. Its variant is that of its key.
#[derive(Clone)]
enum Value {
    /// The parsed blob of code.
    Code(Arc<ParsedBlob>),
    Parsed(Arc<ParsedBlob>),
    Emitted(Arc<Emitted>),
    Default(Option<Arc<DefaultTranslation>>),
}

impl Key {
    fn byte_size(&self) -> usize {
        match self {
            Key::Code(Code(code)) => code.len(),
            Key::Emitted(request) => size_of::<Request>() + bytes_of_request(request),
            Key::Parsed(_) | Key::Default(..) => 0,
        }
    }
}

impl Value {
    fn byte_size(&self) -> usize {
        let words = |emitted: &Emitted| size_of_val(emitted.words.as_slice()) + emitted.entry.len();
        match self {
            Value::Code(blob) | Value::Parsed(blob) => blob.shader.byte_size(),
            Value::Emitted(emitted) => words(emitted),
            Value::Default(None) => 0,
            Value::Default(Some(default)) => {
                size_of::<DefaultTranslation>() + bytes_of_plan(&default.plan) + words(&default.emitted)
            }
        }
    }
}

/// The bytes that a request points to: its plan has an entry for each resource that the blob
/// declares.
fn bytes_of_request(request: &Request) -> usize {
    let outputs = request.options.pipeline.mesh_outputs.as_deref().unwrap_or_default();
    let names: usize = outputs.iter().map(|output| output.semantic.len()).sum();
    request.entry_name.len() + bytes_of_plan(&request.plan) + size_of_val(outputs) + names
}

/// The bytes that a plan points to.
fn bytes_of_plan(plan: &Plan) -> usize {
    plan.resources.heap_bytes() + plan.heaps.descriptors.capacity() * size_of::<Descriptor>()
}

/// The memory that a cache entry keeps alive.
fn bytes_of_entry(key: &Key, value: &Result<Value, Error>) -> usize {
    key.byte_size() + value.as_ref().map_or_else(|error| error.message().len(), Value::byte_size)
}

impl Default for Store {
    fn default() -> Self {
        Self { cache: Cache::new(bytes_of_entry), stats: Stats::default() }
    }
}

impl Store {
    /// Raises the bound of the cache to `bytes`, if it is lower.
    pub fn allow(&self, bytes: usize) {
        self.cache.allow(bytes);
    }

    /// Whether the blob is parsed.
    pub fn has_parsed(&self, blob: BlobDigest) -> bool {
        self.cache.has(&Key::Parsed(blob))
    }

    /// Whether the code is parsed.
    pub fn has_code(&self, code: &[u8]) -> bool {
        self.cache.has(&Key::Code(Code(code.into())))
    }

    /// Whether the request is translated.
    pub fn has(&self, request: &Arc<Request>) -> bool {
        self.cache.has(&Key::Emitted(request.clone()))
    }

    /// The parsed blob.
    ///
    /// # Errors
    /// What `make` returned, now or earlier.
    pub fn parsed(
        &self,
        blob: BlobDigest,
        make: impl FnOnce() -> Result<ParsedBlob, Error>,
    ) -> Result<Arc<ParsedBlob>, Error> {
        match self.get(Key::Parsed(blob), || Ok(Value::Parsed(Arc::new(make()?))))? {
            Value::Parsed(blob) => Ok(blob),
            _ => Err(wrong_value()),
        }
    }

    /// The parsed blob of code, by the code itself.
    ///
    /// # Errors
    /// What `make` returned, now or earlier.
    pub fn code(
        &self,
        code: &[u8],
        make: impl FnOnce() -> Result<Arc<ParsedBlob>, Error>,
    ) -> Result<Arc<ParsedBlob>, Error> {
        match self.get(Key::Code(Code(code.into())), || Ok(Value::Code(make()?)))? {
            Value::Code(blob) => Ok(blob),
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

    /// The translation of a request.
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

#[cfg(test)]
mod tests {
    use dxil_test_support::fixture;

    use super::*;
    use crate::translate::seam::{self, Given, Shader};
    use crate::translator::{BindingOptions, DeviceProfile, VULKAN_1_1_FLOOR};

    /// A request for a shader with one resource, whose plan lists the resource `count` times.
    fn request(count: usize) -> Arc<Request> {
        let bytes = fixture("buffer/raw_read_write.dxil");
        let (shader, profile): (_, DeviceProfile) = (Shader::parse(&bytes).unwrap(), VULKAN_1_1_FLOOR);
        let entry = shader.find_entry("main").unwrap();
        let planned = seam::plan(&[(&shader, entry)], &BindingOptions::default(), Given::default(), None, &profile);
        let mut plan = planned.unwrap().stages.pop().unwrap();
        plan.resources = plan.resources.values().copied().cycle().take(count).collect();
        let (state, code) = Default::default();
        Arc::new(shader.request(BlobDigest::from_bytes(&bytes), entry, &plan, state, code, &profile).unwrap())
    }

    fn emitted(words: usize) -> Emitted {
        Emitted { words: vec![0; words], name_at: None, entry: "main".to_owned(), required_subgroup_size: None }
    }

    /// The size of a translation with few words includes the large plan of its request.
    #[test]
    fn a_plan_counts_beside_the_words() {
        let store = Store::default();
        store.allow(1 << 20);
        let (short, long) = (request(1), request(20_000));
        store.emitted(&short, || Ok(emitted(8))).unwrap();
        assert!(store.has(&short));
        // The long one alone exceeds the bound.
        store.emitted(&long, || Ok(emitted(8))).unwrap();
        assert!(!store.has(&short) && !store.has(&long));
        // It also counts as the plan of a translation without a pipeline.
        store.emitted(&short, || Ok(emitted(8))).unwrap();
        let default = DefaultTranslation { plan: long.plan.clone(), emitted: Arc::new(emitted(8)) };
        store.default_translation(Scope(1), long.blob, || Ok(Some(Arc::new(default)))).unwrap();
        assert!(!store.has(&short));
    }

    /// Code that cannot be parsed is cached with its error, and counts.
    #[test]
    fn code_counts_beside_its_error() {
        let store = Store::default();
        store.allow(1 << 20);
        let short = request(1);
        store.emitted(&short, || Ok(emitted(8))).unwrap();
        let error = || Error::new(ErrorKind::Malformed, Place::Input, "no container");
        for number in 0..3 {
            assert!(store.code(&[number; 300_000], || Err(error())).is_err());
            assert!(store.has(&short));
        }
        assert!(store.code(&[3; 300_000], || Err(error())).is_err());
        assert!(!store.has(&short));
    }
}
