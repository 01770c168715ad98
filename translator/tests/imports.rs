//! Imports go downward: the order of docs/architecture.md, "Who may import whom".

use std::path::{Path, PathBuf};

/// What each module may name of the crate. A module not listed here may name anything above it is built on: `lower`, `shader`.
const ALLOWED: &[(&str, &[&str])] = &[
    ("entity", &[]),
    ("integer", &[]),
    ("error", &["profile"]),
    ("limits", &["error"]),
    ("profile", &["error"]),
    ("options", &["profile"]),
    ("container", &["error", "limits"]),
    ("bitcode", &["entity", "error", "integer", "limits"]),
    ("analysis", &["entity", "error", "limits"]),
    ("structure", &["analysis", "entity", "error", "limits"]),
    ("dxil", &["bitcode", "entity", "error", "integer", "limits"]),
    ("binding", &["container", "dxil", "entity", "error", "limits", "profile"]),
    ("passes", &["dxil", "entity", "error", "limits"]),
    ("reflect", &["binding", "dxil"]),
    ("spirv", &["error", "limits", "profile"]),
];

fn files(path: &Path, out: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).unwrap().flatten() {
            files(&entry.path(), out);
        }
    } else if path.extension().is_some_and(|e| e == "rs") {
        out.push(path.to_owned());
    }
}

#[test]
fn imports_go_downward() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = 0;
    for (module, allowed) in ALLOWED {
        let mut all = Vec::new();
        files(&source.join(module), &mut all);
        let single = source.join(format!("{module}.rs"));
        if single.exists() {
            all.push(single);
        }
        assert!(!all.is_empty(), "{module} is not there");
        for file in all {
            // Tests may look at the whole crate.
            if file.components().any(|c| c.as_os_str() == "tests") || file.ends_with("tests.rs") {
                continue;
            }
            let text = std::fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            for line in code.lines().filter(|line| line.trim_start().starts_with("use crate::")) {
                let path = line.trim_start().trim_start_matches("use crate::");
                let name: String = path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                seen += 1;
                let fine = name == *module || allowed.contains(&name.as_str()) || name.is_empty();
                assert!(fine, "{}: {line}", file.display());
            }
        }
    }
    assert!(seen > 50, "only {seen} imports were looked at");
}
