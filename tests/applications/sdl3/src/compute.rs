//! A compute pass: a storage buffer that is read, one that is written, and a uniform buffer.

use sdl3_sys::everything::*;

use crate::Failure;
use crate::gpu::{Counts, Gpu};

const COUNT: u32 = 1000;
const SCALE: u32 = 2_654_435_761;

/// Dispatches the shader, and compares the numbers that it leaves with the CPU's.
pub fn run(gpu: &Gpu) -> Result<Vec<u8>, Failure> {
    let bytes = |numbers: &[u32]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    let source: Vec<u32> = (0..COUNT).map(|i| i.wrapping_mul(i).wrapping_add(12_345)).collect();
    // The shader leaves the numbers after COUNT as they are.
    let size = COUNT as usize + 24;
    let input = gpu.buffer(SDL_GPU_BUFFERUSAGE_COMPUTE_STORAGE_READ, &bytes(&source))?;
    let output = gpu.buffer(SDL_GPU_BUFFERUSAGE_COMPUTE_STORAGE_WRITE, &bytes(&vec![7; size]))?;
    let pipeline = gpu.compute("compute", Counts { read: 1, written: 1, uniforms: 1, ..Default::default() })?;
    let commands = gpu.commands()?;
    let constants = [COUNT, SCALE];
    let written = SDL_GPUStorageBufferReadWriteBinding { buffer: output, ..Default::default() };
    // SAFETY: what is pointed to lives during the calls; the pass is begun and ended in order.
    unsafe {
        SDL_PushGPUComputeUniformData(commands, 0, constants.as_ptr().cast(), size_of_val(&constants) as u32);
        let pass = SDL_BeginGPUComputePass(commands, std::ptr::null(), 0, &written, 1);
        SDL_BindGPUComputePipeline(pass, pipeline);
        SDL_BindGPUComputeStorageBuffers(pass, 0, &input, 1);
        SDL_DispatchGPUCompute(pass, COUNT.div_ceil(64), 1, 1);
        SDL_EndGPUComputePass(pass);
    }
    let found = gpu.read(commands, size as u32 * 4, |pass, transfer_buffer| {
        let from = SDL_GPUBufferRegion { buffer: output, offset: 0, size: size as u32 * 4 };
        let to = SDL_GPUTransferBufferLocation { transfer_buffer, offset: 0 };
        // SAFETY: both buffers have this size.
        unsafe { SDL_DownloadFromGPUBuffer(pass, &from, &to) };
    })?;

    let computed = (0..COUNT).zip(&source).map(|(i, value)| value.wrapping_mul(SCALE).wrapping_add(i ^ COUNT));
    let expected: Vec<u32> = computed.chain(std::iter::repeat(7)).take(size).collect();
    if found != bytes(&expected) {
        return Err("the numbers are not those of the CPU".into());
    }
    Ok(found)
}
