//! Buffers: typed, raw, structured and constant buffers, their counters, and the sizes of all
//! resources.
//!
//! In: handles, indexes, offsets, values. Out: components in the operation's type. What must hold:
//! D3D's bounds, per component or per element.
//!
//! | file | subject |
//! |---|---|
//! | `buffer`, `cbuffer`, `counter`, `dimensions` | the operations: one function each |
//! | `access` | [`BufferAccess`]: length, bounds, pointers, loads, stores of raw and structured buffers |
//! | `structured`, `words`, `texels` | the forms of a buffer's content: elements, words |
//! | `rows`, `row_block`, `constants` | constant buffers: rows of four words, single words |
//! | `component` | components, and the words that hold them |
//! | `block` | the memory behind all forms: the one place that asks where a buffer lives |

mod access;
mod block;
pub mod buffer;
pub mod cbuffer;
mod component;
mod constants;
pub mod counter;
pub mod dimensions;
mod row_block;
mod rows;
mod structured;
mod texels;
mod words;

pub use access::BufferAccess;
pub use component::BufferPosition;
