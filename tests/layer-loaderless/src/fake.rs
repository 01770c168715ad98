//! The fake next layer. It has every command, does no work, and records its arguments.
//!
//! In: calls from the layer under test. Out: [`Event`]s and [`DeviceSeen`]s. What must hold: the
//! fake reads only memory that a driver may read, and copies everything that it records.
//!
//! Its commands are `unsafe` functions with the contract of the Vulkan specification: handles are
//! alive and of the fake, and pointers are valid for the call. The layer under test upholds that
//! contract for the layer below it.

mod commands;
mod objects;
mod rays;
mod seen;

pub use commands::{get_device_proc_addr, get_instance_proc_addr, other};
pub use seen::*;
