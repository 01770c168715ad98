//! Random functions against an interpreter: whatever is said to be known of a value holds in every
//! execution. A function has straight code, a loop with two parameters, and code after the loop.

use dxil_test_support::Random;

use super::*;
use crate::ir::{BlockCall, BlockData, CmpOp, ConstKind, ControlFlowHints, Terminator};

/// A number as programs have them: small, a power of two, a multiple of one, a mask, or any.
fn number(random: &mut Random) -> u64 {
    let shift = random.below(12u64);
    match random.below(6) {
        0 => random.bits() % 40,
        1 => 1 << shift,
        2 => random.bits() << shift,
        3 => !0 << shift,
        4 => !(!0 << shift),
        _ => random.bits(),
    }
}

const WIDTHS: [u32; 4] = [16, 32, 32, 64];

const OPS: [BinaryOp; 11] = [
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Shl,
    BinaryOp::LShr,
    BinaryOp::AShr,
    BinaryOp::Mul,
    BinaryOp::Add,
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::And,
    BinaryOp::UDiv,
];

/// The types of a test's module.
struct Types {
    void: TypeId,
    bool: TypeId,
    ints: [(u32, TypeId); 4],
}

impl Types {
    fn new(module: &mut Module) -> Self {
        let mut int = |bits: u8| (u32::from(bits), module.types.intern(Type::Int(bits)));
        let ints = [int(16), int(24), int(32), int(64)];
        let (bool, void) = (int(1).1, module.types.intern(Type::Void));
        Types { void, bool, ints }
    }

    fn int(&self, width: u32) -> TypeId {
        self.ints.iter().find(|(bits, _)| *bits == width).expect("a width of the tests").1
    }
}

/// A function that grows.
struct Maker<'t> {
    module: Module,
    function: Function,
    types: &'t Types,
    /// The instructions of the block at hand.
    insts: Vec<crate::ir::Inst>,
    /// The values that may be used, with their widths.
    usable: Vec<(Value, u32)>,
}

impl Maker<'_> {
    fn constant(&mut self, value: u64, width: u32) -> Value {
        let ty = self.types.int(width);
        let value = Bits::constant(value, width).value().expect("a constant");
        self.module.consts.value(ty, ConstKind::Int(value))
    }

    fn local(&mut self, width: u32, def: Def) -> Value {
        let value = self.function.make_local(self.types.int(width), def);
        self.usable.push((value, width));
        value
    }

    fn operand(&mut self, random: &mut Random, width: u32) -> Value {
        let all: Vec<Value> = self.usable.iter().filter(|(_, bits)| *bits == width).map(|(value, _)| *value).collect();
        if all.is_empty() || random.below(3) == 0 {
            let number = number(random);
            return self.constant(number, width);
        }
        random.pick(&all)
    }

    fn inst(&mut self, data: InstData, width: u32) -> Value {
        let inst = self.function.make_inst(data, Some(self.types.int(width)));
        self.insts.push(inst);
        let value = self.function.result(inst).expect("a result");
        self.usable.push((value, width));
        value
    }

    fn random_inst(&mut self, random: &mut Random) {
        let width = random.pick(&WIDTHS);
        let a = self.operand(random, width);
        let data = match random.below(12) {
            0 => {
                let to = random.pick(&WIDTHS);
                let op = match to.cmp(&width) {
                    std::cmp::Ordering::Less => CastOp::Trunc,
                    std::cmp::Ordering::Equal => return,
                    std::cmp::Ordering::Greater => random.pick(&[CastOp::ZExt, CastOp::SExt]),
                };
                self.inst(InstData::Cast { op, value: a }, to);
                return;
            }
            1 => {
                let (lhs, otherwise) = (self.operand(random, width), self.operand(random, width));
                let inst =
                    self.function.make_inst(InstData::Cmp { op: CmpOp::Ult, lhs, rhs: a }, Some(self.types.bool));
                self.insts.push(inst);
                let condition = self.function.result(inst).expect("a result");
                InstData::Select { condition, then: a, otherwise }
            }
            2 => {
                let op = random.pick(&[OpCode::IMad, OpCode::UMad, OpCode::UMin, OpCode::UMax, OpCode::IMin]);
                let (b, c) = (self.operand(random, width), self.operand(random, width));
                let args = match op {
                    OpCode::IMad | OpCode::UMad => self.function.make_list(&[a, b, c]),
                    _ => self.function.make_list(&[a, b]),
                };
                InstData::Op { op, precise: false, args }
            }
            _ => {
                let rhs = self.operand(random, width);
                InstData::Binary { op: random.pick(&OPS), precise: false, lhs: a, rhs }
            }
        };
        self.inst(data, width);
    }

    fn block(&mut self, params: Vec<Value>, terminator: Terminator) -> crate::ir::Block {
        let insts = std::mem::take(&mut self.insts);
        self.function.blocks.push(BlockData { params, insts, terminator, hints: ControlFlowHints::default() })
    }
}

/// A random function, and the values whose bits are asked for first.
fn random_function(random: &mut Random, base: &Module, types: &Types) -> (Module, Function) {
    let function = Function::new("random".into(), types.void, 0);
    let mut maker = Maker { module: base.clone(), function, types, insts: Vec::new(), usable: Vec::new() };
    for n in 0..2 {
        let width = random.pick(&WIDTHS);
        let arg = maker.local(width, Def::Arg(n));
        maker.function.args.push(arg);
    }
    let some = |random: &mut Random, most: usize| 1 + random.below(most);
    (0..some(random, 5)).for_each(|_| maker.random_inst(random));
    use dxil_base::entity::Entity;
    let (body, exit) = (crate::ir::Block::new(1), crate::ir::Block::new(2));
    if random.below(2) == 0 {
        maker.block(Vec::new(), Terminator::Return(None));
        return (maker.module, maker.function);
    }
    let widths = [random.pick(&WIDTHS), random.pick(&WIDTHS)];
    let mut args = |maker: &mut Maker<'_>| {
        let values = widths.map(|width| maker.operand(random, width));
        maker.function.make_list(&values)
    };
    let start = args(&mut maker);
    maker.block(Vec::new(), Terminator::Jump(BlockCall { block: body, args: start }));
    let params = widths.map(|width| maker.local(width, Def::Param(body))).to_vec();
    (0..some(random, 4)).for_each(|_| maker.random_inst(random));
    let mut args = |maker: &mut Maker<'_>| {
        let values = widths.map(|width| maker.operand(random, width));
        maker.function.make_list(&values)
    };
    let (again, out) = (args(&mut maker), args(&mut maker));
    let condition =
        maker.function.make_inst(InstData::Cmp { op: CmpOp::Ult, lhs: params[0], rhs: params[0] }, Some(types.bool));
    maker.insts.push(condition);
    let condition = maker.function.result(condition).expect("a result");
    let (then, otherwise) = (BlockCall { block: body, args: again }, BlockCall { block: exit, args: out });
    maker.block(params, Terminator::Branch { condition, then, otherwise });
    let params = widths.map(|width| maker.local(width, Def::Param(exit))).to_vec();
    (0..some(random, 3)).for_each(|_| maker.random_inst(random));
    maker.block(params, Terminator::Return(None));
    (maker.module, maker.function)
}

/// What a value is in an execution. Numbers are zero-extended.
struct Machine<'a> {
    module: &'a Module,
    function: &'a Function,
    values: Vec<u64>,
}

impl Machine<'_> {
    fn width(&self, value: Value) -> u32 {
        match self.module.types[self.module.type_of(self.function, value)] {
            Type::Int(bits) => u32::from(bits),
            _ => panic!("an integer"),
        }
    }

    fn get(&self, value: Value) -> u64 {
        match value.kind() {
            ValueKind::Local(local) => self.values[local],
            ValueKind::Const(constant) => self.module.consts.as_uint(constant).expect("a constant"),
        }
    }

    /// The value as a signed number.
    fn signed(&self, value: Value) -> i64 {
        let unused = 64 - self.width(value);
        (self.get(value) as i64) << unused >> unused
    }

    fn set(&mut self, value: Value, number: u64) {
        let unused = 64 - self.width(value);
        self.values[value.as_local().expect("a local")] = number << unused >> unused;
    }

    fn execute(&self, data: &InstData) -> u64 {
        match *data {
            InstData::Binary { op, lhs, rhs, .. } => {
                let (a, b, amount) = (self.get(lhs), self.get(rhs), self.get(rhs) % u64::from(self.width(lhs)));
                match op {
                    BinaryOp::Or => a | b,
                    BinaryOp::Xor => a ^ b,
                    BinaryOp::And => a & b,
                    BinaryOp::Shl => a << amount,
                    BinaryOp::LShr => a >> amount,
                    BinaryOp::AShr => (self.signed(lhs) >> amount) as u64,
                    BinaryOp::Mul => a.wrapping_mul(b),
                    BinaryOp::Add => a.wrapping_add(b),
                    BinaryOp::Sub => a.wrapping_sub(b),
                    BinaryOp::UDiv => a.checked_div(b).unwrap_or(u64::MAX),
                    _ => panic!("{op}"),
                }
            }
            InstData::Cast { op: CastOp::SExt, value } => self.signed(value) as u64,
            InstData::Cast { value, .. } => self.get(value),
            InstData::Cmp { lhs, rhs, .. } => u64::from(self.get(lhs) < self.get(rhs)),
            InstData::Select { condition, then, otherwise } => {
                self.get(if self.get(condition) != 0 { then } else { otherwise })
            }
            InstData::Op { op, args, .. } => {
                let args = self.function.list(args);
                let (a, b) = (self.get(args[0]), self.get(args[1]));
                match op {
                    OpCode::IMad | OpCode::UMad => a.wrapping_mul(b).wrapping_add(self.get(args[2])),
                    OpCode::UMin => a.min(b),
                    OpCode::UMax => a.max(b),
                    OpCode::IMin => self.signed(args[0]).min(self.signed(args[1])) as u64,
                    _ => panic!("{op}"),
                }
            }
            _ => panic!("{data:?}"),
        }
    }
}

/// Runs a function with random arguments, takes branches at random, and checks all known bits.
fn check(random: &mut Random, module: &Module, function: &Function, results: &[Bits], seed: u64) {
    let mut machine = Machine { module, function, values: vec![0; function.locals.len()] };
    let holds = |machine: &Machine<'_>, value: Value| {
        let (bits, number) = (results[value.as_local().expect("a local")], machine.get(value));
        assert!(bits.allows(number), "seed {seed}: {value} is {number:#x}, known {bits:x?}\n{function:#?}");
    };
    for &arg in &function.args {
        let number = number(random);
        machine.set(arg, number);
        holds(&machine, arg);
    }
    let mut at = function.blocks.keys().next();
    for _ in 0..8 {
        let Some(block) = at else { return };
        let block = &function.blocks[block];
        for &inst in &block.insts {
            let number = machine.execute(&function.insts[inst]);
            let result = function.result(inst).expect("a result");
            machine.set(result, number);
            holds(&machine, result);
        }
        let targets: Vec<BlockCall> = block.terminator.targets().collect();
        let Some(target) = (!targets.is_empty()).then(|| random.pick(&targets)) else { return };
        let args: Vec<u64> = function.list(target.args).iter().map(|&arg| machine.get(arg)).collect();
        for (&param, number) in function.blocks[target.block].params.iter().zip(args) {
            machine.set(param, number);
            holds(&machine, param);
        }
        at = Some(target.block);
    }
}

/// Checks random functions. Returns how many low bits were proved to be zero, of how many values.
fn against_execution(functions: u64) -> (u64, u64) {
    let mut base = Module::default();
    let types = Types::new(&mut base);
    let (mut zeros, mut values) = (0, 0);
    for seed in 0..functions {
        let mut random = Random::new(seed);
        let (module, function) = random_function(&mut random, &base, &types);
        let mut known = KnownBits::new(&module, &function);
        // The order of queries must not matter: begin anywhere.
        let first = random.below(function.locals.len());
        known.bits(Value::local(first));
        let results: Vec<Bits> = (0..function.locals.len()).map(|local| known.bits(Value::local(local))).collect();
        (0..2).for_each(|_| check(&mut random, &module, &function, &results, seed));
        let proved = results.iter().map(|bits| u64::from(bits.trailing_zeros().min(4)));
        zeros += proved.sum::<u64>();
        values += results.len() as u64;
    }
    (zeros, values)
}

#[test]
fn claims_hold_in_random_functions() {
    let (zeros, values) = against_execution(200_000);
    // Some bits are known.
    assert!(zeros > values / 4, "{zeros} low bits of {values} values");
}

#[test]
#[ignore = "ten million functions take minutes"]
fn claims_hold_in_ten_million_random_functions() {
    let (zeros, values) = against_execution(10_000_000);
    assert!(zeros > values / 4, "{zeros} low bits of {values} values");
}

/// What is known of a value in a function of one argument of this width, which `make` gives
/// instructions.
fn known(width: u32, make: impl FnOnce(&mut Maker<'_>, Value) -> Value) -> Bits {
    let mut module = Module::default();
    let types = Types::new(&mut module);
    let function = Function::new("one".into(), types.void, 0);
    let mut maker = Maker { module, function, types: &types, insts: Vec::new(), usable: Vec::new() };
    let arg = maker.local(width, Def::Arg(0));
    let value = make(&mut maker, arg);
    KnownBits::new(&maker.module, &maker.function).bits(value)
}

/// What is known of the lowest bits of a value, at most four, in a function of one `i32` argument.
fn lowest(make: impl FnOnce(&mut Maker<'_>, Value) -> Value) -> (u32, u64) {
    let (count, bits) = known(32, make).lowest();
    (count.min(4), bits & 0xf)
}

fn binary_of(maker: &mut Maker<'_>, op: BinaryOp, lhs: Value, number: u64) -> Value {
    let rhs = maker.constant(number, 32);
    maker.inst(InstData::Binary { op, precise: false, lhs, rhs }, 32)
}

#[test]
fn addresses_as_compilers_write_them() {
    use BinaryOp::{Add, Mul, Or, Shl};
    let sum = |op: BinaryOp, factor: u64, more: BinaryOp, offset: u64| {
        lowest(move |maker, id| {
            let start = binary_of(maker, op, id, factor);
            binary_of(maker, more, start, offset)
        })
    };
    assert_eq!(sum(Shl, 4, Add, 16), (4, 0));
    assert_eq!(sum(Shl, 4, Or, 4), (4, 4));
    assert_eq!(sum(Shl, 2, Add, 20), (2, 0));
    assert_eq!(sum(Mul, 48, Add, 8), (4, 8));
    assert_eq!(sum(Mul, 12, Add, 0), (2, 0));
    assert_eq!(sum(Add, 0, Add, 0), (0, 0));
}

#[test]
fn loops_that_step_by_sixteen_stay_aligned() {
    use dxil_base::entity::Entity;
    let counter = |start: u64, step: u64| {
        lowest(move |maker, _| {
            let body = crate::ir::Block::new(1);
            let start = maker.constant(start, 32);
            let args = maker.function.make_list(&[start]);
            maker.block(Vec::new(), Terminator::Jump(BlockCall { block: body, args }));
            let counter = maker.local(32, Def::Param(body));
            let next = binary_of(maker, BinaryOp::Add, counter, step);
            let args = maker.function.make_list(&[next]);
            maker.block(vec![counter], Terminator::Jump(BlockCall { block: body, args }));
            counter
        })
    };
    assert_eq!(counter(0, 16), (4, 0));
    assert_eq!(counter(4, 48), (4, 4));
    assert_eq!(counter(16, 8), (3, 0));
    assert_eq!(counter(0, 1), (0, 0));
}

#[test]
fn long_chains_and_cycles_end() {
    // A chain of 200,000 additions, asked for from its end: no recursion, linear time.
    let (count, _) = lowest(|maker, arg| {
        let start = binary_of(maker, BinaryOp::Shl, arg, 3);
        (0..200_000).fold(start, |sum, _| binary_of(maker, BinaryOp::Add, sum, 8))
    });
    assert_eq!(count, 3);
    // In unreachable code an instruction may use its own result.
    let (count, _) = lowest(|maker, _| {
        let zero = maker.constant(0, 32);
        let data = InstData::Binary { op: BinaryOp::Add, precise: false, lhs: zero, rhs: zero };
        let value = maker.inst(data, 32);
        let inst = *maker.insts.last().expect("an instruction");
        maker.function.insts[inst] = InstData::Binary { op: BinaryOp::Add, precise: false, lhs: value, rhs: value };
        value
    });
    assert_eq!(count, 0);
}

/// The bits of a choice, a product and a sum are those of their operands.
#[test]
fn operations_are_looked_into() {
    let result = |op: OpCode, b: u64, c: Option<u64>| {
        lowest(move |maker, id| {
            let start = binary_of(maker, BinaryOp::Shl, id, 2);
            let mut args = vec![start, maker.constant(b, 32)];
            args.extend(c.map(|c| maker.constant(c, 32)));
            let args = maker.function.make_list(&args);
            maker.inst(InstData::Op { op, precise: false, args }, 32)
        })
    };
    for op in [OpCode::IMad, OpCode::UMad] {
        assert_eq!(result(op, 4, Some(8)), (4, 8), "{op}");
    }
    for op in [OpCode::IMin, OpCode::IMax, OpCode::UMin, OpCode::UMax] {
        assert_eq!(result(op, 8, None), (2, 0), "{op}");
    }
    assert_eq!(result(OpCode::FirstbitLo, 8, None), (0, 0));
}

/// All branches pass one known value, so the parameter keeps what is known of its high bits.
#[test]
fn a_parameter_keeps_what_all_arguments_have() {
    use dxil_base::entity::Entity;
    let found = known(32, |maker, arg| {
        let next = crate::ir::Block::new(1);
        let value = binary_of(maker, BinaryOp::And, arg, 0xf0);
        let args = maker.function.make_list(&[value]);
        maker.block(Vec::new(), Terminator::Jump(BlockCall { block: next, args }));
        let param = maker.local(32, Def::Param(next));
        maker.block(vec![param], Terminator::Return(None));
        param
    });
    assert_eq!(found, Bits::unknown(32).and(Bits::constant(0xf0, 32)));
}

/// The number of bits of a shift is its amount modulo the width, which is a mask only where the
/// width is a power of two.
#[test]
fn shifts_in_other_widths_are_unknown() {
    let shifted = |op: BinaryOp, width: u32| {
        known(width, |maker, arg| {
            let rhs = maker.constant(0xf00, width);
            let lhs = maker.inst(InstData::Binary { op: BinaryOp::And, precise: false, lhs: arg, rhs }, width);
            let rhs = maker.constant(8, width);
            maker.inst(InstData::Binary { op, precise: false, lhs, rhs }, width)
        })
    };
    for (op, mask) in [(BinaryOp::Shl, 0xf_0000), (BinaryOp::LShr, 0xf), (BinaryOp::AShr, 0xf)] {
        assert_eq!(shifted(op, 32), Bits::unknown(32).and(Bits::constant(mask, 32)), "{op}");
        assert_eq!(shifted(op, 24), Bits::unknown(24), "{op}");
    }
}
