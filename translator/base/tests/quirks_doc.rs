//! Checks that `docs/quirks.md` agrees with the table of quirks. `BLESS=1` writes the document
//! again.

use dxil_test_support::golden;

#[test]
fn quirks_md_is_true() {
    golden::check("docs/quirks.md", &dxil_base::quirks::markdown());
}
