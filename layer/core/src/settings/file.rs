//! The settings file: its location and its contents.
//!
//! In: environment variables. Out: the values of the lines for this layer, and warnings with path
//! and reason. What must hold: only regular files are opened, so that a pipe cannot block the
//! process, and the size that is read is bounded.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::settings::values::Values;

const FILE_PREFIX: &str = "dxil_translate.";
const FILE_NAME: &str = "vk_layer_settings.txt";
const FILE_VARIABLE: &str = "VK_LAYER_SETTINGS_PATH";
/// The largest settings file, in bytes.
const FILE_BYTES: u64 = 1 << 20;

/// Reads the settings file.
pub fn read() -> Values {
    let path = match file_path(std::env::var_os(FILE_VARIABLE).as_deref()) {
        Ok(path) => path,
        Err(reason) => {
            let warnings = reason.map(|reason| format!("{FILE_VARIABLE}: {reason}"));
            return Values { warnings: warnings.into_iter().collect(), ..Values::default() };
        }
    };
    match read_file(&path) {
        Ok(bytes) => parse_file(&bytes, &path),
        Err(reason) => {
            let warning = format!("settings file {}: {reason}; none of its settings is used", path.display());
            Values { warnings: vec![warning], ..Values::default() }
        }
    }
}

/// Finds the settings file: by `VK_LAYER_SETTINGS_PATH` (a file or its folder), else in the user's
/// settings folder, else in the working directory.
///
/// # Errors
/// The reason why there is none, if one was requested.
fn file_path(asked: Option<&OsStr>) -> Result<PathBuf, Option<String>> {
    if let Some(asked) = asked.map(Path::new) {
        return asked_path(asked).map_err(Some);
    }
    let data = std::env::var_os("XDG_DATA_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/share")));
    let places = data.map(|data| data.join("vulkan/settings.d").join(FILE_NAME)).into_iter().chain([FILE_NAME.into()]);
    places.into_iter().find(|place| place.is_file()).ok_or(None)
}

/// Finds a settings file by its path or by the path of its folder.
///
/// # Errors
/// The reason why there is none.
fn asked_path(asked: &Path) -> Result<PathBuf, String> {
    let inside = asked.join(FILE_NAME);
    for place in [&inside, asked] {
        match place.metadata() {
            Ok(found) if found.is_file() => return Ok(place.into()),
            // A pipe is not opened, because that would block until it has a writer.
            Ok(found) if place == inside || !found.is_dir() => {
                return Err(format!("{} is not a file", place.display()));
            }
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                return Err(format!("{}: {error}", place.display()));
            }
            _ => {}
        }
    }
    Err(format!("there is no settings file at {} or at {}", asked.display(), inside.display()))
}

/// Reads a settings file, or returns the reason why it is not read.
fn read_file(path: &Path) -> Result<Vec<u8>, String> {
    use std::io::Read;
    let file = std::fs::File::open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    // The length of the data is checked, because the file may grow while it is read.
    file.take(FILE_BYTES + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > FILE_BYTES {
        return Err(format!("it has more than {FILE_BYTES} bytes"));
    }
    Ok(bytes)
}

/// Parses the lines of a settings file that are for this layer.
pub fn parse_file(bytes: &[u8], path: &Path) -> Values {
    let mut out = Values::default();
    for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let text = String::from_utf8_lossy(line);
        let Some((key, value)) = text.split('#').next().and_then(|text| text.split_once('=')) else { continue };
        let Some(key) = key.trim().strip_prefix(FILE_PREFIX) else { continue };
        let given = format!("settings file {}, line {}", path.display(), index + 1);
        let is_utf8 = std::str::from_utf8(line).is_ok();
        out.add(key, is_utf8.then_some(value.trim()), &given);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(bytes: &[u8]) -> Values {
        parse_file(bytes, Path::new("s.txt"))
    }

    #[test]
    fn settings_files_are_read_by_prefix() {
        let text = "# comment\nkhronos_validation.debug_action = x\ndxil_translate.cache_mb = 7 # seven\n dxil_translate.stats=true\n";
        let values = parsed(text.as_bytes());
        assert_eq!(values.by_key.len(), 2);
        assert_eq!(values.by_key["cache_mb"], "7");
        assert_eq!(values.by_key["stats"], "true");
        assert!(values.warnings.is_empty());
    }

    #[test]
    fn a_byte_that_is_not_utf8_costs_one_line() {
        let values = parsed(b"# caf\xe9\ndxil_translate.log_file = /tmp/\xff\ndxil_translate.stats = true\n");
        assert_eq!(values.by_key.len(), 1);
        assert_eq!(values.by_key["stats"], "true");
        assert_eq!(values.warnings, ["settings file s.txt, line 2: the value is ignored, because it is not UTF-8"]);
    }

    #[test]
    fn the_first_value_of_a_key_counts() {
        let values = parsed(b"dxil_translate.cache_mb = 7\ndxil_translate.cache_mb = 8\n");
        assert_eq!(values.by_key["cache_mb"], "7");
        assert_eq!(values.warnings, ["settings file s.txt, line 2: `8` is ignored, because `7` is given first"]);
    }

    #[test]
    fn misspelt_keys_are_reported() {
        let values = parsed(b"dxil_translate.cache_md = 7\ndxil_translate.colour = red\n");
        assert!(values.by_key.is_empty());
        assert_eq!(
            values.warnings,
            [
                "settings file s.txt, line 1: the layer has no setting `cache_md`; did you mean `cache_mb`?",
                "settings file s.txt, line 2: the layer has no setting `colour`; docs/settings.md lists them",
            ]
        );
    }

    #[test]
    fn a_file_that_is_asked_for_must_be_there() {
        let nowhere = "there is no settings file at /nowhere/at/all or at /nowhere/at/all/vk_layer_settings.txt";
        assert_eq!(file_path(Some(OsStr::new("/nowhere/at/all"))), Err(Some(nowhere.into())));
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        assert_eq!(file_path(Some(OsStr::new(manifest))), Ok(manifest.into()));
        assert_eq!(file_path(Some(OsStr::new("/dev/null"))), Err(Some("/dev/null is not a file".into())));
    }
}
