//! Link options of the shared object.

fn main() {
    // The name under which programs look for the library. Its number changes with a version whose
    // functions or structures do not fit the programs of the version before.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libdxil_translator.so.0");
    println!("cargo::rerun-if-changed=build.rs");
}
