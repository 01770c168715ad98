//! Images: textures and typed buffers, with and without samplers.
//!
//! In: handles, coordinates, offsets, values. Out: texels with D3D's values. What must hold:
//! accesses out of bounds behave as D3D says, and the components of a result have the operation's
//! type, whatever the image's type is.

mod attachment;
mod coordinates;
mod format;
pub mod gather;
pub mod image;
mod offset;
pub mod sample;
pub mod samples;
pub mod size;
pub mod texel;
pub mod texture;

pub use image::Image;
