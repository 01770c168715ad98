//! Four textured quads: two textures with samplers, a storage buffer of the vertex shader, and
//! uniforms of both shaders that change from draw to draw.

use sdl3_sys::everything::*;

use crate::Failure;
use crate::gpu::{Counts, Gpu, bytes};

const SIZE: u32 = 128;
const BACKGROUND: [u8; 4] = [8, 16, 24, 255];
/// The corners of a quad's two triangles.
const CORNERS: [[f32; 2]; 6] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]];
const TEXELS: u32 = 8;

/// A draw: a square of pixels, the tint, and the share of the second texture.
struct Quad {
    left: u32,
    top: u32,
    edge: u32,
    tint: [f32; 4],
    share: f32,
}

/// They do not overlap, and pixels are a power of two times texels.
const QUADS: [Quad; 4] = [
    Quad { left: 0, top: 0, edge: 64, tint: [1.0, 1.0, 1.0, 1.0], share: 0.0 },
    Quad { left: 64, top: 0, edge: 32, tint: [0.5, 1.0, 0.25, 1.0], share: 0.5 },
    Quad { left: 96, top: 64, edge: 16, tint: [1.0, 0.0, 1.0, 0.5], share: 1.0 },
    Quad { left: 16, top: 64, edge: 64, tint: [1.0, 0.75, 0.5, 1.0], share: 0.25 },
];

/// The texel (x, y) of a texture.
fn texel(texture: u32, x: u32, y: u32) -> [u8; 4] {
    match texture {
        0 => [(x * 32) as u8, (y * 32) as u8, ((x ^ y) * 30) as u8, 255],
        _ => [200 - (y * 20) as u8, ((x + y) % 2 * 240) as u8, (x * 25) as u8, 250],
    }
}

/// Draws, and compares the picture with what the CPU samples.
pub fn run(gpu: &Gpu) -> Result<Vec<u8>, Failure> {
    let corners = gpu.buffer(SDL_GPU_BUFFERUSAGE_GRAPHICS_STORAGE_READ, &bytes(CORNERS.as_flattened()))?;
    let mut samplers = Vec::new();
    for number in 0..2 {
        let pixels: Vec<u8> = (0..TEXELS * TEXELS).flat_map(|i| texel(number, i % TEXELS, i / TEXELS)).collect();
        let texture = gpu.image(TEXELS, &pixels)?;
        // The second is sampled beyond its edge, where it is mirrored.
        let mode = if number == 0 {
            SDL_GPU_SAMPLERADDRESSMODE_CLAMP_TO_EDGE
        } else {
            SDL_GPU_SAMPLERADDRESSMODE_MIRRORED_REPEAT
        };
        let sampler = gpu.sampler(mode)?;
        samplers.push(SDL_GPUTextureSamplerBinding { texture, sampler });
    }
    let vertex = Counts { read: 1, uniforms: 1, ..Default::default() };
    let pixel = Counts { samplers: 2, uniforms: 1, ..Default::default() };
    let shaders = [
        gpu.shader("quads.vertex", SDL_GPU_SHADERSTAGE_VERTEX, vertex)?,
        gpu.shader("quads.pixel", SDL_GPU_SHADERSTAGE_FRAGMENT, pixel)?,
    ];
    let pipeline = gpu.graphics(shaders, SDL_GPUVertexInputState::default())?;
    let picture = gpu.picture(SIZE, BACKGROUND, |commands, pass| {
        // SAFETY: what is pointed to lives during the calls.
        unsafe {
            SDL_BindGPUGraphicsPipeline(pass, pipeline);
            SDL_BindGPUVertexStorageBuffers(pass, 0, &corners, 1);
            SDL_BindGPUFragmentSamplers(pass, 0, samplers.as_ptr(), 2);
            for quad in &QUADS {
                let place = |pixel: u32| pixel as f32 / SIZE as f32 * 2.0 - 1.0;
                let edge = quad.edge as f32 / SIZE as f32 * 2.0;
                // Up is +y.
                let place = [place(quad.left), -place(quad.top + quad.edge), edge, edge];
                let colour = [quad.tint[0], quad.tint[1], quad.tint[2], quad.tint[3], quad.share, 0.0, 0.0, 0.0];
                SDL_PushGPUVertexUniformData(commands, 0, place.as_ptr().cast(), size_of_val(&place) as u32);
                SDL_PushGPUFragmentUniformData(commands, 0, colour.as_ptr().cast(), size_of_val(&colour) as u32);
                SDL_DrawGPUPrimitives(pass, 6, 1, 0, 0);
            }
        }
    })?;
    check(&picture)?;
    Ok(picture)
}

/// Every pixel is the background, or has the sampled colour within one step of eight bits.
fn check(picture: &[u8]) -> Result<(), Failure> {
    for (i, found) in (0..SIZE * SIZE).zip(picture.as_chunks::<4>().0) {
        let (x, y) = (i % SIZE, i / SIZE);
        let covers = |start: u32, edge: u32, at: u32| (start..start + edge).contains(&at);
        let quad = QUADS.iter().find(|q| covers(q.left, q.edge, x) && covers(q.top, q.edge, y));
        let expected = quad.map_or(BACKGROUND.map(f32::from), |quad| {
            let at = |start: u32, pixel: u32| (pixel - start) * TEXELS / quad.edge;
            let (u, v) = (at(quad.left, x), at(quad.top, y));
            // The second texture has its coordinates doubled, and comes back from its far edge.
            let doubled = |start: u32, pixel: u32| (pixel - start) * 2 * TEXELS / quad.edge;
            let mirrored = |texel: u32| if texel < TEXELS { texel } else { 2 * TEXELS - 1 - texel };
            let (first, second) =
                (texel(0, u, v), texel(1, mirrored(doubled(quad.left, x)), mirrored(doubled(quad.top, y))));
            std::array::from_fn(|channel| {
                let (a, b) = (f32::from(first[channel]), f32::from(second[channel]));
                (a + (b - a) * quad.share) * quad.tint[channel]
            })
        });
        if found.iter().zip(expected).any(|(byte, expected)| (f32::from(*byte) - expected).abs() > 1.0) {
            return Err(format!("pixel ({x}, {y}) is {found:?}, expected {expected:?}").into());
        }
    }
    Ok(())
}
