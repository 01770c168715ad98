//! The commands that the layer intercepts.
//!
//! What must hold: without DXIL a call goes down by the application's own pointers; DXIL is never
//! forwarded as if it were SPIR-V, also when it fails; a panic does not unwind into C.
//!
//! | file | subject |
//! |---|---|
//! | `guard` | catching panics |
//! | `objects` | what the layer keeps of instances and devices; the process's store |
//! | `inspect` | whether a create info has DXIL |
//! | `instance` | creation and destruction of instances |
//! | `identity` | what the layer says about itself |
//! | `device` | creation and destruction of devices |
//! | `below` | an old validation layer below |
//! | `layouts` | descriptor set layouts and pipeline layouts |
//! | `render_passes` | which subpasses use colour attachments |
//! | `shader_modules`, `identifiers` | shader modules, and their identifiers |
//! | `dxil_stage` | one stage that is DXIL, and what its code depends on |
//! | `scratch`, `substitute` | what the driver gets in place of the stages of a pipeline |
//! | `rebuild` | the create info of a pipeline as the driver is to see it |
//! | `batch`, `pipelines` | pipelines of all kinds |
//! | `nested` | create infos of pipelines inside other structures |
//! | `shader_objects` | shader objects |
//! | `names` | debug names of shader modules |
//! | `captured` | commands and outputs that are looked at for a capture alone |
//! | `deferred` | operations that the driver deferred |
//! | `proc_addr`, `negotiate` | which commands are intercepted; the first call of the loader |

mod batch;
mod below;
mod captured;
mod deferred;
mod device;
mod dxil_stage;
mod guard;
mod identifiers;
mod identity;
mod inspect;
mod instance;
mod layouts;
mod names;
pub mod negotiate;
mod nested;
mod objects;
mod pipelines;
mod proc_addr;
mod rebuild;
mod render_passes;
mod scratch;
mod shader_modules;
mod shader_objects;
mod substitute;
