//! Why a pipeline was not run to its end.

use ash::vk;
use thiserror::Error;

use super::reader::SurveyError;
use crate::files::FileError;

/// Why a pipeline was not run to its end.
#[derive(Debug, Error)]
pub enum Stop {
    /// The driver's error.
    #[error("{command}: {result:?}")]
    Driver {
        /// The command that failed.
        command: &'static str,
        /// Its result.
        result: vk::Result,
    },
    /// The machine lacks something.
    #[error(transparent)]
    Missing(dxil_vulkan::Error),
    /// The resources of a module are not known.
    #[error(transparent)]
    Survey(#[from] SurveyError),
    /// The lab cannot run it.
    #[error(transparent)]
    CannotRun(#[from] CannotRun),
    /// The results cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
}

impl From<dxil_vulkan::Error> for Stop {
    fn from(error: dxil_vulkan::Error) -> Self {
        match error {
            dxil_vulkan::Error::Vulkan { command, result } => Self::Driver { command, result },
            missing => Self::Missing(missing),
        }
    }
}

/// What the lab cannot run.
#[derive(Debug, Error)]
pub enum CannotRun {
    /// A pipeline without a layout.
    #[error("the pipeline has no layout")]
    NoLayout,
    /// A set of another library.
    #[error("set {0} is one that another pipeline library defines")]
    OtherLibrary(usize),
    /// A set with flags.
    #[error("set {set} has the flags {flags:?}, which the lab does not bind")]
    SetFlags {
        /// The set.
        set: usize,
        /// Its flags.
        flags: vk::DescriptorSetLayoutCreateFlags,
    },
    /// A binding of a type that has no content.
    #[error("set {set}, binding {binding} is a {ty:?}, which the lab does not fill")]
    Type {
        /// The set.
        set: usize,
        /// The binding.
        binding: u32,
        /// Its type.
        ty: vk::DescriptorType,
    },
    /// A binding with too many descriptors.
    #[error("set {set}, binding {binding} has {count} descriptors, and the lab fills {most}")]
    Binding {
        /// The set.
        set: usize,
        /// The binding.
        binding: u32,
        /// Its descriptors.
        count: u32,
        /// The most that are filled.
        most: u32,
    },
    /// More descriptors than this number.
    #[error("it has more than the {0} descriptors that the lab fills")]
    Descriptors(u64),
    /// A binding whose resource cannot be made.
    #[error("set {set}, binding {binding} {what}")]
    Resource {
        /// The set.
        set: u32,
        /// The binding.
        binding: u32,
        /// What cannot be made.
        what: ResourceFault,
    },
    /// An address in a shader record at which nothing can be made.
    #[error("what is at the address in byte {offset} of the shader records of group {group} {what}")]
    Address {
        /// The number of the group.
        group: usize,
        /// The byte, from the end of the handle on.
        offset: u32,
        /// What cannot be made.
        what: ResourceFault,
    },
    /// An array whose descriptors cannot be chosen.
    #[error("set {set}, binding {binding} {what}")]
    Slots {
        /// The set.
        set: u32,
        /// The binding.
        binding: u32,
        /// Why not.
        what: SlotFault,
    },
    /// Too many words that are indexes.
    #[error("a buffer has more than {0} words that are indexes of descriptors")]
    Indexes(usize),
    /// An image that the device does not support.
    #[error("the device has no images of {format:?} with {usage:?} and {samples:?} samples")]
    Image {
        /// Its format.
        format: vk::Format,
        /// What the pipeline uses it for.
        usage: vk::ImageUsageFlags,
        /// Its samples.
        samples: vk::SampleCountFlags,
    },
    /// A draw with state that the lab does not have.
    #[error("the lab does not draw with {0}")]
    Draw(DrawFault),
    /// A ray-tracing pipeline that cannot be traced.
    #[error("the lab does not trace rays with {0}")]
    Rays(RaysFault),
    /// Shader objects.
    #[error("the lab makes no shader objects")]
    ShaderObjects,
}

/// What cannot be made of a resource.
#[derive(Debug, Error)]
pub enum ResourceFault {
    /// It is of a kind that is unknown here.
    #[error("is something that the lab cannot make")]
    Kind,
    /// Its format is unknown here.
    #[error("has a format that the lab lacks")]
    Format,
    /// Its dimensions are unknown here.
    #[error("has dimensions that the lab lacks")]
    Dimensions,
    /// A block that is too large.
    #[error("has a block of {size} bytes, and the lab fills {most}")]
    Block {
        /// The bytes of the block.
        size: u32,
        /// The most that are filled.
        most: u32,
    },
    /// A buffer whose elements have too many numbers.
    #[error("has elements of {numbers} numbers, and the lab fills {most}")]
    Numbers {
        /// The numbers.
        numbers: usize,
        /// The most that are filled.
        most: usize,
    },
    /// The device has no buffers of its texels.
    #[error("has texels of {0:?}, which the device has not in buffers")]
    Texels(vk::Format),
}

/// Why the descriptors of an array cannot be chosen.
#[derive(Debug, Error)]
pub enum SlotFault {
    /// An element that is not there.
    #[error("has {count} descriptors, and a shader accesses number {index}")]
    Beyond {
        /// The element.
        index: i64,
        /// The descriptors.
        count: u32,
    },
    /// Several kinds at one element.
    #[error("has one descriptor that shaders access as two kinds")]
    Shared,
    /// Several kinds, and an element that is not followed.
    #[error("has descriptors of several kinds, and a shader computes an index in a way that the lab does not follow")]
    Unknown,
    /// Too many elements.
    #[error("has more descriptors and indexes than the lab follows")]
    Steps,
}

/// What a trace cannot have.
#[derive(Debug, Error)]
pub enum RaysFault {
    /// It is a pipeline library, or links some.
    #[error("pipeline libraries")]
    Libraries,
    /// No group has a ray generation shader.
    #[error("a pipeline without a ray generation shader")]
    NoGeneration,
    /// Rays or calls with payloads of several sizes meet one record.
    #[error("payloads of several sizes that may meet one shader record")]
    Payloads,
    /// A callable or miss shader calls one that calls again.
    #[error("callable or miss shaders that may call one another, because the calls may have no end")]
    Nested,
    /// A record of a shader table is longer than the device's longest.
    #[error("records of {found} bytes, and the device has {most}")]
    Record {
        /// The bytes of a record.
        found: u64,
        /// The most that the device has.
        most: u32,
    },
}

/// What a draw cannot have.
#[derive(Debug, Error)]
pub enum DrawFault {
    /// The record has no state of a graphics pipeline.
    #[error("a pipeline without state")]
    NoState,
    /// It is a pipeline library, or links some.
    #[error("pipeline libraries")]
    Libraries,
    /// It draws in a render pass of a form that the lab does not have.
    #[error("render passes of several subpasses or views, with input attachments or shading rates")]
    RenderPass,
    /// It draws to images of a format that is unknown here.
    #[error("attachments of {0:?}")]
    Format(vk::Format),
    /// It has several views, or maps its targets.
    #[error("several views or other locations of targets")]
    Views,
    /// It has dynamic state besides the viewport and the scissor.
    #[error("the dynamic state {0:?}")]
    Dynamic(vk::DynamicState),
}
