//! The committed header is what cbindgen writes of the sources. `BLESS=1` writes it anew.

use std::path::Path;

use dxil_test_support::golden;
use dxil_translator_c::version::VERSION;

/// The modules with public items, in the order of the header.
const SOURCES: [&str; 10] =
    ["version", "failure", "error", "root_signature", "profile", "shader", "plan", "layout", "place", "module"];

#[test]
fn the_header_is_that_of_the_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("the configuration");
    let mut builder = cbindgen::Builder::new().with_config(config);
    for source in SOURCES {
        builder = builder.with_src(root.join(format!("src/{source}.rs")));
    }
    let mut text = Vec::new();
    builder.generate().expect("the sources").write(&mut text);
    let text = String::from_utf8(text).expect("UTF-8");
    for (name, number) in ["MAJOR", "MINOR", "PATCH"].into_iter().zip(VERSION) {
        assert!(text.contains(&format!("#define DXTR_VERSION_{name} {number}\n")), "DXTR_VERSION_{name}: {number}");
    }
    let package = VERSION.map(|number| number.to_string()).join(".");
    assert_eq!(env!("CARGO_PKG_VERSION"), package);
    golden::check(root.join("include/dxil_translator.h"), &text);
}
