//! Modules of small functions, made by hand.

use super::inline::inline;
use crate::dxil::ir::*;
use crate::dxil::verify::verify;
use crate::entity::Entity;
use crate::error::ErrorKind;

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

    /// A function that takes a pointer, calls others with it, and returns what it points to.
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
    assert!(inline(&mut maker.module, &[main]).expect("small"));
    verify(&maker.module).expect("still right");
    assert_eq!(maker.calls(main), 0);
    let loads = |data: &&InstData| matches!(data, InstData::Load { .. });
    // Its own, one of each leaf, and of each `twice` three.
    assert_eq!(maker.module.functions[main].insts.values().filter(loads).count(), 1 + 1 + 2 * 3);
    assert!(!inline(&mut maker.module, &[main]).expect("nothing is left to do"));
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
    let error = inline(&mut maker.module, &[main]).expect_err("2 to the 40 calls");
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
    inline(&mut maker.module, &[main]).expect("ends");
    verify(&maker.module).expect("still right");
    assert!(maker.calls(main) > 0);
}
