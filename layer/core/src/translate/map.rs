//! The binding map of the setting `map`, read from its file.
//!
//! In: a path. Out: the map, or an error that names the setting and the file. What must hold: only
//! regular files up to the translator's limit are read.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use crate::translate::seam;
use crate::translator::{BindingMap, Error, ErrorKind, Place};

/// Reads the map in a file.
///
/// # Errors
/// `Binding` if the file cannot be read; the translator's error if its text is not a map.
pub fn read_map(path: &Path) -> Result<BindingMap, Error> {
    let named = |why: &dyn std::fmt::Display| format!("setting map, file {}: {why}", path.display());
    let text = read(path).map_err(|why| Error::new(ErrorKind::Binding, Place::Input, named(&why)))?;
    seam::binding_map(&text).map_err(|error| Error::new(error.kind(), error.place(), named(&error.message())))
}

fn read(path: &Path) -> std::io::Result<String> {
    // Opening a pipe would block until it has a writer.
    if !fs::metadata(path)?.is_file() {
        return Err(std::io::Error::other("not an ordinary file"));
    }
    let mut text = String::new();
    // One byte more than the limit, so that the translator refuses the text by its length.
    File::open(path)?.take(seam::MAP_BYTES + 1).read_to_string(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use dxil_test_support::TempFolder;

    use super::*;

    #[test]
    fn bad_files_are_named() {
        let folder = TempFolder::new("map");
        let path = folder.join("map.toml");
        let says = |kind: ErrorKind, why: &str| {
            let error = read_map(&path).unwrap_err();
            let expected = format!("setting map, file {}: {why}", path.display());
            assert!(error.kind() == kind && error.message().starts_with(&expected), "{error}");
        };
        says(ErrorKind::Binding, "No such file");
        fs::create_dir(&path).unwrap();
        says(ErrorKind::Binding, "not an ordinary file");
        fs::remove_dir(&path).unwrap();
        fs::write(&path, [0xff]).unwrap();
        says(ErrorKind::Binding, "stream did not contain valid UTF-8");
        fs::write(&path, "").unwrap();
        says(ErrorKind::Malformed, "missing key `version`");
        fs::write(&path, " ".repeat(seam::MAP_BYTES as usize + 9)).unwrap();
        says(ErrorKind::Limit, &format!("{} bytes in a binding map", seam::MAP_BYTES + 1));
        fs::write(&path, "version = 1\nentries = []").unwrap();
        assert!(read_map(&path).is_ok());
    }
}
