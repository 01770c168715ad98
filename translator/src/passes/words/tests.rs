//! Tests which variables the pass leaves alone, and its limits. The code that it writes is tested
//! by execution (`tests/fixtures/memory`).

use super::*;
use crate::ir::verify::verify;
use crate::ir::{
    AddressSpace, Block, BlockCall, BlockData, CastOp, Const, ConstData, ConstKind, ControlFlowHints, Function,
    GlobalVar, Inst, InstData, Terminator, Type, TypeId, Value, ValueList,
};
use dxil_base::entity::Entity;
use dxil_base::error::ErrorKind;
use dxil_base::limits;

/// A function with one block: an array of `len` words, its address cast to `[cast_to x f32]`, and
/// the instructions that a test adds.
struct Maker {
    module: Module,
    function: Function,
    insts: Vec<Inst>,
    array: Value,
    cast: Value,
    cast_to: TypeId,
}

impl Maker {
    fn new(len: u32, cast_to: u32) -> Self {
        let mut module = Module::default();
        let void = module.types.intern(Type::Void);
        let [word, float] = [Type::Int(32), Type::Float(32)].map(|ty| module.types.intern(ty));
        let own = module.types.intern(Type::Array { element: word, len });
        let cast_to = module.types.intern(Type::Array { element: float, len: cast_to });
        let [pointer, claimed_pointer] =
            [own, cast_to].map(|pointee| module.types.intern(Type::Pointer { pointee, space: AddressSpace::Default }));
        let mut function = Function::new("main".into(), void, 0);
        let alloca = function.make_inst(InstData::Alloca { ty: own }, Some(pointer));
        let array = function.result(alloca).expect("an alloca has a result");
        let cast = function.make_inst(InstData::Cast { op: CastOp::BitCast, value: array }, Some(claimed_pointer));
        let address = function.result(cast).expect("a cast has a result");
        Self { module, function, insts: vec![alloca, cast], array, cast: address, cast_to }
    }

    fn load(&mut self) {
        let load = InstData::Load { ptr: self.cast, volatile: false };
        self.insts.push(self.function.make_inst(load, Some(self.cast_to)));
    }

    /// Runs the pass. Checks that the module is valid before and after.
    fn run(mut self) -> (Result<bool>, Module) {
        let (insts, terminator) = (std::mem::take(&mut self.insts), Terminator::Return(None));
        let hints = ControlFlowHints::default();
        let _ = self.function.blocks.push(BlockData { params: Vec::new(), insts, terminator, hints });
        let main: Func = self.module.functions.push(self.function);
        verify(&self.module).expect("made so");
        let result = run(&mut self.module, &[main], &Fuel::default());
        if result.is_ok() {
            verify(&self.module).expect("still right");
        }
        (result, self.module)
    }
}

#[test]
fn an_array_that_is_loaded_as_another_becomes_words() {
    let mut maker = Maker::new(8, 4);
    maker.load();
    let (result, module) = maker.run();
    assert!(result.expect("small"));
    let main = &module.functions[Func::new(0)];
    let allocas = main.blocks.values().flat_map(|block| &block.insts).filter_map(|&inst| match main.insts[inst] {
        InstData::Alloca { ty } => Some(module.types[ty].clone()),
        _ => None,
    });
    // All accessed numbers are floats, so the words are floats.
    let float = module.types.iter().find(|(_, ty)| **ty == Type::Float(32)).map(|(id, _)| id).expect("there is one");
    assert_eq!(allocas.collect::<Vec<_>>(), [Type::Array { element: float, len: 8 }]);
}

/// An index of another width becomes a word by its sign (LLVM, `getelementptr`).
#[test]
fn indexes_of_all_widths() {
    for (bits, op) in [(16, Some(CastOp::SExt)), (32, None), (64, Some(CastOp::Trunc))] {
        let mut maker = Maker::new(8, 4);
        let [int, float, word] =
            [Type::Int(bits), Type::Float(32), Type::Int(32)].map(|ty| maker.module.types.intern(ty));
        let space = AddressSpace::Default;
        let [to_float, to_int] =
            [float, int].map(|pointee| maker.module.types.intern(Type::Pointer { pointee, space }));
        // The index is read from a variable, so that it is no constant.
        let variable = maker.function.make_inst(InstData::Alloca { ty: int }, Some(to_int));
        let ptr = maker.function.result(variable).expect("an alloca has a result");
        let index = maker.function.make_inst(InstData::Load { ptr, volatile: false }, Some(int));
        let by = maker.function.result(index).expect("a load has a result");
        let zero = maker.module.consts.intern(ConstData { ty: word, kind: ConstKind::Int(0) });
        let indices = maker.function.make_list(&[Value::constant(zero), by]);
        let address = maker.function.make_inst(InstData::Gep { base: maker.cast, indices }, Some(to_float));
        let ptr = maker.function.result(address).expect("an address has a result");
        let load = maker.function.make_inst(InstData::Load { ptr, volatile: false }, Some(float));
        maker.insts.extend([variable, index, address, load]);
        let (changed, module) = maker.run();
        assert!(changed.expect("no limit"), "{bits}");
        let function = module.functions.values().next().expect("a function");
        let block = function.blocks.values().next().expect("a block");
        let casts: Vec<CastOp> = block
            .insts
            .iter()
            .filter_map(|&inst| match function.insts[inst] {
                InstData::Cast { op, value } if value == by => Some(op),
                _ => None,
            })
            .collect();
        assert_eq!(casts, Vec::from_iter(op), "{bits}");
    }
}

/// Numbers of one width share words of that width, which are integers.
#[test]
fn numbers_of_one_width_share_words() {
    for bits in [16, 32, 64] {
        let mut maker = Maker::new(8, 4);
        let space = AddressSpace::Default;
        let numbers = [Type::Float(bits), Type::Int(bits)].map(|ty| maker.module.types.intern(ty));
        for ty in numbers {
            let pointer = maker.module.types.intern(Type::Pointer { pointee: ty, space });
            let cast = InstData::Cast { op: CastOp::BitCast, value: maker.cast };
            let cast = maker.function.make_inst(cast, Some(pointer));
            let ptr = maker.function.result(cast).expect("a cast has a result");
            let load = maker.function.make_inst(InstData::Load { ptr, volatile: false }, Some(ty));
            let value = maker.function.result(load).expect("a load has a result");
            let store = maker.function.make_inst(InstData::Store { ptr, value, volatile: false }, None);
            maker.insts.extend([cast, load, store]);
        }
        let (changed, module) = maker.run();
        assert!(changed.expect("no limit"), "{bits}");
        let function = module.functions.values().next().expect("a function");
        let values = function.insts.values().filter_map(|data| match *data {
            InstData::Store { value, .. } => Some(module.types[module.type_of(function, value)].clone()),
            _ => None,
        });
        // The stores that were replaced are in no block any more.
        assert_eq!(values.filter(|ty| *ty == Type::Int(bits)).count(), 1 + numbers.len(), "{bits}");
    }
}

#[test]
fn what_escapes_stays() {
    let mut maker = Maker::new(8, 4);
    maker.load();
    let word = maker.module.types.intern(Type::Int(32));
    let cast = InstData::Cast { op: CastOp::PtrToInt, value: maker.array };
    maker.insts.push(maker.function.make_inst(cast, Some(word)));
    assert!(!maker.run().0.expect("nothing to do"));
}

/// The address of one of two variables is in use as a number before the two become one set.
#[test]
fn what_escapes_keeps_what_it_is_chosen_with() {
    let mut maker = Maker::new(8, 4);
    let (types, function) = (&mut maker.module.types, &mut maker.function);
    let [word, truth] = [Type::Int(32), Type::Int(1)].map(|ty| types.intern(ty));
    let own = types.intern(Type::Array { element: word, len: 8 });
    let pointer = types.intern(Type::Pointer { pointee: own, space: AddressSpace::Default });
    let condition = maker.module.consts.intern(ConstData { ty: truth, kind: ConstKind::Undef });
    let alloca = function.make_inst(InstData::Alloca { ty: own }, Some(pointer));
    let other = function.result(alloca).expect("an alloca has a result");
    let number = function.make_inst(InstData::Cast { op: CastOp::PtrToInt, value: other }, Some(word));
    let choice = InstData::Select { condition: Value::constant(condition), then: maker.array, otherwise: other };
    let choice = function.make_inst(choice, Some(pointer));
    maker.insts.extend([alloca, number, choice]);
    maker.load();
    assert!(!maker.run().0.expect("nothing to do"));
}

#[test]
fn what_needs_nothing_stays() {
    let maker = Maker::new(8, 4);
    assert!(!maker.run().0.expect("nothing to do"));
}

#[test]
fn what_is_large_stays() {
    for (len, cast_to) in [(1 << 18 | 1, 4), (u32::MAX, 4), (8, 1025), (8, u32::MAX)] {
        let mut maker = Maker::new(len, cast_to);
        maker.load();
        assert!(!maker.run().0.expect("nothing to do"), "{len}, {cast_to}");
    }
}

#[test]
fn too_much_code_is_refused() {
    let mut maker = Maker::new(1024, 1024);
    for _ in 0..1000 {
        maker.load();
    }
    let error = maker.run().0.expect_err("a million words");
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    // The number is of all instructions, and not of those that were too many.
    let found = error.message().split(' ').next().and_then(|word| word.parse::<usize>().ok());
    assert!(found.is_some_and(|found| found > limits::INLINED), "{error}");
}

/// A variable of the module, in the default space if it is constant: its address, and the address
/// as that of a value of type `cast_to`, which lies over its start.
fn global(maker: &mut Maker, ty: TypeId, init: Option<Const>) -> (Const, Const) {
    let space = if init.is_some() { AddressSpace::Default } else { AddressSpace::GroupShared };
    let variable = GlobalVar { name: "variable".into(), ty, space, constant: init.is_some(), init };
    let global = maker.module.globals.push(variable);
    let [own, laid_over] =
        [ty, maker.cast_to].map(|pointee| maker.module.types.intern(Type::Pointer { pointee, space }));
    let address = maker.module.consts.intern(ConstData { ty: own, kind: ConstKind::GlobalAddr(global) });
    let kind = ConstKind::Cast { op: CastOp::BitCast, value: address };
    (address, maker.module.consts.intern(ConstData { ty: laid_over, kind }))
}

/// The offset of a constant address is the sum of its members' and elements' offsets.
#[test]
fn constant_addresses_are_constant_offsets() {
    let mut maker = Maker::new(8, 4);
    let [word, float] = [Type::Int(32), Type::Float(32)].map(|ty| maker.module.types.intern(ty));
    let row = maker.module.types.intern(Type::Array { element: word, len: 3 });
    let rows = maker.module.types.intern(Type::Array { element: row, len: 2 });
    // The members are at the bytes 0, 4, 8 and 32.
    let fields = [word, float, rows, word].into();
    let whole = maker.module.types.intern(Type::Struct { name: "".into(), fields, packed: false });
    let (address, laid_over) = global(&mut maker, whole, None);
    maker.cast = Value::constant(laid_over);
    maker.load();
    let space = AddressSpace::GroupShared;
    let to_word = maker.module.types.intern(Type::Pointer { pointee: word, space });
    let consts = &mut maker.module.consts;
    let mut gep = |base: Const, indices: &[i64]| {
        let number = |&index: &i64| {
            let kind = ConstKind::Int(u64::from(index as u32));
            consts.intern(ConstData { ty: word, kind })
        };
        let indices = indices.iter().map(number).collect::<Vec<_>>().into();
        consts.intern(ConstData { ty: to_word, kind: ConstKind::Gep { base, indices } })
    };
    let inside = gep(address, &[0, 2, 1, 2]);
    let addresses = [inside, gep(address, &[0, 3]), gep(address, &[0, 0]), gep(inside, &[-3])];
    for address in addresses {
        let load = InstData::Load { ptr: Value::constant(address), volatile: false };
        maker.insts.push(maker.function.make_inst(load, Some(word)));
    }
    let (result, module) = maker.run();
    assert!(result.expect("small"));
    let main = &module.functions[Func::new(0)];
    let elements: Vec<_> = (main.blocks.values().flat_map(|block| &block.insts))
        .filter_map(|&inst| match main.insts[inst] {
            InstData::Gep { indices, .. } => module.const_uint(main.list(indices)[1]),
            _ => None,
        })
        .collect();
    assert_eq!(elements, [0, 1, 2, 3, 7, 8, 0, 4]);
}

/// An address has no bytes that the array of words could begin with.
#[test]
fn initial_values_that_are_addresses_stay() {
    for is_address in [false, true] {
        let mut maker = Maker::new(8, 4);
        let word = maker.module.types.intern(Type::Int(32));
        let pair = maker.module.types.intern(Type::Array { element: word, len: 4 });
        let number = maker.module.consts.intern(ConstData { ty: word, kind: ConstKind::Int(7) });
        let (other, _) = global(&mut maker, word, Some(number));
        let kind = ConstKind::Cast { op: CastOp::PtrToInt, value: other };
        let as_number = maker.module.consts.intern(ConstData { ty: word, kind });
        let last = if is_address { as_number } else { number };
        let kind = ConstKind::Aggregate([number, number, number, last].into());
        let init = maker.module.consts.intern(ConstData { ty: pair, kind });
        let (_, laid_over) = global(&mut maker, pair, Some(init));
        maker.cast = Value::constant(laid_over);
        maker.load();
        assert_eq!(maker.run().0.expect("small"), !is_address);
    }
}

/// Blocks need not stand in the order in which they run: here the second one reads at an address
/// that the third one computes. Both that address and the variable are known to need words before
/// the two become one set.
#[test]
fn what_is_found_twice_is_not_forgotten() {
    let mut maker = Maker::new(8, 4);
    maker.load();
    let pointer = maker.function.locals[maker.cast.as_local().expect("an instruction")].ty;
    let cast = maker.function.make_inst(InstData::Cast { op: CastOp::BitCast, value: maker.array }, Some(pointer));
    let ptr = maker.function.result(cast).expect("a cast has a result");
    let load = maker.function.make_inst(InstData::Load { ptr, volatile: false }, Some(maker.cast_to));
    let to = |block| Terminator::Jump(BlockCall { block: Block::new(block), args: ValueList::default() });
    let blocks = [(maker.insts, to(2)), (vec![load], Terminator::Return(None)), (vec![cast], to(1))];
    for (insts, terminator) in blocks {
        let hints = ControlFlowHints::default();
        let _: Block = maker.function.blocks.push(BlockData { params: Vec::new(), insts, terminator, hints });
    }
    let main: Func = maker.module.functions.push(maker.function);
    verify(&maker.module).expect("made so");
    assert!(run(&mut maker.module, &[main], &Fuel::default()).expect("small"));
    verify(&maker.module).expect("still right");
}

/// Parts without numbers count as well, because an access of words visits each part.
#[test]
fn an_object_with_many_empty_parts_stays() {
    for (len, changed) in [(0, true), (limits::VALUE_LEAVES as u32 - 1, true), (u32::MAX, false)] {
        let mut maker = Maker::new(8, 4);
        let types = &mut maker.module.types;
        let word = types.intern(Type::Int(32));
        let empty = types.intern(Type::Struct { name: "".into(), fields: [].into(), packed: false });
        let none = types.intern(Type::Array { element: empty, len });
        let object = types.intern(Type::Struct { name: "".into(), fields: [word, none].into(), packed: false });
        let pointer = types.intern(Type::Pointer { pointee: object, space: AddressSpace::Default });
        let cast = maker.function.make_inst(InstData::Cast { op: CastOp::BitCast, value: maker.array }, Some(pointer));
        maker.cast = maker.function.result(cast).expect("a cast has a result");
        maker.cast_to = object;
        maker.insts.push(cast);
        maker.load();
        let (result, _) = maker.run();
        assert_eq!(result.expect("small"), changed, "{len}");
    }
}
