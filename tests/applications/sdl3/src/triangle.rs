//! A triangle with a vertex buffer.

use sdl3_sys::everything::*;

use crate::Failure;
use crate::gpu::{Counts, Gpu, bytes};

const SIZE: u32 = 128;
/// Position and colour of each vertex.
const VERTICES: [[f32; 5]; 3] =
    [[-0.75, -0.75, 1.0, 0.0, 0.0], [0.75, -0.75, 0.0, 1.0, 0.0], [0.0, 0.75, 0.0, 0.0, 1.0]];
const BACKGROUND: [u8; 4] = [51, 102, 153, 255];

/// Draws, and compares the picture with what the CPU interpolates.
pub fn run(gpu: &Gpu) -> Result<Vec<u8>, Failure> {
    let vertices = gpu.buffer(SDL_GPU_BUFFERUSAGE_VERTEX, &bytes(VERTICES.as_flattened()))?;
    let shaders = [
        gpu.shader("triangle.vertex", SDL_GPU_SHADERSTAGE_VERTEX, Counts::default())?,
        gpu.shader("triangle.pixel", SDL_GPU_SHADERSTAGE_FRAGMENT, Counts::default())?,
    ];
    let buffer = SDL_GPUVertexBufferDescription { pitch: 20, ..Default::default() };
    let attributes = [
        SDL_GPUVertexAttribute { format: SDL_GPU_VERTEXELEMENTFORMAT_FLOAT2, ..Default::default() },
        SDL_GPUVertexAttribute {
            location: 1,
            format: SDL_GPU_VERTEXELEMENTFORMAT_FLOAT3,
            offset: 8,
            ..Default::default()
        },
    ];
    let input = SDL_GPUVertexInputState {
        vertex_buffer_descriptions: &buffer,
        num_vertex_buffers: 1,
        vertex_attributes: attributes.as_ptr(),
        num_vertex_attributes: 2,
    };
    let pipeline = gpu.graphics(shaders, input)?;
    let picture = gpu.picture(SIZE, BACKGROUND, |_, pass| {
        let binding = SDL_GPUBufferBinding { buffer: vertices, offset: 0 };
        // SAFETY: what is pointed to lives during the calls.
        unsafe {
            SDL_BindGPUGraphicsPipeline(pass, pipeline);
            SDL_BindGPUVertexBuffers(pass, 0, &binding, 1);
            SDL_DrawGPUPrimitives(pass, 3, 1, 0, 0);
        }
    })?;
    check(&picture)?;
    Ok(picture)
}

/// Every pixel is the background, or has the interpolated colour within one step of eight bits.
/// Pixels on an edge may be either.
fn check(picture: &[u8]) -> Result<(), Failure> {
    for (i, found) in (0..SIZE * SIZE).zip(picture.as_chunks::<4>().0) {
        let point = |n: u32| (n as f32 + 0.5) / SIZE as f32 * 2.0 - 1.0;
        // Up is +y, as in D3D: SDL turns Vulkan's viewport over.
        let (x, y) = (point(i % SIZE), -point(i / SIZE));
        let [a, b, c] = VERTICES.map(|v| [v[0], v[1]]);
        let side = |p: [f32; 2], q: [f32; 2]| (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        let weights = [side(b, c) / area, side(c, a) / area, side(a, b) / area];
        let least = weights.iter().copied().fold(f32::INFINITY, f32::min);
        // The colours of the corners are red, green and blue.
        let inside = [weights[0] * 255.0, weights[1] * 255.0, weights[2] * 255.0, 255.0];
        let is_inside = found.iter().zip(inside).all(|(byte, expected)| (f32::from(*byte) - expected).abs() <= 1.0);
        let right = match least {
            least if least > 0.01 => is_inside,
            least if least < -0.01 => *found == BACKGROUND,
            _ => is_inside || *found == BACKGROUND,
        };
        if !right {
            return Err(format!("pixel {i} is {found:?}, expected {inside:?} or the background").into());
        }
    }
    Ok(())
}
