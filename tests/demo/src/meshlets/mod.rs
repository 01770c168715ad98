//! The picture of `--mesh`: a scene of meshlets. An amplification shader culls those that cannot be
//! seen, and a mesh shader draws the others. A vertex shader draws all triangles of the same
//! buffers for comparison.

mod camera;
mod draw;
mod model;
mod vector;

use dxil_tests::error::{Error, Result};
use dxil_tests::vulkan::Context;

pub use draw::{Renderer, Scene, Way};
use model::Model;

/// Width and height of the pictures. Both are powers of two, because a driver may transform the
/// positions of one kind of pipeline to the viewport with fused operations, and those of the other
/// kind without: lavapipe's pictures of other sizes differ in a few pixels by one step of eight
/// bits. With a power of two the product is exact, so both have the same bits.
pub const SIZE: [u32; 2] = [1024, 512];

/// The amplification shader.
pub const AMPLIFICATION: &[u8] = include_bytes!("../../shaders/meshlets.mesh.as.dxil");
/// The mesh shader.
pub const MESH: &[u8] = include_bytes!("../../shaders/meshlets.mesh.ms.dxil");
/// The vertex shader.
pub const VERTEX: &[u8] = include_bytes!("../../shaders/meshlets.vertex.vs.dxil");
/// The pixel shader of both pipelines.
pub const PIXEL: &[u8] = include_bytes!("../../shaders/meshlets.mesh.ps.dxil");

/// What became of the meshlets.
pub struct Census {
    /// The number of meshlets.
    pub meshlets: usize,
    /// The number of triangles of all meshlets.
    pub triangles: usize,
    /// How many meshlets were outside the frustum.
    pub outside: usize,
    /// How many other meshlets faced away.
    pub away: usize,
    /// The number of triangles of the meshlets that were drawn.
    pub drawn_triangles: u64,
}

impl Census {
    /// Counts the words that the amplification shader wrote, which are the constants `DRAWN`,
    /// `OUTSIDE` and `FACING_AWAY` of the HLSL.
    fn new(model: &Model, fates: &[u32]) -> Result<Self> {
        let count = |fate| fates.iter().filter(|&&word| word == fate).count();
        let (drawn, outside, away) = (count(0), count(1), count(2));
        let meshlets = model.meshlets.len();
        if fates.len() != meshlets || drawn + outside + away != meshlets {
            let known = drawn + outside + away;
            return Err(Error::Wrong(format!("the amplification shader decided on {known} of {meshlets} meshlets")));
        }
        let drawn = model.meshlets.iter().zip(fates).filter(|&(_, &fate)| fate == 0);
        let drawn_triangles = drawn.map(|(meshlet, _)| u64::from(meshlet.triangle_count)).sum();
        Ok(Self { meshlets, triangles: model.triangles.len(), outside, away, drawn_triangles })
    }

    /// How many meshlets were culled.
    pub fn culled(&self) -> usize {
        self.outside + self.away
    }
}

/// Compares the two pictures, and checks that enough was culled and that something was drawn.
///
/// # Errors
/// What is wrong.
pub fn check(census: &Census, mesh: &[u8], vertex: &[u8]) -> Result<()> {
    let texels = |picture: &[u8]| picture.chunks_exact(4).map(<[u8]>::to_vec).collect::<Vec<_>>();
    let (of_mesh, of_vertex) = (texels(mesh), texels(vertex));
    let background = of_vertex.first();
    let covered = of_vertex.iter().filter(|texel| Some(*texel) != background).count();
    if covered < of_vertex.len() / 5 {
        return Err(Error::Wrong(format!("the vertex shader's picture shows the scene in {covered} pixels only")));
    }
    let different: Vec<_> = (0..).zip(of_mesh.iter().zip(&of_vertex)).filter(|(_, (a, b))| a != b).collect();
    if let Some((first, (a, b))) = different.first() {
        let [x, y] = [first % SIZE[0], first / SIZE[0]];
        return Err(Error::Wrong(format!(
            "the pictures differ in {} pixels; the first is ({x}, {y}), {a:?} by the mesh shader and {b:?} by the \
             vertex shader",
            different.len()
        )));
    }
    if mesh != vertex {
        return Err(Error::Wrong("the pictures differ in size".into()));
    }
    if census.culled() * 3 < census.meshlets {
        return Err(Error::Wrong(format!(
            "only {} of {} meshlets were culled, which is less than a third",
            census.culled(),
            census.meshlets
        )));
    }
    Ok(())
}

/// Whether the device can draw with mesh and amplification shaders.
///
/// # Errors
/// A skip with the names of the features if it cannot.
pub fn require(context: &Context) -> Result<()> {
    let missing: Vec<_> =
        ["mesh_shader", "task_shader"].into_iter().filter(|name| !context.features.has(name)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Error::Skip(format!("--mesh needs features that the device does not have: {}", missing.join(", "))))
}
