//! Names of resources, and members of constant buffers, for debuggers and listings.
//!
//! In: a program, which keeps the part of its container that has names. Out: a name for each
//! resource, and its members. What must hold: names change nothing but `OpName`, so a part that
//! cannot be read gives no error; the resources that it would name are then called by their
//! registers.
//!
//! The compiler removes the names of resources from the DXIL part (`-Zi` and
//! `-Qkeep_reflect_in_dxil` aside). They are in the metadata of the reflection program (part STAT)
//! and of the program with debug information (part ILDB).

use std::sync::Arc;

use foldhash::HashMap;

use crate::analysis::program::Program;
use crate::decode::metadata;
use crate::decode::metadata::ModuleMetadata;
use crate::ir::members::BufferMember;
use crate::ir::resources::{DescriptorOrigin, Resource, ResourceId};
use crate::ops::consts::ResourceClass;
use dxil_base::entity::SecondaryMap;
use dxil_base::limits::{Budget, Fuel};
use dxil_bitcode as bitcode;

/// The names of a program's resources. Without names, each is empty.
pub type Names = SecondaryMap<ResourceId, Arc<str>>;

/// The name of each resource: that in the source, where the container has it, otherwise the
/// register, as in `t3` or `t3_space1`, or the name of the descriptor heap. Reading them may cost
/// `budget`.
pub fn resource_names(program: &Program, budget: Budget) -> Names {
    let mut names = Names::default();
    for (id, name) in source_names(program, budget) {
        names[id] = name;
    }
    for (id, resource) in program.resources.iter() {
        if names[id].is_empty() {
            names[id] = instead(resource).into();
        }
    }
    names
}

/// The names in the source of the resources that have one. Reading them may cost `budget`.
pub fn source_names(program: &Program, budget: Budget) -> Vec<(ResourceId, Arc<str>)> {
    let unnamed = |resource: &Resource| resource.is_declared() && resource.shown_name().is_empty();
    let is_needed = program.resources.values().any(unnamed);
    let fuel = Fuel::new(budget, program.input_bytes);
    let named = is_needed.then(|| named_module(program, &fuel)).flatten();
    let mut by_register = HashMap::default();
    for other in named.iter().flat_map(|(_, metadata)| metadata.resources.values()) {
        by_register.entry(key(other)).or_insert(&other.name);
    }
    let name_of = |resource: &Resource| match resource.origin {
        DescriptorOrigin::Registers if resource.shown_name().is_empty() => {
            by_register.get(&key(resource)).map(|&name| name.clone())
        }
        DescriptorOrigin::Registers => Some(resource.shown_name().clone()),
        // A view of a heap stands for several variables.
        DescriptorOrigin::Heap(_) => None,
    };
    let names = program.resources.iter().filter_map(|(id, resource)| Some((id, name_of(resource)?)));
    names.filter(|(_, name)| !name.is_empty()).collect()
}

/// The members of the constant buffers whose members the container knows. Reading them may cost
/// `budget`; where that is too little there are none.
pub fn buffer_members(program: &Program, budget: Budget) -> Vec<(ResourceId, Vec<BufferMember>)> {
    let fuel = Fuel::new(budget, program.input_bytes);
    let Some((module, metadata)) = named_module(program, &fuel) else { return Vec::new() };
    let Ok(mut members) = metadata::members::read(&module, &metadata, &fuel) else { return Vec::new() };
    let mut by_register: HashMap<_, _> =
        metadata.resources.iter().map(|(id, other)| (key(other), std::mem::take(&mut members[id]))).collect();
    let declared = program.resources.iter().filter(|(_, resource)| resource.is_declared());
    let all = declared.filter_map(|(id, resource)| Some((id, by_register.remove(&key(resource))?)));
    all.filter(|(_, members)| !members.is_empty()).collect()
}

/// The part of a program's container that has names.
fn named_module(program: &Program, fuel: &Fuel) -> Option<(bitcode::Module, ModuleMetadata)> {
    let module = bitcode::read_within(program.named_part.as_deref()?, fuel).ok()?;
    let metadata = metadata::read(&module).ok()?;
    Some((module, metadata))
}

/// By what a resource is the same in several programs.
fn key(resource: &Resource) -> (ResourceClass, u32, u32, u32) {
    (resource.class, resource.range_id, resource.space, resource.lower_bound)
}

/// What a resource without a name is called.
fn instead(resource: &Resource) -> String {
    let (letter, register) = (resource.class.letter(), resource.lower_bound);
    match (resource.origin, resource.space) {
        (DescriptorOrigin::Heap(heap), _) => heap.to_string(),
        (DescriptorOrigin::Registers, 0) => format!("{letter}{register}"),
        (DescriptorOrigin::Registers, space) => format!("{letter}{register}_space{space}"),
    }
}
