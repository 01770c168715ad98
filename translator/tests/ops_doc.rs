//! `docs/ops.md` says what the table of operations says. `BLESS=1` writes it anew.

use std::path::Path;

use dxil_translator::dxil::ops::coverage_markdown;

#[test]
fn ops_md_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/ops.md");
    let expected = coverage_markdown();
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &expected).expect("docs/ops.md can be written");
        return;
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    let line = expected.lines().zip(found.lines()).position(|(expected, found)| expected != found);
    let line = line.map_or(expected.lines().count().min(found.lines().count()), |line| line) + 1;
    assert!(found == expected, "docs/ops.md differs from the table from line {line} on: run with BLESS=1");
}
