//! Reads the records of the module block: globals, functions and aliases.

use crate::attributes::AttributeListId;
use crate::codes::module as code;
use crate::module::{Alias, Function, Global};
use crate::pool::Str;
use crate::stream::Record;
use crate::types::Type;
use crate::values::{Value, ValueDef, ValueId};
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};
use dxil_base::limits;

use super::lists::PendingName;
use super::numbers::{address_space, align_of, linkage_of, small};
use super::reader::{Reader, TABLES};

impl Reader<'_> {
    pub(super) fn module_record(&mut self, record: &Record<'_>) -> Result<()> {
        match record.code {
            code::VERSION => {
                let version = record.op(0)?;
                if version > 2 {
                    return Err(unsupported!(record.place(), "bitcode module version {version}; expected 0, 1 or 2"));
                }
                self.relative_ids = version >= 1;
                self.has_string_table = version >= 2;
            }
            code::TRIPLE => self.module.triple = self.string(record, 0)?,
            code::DATALAYOUT => self.module.data_layout = self.string(record, 0)?,
            code::ASM => self.module.inline_asm = self.string(record, 0)?,
            code::SOURCE_FILENAME => self.module.source_name = self.string(record, 0)?,
            code::SECTIONNAME => {
                let name = self.string(record, 0)?;
                self.fuel.items::<Str>(record.place(), TABLES, 1)?;
                self.module.sections.push(name);
            }
            code::GLOBALVAR => self.global(record)?,
            code::FUNCTION => self.function(record)?,
            code::ALIAS | code::ALIAS_OLD => self.alias(record)?,
            // It cannot be skipped, because it takes a value number.
            code::IFUNC => {
                return Err(unsupported!(
                    record.place(),
                    "the module has an indirect function (ifunc), which DXIL does not have"
                ));
            }
            _ => {}
        }
        Ok(())
    }

    /// The operands after the name. In version 2 the first two operands are the name's offset and
    /// size in the string table.
    fn operands<'r>(&mut self, record: &'r Record<'_>, value: ValueId) -> Result<&'r [u64]> {
        match &*record.ops {
            [offset, size, rest @ ..] if self.has_string_table => {
                self.fuel.items::<PendingName>(record.place(), TABLES, 1)?;
                self.lists.names.push(PendingName { value, offset: *offset, size: *size, bit: record.bit });
                Ok(rest)
            }
            ops if !self.has_string_table => Ok(ops),
            _ => Err(malformed!(record.place(), "the record of a global value has no name in the string table")),
        }
    }

    /// `[type, constant | explicit << 1 | address space << 2, init + 1, linkage, align, section,
    /// visibility, tls, unnamed_addr, extern_init, …]`
    fn global(&mut self, record: &Record<'_>) -> Result<()> {
        let id = self.module.values.next_key();
        let ops = self.operands(record, id)?;
        let [ty, flags, init, linkage, align, section, rest @ ..] = ops else {
            return Err(malformed!(
                record.place(),
                "the record of a global variable has {} operands, but six are needed",
                ops.len()
            ));
        };
        let mut ty = self.ty(record.place(), *ty)?;
        let address_space = if flags & 2 != 0 {
            address_space(record.place(), flags >> 2)?
        } else {
            let Type::Pointer { pointee, address_space } = self.module.types[ty] else {
                return Err(malformed!(record.place(), "the type of a global variable is not a pointer"));
            };
            ty = pointee;
            address_space
        };
        let initializer = self.expect(record.bit, init.checked_sub(1), Some(ty))?;
        let rest = |i: usize| rest.get(i).copied().unwrap_or(0);
        let global = Global {
            name: Str::EMPTY,
            value: id,
            ty,
            address_space,
            constant: flags & 1 != 0,
            initializer,
            linkage: linkage_of(record.place(), *linkage)?,
            align: align_of(record.place(), *align)?,
            section: self.section(record.place(), *section)?,
            thread_local: rest(1) != 0,
            unnamed_addr: rest(2) != 0,
            externally_initialized: rest(3) != 0,
        };
        // Each becomes a variable of the SPIR-V module, if the shader uses it.
        let count = self.module.globals.len() + 1;
        limits::check(record.place(), "global variables of a module", count, limits::SPIRV_GLOBAL_VARIABLES)?;
        self.fuel.items::<Global>(record.place(), TABLES, 1)?;
        let def = ValueDef::Global(self.module.globals.push(global));
        let ty = self.pointer_to(record.place(), ty, address_space)?;
        self.push_value(record.place(), Value { ty, def })
    }

    /// `[type, calling convention, is declaration, linkage, attributes, align, section,
    /// visibility, gc, unnamed_addr, …]`
    fn function(&mut self, record: &Record<'_>) -> Result<()> {
        let id = self.module.values.next_key();
        let ops = self.operands(record, id)?;
        let [ty, convention, declaration, linkage, attributes, align, section, rest @ ..] = ops else {
            return Err(malformed!(
                record.place(),
                "the record of a function has {} operands, but seven are needed",
                ops.len()
            ));
        };
        let mut ty = self.ty(record.place(), *ty)?;
        if let Type::Pointer { pointee, .. } = self.module.types[ty] {
            ty = pointee;
        }
        if !matches!(self.module.types[ty], Type::Function { .. }) {
            return Err(malformed!(
                record.place(),
                "the type of a function is {}; expected a function type",
                self.module.type_text(ty)
            ));
        }
        let function = Function {
            name: Str::EMPTY,
            value: id,
            ty,
            calling_convention: small(record.place(), "calling convention", *convention)?,
            linkage: linkage_of(record.place(), *linkage)?,
            attributes: self.attribute_list(record.place(), *attributes)?,
            align: align_of(record.place(), *align)?,
            section: self.section(record.place(), *section)?,
            unnamed_addr: rest.get(2).is_some_and(|&u| u != 0),
            defined: *declaration == 0,
            body: None,
        };
        self.fuel.items::<Function>(record.place(), TABLES, 1)?;
        let function = self.module.functions.push(function);
        if *declaration == 0 {
            limits::check(record.place(), "functions with a body", self.lists.defined.len() + 1, limits::FUNCTIONS)?;
            self.lists.defined.push(function);
        }
        let ty = self.pointer_to(record.place(), ty, 0)?;
        self.push_value(record.place(), Value { ty, def: ValueDef::Function(function) })
    }

    /// The old form is `[pointer type, aliasee, linkage, …]`, the new one
    /// `[type, address space, aliasee, linkage, …]`.
    fn alias(&mut self, record: &Record<'_>) -> Result<()> {
        let id = self.module.values.next_key();
        let place = record.place();
        let ops = self.operands(record, id)?;
        let (ty, target, linkage) = match (record.code, ops) {
            (code::ALIAS_OLD, [ty, target, linkage, ..]) => {
                let ty = self.ty(place, *ty)?;
                if !matches!(self.module.types[ty], Type::Pointer { .. }) {
                    return Err(malformed!(
                        place,
                        "the type of an alias is {}; expected a pointer",
                        self.module.type_text(ty)
                    ));
                }
                (ty, target, linkage)
            }
            (code::ALIAS, [ty, address_space_, target, linkage, ..]) => {
                let ty = self.ty(place, *ty)?;
                (self.pointer_to(place, ty, address_space(place, *address_space_)?)?, target, linkage)
            }
            _ => return Err(malformed!(place, "the record of an alias has only {} operands", ops.len())),
        };
        let Some(target) = self.expect(record.bit, Some(*target), Some(ty))? else {
            return Err(malformed!(place, "an alias has no target"));
        };
        let alias = Alias { name: Str::EMPTY, value: id, ty, target, linkage: linkage_of(place, *linkage)? };
        self.fuel.items::<Alias>(place, TABLES, 1)?;
        let def = ValueDef::Alias(self.module.aliases.push(alias));
        self.push_value(place, Value { ty, def })
    }

    fn section(&self, place: Place, number: u64) -> Result<u32> {
        if number as usize > self.module.sections.len() {
            return Err(malformed!(
                place,
                "section {number} does not exist; the module has {}",
                self.module.sections.len()
            ));
        }
        Ok(number as u32)
    }

    pub(super) fn attribute_list(&self, place: Place, number: u64) -> Result<Option<AttributeListId>> {
        match number.checked_sub(1) {
            None => Ok(None),
            Some(i) if i < self.module.attributes.len() as u64 => Ok(Some(AttributeListId::new(i as usize))),
            Some(_) => Err(malformed!(
                place,
                "attribute list {number} does not exist; the module has {}",
                self.module.attributes.len()
            )),
        }
    }
}
