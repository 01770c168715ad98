//! Names and decorations.

use rspirv::spirv::{BuiltIn, Decoration, Op, StorageClass};

use super::module::Module;
use super::words::{Id, Word, instruction, with_string};
use dxil_base::error::Result;

impl Module<'_> {
    /// OpName, if names are written.
    pub fn name(&mut self, id: Id, name: &str) {
        if self.emit_names && !name.is_empty() {
            with_string(&mut self.names, Op::Name, &[id.word()], name, ());
        }
    }

    /// Whether names are written. Callers ask before they build a name.
    pub fn names(&self) -> bool {
        self.emit_names
    }

    /// OpDecorate, once per target, decoration and first literal.
    pub fn decorate<W: Word>(&mut self, target: Id, decoration: Decoration, literals: &[W]) {
        let first = literals.first().map_or(0, |&w| w.into());
        if self.decorated.insert([target.word(), 0, decoration as u32, first]) {
            instruction(&mut self.annotations, [Op::Decorate as u32, target.word(), decoration as u32], literals);
        }
    }

    /// [`decorate`](Self::decorate) without literals.
    pub fn mark(&mut self, target: Id, decoration: Decoration) {
        self.decorate::<u32>(target, decoration, &[]);
    }

    /// Decorates a result that was just made, which cannot have the decoration yet. NoContraction
    /// and RelaxedPrecision are as frequent as arithmetic, so a check for duplicates would cost
    /// more than writing them.
    #[inline]
    pub fn mark_new(&mut self, result: Id, decoration: Decoration) {
        instruction(&mut self.annotations, [Op::Decorate as u32, result.word(), decoration as u32], ());
    }

    /// DescriptorSet and Binding of a variable that was just made.
    pub fn decorate_binding(&mut self, variable: Id, set: u32, binding: u32) {
        for (decoration, number) in [(Decoration::DescriptorSet, set), (Decoration::Binding, binding)] {
            instruction(&mut self.annotations, [Op::Decorate as u32, variable.word(), decoration as u32, number], ());
        }
    }

    /// An input or output variable that is a builtin. The caller declares the builtin's capability.
    ///
    /// # Errors
    /// `MissingFeature`, as for [`variable`](Self::variable).
    pub fn builtin_variable(&mut self, class: StorageClass, ty: Id, builtin: BuiltIn) -> Result<Id> {
        let id = self.variable(class, ty, None)?;
        self.decorate(id, Decoration::BuiltIn, &[builtin as u32]);
        Ok(id)
    }
}
