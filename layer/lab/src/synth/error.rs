//! Why there is no capture, and why shaders make no pipeline.

use std::path::PathBuf;

use dxil_capture::folder::NotWritten;
use dxil_translator::ShaderStage;
use thiserror::Error;

use crate::files::FileError;
use crate::inputs::InputError;

/// Why there is no capture.
#[derive(Debug, Error)]
pub enum SynthError {
    /// A path that was given is not there.
    #[error("{}: there is no such file or folder", .0.display())]
    NoInput(PathBuf),
    /// The folders have no container.
    #[error(
        "{}: there is no file whose name ends with .dxil, .dxbc, .cso, .dxo, .foz, .gfxr or .sodb",
        .0.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
    )]
    Nothing(Vec<PathBuf>),
    /// The root signature cannot be read.
    #[error("--root-signature: {0}")]
    RootSignature(#[from] InputError),
    /// The list of the capture cannot be read, and would be lost.
    #[error("{} is there and cannot be read; give another folder with --out", .0.display())]
    List(PathBuf),
    /// A file or folder cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The capture cannot be written.
    #[error(transparent)]
    NotWritten(#[from] NotWritten),
}

/// Why shaders make no pipeline.
#[derive(Debug, Error)]
pub enum ShaderError {
    /// The container's file cannot be read.
    #[error(transparent)]
    Read(#[from] std::io::Error),
    /// The capture lacks a container.
    #[error(transparent)]
    Capture(#[from] dxil_capture::Fault),
    /// The translator refuses the shaders.
    #[error(transparent)]
    Translator(#[from] dxil_translator::Error),
    /// The record has another layout than the lab plans.
    #[error("its layout is not one of `dxil-lab synth`")]
    OtherLayout,
    /// A file gives a ray-tracing pipeline groups that break Vulkan's rules.
    #[error("a shader group of the file has shaders of other stages than its type allows")]
    Groups,
    /// Vulkan has no such stage.
    #[error("Vulkan has no {0} stage")]
    NoStage(ShaderStage),
    /// The translated module cannot be read.
    #[error("the translated module: {0}")]
    Module(rspirv::binary::ParseState),
    /// A geometry shader reads patches.
    #[error("Vulkan has no geometry shaders that read patches")]
    GeometryPatches,
    /// A pixel shader writes a target beyond those of D3D.
    #[error("the pixel shader writes target {0}")]
    Target(usize),
    /// A vertex input has 64 bits.
    #[error("the vertex shader reads 64-bit inputs, for which the lab has no vertex formats")]
    WideAttribute,
    /// A pixel shader without a vertex shader reads inputs that the lab's vertex shader cannot
    /// write.
    #[error("the pixel shader has no vertex shader, and reads inputs that have not 32 bits")]
    PixelInputs,
    /// The lab's vertex shader cannot be built.
    #[error("the lab's vertex shader: {0:?}")]
    VertexShader(rspirv::dr::Error),
}
