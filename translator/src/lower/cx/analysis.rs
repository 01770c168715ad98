//! What is known of a function and its values before they are lowered, and on demand.

use foldhash::{HashMap, HashSet};

use super::input::Inputs;
use crate::analysis::bits::Bits;
use crate::analysis::entry::Interlock;
use crate::analysis::float_range::{FloatRange, FloatRanges};
use crate::analysis::handles::HandleTable;
use crate::analysis::known_bits::KnownBits;
use crate::ir::{BinaryOp, Func, Function, Inst, InstData, Module, Terminator, Value};
use crate::ops::consts::ShaderStage;

/// How many additions of constants are looked through.
const SUMS: usize = 16;

/// The analysis of one function. Of single values it is made when they are asked for.
pub struct FunctionAnalysis<'a> {
    module: &'a Module,
    function: &'a Function,
    /// The function's handles.
    pub handles: HandleTable<'a>,
    /// The critical section, if the function is the entry's and needs one.
    pub interlock: Option<Interlock>,
    /// For each local the mask of its first eight members that are extracted.
    pub extracted: &'a [u8],
    /// The upper bounds of numbers that were asked for (`stages::group`).
    pub bounds: HashMap<Value, Option<u64>>,
    known: KnownBits<'a>,
    floats: FloatRanges<'a>,
    /// The last instructions of the blocks that return no value, once they are asked for.
    last: Option<HashSet<Inst>>,
}

impl<'a> FunctionAnalysis<'a> {
    /// Analyses a function that the entry reaches. The cost is one visit of each instruction.
    pub fn new(Inputs { program, entry, analysis, .. }: Inputs<'a>, func: Func) -> Self {
        let (module, function) = (&program.module, &program.module.functions[func]);
        let pixel = (entry.stage == ShaderStage::Pixel).then(|| &*entry.inputs);
        Self {
            module,
            function,
            handles: program.handles.of(func),
            interlock: analysis.pixel.interlock.filter(|_| func == entry.func),
            extracted: analysis.extracted.of(func),
            bounds: HashMap::default(),
            known: KnownBits::new(module, function),
            floats: FloatRanges::new(module, function, pixel),
            last: None,
        }
    }

    /// What is known of the bits of a value.
    pub fn known_bits(&mut self, value: Value) -> Bits {
        self.known.bits(value)
    }

    /// The range of a float.
    pub fn float_range(&mut self, value: Value) -> FloatRange {
        self.floats.range(value, &mut self.known)
    }

    /// Whether an instruction is the last one before the function returns without a value.
    pub fn is_last(&mut self, inst: Inst) -> bool {
        let function = self.function;
        // Searching the blocks at each question would take their number times that of the
        // questions.
        let last = self.last.get_or_insert_with(|| {
            let returning =
                function.blocks.values().filter(|block| matches!(block.terminator, Terminator::Return(None)));
            returning.filter_map(|block| block.insts.last().copied()).collect()
        });
        last.contains(&inst)
    }

    /// Whether a member of an instruction's result is ever read. The ninth and later members count
    /// as read.
    pub fn is_extracted(&self, inst: Inst, member: u32) -> bool {
        let result = self.function.result(inst).and_then(Value::as_local);
        result
            .and_then(|r| self.extracted.get(r))
            .is_none_or(|mask| mask.checked_shr(member).is_none_or(|bits| bits & 1 != 0))
    }

    /// A number of 32 bits as a sum of a value and a constant, modulo 2^32.
    pub fn without_constant(&mut self, value: Value) -> (Option<Value>, u32) {
        let (mut base, mut sum) = (value, 0u32);
        for _ in 0..SUMS {
            if let Some(constant) = self.module.const_uint(base) {
                return (None, sum.wrapping_add(constant as u32));
            }
            let Some((_, &InstData::Binary { op, lhs, rhs, .. })) = self.function.def_inst(base) else { break };
            let (other, constant) = match (self.module.const_uint(lhs), self.module.const_uint(rhs)) {
                (_, Some(constant)) => (lhs, constant),
                (Some(constant), _) => (rhs, constant),
                _ => break,
            };
            // `or` is a sum where no bit is in both.
            let disjoint = |known: Bits| known.and(Bits::constant(constant, 32)).value() == Some(0);
            match op {
                BinaryOp::Add => {}
                BinaryOp::Or if disjoint(self.known.bits(other)) => {}
                _ => break,
            }
            (base, sum) = (other, sum.wrapping_add(constant as u32));
        }
        (Some(base), sum)
    }
}
