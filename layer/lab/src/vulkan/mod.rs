//! A Vulkan device with the layer above it, and Vulkan objects made of records.
//!
//! The lab is an application of the layer like any other, so what it finds holds for applications:
//!
//! ```text
//! records ──▶ make ──▶ layer (linked into the lab) ──▶ interposer ──▶ Vulkan loader ──▶ validation ──▶ driver
//! ```
//!
//! | file | subject |
//! |---|---|
//! | `build` | the builds of the libraries of a process |
//! | `calls` | the command that the process is in, for crashes |
//! | `count` | modules that say which of their blocks ran |
//! | `device` | instance and device |
//! | `features` | features and extensions of the device besides those that the layer adds |
//! | `interposer` | the commands between layer and loader |
//! | `trace` | how long the driver takes, and the SPIR-V that it gets |
//! | `signals` | the report of the signal that ends the process |
//! | `passed` | commands that pass unchanged, and are recorded for crashes |
//! | `observer` | observer of object creation |
//! | `older` | SPIR-V for a device of Vulkan 1.2 |
//! | `inject`, `edit` | fault injection; faults of a compiler, made in SPIR-V |
//! | `arena` | arena for create infos that point to one another |
//! | `make` | layouts, samplers, render passes and pipelines of records |

mod arena;
mod build;
mod calls;
mod count;
mod device;
mod edit;
mod features;
mod inject;
mod interposer;
mod make;
mod observer;
mod older;
mod passed;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod signals;
mod trace;

pub use build::{build_of, hex, libraries};
pub use calls::{CRASH, NO_COMMAND};
pub use count::{SetBinding, count_blocks, counted_blocks};
pub use device::{Lab, LabError, Setup};
pub use features::Malformed;
pub use inject::{FaultKind, Injection, NoInjection, inject};
pub use make::{Beyond, Incomplete, Made, MakeError, make};
pub use observer::{Created, Observer, leave_driver_out, observe};
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub use signals::report_signals;
pub use trace::{Trace, TracedStage, take as take_trace};

/// Elsewhere nothing but the signal is known.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn report_signals() {}
