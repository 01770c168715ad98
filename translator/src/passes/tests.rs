//! Tests of inlining, parameter removal, and choices between handles and addresses, on modules of
//! small functions made by hand.

use super::inline::inline;
use super::{VectorForm, handles, params, run};
use crate::ir::verify::verify;
use crate::ir::*;
use crate::passes::pointers;
use dxil_base::entity::Entity;
use dxil_base::error::ErrorKind;
use dxil_base::limits::Fuel;

struct Maker {
    module: Module,
    void: TypeId,
    pointer: TypeId,
    word: TypeId,
}

impl Maker {
    fn new() -> Self {
        let mut module = Module::default();
        let void = module.types.intern(Type::Void);
        let word = module.types.intern(Type::Int(32));
        let pointer = module.types.intern(Type::Pointer { pointee: word, space: AddressSpace::Default });
        Maker { module, void, pointer, word }
    }

    /// A function that takes a pointer, calls others with it, and returns the value that it points
    /// to.
    fn function(&mut self, name: &str, calls: &[Func]) -> Func {
        let mut function = Function::new(name.into(), self.word, self.module.functions.len() as u32);
        let pointer = function.make_local(self.pointer, Def::Arg(0));
        function.args.push(pointer);
        self.body(&mut function, pointer, calls);
        self.module.functions.push(function)
    }

    fn body(&self, function: &mut Function, pointer: Value, calls: &[Func]) {
        let mut insts: Vec<Inst> = function.insts.keys().collect();
        for &func in calls {
            let args = function.make_list(&[pointer]);
            insts.push(function.make_inst(InstData::Call { func, args }, Some(self.word)));
        }
        let load = function.make_inst(InstData::Load { ptr: pointer, volatile: false }, Some(self.word));
        insts.push(load);
        let terminator = match function.ret == self.void {
            true => Terminator::Return(None),
            false => Terminator::Return(function.result(load)),
        };
        let hints = ControlFlowHints::default();
        let _: Block = function.blocks.push(BlockData { params: Vec::new(), insts, terminator, hints });
    }

    /// A function without parameters that calls others with a variable of its own.
    fn entry(&mut self, calls: &[Func]) -> Func {
        let func = self.function("main", &[]);
        let mut function = self.module.functions[func].clone();
        (function.ret, function.args, function.locals) = (self.void, Vec::new(), Vec::new());
        (function.insts, function.results, function.blocks) = Default::default();
        let alloca = function.make_inst(InstData::Alloca { ty: self.word }, Some(self.pointer));
        let pointer = function.result(alloca).expect("an alloca has a result");
        self.body(&mut function, pointer, calls);
        self.module.functions[func] = function;
        func
    }

    fn calls(&self, func: Func) -> usize {
        let function = &self.module.functions[func];
        function.insts.values().filter(|data| matches!(data, InstData::Call { .. })).count()
    }
}

#[test]
fn calls_with_pointers_become_their_bodies() {
    let mut maker = Maker::new();
    let leaf = maker.function("leaf", &[]);
    let twice = maker.function("twice", &[leaf, leaf]);
    let main = maker.entry(&[twice, leaf, twice]);
    verify(&maker.module).expect("made so");
    assert!(inline(&mut maker.module, &[main], &Fuel::default()).expect("small"));
    verify(&maker.module).expect("still right");
    assert_eq!(maker.calls(main), 0);
    let loads = |data: &&InstData| matches!(data, InstData::Load { .. });
    // One load of `main` itself, one of the leaf that it calls, and three of each `twice`.
    assert_eq!(maker.module.functions[main].insts.values().filter(loads).count(), 1 + 1 + 2 * 3);
    assert!(!inline(&mut maker.module, &[main], &Fuel::default()).expect("nothing is left to do"));
}

#[test]
fn functions_of_numbers_stay() {
    let mut maker = Maker::new();
    let (void, word) = (maker.void, maker.word);
    let pair = Type::Struct { name: "".into(), fields: [word, word].into(), packed: false };
    let pair = maker.module.types.intern(pair);
    let number = maker.module.consts.value(word, ConstKind::Int(7));
    let both = maker.module.consts.value(pair, ConstKind::Undef);
    let results = [(void, None), (word, Some(number)), (pair, Some(both))];
    let functions = results.map(|(ret, result)| {
        let mut function = Function::new("callee".into(), ret, maker.module.functions.len() as u32);
        let argument = function.make_local(word, Def::Arg(0));
        function.args.push(argument);
        let (terminator, hints) = (Terminator::Return(result), ControlFlowHints::default());
        let _: Block = function.blocks.push(BlockData { params: Vec::new(), insts: Vec::new(), terminator, hints });
        maker.module.functions.push(function)
    });
    let mut main = Function::new("main".into(), void, maker.module.functions.len() as u32);
    let calls = functions.map(|func| {
        let (args, ret) = (main.make_list(&[number]), maker.module.functions[func].ret);
        main.make_inst(InstData::Call { func, args }, Some(ret).filter(|&ret| ret != void))
    });
    let (terminator, hints) = (Terminator::Return(None), ControlFlowHints::default());
    let _: Block = main.blocks.push(BlockData { params: Vec::new(), insts: calls.to_vec(), terminator, hints });
    let main = maker.module.functions.push(main);
    verify(&maker.module).expect("made so");
    assert!(inline(&mut maker.module, &[main], &Fuel::default()).expect("small"));
    verify(&maker.module).expect("still right");
    let left: Vec<_> = (maker.module.functions[main].insts.values())
        .filter_map(|data| match *data {
            InstData::Call { func, .. } => Some(func),
            _ => None,
        })
        .collect();
    // The function that returns a structure is inlined.
    assert_eq!(left, functions[..2]);
}

#[test]
fn what_doubles_at_each_level_is_refused() {
    let mut maker = Maker::new();
    let mut last = maker.function("leaf", &[]);
    for level in 0..40 {
        last = maker.function(&format!("level{level}"), &[last, last]);
    }
    let main = maker.entry(&[last]);
    verify(&maker.module).expect("made so");
    let error = inline(&mut maker.module, &[main], &Fuel::default()).expect_err("2 to the 40 calls");
    assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
}

#[test]
fn recursion_is_left_and_ends() {
    let mut maker = Maker::new();
    let own = Func::new(0);
    let first = maker.function("own", &[own, own]);
    assert_eq!(first, own);
    let (a, b) = (Func::new(1), Func::new(2));
    maker.function("a", &[b]);
    maker.function("b", &[a, own]);
    let main = maker.entry(&[own, a]);
    verify(&maker.module).expect("made so");
    inline(&mut maker.module, &[main], &Fuel::default()).expect("ends");
    verify(&maker.module).expect("still right");
    assert!(maker.calls(main) > 0);
}

#[test]
fn parameters_that_are_one_value_go() {
    let mut maker = Maker::new();
    let word = maker.word;
    let mut function = Function::new("main".into(), maker.word, 0);
    let entry = function.make_local(word, Def::Arg(0));
    let other = function.make_local(word, Def::Arg(1));
    function.args = vec![entry, other];
    // b0 → b1(entry) ⟲ b1(itself) → b2(b1's) → b3(b2's, or other from b1). The parameters of b1 and
    // b2 always have the argument's value; that of b3 does not.
    let blocks: Vec<Block> = (0..4).map(Block::new).collect();
    let params: Vec<Value> = (1..4).map(|n| function.make_local(word, Def::Param(blocks[n]))).collect();
    let condition_ty = maker.module.types.intern(Type::Int(1));
    let condition = maker.module.consts.intern(ConstData { ty: condition_ty, kind: ConstKind::Int(1) });
    let mut call = |block: usize, arg| BlockCall { block: blocks[block], args: function.make_list(&[arg]) };
    let condition = Value::constant(condition);
    let terminators = [
        Terminator::Jump(call(1, entry)),
        Terminator::Switch {
            selector: entry,
            default: call(1, params[0]),
            cases: Box::new([(1, call(2, params[0])), (2, call(3, other))]),
        },
        Terminator::Branch { condition, then: call(3, params[1]), otherwise: call(3, entry) },
        Terminator::Return(Some(params[2])),
    ];
    for (n, terminator) in terminators.into_iter().enumerate() {
        let own = n.checked_sub(1).map(|n| params[n]).into_iter().collect();
        let data = BlockData { params: own, insts: Vec::new(), terminator, hints: ControlFlowHints::default() };
        assert_eq!(function.blocks.push(data), blocks[n]);
    }
    let func: Func = maker.module.functions.push(function);
    verify(&maker.module).expect("made so");
    assert!(params::fold(&mut maker.module));
    verify(&maker.module).expect("still right");
    let function = &maker.module.functions[func];
    let left: Vec<_> = function.blocks.values().map(|block| block.params.clone()).collect();
    assert_eq!(left, [vec![], vec![], vec![], vec![params[2]]]);
    let given: Vec<_> =
        function.blocks[blocks[2]].terminator.targets().map(|c| function.list(c.args).to_vec()).collect();
    assert_eq!(given, [[entry], [entry]]);
    assert!(!params::fold(&mut maker.module));
}

/// A function that loads two handles of a library's array of resources, at the indexes that are its
/// arguments. The address of each has `first` before the index.
fn two_handles(maker: &mut Maker, first: u64) -> (Function, Vec<Inst>, [Value; 2]) {
    let (word, space) = (maker.word, AddressSpace::Default);
    let handle = maker.module.types.intern(Type::Handle);
    let array = maker.module.types.intern(Type::Array { element: handle, len: 4 });
    let [whole, element] = [array, handle].map(|pointee| maker.module.types.intern(Type::Pointer { pointee, space }));
    let variable = GlobalVar { name: "textures".into(), ty: array, space, constant: true, init: None };
    let variable = maker.module.globals.push(variable);
    let mut constant = |ty, kind| maker.module.consts.value(ty, kind);
    let base = constant(whole, ConstKind::GlobalAddr(variable));
    let first = constant(word, ConstKind::Int(first));
    let mut function = Function::new("main".into(), maker.void, 0);
    let mut insts = Vec::new();
    let handles = [0, 1].map(|number| {
        let index = function.make_local(word, Def::Arg(number));
        function.args.push(index);
        let indices = function.make_list(&[first, index]);
        let address = function.make_inst(InstData::Gep { base, indices }, Some(element));
        let ptr = function.result(address).expect("an address has a result");
        let load = function.make_inst(InstData::Load { ptr, volatile: false }, Some(handle));
        insts.extend([address, load]);
        function.result(load).expect("a load has a result")
    });
    (function, insts, handles)
}

/// An address beyond the array is no index of it.
#[test]
fn handles_of_one_array_are_merged() {
    for first in [0, 1] {
        let mut maker = Maker::new();
        let (mut function, mut insts, [then, otherwise]) = two_handles(&mut maker, first);
        let (handle, truth) = (maker.module.types.intern(Type::Handle), maker.module.types.intern(Type::Int(1)));
        let condition = function.make_local(truth, Def::Arg(2));
        function.args.push(condition);
        insts.push(function.make_inst(InstData::Select { condition, then, otherwise }, Some(handle)));
        let (terminator, hints) = (Terminator::Return(None), ControlFlowHints::default());
        let _: Block = function.blocks.push(BlockData { params: Vec::new(), insts, terminator, hints });
        let _: Func = maker.module.functions.push(function);
        verify(&maker.module).expect("made so");
        let merged = handles::merge(&mut maker.module, &Fuel::default()).expect("few choices");
        assert_eq!(merged, first == 0);
        verify(&maker.module).expect("still right");
    }
}

/// A block that no block branches to has a parameter without a value. It is as good as undefined.
#[test]
fn handles_from_blocks_that_never_run_are_merged() {
    let mut maker = Maker::new();
    let (mut function, insts, [handle, _]) = two_handles(&mut maker, 0);
    let ty = maker.module.types.intern(Type::Handle);
    let [dead, end] = [1, 2].map(Block::new);
    let params = [dead, end].map(|block| function.make_local(ty, Def::Param(block)));
    let mut to_end = |handle| Terminator::Jump(BlockCall { block: end, args: function.make_list(&[handle]) });
    let blocks = [
        (vec![], insts, to_end(handle)),
        (vec![params[0]], vec![], to_end(params[0])),
        (vec![params[1]], vec![], Terminator::Return(None)),
    ];
    for (params, insts, terminator) in blocks {
        let hints = ControlFlowHints::default();
        let _: Block = function.blocks.push(BlockData { params, insts, terminator, hints });
    }
    let func: Func = maker.module.functions.push(function);
    verify(&maker.module).expect("made so");
    assert!(handles::merge(&mut maker.module, &Fuel::default()).expect("few choices"));
    verify(&maker.module).expect("still right");
    let function = &maker.module.functions[func];
    let last = function.blocks[end].params.first().map(|&param| maker.module.type_of(function, param));
    assert_eq!(last, Some(maker.word), "the index");
}

/// A variable that is allocated in a loop, whose address comes from the iteration before: at the
/// start of the loop, where the address is chosen, it cannot be computed. The variable is allocated
/// in the block of the choice, or in the one behind it.
#[test]
fn addresses_that_cannot_be_merged_are_offsets() {
    for is_behind in [false, true] {
        let mut maker = Maker::new();
        let (word, pointer, void) = (maker.word, maker.pointer, maker.void);
        let space = AddressSpace::Default;
        let truth = maker.module.types.intern(Type::Int(1));
        let array = maker.module.types.intern(Type::Array { element: word, len: 4 });
        let whole = maker.module.types.intern(Type::Pointer { pointee: array, space });
        let mut constant = |ty, kind| maker.module.consts.value(ty, kind);
        let [zero, one] = [0, 1].map(|number| constant(word, ConstKind::Int(number)));
        let undefined = constant(pointer, ConstKind::Undef);
        let mut function = Function::new("main".into(), void, 0);
        let condition = function.make_local(truth, Def::Arg(0));
        function.args.push(condition);
        let [body, behind, end] = [1, 2, 3].map(Block::new);
        let param = function.make_local(pointer, Def::Param(body));
        let load = function.make_inst(InstData::Load { ptr: param, volatile: false }, Some(word));
        let alloca = function.make_inst(InstData::Alloca { ty: array }, Some(whole));
        let base = function.result(alloca).expect("an alloca has a result");
        let indices = function.make_list(&[zero, one]);
        let address = function.make_inst(InstData::Gep { base, indices }, Some(pointer));
        let next = function.result(address).expect("an address has a result");
        let mut again = |address| BlockCall { block: body, args: function.make_list(&[address]) };
        let (start, next) = (again(undefined), again(next));
        let to = |block| BlockCall { block, args: ValueList::default() };
        let (first, second) =
            if is_behind { (vec![load], vec![alloca, address]) } else { (vec![load, alloca, address], vec![]) };
        let blocks = [
            (vec![], vec![], Terminator::Jump(start)),
            (vec![param], first, Terminator::Jump(to(behind))),
            (vec![], second, Terminator::Branch { condition, then: next, otherwise: to(end) }),
            (vec![], vec![], Terminator::Return(None)),
        ];
        for (params, insts, terminator) in blocks {
            let hints = ControlFlowHints::default();
            let _: Block = function.blocks.push(BlockData { params, insts, terminator, hints });
        }
        let main: Func = maker.module.functions.push(function);
        verify(&maker.module).expect("made so");
        assert!(!pointers::merge(&mut maker.module, &Fuel::default()).expect("one choice"));
        assert_eq!(maker.module.functions[main].blocks[body].params, [param]);
        run(
            &mut maker.module,
            &mut Default::default(),
            &Default::default(),
            &[main],
            VectorForm::Core,
            &Fuel::default(),
        )
        .expect("small");
        verify(&maker.module).expect("still right");
        let function = &maker.module.functions[main];
        let params: Vec<_> =
            function.blocks[body].params.iter().map(|&param| maker.module.type_of(function, param)).collect();
        assert_eq!(params, [word], "the offset");
    }
}
