//! The settings file: its location and its contents.
//!
//! In: environment variables. Out: the values of the lines for this layer, and warnings with path
//! and reason. What must hold: only regular files are opened, so that a pipe cannot block the
//! process, and the size that is read is bounded.

use std::ffi::OsString;
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
    let Found { path, in_working_directory, warning } = file_path(std::env::var_os);
    let mut values = Values { last_counts: true, ..Values::default() };
    if let Some(path) = path {
        match read_file(&path) {
            Ok(bytes) => values = parse_file(&bytes, &path),
            Err(reason) => {
                let path = path.display();
                values.warnings.push(format!("settings file {path}: {reason}; none of its settings is used"));
            }
        }
    }
    if in_working_directory {
        values.remove_written();
    }
    values.warnings.extend(warning);
    values
}

/// The settings file.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    path: Option<PathBuf>,
    /// Nobody named the file: it is in the working directory, which may be anyone's folder.
    in_working_directory: bool,
    /// Why `VK_LAYER_SETTINGS_PATH` is not used.
    warning: Option<String>,
}

/// Finds the settings file, as Vulkan's layer settings library does (Vulkan-Utility-Libraries,
/// `LayerSettings::FindSettingsFile`), so that all layers read one file: in the user's settings
/// folder, where Vulkan Configurator writes it; else by `VK_LAYER_SETTINGS_PATH` (a file or its
/// folder); else, if there is nothing at that path, in the working directory.
fn file_path(variable: impl Fn(&'static str) -> Option<OsString>) -> Found {
    let given = |name| variable(name).filter(|text| !text.is_empty()).map(PathBuf::from);
    let data = given("XDG_DATA_HOME").or_else(|| given("HOME").map(|home| home.join(".local/share")));
    let of_user = data.map(|data| data.join("vulkan/settings.d").join(FILE_NAME)).filter(|file| file.is_file());
    let asked = given(FILE_VARIABLE);
    let unused = |reason: String| Some(format!("{FILE_VARIABLE}: {reason}"));
    if let Some(file) = of_user {
        let first = || unused(format!("{} is used, which comes first for all layers", file.display()));
        let warning = asked.and_then(|_| first());
        return Found { path: Some(file), warning, ..Found::default() };
    }
    let warning = match asked.as_deref().map(asked_path) {
        Some(Ok(path)) => return Found { path: Some(path), ..Found::default() },
        Some(Err(reason)) => unused(reason),
        None => None,
    };
    let is_there = asked.is_some_and(|asked| asked.metadata().is_ok());
    let path = Some(PathBuf::from(FILE_NAME)).filter(|file| !is_there && file.is_file());
    Found { in_working_directory: path.is_some(), path, warning }
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
    let mut out = Values { last_counts: true, ..Values::default() };
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
    fn the_last_value_of_a_key_counts() {
        let values = parsed(b"dxil_translate.cache_mb = 7\ndxil_translate.cache_mb = 8\n");
        assert_eq!(values.by_key["cache_mb"], "8");
        assert_eq!(values.warnings, ["settings file s.txt, line 2: `7` is ignored, because `8` is given after it"]);
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

    /// What is found with these variables.
    fn found(variables: &[(&'static str, &Path)]) -> Found {
        file_path(|name| variables.iter().find(|(other, _)| *other == name).map(|(_, value)| value.into()))
    }

    #[test]
    fn a_file_that_is_asked_for_must_be_there() {
        let of = |path: &str| found(&[(FILE_VARIABLE, Path::new(path))]);
        let nowhere = "VK_LAYER_SETTINGS_PATH: there is no settings file at /nowhere/at/all or at \
                       /nowhere/at/all/vk_layer_settings.txt";
        assert_eq!(of("/nowhere/at/all"), Found { warning: Some(nowhere.into()), ..Found::default() });
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        assert_eq!(of(manifest), Found { path: Some(manifest.into()), ..Found::default() });
        let null = "VK_LAYER_SETTINGS_PATH: /dev/null is not a file";
        assert_eq!(of("/dev/null"), Found { warning: Some(null.into()), ..Found::default() });
    }

    /// The user's folder comes before the variable, as in Vulkan's layer settings library.
    #[test]
    fn the_users_folder_comes_first() {
        let folder = dxil_test_support::TempFolder::new("settings");
        let settings = folder.join("vulkan/settings.d");
        std::fs::create_dir_all(&settings).unwrap();
        let asked = folder.join("asked.txt");
        std::fs::write(&asked, "").unwrap();
        let variables = [("XDG_DATA_HOME", &*folder), ("HOME", Path::new("/nowhere")), (FILE_VARIABLE, &*asked)];
        assert_eq!(found(&variables), Found { path: Some(asked.clone()), ..Found::default() });
        let file = settings.join(FILE_NAME);
        std::fs::write(&file, "").unwrap();
        let first = found(&variables);
        assert_eq!(first.path, Some(file.clone()));
        assert!(first.warning.is_some_and(|text| text.contains("which comes first for all layers")));
        assert_eq!(found(&variables[..2]), Found { path: Some(file), ..Found::default() });
        // An empty variable is none.
        assert_eq!(found(&[("XDG_DATA_HOME", Path::new("")), (FILE_VARIABLE, Path::new(""))]), Found::default());
    }

    /// A folder that someone else filled does not make a program write files.
    #[test]
    fn a_file_of_the_working_directory_writes_nothing() {
        let mut values = parsed(
            b"dxil_translate.log_file = a\ndxil_translate.dump_dir = b\ndxil_translate.capture_dir = c\n\
              dxil_translate.log_level = debug\n",
        );
        values.remove_written();
        let keys: Vec<_> = values.by_key.keys().collect();
        assert_eq!(keys, ["log_level"]);
        assert_eq!(values.warnings.len(), 3);
        assert!(values.warnings[0].contains("VK_LAYER_SETTINGS_PATH"), "{:?}", values.warnings);
    }
}
