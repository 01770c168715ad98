//! Declarations of resources: the variable that a resource's place becomes, and what the memory
//! behind it is decorated with.
//!
//! In: the plan's [`Descriptor`], and the usage of the resource. Out: variables and members. What
//! must hold: set and binding come from the plan alone.

use rspirv::spirv::{Capability, Decoration, StorageClass};

use crate::binding::plan::Descriptor;
use crate::ir::resources::ResourceId;
use crate::lower::cx::{EntryCx, Inputs};
use crate::lower::source;
use crate::ops::consts::ResourceClass;
use dxil_base::error::Result;
use dxil_spirv_builder::{Id, Member, Module, StructKind};

/// Declares the variable of a descriptor or of an array of them.
pub fn variable(
    cx: &mut EntryCx<'_>,
    module: &mut Module<'_>,
    class: StorageClass,
    content: Id,
    descriptor: Descriptor,
    name: &str,
) -> Result<Id> {
    let ty = match descriptor.count {
        0 => return Err(bug!(cx.place, "the binding plan has an array of no descriptors")),
        1 => content,
        u32::MAX => {
            module.caps.capability(Capability::RuntimeDescriptorArray)?;
            module.type_runtime_array(content, None)
        }
        count => module.type_array(content, count, None),
    };
    let variable = module.variable(class, ty, None)?;
    module.decorate_binding(variable, descriptor.set, descriptor.binding);
    module.name(variable, name);
    source::resource(module, cx.input, variable, name);
    Ok(variable)
}

/// Decorates the variable of a storage image or buffer by what the shader does with it.
pub fn decorate_access(cx: &mut EntryCx<'_>, module: &mut Module<'_>, variable: Id, id: ResourceId) {
    let usage = cx.input.analysis.usage.resource(id).memory;
    if usage.aliased {
        module.mark(variable, Decoration::Aliased);
    }
    if !usage.written {
        module.mark(variable, Decoration::NonWritable);
    }
    if !usage.read && usage.written {
        module.mark(variable, Decoration::NonReadable);
    }
    if is_coherent(cx.input, id) {
        module.mark(variable, Decoration::Coherent);
    }
}

/// The kind of the block type of a buffer's variables. Variables whose accesses are decorated
/// differently have different types: [`Quirk::BlockTypesByAccess`].
///
/// [`Quirk::BlockTypesByAccess`]: dxil_base::quirks::Quirk::BlockTypesByAccess
pub fn block_kind(input: Inputs<'_>, class: StorageClass, id: ResourceId) -> StructKind {
    let usage = input.analysis.usage.resource(id).memory;
    match class {
        StorageClass::StorageBuffer if !usage.written => StructKind::ReadOnlyBlock,
        StorageClass::StorageBuffer if is_coherent(input, id) => StructKind::CoherentBlock,
        _ => StructKind::Block,
    }
}

/// Whether the memory of a resource is Coherent.
fn is_coherent(input: Inputs<'_>, id: ResourceId) -> bool {
    // D3D11.3, "sync": after a fence the threads of the group see each other's writes to any UAV.
    // Vulkan promises that only of Coherent variables (SPIR-V 3.20). So a variable that is both
    // read and written has to be Coherent where the shader has such a fence. So has a
    // rasterizer-ordered one: a fragment sees what the ones before it wrote
    // (GL_ARB_fragment_shader_interlock, "Overview": «coherent»).
    let usage = input.analysis.usage.resource(id).memory;
    let is_shared = input.analysis.usage.uav_fences || input.program.resources[id].rasterizer_ordered;
    usage.coherent || is_shared && usage.read && usage.written
}

/// The content of a resource at an address, decorated by what the shader does with it. Pointers
/// that are made of addresses have no variable that could be decorated, so the member is. They may
/// be the same memory as others, which SPIR-V takes for granted (SPIR-V 2.18.2, «Aliasing»).
pub fn at_address(input: Inputs<'_>, member: &mut Member, id: ResourceId) {
    let usage = input.analysis.usage.resource(id).memory;
    // Two UAVs may be the same buffer. D3D does not let a draw both write a buffer and read it as
    // something other than a UAV (D3D12, «Using Resource Barriers»).
    let written = match input.program.resources[id].class {
        ResourceClass::Uav => usage.written || input.analysis.usage.writes_addresses,
        _ => false,
    };
    member.non_writable = !written;
    member.non_readable = !usage.read && usage.written;
    member.coherent = is_coherent(input, id);
}
