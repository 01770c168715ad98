//! Link options of the layer's shared object.

fn main() {
    // Loaders open and close layers again and again, also while threads of the application still
    // have thread-local state of this library to tear down: once mapped, it stays.
    println!("cargo::rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo::rerun-if-changed=build.rs");
}
