//! What an intrinsic computes, and the code that does.
//!
//! In: a [`Form`], whose operands are values of the function. Out: instructions of the IR. What
//! must hold: numbers of vendors' headers do not reach this file.

use super::super::writer::CodeWriter;
use crate::ir::{AddressSpace, BinaryOp, CastOp, CmpOp, ConstKind, InstData, Type, TypeId, Types, Value};
use crate::ops::OpCode;
use crate::ops::consts::{AtomicBinOpCode, FloatAtomic, Rounding, SignedOpKind, WaveBitOpKind, WaveOpKind};

/// How lanes are combined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Fold {
    /// An arithmetic operation on words, or on the floats that they are.
    Number { op: WaveOpKind, sign: SignedOpKind, float: bool },
    /// An operation on bits.
    Bits(WaveBitOpKind),
}

/// The lanes that a fold combines.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FoldedLanes {
    /// All active ones.
    All,
    /// Those before the lane.
    Before,
    /// Those before the lane, and the lane.
    UpTo,
}

/// From which lane of its segment a lane reads (PTX, «shfl»).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ShuffleMode {
    /// The lane with this number.
    Index,
    /// The lane that is so many below.
    Up,
    /// The lane that is so many above.
    Down,
    /// The lane whose number has these bits inverted.
    Xor,
}

/// HIT_KIND_TRIANGLE_BACK_FACE of HLSL.
const BACK_FACE: u64 = 255;

/// What an atomic operation works on: the handle of a raw buffer and a byte offset, or that of a
/// texture and its coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) handle: Value,
    pub(super) address: [Option<Value>; 3],
}

/// What an intrinsic computes. All values are words, handles, hit objects or addresses.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// An operation of DXIL without operands.
    Simple(OpCode),
    /// The value in the first active lane.
    First(Value),
    /// The value in a lane.
    Lane { value: Value, lane: Value },
    /// The value in a lane whose number is known.
    FixedLane { value: Value, lane: u32 },
    /// The value in the lane that three masks of five bits make of the lane's number: one for AND,
    /// one for OR, one for XOR, from the low bits up.
    Masked { value: Value, masks: u32 },
    /// The value in the lane of the quad that two bits for each lane of the quad name.
    Quad { value: Value, lanes: u32 },
    /// The value in another lane of a segment, and whether there is such a lane. Bits 8 to 12 of
    /// the mask are those of the lane's number that stay; bits 0 to 4 are the largest other bits.
    Shuffle { mode: ShuffleMode, value: Value, by: Value, mask: Value },
    /// The bits of the active lanes whose value is not zero: of the first 32 lanes, the next, ….
    Ballot { value: Value, word: u32 },
    /// −1 if `op` holds for the active lanes' values being not zero, otherwise 0.
    Vote { op: OpCode, value: Value },
    /// The active lanes, as bits of the first 32, that have the same values.
    Match(Vec<Value>),
    /// The set bits of a mask of 64 lanes that are below the lane's own.
    CountBelow([Value; 2]),
    /// The bits below the lane's own, of the first 32 lanes.
    Below,
    /// A minimum or maximum of two words, or of the floats that they are.
    Two { op: OpCode, float: bool, values: [Value; 2] },
    /// The middle one of three words or floats.
    Middle { float: bool, values: [Value; 3] },
    /// The values of lanes, combined.
    Fold { fold: Fold, lanes: FoldedLanes, value: Value },
    /// The low and the high word of a clock.
    Clock(OpCode),
    /// The low word or the high word of the device's clock.
    ClockWord(u32),
    /// 1 if the triangle that was hit shows its back, otherwise 0.
    BackFacing,
    /// 1 if a displaced micro-triangle was hit, which Vulkan's geometries do not have, otherwise 0.
    MicroTriangle,
    /// A barycentric of the pixel's centre, by the number of the vertex.
    Barycentric { perspective: bool, vertex: u32 },
    /// A float as a half in the low bits.
    Half { value: Value, rounding: Rounding },
    /// An atomic operation on a float or two halves, which gives the old word.
    AtomicFloat { at: Target, op: FloatAtomic, value: Value },
    /// An atomic operation on 64 bits; without an operation, a compare-exchange. The results are
    /// the low and the high word of the old value.
    Atomic { at: Target, op: Option<AtomicBinOpCode>, compare: [Value; 2], value: [Value; 2] },
    /// An operation on hit objects.
    Object(ObjectForm),
}

/// An operation on hit objects.
#[derive(Clone, Debug)]
pub(super) enum ObjectForm {
    /// An operation that makes a hit object.
    Make { op: OpCode, args: Vec<Value> },
    /// A hit object that is a miss: the number of its record; the origin, the start, the direction
    /// and the end of its ray.
    Miss { record: Value, ray: [Value; 8] },
    /// What a hit object answers: operations, and the component that each asks for.
    Asked { object: Value, questions: Vec<(OpCode, Option<u32>)> },
    /// A word of the record of a hit object, at an offset in bytes.
    RecordWord { object: Value, offset: Value },
    /// An operation without a result, and the hit object that is its first operand.
    Statement { op: OpCode, object: Option<Value>, args: Vec<Value> },
}

impl Form {
    /// The number of results that are words.
    pub(super) fn results(&self) -> usize {
        match self {
            Self::Shuffle { .. } | Self::Clock(_) | Self::Atomic { .. } => 2,
            Self::Object(form) => form.results(),
            _ => 1,
        }
    }
}

impl ObjectForm {
    /// The number of results that are words.
    fn results(&self) -> usize {
        match self {
            Self::Make { .. } | Self::Miss { .. } | Self::Statement { .. } => 0,
            Self::Asked { questions, .. } => questions.len(),
            Self::RecordWord { .. } => 1,
        }
    }

    /// The hit object that the form uses.
    pub(super) fn object(&self) -> Option<Value> {
        match *self {
            Self::Asked { object, .. } | Self::RecordWord { object, .. } => Some(object),
            Self::Statement { object, .. } => object,
            _ => None,
        }
    }
}

/// The type of hit objects, as DXC declares it.
pub(super) fn hit_object(types: &mut Types) -> TypeId {
    let pointee = types.intern(Type::Int(8));
    let pointer = types.intern(Type::Pointer { pointee, space: AddressSpace::Default });
    types.intern(Type::Struct { name: "dx.types.HitObject".into(), fields: vec![pointer].into(), packed: false })
}

impl CodeWriter<'_> {
    /// The results of a form.
    pub(super) fn write(&mut self, form: &Form) -> Vec<Value> {
        let word = self.integer(32);
        vec![match *form {
            Form::Simple(op) => self.op(op, &[], word),
            Form::First(value) => self.op(OpCode::WaveReadLaneFirst, &[value], word),
            Form::Lane { value, lane } => self.op(OpCode::WaveReadLaneAt, &[value, lane], word),
            Form::FixedLane { value, lane } => {
                let lane = self.number(32, lane.into());
                self.op(OpCode::WaveReadLaneAt, &[value, lane], word)
            }
            Form::Masked { value, masks } => self.masked(value, masks),
            Form::Quad { value, lanes } => {
                let own = self.op(OpCode::WaveGetLaneIndex, &[], word);
                let in_quad = self.with(BinaryOp::And, own, 3);
                let shift = self.with(BinaryOp::Shl, in_quad, 1);
                let lanes = self.number(32, lanes.into());
                let lane = self.binary(BinaryOp::LShr, lanes, shift);
                let (lane, quad) = (self.with(BinaryOp::And, lane, 3), self.with(BinaryOp::And, own, !3));
                let lane = self.binary(BinaryOp::Or, quad, lane);
                self.op(OpCode::WaveReadLaneAt, &[value, lane], word)
            }
            Form::Shuffle { mode, value, by, mask } => return self.shuffle(mode, value, by, mask),
            Form::Ballot { value, word: number } => {
                let lanes = self.ballot(value);
                self.member(lanes, number)
            }
            Form::Vote { op, value } => {
                let (condition, bool_ty) = (self.is_set(value), self.integer(1));
                let holds = self.op(op, &[condition], bool_ty);
                self.cast(CastOp::SExt, holds, word)
            }
            Form::Match(ref values) => self.matching(values),
            Form::CountBelow(mask) => self.count_below(mask),
            Form::Below => {
                let own = self.op(OpCode::WaveGetLaneIndex, &[], word);
                self.below(own)
            }
            Form::Two { op, float, values: [a, b] } => self.two(op, float, a, b),
            Form::Middle { float, values: [a, b, c] } => {
                let (min, max) = if float { (OpCode::FMin, OpCode::FMax) } else { (OpCode::UMin, OpCode::UMax) };
                let (low, high) = (self.two(min, float, a, b), self.two(max, float, a, b));
                let high = self.two(min, float, high, c);
                self.two(max, float, low, high)
            }
            Form::Fold { fold, lanes, value } => self.fold(fold, lanes, value),
            Form::BackFacing => {
                let (kind, back) = (self.op(OpCode::HitKind, &[], word), self.number(32, BACK_FACE));
                let is_back = self.compare(CmpOp::Eq, kind, back);
                self.cast(CastOp::ZExt, is_back, word)
            }
            Form::MicroTriangle => self.number(32, 0),
            Form::Barycentric { perspective, vertex } => {
                let (perspective, vertex) = (self.number(32, perspective.into()), self.number(32, vertex.into()));
                let float = self.number_type(true);
                let barycentric = self.op(OpCode::VendorBarycentric, &[perspective, vertex], float);
                self.as_word(barycentric)
            }
            Form::Half { value, rounding } => {
                let float = self.number_type(true);
                let (value, rounding) = (self.cast_number(value, float), self.number(32, rounding as u64));
                self.op(OpCode::VendorF32ToF16, &[value, rounding], word)
            }
            Form::AtomicFloat { at: Target { handle, address }, op, value } => {
                let op = self.number(32, op as u64);
                let [x, y, z] = self.address(address);
                self.op(OpCode::VendorAtomicFloat, &[handle, op, x, y, z, value], word)
            }
            Form::ClockWord(number) => {
                let pair = self.structure("dx.types.twoi32", 2);
                let clock = self.op(OpCode::VendorDeviceClock, &[], pair);
                self.member(clock, number)
            }
            Form::Clock(op) => {
                let pair = self.structure("dx.types.twoi32", 2);
                let clock = self.op(op, &[], pair);
                return vec![self.member(clock, 0), self.member(clock, 1)];
            }
            Form::Atomic { at, op, compare, value } => return self.atomic(at, op, compare, value),
            Form::Object(ref form) => return self.object(form),
        }]
    }

    /// The results of an operation on hit objects.
    fn object(&mut self, form: &ObjectForm) -> Vec<Value> {
        vec![match *form {
            ObjectForm::Make { op, ref args } => {
                let ty = hit_object(self.types);
                self.op(op, args, ty)
            }
            ObjectForm::Miss { record, ray } => {
                let (ty, float) = (hit_object(self.types), self.number_type(true));
                // DXIL's miss has ray flags, too.
                let mut args = vec![self.number(32, 0), record];
                args.extend(ray.map(|word| self.cast_number(word, float)));
                self.op(OpCode::HitObject_MakeMiss, &args, ty)
            }
            ObjectForm::Asked { object, ref questions } => {
                return questions.iter().map(|&(op, component)| self.answer_of(object, op, component)).collect();
            }
            ObjectForm::RecordWord { object, offset } => {
                let word = self.integer(32);
                self.op(OpCode::HitObject_LoadLocalRootTableConstant, &[object, offset], word)
            }
            ObjectForm::Statement { op, object, ref args } => {
                let args: Vec<Value> = object.iter().chain(args).copied().collect();
                self.statement(op, &args);
                return Vec::new();
            }
        }]
    }

    /// What a hit object answers to one question, as a word.
    fn answer_of(&mut self, object: Value, op: OpCode, component: Option<u32>) -> Value {
        let mut args = vec![object];
        args.extend(component.map(|component| self.number(32, component.into())));
        match op {
            OpCode::HitObject_IsMiss | OpCode::HitObject_IsHit | OpCode::HitObject_IsNop => {
                let (flag, word) = (self.integer(1), self.integer(32));
                let holds = self.op(op, &args, flag);
                self.cast(CastOp::ZExt, holds, word)
            }
            OpCode::HitObject_RayTMin
            | OpCode::HitObject_RayTCurrent
            | OpCode::HitObject_WorldRayOrigin
            | OpCode::HitObject_WorldRayDirection => {
                let float = self.number_type(true);
                let number = self.op(op, &args, float);
                self.as_word(number)
            }
            _ => {
                let word = self.integer(32);
                self.op(op, &args, word)
            }
        }
    }

    fn masked(&mut self, value: Value, masks: u32) -> Value {
        let word = self.integer(32);
        let own = self.op(OpCode::WaveGetLaneIndex, &[], word);
        // Lanes exchange values within 32.
        let lane = self.with(BinaryOp::And, own, !31 | masks & 31);
        let lane = self.with(BinaryOp::Or, lane, masks >> 5 & 31);
        let lane = self.with(BinaryOp::Xor, lane, masks >> 10 & 31);
        self.op(OpCode::WaveReadLaneAt, &[value, lane], word)
    }

    fn shuffle(&mut self, mode: ShuffleMode, value: Value, by: Value, mask: Value) -> Vec<Value> {
        let word = self.integer(32);
        let own = self.op(OpCode::WaveGetLaneIndex, &[], word);
        let segment = self.with(BinaryOp::LShr, mask, 8);
        let segment = self.with(BinaryOp::And, segment, 31);
        let others = self.with(BinaryOp::Xor, segment, 31);
        let kept = self.with(BinaryOp::Or, segment, !31);
        let first = self.binary(BinaryOp::And, own, kept);
        let last = self.binary(BinaryOp::And, mask, others);
        let last = self.binary(BinaryOp::Or, first, last);
        let by = self.with(BinaryOp::And, by, 31);
        let (lane, is_inside) = match mode {
            ShuffleMode::Index => {
                let lane = self.binary(BinaryOp::And, by, others);
                let lane = self.binary(BinaryOp::Or, first, lane);
                (lane, CmpOp::Sle)
            }
            ShuffleMode::Up => (self.binary(BinaryOp::Sub, own, by), CmpOp::Sge),
            ShuffleMode::Down => (self.binary(BinaryOp::Add, own, by), CmpOp::Sle),
            ShuffleMode::Xor => (self.binary(BinaryOp::Xor, own, by), CmpOp::Sle),
        };
        let is_inside = self.compare(is_inside, lane, last);
        let lane = self.emit(InstData::Select { condition: is_inside, then: lane, otherwise: own }, word);
        let read = self.op(OpCode::WaveReadLaneAt, &[value, lane], word);
        vec![read, self.cast(CastOp::ZExt, is_inside, word)]
    }

    fn ballot(&mut self, value: Value) -> Value {
        let (condition, lanes) = (self.is_set(value), self.structure("dx.types.fouri32", 4));
        self.op(OpCode::WaveActiveBallot, &[condition], lanes)
    }

    /// The lanes are those that match in each of the values.
    fn matching(&mut self, values: &[Value]) -> Value {
        let lanes = self.structure("dx.types.fouri32", 4);
        let mut all = self.number(32, u32::MAX.into());
        for &value in values {
            let same = self.op(OpCode::WaveMatch, &[value], lanes);
            let same = self.member(same, 0);
            all = self.binary(BinaryOp::And, all, same);
        }
        all
    }

    /// The bits below a number under 32.
    fn below(&mut self, bit: Value) -> Value {
        let one = self.number(32, 1);
        let own = self.binary(BinaryOp::Shl, one, bit);
        self.with(BinaryOp::Sub, own, 1)
    }

    fn count_below(&mut self, [low, high]: [Value; 2]) -> Value {
        let word = self.integer(32);
        let own = self.op(OpCode::WaveGetLaneIndex, &[], word);
        let bit = self.with(BinaryOp::And, own, 31);
        let below = self.below(bit);
        let (last, limit) = (self.number(32, u32::MAX.into()), self.number(32, 32));
        let zero = self.number(32, 0);
        let is_low = self.compare(CmpOp::Ult, own, limit);
        let mut counts = [low; 2];
        for (count, (mask, [then, otherwise])) in counts.iter_mut().zip([(low, [below, last]), (high, [zero, below])]) {
            let lanes = self.emit(InstData::Select { condition: is_low, then, otherwise }, word);
            let lanes = self.binary(BinaryOp::And, mask, lanes);
            *count = self.op(OpCode::Countbits, &[lanes], word);
        }
        self.binary(BinaryOp::Add, counts[0], counts[1])
    }

    fn two(&mut self, op: OpCode, float: bool, a: Value, b: Value) -> Value {
        let ty = self.number_type(float);
        let (a, b) = (self.cast_number(a, ty), self.cast_number(b, ty));
        let result = self.op(op, &[a, b], ty);
        self.as_word(result)
    }

    fn fold(&mut self, fold: Fold, lanes: FoldedLanes, value: Value) -> Value {
        let (op, sign, float) = match fold {
            Fold::Bits(op) => {
                let (op, word) = (self.number(8, op as u64), self.integer(32));
                return self.op(OpCode::WaveActiveBit, &[value, op], word);
            }
            Fold::Number { op, sign, float } => (op, sign, float),
        };
        let ty = self.number_type(float);
        let own = self.cast_number(value, ty);
        let kind = [self.number(8, op as u64), self.number(8, sign as u64)];
        let opcode = if lanes == FoldedLanes::All { OpCode::WaveActiveOp } else { OpCode::WavePrefixOp };
        let mut result = self.op(opcode, &[own, kind[0], kind[1]], ty);
        if lanes == FoldedLanes::UpTo {
            let arithmetic = |op| InstData::Binary { op, precise: false, lhs: result, rhs: own };
            let unsigned = sign == SignedOpKind::Unsigned;
            result = match (op, float) {
                (WaveOpKind::Sum, true) => self.emit(arithmetic(BinaryOp::FAdd), ty),
                (WaveOpKind::Sum, false) => self.emit(arithmetic(BinaryOp::Add), ty),
                (WaveOpKind::Product, true) => self.emit(arithmetic(BinaryOp::FMul), ty),
                (WaveOpKind::Product, false) => self.emit(arithmetic(BinaryOp::Mul), ty),
                (WaveOpKind::Min, true) => self.op(OpCode::FMin, &[result, own], ty),
                (WaveOpKind::Max, true) => self.op(OpCode::FMax, &[result, own], ty),
                (WaveOpKind::Min, false) if unsigned => self.op(OpCode::UMin, &[result, own], ty),
                (WaveOpKind::Max, false) if unsigned => self.op(OpCode::UMax, &[result, own], ty),
                (WaveOpKind::Min, false) => self.op(OpCode::IMin, &[result, own], ty),
                (WaveOpKind::Max, false) => self.op(OpCode::IMax, &[result, own], ty),
            };
        }
        self.as_word(result)
    }

    /// The operands of an address, of which those that the resource does not have are undefined.
    fn address(&mut self, address: [Option<Value>; 3]) -> [Value; 3] {
        let word = self.integer(32);
        address.map(|value| value.unwrap_or_else(|| self.constant(word, ConstKind::Undef)))
    }

    fn atomic(
        &mut self,
        Target { handle, address }: Target,
        op: Option<AtomicBinOpCode>,
        compare: [Value; 2],
        value: [Value; 2],
    ) -> Vec<Value> {
        let (word, long) = (self.integer(32), self.integer(64));
        let value = self.long(value);
        let [x, y, z] = self.address(address);
        let old = match op {
            Some(op) => {
                let op = self.number(32, op as u64);
                self.op(OpCode::AtomicBinOp, &[handle, op, x, y, z, value], long)
            }
            None => {
                let compare = self.long(compare);
                self.op(OpCode::AtomicCompareExchange, &[handle, x, y, z, compare, value], long)
            }
        };
        let shift = self.number(64, 32);
        let high = self.binary(BinaryOp::LShr, old, shift);
        vec![self.cast(CastOp::Trunc, old, word), self.cast(CastOp::Trunc, high, word)]
    }

    /// The number of 64 bits with these words.
    fn long(&mut self, [low, high]: [Value; 2]) -> Value {
        let long = self.integer(64);
        let (low, high) = (self.cast(CastOp::ZExt, low, long), self.cast(CastOp::ZExt, high, long));
        let shift = self.number(64, 32);
        let high = self.binary(BinaryOp::Shl, high, shift);
        self.binary(BinaryOp::Or, low, high)
    }
}
