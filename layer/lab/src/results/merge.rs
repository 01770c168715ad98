//! The results of several machines as those of one.
//!
//! In: folders of results, each of a shard. Out: a folder with a file for each driver. What must
//! hold: rows are joined under equal headers alone, and their order is that of their names, so that
//! the shards of one number and a run of all pipelines give equal files but for times, memory and
//! the command, which is that of the first shard.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::file::{ReadResults, Results, ResultsError};
use super::header::FirstLine;
use crate::files::{At as _, write_whole};

/// Joins the files of these folders, and returns the number of rows of each file.
///
/// # Errors
/// A folder that cannot be read or has no results, or results of another build or of other options.
pub fn merge(folders: &[PathBuf], out: &Path) -> Result<BTreeMap<String, usize>, ResultsError> {
    let mut merged: BTreeMap<String, ReadResults> = BTreeMap::new();
    for folder in folders {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).at(folder)?.flatten().map(|it| it.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "jsonl"));
        paths.sort();
        if paths.is_empty() {
            return Err(ResultsError::NoResults(folder.clone()));
        }
        for path in &paths {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let found = Results::read(path)?;
            let Some(known) = merged.get_mut(&name) else {
                merged.insert(name, found);
                continue;
            };
            match (&known.header, &found.header) {
                (Some(first), Some(second)) if first != second => {
                    let differences = first.differences(second);
                    return Err(ResultsError::OtherShard { path: path.clone(), differences });
                }
                (None, _) => (known.header, known.begun) = (found.header, found.begun),
                _ => {}
            }
            known.rows.extend(found.rows);
        }
    }
    let mut counts = BTreeMap::new();
    for (name, ReadResults { header, begun, rows, .. }) in merged {
        let path = out.join(&name);
        let mut text = String::new();
        let first = header.map(|header| FirstLine { header, begun });
        for line in first.iter().map(serde_json::to_string).chain(rows.values().map(serde_json::to_string)) {
            text += &line.at(&path)?;
            text.push('\n');
        }
        write_whole(&path, text.as_bytes())?;
        counts.insert(name, rows.len());
    }
    Ok(counts)
}
