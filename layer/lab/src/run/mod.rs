//! Makes the pipelines of a capture on drivers.
//!
//! In: a capture and drivers. Out: a file of results for each driver, with a line for each
//! pipeline. What must hold: a driver that crashes, hangs or exhausts memory costs one pipeline,
//! which is named; results survive when the lab is stopped, and the next run continues the file.
//!
//! | file | subject |
//! |---|---|
//! | `answers` | where a worker's answers go |
//! | `child` | a worker process, from the supervisor's side |
//! | `worker` | a worker process, from its own side |
//! | `emitted` | the SPIR-V that the driver receives, in a folder |
//! | `error` | why a run does not go on |
//! | `memory` | memory usage of a process |
//! | `nested` | rays that shaders trace deeper than their pipeline allows |
//! | `said` | what a process writes to its error output |
//! | `select` | which pipelines of a capture a command is about |
//! | `statistics` | a driver's statistics of machine code |
//! | `supervise` | supervises the worker processes of one driver |

mod answers;
mod child;
pub(crate) mod emitted;
mod error;
mod memory;
mod nested;
mod said;
mod select;
mod statistics;
mod supervise;
mod worker;

pub(crate) use answers::output;
pub use child::WorkerLimits;
pub(crate) use child::{Answer, Death, Worker};
pub use error::{EmittedError, RunError, WorkError, WorkerError};
pub(crate) use nested::excused;
pub use select::{NoSelection, NoShard, Selection, Shard};
pub use supervise::{Options, run};
pub use worker::{Job, RECORDER, captured, work};
