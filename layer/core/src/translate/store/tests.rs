//! Tests of [`Store`]: what an entry counts.

use dxil_test_support::fixture;

use super::*;
use crate::translate::seam::{self, Given, Shader};
use crate::translator::{BindingOptions, BlobDigest, DeviceProfile, VULKAN_1_1_FLOOR};

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
    let stage = StageOfCode { entry: "main".to_owned(), ..Default::default() };
    Emitted { words: vec![0; words], name_at: None, stage: Arc::new(stage) }
}

/// The size of a translation with few words includes the large plan of its request.
#[test]
fn a_plan_counts_beside_the_words() {
    let store = Store::default();
    store.allow(1 << 20);
    let (short, long) = (request(1), request(7_000));
    store.emitted(&short, None, || Ok(emitted(8))).unwrap();
    assert!(store.has_emitted(&short, None));
    // The long one alone is below the bound, and both are not.
    let size = size_of::<Request>() + bytes_of_request(&long);
    assert!(size < 1 << 20, "{size}");
    store.emitted(&short, None, || Ok(emitted(8))).unwrap();
    store.emitted(&long, None, || Ok(emitted(((1 << 20) - size - 4096) / 4))).unwrap();
    assert!(store.has_emitted(&short, None) && store.has_emitted(&long, None));
    // It also counts as the request of a translation without a pipeline.
    let default = DefaultTranslation::new(long.clone(), None, &emitted(8));
    store
        .default_translation(Scope(1), BlobKey { hash: long.blob, pdb: None }, || Ok(Some(Arc::new(default))))
        .unwrap();
    assert!(!store.has_emitted(&short, None) && !store.has_emitted(&long, None));
}

/// Code that cannot be used is cached with its error, and counts. What cannot be cached at all
/// evicts nothing.
#[test]
fn code_counts_beside_its_error() {
    let store = Store::default();
    store.allow(1 << 20);
    let short = request(1);
    store.emitted(&short, None, || Ok(emitted(8))).unwrap();
    let error = || Error::new(ErrorKind::Malformed, Place::Input, "no container");
    assert!(store.source(&[9; 2 << 20], |_| Err(error())).is_err());
    assert!(store.known_source(&[9; 2 << 20]).is_none());
    for number in 0..3 {
        assert!(store.source(&[number; 300_000], |_| Err(error())).is_err());
        assert!(store.has_emitted(&short, None));
        assert!(store.known_source(&[number; 300_000]).is_some_and(|source| source.is_err()));
    }
    assert!(store.source(&[3; 300_000], |_| Err(error())).is_err());
    assert!(!store.has_emitted(&short, None));
}

/// A blob counts once: its bytes are those of the key, and its parsed form is another entry.
#[test]
fn a_blob_counts_once() {
    let bytes = fixture("buffer/raw_read_write.dxil");
    let store = Store::default();
    store.allow(1 << 20);
    let source = store.source(&bytes, FoundContainer::from_code).unwrap();
    for _ in 0..3 {
        let again = store.source(&bytes, |_| Err(wrong_value())).unwrap();
        assert!(Arc::ptr_eq(&source, &again));
    }
    let (of_code, one) = store.cache.size();
    assert!((bytes.len()..bytes.len() + 1024).contains(&of_code) && one == 1, "{of_code}");
    let key = BlobKey { hash: source.hash, pdb: None };
    let parse = || {
        let (BlobKey { hash, pdb }, shader) = (key, Shader::parse(&source.bytes)?);
        Ok(Arc::new(ParsedBlob { hash, pdb, source: Arc::downgrade(&source), shader }))
    };
    let (parsed, made) = store.parsed(key, parse);
    let parsed = parsed.unwrap();
    assert!(made && Arc::strong_count(&parsed) == 2, "the cache has it once");
    let of_blob = store.cache.size().0 - of_code;
    assert!(of_blob < parsed.shader.byte_size() + 2048, "{of_blob}");
}
