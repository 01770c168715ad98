//! Fossilize databases of captures.
//!
//! In: a capture. Out: a file that Fossilize's tools read
//! (<https://github.com/ValveSoftware/Fossilize>), with every object that the layer would have the
//! driver make. What must hold: an object's hash is the one that Fossilize computes; an object
//! whose hash Fossilize cannot compute, whose hash the lab cannot, or that Fossilize's replayer
//! refuses on every driver, is left out and named.
//!
//! The driver is asked what it has, and makes layouts; modules and pipelines are only written down.
//! So a pipeline that crashes a driver is in the file too.
//!
//! Why not Fossilize's own layer: it records a running application, whose driver compiles each
//! pipeline, and a driver that crashes or hangs ends the recording. Here a capture becomes a
//! database without its application, and without compiling anything. Fossilize's layer and its
//! replayer judge the databases in tests (docs/testing.md).
//!
//! | file | subject |
//! |---|---|
//! | `hash` | the hash, and structures in hash and JSON |
//! | `document` | the JSON of one object |
//! | `unsupported`, `error` | why an object is left out; why there is no database |
//! | `chain` | structures of `pNext` chains |
//! | `dynamic` | which state is set while drawing |
//! | `objects` | handles and their hashes |
//! | `layouts` | samplers, set layouts, pipeline layouts and modules |
//! | `passes` | render passes |
//! | `pipelines` | stages, compute and ray-tracing pipelines |
//! | `graphics` | graphics pipelines |
//! | `application` | the application, and features that change what drivers compile |
//! | `recorder` | records objects into an archive as they are created |
//! | `write` | the subcommand: worker processes and their supervisor |

mod application;
mod chain;
mod document;
mod dynamic;
mod error;
mod graphics;
mod hash;
mod layouts;
mod objects;
mod passes;
mod pipelines;
mod recorder;
mod unsupported;
mod write;

pub use error::FozError;
pub use write::{Fate, FozReport, FozRow, work, write};
