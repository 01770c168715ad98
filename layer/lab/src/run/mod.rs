//! Makes the pipelines of a capture on drivers.
//!
//! In: a capture and drivers. Out: a file of results for each driver, with a line for each pipeline.
//! What must hold: a driver that crashes, hangs or exhausts memory costs one pipeline, which is named;
//! what is in the file stays there when the lab is stopped, and the next run goes on behind it.
//!
//! | file | subject |
//! |---|---|
//! | `child` | a process that makes pipelines, seen from outside |
//! | `worker` | the same from inside |
//! | `emitted` | the SPIR-V that the layer gives to the driver, in a folder |
//! | `error` | why a run does not go on |
//! | `memory` | what a process has used |
//! | `supervise` | the children of one driver, and what becomes of each pipeline |

mod child;
pub(crate) mod emitted;
mod error;
mod memory;
mod supervise;
mod worker;

pub(crate) use child::{Answer, Worker};
pub use error::{EmittedError, RunError, WorkError, WorkerError};
pub use supervise::{Options, run};
pub use worker::{Job, work};
