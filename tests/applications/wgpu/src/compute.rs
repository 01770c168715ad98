//! A compute pass: a uniform buffer, a storage buffer that is read, and one that is written.

use crate::{Failure, Gpu};

const COUNT: u32 = 1000;
const SCALE: u32 = 2_654_435_761;

/// Dispatches the shader, and compares the numbers that it leaves with the CPU's.
pub fn run(gpu: &Gpu) -> Result<Vec<u8>, Failure> {
    use wgpu::{BufferBindingType, BufferUsages};

    let bytes = |numbers: &[u32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let source: Vec<u32> = (0..COUNT).map(|i| i.wrapping_mul(i).wrapping_add(12_345)).collect();
    let constants = gpu.buffer(&bytes(&[COUNT, SCALE, 0, 0]), BufferUsages::UNIFORM);
    let input = gpu.buffer(&bytes(&source), BufferUsages::STORAGE);
    // The shader leaves the numbers after COUNT as they are.
    let size = COUNT as usize + 24;
    let output = gpu.buffer(&bytes(&vec![7; size]), BufferUsages::STORAGE | BufferUsages::COPY_SRC);
    let buffers = [
        (BufferBindingType::Uniform, &constants),
        (BufferBindingType::Storage { read_only: true }, &input),
        (BufferBindingType::Storage { read_only: false }, &output),
    ];
    let (layout, group) = gpu.bind(wgpu::ShaderStages::COMPUTE, &buffers);
    let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: Some(&layout),
        module: &gpu.module("compute")?,
        entry_point: Some("main"),
        compilation_options: Default::default(),
        cache: None,
    });

    let back = gpu.buffer(&vec![0; size * 4], BufferUsages::MAP_READ | BufferUsages::COPY_DST);
    let mut commands = gpu.device.create_command_encoder(&Default::default());
    {
        let mut pass = commands.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(COUNT.div_ceil(64), 1, 1);
    }
    commands.copy_buffer_to_buffer(&output, 0, &back, 0, size as u64 * 4);
    let found = gpu.read(commands, &back)?;

    let computed = (0..COUNT).zip(&source).map(|(i, value)| value.wrapping_mul(SCALE).wrapping_add(i ^ COUNT));
    let expected: Vec<u32> = computed.chain(std::iter::repeat(7)).take(size).collect();
    if found != bytes(&expected) {
        return Err("the numbers are not those of the CPU".into());
    }
    Ok(found)
}
