//! Images: textures and typed buffers, with and without samplers.
//!
//! In: handles, coordinates, offsets, values. Out: texels as D3D has them. What must hold: D3D's
//! bounds; components have the operation's type, whatever the image's is.

mod coordinates;
pub mod gather;
pub mod image;
mod offset;
pub mod sample;
pub mod samples;
pub mod size;
pub mod texel;
pub mod texture;

pub use image::Image;
