//! Checks that `docs/profile.md` agrees with the tables of features and numbers. `BLESS=1` writes the
//! document again.

use std::fs;
use std::path::Path;

#[test]
fn profile_md_is_true() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/profile.md");
    let expected = dxil_translator::internals::profile::markdown();
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &expected).expect("docs/profile.md can be written");
        return;
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    for (line, (expected, found)) in expected.lines().zip(found.lines()).enumerate() {
        assert_eq!(expected, found, "docs/profile.md, line {}: run with BLESS=1", line + 1);
    }
    assert_eq!(expected, found, "docs/profile.md has another number of lines: run with BLESS=1");
}
