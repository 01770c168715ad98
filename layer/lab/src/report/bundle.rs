//! The bundles of `reduce`, as the page shows them.
//!
//! In: folders. Out: the text files of those that are bundles, by pipeline. What must hold: a file
//! that cannot be read is a warning, and ends nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use dxil_capture::Digest;
use serde::Deserialize;

use super::code;
use super::text::read_text;
use crate::files::{At as _, FileError};
use crate::words::from_bytes;

/// A bundle.
pub struct ShownBundle {
    /// Its folder, from the capture on if it is in there.
    pub folder: PathBuf,
    /// What `reduce` says of it.
    pub info: BundleInfo,
    /// The command that shows the fault.
    pub command: Option<String>,
    /// What the bundle says to people.
    pub readme: Option<String>,
    /// The reduced code as text, and the SPIR-V that the driver got, by file name.
    pub assembly: Vec<(String, String)>,
}

/// What `reduced.json` says, as far as the page needs it.
#[derive(Deserialize)]
pub struct BundleInfo {
    /// The pipeline of the capture.
    pub pipeline: Digest,
    /// The driver.
    #[serde(default)]
    pub driver: String,
}

/// The name of the file that makes a folder a bundle.
const INFO: &str = "reduced.json";

/// Adds the bundles of a folder: the folder itself, or those in it.
pub fn find(capture: &Path, folder: &Path, found: &mut BTreeMap<Digest, Vec<ShownBundle>>, warnings: &mut Vec<String>) {
    let mut folders = vec![folder.to_owned()];
    if let Ok(entries) = fs::read_dir(folder) {
        folders.extend(entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()));
    }
    // The order of folders differs between machines.
    folders.sort();
    for folder in folders.iter().filter(|folder| folder.join(INFO).is_file()) {
        match read(folder) {
            Ok(mut bundle) => {
                // The page does not depend on where the capture is.
                bundle.folder = folder.strip_prefix(capture).unwrap_or(folder).to_owned();
                found.entry(bundle.info.pipeline).or_default().push(bundle);
            }
            Err(error) => warnings.push(error.to_string()),
        }
    }
}

fn read(folder: &Path) -> Result<ShownBundle, FileError> {
    let path = folder.join(INFO);
    let info = serde_json::from_str(&read_text(&path)?).at(&path)?;
    let mut assembly = Vec::new();
    for name in names(folder, ".spvasm") {
        let text = read_text(&folder.join(&name))?;
        assembly.push((name, text));
    }
    let original = folder.join("original");
    for name in names(&original, ".spv") {
        let bytes = fs::read(original.join(&name)).at(&original)?;
        let text = code::assembly(&from_bytes(&bytes)).unwrap_or_else(|error| format!("error: {error}"));
        assembly.push((format!("original/{name}, which the driver got"), text));
    }
    let text_of = |name: &str| read_text(&folder.join(name)).ok();
    Ok(ShownBundle {
        folder: folder.to_owned(),
        info,
        command: text_of("command.sh"),
        readme: text_of("README.md"),
        assembly,
    })
}

/// The files of a folder with this ending, in order.
fn names(folder: &Path, ending: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| name.ends_with(ending));
    names.sort();
    names
}
