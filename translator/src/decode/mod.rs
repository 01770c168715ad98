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
#[cfg(test)]
mod tests;
mod wide;

use foldhash::HashMap;

use self::debug::DebugReader;
use self::decoder::{BodyMemory, Callee, Decoder, Input, OPERATION};
use self::function::BodyDecoder;
use crate::ir::verify::Masks;
use crate::ir::*;
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};
use dxil_base::limits;
use dxil_base::limits::Fuel;
use dxil_bitcode as bitcode;
use dxil_bitcode::Visitor;

/// A decoded module, and the IR functions and globals of the bitcode's functions and globals.
pub struct Decoded {
    /// The IR.
    pub module: Module,
    /// The IR function of each bitcode function that has a body.
    pub functions: HashMap<bitcode::FunctionId, Func>,
    /// The IR global of each bitcode global that a function refers to.
    pub globals: HashMap<bitcode::GlobalId, Global>,
    /// The functions that the verifier has to check. All others keep the contract of
    /// [`verify`], which decoding has found as it made them.
    pub unproven: Vec<Func>,
}

/// Most functions, types and constants that memory is reserved for. Not all are used.
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

/// [`decode_bodies`] of a module that was read with its bodies, and with debug information if it has any.
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
            if let Some(&func) = functions.get(&function) {
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
    ) -> Result<(Self, HashMap<bitcode::FunctionId, Func>)> {
        let defined = input.functions.iter().filter(|(_, f)| f.defined);
        let functions: HashMap<_, _> = defined.enumerate().map(|(i, (id, _))| (id, Func::new(i))).collect();
        limits::check(Place::Input, "functions", functions.len(), limits::FUNCTIONS)?;
        let callee = |(id, function): (_, &bitcode::Function)| classify(input.bytes(function.name), functions.get(&id));
        let mut decoder = Decoder {
            fuel,
            module: Module { layout: input.text(input.data_layout).into(), ..Module::default() },
            types: vec![None; input.types.len()],
            any_other: false,
            open_types: Vec::new(),
            module_values: input.values.len(),
            consts: vec![None; input.values.len()],
            values: vec![None; input.values.len()],
            globals: vec![None; input.globals.len()],
            charged_consts: 0,
            initializers: Vec::new(),
            in_initializers: false,
            attributes: HashMap::default(),
            callees: input.functions.iter().map(callee).collect(),
            attachment_kinds: None,
            memory: BodyMemory::default(),
            unproven: Vec::new(),
            masks: Masks::default(),
            debug,
        };
        decoder.module.functions.reserve(functions.len().min(RESERVED));
        decoder.module.types.reserve(input.types.len().min(RESERVED));
        decoder.module.consts.reserve(input.constants.len().min(RESERVED));
        Ok((decoder, functions))
    }

    /// Adds a function. `proven` says whether it keeps the contract of the verifier.
    fn add(&mut self, (function, proven): (Function, bool)) {
        let func = self.module.functions.push(function);
        self.unproven.extend((!proven).then_some(func));
    }

    fn finish(self, functions: HashMap<bitcode::FunctionId, Func>) -> Decoded {
        let globals = (0..).map(bitcode::GlobalId::new).zip(&self.globals);
        let globals = globals.filter_map(|(id, &global)| Some((id, global?))).collect();
        Decoded { module: self.module, functions, globals, unproven: self.unproven }
    }
}

/// The name of the file that a scope of debug information is in.
pub fn source_file(input: &bitcode::Module, scope: bitcode::MetadataId, fuel: &Fuel) -> Option<Box<str>> {
    let mut reader = DebugReader::new(input, fuel).ok()??;
    let scope = reader.scope(Some(scope)).ok()??;
    let file = reader.info.scopes[scope].file;
    Some(reader.info.files[file].name.clone())
}

/// What the IR makes of calls to a function. `func` is its number if it has a body.
fn classify(name: &[u8], func: Option<&Func>) -> Callee {
    let nothing = ["llvm.dbg.", "llvm.lifetime.", "llvm.invariant.", "llvm.assume", "llvm.donothing"];
    match (func, name) {
        (Some(&func), _) => Callee::Function(func),
        _ if name.starts_with(OPERATION.as_bytes()) => Callee::Operation { known: None },
        (_, b"llvm.dbg.value") => Callee::Variable { in_memory: false },
        (_, b"llvm.dbg.declare") => Callee::Variable { in_memory: true },
        _ if nothing.iter().any(|prefix| name.starts_with(prefix.as_bytes())) => Callee::Nothing,
        _ => Callee::Unsupported,
    }
}
