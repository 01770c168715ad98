//! The commands that the layer intercepts.
//!
//! What must hold: a call without DXIL is forwarded with the application's own pointers; DXIL is
//! never forwarded as SPIR-V, not even after a failure; a panic does not unwind into C.
//!
//! | file | subject |
//! |---|---|
//! | `guard` | catching panics |
//! | `objects` | the layer's state of instances and devices; the process's store |
//! | `inspect` | whether a create info has DXIL |
//! | `instance` | creation and destruction of instances |
//! | `identity` | layer, extension and tool properties |
//! | `device` | creation and destruction of devices |
//! | `below` | detection of an old validation layer below |
//! | `layouts` | descriptor set layouts and pipeline layouts |
//! | `render_passes` | which subpasses use colour attachments |
//! | `shader_modules`, `identifiers` | shader modules, and their identifiers |
//! | `dxil_stage` | one stage that is DXIL, and the state that its code depends on |
//! | `root_signatures` | the root signatures that an application chains |
//! | `scratch`, `substitute` | replacements for the stages of a pipeline |
//! | `heaps`, `mappings`, `embedded_sampler` | descriptor heaps: plans, mappings, static samplers |
//! | `subgroups` | the flags of stages with wave operations |
//! | `rebuild` | the create info of a pipeline with replaced stages |
//! | `batch`, `pipelines`, `pipeline_reports` | pipelines of all kinds, and messages about them |
//! | `nested` | create infos of pipelines inside other structures |
//! | `shader_objects` | shader objects |
//! | `names` | debug names of shader modules |
//! | `captured` | commands and outputs that are intercepted only for captures |
//! | `tracked` | the creation and destruction of objects whose create infos are stored |
//! | `deferred`, `work` | deferred operations, and the translation by the threads that join them |
//! | `proc_addr`, `negotiate` | which commands are intercepted; the first call of the loader |

mod batch;
mod below;
mod captured;
mod deferred;
mod device;
mod dxil_stage;
mod embedded_sampler;
mod guard;
mod heaps;
mod identifiers;
mod identity;
mod inspect;
mod instance;
mod layouts;
mod mappings;
mod names;
pub mod negotiate;
mod nested;
mod objects;
mod pipeline_reports;
mod pipelines;
mod proc_addr;
mod rebuild;
mod render_passes;
mod root_signatures;
mod scratch;
mod shader_modules;
mod shader_objects;
mod subgroups;
mod substitute;
mod tracked;
mod work;
