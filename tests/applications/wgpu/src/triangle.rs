//! A triangle: a vertex buffer, a uniform buffer of the pixel shader, and a picture.

use crate::{Failure, Gpu};

const SIZE: u32 = 128;
/// Position and colour of each vertex. The shader halves the colour of the last.
const VERTICES: [[f32; 5]; 3] =
    [[-0.75, -0.75, 1.0, 0.0, 0.0], [0.75, -0.75, 0.0, 1.0, 0.0], [0.0, 0.75, 0.0, 0.0, 1.0]];
const TINT: [f32; 4] = [0.5, 1.0, 0.75, 1.0];
const BACKGROUND: [u8; 4] = [51, 102, 153, 255];

/// Draws, and compares the picture with what the CPU interpolates.
pub fn run(gpu: &Gpu) -> Result<Vec<u8>, Failure> {
    use wgpu::{BufferBindingType, BufferUsages};

    let bytes = |numbers: &[f32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let vertices = gpu.buffer(&bytes(VERTICES.as_flattened()), BufferUsages::VERTEX);
    let constants = gpu.buffer(&bytes(&TINT), BufferUsages::UNIFORM);
    let (layout, group) = gpu.bind(wgpu::ShaderStages::FRAGMENT, &[(BufferBindingType::Uniform, &constants)]);
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let attributes = wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32x3];
    let buffers = [Some(wgpu::VertexBufferLayout {
        array_stride: 20,
        step_mode: wgpu::VertexStepMode::Vertex,
        attributes: &attributes,
    })];
    let pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &gpu.module("triangle.vertex")?,
            entry_point: Some("main"),
            compilation_options: Default::default(),
            buffers: &buffers,
        },
        primitive: Default::default(),
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &gpu.module("triangle.pixel")?,
            entry_point: Some("main"),
            compilation_options: Default::default(),
            targets: &[Some(format.into())],
        }),
        multiview_mask: None,
        cache: None,
    });
    let extent = wgpu::Extent3d { width: SIZE, height: SIZE, depth_or_array_layers: 1 };
    let picture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: extent,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let back = gpu.buffer(&vec![0; (SIZE * SIZE * 4) as usize], BufferUsages::MAP_READ | BufferUsages::COPY_DST);

    let mut commands = gpu.device.create_command_encoder(&Default::default());
    {
        let [red, green, blue, alpha] = BACKGROUND.map(|byte| f64::from(byte) / 255.0);
        let view = picture.create_view(&Default::default());
        let mut pass = commands.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color { r: red, g: green, b: blue, a: alpha }),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.set_vertex_buffer(0, vertices.slice(..));
        pass.draw(0..3, 0..1);
    }
    let rows = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(SIZE * 4), rows_per_image: None };
    commands.copy_texture_to_buffer(
        picture.as_image_copy(),
        wgpu::TexelCopyBufferInfo { buffer: &back, layout: rows },
        extent,
    );
    let found = gpu.read(commands, &back)?;
    check(&found)?;
    Ok(found)
}

/// Every pixel is the background, or has the interpolated colour within one step of eight bits.
/// Pixels on an edge may be either.
fn check(picture: &[u8]) -> Result<(), Failure> {
    for (i, found) in (0..SIZE * SIZE).zip(picture.as_chunks::<4>().0) {
        let point = |n: u32| (n as f32 + 0.5) / SIZE as f32 * 2.0 - 1.0;
        // Up is +y, as in D3D: wgpu turns Vulkan's viewport over.
        let (x, y) = (point(i % SIZE), -point(i / SIZE));
        let [a, b, c] = VERTICES.map(|v| [v[0], v[1]]);
        let side = |p: [f32; 2], q: [f32; 2]| (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        let weights = [side(b, c) / area, side(c, a) / area, side(a, b) / area];
        let least = weights.iter().copied().fold(f32::INFINITY, f32::min);
        let inside: [f32; 4] = std::array::from_fn(|channel| {
            let colour = |v: usize| VERTICES[v].get(2 + channel).map_or(1.0, |c| c * [1.0, 1.0, 0.5][v]);
            let mixed: f32 = (0..3).map(|v| weights[v] * if channel == 3 { 1.0 } else { colour(v) }).sum();
            mixed * TINT[channel] * 255.0
        });
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
