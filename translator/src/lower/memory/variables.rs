//! Variables in memory that is not a resource (allocas, groupshared variables, constant tables),
//! and pointers into them.
//!
//! In: a pointer of the IR. Out: one access chain. A pointer is resolved where it is used
//! ([`Address`]), so it has no SPIR-V value of its own. What must hold: a variable is declared
//! once; a groupshared variable on whose floats an atomic operation works as integers is declared
//! with integers.

use rspirv::spirv::{Op, StorageClass};

use super::{passed, tables};
use crate::analysis::address::{Address, Index, MemoryVariable, Reason};
use crate::ir::{AddressSpace, Global, Type, TypeId, Value};
use crate::lower::cx::{Code, EntryCx, FunctionCx, Limit, check_limit};
use crate::lower::source;
use crate::ops::consts::ShaderStage;
use dxil_base::error::Result;
use dxil_base::names::unmarked;
use dxil_spirv_builder::{Id, Member, Module, StructKind};

/// A resolved pointer: its id, and the IR type of the object that it points to. A pointer cast in
/// the IR does not change that type.
#[derive(Clone, Copy, Debug)]
pub struct Pointer {
    /// The SPIR-V pointer.
    pub id: Id,
    /// The IR type of the object.
    pub ty: TypeId,
    /// Whether it points to groupshared memory.
    pub shared: bool,
    /// Whether the floats of the variable are declared as integers, because atomic operations
    /// access them as integers.
    pub bits: bool,
}

/// Resolves a pointer.
///
/// # Errors
/// `Unsupported` if the pointer is not a single access path into one variable: see
/// [`Address::resolve`].
pub fn pointer(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, value: Value) -> Result<Pointer> {
    pointer_past(cx, code, value, None)
}

/// Resolves a pointer and moves it on by `past` elements, a 32-bit integer, in the same array.
///
/// # Errors
/// As [`pointer()`].
pub fn pointer_past(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    value: Value,
    past: Option<Id>,
) -> Result<Pointer> {
    let program = cx.input.program;
    let path = std::mem::take(&mut cx.variables.paths.address);
    let address = Address::resolve_into(&program.module, cx.function, value, path).map_err(|reason| match reason {
        Reason::Malformed(text) => malformed!(cx.entry.place, "{text}"),
        Reason::Irregular(text) => unsupported!(cx.entry.place, "{text}"),
    })?;
    let (root, shared) = match address.variable {
        MemoryVariable::Alloca(value) => (alloca_variable(cx, code, value, address.whole)?, false),
        MemoryVariable::Argument(value) => (passed::argument(cx, code, value, address.whole)?, false),
        MemoryVariable::MeshPayload => (passed::received_mesh_payload(cx, code, address.whole)?, false),
        MemoryVariable::Global(global) => {
            let shared = program.module.globals[global].space == AddressSpace::GroupShared;
            (global_variable(cx.entry, code, global)?, shared)
        }
    };
    let mut indices = std::mem::take(&mut cx.variables.paths.chain);
    indices.clear();
    for &index in &address.indices {
        match (index, indices.last_mut()) {
            (Index::Plus(more), Some(sum)) => {
                let more = cx.signed_value(code, more)?;
                let ty = code.type_of(more).unwrap_or(more);
                *sum = code.binary(Op::IAdd, ty, *sum, more);
            }
            // The indexes of a `getelementptr` are signed (LLVM, "getelementptr").
            (Index::Element(Some(value)) | Index::Plus(value), _) => indices.push(cx.signed_value(code, value)?),
            (Index::Element(None), _) => indices.push(code.const_u32(0)),
            (Index::Member(number), _) => indices.push(code.const_u32(number)),
        }
    }
    if let Some(past) = past {
        let (Some(last), Some(Index::Element(_) | Index::Plus(_))) = (indices.last_mut(), address.indices.last())
        else {
            return Err(unsupported!(cx.entry.place, "address arithmetic on a variable that is not an array"));
        };
        let word = code.type_u32();
        if code.type_of(*last) != Some(word) {
            return Err(unsupported!(cx.entry.place, "address arithmetic with indexes of different widths"));
        }
        *last = code.binary(Op::IAdd, word, *last, past);
    }
    let table = match address.variable {
        MemoryVariable::Global(global) => cx.input.analysis.tables.components(global),
        _ => None,
    };
    if let (Some(components), [Index::Element(Some(index))]) = (table, &address.indices[..]) {
        tables::element(cx, code, *index, components, &mut indices)?;
    }
    let bits = shared
        && matches!(address.variable, MemoryVariable::Global(global) if cx.input.analysis.bit_globals.contains(global));
    let element = if bits { bits_type(cx.entry, code, address.ty)? } else { cx.entry.ty(code, address.ty)? };
    let id = code.access_chain(element, root, &indices);
    (cx.variables.paths.chain, cx.variables.paths.address) = (indices, address.indices);
    Ok(Pointer { id, ty: address.ty, shared, bits })
}

fn alloca_variable(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, value: Value, ty: TypeId) -> Result<Id> {
    if let Some(id) = cx.variables.of_alloca(value) {
        return Ok(id);
    }
    let id = match cx.input.analysis.rays.payloads.get(&(cx.func, value)).copied() {
        Some(call) => passed::declare(cx.entry, code, passed::call_class(call), ty)?,
        None => {
            let pointee = cx.entry.ty(code, ty)?;
            code.local(pointee, None)
        }
    };
    cx.variables.declare(value, id);
    Ok(id)
}

fn global_variable(cx: &mut EntryCx<'_>, module: &mut Module<'_>, global: Global) -> Result<Id> {
    if let Some(id) = cx.globals.variables[global] {
        return Ok(id);
    }
    let program = cx.input.program;
    let data = &program.module.globals[global];
    let ty = cx.ty(module, data.ty)?;
    let id = match data.space {
        // Groupshared memory has no initial contents in D3D, so an initialiser is dropped. DXC
        // writes undef.
        AddressSpace::GroupShared => {
            has_groups(cx, &data.name)?;
            let bits = cx.input.analysis.bit_globals.contains(global);
            let ty = if bits { bits_type(cx, module, data.ty)? } else { ty };
            if cx.input.analysis.mesh.payload == Some(global) {
                passed::mesh_payload(cx, module, ty)?
            } else {
                count_shared(cx, module, data.ty)?;
                module.variable(StorageClass::Workgroup, ty, None)?
            }
        }
        AddressSpace::Default => {
            let (ty, init) = match (cx.input.analysis.tables.components(global), data.init) {
                (Some(components), Some(init)) => tables::declaration(cx, module, init, components)?,
                (_, Some(init)) => (ty, Some(cx.constant(module, init)?)),
                (_, None) => (ty, None),
            };
            module.variable(StorageClass::Private, ty, init)?
        }
        space => {
            return Err(unsupported!(
                cx.place,
                "a global variable in address space {space:?}; only groupshared and default memory are supported"
            ));
        }
    };
    let name = source::memory(module, cx.input, id, global).unwrap_or(&data.name);
    module.name(id, name);
    cx.globals.variables[global] = Some(id);
    Ok(id)
}

/// Holds the entry point to a stage whose invocations have workgroups
/// (VUID-StandaloneSpirv-None-04645). DXC's validator does not look at the stages of a library.
fn has_groups(cx: &EntryCx<'_>, name: &str) -> Result<()> {
    let stage = cx.input.entry.stage;
    if matches!(stage, ShaderStage::Compute | ShaderStage::Mesh | ShaderStage::Amplification) {
        return Ok(());
    }
    let name = unmarked(name).escape_debug();
    Err(unsupported!(
        cx.place,
        "the groupshared variable `{name}`: a {stage} shader has no groups; only compute, mesh and amplification shaders \
         have them"
    ))
}

/// Counts a groupshared variable of a compute shader against the device's limit
/// (VUID-RuntimeSpirv-Workgroup-06530).
fn count_shared(cx: &mut EntryCx<'_>, module: &Module<'_>, ty: TypeId) -> Result<()> {
    if cx.input.entry.stage != ShaderStage::Compute {
        return Ok(());
    }
    cx.globals.shared_bytes = cx.globals.shared_bytes.saturating_add(cx.input.program.sizes().stride(ty).unwrap_or(0));
    let bytes = u32::try_from(cx.globals.shared_bytes).unwrap_or(u32::MAX);
    let limit = module.caps.limits().max_compute_shared_memory_size;
    check_limit("bytes of groupshared memory", bytes, Limit { name: "maxComputeSharedMemorySize", most: limit })
}

/// A SPIR-V type in which integers replace the floats of an IR type.
pub fn bits_type(cx: &mut EntryCx<'_>, module: &mut Module<'_>, ty: TypeId) -> Result<Id> {
    if let Some(id) = cx.ids.bit_types[ty] {
        return Ok(id);
    }
    let program = cx.input.program;
    let id = match &program.module.types[ty] {
        Type::Float(bits) => module.type_int(u32::from(*bits))?,
        Type::Vector { element, len } => {
            let element = bits_type(cx, module, *element)?;
            module.type_vector(element, *len)
        }
        Type::Array { element, len } if *len != 0 => {
            let element = bits_type(cx, module, *element)?;
            module.type_array(element, *len, None)
        }
        Type::Struct { fields, .. } if !fields.is_empty() => {
            let mut members = Vec::with_capacity(fields.len());
            for &field in fields {
                members.push(Member::new(bits_type(cx, module, field)?));
            }
            module.type_struct(StructKind::Plain, &members)
        }
        _ => cx.ty(module, ty)?,
    };
    cx.ids.bit_types[ty] = Some(id);
    Ok(id)
}
