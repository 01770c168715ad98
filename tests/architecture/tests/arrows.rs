//! References are found however they are written, and lead to the file that declares the name.

use dxil_architecture::arrows::arrows;
use dxil_architecture::source::Crate;

/// The arrows of a crate as `from to`, without `.rs`.
fn found(texts: &[(&str, &str)]) -> Vec<String> {
    let tree = Crate::from_texts(texts).unwrap();
    let short = |file: usize| tree.path(file).trim_end_matches(".rs").to_owned();
    let mut all: Vec<_> =
        arrows(&tree).all.iter().map(|arrow| format!("{} {}", short(arrow.from), short(arrow.to))).collect();
    all.sort();
    all.dedup();
    all
}

/// A crate with the modules `up`, which has this text, and `down`, which declares a few names.
fn above(text: &str) -> Vec<String> {
    let down = "pub struct Down; pub enum Choice { A, B } pub fn call() {} pub trait Trait { fn f(); }
        pub mod inner { pub struct Deep; } pub const LIMIT: usize = 1;";
    found(&[("lib.rs", "mod up; mod down;"), ("up.rs", text), ("down.rs", down)])
}

#[test]
fn a_reference_in_any_form_is_an_arrow() {
    for text in [
        "use crate::down::Down;",
        "use crate::{down::{Choice, Down}};",
        "use crate::down;",
        "use super::down::*;",
        "use super::down::{self as below};",
        "pub use crate::down::Down;",
        "use crate::down as below; fn f(_: below::Down) {}",
        "fn f() { use super::down::Down as D; }",
        "fn f() { crate::down::call(); }",
        "fn f() -> usize { super::down::LIMIT }",
        "fn f(_: Vec<crate::down::Down>) {}",
        "fn f(x: u32) { match x { crate::down::LIMIT => {} _ => {} } }",
        "fn f(c: crate::down::Choice) {}",
        "struct S { deep: crate::down::inner::Deep }",
        "struct S; impl crate::down::Trait for S { fn f() {} }",
        "fn f<T: crate::down::Trait>() {}",
        "fn f() { <u32 as crate::down::Trait>::f() }",
        "#[derive(crate::down::Down)] struct S;",
        "fn f() { println!(\"{}\", crate::down::LIMIT); }",
        "fn f(x: u32) -> bool { matches!(x, crate::down::LIMIT) }",
        "fn f() { any! { use crate::{down::{call as c}}; } }",
        "fn f() { vec![Some(crate::down::inner::Deep)] ; }",
        "mod inside { fn f() { super::super::down::call() } }",
        "macro_rules! m { () => { $crate::down::call() }; } fn f() { m!(); }",
    ] {
        assert_eq!(above(text), ["up down"], "{text}");
    }
}

#[test]
fn names_of_the_module_itself_and_of_other_crates_are_not_arrows() {
    for text in [
        "use std::collections::HashMap; fn f(_: HashMap<u32, Down>) {} struct Down;",
        "fn call() {} fn f() { call(); format!(\"{}\", call()); }",
        "fn f(down: u32) -> u32 { down + g!(down) }",
        "pub(in crate::down) fn f() {}",
        "#[cfg(test)] mod tests { use crate::down::Down; }",
        "#[cfg(all(test, unix))] use crate::down::Down;",
        "#[test] fn f() { crate::down::call() }",
        "struct S; impl S { #[cfg(test)] fn f() { crate::down::call() } }",
        "/// [`crate::down::Down`]\nfn f() { \"crate::down::Down\"; }",
    ] {
        assert_eq!(above(text), [""; 0], "{text}");
    }
    assert_eq!(above("#[cfg(not(test))] use crate::down::Down;"), ["up down"]);
}

#[test]
fn a_re_export_leads_to_the_file_that_declares() {
    let face = "mod made; mod used; pub use made::Thing; pub use crate::other::Far as Near;";
    let texts = [
        ("lib.rs", "mod part; mod other; mod user; pub use part::*;"),
        ("part/mod.rs", face),
        ("part/made.rs", "pub struct Thing;"),
        ("part/used.rs", "use super::Thing;"),
        ("other.rs", "pub struct Far;"),
        ("user.rs", "use crate::part::Near; fn f(_: crate::Thing) {}"),
    ];
    // The face points at nothing of its own, and what uses the face does not point at the face.
    assert_eq!(found(&texts), ["part/mod other", "part/used part/made", "user other", "user part/made"]);
}

#[test]
fn a_module_and_a_function_of_one_name_are_told_apart() {
    let texts = [
        ("lib.rs", "mod part; mod user;"),
        ("part/mod.rs", "mod plan; pub use plan::Plan; pub fn plan() {}"),
        ("part/plan.rs", "pub struct Plan;"),
        ("user.rs", "use crate::part::Plan;"),
    ];
    assert_eq!(found(&texts), ["user part/plan"]);
}

#[test]
fn the_body_of_a_macro_is_read_where_it_is_called() {
    let texts = [
        ("lib.rs", "#[macro_use] mod table; mod dispatch;"),
        ("table.rs", "macro_rules! rows { ($m:ident) => { $m! { One => arith::one; } }; } pub(crate) use rows;"),
        (
            "dispatch/mod.rs",
            "mod arith; mod bits; macro_rules! go { ($n:ident => $f:path;) => { $f(); bits::two() }; }
             crate::table::rows!(go);",
        ),
        ("dispatch/arith.rs", "pub fn one() {}"),
        ("dispatch/bits.rs", "pub fn two() {}"),
    ];
    assert_eq!(found(&texts), ["dispatch/mod dispatch/arith", "dispatch/mod dispatch/bits", "dispatch/mod table"]);
}

#[test]
fn what_a_macro_declares_is_found_through_a_glob() {
    let texts = [
        ("lib.rs", "#[macro_use] mod make; mod made; mod face; mod user;"),
        ("make.rs", "macro_rules! make { ($($name:ident),*) => { $(pub struct $name;)* }; }"),
        ("made.rs", "make!(Ant, Bee);"),
        ("face.rs", "pub use crate::made::*; pub struct Wasp;"),
        ("user.rs", "use crate::face::Bee;"),
    ];
    assert_eq!(found(&texts), ["face made", "made make", "user made"]);
}

#[test]
fn a_method_that_stands_away_from_its_type_is_an_arrow() {
    let texts = [
        ("lib.rs", "mod cx; mod far; mod user; mod stranger;"),
        ("cx.rs", "pub struct Cx; impl Cx { pub fn near(&self) {} }"),
        ("far.rs", "use crate::cx::Cx; impl Cx { pub fn far(&self) {} pub fn len(&self) {} }"),
        ("user.rs", "use crate::cx::Cx; fn f(cx: &Cx) { cx.near(); assert!(cx.far()); }"),
        ("stranger.rs", "fn f(v: &Vec<u32>) { v.len(); }"),
    ];
    assert_eq!(found(&texts), ["far cx", "user cx", "user far"]);
}

#[test]
fn modules_are_found_where_the_language_looks() {
    let texts = [
        ("lib.rs", "mod a; mod inline { mod b; } #[path = \"odd/place.rs\"] mod c;"),
        ("a.rs", "mod deep; use crate::c::C;"),
        ("a/deep.rs", "use super::super::inline::b::B;"),
        ("inline/b/mod.rs", "mod leaf; pub struct B;"),
        ("inline/b/leaf.rs", "use super::B;"),
        ("odd/place.rs", "mod beside; pub use beside::C;"),
        ("odd/beside.rs", "pub struct C;"),
    ];
    assert_eq!(found(&texts), ["a odd/beside", "a/deep inline/b/mod", "inline/b/leaf inline/b/mod"]);
    let missing = Crate::from_texts(&[("lib.rs", "mod gone;")]).unwrap_err();
    assert!(missing.contains("gone.rs") && missing.contains("gone/mod.rs"), "{missing}");
    let broken = Crate::from_texts(&[("lib.rs", "mod a;"), ("a.rs", "\nfn (")]).unwrap_err();
    assert!(broken.starts_with("a.rs:2:"), "{broken}");
}
