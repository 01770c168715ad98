//! Which constant tables are declared as arrays of vectors.
//!
//! DXC writes a table of vectors as an array of their components: `table[i].y` is element `4 * i +
//! 1`. Drivers take much longer for an array of many numbers than for one of fewer vectors.
//!
//! In: the program. Out: for each constant table the components of a vector, if it is declared so.
//! What must hold: all uses of such a table are loads of single elements, and the lowest bits of
//! each index, which name the component, are known. Lowering computes the component where it knows
//! less.

use crate::analysis::address::{Address, Index, MemoryVariable, base_of};
use crate::analysis::known_bits::KnownBits;
use crate::analysis::program::Program;
use crate::ir::{AddressSpace, ConstKind, Function, Global, GlobalVar, InstData, Module, Type, Value};
use dxil_base::entity::SecondaryMap;
use dxil_base::limits::ADDRESS_CHAIN;

/// The elements of the smallest table that is declared so. A table of vectors has more words, and
/// the time of drivers grows with the square of the elements: Mesa 25.0 takes 7 ms longer for a
/// pipeline with 512 numbers than for one with 256 vectors of two.
const LEAST: u32 = 64;

/// The components of the vectors of each table that is declared as an array of vectors: 2 or 4.
#[derive(Clone, Debug, Default)]
pub struct VectorTables {
    /// Of each global variable. Those that are declared otherwise have at most 1.
    components: SecondaryMap<Global, u32>,
    /// How many tables there are.
    count: usize,
}

impl VectorTables {
    /// The components of a vector, if a global variable is declared as an array of vectors.
    pub fn components(&self, global: Global) -> Option<u32> {
        Some(self.components[global]).filter(|&components| components > 1)
    }

    /// Finds the tables. The cost is one visit of each global variable, and of each instruction if
    /// there are tables.
    pub fn find(program: &Program) -> Self {
        let module = &program.module;
        let mut found = Self::default();
        for (global, data) in module.globals.iter() {
            if let Some(components) = components(module, data) {
                found.components[global] = components;
                found.count += 1;
            }
        }
        for function in module.functions.values() {
            if found.count == 0 {
                break;
            }
            found.function(module, function);
        }
        found
    }

    /// Looks at the uses of a function.
    fn function(&mut self, module: &Module, function: &Function) {
        let mut known = KnownBits::new(module, function);
        for (inst, data) in function.insts.iter() {
            match *data {
                InstData::Load { ptr, .. } => {
                    let Some(global) = self.table_of(module, function, ptr) else { continue };
                    let index = match Address::resolve(module, function, ptr) {
                        Ok(Address { variable: MemoryVariable::Global(_), indices, .. }) => match indices[..] {
                            [Index::Element(Some(index))] => Some(index),
                            _ => None,
                        },
                        _ => None,
                    };
                    let bits = index.map_or(0, |index| known.bits(index).lowest().0);
                    self.narrow(global, bits);
                }
                InstData::Gep { .. } => {}
                _ => function.for_each_operand(inst, |value| {
                    if let Some(global) = self.table_of(module, function, value) {
                        self.narrow(global, 0);
                    }
                }),
            }
        }
        for block in function.blocks.values() {
            function.for_each_terminator_operand(&block.terminator, |value| {
                if let Some(global) = self.table_of(module, function, value) {
                    self.narrow(global, 0);
                }
            });
        }
    }

    /// The table that a pointer leads into. In code that does not run a chain may be a circle. No
    /// longer chain is an [`Address`], so lowering refuses its use.
    fn table_of(&self, module: &Module, function: &Function, mut pointer: Value) -> Option<Global> {
        for _ in 0..=ADDRESS_CHAIN {
            let Some((base, _)) = base_of(module, function, pointer) else { break };
            pointer = base;
        }
        let ConstKind::GlobalAddr(global) = module.consts[pointer.as_const()?].kind else { return None };
        self.components(global).map(|_| global)
    }

    /// Takes account of an access with an index of which the lowest `bits` bits are known.
    fn narrow(&mut self, global: Global, bits: u32) {
        let components = &mut self.components[global];
        *components = (*components).min(1 << bits.min(2));
        self.count -= usize::from(*components == 1);
    }
}

/// The components of the largest vector that a table can be divided into.
fn components(module: &Module, data: &GlobalVar) -> Option<u32> {
    let Type::Array { element, len } = module.types[data.ty] else { return None };
    let is_table = data.space == AddressSpace::Default && data.constant;
    let has_elements = matches!(module.consts[data.init?].kind, ConstKind::Aggregate(_));
    let is_word = matches!(module.types[element], Type::Int(32) | Type::Float(32));
    let components = 1 << len.trailing_zeros().min(2);
    (is_table && has_elements && is_word && len >= LEAST && components > 1).then_some(components)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Def;
    use dxil_base::entity::Entity;

    /// In code that does not run an address may be computed from itself. The search for its table
    /// ends, and the table keeps its vectors.
    #[test]
    fn an_address_that_is_computed_from_itself_leads_to_no_table() {
        let mut module = Module::default();
        let [void, word] = [Type::Void, Type::Int(32)].map(|ty| module.types.intern(ty));
        let pointer = module.types.intern(Type::Pointer { pointee: word, space: AddressSpace::Default });
        let mut function = Function::new("main".into(), void, 0);
        let step = function.make_local(word, Def::Arg(0));
        let indices = function.make_list(&[step]);
        let gep = function.make_inst(InstData::Gep { base: step, indices }, Some(pointer));
        let itself = function.result(gep).expect("it has a type");
        function.insts[gep] = InstData::Gep { base: itself, indices };
        function.make_inst(InstData::Load { ptr: itself, volatile: false }, Some(word));
        let table = Global::new(0);
        let mut found = VectorTables::default();
        (found.components[table], found.count) = (4, 1);
        found.function(&module, &function);
        assert_eq!(found.components(table), Some(4));
    }

    /// Constant arrays of 64 words or more are tables, if they have elements and can be divided.
    #[test]
    fn only_long_constant_arrays_of_words_are_tables() {
        let mut module = Module::default();
        let [word, half] = [32, 16].map(|bits| module.types.intern(Type::Int(bits)));
        let mut components_of = |element, len, constant, space, has_elements| {
            let ty = module.types.intern(Type::Array { element, len });
            let kind = if has_elements { ConstKind::Aggregate(Box::default()) } else { ConstKind::Null };
            let init = Some(module.consts.intern(crate::ir::ConstData { ty, kind }));
            let name = "table".into();
            components(&module, &GlobalVar { name, ty, space, constant, init })
        };
        let table = AddressSpace::Default;
        let found = [64, 66, 65, 60].map(|len| components_of(word, len, true, table, true));
        assert_eq!(found, [Some(4), Some(2), None, None]);
        assert_eq!(components_of(word, 64, true, table, false), None);
        assert_eq!(components_of(word, 64, false, table, true), None);
        assert_eq!(components_of(word, 64, true, AddressSpace::GroupShared, true), None);
        assert_eq!(components_of(half, 64, true, table, true), None);
    }
}
