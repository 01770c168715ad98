//! Vulkan's structures, commands and rules, independent of DXIL.
//!
//! | file | subject |
//! |---|---|
//! | `loader` | the structures of `vk_layer.h`; the layer's name |
//! | `newer` | structures, commands and numbers that are newer than `ash` |
//! | `sizes` | sizes of structures that may have to be copied |
//! | `plain` | structures without pointers and handles, as bytes |
//! | `chain` | walking `pNext` chains |
//! | `copies` | copies of structures and of the front of a chain |
//! | `arrays` | arrays and strings of create infos |
//! | `dispatch` | the commands of the next layer that are called; dispatch keys |
//! | `handles` | data by non-dispatchable handle |
//! | `reads` | which members Vulkan reads from a pipeline create info, as data |
//! | `pipeline_state` | the state that translation depends on |
//! | `create_info` | the common interface of create infos of pipelines |
//! | `shader_code` | the visitor of all shader code in a create info |

pub mod arrays;
pub mod chain;
pub mod copies;
pub mod create_info;
pub mod dispatch;
pub mod handles;
pub mod loader;
pub mod newer;
pub mod pipeline_state;
pub mod plain;
pub mod reads;
pub mod shader_code;
pub mod sizes;
