//! Each rule fails on a tree that breaks it, and passes on the same tree without the fault.

use dxil_architecture::arrows::arrows;
use dxil_architecture::check;
use dxil_architecture::graph::Modules;
use dxil_architecture::rules::Rank;
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
    const ANY: Rank<'_> = Rank { module: "", may: &["dxil", "error", "structure"], not: &[], words: "" };
    const RANKS: &[Rank<'_>] = &[
        Rank { module: "dxil", ..ANY },
        Rank { module: "shader", ..ANY },
        Rank { module: "error", may: &[], not: &[], words: "error stands below all" },
        Rank { module: "structure", may: &["error"], not: &["rspirv"], words: "structure sees no DXIL" },
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
fn a_rank_without_a_module_is_found() {
    let tree = tree(&[("lib.rs", "")]);
    let ranks = [Rank { module: "gone", may: &[], not: &[], words: "" }];
    one_fault(&check::ranks(&tree, &arrows(&tree), &ranks), "the table of ranks lists `gone`, which is not there");
}

#[test]
fn a_module_without_a_rank_is_found() {
    let tree = tree(&[("lib.rs", "mod old; mod new;"), ("old.rs", ""), ("new.rs", "")]);
    let ranks = [Rank { module: "old", may: &[], not: &[], words: "" }];
    one_fault(&check::ranks(&tree, &arrows(&tree), &ranks), "the table of ranks must list `new`");
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
fn a_wide_type_is_found() {
    let tree = tree(&[("lib.rs", "struct Cx { a: u8, b: u8 } struct Other { a: u8, b: u8 }")]);
    no_fault(&check::wide_types(&tree, &["Cx"], 2));
    one_fault(&check::wide_types(&tree, &["Cx"], 1), "lib.rs: `Cx` has 2 fields, and 1 are allowed");
}

#[test]
fn a_new_file_that_names_a_variant_is_found() {
    let of = |text: &str| {
        let ops = "pub enum Op { Add, Sub }";
        let tree = tree(&[
            ("lib.rs", "mod ops; mod a; mod b;"),
            ("ops.rs", ops),
            ("a.rs", "use crate::ops::Op::Add;"),
            ("b.rs", text),
        ]);
        check::variant_namers(&tree, "Op", &["ops"], &[("a.rs", "a reason")])
    };
    no_fault(&of("use crate::ops::Op; fn f(_: Op) { Op::all() }"));
    for text in
        ["fn f(x: Op) -> bool { x == Op::Add }", "fn f(x: Op) { matches!(x, Op::Add); }", "use crate::ops::Op::Add;"]
    {
        one_fault(&of(text), "b.rs:1 names `Op::Add` and is not listed");
    }
    let tree = tree(&[("lib.rs", "")]);
    let stale = check::variant_namers(&tree, "Op", &[], &[("lib.rs", "a reason")]);
    one_fault(&stale, "lib.rs names no variant of `Op`: take it off the list");
}

#[test]
fn a_long_file_is_found() {
    let tree = tree(&[("lib.rs", "mod a;"), ("a.rs", "struct A;\nstruct B;\n")]);
    no_fault(&check::long_files(&tree, 2));
    one_fault(&check::long_files(&tree, 1), "a.rs has 2 lines");
}

/// The modules of `lower`, whose module `usage` has this text, held to all rules about modules.
fn lowered(usage: &str) -> Vec<String> {
    let texts = [
        ("lib.rs", "mod lower;"),
        ("lower/mod.rs", "mod usage; mod cx; mod control; pub use control::lower; pub struct Own;"),
        ("lower/usage/mod.rs", "mod a; mod b; pub use a::A;"),
        ("lower/usage/a.rs", usage),
        ("lower/usage/b.rs", "use super::A; pub struct B;"),
        ("lower/cx.rs", "use super::usage::A; pub struct Cx;"),
        ("lower/control/mod.rs", "mod c; mod d; pub fn lower() { c::c() }"),
        ("lower/control/c.rs", "use crate::lower::cx::Cx; pub fn c() { super::d::d() }"),
        ("lower/control/d.rs", "use super::super::usage::A; pub fn d() {}"),
    ];
    let tree = tree(&texts);
    let (found, modules) = (arrows(&tree).all, Modules::new(&tree, "lower"));
    let mut broken = check::file_circles(&tree, &found);
    broken.extend(check::module_circles(&found, &modules));
    broken.extend(check::order(&tree, &found, &modules, &["usage", "cx", "control"]));
    broken
}

#[test]
fn an_arrow_that_runs_up_is_found() {
    no_fault(&lowered("pub struct A;"));
    for text in [
        "use crate::lower::cx::Cx;",
        "use super::super::{cx::{Cx as C}};",
        "fn f(_: &crate::lower::cx::Cx) {}",
        "fn f() { vec![crate::lower::cx::Cx]; }",
    ] {
        let broken = lowered(&format!("{text} pub struct A;"));
        assert_eq!(broken.len(), 3, "{broken:#?}");
        assert_eq!(broken[0], "a circle of 2 files: lower/cx.rs, lower/usage/a.rs");
        assert_eq!(broken[1], "a circle of 2 modules: cx, usage");
        assert!(broken[2].starts_with("lower/usage/a.rs:1 ") && broken[2].ends_with("(upward)"), "{broken:#?}");
    }
    // The root is above all modules.
    one_fault(&lowered("use crate::lower::Own; pub struct A;"), "lower/mod.rs: `crate::lower::Own` (upward)");
}

#[test]
fn a_circle_of_files_is_found() {
    let inside = "use super::b::B; pub struct A;";
    one_fault(&lowered(inside), "a circle of 2 files: lower/usage/a.rs, lower/usage/b.rs");
    let broken = lowered("fn f() { crate::lower::lower() } pub struct A;");
    assert_eq!(broken.len(), 3, "{broken:#?}");
    let files = "lower/control/c.rs, lower/control/d.rs, lower/control/mod.rs, lower/cx.rs, lower/usage/a.rs";
    assert_eq!(broken[0], format!("a circle of 5 files: {files}"));
    assert_eq!(broken[1], "a circle of 3 modules: control, cx, usage");
}

#[test]
fn a_module_out_of_order_is_found() {
    let tree = tree(&[("lib.rs", "mod lower;"), ("lower/mod.rs", "mod new;"), ("lower/new/mod.rs", "")]);
    let modules = Modules::new(&tree, "lower");
    one_fault(&check::order(&tree, &[], &modules, &[]), "must list `new`");
    one_fault(&check::order(&tree, &[], &modules, &["new", "old"]), "lists `old`, which is not there");
}

#[test]
fn an_impl_outside_its_module_is_found() {
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
