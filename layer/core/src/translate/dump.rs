//! The setting `dump_dir`: files from which a translation can be repeated outside the application.
//!
//! In: a request and its result. Out: `<blob>.dxil`, and per translation `<blob>-<n>.plan`,
//! `.profile` and `.spv`, where `n` is a hash of the rest of the request. What must hold: a
//! translation has the same file names on every run, and two translations have different ones; a
//! file that cannot be written causes a warning and no failure.

use std::path::Path;

use crate::translate::blob::BlobHash;
use crate::translate::seam::Request;

/// Writes a blob.
pub fn blob(dir: Option<&Path>, hash: BlobHash, bytes: &[u8]) {
    if let Some(dir) = dir {
        write(dir, &format!("{hash}.dxil"), bytes);
    }
}

/// Writes the inputs of a translation, and its words if it succeeded.
pub fn translation(dir: Option<&Path>, request: &Request, words: Option<&[u32]>) {
    let Some(dir) = dir else { return };
    let Request { blob, entry, plan, facts, profile } = request;
    let plan = plan.to_string();
    let profile = profile.to_string();
    let id = blake3::hash(format!("{entry}{facts}\0{plan}\0{profile}").as_bytes());
    let name = format!("{blob}-{}", &id.to_hex()[..8]);
    write(dir, &format!("{name}.plan"), plan.as_bytes());
    let options = format!("--entry {}{facts}", entry.escape_debug());
    write(dir, &format!("{name}.profile"), format!("# dxil2spv {options}\n{profile}").as_bytes());
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
