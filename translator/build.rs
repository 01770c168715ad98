//! Tells the tool which commit it is built from: `dxil2spv --version` prints the variable
//! `DXIL2SPV_BUILD`.
//!
//! In: the git checkout of this crate, if it is in one, or the variable `DXIL2SPV_COMMIT` of who
//! builds from sources without git. Out: the commit, and whether the crate's files differ from it.
//! What must hold: the same sources give the same text, so there is no date and no machine in it. A
//! debug build names no commit, because each commit would compile everything again.

use std::env;

#[path = "src/bin/dxil2spv/commit.rs"]
mod commit;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src/bin/dxil2spv/commit.rs");
    println!("cargo::rerun-if-env-changed=DXIL2SPV_COMMIT");
    let folder = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let build = match env::var("DXIL2SPV_COMMIT") {
        Ok(commit) if !commit.is_empty() => format!(" (commit {commit})"),
        _ if env::var_os("CARGO_FEATURE_CLI").is_none() => String::new(),
        _ if !release => " (debug build)".to_owned(),
        _ => {
            println!("cargo::rerun-if-changed=src");
            for path in commit::watched(folder.as_ref()) {
                println!("cargo::rerun-if-changed={path}");
            }
            commit::build(folder.as_ref())
        }
    };
    println!("cargo::rustc-env=DXIL2SPV_BUILD={build}");
}
