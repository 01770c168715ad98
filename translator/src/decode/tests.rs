//! Tests of constant expressions and of metadata that compilers fold or write in another form, on
//! bitcode modules made as data.

use super::*;
use crate::ir::verify;
use dxil_base::error::{ErrorKind, Result};
use dxil_bitcode::{
    Attachment, BinaryOp as B, Body, CastOp as C, Constant, Foreign, Inst as I, InstId, Instruction, Linkage, List,
    Metadata, MetadataId, MetadataOperand, OptimizationFlags, Predicate, Type as Ty, TypeId as TyId, Value as V,
    ValueDef, ValueId,
};

/// A bitcode module to whose function a body is added in the end.
struct Input {
    module: bitcode::Module,
    word: TyId,
    float: TyId,
    truth: TyId,
    /// The types of the results of the first instructions of the function.
    results: Vec<TyId>,
}

impl Input {
    fn new() -> Self {
        let mut module = bitcode::Module::default();
        let [word, float, truth] = [Ty::Integer(32), Ty::Float, Ty::Integer(1)].map(|ty| module.types.push(ty));
        Self { module, word, float, truth, results: Vec::new() }
    }

    fn vector(&mut self, element: TyId, len: u32) -> TyId {
        self.module.types.push(Ty::Vector { len, element, scalable: false })
    }

    fn constant(&mut self, ty: TyId, constant: Constant) -> ValueId {
        let def = ValueDef::Constant(self.module.constants.push(constant));
        self.module.values.push(V { ty, def })
    }

    /// A vector of words.
    fn words<const N: usize>(&mut self, words: [u64; N]) -> ValueId {
        let (ty, words) = (self.vector(self.word, N as u32), self.module.constant_words.extend(words));
        self.constant(ty, Constant::Data(words))
    }

    /// A variable of the module, as a value.
    fn variable(&mut self) -> ValueId {
        let pointer = self.module.types.push(Ty::Pointer { pointee: self.word, address_space: 0 });
        let (value, number) = (self.module.values.next_key(), self.module.globals.next_key());
        self.module.globals.push(bitcode::Global {
            name: List::EMPTY,
            value,
            ty: self.word,
            address_space: 0,
            constant: false,
            initializer: None,
            linkage: Linkage::Internal,
            align: 0,
            section: 0,
            thread_local: false,
            unnamed_addr: false,
            externally_initialized: false,
        });
        self.module.values.push(V { ty: pointer, def: ValueDef::Global(number) })
    }

    /// The result of an instruction. The function is the last value before.
    fn result(&self, inst: usize) -> ValueId {
        ValueId::new(self.module.values.len() + 1 + inst)
    }

    /// Decodes the module with a function of these instructions. Each block ends in a terminator.
    fn decoded(mut self, insts: &[I], attachments: Vec<Attachment<InstId>>) -> Result<Decoded> {
        let void = self.module.types.push(Ty::Void);
        let ty = self.module.types.push(Ty::Function { ret: void, params: List::EMPTY, vararg: false });
        let mut body = Body { attachments, ..Body::default() };
        let mut first = InstId::new(0);
        for (n, &inst) in insts.iter().enumerate() {
            let def = ValueDef::Inst(InstId::new(n));
            body.values.extend(self.results.get(n).map(|&ty| V { ty, def }));
            let result = (n < self.results.len()).then(|| self.result(n));
            body.insts.push(Instruction { inst, result, bit: 0 });
            if inst.is_terminator() {
                let end = InstId::new(body.insts.len());
                body.blocks.push(bitcode::Block { first, end });
                first = end;
            }
        }
        let def = ValueDef::Function(self.module.functions.next_key());
        let value = self.module.values.push(V { ty, def });
        body.first_value = self.module.values.len() as u32;
        self.module.functions.push(bitcode::Function {
            name: List::EMPTY,
            value,
            ty,
            calling_convention: 0,
            linkage: Linkage::External,
            attributes: None,
            align: 0,
            section: 0,
            unnamed_addr: false,
            defined: true,
            body: Some(body),
        });
        decode(&self.module, &Fuel::default())
    }

    /// The content of a constant, given that an instruction uses it. The numbers of an aggregate
    /// stand for themselves.
    fn content(self, constant: ValueId) -> std::result::Result<Vec<ConstKind>, String> {
        let decoded = match self.decoded(&[I::Ret { value: Some(constant) }], Vec::new()) {
            Ok(decoded) => decoded,
            Err(error) if error.kind() == ErrorKind::Unsupported => return Err(error.message().to_owned()),
            Err(error) => panic!("{error}"),
        };
        let function = decoded.module.functions.values().next().expect("one function");
        let terminator = function.blocks.values().next().map(|block| &block.terminator);
        let Some(Terminator::Return(Some(value))) = terminator else { panic!("{terminator:?}") };
        let consts = &decoded.module.consts;
        Ok(match &consts[value.as_const().expect("a constant")].kind {
            ConstKind::Aggregate(parts) => parts.iter().map(|&part| consts[part].kind.clone()).collect(),
            kind => vec![kind.clone()],
        })
    }
}

fn ints<const N: usize>(numbers: [u64; N]) -> std::result::Result<Vec<ConstKind>, String> {
    Ok(numbers.map(ConstKind::Int).to_vec())
}

/// A number has one form, so that equal constants are one constant.
#[test]
fn zeros_are_numbers() {
    let mut input = Input::new();
    let null = input.constant(input.float, Constant::Null);
    assert_eq!(input.content(null), Ok(vec![ConstKind::Float(0)]));
    let mut input = Input::new();
    let null = input.constant(input.word, Constant::Null);
    assert_eq!(input.content(null), ints([0]));
}

#[test]
fn arithmetic_of_constants_is_folded() {
    let sum = |lhs, rhs| Constant::Binary { op: B::Add, flags: OptimizationFlags::NONE, lhs, rhs };
    let mut input = Input::new();
    let word = input.word;
    let [lhs, rhs] = [40, 2].map(|number| input.constant(word, Constant::Int(number)));
    let folded = input.constant(word, sum(lhs, rhs));
    assert_eq!(input.content(folded), ints([42]));
    // `zeroinitializer` and `undef` have as many elements as their type.
    for empty in [Constant::Null, Constant::Undef] {
        let mut input = Input::new();
        let lhs = input.words([1, 2, 3]);
        let ty = input.module.values[lhs].ty;
        let rhs = input.constant(ty, empty);
        let folded = input.constant(ty, sum(lhs, rhs));
        assert_eq!(input.content(folded), ints([1, 2, 3]));
    }
}

/// Whether addresses are equal is known. Which is lower is not.
#[test]
fn addresses_are_compared_for_equality() {
    use Predicate as P;
    let cases = [(P::IEq, Some([1, 0])), (P::INe, Some([0, 1])), (P::IUlt, None), (P::ISgt, None), (P::IUge, None)];
    for (pred, wanted) in cases {
        for same in [true, false] {
            let mut input = Input::new();
            let lhs = input.variable();
            let rhs = if same { lhs } else { input.variable() };
            let folded = input.constant(input.truth, Constant::Cmp { pred, lhs, rhs });
            let found = input.content(folded);
            match wanted {
                Some([equal, different]) => assert_eq!(found, ints([if same { equal } else { different }])),
                None => {
                    let name = operators::cmp_op(pred).name();
                    assert_eq!(found, Err(format!("constant expression {name} as an operand")));
                }
            }
        }
    }
}

#[test]
fn a_selection_of_vectors_goes_by_element() {
    let mut input = Input::new();
    let [if_true, if_false] = [[1, 2, 3], [10, 20, 30]].map(|words| input.words(words));
    let (truth, truths) = (input.truth, input.vector(input.truth, 3));
    let chosen = [1, 0, 1].map(|truth_value| input.constant(truth, Constant::Int(truth_value)));
    let chosen = input.module.constant_operands.extend(chosen);
    let cond = input.constant(truths, Constant::Aggregate(chosen));
    let ty = input.module.values[if_true].ty;
    let folded = input.constant(ty, Constant::Select { cond, if_true, if_false });
    assert_eq!(input.content(folded), ints([1, 20, 3]));
}

/// A vector of one number, whose element is that number, and so on: decoding goes down by one call
/// for each, so their number is bounded.
#[test]
fn nested_constants_are_bounded() {
    for (pairs, is_folded) in [(32, true), (33, false)] {
        let mut input = Input::new();
        let (word, single) = (input.word, input.vector(input.word, 1));
        let index = input.constant(word, Constant::Int(0));
        let mut number = input.constant(word, Constant::Int(7));
        for _ in 0..pairs {
            let list = input.module.constant_operands.extend([number]);
            let vector = input.constant(single, Constant::Aggregate(list));
            number = input.constant(word, Constant::ExtractElement { vector, index });
        }
        let found = input.content(number);
        if is_folded {
            assert_eq!(found, ints([7]));
        } else {
            assert!(found.is_err(), "{found:?}");
        }
    }
}

/// The hints of a branch are in its node, or in nodes that the node lists.
#[test]
fn hints_have_two_forms() {
    for is_list in [false, true] {
        let mut input = Input::new();
        let name = input.module.strings.extend(*b"dx.controlflow.hints");
        input.module.metadata_kinds.push(name);
        let (word, truth) = (input.word, input.truth);
        // DxilConstants.h, DXIL::ControlFlowHint: 1 is `[branch]`.
        let hint = input.constant(word, Constant::Int(1));
        let cond = input.constant(truth, Constant::Int(1));
        let name = input.module.metadata.push(Metadata::String(name));
        let node = |operands: &[MetadataOperand], input: &mut Input| -> MetadataId {
            let operands = input.module.metadata_operands.extend(operands.iter().copied());
            input.module.metadata.push(Metadata::Node { distinct: false, operands })
        };
        let mut attached = node(&[MetadataOperand::Id(name), MetadataOperand::Value(hint)], &mut input);
        if is_list {
            attached = node(&[MetadataOperand::Id(attached)], &mut input);
        }
        let [then, otherwise] = [1, 2].map(bitcode::BlockId::new);
        let insts =
            [I::CondBr { cond, if_true: then, if_false: otherwise }, I::Ret { value: None }, I::Ret { value: None }];
        let attachment = Attachment { at: InstId::new(0), kind: 0, node: attached };
        let decoded = input.decoded(&insts, vec![attachment]).expect("a valid module");
        let function = decoded.module.functions.values().next().expect("one function");
        let hints: Vec<ControlFlowHints> = function.blocks.values().map(|block| block.hints).collect();
        let none = ControlFlowHints::default();
        assert_eq!(hints, [ControlFlowHints { branch: true, ..none }, none, none]);
    }
}

/// Makes a constant of another one and a zero.
type Wrap = fn(&mut Input, ValueId, ValueId) -> ValueId;

/// Decoding goes down into every operand of an expression, and no deeper than the limit.
#[test]
fn every_nested_expression_is_bounded() {
    let of_words: [(&str, Wrap); 5] = [
        ("cast", |input, value, _| input.constant(input.word, Constant::Cast { op: C::BitCast, value })),
        ("first operand", |input, lhs, rhs| {
            input.constant(input.word, Constant::Binary { op: B::Add, flags: OptimizationFlags::NONE, lhs, rhs })
        }),
        ("second operand", |input, rhs, lhs| {
            input.constant(input.word, Constant::Binary { op: B::Add, flags: OptimizationFlags::NONE, lhs, rhs })
        }),
        ("chosen value", |input, if_true, if_false| {
            let cond = input.constant(input.truth, Constant::Int(1));
            input.constant(input.word, Constant::Select { cond, if_true, if_false })
        }),
        ("other value", |input, if_false, if_true| {
            let cond = input.constant(input.truth, Constant::Int(0));
            input.constant(input.word, Constant::Select { cond, if_true, if_false })
        }),
    ];
    let of_truths: [(&str, Wrap); 2] = [
        ("comparison", |input, lhs, rhs| input.constant(input.truth, Constant::Cmp { pred: Predicate::INe, lhs, rhs })),
        ("condition", |input, cond, if_false| {
            let if_true = input.constant(input.truth, Constant::Int(1));
            input.constant(input.truth, Constant::Select { cond, if_true, if_false })
        }),
    ];
    let of_vectors: [(&str, Wrap); 2] = [
        ("vector", |input, vector, index| {
            let (ty, element) = (input.module.values[vector].ty, input.constant(input.word, Constant::Int(1)));
            input.constant(ty, Constant::InsertElement { vector, element, index })
        }),
        ("shuffle", |input, lhs, _| {
            let (ty, mask) = (input.module.values[lhs].ty, input.words([0]));
            input.constant(ty, Constant::ShuffleVector { lhs, rhs: lhs, mask })
        }),
    ];
    let check = |name: &str, wrap: Wrap, start: fn(&mut Input) -> [ValueId; 2]| {
        for (depth, is_folded) in [(limits::TYPE_NESTING, true), (limits::TYPE_NESTING + 1, false)] {
            let mut input = Input::new();
            let [start, zero] = start(&mut input);
            let nested = (0..depth).fold(start, |nested, _| wrap(&mut input, nested, zero));
            let found = input.content(nested);
            // A cast that is not folded stays a cast, which lowering refuses.
            assert_eq!(found == ints([1]), is_folded, "{name}: {found:?}");
        }
    };
    for (name, wrap) in of_words {
        check(name, wrap, |input| [1, 0].map(|number| input.constant(input.word, Constant::Int(number))));
    }
    for (name, wrap) in of_truths {
        check(name, wrap, |input| [1, 0].map(|number| input.constant(input.truth, Constant::Int(number))));
    }
    for (name, wrap) in of_vectors {
        check(name, wrap, |input| [input.words([1]), input.constant(input.word, Constant::Int(0))]);
    }
}

/// An aggregate has as many elements as its type, each of the right type.
#[test]
fn aggregates_fit_their_types() {
    let refused = |what: &str| Err(format!("{what} as an operand"));
    let aggregate = |ty: fn(&mut Input) -> TyId, numbers: &[u64]| {
        let mut input = Input::new();
        let ty = ty(&mut input);
        let word = input.word;
        let elements: Vec<ValueId> =
            numbers.iter().map(|&number| input.constant(word, Constant::Int(number))).collect();
        let elements = input.module.constant_operands.extend(elements);
        let constant = input.constant(ty, Constant::Aggregate(elements));
        input.content(constant)
    };
    let data = |ty: fn(&mut Input) -> TyId, numbers: &[u64]| {
        let mut input = Input::new();
        let ty = ty(&mut input);
        let words = input.module.constant_words.extend(numbers.iter().copied());
        let constant = input.constant(ty, Constant::Data(words));
        input.content(constant)
    };
    fn structure(input: &mut Input, fields: [TyId; 2]) -> TyId {
        let fields = input.module.type_lists.extend(fields);
        input.module.types.push(Ty::Struct { name: None, packed: false, fields })
    }
    let types: [fn(&mut Input) -> TyId; 3] = [
        |input| input.vector(input.word, 2),
        |input| input.module.types.push(Ty::Array { len: 2, element: input.word }),
        |input| structure(input, [input.word; 2]),
    ];
    for ty in types {
        assert_eq!(aggregate(ty, &[7, 8]), ints([7, 8]));
        for numbers in [&[7][..], &[7, 8, 9]] {
            assert_eq!(aggregate(ty, numbers), refused("an aggregate whose elements do not fit its type"));
        }
    }
    let of_others: [fn(&mut Input) -> TyId; 4] = [
        |input| input.vector(input.float, 2),
        |input| input.module.types.push(Ty::Array { len: 2, element: input.float }),
        |input| structure(input, [input.word, input.float]),
        |input| input.word,
    ];
    for ty in of_others {
        assert_eq!(aggregate(ty, &[7, 8]), refused("an aggregate whose elements do not fit its type"));
    }
    for ty in &types[..2] {
        assert_eq!(data(*ty, &[7, 8]), ints([7, 8]));
        for numbers in [&[7][..], &[7, 8, 9]] {
            assert_eq!(data(*ty, numbers), refused("a data constant that does not fit its type"));
        }
    }
}

/// Instructions that DXIL does not have are refused by name, also where one ends a block. A number
/// of more than 64 bits is the vector whose bits it has. Other uses than its lowest bits are
/// refused.
#[test]
fn lowest_bits_of_vectors() {
    let make = |element: Ty, len: u32, bits: u32, uses: &dyn Fn(&Input) -> I| {
        let mut input = Input::new();
        let element = input.module.types.push(element);
        let (ty, [wide, number]) =
            (input.vector(element, len), [96, bits].map(|bits| input.module.types.push(Ty::Integer(bits))));
        let value = input.constant(ty, Constant::Null);
        input.results = vec![wide, number];
        let insts = [I::Cast { op: C::BitCast, value }, uses(&input), I::Ret { value: None }];
        let decoded = input.decoded(&insts, Vec::new()).unwrap();
        let verified = verify::verify_functions(&decoded.module, decoded.unproven.iter().copied());
        (decoded.module, verified.map_err(|error| error.kind()))
    };
    let trunc = |input: &Input| I::Cast { op: C::Trunc, value: input.result(0) };
    for (element, len, bits, expected) in [
        (Ty::Integer(32), 3, 32, &["extractelement"][..]),
        (Ty::Float, 3, 32, &["extractelement", "bitcast"]),
        (Ty::Float, 3, 16, &["extractelement", "bitcast", "trunc"]),
        (Ty::Half, 6, 32, &["shufflevector", "bitcast"]),
        (Ty::Integer(32), 3, 64, &["shufflevector", "bitcast"]),
        (Ty::Integer(16), 6, 48, &["shufflevector", "bitcast", "trunc"]),
        (Ty::Integer(16), 6, 1, &["extractelement", "trunc"]),
    ] {
        let (module, verified) = make(element, len, bits, &trunc);
        assert_eq!(verified, Ok(()));
        let function = module.functions.values().next().unwrap();
        let names = function.blocks.values().flat_map(|block| &block.insts).map(|&inst| match function.insts[inst] {
            InstData::Cast { op, .. } => op.to_string(),
            InstData::ExtractElement { .. } => "extractelement".to_owned(),
            InstData::ShuffleVector { .. } => "shufflevector".to_owned(),
            ref other => format!("{other:?}"),
        });
        assert_eq!(names.collect::<Vec<_>>(), expected);
    }
    let compared = |input: &Input| I::Cmp {
        pred: Predicate::IEq,
        flags: OptimizationFlags::NONE,
        lhs: input.result(0),
        rhs: input.result(0),
    };
    assert_eq!(make(Ty::Integer(32), 3, 1, &compared).1, Err(ErrorKind::Malformed));
}

/// The vector may be defined in a block that comes later.
#[test]
fn lowest_bits_of_a_vector_that_comes_later() {
    for (element, len, width) in [(Ty::Integer(16), 17, 272), (Ty::Float, 3, 96), (Ty::Half, 6, 96)] {
        let mut input = Input::new();
        let element = input.module.types.push(element);
        let vector = input.vector(element, len);
        let [wide, number] = [width, 32].map(|bits| input.module.types.push(Ty::Integer(bits)));
        let zero = input.constant(vector, Constant::Null);
        // Those of the terminators are no values.
        input.results = vec![number, wide, number, number, vector];
        let to = |number: usize| bitcode::BlockId::new(number);
        let insts = [
            I::Br { target: to(2) },
            I::Cast { op: C::BitCast, value: input.result(4) },
            I::Cast { op: C::Trunc, value: input.result(1) },
            I::Ret { value: None },
            I::Cast { op: C::BitCast, value: zero },
            I::Br { target: to(1) },
        ];
        let decoded = input.decoded(&insts, Vec::new()).unwrap();
        let verified = verify::verify_functions(&decoded.module, decoded.unproven.iter().copied());
        verified.unwrap_or_else(|error| panic!("{element:?} {len}: {error}"));
    }
}

/// A number of more than 64 bits may be chosen, or made of the bits of two.
#[test]
fn bits_of_two_vectors() {
    let of = |element: Ty, make: &dyn Fn(&Input, ValueId) -> I| {
        let mut input = Input::new();
        let element = input.module.types.push(element);
        let vector = input.vector(element, 3);
        let [wide, number] = [96, 32].map(|bits| input.module.types.push(Ty::Integer(bits)));
        let (value, truth) = (input.constant(vector, Constant::Null), input.constant(input.truth, Constant::Undef));
        input.results = vec![wide, wide, number];
        let casts = [I::Cast { op: C::BitCast, value }, make(&input, truth)];
        let [cast, pair] = casts;
        let trunc = I::Cast { op: C::Trunc, value: input.result(1) };
        let decoded = input.decoded(&[cast, pair, trunc, I::Ret { value: None }], Vec::new()).unwrap();
        let verified = verify::verify_functions(&decoded.module, decoded.unproven.iter().copied());
        verified.map_err(|error| error.kind())
    };
    let binary = |op: bitcode::BinaryOp| {
        move |input: &Input, _: ValueId| I::Binary {
            op,
            flags: OptimizationFlags::NONE,
            lhs: input.result(0),
            rhs: input.result(0),
        }
    };
    let select = |input: &Input, cond: ValueId| I::Select {
        cond,
        if_true: input.result(0),
        if_false: input.result(0),
        flags: OptimizationFlags::NONE,
    };
    for element in [Ty::Integer(32), Ty::Float] {
        for op in [bitcode::BinaryOp::And, bitcode::BinaryOp::Or, bitcode::BinaryOp::Xor] {
            assert_eq!(of(element, &binary(op)), Ok(()), "{op:?}");
        }
        assert_eq!(of(element, &select), Ok(()));
        // The carry of one element would be lost to the next one.
        assert_eq!(of(element, &binary(bitcode::BinaryOp::Add)), Err(ErrorKind::Malformed));
    }
}

#[test]
fn instructions_of_other_languages_are_named() {
    let ends = [Foreign::Invoke, Foreign::IndirectBr, Foreign::Resume];
    for op in ends.into_iter().chain([Foreign::LandingPad, Foreign::VaArg]) {
        let foreign = I::Foreign { op, operands: List::EMPTY };
        let both = [foreign, I::Ret { value: None }];
        let insts = if ends.contains(&op) { &both[..1] } else { &both };
        let error = Input::new().decoded(insts, Vec::new()).map(|_| ()).expect_err("no such instruction");
        assert_eq!((error.kind(), error.message()), (ErrorKind::Unsupported, &*format!("instruction `{op}`")));
    }
}

/// LLVM permits any code in a block that the entry does not reach. It has none here.
#[test]
fn blocks_that_are_never_entered_are_empty() {
    let mut input = Input::new();
    let (ptr, cond) = (input.variable(), input.constant(input.truth, Constant::Undef));
    let value = input.constant(input.word, Constant::Int(7));
    let access = bitcode::MemoryOperand { align: 4, volatile: false, ordering: bitcode::Ordering::NotAtomic, scope: 1 };
    let store = I::Store { ptr, value, access };
    let to = |number: usize| bitcode::BlockId::new(number);
    let decoded = input.decoded(
        &[
            store,
            I::Br { target: to(2) },
            // A loop with a way out to code that is reached.
            store,
            I::CondBr { cond, if_true: to(1), if_false: to(2) },
            store,
            I::Ret { value: None },
        ],
        Vec::new(),
    );
    let module = decoded.expect("a function").module;
    let function = module.functions.values().next().expect("one function");
    let lengths: Vec<usize> = function.blocks.values().map(|block| block.insts.len()).collect();
    assert_eq!(lengths, [1, 0, 1]);
    assert_eq!(function.blocks[Block::new(1)].terminator, Terminator::Unreachable);
    let stores = function.insts.values().filter(|data| matches!(data, InstData::Store { .. }));
    assert_eq!(stores.count(), 2, "no list has the instruction");
    verify::verify(&module).expect("valid");
}

/// An index is an integer of more than one bit, as in an instruction.
#[test]
fn indexes_of_constant_addresses_are_integers() {
    for (bits, wanted) in [(1, false), (16, true), (32, true), (64, true)] {
        let mut input = Input::new();
        let (base, ty) = (input.variable(), input.module.types.push(Ty::Integer(bits)));
        let pointer = input.module.values[base].ty;
        let index = input.constant(ty, Constant::Int(0));
        let operands = input.module.constant_operands.extend([base, index]);
        let address = Constant::GetElementPtr { inbounds: false, base_ty: input.word, operands };
        let address = input.constant(pointer, address);
        let found = input.content(address);
        assert_eq!(found.is_ok(), wanted, "{bits}: {found:?}");
    }
}
