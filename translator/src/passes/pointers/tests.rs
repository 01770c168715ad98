//! Tests of choices that compilers rarely leave: constant indexes, loops of choices, undefined
//! addresses, and choices that stay as they are.

use super::*;
use crate::ir::verify::verify;
use crate::ir::{AddressSpace, Block, BlockCall, BlockData, ControlFlowHints, Terminator};
use dxil_base::entity::Entity;

/// A function with a local array `word[2][8]`, whose first argument is a condition and whose other
/// two are words.
struct Maker {
    module: Module,
    function: Function,
    insts: Vec<Inst>,
    word: TypeId,
    long: TypeId,
    address: TypeId,
    variable: Value,
    condition: Value,
    indexes: [Value; 2],
}

impl Maker {
    fn new() -> Self {
        let mut module = Module::default();
        let types = [Type::Void, Type::Int(1), Type::Int(32), Type::Int(64)];
        let [void, truth, word, long] = types.map(|ty| module.types.intern(ty));
        let row = module.types.intern(Type::Array { element: word, len: 8 });
        let array = module.types.intern(Type::Array { element: row, len: 2 });
        let [address, whole] = [word, array].map(|pointee| Type::Pointer { pointee, space: AddressSpace::Default });
        let [address, whole] = [address, whole].map(|ty| module.types.intern(ty));
        let mut function = Function::new("main".into(), void, 0);
        let [condition, first, second] =
            [(0, truth), (1, word), (2, word)].map(|(number, ty)| function.make_local(ty, Def::Arg(number)));
        function.args = vec![condition, first, second];
        let alloca = function.make_inst(InstData::Alloca { ty: array }, Some(whole));
        let variable = function.result(alloca).expect("it has a type");
        let indexes = [first, second];
        Self { module, function, insts: vec![alloca], word, long, address, variable, condition, indexes }
    }

    fn number(&mut self, ty: TypeId, number: u64) -> Value {
        self.module.consts.value(ty, ConstKind::Int(number))
    }

    fn undef(&mut self, ty: TypeId) -> Value {
        self.module.consts.value(ty, ConstKind::Undef)
    }

    fn inst(&mut self, data: InstData, ty: TypeId) -> Value {
        let inst = self.function.make_inst(data, Some(ty));
        self.insts.push(inst);
        self.function.result(inst).expect("it has a type")
    }

    /// The address of a word of the variable.
    fn element(&mut self, row: Value, column: Value) -> Value {
        let zero = self.number(self.word, 0);
        let indices = self.function.make_list(&[zero, row, column]);
        self.inst(InstData::Gep { base: self.variable, indices }, self.address)
    }

    /// The address of a word of the second row.
    fn of_row(&mut self, column: Value) -> Value {
        let row = self.number(self.word, 1);
        self.element(row, column)
    }

    fn select(&mut self, then: Value, otherwise: Value) -> Value {
        self.inst(InstData::Select { condition: self.condition, then, otherwise }, self.address)
    }

    fn load(&mut self, ptr: Value) {
        self.inst(InstData::Load { ptr, volatile: false }, self.word);
    }

    fn call(&mut self, block: usize, args: &[Value]) -> BlockCall {
        BlockCall { block: Block::new(block), args: self.function.make_list(args) }
    }

    fn block(&mut self, params: Vec<Value>, terminator: Terminator) {
        let insts = std::mem::take(&mut self.insts);
        let hints = ControlFlowHints::default();
        let _: Block = self.function.blocks.push(BlockData { params, insts, terminator, hints });
    }

    /// Rewrites the function. Checks that the module is valid before and after.
    fn run(mut self) -> Merged {
        let func = self.module.functions.push(self.function);
        verify(&self.module).expect("made so");
        let is_changed = merge(&mut self.module, &Fuel::default()).expect("few choices");
        verify(&self.module).expect("still right");
        let function = self.module.functions[func].clone();
        Merged { is_changed, module: self.module, function, variable: self.variable }
    }
}

/// A function after the rewrite.
struct Merged {
    is_changed: bool,
    module: Module,
    function: Function,
    variable: Value,
}

impl Merged {
    fn params(&self, block: usize) -> &[Value] {
        &self.function.blocks[Block::new(block)].params
    }

    /// The arguments of each branch that ends a block.
    fn args(&self, block: usize) -> Vec<Vec<Value>> {
        let targets = self.function.blocks[Block::new(block)].terminator.targets();
        targets.map(|target| self.function.list(target.args).to_vec()).collect()
    }

    /// The constants among the indexes of an address in the variable; `None` for another index,
    /// which is also returned.
    fn indexes(&self, address: Value) -> (Vec<Option<u64>>, Vec<Value>) {
        match self.function.def_inst(address) {
            Some((_, &InstData::Gep { base, indices })) if base == self.variable => {
                let indices = self.function.list(indices);
                let constants = indices.iter().map(|&index| self.module.const_uint(index)).collect();
                (constants, indices.iter().copied().filter(|index| index.as_local().is_some()).collect())
            }
            other => panic!("{other:?}"),
        }
    }
}

/// Two branches to one block, which pass it one of two addresses. Returns the block's parameter
/// too.
fn phi(make: impl FnOnce(&mut Maker) -> [Value; 2]) -> (Merged, Value) {
    let mut maker = Maker::new();
    let [then, otherwise] = make(&mut maker).map(|address| maker.call(1, &[address]));
    maker.block(Vec::new(), Terminator::Branch { condition: maker.condition, then, otherwise });
    let param = maker.function.make_local(maker.address, Def::Param(Block::new(1)));
    maker.load(param);
    maker.block(vec![param], Terminator::Return(None));
    (maker.run(), param)
}

#[test]
fn an_index_that_differs_becomes_a_parameter() {
    let (mut numbers, mut indexes) = (Vec::new(), Vec::new());
    let (constant, param) = phi(|maker| {
        numbers = [2, 5].map(|number| maker.number(maker.word, number)).to_vec();
        [numbers[0], numbers[1]].map(|number| maker.of_row(number))
    });
    let (local, other_param) = phi(|maker| {
        indexes = maker.indexes.to_vec();
        maker.indexes.map(|index| maker.of_row(index))
    });
    for (merged, param, passed) in [(constant, param, numbers), (local, other_param, indexes)] {
        assert!(merged.is_changed);
        assert_eq!(merged.args(0), [vec![passed[0]], vec![passed[1]]]);
        assert_eq!(merged.indexes(param), (vec![Some(0), Some(1), None], merged.params(1).to_vec()));
    }
}

/// An index that is the same in all addresses stays a constant, another one does not.
#[test]
fn several_indexes_may_differ() {
    let (merged, param) = phi(|maker| {
        let [zero, one] = [0, 1].map(|number| maker.number(maker.word, number));
        [maker.element(zero, one), maker.element(one, zero)]
    });
    assert!(merged.is_changed);
    assert_eq!(merged.indexes(param), (vec![Some(0), None, None], merged.params(1).to_vec()));
    let numbers: Vec<Vec<_>> =
        merged.args(0).iter().map(|args| args.iter().map(|&arg| merged.module.const_uint(arg)).collect()).collect();
    assert_eq!(numbers, [[Some(0), Some(1)], [Some(1), Some(0)]]);
}

/// One parameter has one type, so indexes of different widths stay in the addresses.
#[test]
fn indexes_of_different_widths_are_not_merged() {
    for is_constant in [true, false] {
        let (merged, param) = phi(|maker| {
            let (word, long) = (maker.word, maker.long);
            let first = if is_constant { maker.number(word, 2) } else { maker.indexes[0] };
            let second = maker.number(long, 5);
            [first, second].map(|index| maker.of_row(index))
        });
        assert!(!merged.is_changed);
        assert_eq!(merged.params(1), [param]);
    }
}

/// A loop chooses between its own address and another one: a parameter and a select are operands of
/// one another.
#[test]
fn choices_of_choices_are_merged_together() {
    let mut maker = Maker::new();
    let indexes = maker.indexes;
    let [start, other] = indexes.map(|index| maker.of_row(index));
    let enter = maker.call(1, &[start]);
    maker.block(Vec::new(), Terminator::Jump(enter));
    let param = maker.function.make_local(maker.address, Def::Param(Block::new(1)));
    let next = maker.select(param, other);
    maker.load(next);
    let (then, otherwise) = (maker.call(1, &[next]), maker.call(2, &[]));
    maker.block(vec![param], Terminator::Branch { condition: maker.condition, then, otherwise });
    maker.block(Vec::new(), Terminator::Return(None));
    let merged = maker.run();
    assert!(merged.is_changed);
    let (_, in_param) = merged.indexes(param);
    assert_eq!(merged.params(1), in_param);
    assert_eq!(merged.args(0), [[indexes[0]]]);
    let (constants, in_next) = merged.indexes(next);
    assert_eq!(constants, [Some(0), Some(1), None]);
    match merged.function.def_inst(in_next[0]) {
        Some((_, &InstData::Select { then, otherwise, .. })) => {
            assert_eq!([then, otherwise], [in_param[0], indexes[1]])
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(merged.args(1), [in_next, Vec::new()]);
}

/// An undefined address may be any, so it gets an undefined index. So does an address in an
/// undefined array, and one that comes from a block that is never entered.
#[test]
fn undefined_addresses_have_undefined_indexes() {
    for is_part in [false, true] {
        let (merged, param) = phi(|maker| {
            let undefined = if is_part {
                let [zero, number] = [0, 3].map(|number| maker.number(maker.word, number));
                let base = maker.undef(maker.function.locals[maker.variable.as_local().expect("a local")].ty);
                let indices = maker.function.make_list(&[zero, zero, number]);
                maker.inst(InstData::Gep { base, indices }, maker.address)
            } else {
                maker.undef(maker.address)
            };
            [undefined, maker.of_row(maker.indexes[0])]
        });
        assert!(merged.is_changed);
        let args = merged.args(0);
        assert!(merged.module.is_undef(args[0][0]), "{args:?}");
        assert_eq!(merged.indexes(param).0, [Some(0), Some(1), None]);
    }
    let mut maker = Maker::new();
    let element = maker.of_row(maker.indexes[0]);
    maker.block(Vec::new(), Terminator::Return(None));
    let param = maker.function.make_local(maker.address, Def::Param(Block::new(1)));
    let chosen = maker.select(param, element);
    maker.load(chosen);
    maker.block(vec![param], Terminator::Return(None));
    let merged = maker.run();
    assert!(merged.is_changed);
    let (_, index) = merged.indexes(chosen);
    match merged.function.def_inst(index[0]) {
        Some((_, &InstData::Select { then, .. })) => assert!(merged.module.is_undef(then)),
        other => panic!("{other:?}"),
    }
}

/// An address that is computed from a choice is not the choice.
#[test]
fn a_step_from_a_choice_stays() {
    for of_select in [false, true] {
        let mut maker = Maker::new();
        let [start, other] = maker.indexes.map(|index| maker.of_row(index));
        let [left, right] = [start, other].map(|address| maker.call(1, &[address]));
        let condition = maker.condition;
        maker.block(Vec::new(), Terminator::Branch { condition, then: left, otherwise: right });
        let param = maker.function.make_local(maker.address, Def::Param(Block::new(1)));
        let choice = if of_select { maker.select(start, other) } else { param };
        let one = maker.number(maker.word, 1);
        let indices = maker.function.make_list(&[one]);
        let next = maker.inst(InstData::Gep { base: choice, indices }, maker.address);
        let chosen = maker.select(next, other);
        maker.load(chosen);
        maker.block(vec![param], Terminator::Return(None));
        let merged = maker.run();
        assert!(merged.is_changed, "the first choice can be merged");
        match merged.function.def_inst(chosen) {
            Some((_, &InstData::Select { then, otherwise, .. })) => assert_eq!((then, otherwise), (next, other)),
            found => panic!("{found:?}"),
        }
        match merged.function.def_inst(next) {
            Some((_, &InstData::Gep { base, .. })) => assert_eq!(base, choice),
            found => panic!("{found:?}"),
        }
    }
}

/// The first index steps over whole variables. Lengths of paths and variables must agree.
#[test]
fn other_addresses_stay() {
    let (outside, _) = phi(|maker| {
        let one = maker.number(maker.word, 1);
        maker.indexes.map(|index| {
            let indices = maker.function.make_list(&[one, one, index]);
            maker.inst(InstData::Gep { base: maker.variable, indices }, maker.address)
        })
    });
    let (stepping, _) = phi(|maker| {
        let one = maker.number(maker.word, 1);
        maker.indexes.map(|index| {
            let indices = maker.function.make_list(&[index, one, one]);
            maker.inst(InstData::Gep { base: maker.variable, indices }, maker.address)
        })
    });
    let (two_variables, _) = phi(|maker| {
        let ty = maker.function.locals[maker.variable.as_local().expect("a local")].ty;
        let Type::Pointer { pointee, .. } = maker.module.types[ty] else { panic!("a pointer") };
        let other = maker.inst(InstData::Alloca { ty: pointee }, ty);
        let first = maker.of_row(maker.indexes[0]);
        maker.variable = other;
        [first, maker.of_row(maker.indexes[0])]
    });
    for merged in [outside, stepping, two_variables] {
        assert!(!merged.is_changed);
    }
}
