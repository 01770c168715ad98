//! IR to SPIR-V: one function per operation, in the file of its group.
//!
//! In: a `Program`, the `BindingPlan` of its resources, `Options`. Out: SPIR-V words and a
//! `Reflection`. What must hold: D3D's semantics (docs/differences.md lists where they are not Vulkan's), and every
//! capability in the output is one that the profile allows and the shader needs.
//!
//! How a value travels: `Context::value` gives the SPIR-V id of an IR value; a lowering returns a `Lowered`, which the
//! caller keeps as the instruction's result. Structures have no id: their leaves are ids (`Lowered::Parts`). Handles and
//! pointers have no id either (`Lowered::Virtual`): they are resolved where they are used (`Context::handle`,
//! `Context::pointer`), so that they never need a phi.
//!
//! | subject | files |
//! |---|---|
//! | entry point, functions, control flow | `entry`, `function`, `flow`, `graph`, `usage` |
//! | values and types | `context`, `values`, `types`, `aggregate`, `narrow`, `precision` |
//! | LLVM's instructions | `llvm`, `operators`, `memory`, `breaks` |
//! | numbers | `arith`, `bits`, `convert`, `registers` |
//! | resources | `handle`, `resource`, `buffer`, `structured`, `elements`, `cbuffer`, `atomic` |
//! | images | `texture`, `texel`, `sample`, `gather`, `offset`, `dimensions`, `samples` |
//! | inputs and outputs | `io`, `interface`, `system`, `distances` |
//! | stages | `pixel`, `demote`, `interlock`, `geometry`, `tessellation`, `compute` |
//! | lanes together | `wave`, `quad`, `lanes`, `derivative`, `barrier` |
//!
//! docs/ops.md says which function lowers an operation. To add one, name its function in the operation's row: docs/add-a-dxil-op.md.

mod aggregate;
mod arith;
mod atomic;
mod barrier;
mod bits;
mod breaks;
mod buffer;
mod cbuffer;
mod compute;
mod context;
mod convert;
mod demote;
mod derivative;
mod dimensions;
mod distances;
mod elements;
mod entry;
mod flow;
mod function;
mod gather;
mod geometry;
mod graph;
mod handle;
mod interface;
mod interlock;
mod io;
mod lanes;
mod llvm;
mod memory;
mod narrow;
mod offset;
mod operators;
mod pixel;
mod precision;
mod quad;
mod registers;
mod resource;
mod sample;
mod samples;
mod structured;
mod system;
mod tessellation;
mod texel;
mod texture;
mod types;
mod usage;
mod values;
mod wave;

pub use entry::lower;
pub use graph::graph;

use rspirv::spirv::{BuiltIn, GlslStd450Op, Op};

use crate::dxil::ir::{Inst, TypeId, Value};
use crate::dxil::ops::{OpCode, args, args::Args, for_each_dxil_op};
use crate::error::{Place, Result};
use crate::spirv::{Id, OpenBlock};
use context::Context;

/// The open block that instructions go to.
type Code<'m, 'p> = OpenBlock<'m, 'p>;

/// What an instruction became.
#[derive(Clone, Copy, Debug, Default)]
enum Lowered {
    /// No result.
    #[default]
    Nothing,
    /// One SPIR-V value.
    Id(Id),
    /// The leaves of a result structure as they come from memory: the components of a vector, and the status where the operation
    /// has one. Taking one out is one instruction, made only where it is used.
    Row(Id, Option<Id>),
    /// The leaves of a structure or array, in order; made by [`Context::parts`].
    Parts(Parts),
    /// A handle or pointer: computed where it is used.
    Virtual,
}

/// A run of ids in the context's pool.
#[derive(Clone, Copy, Debug)]
struct Parts {
    start: u32,
    len: u32,
}

/// A DXIL operation at hand.
#[derive(Clone, Copy)]
struct Call<'f> {
    /// The operation.
    op: OpCode,
    /// The instruction.
    inst: Inst,
    /// Whether it carries `!dx.precise`.
    precise: bool,
    /// Its operands, without the opcode.
    args: &'f [Value],
    /// The result's type, where it has a result.
    ty: Option<TypeId>,
    /// Where it is.
    place: Place,
}

impl Call<'_> {
    /// The result's type, for operations that have one.
    fn ty(&self) -> Result<TypeId> {
        self.ty.ok_or_else(|| bug!(self.place, "{} without a result", self.op))
    }
}

macro_rules! home {
    ($cx:ident $code:ident $call:ident $name:ident todo) => {
        Err(unsupported!($call.place, "operation {} ({}) is not lowered yet", $call.op, $call.op as u32))
    };
    ($cx:ident $code:ident $call:ident $name:ident spirv($op:ident)) => {
        values::spirv($cx, $code, $call, Op::$op)
    };
    ($cx:ident $code:ident $call:ident $name:ident glsl($op:ident)) => {
        values::glsl($cx, $code, $call, GlslStd450Op::$op)
    };
    ($cx:ident $code:ident $call:ident $name:ident builtin($op:ident)) => {
        values::builtin($cx, $code, $call, BuiltIn::$op)
    };
    ($cx:ident $code:ident $call:ident $name:ident func($group:ident :: $function:ident)) => {
        match args::$name::view($call.args) {
            Some(args) => $group::$function($cx, $code, $call, args),
            None => Err(bug!($call.place, "{} with {} operands", $call.op, $call.args.len())),
        }
    };
}

macro_rules! dispatch {
    ($(
        $group:ident $code:literal $name:ident($($operand:ident: $ty:ident$([$mark:ident])?),*) -> $result:ident:
            $class:ident $overloads:literal, $effect:ident, $tangle:ident, $stages:ident, $model:literal
            => $home:ident$(($($home_arg:tt)+))?;
    )+) => {
        /// Lowers a DXIL operation as its row says.
        fn operation(cx: &mut Context<'_>, code: &mut Code<'_, '_>, call: &Call<'_>) -> Result<Lowered> {
            match call.op {
                $(OpCode::$name => home!(cx code call $name $home $(($($home_arg)+))?),)+
            }
        }
    };
}
for_each_dxil_op!(dispatch);
