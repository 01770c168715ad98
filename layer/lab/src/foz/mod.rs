//! Fossilize databases of captures.
//!
//! In: a capture. Out: a file that Fossilize's tools read (<https://github.com/ValveSoftware/Fossilize>),
//! with every object that the layer would have the driver make. What must hold: an object's hash is the
//! one that Fossilize computes; an object whose hash Fossilize cannot compute, whose hash the
//! lab cannot, or that Fossilize's replayer refuses on every driver, is left out and named.
//!
//! The driver is asked what it has, and makes layouts; modules and pipelines are only written down. So a
//! pipeline that crashes a driver is in the file too.
//!
//! | file | subject |
//! |---|---|
//! | `archive` | the file |
//! | `hash` | the hash, and structures in hash and JSON |
//! | `chain` | structures of `pNext` chains |
//! | `dynamic` | which state is set while drawing |
//! | `objects` | handles and their hashes |
//! | `layouts` | samplers, set layouts, pipeline layouts and modules |
//! | `passes` | render passes |
//! | `pipelines` | stages, compute and ray-tracing pipelines |
//! | `graphics` | graphics pipelines |
//! | `application` | the application, and features that change what drivers compile |
//! | `recorder` | what is written while pipelines are made |
//! | `write` | the verb: a process that makes pipelines, and who starts it |

pub mod archive;

mod application;
mod chain;
mod dynamic;
mod graphics;
mod hash;
mod layouts;
mod objects;
mod passes;
mod pipelines;
mod recorder;
mod write;

use std::fmt;

use serde_json::{Value, json};

pub use write::{Fate, Report, Row, work, write};

/// The version of Fossilize's JSON.
const VERSION: u32 = 6;

/// Why an object is left out.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Unsupported(String);

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Unsupported {}

/// The JSON of an object in a list of its kind.
fn document(list: &str, hash: u64, object: Value) -> Vec<u8> {
    let name = hash::hex(hash);
    json!({ "version": VERSION, list: { name: object } }).to_string().into_bytes()
}
