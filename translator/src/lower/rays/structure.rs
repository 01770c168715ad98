//! Acceleration structures: the value that a handle stands for.
//!
//! In: a handle. Out: a value of `OpTypeAccelerationStructureKHR`, from a descriptor, a heap or an
//! address. What must hold: the caller has declared the capability of what it does with the value
//! (RayQueryKHR or RayTracingKHR), because the type needs one of them.
//!
//! D3D lets a ray that is traced in a null acceleration structure miss (DXR, «TraceRay»). Vulkan
//! does the same for a null descriptor (Vulkan, «nullDescriptor»), so nothing is emitted for it.

use rspirv::spirv::{Op, StorageClass};

use crate::binding::plan::{DescriptorType, HeapAddresses, HeapDescriptors, Location};
use crate::ir::Value;
use crate::lower::cx::{Code, Declared, FunctionCx};
use crate::lower::resources::pairs::{self, EntryCheck};
use crate::lower::resources::{declare, descriptor, handle, root};
use crate::ops::consts::ResourceKind;
use dxil_base::entity::Entity;
use dxil_base::error::Result;
use dxil_spirv_builder::Id;

/// The acceleration structure that a handle stands for.
///
/// # Errors
/// `Malformed` for a handle of another kind of resource. `Unsupported` for a place from which
/// acceleration structures are not read yet, by its name. `Binding` where the plan has no place, or
/// a descriptor of another type.
pub fn value(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, value: Value) -> Result<Id> {
    let handle = handle::resolve(cx, value)?;
    let resource = handle::declaration(cx.input, handle);
    if resource.kind != ResourceKind::RtAccelerationStructure {
        return Err(malformed!(
            cx.entry.place,
            "{resource} is traced; expected a {}",
            ResourceKind::RtAccelerationStructure
        ));
    }
    let content = code.type_acceleration_structure();
    let location = handle::location(cx.input, handle.resource)?;
    match location {
        Location::Descriptor(place) | Location::Heap(HeapDescriptors { descriptor: place, .. }) => {
            if !matches!(place.ty, DescriptorType::AccelerationStructure | DescriptorType::Mutable) {
                return Err(binding_error!(
                    resource.place(),
                    "{resource} has a descriptor of type {}; expected {}",
                    place.ty,
                    DescriptorType::AccelerationStructure
                ));
            }
            let what = Declared::Resource(handle.resource.index() as u32, 0);
            let variable = cx.entry.declare(code, what, |cx, module| {
                let name = cx.input.names[handle.resource].clone();
                declare::variable(cx, module, StorageClass::UniformConstant, content, place, &name)
            })?;
            let picked = descriptor::pick(cx, code, handle, place, content, variable)?;
            Ok(descriptor::load(code, picked))
        }
        Location::Address(root) => {
            let address = root::address(cx, code, root)?;
            Ok(code.unary(Op::ConvertUToAccelerationStructureKHR, content, address))
        }
        Location::HeapAddresses(HeapAddresses { addresses, .. }) => {
            // Words from outside of the buffer would become an address.
            let variable = Declared::Pairs(addresses.buffer.set, addresses.buffer.binding);
            let address = pairs::load(cx, code, handle, variable, addresses, EntryCheck::Checked)?;
            Ok(code.unary(Op::ConvertUToAccelerationStructureKHR, content, address))
        }
        _ => Err(handle::not_lowered(cx.input, handle.resource, &location)),
    }
}
