//! Checks that `docs/profile.md` agrees with the tables of features and numbers. `BLESS=1` writes
//! the document again.

use dxil_test_support::golden;

#[test]
fn profile_md_is_true() {
    golden::check("docs/profile.md", &dxil_base::profile::markdown());
}
