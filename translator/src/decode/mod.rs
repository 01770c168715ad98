//! Decodes LLVM records into the typed IR.
//!
//! In: a [`bitcode::Module`], which represents LLVM and not DXIL. Out: an [`ir::Module`](Module),
//! in which calls of `dx.op.*` are operations, phis are block parameters, and handles have their
//! own type. What must hold: a construct that is not valid in a shader is refused, with its name,
//! if something uses it. Unused constructs (debug intrinsics, unusual types) are ignored.

mod body;
mod consts;
mod fold;
pub mod metadata;
#[cfg(test)]
mod tests;

use std::rc::Rc;

use foldhash::HashMap;

use crate::ir::data_layout::DataLayout;
use crate::ir::*;
use crate::ops::OpCode;
use dxil_base::entity::{Entity, PrimaryMap};
use dxil_base::error::{Place, Result};
use dxil_base::limits;
use dxil_bitcode as bitcode;

/// What the IR makes of calls to a function of the bitcode.
#[derive(Clone, Debug)]
enum Callee {
    /// An operation, `dx.op.<class>[.<overload>]`, with its class. The opcode is the call's first
    /// argument.
    Operation(Box<str>),
    /// A debug or lifetime intrinsic. The call disappears.
    Nothing,
    /// A function with a body.
    Function(Func),
    /// Any other function, by name. The call is refused.
    Unsupported(Box<str>),
}

/// State shared by the decoding of types, constants and bodies.
struct Decoder<'a> {
    input: &'a bitcode::Module,
    module: Module,
    types: Vec<Option<TypeId>>,
    /// The types that are being decoded. If one is found again, the type contains itself.
    open_types: Vec<bitcode::TypeId>,
    module_consts: Vec<Option<Const>>,
    globals: Vec<Option<Global>>,
    /// The globals whose initializers are not decoded yet, and the initializers.
    initializers: Vec<(Global, bitcode::ValueId)>,
    /// Whether a caller decodes the initializers already.
    in_initializers: bool,
    /// What the attribute lists ask for that are already decoded. Many functions may have one list.
    attributes: HashMap<bitcode::AttributeListId, Attributes>,
    callees: Rc<[Callee]>,
    precise_kind: Option<u32>,
    hints_kind: Option<u32>,
    loop_kind: Option<u32>,
}

/// A decoded module, and the IR functions and globals of the bitcode's functions and globals.
pub struct Decoded {
    /// The IR.
    pub module: Module,
    /// The IR function of each bitcode function that has a body.
    pub functions: HashMap<bitcode::FunctionId, Func>,
    /// The IR global of each bitcode global that a function refers to.
    pub globals: HashMap<bitcode::GlobalId, Global>,
}

/// Decodes all functions that have a body.
///
/// # Errors
/// `Malformed`, `Unsupported` or `Limit`, with the bit or function that they concern.
pub fn decode(input: &bitcode::Module) -> Result<Decoded> {
    let with_body = input.functions.iter().filter(|(_, f)| f.body.is_some());
    let functions: HashMap<_, _> = with_body.enumerate().map(|(i, (id, _))| (id, Func::new(i))).collect();
    limits::check(Place::Input, "functions", functions.len(), limits::FUNCTIONS)?;
    let mut decoder = Decoder {
        input,
        module: Module { layout: DataLayout::parse(&input.text(input.data_layout)), ..Module::default() },
        types: vec![None; input.types.len()],
        open_types: Vec::new(),
        module_consts: vec![None; input.values.len()],
        globals: vec![None; input.globals.len()],
        initializers: Vec::new(),
        in_initializers: false,
        attributes: HashMap::default(),
        callees: input.functions.iter().map(|(id, f)| classify(input, f, functions.get(&id))).collect(),
        precise_kind: input.metadata_kind("dx.precise"),
        hints_kind: input.metadata_kind("dx.controlflow.hints"),
        loop_kind: input.metadata_kind("llvm.loop"),
    };
    let mut bodies = PrimaryMap::new();
    for (id, function) in input.functions.iter() {
        if let Some(body) = &function.body {
            let _: Func = bodies.push(decoder.function(id, function, body)?);
        }
    }
    decoder.module.functions = bodies;
    let globals = (0..).map(bitcode::GlobalId::new).zip(&decoder.globals);
    let globals = globals.filter_map(|(id, &global)| Some((id, global?))).collect();
    Ok(Decoded { module: decoder.module, functions, globals })
}

fn classify(input: &bitcode::Module, function: &bitcode::Function, func: Option<&Func>) -> Callee {
    if let Some(&func) = func {
        return Callee::Function(func);
    }
    let name = input.text(function.name);
    if let Some(class) = name.strip_prefix("dx.op.") {
        return Callee::Operation(class.split('.').next().unwrap_or_default().into());
    }
    let nothing = ["llvm.dbg.", "llvm.lifetime.", "llvm.invariant.", "llvm.assume", "llvm.donothing"];
    if nothing.iter().any(|prefix| name.starts_with(prefix)) {
        return Callee::Nothing;
    }
    Callee::Unsupported(bitcode::unmarked(&name).into())
}

impl Decoder<'_> {
    /// What an attribute list asks for of its function.
    fn attributes(&mut self, list: bitcode::AttributeListId) -> Attributes {
        let input = self.input;
        *self.attributes.entry(list).or_insert_with(|| Attributes {
            denormals: match input.text_attribute(list, "fp32-denorm-mode") {
                Some(b"preserve") => Denormals::Preserve,
                Some(b"ftz") => Denormals::FlushToZero,
                _ => Denormals::Any,
            },
            includes_helper_lanes: input.text_attribute(list, "waveops-include-helper-lanes").is_some(),
        })
    }

    /// The IR type of a bitcode type. The reader limits how deep types are nested, and the memo
    /// makes repeated types cheap.
    fn ty(&mut self, id: bitcode::TypeId) -> TypeId {
        if let Some(Some(done)) = self.types.get(id.index()) {
            return *done;
        }
        if self.open_types.contains(&id) || self.open_types.len() > limits::TYPE_NESTING {
            return self.module.types.intern(Type::Other("type that contains itself".into()));
        }
        self.open_types.push(id);
        let ty = self.describe(id);
        self.open_types.pop();
        let done = self.module.types.intern(ty);
        if let Some(slot) = self.types.get_mut(id.index()) {
            *slot = Some(done);
        }
        done
    }

    fn describe(&mut self, id: bitcode::TypeId) -> Type {
        use bitcode::Type as B;
        let Some(&ty) = self.input.types.get(id) else { return Type::Other("missing type".into()) };
        match ty {
            B::Void => Type::Void,
            B::Half => Type::Float(16),
            B::Float => Type::Float(32),
            B::Double => Type::Float(64),
            B::Integer(bits @ 1..=64) => Type::Int(bits as u8),
            B::Integer(bits) => Type::Other(format!("i{bits}").into()),
            B::Pointer { pointee, address_space } => {
                Type::Pointer { pointee: self.ty(pointee), space: AddressSpace::from_number(address_space) }
            }
            B::Array { len, element } => match u32::try_from(len) {
                Ok(len) => Type::Array { element: self.ty(element), len },
                Err(_) => Type::Other(format!("array of {len} elements").into()),
            },
            B::Vector { len, element, scalable: false } => Type::Vector { element: self.ty(element), len },
            B::Struct { name, fields, packed } => {
                let name: Box<str> = name.map_or("".into(), |n| self.input.text(n).into());
                if &*name == "dx.types.Handle" {
                    return Type::Handle;
                }
                let fields = self.input.type_lists[fields].iter().map(|&f| self.ty(f)).collect();
                Type::Struct { name, fields, packed }
            }
            other => Type::Other(format!("{other:?}").into()),
        }
    }

    /// The IR global of a bitcode global.
    fn global(&mut self, id: bitcode::GlobalId) -> Option<Global> {
        if let Some(Some(done)) = self.globals.get(id.index()) {
            return Some(*done);
        }
        let global = *self.input.globals.get(id)?;
        let data = GlobalVar {
            name: bitcode::unmarked(&self.input.text(global.name)).into(),
            ty: self.ty(global.ty),
            space: AddressSpace::from_number(global.address_space),
            constant: global.constant,
            init: None,
        };
        let done = self.module.globals.push(data);
        self.globals[id.index()] = Some(done);
        // The initializer may refer to other globals and to this one, so it is decoded after the
        // memo has an entry.
        if let Some(init) = global.initializer {
            self.initializers.push((done, init));
            self.decode_initializers();
        }
        Some(done)
    }

    /// Decodes the initializers that are left. The globals that they refer to only join the list,
    /// because a chain of such references may be as long as there are globals.
    fn decode_initializers(&mut self) {
        if self.in_initializers {
            return;
        }
        self.in_initializers = true;
        while let Some((global, init)) = self.initializers.pop() {
            let init = self.module_const(init);
            self.module.globals[global].init = Some(init);
        }
        self.in_initializers = false;
    }

    fn opcode(&self, place: Place, class: &str, number: u64) -> Result<OpCode> {
        let op = u32::try_from(number).ok().and_then(OpCode::from_u32);
        let op = op.ok_or_else(|| unsupported!(place, "unknown DXIL operation {number} of class `{class}`"))?;
        if op.info().class != class {
            let (name, expected) = (op.info().name, op.info().class);
            return Err(malformed!(
                place,
                "operation {number} ({name}) has class `{expected}`, but is called as `{class}`"
            ));
        }
        Ok(op)
    }
}
