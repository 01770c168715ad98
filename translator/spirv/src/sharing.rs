//! Instructions whose values are shared ([`values`](super::values)).

use rspirv::spirv::Op;

use super::block::OpenBlock;
use super::values::Region;
use super::words::{Id, Operands};

impl OpenBlock<'_, '_> {
    /// Shares values in the open block from here on. They are those of blocks whose regions have
    /// it.
    pub fn share_values(&mut self, region: Region) {
        self.module.values.open(region);
    }

    /// Forgets all values, so that those before this place need not be kept.
    pub fn forget_values(&mut self) {
        self.module.values.forget();
    }

    /// An instruction that has no effect but its result, which depends on its operands alone. The
    /// result of an equal one before it is taken again.
    #[inline]
    pub fn pure(&mut self, op: Op, ty: Id, operands: impl Operands) -> Id {
        self.line();
        let start = self.module.code.len();
        let id = self.op(op, ty, operands);
        self.shared(start, id)
    }

    /// [`pure`](Self::pure) with operands that begin with `head`.
    #[inline]
    pub fn pure_with<const N: usize>(&mut self, op: Op, ty: Id, head: [u32; N], operands: impl Operands) -> Id {
        self.line();
        let start = self.module.code.len();
        let id = self.op_with(op, ty, head, operands);
        self.shared(start, id)
    }

    /// The result of the instruction at the end of the code, or that of an equal one before it, for
    /// which the new one is taken back.
    fn shared(&mut self, start: usize, id: Id) -> Id {
        let label = self.label();
        let Some(earlier) = self.module.values.earlier(&self.module.code, start, label) else { return id };
        self.module.code.truncate(start);
        self.module.ids.pop();
        earlier
    }

    /// Whether the open block is in a piece of control flow inside a block, so that what follows
    /// the piece does not see its values.
    #[inline]
    pub fn is_inside(&self) -> bool {
        self.module.values.inside != 0
    }

    /// Writes a piece of control flow inside the open block.
    pub(super) fn inside<T>(&mut self, piece: impl FnOnce(&mut Self) -> T) -> T {
        self.module.values.inside += 1;
        let result = piece(self);
        self.module.values.inside = self.module.values.inside.saturating_sub(1);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::super::module::Module;
    use super::*;
    use dxil_base::profile::VULKAN_1_3_DESKTOP;
    use rspirv::spirv::FunctionControl;

    /// A module, and the type of a function without parameters.
    fn module() -> (Module<'static>, Id) {
        let mut module = Module::new(&VULKAN_1_3_DESKTOP, (1, 3), false);
        let void = module.type_void();
        let ty = module.type_function(void, &[]);
        (module, ty)
    }

    /// The sum of a value and a number.
    fn sum(code: &mut OpenBlock<'_, '_>, value: Id, number: u32) -> Id {
        let (ty, number) = (code.type_u32(), code.const_u32(number));
        code.pure(Op::IAdd, ty, &[value, number])
    }

    /// A value that no other equals.
    fn start(code: &mut OpenBlock<'_, '_>) -> Id {
        let ty = code.type_u32();
        code.op(Op::Undef, ty, ())
    }

    #[test]
    fn an_equal_instruction_of_a_dominating_block_is_taken() {
        let (mut module, ty) = module();
        let main = module.fresh();
        let mut code = module.function(main, ty, FunctionControl::NONE).open_new();
        // Places: the entry 1, its children 2 (with its child 3) and 4.
        code.share_values(1..=4);
        let value = start(&mut code);
        let first = sum(&mut code, value, 1);
        let (bound, length) = (code.bound(), code.module.code.len());
        assert_eq!(sum(&mut code, value, 1), first);
        assert_eq!((code.bound(), code.module.code.len()), (bound, length), "nothing is written");
        assert_ne!(sum(&mut code, value, 2), first);
        assert_ne!(sum(&mut code, first, 1), first);
        let float = code.type_f32();
        let number = code.const_u32(1);
        assert_ne!(code.pure(Op::IAdd, float, &[value, number]), first, "the type differs");
        let next = code.fresh();
        let mut code = code.branch(next).unwrap().open(next);
        code.share_values(2..=3);
        assert_eq!(sum(&mut code, value, 1), first);
        let inner = sum(&mut code, value, 3);
        let next = code.fresh();
        let mut code = code.branch(next).unwrap().open(next);
        code.share_values(3..=3);
        assert_eq!((sum(&mut code, value, 1), sum(&mut code, value, 3)), (first, inner));
        let next = code.fresh();
        let mut code = code.branch(next).unwrap().open(next);
        code.share_values(4..=4);
        assert_eq!(sum(&mut code, value, 1), first);
        assert_ne!(sum(&mut code, value, 3), inner, "the block of the other sum does not dominate this one");
        code.ret().unwrap().end();
    }

    #[test]
    fn a_piece_inside_a_block_gives_no_values() {
        let (mut module, ty) = module();
        let main = module.fresh();
        let mut code = module.function(main, ty, FunctionControl::NONE).open_new();
        code.share_values(1..=1);
        let value = start(&mut code);
        let before = sum(&mut code, value, 1);
        let (condition, zero) = (code.const_bool(true), code.const_u32(0));
        let mut inside = Vec::new();
        let word = code.type_u32();
        let take = |code: &mut OpenBlock<'_, '_>, inside: &mut Vec<Id>| {
            assert_eq!(sum(code, value, 1), before);
            inside.push(sum(code, value, 2));
            Ok(value)
        };
        code.if_value(word, condition, zero, |code| take(code, &mut inside)).unwrap();
        code.if_then(condition, |code| take(code, &mut inside).map(drop)).unwrap();
        let mut other = Vec::new();
        let (then, otherwise) = (
            |code: &mut OpenBlock<'_, '_>| take(code, &mut inside),
            |code: &mut OpenBlock<'_, '_>| take(code, &mut other),
        );
        code.if_else_value(word, condition, then, otherwise).unwrap();
        code.repeat_until_all(word, |code| Ok((condition, take(code, &mut inside)?)), |_, condition| Ok(condition))
            .unwrap();
        inside.extend(other);
        let after = sum(&mut code, value, 2);
        assert_eq!(inside.len(), 5);
        inside.push(after);
        inside.sort();
        inside.dedup();
        assert_eq!(inside.len(), 6, "none is taken elsewhere");
        assert_eq!(sum(&mut code, value, 2), after);
        code.ret().unwrap().end();
    }

    #[test]
    fn a_sampled_image_stays_in_its_block() {
        let (mut module, ty) = module();
        let main = module.fresh();
        let mut code = module.function(main, ty, FunctionControl::NONE).open_new();
        code.share_values(1..=1);
        let (image, sampler) = (start(&mut code), start(&mut code));
        let first = code.sampled_image(image, sampler);
        assert_eq!(code.sampled_image(image, sampler), first);
        let condition = code.const_bool(true);
        code.if_then(condition, |code| {
            assert_ne!(code.sampled_image(image, sampler), first);
            Ok(())
        })
        .unwrap();
        assert_ne!(code.sampled_image(image, sampler), first);
        code.ret().unwrap().end();
    }

    #[test]
    fn values_end_with_a_call_and_with_the_function() {
        let (mut module, ty) = module();
        let main = module.fresh();
        let mut code = module.function(main, ty, FunctionControl::NONE).open_new();
        let value = start(&mut code);
        assert_ne!(sum(&mut code, value, 1), sum(&mut code, value, 1), "no region was given");
        code.share_values(1..=1);
        let first = sum(&mut code, value, 1);
        code.forget_values();
        assert_ne!(sum(&mut code, value, 1), first);
        code.ret().unwrap().end();
        let other = module.fresh();
        let mut code = module.function(other, ty, FunctionControl::NONE).open_new();
        assert_ne!(sum(&mut code, value, 1), sum(&mut code, value, 1));
        code.share_values(1..=1);
        let again = sum(&mut code, value, 1);
        assert_eq!(sum(&mut code, value, 1), again);
        code.ret().unwrap().end();
    }
}
