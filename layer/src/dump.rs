//! The setting `dump_dir`: files from which a translation can be repeated outside the application.
//!
//! In: what goes into a translation and what came out. Out: `<blob>.dxil`, and per translation `<blob>-<n>.plan`, `.profile` and
//! `.spv`, where `n` is a hash of entry, facts of the pipeline, plan and profile. What must hold: the same translation has the same
//! names on every run, and another one has others; a file that can not be written is a warning and nothing more.

use std::path::Path;

use crate::blobs::Context;
use crate::error::BlobHash;
use crate::translate::{Facts, Plan};

/// Writes a blob.
pub fn blob(context: &Context<'_>, hash: BlobHash, bytes: &[u8]) {
    if let Some(dir) = &context.instance.settings.dump_dir {
        write(dir, &format!("{hash}.dxil"), bytes);
    }
}

/// Writes a translation's inputs, and its words if it succeeded.
pub fn translation(
    context: &Context<'_>,
    hash: BlobHash,
    entry: &str,
    (plan, facts): (&Plan, Facts),
    words: Option<&[u32]>,
) {
    let Some(dir) = &context.instance.settings.dump_dir else { return };
    let plan = plan.to_string();
    let profile = context.profile.to_string();
    let id = blake3::hash(format!("{entry}{facts}\0{plan}\0{profile}").as_bytes());
    let name = format!("{hash}-{}", &id.to_hex()[..8]);
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
        log::warn!("dump_dir {}: {name}: {error}", dir.display());
    }
}
