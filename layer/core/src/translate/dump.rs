//! The setting `dump_dir`: files from which a translation can be repeated outside the application.
//!
//! In: a request and its result. Out: `<blob>.dxil`, and per translation `<blob>-<n>.request` and
//! `.spv`, where `n` is a hash of the request's text. `dxil2spv --request` repeats it. What must hold:
//! a translation has the same file names on every run, and two translations have different ones; a
//! file that cannot be written causes a warning and no failure.

use std::path::Path;

use crate::translator::{BlobDigest, Request};

/// Writes a blob.
pub fn blob(dir: Option<&Path>, digest: BlobDigest, bytes: &[u8]) {
    if let Some(dir) = dir {
        write(dir, &format!("{}.dxil", digest.short()), bytes);
    }
}

/// Writes a translation's request, and its words if it succeeded.
pub fn translation(dir: Option<&Path>, request: &Request, words: Option<&[u32]>) {
    let Some(dir) = dir else { return };
    let text = request.to_string();
    let id = blake3::hash(text.as_bytes());
    let name = format!("{}-{}", request.blob.short(), &id.to_hex()[..8]);
    write(dir, &format!("{name}.request"), text.as_bytes());
    if let Some(words) = words {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        write(dir, &format!("{name}.spv"), &bytes);
    }
}

fn write(dir: &Path, name: &str, bytes: &[u8]) {
    let result = std::fs::create_dir_all(dir).and_then(|()| std::fs::write(dir.join(name), bytes));
    if let Err(error) = result {
        log::warn!("dump_dir {}: cannot write {name}: {error}", dir.display());
    }
}
