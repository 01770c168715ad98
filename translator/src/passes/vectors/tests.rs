//! Tests of forms that no shader of the fixtures has: arithmetic and shuffles of vectors that
//! SPIR-V does not have, and the bound of the search for the numbers of an object.

use super::*;
use crate::ir::verify::verify;
use crate::ir::{
    AddressSpace, BinaryOp, Block, BlockData, CastOp, CmpOp, ControlFlowHints, Def, Function, Inst, Terminator,
};
use crate::ops::OpCode;
use dxil_base::limits;

/// A function of one block.
struct Maker {
    module: Module,
    function: Function,
    insts: Vec<Inst>,
    float: TypeId,
}

impl Maker {
    fn new() -> Self {
        let mut module = Module::default();
        let [void, float] = [Type::Void, Type::Float(32)].map(|ty| module.types.intern(ty));
        Self { module, function: Function::new("main".into(), void, 0), insts: Vec::new(), float }
    }

    fn vector(&mut self, element: TypeId, len: u32) -> TypeId {
        self.module.types.intern(Type::Vector { element, len })
    }

    fn argument(&mut self, ty: TypeId) -> Value {
        let argument = self.function.make_local(ty, Def::Arg(self.function.args.len() as u32));
        self.function.args.push(argument);
        argument
    }

    fn inst(&mut self, data: InstData, ty: TypeId) -> Value {
        let inst = self.function.make_inst(data, Some(ty));
        self.insts.push(inst);
        self.function.result(inst).expect("it has a type")
    }

    /// The module, which is valid.
    fn finish(mut self) -> (Module, Func) {
        let (hints, terminator) = (ControlFlowHints::default(), Terminator::Return(None));
        let _: Block =
            self.function.blocks.push(BlockData { params: Vec::new(), insts: self.insts, terminator, hints });
        let main = self.module.functions.push(self.function);
        verify(&self.module).expect("made so");
        (self.module, main)
    }

    /// Runs the pass. Checks that the module is valid before and after.
    fn run(self) -> (Module, Func) {
        self.run_to(VectorForm::Core)
    }

    fn run_to(self, form: VectorForm) -> (Module, Func) {
        let (mut module, main) = self.finish();
        assert!(run(&mut module, form, &Fuel::default()).expect("small"));
        verify(&module).expect("still right");
        (module, main)
    }

    /// Runs the pass. Checks that it changes nothing, and that this costs nothing.
    fn stays(self) {
        let (mut module, main) = self.finish();
        let before: Vec<_> = code(&module.functions[main]).collect();
        let fuel = Fuel::default();
        assert!(!run(&mut module, VectorForm::Core, &fuel).expect("small"));
        assert_eq!(code(&module.functions[main]).collect::<Vec<_>>(), before);
        assert_eq!((fuel.spent().steps, fuel.spent().bytes), (0, 0));
    }

    /// A shuffle that takes elements by these numbers.
    fn shuffle(&mut self, a: Value, b: Value, lanes: &[u64]) -> Value {
        let (float, word) = (self.float, self.module.types.intern(Type::Int(32)));
        let len = lanes.len() as u32;
        let (ty, masks) = (self.vector(float, len), self.vector(word, len));
        let consts = &mut self.module.consts;
        let lanes = lanes.iter().map(|&lane| consts.intern(ConstData { ty: word, kind: ConstKind::Int(lane) }));
        let kind = ConstKind::Aggregate(lanes.collect());
        let mask = self.module.consts.value(masks, kind);
        self.inst(InstData::ShuffleVector { a, b, mask }, ty)
    }
}

/// The instructions that a function runs.
fn code(function: &Function) -> impl Iterator<Item = (Inst, InstData)> {
    function.blocks.values().flat_map(|block| &block.insts).map(|&inst| (inst, function.insts[inst]))
}

#[test]
fn arithmetic_is_done_element_by_element() {
    for len in [1, 6] {
        let mut maker = Maker::new();
        let (float, truth) = (maker.float, maker.module.types.intern(Type::Int(1)));
        let (ty, truths) = (maker.vector(float, len), maker.vector(truth, len));
        let (lhs, rhs) = (maker.argument(ty), maker.argument(ty));
        maker.inst(InstData::Binary { op: BinaryOp::FMul, precise: true, lhs, rhs }, ty);
        maker.inst(InstData::Cmp { op: CmpOp::FOlt, lhs, rhs }, truths);
        let (module, main) = maker.run();
        let function = &module.functions[main];
        let element = |value: Value| match function.def_inst(value) {
            Some((_, &InstData::ExtractValue { aggregate, first, count: 1 })) => {
                (aggregate, function.indices[first as usize])
            }
            other => panic!("{other:?}"),
        };
        let (mut products, mut tests) = (Vec::new(), Vec::new());
        for (_, data) in code(function) {
            match data {
                InstData::Binary { op: BinaryOp::FMul, precise: true, lhs, rhs } => {
                    products.push((element(lhs), element(rhs)));
                }
                InstData::Cmp { op: CmpOp::FOlt, lhs, rhs } => tests.push((element(lhs), element(rhs))),
                _ => {}
            }
        }
        let wanted: Vec<_> = (0..len).map(|number| ((lhs, number), (rhs, number))).collect();
        assert_eq!((products, tests), (wanted.clone(), wanted));
    }
}

/// A cast between types of other lengths is no concern of the pass if SPIR-V has both types.
#[test]
fn a_bitcast_of_other_vectors_stays() {
    let mut maker = Maker::new();
    let (float, double) = (maker.float, maker.module.types.intern(Type::Float(64)));
    let (single, pair) = (maker.vector(float, 1), maker.vector(float, 2));
    let (lhs, value) = (maker.argument(single), maker.argument(pair));
    maker.inst(InstData::Binary { op: BinaryOp::FMul, precise: true, lhs, rhs: lhs }, single);
    maker.inst(InstData::Cast { op: CastOp::BitCast, value }, double);
    let (module, main) = maker.run();
    let casts = code(&module.functions[main]).filter(|(_, data)| matches!(data, InstData::Cast { .. }));
    assert_eq!(casts.map(|(_, data)| data).collect::<Vec<_>>(), [InstData::Cast { op: CastOp::BitCast, value }]);
}

#[test]
fn too_much_code_is_refused() {
    let mut maker = Maker::new();
    let ty = maker.vector(maker.float, LARGEST);
    let lhs = maker.argument(ty);
    for _ in 0..limits::INLINED / LARGEST as usize {
        maker.inst(InstData::Binary { op: BinaryOp::FMul, precise: true, lhs, rhs: lhs }, ty);
    }
    let (mut module, _) = maker.finish();
    let error = run(&mut module, VectorForm::Core, &Fuel::default()).expect_err("more than a million instructions");
    assert!(error.message().contains("instructions for elements of vectors"), "{error}");
}

/// The vector and the number that each element of a shuffle is taken from; `None` for an element
/// that is not defined.
fn shuffled(mask: &[Option<u64>]) -> Vec<Option<(bool, u32)>> {
    let mut maker = Maker::new();
    let (float, word) = (maker.float, maker.module.types.intern(Type::Int(32)));
    let (ty, masks) = (maker.vector(float, 6), maker.vector(word, 6));
    let (a, b) = (maker.argument(ty), maker.argument(ty));
    let consts = &mut maker.module.consts;
    let lane = |lane: &Option<u64>| lane.map_or(ConstKind::Undef, ConstKind::Int);
    let lanes = mask.iter().map(|number| consts.intern(ConstData { ty: word, kind: lane(number) })).collect();
    let kind = if mask.is_empty() { ConstKind::Null } else { ConstKind::Aggregate(lanes) };
    let mask = consts.value(masks, kind);
    let mut result = maker.inst(InstData::ShuffleVector { a, b, mask }, ty);
    let (module, main) = maker.run();
    let function = &module.functions[main];
    let mut found = [None; 6];
    while let Some((_, &InstData::InsertValue { aggregate, value, first, count: 1 })) = function.def_inst(result) {
        found[function.indices[first as usize] as usize] = Some(value);
        result = aggregate;
    }
    let origin = |value: Option<Value>| match function.def_inst(value.expect("every element is set")) {
        Some((_, &InstData::ExtractValue { aggregate, first, count: 1 })) => {
            assert!(aggregate == a || aggregate == b);
            Some((aggregate == b, function.indices[first as usize]))
        }
        _ => None,
    };
    found.into_iter().map(origin).collect()
}

#[test]
fn shuffles_take_elements_of_both_vectors() {
    let (a, b) = (|number| Some((false, number)), |number| Some((true, number)));
    let mask = [Some(0), Some(7), Some(11), None, Some(5), Some(6)];
    assert_eq!(shuffled(&mask), [a(0), b(1), b(5), None, a(5), b(0)]);
    // `zeroinitializer`.
    assert_eq!(shuffled(&[]), [a(0); 6]);
}

/// One of the two vectors may be one that SPIR-V has.
#[test]
fn shuffles_change_the_length() {
    for (from, lanes) in [(6, &[5, 0, 7][..]), (3, &[5, 0, 1, 2, 3, 4])] {
        let mut maker = Maker::new();
        let ty = maker.vector(maker.float, from);
        let (a, b) = (maker.argument(ty), maker.argument(ty));
        maker.shuffle(a, b, lanes);
        let (module, main) = maker.run();
        let mut taken = Vec::new();
        for (_, data) in code(&module.functions[main]) {
            match data {
                InstData::ExtractValue { aggregate, first, count: 1 } => {
                    taken.push((aggregate, u64::from(module.functions[main].indices[first as usize])));
                }
                InstData::ExtractElement { vector, index } => {
                    taken.push((vector, module.const_uint(index).expect("a constant")));
                }
                InstData::InsertValue { .. } | InstData::InsertElement { .. } => {}
                other => panic!("{other:?}"),
            }
        }
        let (len, a, b) = (u64::from(from), a, b);
        let wanted = lanes.iter().map(|&lane| if lane < len { (a, lane) } else { (b, lane - len) });
        assert_eq!(taken, wanted.collect::<Vec<_>>());
    }
}

#[test]
fn vectors_of_spirv_stay() {
    for len in 2..=4 {
        let mut maker = Maker::new();
        let ty = maker.vector(maker.float, len);
        let (lhs, rhs) = (maker.argument(ty), maker.argument(ty));
        maker.shuffle(lhs, rhs, &[3, 0]);
        maker.inst(InstData::Binary { op: BinaryOp::FMul, precise: false, lhs, rhs }, ty);
        maker.stays();
    }
}

/// Longer vectors are those of shader model 6.9. No value is a vector afterwards, and none is an
/// array.
#[test]
fn long_vectors_are_split() {
    for (len, is_split) in [(LARGEST, false), (LARGEST + 1, true), (1024, true)] {
        let mut maker = Maker::new();
        let ty = maker.vector(maker.float, len);
        let (lhs, rhs) = (maker.argument(ty), maker.argument(ty));
        let product = maker.inst(InstData::Binary { op: BinaryOp::FMul, precise: false, lhs, rhs }, ty);
        maker.inst(InstData::Binary { op: BinaryOp::FAdd, precise: false, lhs: product, rhs }, ty);
        let (module, main) = maker.run();
        let count =
            |wanted: fn(&InstData) -> bool| code(&module.functions[main]).filter(|(_, data)| wanted(data)).count();
        let len = len as usize;
        assert_eq!(count(|data| matches!(data, InstData::Binary { .. })), 2 * len);
        // Both arguments are taken apart once, or for each use.
        assert_eq!(
            count(|data| matches!(data, InstData::ExtractValue { .. })),
            if is_split { 2 * len } else { 4 * len }
        );
        assert_eq!(count(|data| matches!(data, InstData::InsertValue { .. })), if is_split { 0 } else { 2 * len });
    }
}

/// With long vectors, LLVM's instructions keep their vectors. An operation is one for each element,
/// whose results are made a vector only where something uses it as a whole.
#[test]
fn long_vectors_stay_where_the_device_has_them() {
    const LEN: usize = 33;
    for is_whole in [false, true] {
        let mut maker = Maker::new();
        let float = maker.float;
        let ty = maker.vector(float, LEN as u32);
        let (lhs, rhs) = (maker.argument(ty), maker.argument(ty));
        let product = maker.inst(InstData::Binary { op: BinaryOp::FMul, precise: false, lhs, rhs }, ty);
        let args = maker.function.make_list(&[product]);
        let root = maker.inst(InstData::Op { op: OpCode::Sqrt, precise: false, args }, ty);
        let args = maker.function.make_list(&[root]);
        let rounded = maker.inst(InstData::Op { op: OpCode::Round_z, precise: false, args }, ty);
        let word = maker.module.types.intern(Type::Int(32));
        let last = ConstData { ty: word, kind: ConstKind::Int(LEN as u64 - 1) };
        let index = Value::constant(maker.module.consts.intern(last));
        maker.inst(InstData::ExtractElement { vector: rounded, index }, float);
        if is_whole {
            maker.inst(InstData::Binary { op: BinaryOp::FAdd, precise: false, lhs: rounded, rhs }, ty);
        }
        let (module, main) = maker.run_to(VectorForm::Long);
        let count =
            |wanted: fn(&InstData) -> bool| code(&module.functions[main]).filter(|(_, data)| wanted(data)).count();
        assert_eq!(count(|data| matches!(data, InstData::Binary { .. })), 1 + usize::from(is_whole));
        assert_eq!(count(|data| matches!(data, InstData::Op { .. })), 2 * LEN);
        // The product is taken apart, and the roots are not put together.
        assert_eq!(count(|data| matches!(data, InstData::ExtractElement { .. })), LEN);
        assert_eq!(count(|data| matches!(data, InstData::InsertElement { .. })), if is_whole { LEN } else { 0 });
    }
}

/// A computed index of an element stays inside the vector, or it is kept there. SPIR-V leaves
/// anything else undefined.
#[test]
fn computed_indexes_stay_inside_long_vectors() {
    for (bits, len, is_bounded) in [(32, 33, true), (8, 33, true), (8, 256, false), (1, 2, false)] {
        let mut maker = Maker::new();
        let (float, index) = (maker.float, maker.module.types.intern(Type::Int(bits)));
        let ty = maker.vector(float, len);
        let (vector, value, index) = (maker.argument(ty), maker.argument(float), maker.argument(index));
        let vector = maker.inst(InstData::InsertElement { vector, value, index }, ty);
        maker.inst(InstData::ExtractElement { vector, index }, float);
        let (module, main) = maker.run_to(VectorForm::Long);
        let used = code(&module.functions[main]).filter_map(|(_, data)| match data {
            InstData::InsertElement { index, .. } | InstData::ExtractElement { index, .. } => Some(index),
            _ => None,
        });
        let used: Vec<Value> = used.collect();
        assert_eq!(used.len(), 2);
        assert_eq!(used.iter().all(|&used| used == index), !is_bounded, "{bits} bits, {len} elements");
        assert_eq!(used.contains(&index), !is_bounded, "{bits} bits, {len} elements");
    }
}

/// A choice between two vectors by one truth value stays one choice, also between arrays. One by a
/// vector of truth values is made element by element.
#[test]
fn choices_by_one_truth_value_stay_whole() {
    for (len, is_split) in [(1, false), (6, false), (6, true)] {
        let mut maker = Maker::new();
        let (float, truth) = (maker.float, maker.module.types.intern(Type::Int(1)));
        let ty = maker.vector(float, len);
        let truths = if is_split { maker.vector(truth, len) } else { truth };
        let (condition, then, otherwise) = (maker.argument(truths), maker.argument(ty), maker.argument(ty));
        maker.inst(InstData::Select { condition, then, otherwise }, ty);
        let (module, main) = maker.run();
        let selects: Vec<_> =
            code(&module.functions[main]).filter(|(_, data)| matches!(data, InstData::Select { .. })).collect();
        assert_eq!(selects.len(), if is_split { len as usize } else { 1 });
        if !is_split {
            assert_eq!(selects[0].1, InstData::Select { condition, then, otherwise });
        }
    }
}

/// Fifteen numbers, each in sixteen structures: with the structure around them they take 256 steps,
/// and with one more 257. Then the access stays at the address that the code gave it.
#[test]
fn the_search_for_numbers_is_bounded() {
    for (around, is_found) in [(0, true), (1, false)] {
        let mut maker = Maker::new();
        let types = &mut maker.module.types;
        let mut structure =
            |fields: Vec<TypeId>| types.intern(Type::Struct { name: "".into(), fields: fields.into(), packed: false });
        let number = (0..16).fold(maker.float, |ty, _| structure(vec![ty]));
        let object = (0..around).fold(structure(vec![number; 15]), |ty, _| structure(vec![ty]));
        let vector = maker.vector(maker.float, 15);
        let space = AddressSpace::Default;
        let [pointer, laid_over] =
            [object, vector].map(|pointee| maker.module.types.intern(Type::Pointer { pointee, space }));
        let variable = maker.inst(InstData::Alloca { ty: object }, pointer);
        let address = maker.inst(InstData::Cast { op: CastOp::BitCast, value: variable }, laid_over);
        maker.inst(InstData::Load { ptr: address, volatile: false }, vector);
        let (module, main) = maker.run();
        let function = &module.functions[main];
        let bases: Vec<Value> = code(function)
            .filter_map(|(_, data)| match data {
                InstData::Gep { base, .. } => Some(base),
                _ => None,
            })
            .collect();
        assert_eq!(bases, [if is_found { variable } else { address }; 15]);
    }
}

/// The operands of each operation of a function, by name.
fn operations(module: &Module, main: Func) -> Vec<(OpCode, Vec<Value>)> {
    let function = &module.functions[main];
    let operation = |(_, data)| match data {
        InstData::Op { op, args, .. } => Some((op, function.list(args).to_vec())),
        _ => None,
    };
    code(function).filter_map(operation).collect()
}

/// A raw buffer has no second offset, and a structured buffer has one. Four elements are loaded at
/// once, and the last load has those that are left.
#[test]
fn vectors_are_loaded_in_parts() {
    for (len, is_raw) in [(1, true), (4, true), (8, false), (10, true), (10, false)] {
        let mut maker = Maker::new();
        let [handle, word] = [Type::Handle, Type::Int(32)].map(|ty| maker.module.types.intern(ty));
        let vector = maker.vector(maker.float, len);
        let fields = [vector, word].into();
        let result = maker.module.types.intern(Type::Struct { name: "".into(), fields, packed: false });
        let resource = maker.argument(handle);
        let mut constant = |kind| maker.module.consts.value(word, kind);
        let (four, none) = (constant(ConstKind::Int(4)), constant(ConstKind::Undef));
        let args = maker.function.make_list(&[resource, four, if is_raw { none } else { four }, four]);
        let aggregate = maker.inst(InstData::Op { op: OpCode::RawBufferVectorLoad, precise: false, args }, result);
        maker.function.indices.extend([0, 1]);
        let whole = maker.inst(InstData::ExtractValue { aggregate, first: 0, count: 1 }, vector);
        let status = maker.inst(InstData::ExtractValue { aggregate, first: 1, count: 1 }, word);
        maker.inst(InstData::Binary { op: BinaryOp::FMul, precise: false, lhs: whole, rhs: whole }, vector);
        let truth = maker.module.types.intern(Type::Int(1));
        let args = maker.function.make_list(&[status]);
        maker.inst(InstData::Op { op: OpCode::CheckAccessFullyMapped, precise: false, args }, truth);
        let (module, main) = maker.run();
        let operations = operations(&module, main);
        let (loads, checks) = operations.split_at(len.div_ceil(4) as usize);
        for (number, (op, args)) in (0u64..).zip(loads) {
            assert_eq!((*op, args[0]), (OpCode::RawBufferLoad, resource));
            let [index, offset, mask, alignment] = [1, 2, 3, 4].map(|n: usize| module.const_uint(args[n]));
            let at = Some(4 + 16 * number);
            assert_eq!([index, offset], if is_raw { [at, None] } else { [Some(4), at] });
            let left = u64::from(len) - 4 * number;
            assert_eq!([mask, alignment], [Some((1 << left.min(4)) - 1), Some(4)]);
        }
        assert_eq!(checks.len(), loads.len());
        assert!(checks.iter().all(|(op, _)| *op == OpCode::CheckAccessFullyMapped));
    }
}

/// The vector and the status are all that a load of a vector is used for: no compiler chooses
/// between two of its results, or hands one to another block.
#[test]
fn the_result_of_a_load_as_a_whole_is_refused() {
    let mut maker = Maker::new();
    let [handle, word, truth] = [Type::Handle, Type::Int(32), Type::Int(1)].map(|ty| maker.module.types.intern(ty));
    let vector = maker.vector(maker.float, 8);
    let fields = [vector, word].into();
    let result = maker.module.types.intern(Type::Struct { name: "".into(), fields, packed: false });
    let (resource, condition) = (maker.argument(handle), maker.argument(truth));
    let four = maker.module.consts.intern(ConstData { ty: word, kind: ConstKind::Int(4) });
    let four = Value::constant(four);
    let args = maker.function.make_list(&[resource, four, four, four]);
    let then = maker.inst(InstData::Op { op: OpCode::RawBufferVectorLoad, precise: false, args }, result);
    maker.inst(InstData::Select { condition, then, otherwise: then }, result);
    let (mut module, _) = maker.finish();
    let error = run(&mut module, VectorForm::Core, &Fuel::default()).expect_err("it has no value");
    assert_eq!(error.message(), "the result of RawBufferVectorLoad as a whole; expected its members");
}

/// The bits of elements of one width are those of more or fewer elements of another.
#[test]
fn bits_are_read_as_other_elements() {
    for (from, to, wanted) in [
        // The first element has the lowest bits, and types of one width are cast.
        ((Type::Int(32), 6), (Type::Int(64), 3), [3, 3, 0, 6]),
        ((Type::Int(64), 3), (Type::Int(32), 6), [0, 0, 3, 6]),
        ((Type::Float(16), 20), (Type::Float(32), 10), [10, 10, 0, 50]),
        ((Type::Float(32), 17), (Type::Int(32), 17), [0, 0, 0, 17]),
    ] {
        let mut maker = Maker::new();
        let [from_element, to_element] = [from.0, to.0].map(|ty| maker.module.types.intern(ty));
        let (source, target) = (maker.vector(from_element, from.1), maker.vector(to_element, to.1));
        // Something that has to be split.
        let long = maker.vector(maker.float, 17);
        let lhs = maker.argument(long);
        maker.inst(InstData::Binary { op: BinaryOp::FMul, precise: false, lhs, rhs: lhs }, long);
        let value = maker.argument(source);
        maker.inst(InstData::Cast { op: CastOp::BitCast, value }, target);
        let (module, main) = maker.run();
        let count =
            |wanted: fn(&InstData) -> bool| code(&module.functions[main]).filter(|(_, data)| wanted(data)).count();
        let found = [
            count(|data| matches!(data, InstData::Binary { op: BinaryOp::Shl, .. })),
            count(|data| matches!(data, InstData::Binary { op: BinaryOp::Or, .. })),
            count(|data| matches!(data, InstData::Binary { op: BinaryOp::LShr, .. })),
            count(|data| matches!(data, InstData::Cast { .. })),
        ];
        assert_eq!(found, wanted);
    }
}

/// An operation whose elements are not independent is refused.
#[test]
fn operations_without_a_form_on_scalars_are_refused() {
    let mut maker = Maker::new();
    let ty = maker.vector(maker.float, 3);
    let value = maker.argument(ty);
    let args = maker.function.make_list(&[value]);
    // The row's result has no elements.
    let op = OpCode::CheckAccessFullyMapped;
    let truth = maker.module.types.intern(Type::Int(1));
    let inst = maker.function.make_inst(InstData::Op { op, precise: false, args }, Some(truth));
    maker.insts.push(inst);
    let (hints, terminator) = (ControlFlowHints::default(), Terminator::Return(None));
    let _: Block = maker.function.blocks.push(BlockData { params: Vec::new(), insts: maker.insts, terminator, hints });
    let _: Func = maker.module.functions.push(maker.function);
    let error = run(&mut maker.module, VectorForm::Core, &Fuel::default()).expect_err("not by element");
    assert_eq!(error.message(), "CheckAccessFullyMapped on a vector, which has no form on scalars");
}

/// A vector that is longer than HLSL's longest, or that has no element, is refused before any work.
#[test]
fn lengths_of_vectors_are_bounded() {
    for (len, is_right) in [(1024, true), (1025, false), (u32::MAX, false)] {
        let mut maker = Maker::new();
        let ty = maker.vector(maker.float, len);
        let lhs = maker.argument(ty);
        maker.inst(InstData::Binary { op: BinaryOp::FMul, precise: false, lhs, rhs: lhs }, ty);
        let (mut module, _) = maker.finish();
        let refused =
            run(&mut module, VectorForm::Core, &Fuel::default()).err().map(|error| error.message().to_owned());
        let wanted = format!("a vector of {len} elements; HLSL has vectors of 1 to 1024");
        assert_eq!(refused, (!is_right).then_some(wanted));
    }
}
