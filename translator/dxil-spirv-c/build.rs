//! Link options of the shared object.

fn main() {
    // A library of cargo cannot have hyphens in its name. The file is renamed when it is installed
    // (docs/d3d12.md), and this is the name under which programs then look for it.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-soname,libdxil-spirv-c-shared.so");
    println!("cargo::rerun-if-changed=build.rs");
}
