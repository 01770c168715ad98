//! What the machine lacks, or the command that failed.

use std::fmt;

use ash::vk;

use crate::version::version_text;

/// The reason why something could not be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The Vulkan loader cannot be opened; the system's reason.
    NoLoader(String),
    /// The driver has no device.
    NoDevice,
    /// No device has the name or the index, or several have the name.
    OtherDevices {
        /// What was asked for: an index, or a part of a name.
        wanted: String,
        /// The names of all devices, in the order of their indexes.
        found: Vec<String>,
    },
    /// The device has an older version of Vulkan than is needed.
    OldVersion {
        /// The version of the device.
        found: u32,
        /// The version that is needed.
        needed: u32,
    },
    /// No queue family has both graphics and compute.
    NoQueue,
    /// The device has no memory type with these properties for a resource.
    NoMemory(vk::MemoryPropertyFlags),
    /// The resources need more memory than this number of bytes, which was set as the limit.
    MemoryLimit(u64),
    /// The device supports no such images.
    NoImage {
        /// The format.
        format: vk::Format,
        /// The usage.
        usage: vk::ImageUsageFlags,
        /// The number of samples.
        samples: u32,
    },
    /// A Vulkan command failed.
    Vulkan {
        /// The command's name.
        command: &'static str,
        /// The result that the command returned.
        result: vk::Result,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLoader(reason) => write!(f, "there is no Vulkan loader: {reason}"),
            Self::NoDevice => f.write_str("the driver has no device"),
            Self::OtherDevices { wanted, found } => {
                let all: Vec<String> = (0..).zip(found).map(|(index, name)| format!("{index} `{name}`")).collect();
                write!(
                    f,
                    "no device or several are `{wanted}`; give an index or a part of one name: {}",
                    all.join(", ")
                )
            }
            Self::OldVersion { found, needed } => {
                let [found, needed] = [found, needed].map(|&version| version_text(version));
                write!(f, "the driver has Vulkan {found}, and Vulkan {needed} is needed")
            }
            Self::NoQueue => f.write_str("no queue has graphics and compute"),
            Self::NoMemory(_) => f.write_str("the device has no memory of the kind that is needed"),
            Self::MemoryLimit(limit) => write!(f, "its resources need more than {} MiB", limit >> 20),
            Self::NoImage { format, usage, samples } => {
                write!(f, "the device has no images of {format:?} with {usage:?} and {samples} samples")
            }
            Self::Vulkan { command, result } => write!(f, "{command}: {result:?}"),
        }
    }
}

impl std::error::Error for Error {}

/// Adds the name of a Vulkan command to its result.
pub trait Named<T> {
    /// Converts a Vulkan result to this crate's error, with the command's name.
    ///
    /// # Errors
    /// [`Error::Vulkan`] if the command failed.
    fn named(self, command: &'static str) -> Result<T, Error>;
}

impl<T> Named<T> for Result<T, vk::Result> {
    fn named(self, command: &'static str) -> Result<T, Error> {
        self.map_err(|result| Error::Vulkan { command, result })
    }
}
