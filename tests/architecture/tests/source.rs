//! The rules of docs/architecture.md hold for the source of this repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use dxil_architecture::arrows::{Arrows, arrows};
use dxil_architecture::graph::Modules;
use dxil_architecture::source::Crate;
use dxil_architecture::{check, rules, workspace};

struct Read {
    folder: String,
    tree: Crate,
    arrows: Arrows,
}

/// All crates of the workspace.
static CRATES: LazyLock<Vec<Read>> = LazyLock::new(|| {
    let members = workspace::crates(&workspace::repository()).unwrap();
    members
        .into_iter()
        .map(|member| Read { arrows: arrows(&member.tree), tree: member.tree, folder: member.folder })
        .collect()
});

fn of_folder(folder: &str) -> &'static Read {
    CRATES.iter().find(|read| read.folder == folder).expect("a member of the workspace has this folder")
}

/// Fails where a rule is broken.
#[track_caller]
fn hold(broken: &[String]) {
    assert!(broken.is_empty(), "{} faults:\n{}", broken.len(), broken.join("\n"));
}

#[test]
fn references_go_down_the_ranks() {
    for (folder, ranks) in rules::RANKED {
        let Read { tree, arrows, .. } = of_folder(folder);
        assert!(arrows.all.len() > 200, "only {} references were found in {folder}", arrows.all.len());
        hold(&check::ranks(tree, arrows, ranks));
    }
}

#[test]
fn no_crate_has_a_circle() {
    assert!(CRATES.len() > 20, "only {} crates were found", CRATES.len());
    let mut all = Vec::new();
    for Read { folder, tree, arrows } in &*CRATES {
        let mut broken = check::file_circles(tree, &arrows.all);
        broken.extend(check::module_circles(&arrows.all, &Modules::new(tree, "")));
        all.extend(broken.into_iter().map(|fault| format!("{folder}: {fault}")));
    }
    hold(&all);
}

#[test]
fn lower_has_an_order() {
    let Read { tree, arrows, .. } = of_folder(rules::TRANSLATOR_FOLDER);
    hold(&check::order(tree, &arrows.all, &Modules::new(tree, rules::LOWER), rules::LOWER_ORDER));
}

#[test]
fn listed_files_of_the_layer_name_the_translator() {
    let Read { tree, arrows, .. } = of_folder(rules::LAYER_FOLDER);
    hold(&check::namers_outside(tree, arrows, rules::TRANSLATOR, rules::LAYER_SEAM));
}

#[test]
fn no_file_is_long() {
    for Read { folder, tree, .. } in &*CRATES {
        let most = rules::LONGEST_FILES.iter().find(|(of, _)| folder.starts_with(of)).unwrap();
        hold(&check::long_files(tree, most.1));
    }
}

#[test]
fn only_their_module_extends_the_contexts() {
    let Read { tree, .. } = of_folder(rules::TRANSLATOR_FOLDER);
    hold(&check::impls_outside(tree, rules::CONTEXTS, rules::CONTEXT_MODULE));
}

#[test]
fn contexts_are_small() {
    let Read { tree, .. } = of_folder(rules::TRANSLATOR_FOLDER);
    hold(&check::wide_types(tree, rules::CONTEXTS, rules::CONTEXT_FIELDS));
}

#[test]
fn few_files_name_operations() {
    assert!(rules::OPERATION_NAMERS.len() <= 5, "the table says what analyses ask");
    let Read { tree, .. } = of_folder(rules::TRANSLATOR_FOLDER);
    hold(&check::variant_namers(tree, rules::OPERATIONS, rules::OPERATION_FOLDERS, rules::OPERATION_NAMERS));
}

/// The files of Rust below a folder.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = |path: PathBuf| if path.is_dir() { rust_files(&path) } else { vec![path] };
    paths.flat_map(below).filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// The tests of a file that no `mod` names would not run.
#[test]
fn every_file_of_tests_is_part_of_a_program() {
    let repository = workspace::repository();
    let mut left_out = Vec::new();
    let mut programs = 0;
    for member in workspace::members(&repository).unwrap() {
        let tests = fs::read_dir(repository.join(member).join("tests")).into_iter().flatten();
        for folder in tests.map(|entry| entry.unwrap().path()).filter(|path| path.join("main.rs").exists()) {
            let tree = Crate::read(&folder).unwrap();
            let declared: Vec<_> = tree.files.iter().map(|file| folder.join(&file.path)).collect();
            left_out.extend(rust_files(&folder).into_iter().filter(|file| !declared.contains(file)));
            programs += 1;
        }
    }
    assert!(programs > 5 && left_out.is_empty(), "{programs} programs; no `mod` names {left_out:?}");
}

/// The front page of the library's documentation has each public item with its summary, which a
/// re-export alone does not show.
#[test]
fn re_exports_of_the_library_are_documented() {
    let text = fs::read_to_string(workspace::repository().join(rules::TRANSLATOR_FOLDER).join("lib.rs")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let exports: Vec<&[&str]> = lines.windows(2).filter(|pair| pair[1].starts_with("pub use ")).collect();
    assert!(exports.len() > 10, "{exports:?}");
    let bare = exports.iter().filter(|pair| pair[0] != "#[doc(inline)]").map(|pair| pair[1].to_owned());
    hold(&bare.collect::<Vec<_>>());
}

/// Lines of comments have at most 100 columns, but for tables, drawings, commands, single words,
/// and the lines of fixtures in strings.
#[test]
fn comments_are_narrow() {
    let (mut wide, mut comments) = (Vec::new(), 0);
    for file in
        ["layer", "tests", "translator"].map(|folder| rust_files(&workspace::repository().join(folder))).concat()
    {
        let text = fs::read_to_string(&file).unwrap();
        let mut is_block = false;
        for (line, number) in text.lines().zip(1..) {
            let Some(words) = line.trim_start().strip_prefix("//") else { continue };
            let words = words.trim_start_matches(['/', '!']);
            is_block ^= words.starts_with(" ```");
            let is_text = is_block || words.starts_with(" |") || words.starts_with("   ") || line.contains("\\n");
            if !is_text && line.chars().count() > 100 && words.trim().contains(' ') {
                wide.push(format!("{}:{number}", file.display()));
            }
            comments += 1;
        }
    }
    assert!(comments > 10_000, "only {comments} lines of comments were found");
    hold(&wide);
}
