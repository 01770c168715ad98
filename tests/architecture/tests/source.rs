//! The rules of docs/architecture.md hold for the source of this repository.

use std::sync::LazyLock;

use dxil_architecture::arrows::{Arrows, arrows};
use dxil_architecture::graph::Rooms;
use dxil_architecture::public::face;
use dxil_architecture::source::Crate;
use dxil_architecture::{check, rules, workspace};

struct Read {
    tree: Crate,
    arrows: Arrows,
}

fn read(tree: Crate) -> Read {
    Read { arrows: arrows(&tree), tree }
}

static TRANSLATOR: LazyLock<Read> = LazyLock::new(|| read(workspace::translator(&workspace::repository()).unwrap()));

fn member(folder: &str) -> Read {
    let members = workspace::layer(&workspace::repository()).unwrap();
    let code = members.into_iter().find(|member| member.folder == folder);
    read(code.expect("the workspace has a member in this folder").tree)
}

static LAYER: LazyLock<Read> = LazyLock::new(|| member(rules::LAYER));

static LAB: LazyLock<Read> = LazyLock::new(|| member(rules::LAB));

/// Fails where a rule is broken.
#[track_caller]
fn hold(broken: &[String]) {
    assert!(broken.is_empty(), "{} faults:\n{}", broken.len(), broken.join("\n"));
}

#[test]
fn references_go_down_the_ranks() {
    let Read { tree, arrows } = &*TRANSLATOR;
    assert!(arrows.all.len() > 1000, "only {} references were found", arrows.all.len());
    hold(&check::ranks(tree, arrows, rules::RANKS));
    hold(&check::unranked(tree, rules::RANKS));
}

#[test]
fn lower_is_made_of_rooms() {
    let Read { tree, arrows } = &*TRANSLATOR;
    let rooms = Rooms::of_folder(tree, rules::LOWER);
    hold(&check::file_circles(tree, &arrows.all, &rooms, rules::LARGEST_CIRCLE, rules::LARGER_CIRCLES));
    hold(&check::room_circles(&arrows.all, &rooms));
    hold(&check::order(tree, &arrows.all, &rooms, rules::LOWER_ORDER));
}

#[test]
fn the_layer_is_made_of_rooms() {
    let Read { tree, arrows } = &*LAYER;
    assert!(arrows.all.len() > 200, "only {} references were found", arrows.all.len());
    hold(&check::ranks(tree, arrows, rules::LAYER_RANKS));
    hold(&check::unranked(tree, rules::LAYER_RANKS));
    let rooms = Rooms::of_folder(tree, "");
    hold(&check::file_circles(tree, &arrows.all, &rooms, rules::LARGEST_CIRCLE_OF_LAYER, &[]));
    hold(&check::namers_outside(tree, arrows, rules::TRANSLATOR, rules::LAYER_SEAM));
    hold(&check::long_files(tree, rules::LONGEST_FILE_OF_LAYER));
}

#[test]
fn the_lab_is_made_of_modules_without_circles() {
    let Read { tree, arrows } = &*LAB;
    assert!(arrows.all.len() > 200, "only {} references were found", arrows.all.len());
    hold(&check::ranks(tree, arrows, rules::LAB_RANKS));
    hold(&check::unranked(tree, rules::LAB_RANKS));
    let rooms = Rooms::of_folder(tree, "");
    hold(&check::file_circles(tree, &arrows.all, &rooms, rules::LARGEST_CIRCLE_OF_LAYER, &[]));
}

#[test]
fn only_their_room_extends_the_contexts() {
    hold(&check::impls_outside(&TRANSLATOR.tree, rules::CONTEXTS, rules::CONTEXT_ROOM));
}

#[test]
fn listed_files_alone_read_the_profile() {
    hold(&check::readers_outside(&TRANSLATOR.tree, rules::PROFILE, rules::PROFILE_READERS));
}

#[test]
fn public_types_may_grow() {
    let tree = &TRANSLATOR.tree;
    let face = face(tree);
    assert!(face.len() > 10, "only {} public items were found", face.len());
    hold(&check::open_items(tree, &face, rules::OPEN_ITEMS));
}
