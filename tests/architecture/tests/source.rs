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

/// Fails where a rule is broken. Where the structure that the rule is about is not built yet, fails
/// where the rule holds.
fn hold(built: bool, constant: &str, broken: &[String]) {
    if built {
        assert!(broken.is_empty(), "{} faults:\n{}", broken.len(), broken.join("\n"));
    } else {
        assert!(!broken.is_empty(), "the rule holds now: set `rules::{constant}`");
    }
}

#[test]
fn references_go_down_the_ranks() {
    let Read { tree, arrows } = &*TRANSLATOR;
    assert!(arrows.all.len() > 1000, "only {} references were found", arrows.all.len());
    hold(true, "", &check::ranks(tree, arrows, rules::RANKS));
}

#[test]
fn lower_is_made_of_rooms() {
    let Read { tree, arrows } = &*TRANSLATOR;
    let rooms = Rooms::of_folder(tree, rules::LOWER);
    let mut broken = check::file_circles(tree, &arrows.all, &rooms, rules::LARGEST_CIRCLE, rules::LARGER_CIRCLES);
    broken.extend(check::room_circles(&arrows.all, &rooms));
    broken.extend(check::order(tree, &arrows.all, &rooms, rules::LOWER_ORDER));
    hold(rules::LOWER_HAS_ROOMS, "LOWER_HAS_ROOMS", &broken);
}

#[test]
fn the_layer_is_made_of_rooms() {
    let mut broken = Vec::new();
    for member in workspace::layer(&workspace::repository()).unwrap() {
        let Read { tree, arrows } = read(member.tree);
        let rooms = Rooms::of_folder(&tree, "");
        broken.extend(check::file_circles(&tree, &arrows.all, &rooms, rules::LARGEST_CIRCLE, rules::LARGER_CIRCLES));
        broken.extend(check::room_circles(&arrows.all, &rooms));
    }
    hold(rules::LAYER_HAS_ROOMS, "LAYER_HAS_ROOMS", &broken);
}

#[test]
fn only_their_room_extends_the_contexts() {
    let broken = check::impls_outside(&TRANSLATOR.tree, rules::CONTEXTS, rules::CONTEXT_ROOM);
    hold(rules::CONTEXTS_EXIST, "CONTEXTS_EXIST", &broken);
}

#[test]
fn listed_files_alone_read_the_profile() {
    hold(true, "", &check::readers_outside(&TRANSLATOR.tree, rules::PROFILE, rules::PROFILE_READERS));
}

#[test]
fn public_types_may_grow() {
    let tree = &TRANSLATOR.tree;
    let face = face(tree);
    assert!(face.items.len() > 10, "only {} public items were found", face.items.len());
    hold(rules::FACE_IS_CLOSED, "FACE_IS_CLOSED", &check::open_items(tree, &face, rules::OPEN_ITEMS));
}
