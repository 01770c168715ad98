//! A Vulkan device with the layer above it, and Vulkan objects made of records.
//!
//! The lab is an application of the layer like any other, so what it finds holds for applications:
//!
//! ```text
//! records ──▶ make ──▶ layer (linked into the lab) ──▶ below ──▶ Vulkan loader ──▶ validation ──▶ driver
//! ```
//!
//! | file | subject |
//! |---|---|
//! | `device` | instance and device |
//! | `features` | what is enabled on the device besides what the layer adds |
//! | `below` | between layer and loader: how long the driver takes, and the SPIR-V that it gets |
//! | `objects` | what was made, and its end |
//! | `edit` | faults of a compiler, made in SPIR-V |
//! | `plant` | faults in the driver's place, by which the lab is tried |
//! | `told` | who is told what is made below the layer |
//! | `arena` | memory for structures that point to one another |
//! | `make` | layouts, samplers, render passes and pipelines of records |

mod arena;
mod below;
mod device;
mod edit;
mod features;
mod make;
mod objects;
mod plant;
mod told;

pub use below::{Below, BelowStage, take as take_below};
pub use device::{Lab, LabError, Message, Setup};
pub use make::{Made, MakeError, make};
pub use objects::Objects;
pub use plant::{Plant, Planted, plant};
pub use told::{Created, Listener, listen};
