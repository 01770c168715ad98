//! Checks that `docs/profile.md` agrees with the tables of features and numbers. `BLESS=1` writes the
//! document again.

#[path = "support/document.rs"]
mod document;

#[test]
fn profile_md_is_true() {
    document::check("docs/profile.md", &dxil_translator::internals::profile::markdown());
}
