//! Link options of the program `layer-overhead`.

fn main() {
    // The layer's library finds this function of the program before the C library's
    // (src/processors.rs).
    println!("cargo::rustc-link-arg-bin=layer-overhead=-Wl,--export-dynamic-symbol=sched_getaffinity");
    println!("cargo::rerun-if-changed=build.rs");
}
