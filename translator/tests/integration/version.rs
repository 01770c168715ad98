//! What `dxil2spv --version` says of the commit.

#[path = "../../src/bin/dxil2spv/commit.rs"]
mod commit;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use commit::{build, watched};

use crate::tool;

/// Runs git in a folder, apart from the settings of the user.
fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut git = Command::new("git");
    git.arg("-C").arg(folder).args(["-c", "user.name=T", "-c", "user.email=t@example.org"]).args(arguments);
    let output = git.env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// An empty folder with a crate in it.
fn with_crate(name: &str) -> (PathBuf, PathBuf) {
    let root = tool::temporary(name);
    let _ = fs::remove_dir_all(&root);
    let folder = root.join("crate");
    fs::create_dir_all(folder.join("src")).unwrap();
    for file in ["Cargo.toml", "src/lib.rs"] {
        fs::write(folder.join(file), "\n").unwrap();
    }
    (root, folder)
}

#[test]
fn a_build_names_its_commit() {
    let (root, folder) = with_crate("commit");
    if Command::new("git").arg("--version").output().is_err() {
        println!("skipped: the command `git` is missing");
        assert_eq!(build(&folder), "");
        return;
    }
    // Tests may run below a checkout, which ignores their files. So does a vendored crate.
    assert_eq!(build(&folder), "");
    git(&root, &["init", "--quiet"]);
    fs::write(root.join("other"), "").unwrap();
    git(&root, &["add", "other"]);
    git(&root, &["commit", "--quiet", "-m", "first"]);
    assert_eq!(build(&folder), "");
    git(&root, &["add", "crate"]);
    git(&root, &["commit", "--quiet", "-m", "second"]);
    let commit = git(&root, &["rev-parse", "--short=12", "HEAD"]);
    assert_eq!(build(&folder), format!(" (commit {commit})"));
    // Changes elsewhere are not in the tool.
    fs::write(root.join("other"), "changed").unwrap();
    fs::write(folder.join("untracked"), "").unwrap();
    assert_eq!(build(&folder), format!(" (commit {commit})"));
    fs::write(folder.join("src/lib.rs"), "// changed\n").unwrap();
    assert_eq!(build(&folder), format!(" (commit {commit}, with local changes)"));
    // A commit changes one of the files that cargo watches.
    let contents = || watched(&folder).iter().map(|path| fs::read_to_string(path).unwrap()).collect::<Vec<_>>();
    let before = contents();
    git(&root, &["commit", "--quiet", "--all", "-m", "third"]);
    assert_ne!(contents(), before);
    assert_ne!(build(&folder), format!(" (commit {commit})"));
}

#[test]
fn the_version_is_one_line() {
    let version = tool::run(&["--version"]);
    assert_eq!((version.code, version.err.as_str()), (0, ""));
    assert_eq!(tool::run(&["-V"]).text(), version.text());
    let number = env!("CARGO_PKG_VERSION");
    let build = env!("DXIL2SPV_BUILD");
    assert_eq!(version.text(), format!("dxil2spv {number}{build}\n"));
    if cfg!(debug_assertions) && std::env::var_os("DXIL2SPV_COMMIT").is_none() {
        assert_eq!(version.text(), format!("dxil2spv {number} (debug build)\n"));
    }
}
