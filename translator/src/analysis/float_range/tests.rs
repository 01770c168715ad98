//! Random functions against an interpreter: a float is in its range in every execution. The
//! interpreter rounds as Rust does, and may flush denormal numbers.

use dxil_test_support::Random;

use super::*;
use crate::ir::{Def, TypeId};

/// The function with all values, by which tests name them.
struct Maker {
    module: Module,
    function: Function,
    float: TypeId,
    word: TypeId,
    /// Floats, and words.
    usable: [Vec<Value>; 2],
}

impl Maker {
    fn new() -> Self {
        let mut module = Module::default();
        let (float, word) = (module.types.intern(Type::Float(32)), module.types.intern(Type::Int(32)));
        let void = module.types.intern(Type::Void);
        let mut function = Function::new("floats".into(), void, 0);
        let usable = [float, word].map(|ty| (0..2).map(|n| function.make_local(ty, Def::Arg(n))).collect());
        Maker { module, function, float, word, usable }
    }

    fn float(&mut self, number: f32) -> Value {
        let kind = ConstKind::Float(number.to_bits().into());
        self.module.consts.value(self.float, kind)
    }

    fn inst(&mut self, data: InstData, ty: TypeId) -> Value {
        let inst = self.function.make_inst(data, Some(ty));
        let value = self.function.result(inst).expect("a result");
        self.usable[usize::from(ty == self.word)].push(value);
        value
    }

    fn op(&mut self, op: OpCode, operands: &[Value]) -> Value {
        let args = self.function.make_list(operands);
        self.inst(InstData::Op { op, precise: false, args }, self.float)
    }

    fn binary(&mut self, op: BinaryOp, lhs: Value, rhs: Value) -> Value {
        self.inst(InstData::Binary { op, precise: false, lhs, rhs }, self.float)
    }

    fn masked(&mut self, mask: u64) -> Value {
        let kind = ConstKind::Int(mask);
        let rhs = self.module.consts.value(self.word, kind);
        let lhs = self.usable[1][0];
        self.inst(InstData::Binary { op: BinaryOp::And, precise: false, lhs, rhs }, self.word)
    }

    fn random_inst(&mut self, random: &mut Random) {
        let numbers = [0.0, -0.0, 1.0, 0.5, 255.0, -3.25, 1e-20, 1e30, 3e38, f32::MIN_POSITIVE, 4_294_967_040.0];
        let pick = |maker: &mut Self, random: &mut Random| match random.below(3) {
            0 => {
                let number = random.pick(&numbers);
                maker.float(number)
            }
            _ => random.pick(&maker.usable[0]),
        };
        let [a, b, c] = [(); 3].map(|()| pick(self, random));
        use {BinaryOp as B, OpCode as O};
        match random.below(9) {
            0 => self.op(random.pick(&[O::FMin, O::FMax]), &[a, b]),
            1 => self.op(O::FMad, &[a, b, c]),
            2 | 3 => self.op(random.pick(&[O::Saturate, O::Frc, O::FAbs, O::Sqrt]), &[a]),
            4 => self.op(random.pick(&[O::Round_ne, O::Round_ni, O::Round_pi, O::Round_z]), &[a]),
            5 => {
                let op = random.pick(&[CastOp::UiToFp, CastOp::SiToFp]);
                let value = self.masked(random.pick(&[0xff, 0xffff, 0x7fff_ffff, 0xffff_ffff]));
                self.inst(InstData::Cast { op, value }, self.float)
            }
            6 => self.binary(B::FMul, a, a),
            _ => self.binary(random.pick(&[B::FAdd, B::FSub, B::FMul, B::FDiv]), a, b),
        };
    }

    /// The ranges of all floats, those of `first` asked for first.
    fn ranges(&self, first: &[Value]) -> Vec<(Value, FloatRange)> {
        let (mut ranges, mut known) =
            (FloatRanges::new(&self.module, &self.function, None), KnownBits::new(&self.module, &self.function));
        first.iter().chain(&self.usable[0]).map(|&value| (value, ranges.range(value, &mut known))).collect()
    }

    /// The values of all instructions for arguments. Denormal numbers are flushed if `flushes` says
    /// so.
    fn run(&self, floats: [f32; 2], words: [u32; 2], flushes: bool) -> Vec<u32> {
        let flush = |x: f32| if flushes && x.is_subnormal() { 0.0 * x } else { x };
        let mut values = vec![0; self.function.locals.len()];
        for (list, numbers) in self.usable.iter().zip([floats.map(f32::to_bits), words]) {
            for (value, number) in list.iter().zip(numbers) {
                values[value.as_local().expect("a local")] = number;
            }
        }
        for (local, found) in self.function.locals.iter().enumerate() {
            let Def::Inst(inst) = found.def else { continue };
            let word = |value: Value| match value.as_local() {
                Some(local) => values[local],
                None => match self.module.consts[value.as_const().expect("a constant")].kind {
                    ConstKind::Int(bits) | ConstKind::Float(bits) => bits as u32,
                    _ => 0,
                },
            };
            let float = |value| flush(f32::from_bits(word(value)));
            let result = match self.function.insts[inst] {
                InstData::Binary { op: BinaryOp::And, lhs, rhs, .. } => {
                    values[local] = word(lhs) & word(rhs);
                    continue;
                }
                InstData::Binary { op, lhs, rhs, .. } => match op {
                    BinaryOp::FAdd => float(lhs) + float(rhs),
                    BinaryOp::FSub => float(lhs) - float(rhs),
                    BinaryOp::FMul => float(lhs) * float(rhs),
                    _ => float(lhs) / float(rhs),
                },
                InstData::Cast { op: CastOp::UiToFp, value } => word(value) as f32,
                InstData::Cast { value, .. } => word(value) as i32 as f32,
                InstData::Op { op, args, .. } => {
                    let args: Vec<f32> = self.function.list(args).iter().map(|&arg| float(arg)).collect();
                    match op {
                        OpCode::FMin => args[0].min(args[1]),
                        OpCode::FMax => args[0].max(args[1]),
                        OpCode::FMad if flushes => args[0].mul_add(args[1], args[2]),
                        OpCode::FMad => args[0] * args[1] + args[2],
                        OpCode::Saturate => {
                            if args[0] > 0.0 {
                                args[0].min(1.0)
                            } else {
                                0.0
                            }
                        }
                        OpCode::Frc => args[0] - args[0].floor(),
                        OpCode::FAbs => args[0].abs(),
                        OpCode::Sqrt => args[0].sqrt(),
                        OpCode::Round_ne => args[0].round_ties_even(),
                        OpCode::Round_ni => args[0].floor(),
                        OpCode::Round_pi => args[0].ceil(),
                        _ => args[0].trunc(),
                    }
                }
                _ => panic!("an instruction of the tests"),
            };
            values[local] = flush(result).to_bits();
        }
        values
    }
}

fn holds(range: FloatRange, number: f32) -> bool {
    if number.is_nan() { range.nan } else { (range.low..=range.high).contains(&f64::from(number)) }
}

#[test]
fn floats_are_in_their_ranges() {
    let mut random = Random::new(7);
    let mut bounded = 0;
    for _ in 0..3000 {
        let mut maker = Maker::new();
        (0..1 + random.below(12)).for_each(|_| maker.random_inst(&mut random));
        let first = random.pick(&maker.usable[0]);
        let ranges = maker.ranges(&[first]);
        bounded += ranges.iter().filter(|(_, range)| *range != FloatRange::ANY).count();
        for _ in 0..12 {
            let special =
                [0.0, -0.0, 1.0, -1.0, 1e-40, -1e-30, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX, 1e20, 0.3];
            let floats = [(); 2].map(|()| match random.below(2) {
                0 => random.pick(&special),
                _ => f32::from_bits(random.bits() as u32),
            });
            let words = [(); 2].map(|()| random.bits() as u32);
            for flushes in [false, true] {
                let values = maker.run(floats, words, flushes);
                for &(value, range) in &ranges {
                    let number = f32::from_bits(values[value.as_local().expect("a local")]);
                    assert!(
                        holds(range, number),
                        "{number} is not in {range:?}: {value} of {:?}",
                        maker.function.insts
                    );
                }
            }
        }
    }
    assert!(bounded > 3000, "{bounded}");
}

/// What proves that guards are needless, and what does not.
#[test]
fn guards_that_ranges_make_needless() {
    let mut maker = Maker::new();
    let any = maker.usable[0][0];
    let (scale, half, least) = (maker.float(255.0), maker.float(0.5), maker.float(0.0));
    let unit = maker.op(OpCode::Saturate, &[any]);
    let byte = maker.op(OpCode::FMad, &[unit, scale, half]);
    let word = maker.masked(0xffff);
    let number = maker.inst(InstData::Cast { op: CastOp::UiToFp, value: word }, maker.float);
    let raised = maker.op(OpCode::FMax, &[any, least]);
    let square = maker.binary(BinaryOp::FMul, any, any);
    let shifted = maker.binary(BinaryOp::FSub, number, half);
    let ratio = maker.binary(BinaryOp::FDiv, number, unit);
    let ranges = maker.ranges(&[unit, byte, number, raised, square, shifted, ratio, any]);
    let within = |n: usize, low: f64, high: f64| {
        let range = ranges[n].1;
        range.low >= low && range.high <= high && !range.nan
    };
    assert!(within(0, 0.0, 1.0) && within(1, 0.0, 256.0) && within(2, 0.0, 65536.0));
    // NaN becomes the other operand, but infinity stays.
    assert_eq!(ranges[3].1, FloatRange { low: 0.0, high: f64::INFINITY, nan: false });
    assert_eq!((ranges[4].1.low, ranges[4].1.nan), (0.0, true));
    assert!(ranges[5].1.low < 0.0, "a difference may be negative");
    assert_eq!(ranges[6].1, FloatRange::ANY, "the divisor may be zero");
    assert_eq!(ranges[7].1, FloatRange::ANY);
}
