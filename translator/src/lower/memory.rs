//! Memory that is no resource: allocas, groupshared variables, constant tables.
//!
//! A pointer is resolved where it is used ([`Address`]), and becomes one access chain. Casts of pointers are looked through: a load or
//! store through one reinterprets the bits of a scalar of the same width. What is accessed in other ways has become an array of words before
//! ([`passes`](crate::passes)), or is refused by name.

use rspirv::spirv::{Op, StorageClass};

use super::context::Context;
use super::{Code, Lowered};
use crate::dxil::address::{Address, Index, Reason, Variable, same_bits};
use crate::dxil::ir::{AddressSpace, Global, InstData, Type, TypeId, Value};
use crate::error::Result;
use crate::spirv::{Id, Member, MemoryAccess, Module, StructKind};

/// A resolved pointer: its id, and the IR type of what it really points to (a cast may have claimed another).
#[derive(Clone, Copy, Debug)]
pub(super) struct Pointer {
    /// The pointer.
    pub id: Id,
    /// What it points to.
    pub ty: TypeId,
    /// Whether it points to groupshared memory.
    pub shared: bool,
    /// Whether its floats are declared as integers of their bits, because atomics take them so.
    pub bits: bool,
}

impl Context<'_> {
    /// Resolves a pointer.
    ///
    /// # Errors
    /// `Unsupported` where it is no way through one variable's type: see [`Address::resolve`].
    pub fn pointer(&mut self, code: &mut Code<'_, '_>, value: Value) -> Result<Pointer> {
        self.pointer_past(code, value, None)
    }

    /// Resolves a pointer to what is a number of objects (a 32-bit integer) after the one that a pointer names, in the same array.
    ///
    /// # Errors
    /// As [`pointer`](Self::pointer).
    pub fn pointer_past(&mut self, code: &mut Code<'_, '_>, value: Value, past: Option<Id>) -> Result<Pointer> {
        let program = self.program;
        let address = Address::resolve(&program.module, self.function, value).map_err(|reason| match reason {
            Reason::Malformed(text) => malformed!(self.place, "{text}"),
            Reason::Irregular(text) => unsupported!(self.place, "{text}"),
        })?;
        let (root, shared) = match address.variable {
            Variable::Alloca(value) => (self.alloca(code, value, address.whole)?, false),
            Variable::Global(global) => {
                let shared = program.module.globals[global].space == AddressSpace::GroupShared;
                (self.global(code, global)?, shared)
            }
        };
        let mut indices: Vec<Id> = Vec::with_capacity(address.indices.len());
        for index in &address.indices {
            indices.push(self.index(code, index)?);
        }
        if let Some(past) = past {
            let (Some(last), Some(Index::Element(_))) = (indices.last_mut(), address.indices.last()) else {
                return Err(unsupported!(self.place, "address arithmetic past a variable"));
            };
            let word = code.type_u32();
            if code.type_of(*last) != Some(word) {
                return Err(unsupported!(self.place, "address arithmetic with indexes of different widths"));
            }
            *last = code.binary(Op::IAdd, word, *last, past);
        }
        let bits = shared && self.bit_globals.contains(&root);
        let element = if bits { self.bits_type(code, address.ty)? } else { self.ty(code, address.ty)? };
        Ok(Pointer { id: code.access_chain(element, root, &indices), ty: address.ty, shared, bits })
    }

    fn index(&mut self, code: &mut Code<'_, '_>, index: &Index) -> Result<Id> {
        let sum = match index {
            Index::Member(number) => return Ok(code.const_u32(*number)),
            Index::Element(sum) => sum,
        };
        let Some((&first, rest)) = sum.split_first() else { return Ok(code.const_u32(0)) };
        // Indexes are signed (LLVM, "getelementptr").
        let mut total = self.signed_value(code, first)?;
        for &more in rest {
            let more = self.signed_value(code, more)?;
            let ty = code.type_of(more).unwrap_or(more);
            total = code.binary(Op::IAdd, ty, total, more);
        }
        Ok(total)
    }

    fn alloca(&mut self, code: &mut Code<'_, '_>, value: Value, ty: TypeId) -> Result<Id> {
        if let Some(&id) = self.allocas.get(&value) {
            return Ok(id);
        }
        let pointee = self.ty(code, ty)?;
        let id = code.local(pointee, None);
        self.allocas.insert(value, id);
        Ok(id)
    }

    fn global(&mut self, module: &mut Module<'_>, global: Global) -> Result<Id> {
        if let Some(id) = self.globals[global] {
            return Ok(id);
        }
        let program = self.program;
        let data = &program.module.globals[global];
        let ty = self.ty(module, data.ty)?;
        let id = match data.space {
            // D3D promises no initial content of groupshared memory, so an initialiser (DXC writes undef) is not kept.
            AddressSpace::GroupShared if self.has_bit_atomics(global) => {
                let ty = self.bits_type(module, data.ty)?;
                let id = module.variable(StorageClass::Workgroup, ty, None)?;
                self.bit_globals.push(id);
                id
            }
            AddressSpace::GroupShared => module.variable(StorageClass::Workgroup, ty, None)?,
            AddressSpace::Default => {
                let init = match data.init {
                    Some(init) => Some(self.constant(module, init)?),
                    None => None,
                };
                module.variable(StorageClass::Private, ty, init)?
            }
            space => return Err(unsupported!(self.place, "a global variable in address space {space:?}")),
        };
        module.name(id, &data.name);
        self.globals[global] = Some(id);
        Ok(id)
    }

    /// Whether an atomic operation takes a float of the global as an integer: D3D exchanges and compares floats by their bits, and SPIR-V
    /// compares integers only.
    fn has_bit_atomics(&self, global: Global) -> bool {
        let module = &self.program.module;
        self.reached.iter().any(|&func| {
            let function = &module.functions[func];
            function.insts.values().any(|data| match *data {
                InstData::AtomicRmw { ptr, value, .. } | InstData::CmpXchg { ptr, new: value, .. } => {
                    Address::resolve(module, function, ptr).is_ok_and(|address| {
                        address.variable == Variable::Global(global) && address.ty != module.type_of(function, value)
                    })
                }
                _ => false,
            })
        })
    }

    /// A type with integers in place of its floats.
    fn bits_type(&mut self, module: &mut Module<'_>, ty: TypeId) -> Result<Id> {
        let program = self.program;
        Ok(match &program.module.types[ty] {
            Type::Float(bits) => module.type_int(u32::from(*bits))?,
            Type::Vector { element, len } => {
                let element = self.bits_type(module, *element)?;
                module.type_vector(element, *len)
            }
            Type::Array { element, len } if *len != 0 => {
                let element = self.bits_type(module, *element)?;
                module.type_array(element, *len, None)
            }
            Type::Struct { fields, .. } if !fields.is_empty() => {
                let mut members = Vec::with_capacity(fields.len());
                for &field in fields {
                    members.push(Member::new(self.bits_type(module, field)?));
                }
                module.type_struct(StructKind::Plain, &members)
            }
            _ => self.ty(module, ty)?,
        })
    }

    /// Reinterprets a loaded or stored scalar between two types of one width.
    fn recast(&mut self, code: &mut Code<'_, '_>, value: Id, from: TypeId, to: TypeId) -> Result<Id> {
        if from == to {
            return Ok(value);
        }
        if same_bits(&self.program.module, from, to) {
            if self.is_widened(from) {
                return super::precision::bitcast(self, code, value, from, to);
            }
            let ty = self.ty(code, to)?;
            return Ok(code.bitcast(ty, value));
        }
        Err(unsupported!(self.place, "an access of another type through a pointer cast"))
    }

    /// A load of `ty`.
    ///
    /// # Errors
    /// As [`pointer`](Self::pointer), and `Unsupported` for structures, which have no SPIR-V value here.
    pub fn load(&mut self, code: &mut Code<'_, '_>, ptr: Value, ty: TypeId, volatile: bool) -> Result<Lowered> {
        let pointer = self.pointer(code, ptr)?;
        if self.is_aggregate(ty) {
            if pointer.ty != ty || pointer.bits {
                return Err(unsupported!(self.place, "a structure loaded through a pointer cast"));
            }
            let mut leaves = Vec::new();
            let whole = code.load_with(pointer.id, MemoryAccess { volatile, ..MemoryAccess::default() });
            self.explode(code, whole, ty, &mut leaves)?;
            return Ok(self.parts(&leaves));
        }
        let mut value = code.load_with(pointer.id, MemoryAccess { volatile, ..MemoryAccess::default() });
        if pointer.bits {
            let own = self.ty(code, pointer.ty)?;
            value = code.bitcast(own, value);
        }
        Ok(Lowered::Id(self.recast(code, value, pointer.ty, ty)?))
    }

    /// A store.
    ///
    /// # Errors
    /// As [`pointer`](Self::pointer).
    pub fn store(&mut self, code: &mut Code<'_, '_>, ptr: Value, value: Value, volatile: bool) -> Result<()> {
        let pointer = self.pointer(code, ptr)?;
        let ty = self.type_of(value);
        let id = if self.is_aggregate(ty) {
            if pointer.ty != ty || pointer.bits {
                return Err(unsupported!(self.place, "a structure stored through a pointer cast"));
            }
            let leaves = self.aggregate(code, value)?;
            self.implode(code, ty, &mut leaves.iter().copied())?
        } else {
            let id = self.value(code, value)?;
            let id = self.recast(code, id, ty, pointer.ty)?;
            let own = if pointer.bits { self.bits_type(code, pointer.ty)? } else { self.ty(code, pointer.ty)? };
            code.bitcast(own, id)
        };
        code.store_with(pointer.id, id, MemoryAccess { volatile, ..MemoryAccess::default() });
        Ok(())
    }
}
