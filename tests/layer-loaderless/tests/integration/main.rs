//! Tests of the layer that can share a process. They are one program, so that it is linked once.
//!
//! The layer's log, its counters and the bound of its cache are those of a process. Tests of these
//! are programs of their own, in the files beside this folder.

mod capture;
mod code_settings;
mod contract;
mod deferred;
mod dumps;
mod embedded;
mod faults;
mod features;
mod given_root_signatures;
mod heaps;
mod identifiers;
mod ignored_state;
mod interfaces;
mod mesh;
mod message_ids;
mod messages;
mod pass_through;
mod random_state;
mod rays;
mod robustness;
mod root_signature;
mod shader_code;
mod translation;
mod validate;
mod waves;
