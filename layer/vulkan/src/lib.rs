//! A Vulkan device for programs that run shaders: the driver lab and the tests.
//!
//! In: the entry points of a loader or a layer, and what to enable. Out: a [`Gpu`] with one queue,
//! and the objects that runs of shaders need. What must hold: every object is destroyed with its
//! owner, and no command uses it then, because [`Gpu::submit`] waits for what it submits.
//!
//! The crate chooses no features and no drivers. The lab enables what a captured application had
//! enabled, and the tests enable what fixtures ask for.
//!
//! | file | subject |
//! |---|---|
//! | `error` | what the machine lacks, or the command that failed |
//! | `messages` | the debug messenger |
//! | `instance` | an instance, its first physical device, and layers |
//! | `gpu` | a device and its queue |
//! | `submit` | command buffers, fences and barriers |
//! | `timestamps` | timestamps of the device |
//! | `memory`, `buffer`, `image` | memory, buffers that the host maps, images with their copies |
//! | `objects` | objects that are destroyed together |
//! | `renderdoc` | captures by RenderDoc |
//! | `structure` | acceleration structures |

mod buffer;
mod error;
mod gpu;
mod image;
mod instance;
mod memory;
mod messages;
mod objects;
mod renderdoc;
mod structure;
mod submit;
mod timestamps;
mod version;

pub use buffer::Buffer;
pub use error::{Error, Named};
pub use gpu::Gpu;
pub use image::{Image, ImageShape, View};
pub use instance::{DXIL_LAYER, Instance, InstanceInfo, VALIDATION_LAYER, find_layer, layer_setting, load};
pub use messages::{Message, Sender, Severity};
pub use objects::Objects;
pub use renderdoc::{NoRenderDoc, RENDERDOC_LAYER, RenderDoc};
pub use structure::{BuildInput, Structure, StructureCommands, StructureInstance};
pub use timestamps::Timestamps;
pub use version::version_text;
