//! The usage of each resource by a shader, found before any declaration is made.
//!
//! The declaration of a resource depends on all of its uses: a storage image that atomic operations
//! touch needs a format, a buffer that is never written is NonWritable, and a resource through
//! which lanes exchange data across a fence is Coherent.

use std::rc::Rc;

use super::elements::{Accesses, CallSite, ElementLayout};
use super::extracted::{ExtractedMembers, mask_of};
use crate::analysis::program::{Entry, Program};
use crate::binding::heap;
use crate::binding::plan::{BindingPlan, DescriptorType, Location};
use crate::ir::resources::ResourceId;
use crate::ir::{Function, InstData, Module};
use crate::ops::consts::{BarrierMode, ResourceKind};
use crate::ops::{Access, Memory, Role, Tangle};
use dxil_base::entity::SecondaryMap;

/// The flags of a barrier that order accesses to UAVs.
const UAV_FENCES: u32 = BarrierMode::UAV_FENCE_GLOBAL.bits() | BarrierMode::UAV_FENCE_THREAD_GROUP.bits();

/// What a shader does with one resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResourceUsage {
    /// Some operation reads it.
    pub read: bool,
    /// Some operation writes it, atomics included.
    pub written: bool,
    /// Some atomic operation touches it.
    pub atomic: bool,
    /// Some operation samples it with a comparison.
    pub compared: bool,
    /// Some operation changes its counter.
    pub counter: bool,
    /// Some operation reads a constant buffer at a place that the shader computes.
    pub indexed: bool,
    /// Some operation loads a component of a texel other than the first.
    pub several: bool,
    /// The set of widths of the numbers that operations read or write: the widths in bits (16, 32,
    /// 64), combined by OR.
    pub widths: u32,
    /// What is done to the memory through this resource and through those that may be the same
    /// memory.
    pub memory: MemoryUsage,
}

/// What a shader does with the memory behind a resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryUsage {
    /// Some operation reads it.
    pub read: bool,
    /// Some operation writes it.
    pub written: bool,
    /// Some resource of it is globally coherent.
    pub coherent: bool,
    /// Several resources may be this memory, and one of them is written.
    pub aliased: bool,
}

/// What a shader does with its resources.
#[derive(Clone, Debug, Default)]
pub struct Usage {
    resources: SecondaryMap<ResourceId, ResourceUsage>,
    /// The elements of structured buffers whose accesses show members.
    elements: SecondaryMap<ResourceId, Option<Rc<ElementLayout>>>,
    /// Some barrier orders accesses to UAVs.
    pub uav_fences: bool,
    /// Some operation writes a UAV that is reached by its address.
    pub writes_addresses: bool,
}

impl Usage {
    /// Joins the usage of resources that may be the same memory: those that the plan puts on one
    /// binding, as overlapping ranges of a descriptor table and the views of a heap are. A variable
    /// that is read must not be NonWritable where another one on its binding is written, or an
    /// optimiser may drop a load that sees the store.
    pub fn join_memory(&mut self, program: &Program, entry: &Entry, plan: &BindingPlan) {
        let mut bindings: Vec<((u32, u32), ResourceId)> = Vec::new();
        for (id, resource) in program.resources.iter().filter(|(id, _)| entry.reachable.resources.contains(*id)) {
            let declared = plan.resources.get(id).filter(|_| resource.is_declared());
            let place = declared.and_then(|planned| planned.location.descriptor());
            if let Some(place) = place.or_else(|| heap::view(&plan.heaps, resource)?.descriptor()) {
                bindings.push(((place.set, place.binding), id));
            }
        }
        let at_address = |id: &ResourceId| {
            plan.resources.get(*id).is_some_and(|planned| matches!(planned.location, Location::Address(_)))
        };
        self.writes_addresses =
            entry.reachable.resources.iter().filter(at_address).any(|id| self.resources[id].written);
        bindings.sort_unstable();
        for ids in bindings.chunk_by(|a, b| a.0 == b.0).filter(|ids| ids.len() > 1) {
            let mut all = ids.iter().fold(MemoryUsage::default(), |all, &(_, id)| {
                let one = self.resources[id].memory;
                MemoryUsage {
                    read: all.read || one.read,
                    written: all.written || one.written,
                    coherent: all.coherent || one.coherent,
                    aliased: false,
                }
            });
            all.aliased = all.written;
            ids.iter().for_each(|&(_, id)| self.resources[id].memory = all);
        }
    }

    /// Records the buffers whose texels are read where a shader only writes: a store of 16 bits to
    /// a texel buffer is atomic operations on a texel of 32, which NonReadable would contradict.
    pub fn add_partial_stores(&mut self, program: &Program, entry: &Entry, plan: &BindingPlan) {
        for (id, planned) in plan.resources.iter() {
            let place = planned.location.descriptor();
            let texels = place.is_some_and(|place| place.ty == DescriptorType::StorageTexelBuffer);
            if texels && !program.resources[id].kind.is_typed() && entry.flags.native_low_precision() {
                let one = &mut self.resources[id];
                one.memory.read |= one.written && one.widths & 16 != 0;
            }
        }
    }

    /// Records whether some barrier of the entry orders accesses to UAVs.
    pub fn add_fences(&mut self, program: &Program, entry: &Entry) {
        self.uav_fences = program.reached[entry.reachable.functions].iter().any(|&func| {
            let function = &program.module.functions[func];
            function.insts.values().any(|data| is_uav_fence(&program.module, function, data))
        });
    }

    /// The usage of one resource.
    pub fn resource(&self, resource: ResourceId) -> ResourceUsage {
        self.resources[resource]
    }

    /// The layout of a structured buffer's elements, if the accesses show one.
    pub fn element(&self, resource: ResourceId) -> Option<&Rc<ElementLayout>> {
        self.elements[resource].as_ref()
    }

    /// Collects the usage from all operations of the functions that the entry reaches. `scalar`
    /// says whether the device has the scalar block layout. A handle that is not in the tables is
    /// skipped here, because lowering refuses it.
    pub fn find(program: &Program, entry: &Entry, extracted: &ExtractedMembers, scalar: bool) -> Self {
        let none = SecondaryMap::filled(program.resources.len(), ResourceUsage::default());
        let mut usage = Usage { resources: none, ..Usage::default() };
        // Most shaders have no structured buffers.
        let mut accesses: SecondaryMap<ResourceId, Accesses> = SecondaryMap::default();
        let native = entry.flags.native_low_precision();
        for &func in &program.reached[entry.reachable.functions] {
            let (function, handles) = (&program.module.functions[func], program.handles.of(func));
            for &inst in handles.accesses {
                let InstData::Op { op, args, .. } = function.insts[inst] else { continue };
                let (info, args) = (op.info(), function.list(args));
                if info.access == Access::Handle {
                    continue;
                }
                let mask = mask_of(extracted.of(func), function, inst);
                let number = match info.overload_operand() {
                    Some(i) => args.get(i).map(|&v| program.module.type_of(function, v)),
                    None => function.result(inst).map(|v| program.module.type_of(function, v)),
                };
                let bits = number.and_then(|ty| match &program.module.types[ty] {
                    crate::ir::Type::Struct { fields, .. } => {
                        fields.first().and_then(|&f| program.module.types.scalar_bits(f))
                    }
                    _ => program.module.types.scalar_bits(ty),
                });
                let (writes, atomic) = (info.writes_resource(), info.access == Access::Atomic);
                let (counter, compared) = (info.access == Access::Counter, info.operand(Role::Reference).is_some());
                for found in handles.of(op, args) {
                    let resource_usage = &mut usage.resources[found.resource];
                    resource_usage.read |= !writes || atomic;
                    resource_usage.atomic |= atomic;
                    resource_usage.counter |= counter;
                    resource_usage.indexed |= info.access == Access::Load(Memory::Constants)
                        && info.value(Role::Index, args).is_none_or(|place| place.as_const().is_none());
                    resource_usage.written |= writes && !counter;
                    resource_usage.compared |= compared;
                    resource_usage.widths |= bits.map_or(0, u32::from);
                    resource_usage.several |=
                        matches!(info.access, Access::Load(Memory::Texels | Memory::Buffer)) && mask & 0b1110 != 0;
                    let resource = &program.resources[found.resource];
                    if resource.kind == ResourceKind::StructuredBuffer {
                        let operation = CallSite { program, function, inst, op, operands: args };
                        accesses[found.resource].record(operation, resource.size, native, mask);
                    }
                }
            }
        }
        for (id, resource) in program.resources.iter() {
            let one = &mut usage.resources[id];
            let coherent = resource.globally_coherent && entry.reachable.resources.contains(id);
            one.memory = MemoryUsage { read: one.read, written: one.written, coherent, aliased: false };
            if let Some(element) = accesses[id].element(resource.size, scalar) {
                usage.elements[id] = Some(Rc::new(element));
            }
        }
        usage
    }
}

/// Whether an instruction is a barrier that orders accesses to UAVs.
fn is_uav_fence(module: &Module, function: &Function, data: &InstData) -> bool {
    let InstData::Op { op, args, .. } = *data else { return false };
    if op.info().tangle != Tangle::Barrier {
        return false;
    }
    let args = function.list(args);
    let mode = op.info().barrier_mode(|at| u32::try_from(module.const_uint(*args.get(at)?)?).ok());
    mode.is_some_and(|mode| mode.bits() & UAV_FENCES != 0)
}
