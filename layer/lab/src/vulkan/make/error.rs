//! Why there is no pipeline.

use ash::vk;
use dxil_capture::Fault;
use thiserror::Error;

use crate::valid::Invalid;

/// Why there is no pipeline.
#[derive(Debug, Error)]
pub enum MakeError {
    /// The capture lacks something, or has something that cannot be used.
    #[error(transparent)]
    Capture(#[from] Incomplete),
    /// The pipeline is beyond the device: giving it to the driver would break Vulkan's rules.
    #[error(transparent)]
    Device(#[from] Beyond),
    /// A command failed.
    #[error(transparent)]
    Vulkan(#[from] dxil_vulkan::Error),
}

impl From<Fault> for MakeError {
    fn from(fault: Fault) -> Self {
        Self::Capture(fault.into())
    }
}

/// What the capture lacks, or has and cannot be used.
#[derive(Debug, Error)]
pub enum Incomplete {
    /// A record or a blob cannot be read.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// A list is shorter than its create info says.
    #[error("the record has {found} {what}, and its create info counts {count}")]
    Count {
        /// What the list has.
        what: &'static str,
        /// The elements that the create info counts.
        count: usize,
        /// The elements that there are.
        found: usize,
    },
    /// An index is beyond its list.
    #[error("the record refers to {what} {index}, and has {count} of them")]
    Index {
        /// What the list has.
        what: &'static str,
        /// The index.
        index: u32,
        /// The elements that there are.
        count: usize,
    },
    /// A structure may have pointers or handles.
    #[error("a chain has the structure {0}, which is not known to be without pointers and handles")]
    Structure(i32),
    /// A structure has another size than its type.
    #[error("a chain has {found} bytes of the structure {s_type}, which has {expected}")]
    StructureSize {
        /// The `sType`.
        s_type: i32,
        /// The bytes that there are.
        found: usize,
        /// The bytes that the structure has.
        expected: usize,
    },
    /// A compute pipeline does not have one stage.
    #[error("a compute pipeline with {0} stages")]
    ComputeStages(usize),
    /// The record is of shader objects.
    #[error("the lab makes no shader objects; the record has them")]
    ShaderObjects,
    /// Pipeline libraries are nested deeper than this.
    #[error("pipeline libraries are nested deeper than {0}")]
    Depth(u32),
    /// A library has no record, because it has no DXIL.
    #[error("the capture lacks a pipeline library that has no DXIL; it cannot be linked")]
    Library,
    /// A stage has no code.
    #[error("the capture lacks the code of a stage (a module identifier, or a driver's binary)")]
    Code,
    /// The name of an entry point cannot be passed to Vulkan.
    #[error("the name of an entry point has a NUL")]
    Name,
}

/// What the device lacks.
#[derive(Debug, Error)]
pub enum Beyond {
    /// It binds fewer sets.
    #[error("the layout has {found} sets, and the device binds {most}")]
    Sets {
        /// The sets of the layout.
        found: usize,
        /// The sets that the device binds.
        most: u32,
    },
    /// It has fewer bytes of push constants.
    #[error("the layout has {found} bytes of push constants, and the device {most}")]
    PushConstants {
        /// The bytes of the layout.
        found: u32,
        /// The bytes that the device has.
        most: u32,
    },
    /// It has fewer descriptors of a kind.
    #[error("the layout has {found} {what} in {place}, and the device {most}")]
    Descriptors {
        /// The descriptors of the layout.
        found: u32,
        /// Their kind.
        what: &'static str,
        /// Where they are counted.
        place: &'static str,
        /// The descriptors that the device has.
        most: u32,
    },
    /// It has no descriptors of a type.
    #[error("the layout has a {ty:?}, and the device has no {needs}")]
    Descriptor {
        /// The type.
        ty: vk::DescriptorType,
        /// The extension that has it.
        needs: &'static str,
    },
    /// It has Vulkan 1.2, and a module needs more.
    #[error("a module needs more than the device's Vulkan 1.2: {0}")]
    Older(#[from] Invalid),
    /// It traces no rays.
    #[error("the driver has no VK_KHR_ray_tracing_pipeline")]
    Rays,
}
