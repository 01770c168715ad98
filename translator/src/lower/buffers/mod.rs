//! Buffers: typed, raw, structured and constant buffers, their counters, and the sizes of all
//! resources.
//!
//! In: handles, indexes, offsets, values. Out: components in the operation's type. What must hold:
//! D3D's bounds, per component or per element.

mod address;
pub mod buffer;
pub mod cbuffer;
mod component;
pub mod counter;
pub mod dimensions;
mod structured;
mod words;
