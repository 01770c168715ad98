//! What is known of the bits of a function's integers ([`Bits`]).
//!
//! In: a verified function. Out, on demand: the known bits of a value. What must hold: a value has
//! these bits in every execution that reaches its definition. Each value is looked at a bounded
//! number of times, so all queries of a function together cost time linear in its size.
//!
//! Loops are taken for what their first iterations show, as in `for (i = start; …; i += 16)`: the
//! bits of a block parameter are at first those of the arguments that are known, and are weakened
//! by the others until nothing changes. At that point the bits are a fixed point: those of a first
//! iteration hold because its arguments come from outside, and those of each later one because they
//! held before it. Weakening keeps only the lowest known bits, because a counter would lose its
//! high bits one by one. Where the bits still change after [`ROUNDS`] rounds, nothing is taken as
//! known of any parameter involved.

use crate::analysis::bits::Bits;
use crate::ir::{BinaryOp, CastOp, Def, Function, InstData, Module, Type, TypeId, Value, ValueKind};
use crate::ops::OpCode;

/// How often the known bits of a loop are weakened.
const ROUNDS: usize = 8;

/// The known bits of the integers of one function.
pub struct KnownBits<'a> {
    module: &'a Module,
    function: &'a Function,
    /// Of each local that is in the slice of a query, as an operand of operands: what was found of
    /// it until now. `None` for one that no query has needed.
    found: Vec<Option<Option<Bits>>>,
    /// The parameters with the arguments that branches pass to them, in the order of the
    /// parameters, once a query needs them.
    arguments: Option<Vec<(Value, Value)>>,
    /// Memory for the slice of a query, which all of them use in turn.
    walk: Walk,
}

/// The search for the values that a value is computed from.
#[derive(Default)]
struct Walk {
    /// The locals that are found. Each comes after its operands; the arguments of a parameter are
    /// not its operands.
    slice: Vec<usize>,
    /// The values whose operands are to be found.
    roots: Vec<Value>,
    /// The locals on the way from a root, and whether their operands are done.
    stack: Vec<(usize, bool)>,
}

impl<'a> KnownBits<'a> {
    /// The state before the first query.
    pub fn new(module: &'a Module, function: &'a Function) -> Self {
        KnownBits { module, function, found: Vec::new(), arguments: None, walk: Walk::default() }
    }

    /// The known bits of a value. Nothing is known of a value that is not an integer.
    pub fn bits(&mut self, value: Value) -> Bits {
        if value.as_local().is_some() {
            self.found.resize(self.function.locals.len(), None);
            self.solve(value);
        }
        self.current(value).unwrap_or(Bits::unknown(64))
    }

    /// The width of the integers of a type.
    fn width(&self, ty: TypeId) -> Option<u32> {
        match self.module.types[ty] {
            Type::Int(bits) => Some(u32::from(bits)),
            _ => None,
        }
    }

    /// What was found of a value until now.
    fn current(&self, value: Value) -> Option<Bits> {
        match value.kind() {
            ValueKind::Local(local) => self.found.get(local).copied().flatten().flatten(),
            ValueKind::Const(constant) => {
                let width = self.width(self.module.consts[constant].ty)?;
                let known = self.module.consts.as_uint(constant).map(|value| Bits::constant(value, width));
                Some(known.unwrap_or(Bits::unknown(width)))
            }
        }
    }

    /// Finds the bits of a value and of everything that it is computed from.
    fn solve(&mut self, value: Value) {
        let mut walk = std::mem::take(&mut self.walk);
        walk.slice.clear();
        self.find_slice(value, &mut walk);
        self.solve_slice(&walk.slice);
        self.walk = walk;
    }

    /// Finds the bits of the values of a slice.
    fn solve_slice(&mut self, slice: &[usize]) {
        for _ in 0..ROUNDS {
            let mut changed = false;
            for &local in slice {
                let (bits, is_param) = (self.evaluate(local), self.is_param(local));
                let Some(Some(found)) = self.found.get_mut(local) else { continue };
                let bits = match (*found, bits) {
                    (Some(before), Some(now)) if is_param && before.either(now) != before => {
                        Some(before.either(now).only_lowest())
                    }
                    (Some(before), Some(_)) if is_param => Some(before),
                    (_, bits) => bits,
                };
                changed |= *found != bits;
                *found = bits;
            }
            if !changed {
                return self.fill_unknown(slice);
            }
        }
        // Without known bits of parameters the rest follows in one more round, because the slice
        // has each value after its operands.
        for &local in slice {
            let bits = if self.is_param(local) { None } else { self.evaluate(local) };
            let bits = bits.unwrap_or(self.unknown(local));
            if let Some(Some(found)) = self.found.get_mut(local) {
                *found = Some(bits);
            }
        }
    }

    /// Marks all bits of the values without a result as unknown. They depend on themselves alone,
    /// so no execution reaches them.
    fn fill_unknown(&mut self, slice: &[usize]) {
        for &local in slice {
            let unknown = self.unknown(local);
            if let Some(Some(found)) = self.found.get_mut(local) {
                found.get_or_insert(unknown);
            }
        }
    }

    /// The bits of a local of which nothing is known.
    fn unknown(&self, local: usize) -> Bits {
        let width = self.function.locals.get(local).and_then(|local| self.width(local.ty));
        Bits::unknown(width.unwrap_or(64))
    }

    fn is_param(&self, local: usize) -> bool {
        self.function.locals.get(local).is_some_and(|local| matches!(local.def, Def::Param(_)))
    }

    /// Finds the locals that a value is computed from, the value included, that no earlier query
    /// has visited.
    fn find_slice(&mut self, value: Value, Walk { slice, roots, stack }: &mut Walk) {
        roots.push(value);
        while let Some(root) = roots.pop() {
            stack.extend(root.as_local().map(|local| (local, false)));
            while let Some((local, done)) = stack.pop() {
                if done {
                    slice.push(local);
                    continue;
                }
                match self.found.get_mut(local) {
                    Some(found @ None) => *found = Some(None),
                    _ => continue,
                }
                stack.push((local, true));
                if self.is_param(local) {
                    self.find_arguments();
                    roots.extend(self.arguments(local));
                } else {
                    let operands = self.operands(local);
                    stack.extend(
                        operands.into_iter().flatten().filter_map(Value::as_local).map(|operand| (operand, false)),
                    );
                }
            }
        }
    }

    /// Finds the arguments that branches pass to parameters.
    fn find_arguments(&mut self) {
        let function = self.function;
        self.arguments.get_or_insert_with(|| {
            let mut all = Vec::new();
            for target in function.blocks.values().flat_map(|block| block.terminator.targets()) {
                let params = function.blocks[target.block].params.iter().copied();
                all.extend(params.zip(function.list(target.args).iter().copied()));
            }
            all.sort_by_key(|&(param, _)| param);
            all
        });
    }

    /// The arguments that branches pass to a parameter, if they [are known](Self::find_arguments).
    fn arguments(&self, local: usize) -> impl Iterator<Item = Value> {
        let (all, param) = (self.arguments.as_deref().unwrap_or_default(), Value::local(local));
        let start = all.partition_point(|&(other, _)| other < param);
        all.iter().skip(start).take_while(move |(other, _)| *other == param).map(|&(_, argument)| argument)
    }

    /// The instruction that defines a local, if its result is an integer.
    fn definition(&self, local: usize) -> Option<(InstData, u32)> {
        let found = self.function.locals.get(local)?;
        let width = self.width(found.ty)?;
        match found.def {
            Def::Inst(inst) => Some((self.function.insts[inst], width)),
            Def::Arg(_) | Def::Param(_) => None,
        }
    }

    /// The operands whose bits decide those of a local.
    fn operands(&self, local: usize) -> [Option<Value>; 3] {
        match self.definition(local).map(|(data, _)| data) {
            Some(InstData::Binary { lhs, rhs, .. }) => [Some(lhs), Some(rhs), None],
            Some(InstData::Cast { op: CastOp::Trunc | CastOp::ZExt | CastOp::SExt, value }) => {
                [Some(value), None, None]
            }
            Some(InstData::Select { then, otherwise, .. }) => [Some(then), Some(otherwise), None],
            Some(InstData::Op { op, args, .. }) if is_integer_op(op) => {
                let args = self.function.list(args);
                [args.first().copied(), args.get(1).copied(), args.get(2).copied()]
            }
            _ => [None; 3],
        }
    }

    /// The known bits of a local, from those of its operands or of a parameter's arguments. `None`
    /// while those have no result.
    fn evaluate(&self, local: usize) -> Option<Bits> {
        if self.is_param(local) {
            self.width(self.function.locals.get(local)?.ty).map_or(Some(Bits::unknown(64)), |_| {
                self.arguments(local).filter_map(|argument| self.current(argument)).reduce(Bits::either)
            })
        } else {
            let Some((data, width)) = self.definition(local) else { return Some(self.unknown(local)) };
            let [first, second, third] = self.operands(local);
            let Some(first) = first else { return Some(Bits::unknown(width)) };
            let a = self.current(first)?;
            let b = second.map_or(Some(a), |second| self.current(second))?;
            let c = third.map_or(Some(a), |third| self.current(third))?;
            let from = self.width(self.module.type_of(self.function, first)).unwrap_or(64);
            Some(match data {
                InstData::Binary { op, .. } => binary(op, a, b, width),
                InstData::Cast { op: CastOp::SExt, .. } => a.sext(from, width),
                InstData::Cast { .. } => a.cut(width),
                InstData::Op { op: OpCode::IMad | OpCode::UMad, .. } => a.mul(b, width).add(c, width),
                InstData::Op { op: OpCode::UMin, .. } => a.umin(b),
                // A choice, a minimum and a maximum are one of the two.
                _ => a.either(b),
            })
        }
    }
}

/// The operations whose results' bits follow from those of their operands.
fn is_integer_op(op: OpCode) -> bool {
    matches!(op, OpCode::IMad | OpCode::UMad | OpCode::IMin | OpCode::IMax | OpCode::UMin | OpCode::UMax)
}

fn binary(op: BinaryOp, a: Bits, b: Bits, width: u32) -> Bits {
    match op {
        BinaryOp::Add => a.add(b, width),
        BinaryOp::Sub => a.sub(b, width),
        BinaryOp::Mul => a.mul(b, width),
        BinaryOp::And => a.and(b),
        BinaryOp::Or => a.or(b),
        BinaryOp::Xor => a.xor(b),
        BinaryOp::Shl if width.is_power_of_two() => a.shl(b, width),
        BinaryOp::LShr if width.is_power_of_two() => a.lshr(b, width),
        BinaryOp::UDiv => a.udiv(b, width),
        BinaryOp::URem => a.urem(b, width),
        BinaryOp::AShr if width.is_power_of_two() => a.ashr(b, width),
        _ => Bits::unknown(width),
    }
}

#[cfg(test)]
mod tests;
