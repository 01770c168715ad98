//! A device of SDL's GPU API on its Vulkan backend, with what the tests need of it.

use std::cell::RefCell;
use std::ffi::c_void;
use std::path::{Path, PathBuf};

use sdl3_sys::everything::*;

use crate::{Failure, sdl_error};

/// The format of all pictures.
pub const FORMAT: SDL_GPUTextureFormat = SDL_GPU_TEXTUREFORMAT_R8G8B8A8_UNORM;

/// What a shader declares, of which SDL makes the set layouts.
#[derive(Clone, Copy, Default)]
pub struct Counts {
    /// Textures with their samplers.
    pub samplers: u32,
    /// Storage buffers that are read.
    pub read: u32,
    /// Storage buffers that are written.
    pub written: u32,
    /// Uniform buffers.
    pub uniforms: u32,
}

/// What a device made, to be released before it.
enum Object {
    Buffer(*mut SDL_GPUBuffer),
    Transfer(*mut SDL_GPUTransferBuffer),
    Texture(*mut SDL_GPUTexture),
    Sampler(*mut SDL_GPUSampler),
    Shader(*mut SDL_GPUShader),
    Compute(*mut SDL_GPUComputePipeline),
    Graphics(*mut SDL_GPUGraphicsPipeline),
}

/// A device, and the shaders in one of the forms. What it makes lives as long as it does.
pub struct Gpu {
    device: *mut SDL_GPUDevice,
    objects: RefCell<Vec<Object>>,
    shaders: PathBuf,
    ending: &'static str,
}

/// A pointer that SDL returns, or its error.
fn made<T>(what: &str, pointer: *mut T) -> Result<*mut T, Failure> {
    if pointer.is_null() { Err(sdl_error(what)) } else { Ok(pointer) }
}

impl Gpu {
    /// Opens SDL without a window system.
    pub fn open(shaders: &Path, ending: &'static str) -> Result<Self, Failure> {
        // SAFETY: plain calls with null-terminated names, from the only thread.
        unsafe {
            SDL_SetHint(SDL_HINT_VIDEO_DRIVER, c"offscreen".as_ptr());
            if !SDL_Init(SDL_INIT_VIDEO) {
                return Err(sdl_error("SDL_Init"));
            }
            let device = SDL_CreateGPUDevice(SDL_GPU_SHADERFORMAT_SPIRV, false, c"vulkan".as_ptr());
            Ok(Self {
                device: made("SDL_CreateGPUDevice", device)?,
                objects: RefCell::default(),
                shaders: shaders.to_owned(),
                ending,
            })
        }
    }

    /// A pointer that SDL returns, to be released with the device, or its error.
    fn keep<T>(&self, what: &str, pointer: *mut T, object: fn(*mut T) -> Object) -> Result<*mut T, Failure> {
        let pointer = made(what, pointer)?;
        self.objects.borrow_mut().push(object(pointer));
        Ok(pointer)
    }

    fn code(&self, name: &str) -> Result<Vec<u8>, Failure> {
        let path = self.shaders.join(format!("{name}.{}", self.ending));
        Ok(std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?)
    }

    /// A vertex or pixel shader.
    pub fn shader(&self, name: &str, stage: SDL_GPUShaderStage, counts: Counts) -> Result<*mut SDL_GPUShader, Failure> {
        let code = self.code(name)?;
        let info = SDL_GPUShaderCreateInfo {
            code_size: code.len(),
            code: code.as_ptr(),
            entrypoint: c"main".as_ptr(),
            format: SDL_GPU_SHADERFORMAT_SPIRV,
            stage,
            num_samplers: counts.samplers,
            num_storage_buffers: counts.read,
            num_uniform_buffers: counts.uniforms,
            ..Default::default()
        };
        // SAFETY: the code lives during the call.
        self.keep(name, unsafe { SDL_CreateGPUShader(self.device, &info) }, Object::Shader)
    }

    /// A compute pipeline with groups of 64 threads.
    pub fn compute(&self, name: &str, counts: Counts) -> Result<*mut SDL_GPUComputePipeline, Failure> {
        let code = self.code(name)?;
        let info = SDL_GPUComputePipelineCreateInfo {
            code_size: code.len(),
            code: code.as_ptr(),
            entrypoint: c"main".as_ptr(),
            format: SDL_GPU_SHADERFORMAT_SPIRV,
            num_samplers: counts.samplers,
            num_readonly_storage_buffers: counts.read,
            num_readwrite_storage_buffers: counts.written,
            num_uniform_buffers: counts.uniforms,
            threadcount_x: 64,
            threadcount_y: 1,
            threadcount_z: 1,
            ..Default::default()
        };
        // SAFETY: the code lives during the call.
        self.keep(name, unsafe { SDL_CreateGPUComputePipeline(self.device, &info) }, Object::Compute)
    }

    /// A graphics pipeline for triangles and one picture of [`FORMAT`].
    pub fn graphics(
        &self,
        [vertex, pixel]: [*mut SDL_GPUShader; 2],
        input: SDL_GPUVertexInputState,
    ) -> Result<*mut SDL_GPUGraphicsPipeline, Failure> {
        let target = SDL_GPUColorTargetDescription { format: FORMAT, ..Default::default() };
        let info = SDL_GPUGraphicsPipelineCreateInfo {
            vertex_shader: vertex,
            fragment_shader: pixel,
            vertex_input_state: input,
            primitive_type: SDL_GPU_PRIMITIVETYPE_TRIANGLELIST,
            target_info: SDL_GPUGraphicsPipelineTargetInfo {
                color_target_descriptions: &target,
                num_color_targets: 1,
                ..Default::default()
            },
            ..Default::default()
        };
        // SAFETY: what the info points to lives during the call.
        self.keep("graphics pipeline", unsafe { SDL_CreateGPUGraphicsPipeline(self.device, &info) }, Object::Graphics)
    }

    /// A new command buffer.
    pub fn commands(&self) -> Result<*mut SDL_GPUCommandBuffer, Failure> {
        // SAFETY: the device is alive.
        made("command buffer", unsafe { SDL_AcquireGPUCommandBuffer(self.device) })
    }

    fn transfer(&self, usage: SDL_GPUTransferBufferUsage, size: u32) -> Result<*mut SDL_GPUTransferBuffer, Failure> {
        let info = SDL_GPUTransferBufferCreateInfo { usage, size, ..Default::default() };
        // SAFETY: the device is alive.
        self.keep("transfer buffer", unsafe { SDL_CreateGPUTransferBuffer(self.device, &info) }, Object::Transfer)
    }

    /// A transfer buffer with these bytes, and a copy pass that may read it.
    fn upload(
        &self,
        bytes: &[u8],
        copy: impl FnOnce(*mut SDL_GPUCopyPass, *mut SDL_GPUTransferBuffer),
    ) -> Result<(), Failure> {
        let transfer = self.transfer(SDL_GPU_TRANSFERBUFFERUSAGE_UPLOAD, bytes.len() as u32)?;
        let commands = self.commands()?;
        // SAFETY: the mapped memory has the size of the buffer; passes are begun and ended in
        // order.
        unsafe {
            let mapped = made("mapping", SDL_MapGPUTransferBuffer(self.device, transfer, false))?;
            mapped.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            SDL_UnmapGPUTransferBuffer(self.device, transfer);
            let pass = made("copy pass", SDL_BeginGPUCopyPass(commands))?;
            copy(pass, transfer);
            SDL_EndGPUCopyPass(pass);
            if SDL_SubmitGPUCommandBuffer(commands) { Ok(()) } else { Err(sdl_error("submission")) }
        }
    }

    /// A buffer with these bytes.
    pub fn buffer(&self, usage: SDL_GPUBufferUsageFlags, bytes: &[u8]) -> Result<*mut SDL_GPUBuffer, Failure> {
        let size = bytes.len() as u32;
        let info = SDL_GPUBufferCreateInfo { usage, size, ..Default::default() };
        // SAFETY: the device is alive.
        let buffer = self.keep("buffer", unsafe { SDL_CreateGPUBuffer(self.device, &info) }, Object::Buffer)?;
        self.upload(bytes, |pass, transfer_buffer| {
            let from = SDL_GPUTransferBufferLocation { transfer_buffer, offset: 0 };
            let to = SDL_GPUBufferRegion { buffer, offset: 0, size };
            // SAFETY: both buffers have this size.
            unsafe { SDL_UploadToGPUBuffer(pass, &from, &to, false) };
        })?;
        Ok(buffer)
    }

    /// A texture of [`FORMAT`].
    pub fn texture(&self, usage: SDL_GPUTextureUsageFlags, size: u32) -> Result<*mut SDL_GPUTexture, Failure> {
        let info = SDL_GPUTextureCreateInfo {
            format: FORMAT,
            usage,
            width: size,
            height: size,
            layer_count_or_depth: 1,
            num_levels: 1,
            ..Default::default()
        };
        // SAFETY: the device is alive.
        self.keep("texture", unsafe { SDL_CreateGPUTexture(self.device, &info) }, Object::Texture)
    }

    /// A sampler of the nearest texel.
    pub fn sampler(&self, mode: SDL_GPUSamplerAddressMode) -> Result<*mut SDL_GPUSampler, Failure> {
        let info = SDL_GPUSamplerCreateInfo { address_mode_u: mode, address_mode_v: mode, ..Default::default() };
        // SAFETY: the device is alive.
        self.keep("sampler", unsafe { SDL_CreateGPUSampler(self.device, &info) }, Object::Sampler)
    }

    /// A texture with these pixels, to be sampled.
    pub fn image(&self, size: u32, pixels: &[u8]) -> Result<*mut SDL_GPUTexture, Failure> {
        let texture = self.texture(SDL_GPU_TEXTUREUSAGE_SAMPLER, size)?;
        self.upload(pixels, |pass, transfer_buffer| {
            let from = SDL_GPUTextureTransferInfo { transfer_buffer, ..Default::default() };
            let to = SDL_GPUTextureRegion { texture, w: size, h: size, d: 1, ..Default::default() };
            // SAFETY: the transfer buffer has the pixels of the whole texture.
            unsafe { SDL_UploadToGPUTexture(pass, &from, &to, false) };
        })?;
        Ok(texture)
    }

    /// Records a pass over a cleared picture with these commands, and returns its pixels.
    pub fn picture(
        &self,
        size: u32,
        background: [u8; 4],
        draw: impl FnOnce(*mut SDL_GPUCommandBuffer, *mut SDL_GPURenderPass),
    ) -> Result<Vec<u8>, Failure> {
        let texture = self.texture(SDL_GPU_TEXTUREUSAGE_COLOR_TARGET, size)?;
        let commands = self.commands()?;
        let [r, g, b, a] = background.map(|byte| f32::from(byte) / 255.0);
        let target = SDL_GPUColorTargetInfo {
            texture,
            clear_color: SDL_FColor { r, g, b, a },
            load_op: SDL_GPU_LOADOP_CLEAR,
            store_op: SDL_GPU_STOREOP_STORE,
            ..Default::default()
        };
        // SAFETY: the target lives during the call; passes are begun and ended in order.
        unsafe {
            let pass = SDL_BeginGPURenderPass(commands, &target, 1, std::ptr::null());
            draw(commands, made("render pass", pass)?);
            SDL_EndGPURenderPass(pass);
        }
        self.read(commands, size * size * 4, |pass, transfer_buffer| {
            let from = SDL_GPUTextureRegion { texture, w: size, h: size, d: 1, ..Default::default() };
            let to = SDL_GPUTextureTransferInfo { transfer_buffer, ..Default::default() };
            // SAFETY: the transfer buffer has space for the whole texture.
            unsafe { SDL_DownloadFromGPUTexture(pass, &from, &to) };
        })
    }

    /// Adds a copy to the commands, submits them, waits, and reads what was copied.
    pub fn read(
        &self,
        commands: *mut SDL_GPUCommandBuffer,
        size: u32,
        copy: impl FnOnce(*mut SDL_GPUCopyPass, *mut SDL_GPUTransferBuffer),
    ) -> Result<Vec<u8>, Failure> {
        let transfer = self.transfer(SDL_GPU_TRANSFERBUFFERUSAGE_DOWNLOAD, size)?;
        // SAFETY: the mapped memory has the size of the buffer; the device is idle when it is read.
        unsafe {
            let pass = made("copy pass", SDL_BeginGPUCopyPass(commands))?;
            copy(pass, transfer);
            SDL_EndGPUCopyPass(pass);
            if !SDL_SubmitGPUCommandBuffer(commands) || !SDL_WaitForGPUIdle(self.device) {
                return Err(sdl_error("submission"));
            }
            let mapped: *mut c_void = made("mapping", SDL_MapGPUTransferBuffer(self.device, transfer, false))?;
            let bytes = std::slice::from_raw_parts(mapped.cast::<u8>(), size as usize).to_vec();
            SDL_UnmapGPUTransferBuffer(self.device, transfer);
            Ok(bytes)
        }
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        // SAFETY: nobody uses the device and what it made after this.
        unsafe {
            SDL_WaitForGPUIdle(self.device);
            for object in self.objects.get_mut() {
                match *object {
                    Object::Buffer(buffer) => SDL_ReleaseGPUBuffer(self.device, buffer),
                    Object::Transfer(buffer) => SDL_ReleaseGPUTransferBuffer(self.device, buffer),
                    Object::Texture(texture) => SDL_ReleaseGPUTexture(self.device, texture),
                    Object::Sampler(sampler) => SDL_ReleaseGPUSampler(self.device, sampler),
                    Object::Shader(shader) => SDL_ReleaseGPUShader(self.device, shader),
                    Object::Compute(pipeline) => SDL_ReleaseGPUComputePipeline(self.device, pipeline),
                    Object::Graphics(pipeline) => SDL_ReleaseGPUGraphicsPipeline(self.device, pipeline),
                }
            }
            SDL_DestroyGPUDevice(self.device);
            SDL_Quit();
        }
    }
}

/// Numbers as bytes.
pub fn bytes(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}
