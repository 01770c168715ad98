//! Decodes LLVM records into the typed IR.
//!
//! In: a [`bitcode::Module`], which represents LLVM and not DXIL, and the instructions of its
//! bodies, while they are read or from a list. Out: an [`ir::Module`](Module), in which calls of
//! `dx.op.*` are operations, phis are block parameters, and handles have their own type. What must
//! hold: a construct that is not valid in a shader is refused, with its name, if something uses it.
//! Unused constructs (unusual types) are ignored, and so is debug information, unless the bitcode
//! was read with it.
//!
//! Decoding finds for most functions that they keep the contract of [`verify`]: the
//! reader has compared the types of operands, values get their numbers in the order of definitions,
//! and the rest is asked of the verifier's [`Rules`](crate::ir::verify::Rules) as it is made. The
//! verifier checks the functions for which this does not suffice, and says what is wrong with them.

mod attached;
mod body;
mod consts;
mod debug;
mod decoder;
mod expressions;
mod fold;
mod function;
pub mod metadata;
mod numbers;
mod operators;
mod phis;
mod tables;
#[cfg(test)]
mod tests;
mod wide;

use self::debug::DebugReader;
use self::decoder::{Decoder, Input, OPERATION};
use self::function::BodyDecoder;
use self::tables::{Callee, Tables};
use crate::ir::verify::Masks;
use crate::ir::*;
use dxil_base::entity::{Entity, PrimaryMap};
use dxil_base::error::{Place, Result};
use dxil_base::limits;
use dxil_base::limits::Fuel;
use dxil_bitcode as bitcode;
use dxil_bitcode::Visitor;

/// A decoded module, and the IR functions and globals of the bitcode's functions and globals.
pub struct Decoded {
    /// The IR.
    pub module: Module,
    /// The bitcode function of each IR function, in the order of both.
    functions: PrimaryMap<Func, bitcode::FunctionId>,
    /// The IR global of each bitcode global that a function refers to.
    globals: Vec<Option<Global>>,
    /// The functions that the verifier has to check. All others keep the contract of
    /// [`verify`], which decoding has found as it made them.
    pub unproven: Vec<Func>,
}

impl Decoded {
    /// The IR function of a bitcode function, if that has a body.
    pub fn function(&self, id: bitcode::FunctionId) -> Option<Func> {
        func_of(&self.functions, id)
    }
    /// The IR global of a bitcode global, if a function refers to it.
    pub fn global(&self, id: bitcode::GlobalId) -> Option<Global> {
        *self.globals.get(id.index())?
    }
}

/// The IR function of a bitcode function. IR functions have the order of the bitcode's.
fn func_of(functions: &PrimaryMap<Func, bitcode::FunctionId>, id: bitcode::FunctionId) -> Option<Func> {
    functions.values().as_slice().binary_search(&id).ok().map(Func::new)
}

/// Most functions and types that memory is reserved for. Not all are used.
const RESERVED: usize = 1 << 10;

/// Decodes all functions that have a body, while it is read.
///
/// # Errors
/// `Malformed`, `Unsupported` or `Limit`, with the bit or function that they concern.
pub fn decode_bodies(bodies: &mut bitcode::Bodies<'_>, fuel: &Fuel) -> Result<Decoded> {
    let (mut decoder, functions) = Decoder::new(bodies.module(), fuel, None)?;
    while let Some(decoded) = bodies
        .read_next(|id, module, body, capacity| BodyDecoder::new(&mut decoder, Input { module, body }, id, capacity))?
    {
        let decoded = decoded.finish();
        decoder.add(decoded);
    }
    Ok(decoder.finish(functions))
}

/// [`decode_bodies`] of a module that was read with its bodies, and with debug information if it
/// has any.
///
/// # Errors
/// Those of [`decode_bodies`].
pub fn decode(module: &bitcode::Module, fuel: &Fuel) -> Result<Decoded> {
    let (mut decoder, functions) = Decoder::new(module, fuel, DebugReader::new(module, fuel)?)?;
    for (id, function) in module.functions.iter() {
        let Some(body) = &function.body else { continue };
        let input = Input { module, body };
        let mut decoded = BodyDecoder::new(&mut decoder, input, id, body.insts.len())?;
        for inst in body.insts.values() {
            let result = inst.result.and_then(|result| input.value(result));
            decoded.instruction(module, body, inst, result.map(|result| result.ty))?;
        }
        decoded.end(module, body)?;
        let decoded = decoded.finish();
        decoder.add(decoded);
    }
    if let Some(mut debug) = decoder.debug.take() {
        debug.globals()?;
        for (function, scope) in debug.functions()? {
            if let Some(func) = func_of(&functions, function) {
                debug.info.functions[func] = Some(scope);
            }
        }
        decoder.module.debug = Some(debug.info);
    }
    Ok(decoder.finish(functions))
}

impl<'a> Decoder<'a> {
    /// A decoder of a module without functions so far, and the numbers that functions will have.
    fn new(
        input: &bitcode::Module,
        fuel: &'a Fuel,
        debug: Option<DebugReader<'a>>,
    ) -> Result<(Self, PrimaryMap<Func, bitcode::FunctionId>)> {
        let defined = input.functions.iter().filter(|(_, f)| f.defined);
        let functions: PrimaryMap<Func, _> = defined.map(|(id, _)| id).collect();
        limits::check(Place::Input, "functions", functions.len(), limits::FUNCTIONS)?;
        let mut defined = functions.keys();
        let callee = |function: &bitcode::Function| match function.defined {
            true => defined.next().map_or(Callee::Unsupported, Callee::Function),
            false => classify(input.bytes(function.name)),
        };
        let mut decoder = Decoder {
            fuel,
            module: Module { layout: input.text(input.data_layout).into(), ..Module::default() },
            tables: Tables::new(input, input.functions.values().map(callee)),
            any_other: false,
            module_values: input.values.len(),
            globals: vec![None; input.globals.len()],
            charged_consts: 0,
            initializers: Vec::new(),
            in_initializers: false,
            attributes: Default::default(),
            attachment_kinds: None,
            unproven: Vec::new(),
            masks: Masks::default(),
            debug,
        };
        decoder.module.functions.reserve(functions.len().min(RESERVED));
        decoder.module.types.reserve(input.types.len().min(RESERVED));
        Ok((decoder, functions))
    }

    /// Adds a function. `proven` says whether it keeps the contract of the verifier.
    fn add(&mut self, (function, proven): (Function, bool)) {
        let func = self.module.functions.push(function);
        self.unproven.extend((!proven).then_some(func));
    }

    fn finish(self, functions: PrimaryMap<Func, bitcode::FunctionId>) -> Decoded {
        self.tables.recycle(self.fuel);
        Decoded { module: self.module, functions, globals: self.globals, unproven: self.unproven }
    }
}

/// The name of the file that a scope of debug information is in.
pub fn source_file(input: &bitcode::Module, scope: bitcode::MetadataId, fuel: &Fuel) -> Option<Box<str>> {
    let mut reader = DebugReader::new(input, fuel).ok()??;
    let scope = reader.scope(Some(scope)).ok()??;
    let file = reader.info.scopes[scope].file;
    Some(reader.info.files[file].name.clone())
}

/// What the IR makes of calls to a function without a body.
fn classify(name: &[u8]) -> Callee {
    let nothing = ["llvm.dbg.", "llvm.lifetime.", "llvm.invariant.", "llvm.assume", "llvm.donothing"];
    match name {
        _ if name.starts_with(OPERATION.as_bytes()) => Callee::Operation { known: None },
        b"llvm.dbg.value" => Callee::Variable { in_memory: false },
        b"llvm.dbg.declare" => Callee::Variable { in_memory: true },
        _ if nothing.iter().any(|prefix| name.starts_with(prefix.as_bytes())) => Callee::Nothing,
        _ => Callee::Unsupported,
    }
}
