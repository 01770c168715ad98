//! Replaces vendor intrinsics by operations of DXIL.
//!
//! A vendor's header encodes an instruction that HLSL does not have as accesses to a UAV that does
//! not exist: AMD's AGS as compare-exchanges ([`ags`]), NVIDIA's NVAPI as stores and increments of
//! a hidden counter ([`nvapi`]). In: a verified module and its resources. Out: the same module, in
//! which each such encoding is the code that computes its result ([`forms`]), and which no longer
//! accesses the UAV, so that the UAV needs no place. What must hold: a UAV is rewritten as a whole
//! or not at all. If it has an intrinsic without a form, the resource has the intrinsic's name, and
//! planning refuses the entry points that use it.
//!
//! The applications choose the registers, so a UAV is known by its accesses: they are an encoding
//! without exception. A byte-address buffer with compare-exchanges at constant offsets from
//! 0x50000000 on is larger than D3D12 buffers are. The elements of NVAPI's buffer have 256 bytes,
//! and what is stored in them has the order and the numbers of its instructions.

mod ags;
mod element;
mod forms;
mod nvapi;
mod objects;
mod reader;
mod variables;

use std::collections::BTreeSet;

use foldhash::HashMap;

use self::reader::{Call, NoEncoding, Reader};
use super::growth::Growth;
use super::splice::Splice;
use super::work::Work;
use super::writer::CodeWriter;
use crate::analysis::handles::{HandleTables, Resolved};
use crate::analysis::strict;
use crate::ir::resources::{Intrinsics, Resource, ResourceId, Vendor};
use crate::ir::{Func, Global, InstData, Module, Value};
use crate::ops::OpCode;
use crate::ops::consts::{ResourceClass, ResourceKind};
use dxil_base::entity::PrimaryMap;
use dxil_base::error::Result;
use dxil_base::limits::Fuel;

/// The UAVs that may be a vendor's: of the kind and size that its header declares.
fn candidates(module: &Module, resources: &PrimaryMap<ResourceId, Resource>, work: &Work) -> Vec<(ResourceId, Vendor)> {
    let has_instructions = work.operations.has(OpCode::AtomicCompareExchange) && ags::has_instructions(module);
    let vendor = |resource: &Resource| match resource.kind {
        _ if resource.class != ResourceClass::Uav || resource.count != 1 => None,
        ResourceKind::RawBuffer if has_instructions => Some(Vendor::Amd),
        ResourceKind::StructuredBuffer if resource.size == nvapi::STRIDE && resource.has_counter => {
            Some(Vendor::Nvidia)
        }
        _ => None,
    };
    resources.iter().filter_map(|(id, resource)| Some((id, vendor(resource)?))).collect()
}

/// Rewrites the intrinsics of all functions. Returns whether anything changed.
///
/// # Errors
/// Those of resolving handles; `Limit` if the code that replaces them is too much.
pub(super) fn run(
    module: &mut Module,
    resources: &mut PrimaryMap<ResourceId, Resource>,
    symbols: &HashMap<Global, ResourceId>,
    work: &Work,
    fuel: &Fuel,
) -> Result<bool> {
    let candidates = candidates(module, resources, work);
    if candidates.is_empty() {
        return Ok(false);
    }
    let is_amd = |&(_, vendor): &(_, Vendor)| vendor == Vendor::Amd;
    let mut changed = candidates.iter().any(is_amd) && strict::is_strict(module) && variables::forward(module);
    // The views of heaps that the resolver adds to the copy are found again after all passes.
    let mut copy = resources.clone();
    let tables = Resolved::new(module, &mut copy, symbols)?.handles;
    let mut found: HashMap<Func, Found> = HashMap::default();
    for UsedBuffer { id, vendor, funcs } in used(module, &tables, &candidates) {
        let Some((intrinsics, refused)) = read(module, &tables, &funcs, id, vendor) else { continue };
        if refused.is_empty() {
            for (func, intrinsics) in intrinsics {
                let of_function = found.entry(func).or_default();
                of_function.calls.extend(intrinsics.calls);
                of_function.choices.extend(intrinsics.choices);
            }
        } else {
            let names: Vec<&str> = refused.into_iter().collect();
            resources[id].intrinsics = Some(Intrinsics { vendor, refused: names.join(", ").into() });
        }
    }
    let mut growth = Growth::new(fuel, "instructions that replace vendor intrinsics", "code of vendor intrinsics");
    let funcs: Vec<Func> = module.functions.keys().collect();
    for func in funcs {
        if let Some(found) = found.remove(&func) {
            rewrite(module, func, found, &mut growth)?;
            changed = true;
        }
    }
    Ok(changed)
}

/// A UAV with accesses as a vendor's buffer has them, and the functions that access it.
struct UsedBuffer {
    id: ResourceId,
    vendor: Vendor,
    funcs: Vec<Func>,
}

/// The largest number of UAVs that are read, because each function is read for each of them. A
/// shader has one buffer of each vendor.
const BUFFERS: usize = 8;

/// The candidates with an access that only a vendor's buffer has.
fn used(module: &Module, tables: &HandleTables, candidates: &[(ResourceId, Vendor)]) -> Vec<UsedBuffer> {
    let mut of: HashMap<ResourceId, (UsedBuffer, bool)> = HashMap::default();
    for &(id, vendor) in candidates {
        of.insert(id, (UsedBuffer { id, vendor, funcs: Vec::new() }, false));
    }
    for (func, function) in module.functions.iter() {
        let table = tables.of(func);
        for &inst in table.accesses {
            let InstData::Op { op, args, .. } = function.insts[inst] else { continue };
            let args = function.list(args);
            for handle in table.of(op, args) {
                let Some((buffer, is_vendors)) = of.get_mut(&handle.resource) else { continue };
                *is_vendors |= match buffer.vendor {
                    Vendor::Amd => ags::instruction(module, op, args).is_some(),
                    _ => op == OpCode::BufferUpdateCounter,
                };
                if buffer.funcs.last() != Some(&func) {
                    buffer.funcs.push(func);
                }
            }
        }
    }
    let found = candidates.iter().filter_map(|(id, _)| of.remove(id));
    found.filter_map(|(buffer, is_vendors)| is_vendors.then_some(buffer)).take(BUFFERS).collect()
}

/// The intrinsics of a function, and the phis that choose hit objects.
#[derive(Default)]
struct Found {
    calls: Vec<Call>,
    choices: Vec<Value>,
}

/// The intrinsics of each function, and the names of those without a form.
type FoundCalls = (Vec<(Func, Found)>, BTreeSet<&'static str>);

/// Reads the intrinsics of a UAV. `None` if some access to it is not part of an encoding, or there
/// is none.
fn read(module: &Module, tables: &HandleTables, funcs: &[Func], id: ResourceId, vendor: Vendor) -> Option<FoundCalls> {
    let (mut calls, mut refused) = (Vec::new(), BTreeSet::new());
    for &func in funcs {
        let (function, table) = (&module.functions[func], tables.of(func));
        let mut reader = Reader::new(module, function, table, id);
        let read = match vendor {
            Vendor::Amd => reader.ags(),
            Vendor::Nvidia => reader.nvapi(),
            Vendor::Intel => Err(NoEncoding),
        };
        if read.is_err() {
            // What has no instruction at all is memory.
            if reader.calls.is_empty() && reader.refused.is_empty() && calls.is_empty() && refused.is_empty() {
                return None;
            }
            reader.refused.insert("an access that is not an instruction");
        }
        refused.append(&mut reader.refused);
        calls.push((func, Found { calls: reader.calls, choices: reader.choices }));
    }
    (!calls.is_empty()).then_some((calls, refused))
}

/// Writes the forms of a function's intrinsics in the place of their encodings.
fn rewrite(module: &mut Module, func: Func, found: Found, growth: &mut Growth<'_>) -> Result<()> {
    let Module { types, consts, functions, .. } = module;
    let function = &mut functions[func];
    if !found.choices.is_empty() {
        let ty = forms::hit_object(types);
        for local in found.choices.into_iter().filter_map(Value::as_local) {
            function.locals[local].ty = ty;
        }
    }
    let mut splice = Splice::default();
    for Call { form, at, results, encoding } in found.calls {
        let (mut out, bytes) = (Vec::new(), function.bytes());
        let mut writer = CodeWriter { types, consts, function, out: &mut out };
        let values = writer.write(&form);
        growth.add(function, out.len(), function.bytes() - bytes)?;
        for (number, result) in results {
            values.get(number).into_iter().for_each(|&value| splice.value(result, value));
        }
        encoding.into_iter().for_each(|inst| splice.inst(inst, Vec::new()));
        splice.inst(at, out);
    }
    splice.apply(function);
    Ok(())
}
