//! Functions and blocks as types: an [`OpenBlock`] takes instructions, a [`Terminated`] point takes
//! the next label.
//!
//! Both hold the one mutable borrow of the [`Module`] and pass it on when a block ends or begins.
//! So the type system rules out an instruction outside a block and a block without a terminator.
//! Both give the module's methods through `Deref`.

use super::types::Type;
use std::ops::{Deref, DerefMut};

use rspirv::spirv::{Decoration, FunctionControl, NonsemanticShaderDebuginfo100Op, Op, StorageClass};

use super::module::Module;
use super::words::{Id, Operands, instruction};
use dxil_base::limits;

/// Between blocks of a function: after OpFunction or after a terminator.
#[must_use = "a function continues with a block or ends"]
pub struct Terminated<'m, 'p> {
    module: &'m mut Module<'p>,
}

/// Within a block: instructions go to its end.
#[must_use = "a block ends with a terminator"]
pub struct OpenBlock<'m, 'p> {
    pub(super) module: &'m mut Module<'p>,
    label: Id,
    /// Position where phis may still go: the end of the code while the block has only phis.
    phis_end: usize,
}

impl<'p> Deref for Terminated<'_, 'p> {
    type Target = Module<'p>;
    fn deref(&self) -> &Module<'p> {
        self.module
    }
}
impl DerefMut for Terminated<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.module
    }
}
impl<'p> Deref for OpenBlock<'_, 'p> {
    type Target = Module<'p>;
    #[inline]
    fn deref(&self) -> &Module<'p> {
        self.module
    }
}
impl DerefMut for OpenBlock<'_, '_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.module
    }
}

/// A phi whose operands are given later, by [`Module::patch_phi`].
#[derive(Clone, Copy, Debug)]
pub struct Phi {
    /// The phi's result.
    pub id: Id,
    at: usize,
    count: u32,
}

impl<'m, 'p> Terminated<'m, 'p> {
    pub(super) fn new(module: &'m mut Module<'p>) -> Self {
        Terminated { module }
    }

    /// The next parameter of the function. All parameters come before the first block.
    pub fn parameter(&mut self, ty: Id) -> Id {
        if self.module.locals_at.is_some() {
            self.module.fault("a function parameter follows a block");
        }
        self.module.parameter_count += 1;
        let count = self.module.parameter_count;
        self.module.keep_within("parameters of a function", count, limits::SPIRV_FUNCTION_PARAMETERS);
        let id = self.module.fresh_value(ty);
        instruction(&mut self.module.code, [Op::FunctionParameter as u32, ty.word()], &[id]);
        id
    }

    /// Begins the block with this label.
    pub fn open(self, label: Id) -> OpenBlock<'m, 'p> {
        let mut block = OpenBlock { module: self.module, label, phis_end: 0 };
        block.begin(label);
        block
    }

    /// Begins a block with a new label.
    pub fn open_new(self) -> OpenBlock<'m, 'p> {
        let label = self.module.fresh();
        self.open(label)
    }

    /// Ends the function.
    pub fn end(self) {
        self.module.end_function();
    }
}

/// Whether an instruction is arithmetic with floats, which NoContraction applies to. Lowerings make
/// no products of matrices.
fn is_contracted(op: Op) -> bool {
    use Op::{Dot, FAdd, FDiv, FMod, FMul, FNegate, FRem, FSub, VectorTimesScalar};
    matches!(op, FAdd | FDiv | FMod | FMul | FNegate | FRem | FSub | Dot | VectorTimesScalar)
}

impl<'m, 'p> OpenBlock<'m, 'p> {
    /// The label of the block that is open now. Phis in its successors refer to it.
    #[inline]
    pub fn label(&self) -> Id {
        self.label
    }

    pub(super) fn begin(&mut self, label: Id) {
        instruction(&mut self.module.code, [Op::Label as u32, label.word()], ());
        let end = self.module.code.len();
        self.module.locals_at.get_or_insert(end);
        self.module.begin_lines();
        self.label = label;
        self.phis_end = end;
    }

    pub(super) fn into_terminated(self) -> Terminated<'m, 'p> {
        Terminated { module: self.module }
    }

    /// An instruction of `NonSemantic.Shader.DebugInfo.100` in the block.
    pub fn debug(&mut self, op: NonsemanticShaderDebuginfo100Op, operands: impl Operands) {
        self.line();
        self.module.debug_code(op, operands);
    }

    /// Writes the line that is due, if one is.
    #[inline]
    pub(super) fn line(&mut self) {
        if self.module.line_is_due {
            self.module.write_line();
        }
    }

    /// An instruction with a result.
    #[inline(always)]
    pub fn op(&mut self, op: Op, ty: Id, operands: impl Operands) -> Id {
        self.line();
        let id = self.module.fresh_value(ty);
        instruction(&mut self.module.code, [op as u32, ty.word(), id.word()], operands);
        if self.module.precise && is_contracted(op) {
            self.module.mark(id, Decoration::NoContraction);
        }
        id
    }

    /// An instruction with a result whose operands begin with `head`.
    #[inline]
    pub fn op_with<const N: usize>(&mut self, op: Op, ty: Id, head: [u32; N], operands: impl Operands) -> Id {
        self.keep_words(3 + N + operands.count());
        self.op(op, ty, (&head, operands))
    }

    /// An instruction without a result.
    #[inline]
    pub fn stmt(&mut self, op: Op, operands: impl Operands) {
        self.line();
        instruction(&mut self.module.code, [op as u32], operands);
    }

    /// An instruction without a result whose operands begin with `head`.
    #[inline]
    pub fn stmt_with<const N: usize>(&mut self, op: Op, head: [u32; N], operands: impl Operands) {
        self.stmt(op, (&head, operands));
    }

    /// Holds the words of an instruction to SPIR-V's limit.
    #[inline]
    fn keep_words(&mut self, count: usize) {
        self.module.keep_within("words of an instruction", count, limits::SPIRV_INSTRUCTION_WORDS);
    }

    /// A variable of the function, of type `pointee`. It is written at the start of the entry
    /// block, regardless of the open block.
    pub fn local(&mut self, pointee: Id, initializer: Option<Id>) -> Id {
        self.module.local_count += 1;
        let count = self.module.local_count;
        self.module.keep_within("variables of a function", count, limits::SPIRV_LOCAL_VARIABLES);
        let ty = self.module.type_pointer(StorageClass::Function, pointee);
        let id = self.module.fresh_value(ty);
        let head = [Op::Variable as u32, ty.word(), id.word(), StorageClass::Function as u32];
        instruction(&mut self.module.locals, head, initializer.as_slice());
        id
    }

    fn phi_head(&mut self, id: Id, ty: Id) {
        if self.module.code.len() != self.phis_end {
            self.module.fault(format!("phi {id} comes after other instructions"));
        }
        self.module.set_type(id, ty);
    }

    /// OpPhi with known operands: pairs of a value and a predecessor label. Both may be ids that
    /// are defined later.
    pub fn phi(&mut self, ty: Id, incoming: &[(Id, Id)]) -> Id {
        let id = self.module.fresh();
        self.phi_as(id, ty, incoming);
        id
    }

    /// [`phi`](Self::phi) with a result id that was made before.
    pub fn phi_as(&mut self, id: Id, ty: Id, incoming: &[(Id, Id)]) {
        self.phi_head(id, ty);
        self.keep_words(3 + incoming.len() * 2);
        instruction(&mut self.module.code, [Op::Phi as u32, ty.word(), id.word()], incoming);
        self.phis_end = self.module.code.len();
    }

    /// OpPhi with `count` operands, each of which [`Module::patch_phi`] must give before the
    /// function ends. Loop headers need it, because their back edge is written last.
    pub fn phi_later(&mut self, ty: Id, count: u32) -> Phi {
        let id = self.module.fresh();
        self.phi_head(id, ty);
        self.module.keep_within("predecessors of a phi", count as usize, limits::SPIRV_PHI_PREDECESSORS);
        let count = count.min(limits::SPIRV_PHI_PREDECESSORS as u32);
        let words = 3 + count as usize * 2;
        self.keep_words(words);
        let code = &mut self.module.code;
        code.put([(words as u32) << 16 | Op::Phi as u32, ty.word(), id.word()]);
        let first = code.len();
        code.append(2 * count as usize).fill(0);
        self.phis_end = code.len();
        self.module.unpatched += count;
        Phi { id, at: first, count }
    }
}

impl<'p> Module<'p> {
    /// Begins a function. `id` comes from [`fresh`](Self::fresh), so that calls and entry points
    /// may use it before. Parameters follow through [`Terminated::parameter`].
    pub fn function(&mut self, id: Id, ty: Id, control: FunctionControl) -> Terminated<'_, 'p> {
        let Some(Type::Function { result, .. }) = self.ty(ty) else {
            self.fault(format!("{ty} is not a function type"));
            return Terminated::new(self);
        };
        if self.in_function {
            self.fault("a function begins inside another function");
        }
        self.in_function = true;
        self.locals_at = None;
        (self.unpatched, self.local_count, self.parameter_count) = (0, 0, 0);
        self.set_type(id, result);
        instruction(&mut self.code, [Op::Function as u32, result.word(), id.word(), control.bits()], &[ty]);
        Terminated::new(self)
    }

    fn end_function(&mut self) {
        if self.unpatched != 0 {
            self.fault(format!("{} phi operands were never given", self.unpatched));
        }
        instruction(&mut self.code, [Op::FunctionEnd as u32], ());
        match self.locals_at {
            Some(at) => {
                let at = at.min(self.code.len());
                self.code.insert(at, &mut self.locals);
                match self.functions.is_empty() {
                    true => std::mem::swap(&mut self.functions, &mut self.code),
                    false => self.functions.put_all(&self.code),
                }
            }
            None => self.fault("a function has no blocks"),
        }
        // They are in `functions` now, and count once.
        self.locals.clear();
        self.code.clear();
        self.values.end();
        self.end_lines();
        self.charge_at = 0;
        self.in_function = false;
    }

    /// Gives operand `index` of a phi made by [`OpenBlock::phi_later`] in the function being
    /// written.
    pub fn patch_phi(&mut self, phi: Phi, index: u32, value: Id, predecessor: Id) {
        let at = phi.at + index as usize * 2;
        match self.code.get_mut(at..at + 2) {
            Some(slot) if index < phi.count && slot == [0, 0] => {
                slot.copy_from_slice(&[value.word(), predecessor.word()]);
                self.unpatched = self.unpatched.saturating_sub(1);
            }
            _ => self.fault(format!("operand {index} of phi {} was given twice or does not exist", phi.id)),
        }
    }
}
