//! Documents that tests write from tables.

use std::fs;
use std::path::Path;

/// Checks that a document of the repository has this text. With `BLESS=1` it is written first.
#[track_caller]
pub fn check(document: &str, expected: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(document);
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, expected).unwrap_or_else(|error| panic!("{document}: {error}"));
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    for (line, (expected, found)) in expected.lines().zip(found.lines()).enumerate() {
        assert_eq!(expected, found, "{document}, line {}: run with BLESS=1", line + 1);
    }
    assert_eq!(expected, found, "{document} has another number of lines: run with BLESS=1");
}
