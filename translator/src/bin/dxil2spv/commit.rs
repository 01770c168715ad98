//! The commit of the sources, for the build script and its test.

use std::path::Path;
use std::process::Command;

/// What a command of git prints in a folder. `None` without git, outside of a checkout, and if git
/// refuses.
fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// What `--version` says after the version: the commit of the checkout that the crate in this
/// folder is in. Nothing if the folder's files belong to no checkout. They do not if the folder
/// merely lies below one, as a vendored crate may.
pub fn build(folder: &Path) -> String {
    let tracked = git(folder, &["ls-files", "--error-unmatch", "Cargo.toml"]);
    let commit = tracked.and_then(|_| git(folder, &["rev-parse", "--short=12", "HEAD"]));
    let Some(commit) = commit else { return String::new() };
    let changes = git(folder, &["status", "--porcelain", "--untracked-files=no", "--", "."]);
    match changes.is_some_and(|changes| changes.is_empty()) {
        true => format!(" (commit {commit})"),
        false => format!(" (commit {commit}, with local changes)"),
    }
}

/// The files that change when the checkout gets another commit.
pub fn watched(folder: &Path) -> Vec<String> {
    let branch = git(folder, &["symbolic-ref", "-q", "HEAD"]);
    let names = ["HEAD".to_owned(), "packed-refs".to_owned()].into_iter().chain(branch);
    let paths = names.filter_map(|name| git(folder, &["rev-parse", "--git-path", &name]));
    // A file that is missing would run the script at each build.
    paths.map(|path| folder.join(path)).filter(|path| path.exists()).map(|path| path.display().to_string()).collect()
}
