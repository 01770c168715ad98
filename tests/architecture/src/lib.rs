//! Reads the source tree and holds it to the rules of docs/architecture.md.
//!
//! [`source`] reads the files that a crate's `mod` declarations reach, [`collect`] and [`tokens`]
//! collect what each module declares and refers to, [`resolve`] follows names to the module that
//! declares them, [`arrows`] draws an arrow from file to file for each reference, and [`graph`]
//! finds circles and arrows that run up.
//! [`rules`] has the rules as data, [`check`] the functions that hold a tree to them; the tests of
//! this crate run them. The tool `structure` prints the figures.
//!
//! # What counts as a reference
//! `use` declarations (groups, globs, renames), paths in expressions, types, patterns and
//! attributes, paths among the tokens of macros, the bodies of the crate's own macros where they
//! are called, and calls of methods that are written in another file than their type. Code that
//! only tests have is left out.
//!
//! # What is not seen
//! There is no type inference: a field or method of a value that another file made is not a
//! reference, except as said. References to other crates are known by the crate's name alone.

pub mod arrows;
pub mod check;
pub mod collect;
pub mod contents;
pub mod graph;
pub mod resolve;
pub mod rules;
pub mod source;
pub mod syntax;
pub mod tokens;
pub mod workspace;
