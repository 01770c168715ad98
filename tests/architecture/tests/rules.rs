//! Each rule fails on a tree that breaks it, and passes on the same tree without the fault.

use dxil_architecture::arrows::arrows;
use dxil_architecture::check;
use dxil_architecture::graph::Rooms;
use dxil_architecture::public::face;
use dxil_architecture::rules::{Except, Rank};
use dxil_architecture::source::Crate;

fn tree(texts: &[(&str, &str)]) -> Crate {
    Crate::from_texts(texts).unwrap()
}

#[track_caller]
fn one_fault(broken: &[String], words: &str) {
    assert!(broken.len() == 1 && broken[0].contains(words), "expected one fault with `{words}`: {broken:#?}");
}

#[track_caller]
fn no_fault(broken: &[String]) {
    assert!(broken.is_empty(), "{broken:#?}");
}

/// A crate whose module `structure` has this text.
fn ranked(structure: &str) -> Vec<String> {
    const RANKS: &[Rank<'_>] = &[
        Rank { room: "error", may: &[], not: &[], words: "error stands below all" },
        Rank { room: "structure", may: &["error"], not: &["rspirv"], words: "structure sees no DXIL" },
    ];
    let lib = "#[macro_use] mod error; mod dxil; mod structure; mod shader; pub use dxil::Op;";
    let texts = [
        ("lib.rs", lib),
        ("error.rs", "pub struct Error; macro_rules! bug { ($($t:tt)*) => { $crate::error::Error }; }"),
        ("dxil.rs", "pub struct Op; pub fn decode() {} pub use crate::error::Error;"),
        ("structure/mod.rs", "mod layout;"),
        ("structure/layout.rs", structure),
        ("shader.rs", "use crate::structure; use crate::dxil::Op;"),
    ];
    let tree = tree(&texts);
    check::ranks(&tree, &arrows(&tree), RANKS)
}

#[test]
fn a_reference_out_of_rank_is_found() {
    no_fault(&ranked("use crate::error::Error; use crate::dxil::Error as Same; fn f() { bug!(1) }"));
    for text in [
        "use crate::dxil::Op;",
        "use crate::{error::Error, dxil::{Op as O}};",
        "use super::super::dxil::Op;",
        "use crate::Op;",
        "pub use crate::dxil::Op;",
        "fn f() { crate::dxil::decode() }",
        "fn f() -> Option<crate::dxil::Op> { None }",
        "fn f() { bug!(\"{}\", crate::dxil::decode()) }",
        "fn f(x: u8) -> bool { matches!(x, crate::dxil::Op) }",
        "macro_rules! late { () => { crate::dxil::decode() }; }",
    ] {
        one_fault(&ranked(text), "structure sees no DXIL");
    }
    one_fault(&ranked("use rspirv::spirv::Op;"), "the crate `rspirv` (structure sees no DXIL)");
    one_fault(&ranked("fn f() { format!(\"{:?}\", rspirv::spirv::Op::Nop) }"), "the crate `rspirv`");
}

#[test]
fn a_rank_without_a_room_is_found() {
    let tree = tree(&[("lib.rs", "")]);
    let ranks = [Rank { room: "gone", may: &[], not: &[], words: "" }];
    one_fault(&check::ranks(&tree, &arrows(&tree), &ranks), "list the room `gone`");
}

#[test]
fn a_room_without_a_rank_is_found() {
    let tree = tree(&[("lib.rs", "mod old; mod new;"), ("old.rs", ""), ("new.rs", "")]);
    let ranks = [Rank { room: "old", may: &[], not: &[], words: "" }];
    one_fault(&check::unranked(&tree, &ranks), "do not list the room `new`");
}

#[test]
fn a_new_file_that_names_a_crate_is_found() {
    let of = |text: &str| {
        let texts = [("lib.rs", "mod seam; mod user;"), ("seam.rs", "pub use far::Far;"), ("user.rs", text)];
        let tree = tree(&texts);
        check::namers_outside(&tree, &arrows(&tree), "far", &[("seam.rs", "a reason")])
    };
    no_fault(&of("use crate::seam::Far; fn f() { near::g() }"));
    for text in ["use far::Far;", "fn f(_: far::Far) {}", "fn f() { println!(\"{}\", far::g()) }"] {
        one_fault(&of(text), "user.rs:1 names the crate `far` and is not listed");
    }
    let tree = tree(&[("lib.rs", "")]);
    let stale = check::namers_outside(&tree, &arrows(&tree), "far", &[("lib.rs", "a reason")]);
    one_fault(&stale, "lib.rs does not name the crate `far`: take it off the list");
}

#[test]
fn a_long_file_is_found() {
    let tree = tree(&[("lib.rs", "mod a;"), ("a.rs", "struct A;\nstruct B;\n")]);
    no_fault(&check::long_files(&tree, 2));
    one_fault(&check::long_files(&tree, 1), "a.rs has 2 lines");
}

/// The rooms of `lower`, whose room `facts` has this text, held to all rules about rooms.
fn roomed(facts: &str, excepted: &[Except<'_>]) -> Vec<String> {
    let texts = [
        ("lib.rs", "mod lower;"),
        ("lower/mod.rs", "mod facts; mod cx; mod control; pub use control::lower; pub struct Own;"),
        ("lower/facts/mod.rs", "mod a; mod b; pub use a::A;"),
        ("lower/facts/a.rs", facts),
        ("lower/facts/b.rs", "use super::A; pub struct B;"),
        ("lower/cx.rs", "use super::facts::A; pub struct Cx;"),
        ("lower/control/mod.rs", "mod c; mod d; pub fn lower() { c::c() }"),
        ("lower/control/c.rs", "use crate::lower::cx::Cx; pub fn c() { super::d::d() }"),
        ("lower/control/d.rs", "use super::super::facts::A; pub fn d() {}"),
    ];
    let tree = tree(&texts);
    let (found, rooms) = (arrows(&tree).all, Rooms::of_folder(&tree, "lower"));
    let mut broken = check::file_circles(&tree, &found, &rooms, 3, excepted);
    broken.extend(check::room_circles(&found, &rooms));
    broken.extend(check::order(&tree, &found, &rooms, &["facts", "cx", "control"]));
    broken
}

#[test]
fn an_arrow_that_runs_up_is_found() {
    no_fault(&roomed("pub struct A;", &[]));
    // A circle of two files of one room is accepted.
    no_fault(&roomed("use super::b::B; pub struct A;", &[]));
    for text in [
        "use crate::lower::cx::Cx;",
        "use super::super::{cx::{Cx as C}};",
        "fn f(_: &crate::lower::cx::Cx) {}",
        "fn f() { vec![crate::lower::cx::Cx]; }",
    ] {
        let broken = roomed(&format!("{text} pub struct A;"), &[]);
        assert_eq!(broken.len(), 2, "{broken:#?}");
        assert_eq!(broken[0], "a circle of 2 rooms: cx, facts");
        assert!(broken[1].starts_with("lower/facts/a.rs:1 ") && broken[1].ends_with("(upward)"), "{broken:#?}");
    }
    // The face is above all rooms.
    one_fault(&roomed("use crate::lower::Own; pub struct A;", &[]), "lower/mod.rs: `crate::lower::Own` (upward)");
}

#[test]
fn an_added_circle_is_found() {
    let up = "fn f() { crate::lower::lower() } pub struct A;";
    let broken = roomed(up, &[]);
    assert_eq!(broken.len(), 3, "{broken:#?}");
    let files = "lower/control/c.rs, lower/control/d.rs, lower/control/mod.rs, lower/cx.rs, lower/facts/a.rs";
    assert_eq!(broken[0], format!("a circle of 5 files: {files}"));
    assert_eq!(broken[1], "a circle of 3 rooms: control, cx, facts");
    // An exception takes the circle of files out, and has to go when the circle does.
    assert_eq!(roomed(up, &[("lower/control/c.rs", "a reason")]).len(), 2);
    let stale = roomed("pub struct A;", &[("lower/control/c.rs", "a reason")]);
    one_fault(&stale, "lower/control/c.rs is gone: take it off the list");
}

#[test]
fn a_room_out_of_order_is_found() {
    let tree = tree(&[("lib.rs", "mod lower;"), ("lower/mod.rs", "mod new;"), ("lower/new/mod.rs", "")]);
    let rooms = Rooms::of_folder(&tree, "lower");
    one_fault(&check::order(&tree, &[], &rooms, &[]), "does not list `new`");
    one_fault(&check::order(&tree, &[], &rooms, &["new", "old"]), "lists `old`, which is not there");
}

#[test]
fn an_impl_outside_its_room_is_found() {
    let of = |text: &str| {
        let texts = [
            ("lib.rs", "mod lower;"),
            ("lower/mod.rs", "mod cx; mod cxx;"),
            ("lower/cx/mod.rs", "mod more; pub struct FunctionCx<'a>(&'a u8);"),
            ("lower/cx/more.rs", "impl super::FunctionCx<'_> { fn more(&self) {} }"),
            ("lower/cxx.rs", text),
        ];
        check::impls_outside(&tree(&texts), &["FunctionCx"], "lower/cx")
    };
    no_fault(&of("use super::cx::FunctionCx; impl Drop for FunctionCx<'_> { fn drop(&mut self) {} }"));
    one_fault(&of("\nimpl<'a> super::cx::FunctionCx<'a> {}"), "lower/cxx.rs:2 has `impl FunctionCx`");
    let none = check::impls_outside(&tree(&[("lib.rs", "")]), &["FunctionCx"], "lower/cx");
    one_fault(&none, "no type `FunctionCx`");
}

#[test]
fn a_new_reader_is_found() {
    let of = |text: &str| {
        let profile = "pub struct Profile { pub limit: u32 } impl Profile { pub fn has(&self) -> bool { self.x } }";
        let options = "pub struct Options { pub profile: crate::profile::Profile }
            impl Options { pub fn device(&self) -> &crate::profile::Profile { &self.profile } }";
        let texts = [
            ("lib.rs", "mod profile; mod options; mod caps; mod lower;"),
            ("profile.rs", profile),
            ("options.rs", options),
            ("caps.rs", "fn f(profile: &crate::profile::Profile) -> bool { profile.has() }"),
            ("lower.rs", text),
        ];
        check::readers_outside(&tree(&texts), "Profile", &[("caps.rs", "a reason")])
    };
    no_fault(&of(
        "use crate::options::Options; fn f(o: &Options) { g(&o.profile); let p = o.profile.clone(); g(&p); }",
    ));
    for text in [
        "fn f(options: &Options) -> u32 { options.profile.limit }",
        "fn f(options: &Options) -> u32 { options.device().limit }",
        "fn f(any: &Profile) -> bool { any.has() }",
        "fn f(o: &Options) -> bool { let p = &o.profile; let q = p; q.has() }",
        "fn f(o: &Options) { assert!(o.profile.has()); }",
        "fn f(o: &Options) { println!(\"{}\", o.device().limit); }",
        "fn f(o: &Options) { let Profile { limit } = &o.profile; }",
    ] {
        one_fault(&of(text), "lower.rs reads Profile and is not listed");
    }
    let stale = check::readers_outside(&tree(&[("lib.rs", "")]), "Profile", &[("lib.rs", "a reason")]);
    one_fault(&stale, "lib.rs does not read Profile: take it off the list");
}

#[test]
fn an_open_public_type_is_found() {
    let of = |listed: &[Except<'_>]| {
        let hidden = "pub struct Out { pub a: u8 } pub struct Inner { pub a: u8 }";
        let open = "pub enum Choice { A } #[non_exhaustive] pub enum Grows { A } pub struct Opaque { a: u8 }
            pub(crate) struct Own { pub a: u8 } pub struct Stage { pub a: u8 } pub fn f() {} numbers! { Limits { a } }
            macro_rules! numbers { ($n:ident { $($f:ident)* }) => { pub struct $n { $(pub $f: u8,)* } }; }";
        let texts = [
            (
                "lib.rs",
                "mod hidden; pub mod open; pub use hidden::Out; pub use open::{Choice, Grows, Limits, Opaque, f};",
            ),
            ("hidden.rs", hidden),
            ("open.rs", open),
        ];
        let tree = tree(&texts);
        let face = face(&tree);
        let items: Vec<_> = face.iter().map(|item| item.path.as_str()).collect();
        assert_eq!(items, ["Choice", "Grows", "Limits", "Opaque", "Out", "f"]);
        check::open_items(&tree, &face, listed)
    };
    let listed = [("Out", "plain data"), ("Choice", "will not grow"), ("Limits", "plain data")];
    no_fault(&of(&listed));
    one_fault(&of(&listed[1..]), "Out (hidden.rs:1) is open");
    one_fault(&of(&[listed[0], listed[2]]), "Choice (open.rs:1) is open");
    one_fault(&of(&listed[..2]), "Limits (open.rs:2) is open");
    one_fault(&of(&[listed[0], listed[1], listed[2], ("Gone", "")]), "Gone is not an open public type");
}
