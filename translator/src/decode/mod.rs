//! Decodes LLVM records into the typed IR.
//!
//! In: a [`bitcode::Module`], which represents LLVM and not DXIL. Out: an [`ir::Module`](Module),
//! in which calls of `dx.op.*` are operations, phis are block parameters, and handles have their
//! own type. What must hold: a construct that is not valid in a shader is refused, with its name,
//! if something uses it. Unused constructs (unusual types) are ignored, and so is debug information,
//! unless the bitcode was read with it.
//!
//! Decoding finds for most functions that they keep the contract of [`verify`](crate::ir::verify): the
//! reader has compared the types of operands, values get their numbers in the order of definitions,
//! and the rest is asked of the verifier's [`Rules`](crate::ir::verify::Rules) as it is made. The
//! verifier checks the functions for which this does not suffice, and says what is wrong with them.

mod body;
mod consts;
mod debug;
mod decoder;
mod expressions;
mod fold;
pub mod metadata;
mod operators;
#[cfg(test)]
mod tests;

use foldhash::HashMap;

use self::debug::DebugReader;
use self::decoder::{Callee, Decoder, IR};
use crate::ir::verify::Masks;
use crate::ir::*;
use dxil_base::entity::{Entity, PrimaryMap};
use dxil_base::error::{Place, Result};
use dxil_base::limits;
use dxil_base::limits::Fuel;
use dxil_bitcode as bitcode;

/// A decoded module, and the IR functions and globals of the bitcode's functions and globals.
pub struct Decoded {
    /// The IR.
    pub module: Module,
    /// The IR function of each bitcode function that has a body.
    pub functions: HashMap<bitcode::FunctionId, Func>,
    /// The IR global of each bitcode global that a function refers to.
    pub globals: HashMap<bitcode::GlobalId, Global>,
    /// The functions that the verifier has to check. All others keep the contract of
    /// [`verify`](crate::ir::verify), which decoding has found as it made them.
    pub unproven: Vec<Func>,
}

/// Most types and constants that memory is reserved for. Not all are used.
const RESERVED: usize = 1 << 10;

/// Decodes all functions that have a body.
///
/// # Errors
/// `Malformed`, `Unsupported` or `Limit`, with the bit or function that they concern.
pub fn decode(input: &bitcode::Module, fuel: &Fuel) -> Result<Decoded> {
    let with_body = input.functions.iter().filter(|(_, f)| f.body.is_some());
    let functions: HashMap<_, _> = with_body.enumerate().map(|(i, (id, _))| (id, Func::new(i))).collect();
    limits::check(Place::Input, "functions", functions.len(), limits::FUNCTIONS)?;
    let mut callees = Vec::with_capacity(input.functions.len());
    for (id, function) in input.functions.iter() {
        callees.push(classify(input, function, functions.get(&id), fuel)?);
    }
    let mut decoder = Decoder {
        input,
        fuel,
        module: Module { layout: input.text(input.data_layout).into(), ..Module::default() },
        types: vec![None; input.types.len()],
        any_other: false,
        open_types: Vec::new(),
        body: None,
        consts: vec![None; input.values.len()],
        values: vec![None; input.values.len()],
        globals: vec![None; input.globals.len()],
        charged_consts: 0,
        initializers: Vec::new(),
        in_initializers: false,
        attributes: HashMap::default(),
        callees,
        unproven: Vec::new(),
        masks: Masks::default(),
        precise_kind: input.metadata_kind("dx.precise"),
        hints_kind: input.metadata_kind("dx.controlflow.hints"),
        loop_kind: input.metadata_kind("llvm.loop"),
        debug: DebugReader::new(input, fuel)?,
    };
    decoder.module.types.reserve(input.types.len().min(RESERVED));
    decoder.module.consts.reserve(input.constants.len().min(RESERVED));
    let mut bodies = PrimaryMap::new();
    for (id, function) in input.functions.iter() {
        if let Some(body) = &function.body {
            let (function, proven) = decoder.function(id, function, body)?;
            let func = bodies.push(function);
            decoder.unproven.extend((!proven).then_some(func));
        }
    }
    decoder.module.functions = bodies;
    if let Some(mut debug) = decoder.debug.take() {
        debug.globals()?;
        for (function, scope) in debug.functions()? {
            if let Some(&func) = functions.get(&function) {
                debug.info.functions[func] = Some(scope);
            }
        }
        decoder.module.debug = Some(debug.info);
    }
    let globals = (0..).map(bitcode::GlobalId::new).zip(&decoder.globals);
    let globals = globals.filter_map(|(id, &global)| Some((id, global?))).collect();
    Ok(Decoded { module: decoder.module, functions, globals, unproven: decoder.unproven })
}

/// The name of the file that a scope of debug information is in.
pub fn source_file(input: &bitcode::Module, scope: bitcode::MetadataId, fuel: &Fuel) -> Option<Box<str>> {
    let mut reader = DebugReader::new(input, fuel).ok()??;
    let scope = reader.scope(Some(scope)).ok()??;
    let file = reader.info.scopes[scope].file;
    Some(reader.info.files[file].name.clone())
}

fn classify(input: &bitcode::Module, function: &bitcode::Function, func: Option<&Func>, fuel: &Fuel) -> Result<Callee> {
    if let Some(&func) = func {
        return Ok(Callee::Function(func));
    }
    let name = input.text(function.name);
    fuel.items::<u8>(Place::Input, IR, name.len())?;
    if let Some(class) = name.strip_prefix("dx.op.") {
        let class = class.split('.').next().unwrap_or_default().into();
        return Ok(Callee::Operation { class, known: None });
    }
    match &*name {
        "llvm.dbg.value" => return Ok(Callee::Variable { in_memory: false }),
        "llvm.dbg.declare" => return Ok(Callee::Variable { in_memory: true }),
        _ => {}
    }
    let nothing = ["llvm.dbg.", "llvm.lifetime.", "llvm.invariant.", "llvm.assume", "llvm.donothing"];
    if nothing.iter().any(|prefix| name.starts_with(prefix)) {
        return Ok(Callee::Nothing);
    }
    Ok(Callee::Unsupported(bitcode::unmarked(&name).into()))
}
