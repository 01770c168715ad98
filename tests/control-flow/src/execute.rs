//! Executes the DXIL of a compiled program on the CPU, block by block and one thread at a time.
//!
//! In: a container compiled from a generated program (it reads one buffer and writes another), the
//! input words, and the results of each thread's wave operations, which [`interpret::recorded`]
//! computes from the source. Out: the output words. What must hold: neither the structurizer nor
//! SPIR-V takes part, and because the results of wave operations are given, no rule for
//! reconvergence is needed. A difference between these words and the source's is therefore a fault
//! of the compiler.

use std::collections::HashMap;
use std::fmt;

use dxil_translator::Shader;
use dxil_translator::ir::{
    BinaryOp, Block, BlockCall, CastOp, CmpOp, ConstKind, Func, Function, InstData, Module, Terminator, Type, Value,
    ValueKind,
};
use dxil_translator::ops::OpCode;

use crate::interpret::Answer;
use crate::{INPUTS, OUTPUTS, STEPS, THREADS, generate, interpret};

/// The deepest nesting of calls.
const DEPTH: usize = 8;

/// A value of the IR.
#[derive(Clone, Debug)]
enum Val {
    /// An integer, zero-extended from its width.
    Int(u64),
    /// An address: an object in memory, and a cell of it.
    Pointer(usize, u64),
    /// The members of a structure.
    Members(Vec<u64>),
    /// A resource handle: true for the buffer that is written.
    Handle(bool),
}

/// The reason why a program was not executed to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Refused {
    /// The program uses something that this module does not execute, or exceeds a limit. That says
    /// nothing about the compiler.
    Unknown(String),
    /// A thread reached a wave operation other than the source's next one, or one more than the
    /// source executes. A compiler may not add or replace wave operations, so the thread is at a
    /// place that it does not reach in the source (for example after a `return`).
    Strays(String),
}

impl From<String> for Refused {
    fn from(text: String) -> Self {
        Self::Unknown(text)
    }
}

impl From<&str> for Refused {
    fn from(text: &str) -> Self {
        Self::Unknown(text.to_owned())
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Unknown(text) | Self::Strays(text)) = self;
        f.write_str(text)
    }
}

struct Machine<'p> {
    module: &'p Module,
    inputs: &'p [u32],
    out: Vec<u32>,
    thread: u32,
    /// The number of lanes in a subgroup for which the answers were computed.
    lanes: u32,
    /// The results of the thread's wave operations that have not been executed yet.
    answers: std::slice::Iter<'p, Answer>,
    /// The objects in memory, allocas and globals, as lists of cells.
    objects: Vec<Vec<u64>>,
    globals: HashMap<usize, usize>,
    steps: usize,
}

/// The subgroup size with which [`is_miscompiled`] executes programs, in lanes.
const LANES: usize = 8;
/// The most instructions that a thread may execute in [`is_miscompiled`].
const INSTRUCTIONS: usize = 1 << 20;

/// Whether a compiled program computes other words than its source, or strays from it. The wave
/// operations give the results that they have in the source, so the difference is a fault of the
/// compiler, whichever driver runs the program.
///
/// # Errors
/// If the program cannot be executed here; the text is the reason.
pub fn is_miscompiled(seed: u32, container: &[u8]) -> Result<bool, String> {
    let (want, ended) = both(seed, container)?;
    match ended {
        Ok(got) => Ok(got != want),
        Err(Refused::Strays(_)) => Ok(true),
        Err(refused) => Err(refused.to_string()),
    }
}

/// The output words of an executed container.
type Ended = Result<Vec<u32>, Refused>;

/// The output words of the source, and the result of executing the container.
fn both(seed: u32, container: &[u8]) -> Result<(Vec<u32>, Ended), String> {
    let inputs = generate::inputs(seed);
    let (want, answers) = interpret::recorded(&generate(seed), &inputs, LANES, 4 * STEPS)
        .map_err(|_| "the source executes too many statements".to_owned())?;
    Ok((want, outputs(container, &inputs, LANES, &answers, INSTRUCTIONS)))
}

/// All output words of a dispatch in subgroups of `lanes`. `answers` has the results of each
/// thread's wave operations.
///
/// # Errors
/// If a wave operation is not the one that the source executes there, the container cannot be read
/// or has an operation that this module does not execute, or a thread executes more than `steps`
/// instructions.
fn outputs(
    container: &[u8],
    inputs: &[u32],
    lanes: usize,
    answers: &[Vec<Answer>],
    steps: usize,
) -> Result<Vec<u32>, Refused> {
    let shader = Shader::parse(container).map_err(|e| e.to_string())?;
    let entry = shader.find_entry(None).map_err(|e| e.to_string())?;
    let entry = shader.entry(entry).ok_or("no entry point")?;
    let mut machine = Machine {
        module: &shader.program().module,
        inputs,
        out: vec![0; THREADS * OUTPUTS],
        thread: 0,
        lanes: lanes as u32,
        answers: [].iter(),
        objects: Vec::new(),
        globals: HashMap::new(),
        steps,
    };
    for (thread, answers) in (0..THREADS as u32).zip(answers) {
        (machine.thread, machine.answers, machine.steps) = (thread, answers.iter(), steps);
        machine.objects.clear();
        machine.globals.clear();
        machine.call(entry.func, Vec::new(), 0)?;
    }
    Ok(machine.out)
}

/// The low `bits` bits of a value.
fn low(value: u64, bits: u8) -> u64 {
    value & u64::MAX >> (64 - u32::from(bits.clamp(1, 64)))
}

/// The low `bits` bits of a value as a signed integer.
fn signed(value: u64, bits: u8) -> i64 {
    let up = 64 - u32::from(bits.clamp(1, 64));
    (value << up).cast_signed() >> up
}

impl Machine<'_> {
    fn call(&mut self, func: Func, arguments: Vec<Val>, depth: usize) -> Result<Option<Val>, Refused> {
        if depth > DEPTH {
            return Err(format!("calls are nested deeper than {DEPTH}").into());
        }
        let function = &self.module.functions[func];
        let mut locals: Vec<Option<Val>> = vec![None; function.locals.len()];
        for (place, value) in function.args.iter().zip(arguments) {
            set(&mut locals, *place, value);
        }
        let mut block = match function.blocks.iter().next() {
            Some((entry, _)) => entry,
            None => return Err(format!("the function `{}` has no body", function.name).into()),
        };
        loop {
            let data = &function.blocks[block];
            for &inst in &data.insts {
                self.steps = self.steps.checked_sub(1).ok_or("the thread executes too many instructions")?;
                let value = self.inst(function, &function.insts[inst], function.result(inst), &locals, depth)?;
                if let (Some(result), Some(value)) = (function.result(inst), value) {
                    set(&mut locals, result, value);
                }
            }
            let target = match &data.terminator {
                Terminator::Jump(target) => *target,
                Terminator::Branch { condition, then, otherwise } => {
                    if self.int(&locals, *condition)? != 0 {
                        *then
                    } else {
                        *otherwise
                    }
                }
                Terminator::Switch { selector, default, cases } => {
                    let value = self.int(&locals, *selector)?;
                    cases.iter().find(|(label, _)| *label == value).map_or(*default, |(_, target)| *target)
                }
                Terminator::Return(value) => return value.map(|v| self.value(&locals, v)).transpose(),
                Terminator::Unreachable => return Err("the thread reached an `unreachable` terminator".into()),
            };
            block = self.go(function, &mut locals, target)?;
        }
    }

    /// Assigns a block's parameters. All arguments are read before the first parameter is written.
    fn go(&self, function: &Function, locals: &mut [Option<Val>], target: BlockCall) -> Result<Block, Refused> {
        let values: Vec<Val> =
            function.list(target.args).iter().map(|&v| self.value(locals, v)).collect::<Result<_, _>>()?;
        for (&param, value) in function.blocks[target.block].params.iter().zip(values) {
            set(locals, param, value);
        }
        Ok(target.block)
    }

    fn value(&self, locals: &[Option<Val>], value: Value) -> Result<Val, Refused> {
        let constant = match value.kind() {
            ValueKind::Local(i) => {
                return locals
                    .get(i)
                    .cloned()
                    .flatten()
                    .ok_or_else(|| format!("{value} is used before its definition").into());
            }
            ValueKind::Const(constant) => constant,
        };
        let data = &self.module.consts[constant];
        match &data.kind {
            ConstKind::Int(n) => Ok(Val::Int(*n)),
            // `undef` may be any value, because the source's result does not depend on it.
            ConstKind::Null | ConstKind::Undef => Ok(Val::Int(0)),
            other => Err(format!("unsupported constant {other:?}").into()),
        }
    }

    fn int(&self, locals: &[Option<Val>], value: Value) -> Result<u64, Refused> {
        match self.value(locals, value)? {
            Val::Int(n) => Ok(n),
            other => Err(format!("expected an integer, but {value} is {other:?}").into()),
        }
    }

    fn bits(&self, function: &Function, value: Value) -> u8 {
        self.module.types.scalar_bits(self.module.type_of(function, value)).unwrap_or(64)
    }

    /// The object of an address, and the cell in it.
    fn address(&mut self, locals: &[Option<Val>], value: Value) -> Result<(usize, u64), Refused> {
        let Some(mut constant) = value.as_const() else {
            return match self.value(locals, value)? {
                Val::Pointer(object, cell) => Ok((object, cell)),
                other => Err(format!("expected an address, but {value} is {other:?}").into()),
            };
        };
        let mut cell = 0;
        loop {
            match &self.module.consts[constant].kind {
                ConstKind::Gep { base, indices } => {
                    cell += indices.iter().filter_map(|&i| self.module.consts.as_uint(i)).sum::<u64>();
                    constant = *base;
                }
                ConstKind::GlobalAddr(global) => {
                    let data = &self.module.globals[*global];
                    let cells = self.cells(data.ty)?;
                    // The globals are `dx.break.cond` and the statics that a function which is not
                    // inlined shares with its callers. All of them are initialised with zeros.
                    let is_zero = |kind: &ConstKind| matches!(kind, ConstKind::Null | ConstKind::Int(0));
                    if data.init.is_some_and(|c| !is_zero(&self.module.consts[c].kind)) {
                        return Err(format!("the global `{}` has an initialiser other than zero", data.name).into());
                    }
                    let key = dxil_base::entity::Entity::index(*global);
                    let next = self.objects.len();
                    let object = *self.globals.entry(key).or_insert(next);
                    if object == next {
                        self.objects.push(vec![0; cells]);
                    }
                    return Ok((object, cell));
                }
                other => return Err(format!("unsupported base of an address: {other:?}").into()),
            }
        }
    }

    /// The number of cells of a variable, which is an integer or an array of integers.
    fn cells(&self, ty: dxil_translator::ir::TypeId) -> Result<usize, Refused> {
        match &self.module.types[ty] {
            Type::Int(_) => Ok(1),
            Type::Array { element, len } if matches!(self.module.types[*element], Type::Int(_)) => Ok(*len as usize),
            other => Err(format!("unsupported type of a variable: {other:?}").into()),
        }
    }

    fn inst(
        &mut self,
        function: &Function,
        data: &InstData,
        result: Option<Value>,
        locals: &[Option<Val>],
        depth: usize,
    ) -> Result<Option<Val>, Refused> {
        let width = result.map_or(64, |value| self.bits(function, value));
        Ok(Some(match *data {
            InstData::Binary { op, lhs, rhs, .. } => {
                let (a, b) = (self.int(locals, lhs)?, self.int(locals, rhs)?);
                Val::Int(low(binary(op, width, a, b)?, width))
            }
            InstData::Cmp { op, lhs, rhs } => {
                let (a, b, bits) = (self.int(locals, lhs)?, self.int(locals, rhs)?, self.bits(function, lhs));
                Val::Int(u64::from(compare(op, bits, a, b)?))
            }
            InstData::Cast { op, value } => {
                let (n, from) = (self.int(locals, value)?, self.bits(function, value));
                match op {
                    CastOp::Trunc | CastOp::ZExt => Val::Int(low(n, width)),
                    CastOp::SExt => Val::Int(low(signed(n, from).cast_unsigned(), width)),
                    op => return Err(format!("unsupported cast {op}").into()),
                }
            }
            InstData::Select { condition, then, otherwise } => {
                let chosen = if self.int(locals, condition)? != 0 { then } else { otherwise };
                self.value(locals, chosen)?
            }
            InstData::Alloca { ty } => {
                let cells = self.cells(ty)?;
                self.objects.push(vec![0; cells]);
                Val::Pointer(self.objects.len() - 1, 0)
            }
            InstData::Gep { base, indices } => {
                let (object, mut cell) = self.address(locals, base)?;
                for &index in function.list(indices) {
                    cell += self.int(locals, index)?;
                }
                Val::Pointer(object, cell)
            }
            InstData::Load { ptr, .. } => {
                let (object, cell) = self.address(locals, ptr)?;
                Val::Int(*self.objects[object].get(cell as usize).ok_or("a load is out of its variable's bounds")?)
            }
            InstData::Store { ptr, value, .. } => {
                let ((object, cell), value) = (self.address(locals, ptr)?, self.int(locals, value)?);
                *self.objects[object].get_mut(cell as usize).ok_or("a store is out of its variable's bounds")? = value;
                return Ok(None);
            }
            InstData::ExtractValue { aggregate, first, .. } => match self.value(locals, aggregate)? {
                Val::Members(members) => {
                    let index = function.indices.get(first as usize).copied().unwrap_or_default();
                    Val::Int(*members.get(index as usize).ok_or("extractvalue names a missing member")?)
                }
                other => return Err(format!("extractvalue of {other:?}").into()),
            },
            InstData::Call { func, args } => {
                let values = function.list(args).iter().map(|&v| self.value(locals, v)).collect::<Result<_, _>>()?;
                return self.call(func, values, depth + 1);
            }
            InstData::Op { op, args, .. } => return self.operation(op, function.list(args), locals),
            ref other => return Err(format!("unsupported instruction {other:?}").into()),
        }))
    }

    /// The result of the next wave operation, which must be `op`.
    fn answer(&mut self, op: OpCode) -> Result<u64, Refused> {
        match self.answers.next() {
            Some(&(of, value)) if of == op => Ok(u64::from(value)),
            Some((other, _)) => {
                Err(Refused::Strays(format!("thread {} executes {op}, but the source {other}", self.thread)))
            }
            None => Err(Refused::Strays(format!(
                "thread {} executes {op}, but the source has no further wave operation",
                self.thread
            ))),
        }
    }

    fn operation(&mut self, op: OpCode, args: &[Value], locals: &[Option<Val>]) -> Result<Option<Val>, Refused> {
        let arg = |n: usize| args.get(n).copied().ok_or_else(|| format!("{op} has no operand {n}"));
        let int = |n: usize| self.int(locals, arg(n)?);
        Ok(Some(match op {
            OpCode::CreateHandle => Val::Handle(int(0)? == 1),
            OpCode::ThreadId => Val::Int(if int(0)? == 0 { u64::from(self.thread) } else { 0 }),
            OpCode::UMax => Val::Int(int(0)?.max(int(1)?)),
            OpCode::UMin => Val::Int(int(0)?.min(int(1)?)),
            OpCode::BufferLoad => {
                let at = int(1)? as usize / 4;
                let word = |n: usize| u64::from(self.inputs.get(at + n).copied().unwrap_or(0));
                match self.value(locals, arg(0)?)? {
                    Val::Handle(false) if at + 4 <= THREADS * INPUTS => Val::Members((0..4).map(word).collect()),
                    _ => return Err("a buffer load does not read the inputs".into()),
                }
            }
            OpCode::BufferStore => {
                let (at, mask) = (int(1)? as usize / 4, int(7)?);
                let words = [int(3)?, int(4)?, int(5)?, int(6)?];
                for (n, word) in words.into_iter().enumerate().filter(|(n, _)| mask >> n & 1 == 1) {
                    *self.out.get_mut(at + n).ok_or("a store is out of bounds of the outputs")? = word as u32;
                }
                return Ok(None);
            }
            OpCode::WaveGetLaneIndex => Val::Int(u64::from(self.thread % self.lanes)),
            OpCode::WavePrefixOp
            | OpCode::WavePrefixBitCount
            | OpCode::WaveIsFirstLane
            | OpCode::WaveActiveOp
            | OpCode::WaveActiveBit
            | OpCode::WaveReadLaneFirst
            | OpCode::WaveAnyTrue
            | OpCode::WaveAllTrue
            | OpCode::WaveAllBitCount => Val::Int(self.answer(op)?),
            OpCode::WaveActiveBallot => Val::Members(vec![self.answer(op)?, 0, 0, 0]),
            op => return Err(format!("unsupported operation {op}").into()),
        }))
    }
}

fn set(locals: &mut [Option<Val>], place: Value, value: Val) {
    if let Some(slot) = place.as_local().and_then(|i| locals.get_mut(i)) {
        *slot = Some(value);
    }
}

fn binary(op: BinaryOp, bits: u8, a: u64, b: u64) -> Result<u64, Refused> {
    let shift = || b % u64::from(bits);
    Ok(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl => a << shift(),
        BinaryOp::LShr => a >> shift(),
        BinaryOp::AShr => (signed(a, bits) >> shift()).cast_unsigned(),
        BinaryOp::UDiv if b != 0 => a / b,
        BinaryOp::URem if b != 0 => a % b,
        op => return Err(format!("unsupported: {op} of {a} and {b}").into()),
    })
}

fn compare(op: CmpOp, bits: u8, a: u64, b: u64) -> Result<bool, Refused> {
    let (x, y) = (signed(a, bits), signed(b, bits));
    Ok(match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Ugt => a > b,
        CmpOp::Uge => a >= b,
        CmpOp::Ult => a < b,
        CmpOp::Ule => a <= b,
        CmpOp::Sgt => x > y,
        CmpOp::Sge => x >= y,
        CmpOp::Slt => x < y,
        CmpOp::Sle => x <= y,
        op => return Err(format!("unsupported comparison {op}").into()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For every committed program and level, two independent interpreters agree: the one of the
    /// source and the one of the DXIL.
    #[test]
    fn compiled_programs_do_what_their_sources_say() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
        let (mut seen, mut wrong) = (0, Vec::new());
        for entry in std::fs::read_dir(&folder).expect("the programs").flatten() {
            let path = entry.path();
            let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
            let Some((seed, _)) = name.split_once('.').filter(|_| name.ends_with(".dxil")) else { continue };
            let seed: u32 = seed.parse().expect("a seed");
            let container = std::fs::read(&path).expect("a container");
            match is_miscompiled(seed, &container) {
                Ok(false) => {}
                Ok(true) => wrong.push(format!("{name} does not compute what its source computes")),
                Err(reason) => wrong.push(format!("{name}: {reason}")),
            }
            seen += 1;
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(seen >= 600, "{seen} programs");
    }

    /// At -Od DXC unrolls a loop that has both a `break` and a `return`, and compiles the `return`
    /// to a `break`.
    #[test]
    fn a_return_that_the_compiler_makes_a_break_is_its_fault() {
        let (_, ended) = both(41_558_429, include_bytes!("../miscompiled/41558429.Od.dxil")).expect("steps");
        assert!(matches!(ended, Err(Refused::Strays(_))), "{ended:?}");
    }

    /// DXC takes a value that is zero in the later iterations of a loop for zero in the first
    /// iteration as well, so that threads never reach the `WaveActiveAllTrue`.
    #[test]
    fn a_first_round_that_the_compiler_takes_for_a_later_one_is_its_fault() {
        let (_, ended) = both(51_000_976, include_bytes!("../miscompiled/51000976.O1.dxil")).expect("steps");
        assert!(matches!(ended, Err(Refused::Strays(_))), "{ended:?}");
    }
}
