//! Reads the type table, and derives types from others.
//!
//! In: the `TYPE_BLOCK_NEW` block. Out: [`Module::types`](crate::Module::types). Ids may
//! refer forward. When the table is complete, every id is in range, a type contains itself only
//! through a pointer, and nesting and size are bounded.

use crate::codes::types as code;
use crate::module::Module;
use crate::pool::{List, Str};
use crate::stream::{BitstreamEntry, BlockStart, Record};
use crate::types::{Type, TypeId};
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};
use dxil_base::limits;

use super::checked::TypeSize;
use super::derived::DerivedTypeKey;
use super::numbers::{address_space, small};
use super::reader::{Reader, TABLES};

/// Most types that memory for their keys is reserved for.
const RESERVED_TYPES: u64 = 1 << 10;

impl DerivedTypeKey {
    fn new(module: &Module, ty: Type) -> Option<Self> {
        match ty {
            Type::Metadata => Some(Self::Metadata),
            Type::Integer(width) => Some(Self::Integer(width)),
            Type::Pointer { pointee, address_space } => Some(Self::Pointer(pointee, address_space)),
            Type::Vector { len, element, scalable } => Some(Self::Vector(element, len, scalable)),
            Type::Struct { name: None, packed: false, fields } => match module.type_lists[fields] {
                [first, second] => Some(Self::Pair(first, second)),
                _ => None,
            },
            _ => None,
        }
    }
}

impl<'a> Reader<'a> {
    /// A type of the table by its number.
    #[inline]
    pub(super) fn ty(&self, place: Place, number: u64) -> Result<TypeId> {
        if number >= self.numbered_types as u64 {
            return Err(malformed!(place, "type {number} does not exist; the module has {}", self.numbered_types));
        }
        Ok(TypeId::new(number as usize))
    }

    /// The type with this content: from the table if it is there, or else a new type after the
    /// table.
    fn derive(&mut self, place: Place, key: DerivedTypeKey) -> Result<TypeId> {
        if let Some(&id) = self.derived.0.get(&key) {
            return Ok(id);
        }
        self.one_more_type(place)?;
        let ty = match key {
            DerivedTypeKey::Metadata => Type::Metadata,
            DerivedTypeKey::Integer(width) => Type::Integer(width),
            DerivedTypeKey::Pointer(pointee, address_space) => Type::Pointer { pointee, address_space },
            DerivedTypeKey::Vector(element, len, scalable) => Type::Vector { len, element, scalable },
            DerivedTypeKey::Pair(first, second) => {
                let fields = self.module.type_lists.extend([first, second]);
                Type::Struct { name: None, packed: false, fields }
            }
        };
        let id = self.module.types.push(ty);
        self.derived.0.insert(key, id);
        Ok(id)
    }
    /// Checks and charges a type that is about to be added.
    fn one_more_type(&self, place: Place) -> Result<()> {
        limits::check(place, "types", self.module.types.len() + 1, limits::TYPES)?;
        self.fuel.items::<(Type, DerivedTypeKey, TypeId)>(place, TABLES, 1)
    }
    pub(super) fn pointer_to(&mut self, place: Place, pointee: TypeId, address_space: u32) -> Result<TypeId> {
        self.derive(place, DerivedTypeKey::Pointer(pointee, address_space))
    }
    pub(super) fn vector_of(&mut self, place: Place, element: TypeId, len: u32, scalable: bool) -> Result<TypeId> {
        self.derive(place, DerivedTypeKey::Vector(element, len, scalable))
    }
    pub(super) fn integer(&mut self, place: Place, width: u32) -> Result<TypeId> {
        self.derive(place, DerivedTypeKey::Integer(width))
    }
    /// `i1`, for which comparisons and branches ask.
    #[inline]
    pub(super) fn boolean(&mut self, place: Place) -> Result<TypeId> {
        let known = match self.boolean {
            Some(known) => known,
            None => self.integer(place, 1)?,
        };
        self.boolean = Some(known);
        Ok(known)
    }
    pub(super) fn metadata_type(&mut self, place: Place) -> Result<TypeId> {
        self.derive(place, DerivedTypeKey::Metadata)
    }
    pub(super) fn pair_of(&mut self, place: Place, first: TypeId, second: TypeId) -> Result<TypeId> {
        self.derive(place, DerivedTypeKey::Pair(first, second))
    }

    pub(super) fn type_table(&mut self, start: BlockStart, record: &mut Record<'a>) -> Result<()> {
        // Types that were derived before the table was read would shift the table's numbers.
        if !self.module.types.is_empty() {
            return Err(malformed!(
                start.place,
                "the module has a second type table, or its type table follows a block that uses types"
            ));
        }
        self.stream.enter(start)?;
        let mut name = None;
        loop {
            match self.next(record, TABLES)? {
                BitstreamEntry::End => break,
                BitstreamEntry::Block(inner) => self.stream.skip(inner),
                BitstreamEntry::Record => match record.code {
                    code::NUMENTRY => self.derived.0.reserve(record.op_or_zero(0).min(RESERVED_TYPES) as usize),
                    code::STRUCT_NAME => name = Some(self.string(record, 0)?),
                    _ => {
                        let ty = self.type_record(record, &mut name)?;
                        self.one_more_type(record.place())?;
                        let id = self.module.types.push(ty);
                        if let Some(key) = DerivedTypeKey::new(&self.module, ty) {
                            self.derived.0.entry(key).or_insert(id);
                        }
                    }
                },
            }
        }
        self.numbered_types = self.module.types.len();
        check(&self.module, start.place, &mut self.checked.type_sizes)
    }

    fn type_record(&mut self, record: &Record<'_>, name: &mut Option<Str>) -> Result<Type> {
        let place = record.place();
        Ok(match record.code {
            code::VOID => Type::Void,
            code::HALF => Type::Half,
            code::BFLOAT => Type::BFloat,
            code::FLOAT => Type::Float,
            code::DOUBLE => Type::Double,
            code::X86_FP80 => Type::X86Fp80,
            code::FP128 => Type::Fp128,
            code::PPC_FP128 => Type::PpcFp128,
            code::X86_MMX => Type::X86Mmx,
            code::X86_AMX => Type::X86Amx,
            code::LABEL => Type::Label,
            code::METADATA => Type::Metadata,
            code::TOKEN => Type::Token,
            code::INTEGER => match record.op(0)? {
                // The largest width of LLVM: IntegerType::MAX_INT_BITS of 3.7.
                width @ 1..=0x7f_ffff => Type::Integer(width as u32),
                width => return Err(malformed!(place, "an integer type has {width} bits; expected 1 to 8388607")),
            },
            code::POINTER => Type::Pointer {
                pointee: forward(place, record.op(0)?)?,
                address_space: address_space(place, record.op_or_zero(1))?,
            },
            code::OPAQUE_POINTER => Type::OpaquePointer { address_space: address_space(place, record.op(0)?)? },
            code::ARRAY => Type::Array { len: record.op(0)?, element: forward(place, record.op(1)?)? },
            code::VECTOR => match small(place, "vector length", record.op(0)?)? {
                0 => return Err(malformed!(place, "a vector type has no elements")),
                len => {
                    Type::Vector { len, element: forward(place, record.op(1)?)?, scalable: record.op_or_zero(2) != 0 }
                }
            },
            code::STRUCT_ANON => {
                Type::Struct { name: None, packed: record.op(0)? != 0, fields: self.type_list(record, 1)? }
            }
            // The name of a `STRUCT_NAME` record belongs to the next named or opaque struct only.
            code::STRUCT_NAMED => Type::Struct {
                name: Some(name.take().unwrap_or_default()),
                packed: record.op(0)? != 0,
                fields: self.type_list(record, 1)?,
            },
            code::OPAQUE => Type::Opaque { name: name.take().unwrap_or_default() },
            code::FUNCTION => Type::Function {
                vararg: record.op(0)? != 0,
                ret: forward(place, record.op(1)?)?,
                params: self.type_list(record, 2)?,
            },
            // The old form also has the number of an attribute list, which is no longer part of a
            // type.
            code::FUNCTION_OLD => Type::Function {
                vararg: record.op(0)? != 0,
                ret: forward(place, record.op(2)?)?,
                params: self.type_list(record, 3)?,
            },
            // An unknown record may or may not define a type, so it cannot be skipped.
            code => return Err(unsupported!(place, "unknown type record {code}")),
        })
    }

    fn type_list(&mut self, record: &Record<'_>, from: usize) -> Result<List<TypeId>> {
        let place = record.place();
        let numbers = record.ops.get(from..).unwrap_or_default();
        let total = self.module.type_lists.items().len() + numbers.len();
        limits::check(place, "fields and parameters in all types", total, limits::TYPE_FIELDS)?;
        self.fuel.items::<TypeId>(place, TABLES, numbers.len())?;
        if let Some(&worst) = numbers.iter().max() {
            forward(place, worst)?;
        }
        Ok(self.module.type_lists.extend(numbers.iter().map(|&n| TypeId::new(n as usize))))
    }
}

/// A type number that may refer forward. It must fit here; whether the type exists is checked when
/// the table is complete.
fn forward(place: Place, number: u64) -> Result<TypeId> {
    if number >= limits::TYPES as u64 {
        return Err(malformed!(place, "type {number} is past the end of the type table"));
    }
    Ok(TypeId::new(number as usize))
}

/// Checks ids, roles (for example, that an array has no functions as elements) and sizes of the
/// complete table. Uses an explicit stack.
fn check(module: &Module, place: Place, sizes: &mut Vec<TypeSize>) -> Result<()> {
    sizes.clear();
    sizes.resize(module.types.len(), TypeSize::Unknown);
    for (id, &ty) in module.types.iter() {
        roles(module, place, id, ty)?;
    }
    let mut stack: Vec<(TypeId, usize)> = Vec::new();
    for root in module.types.keys() {
        if sizes[root.index()] != TypeSize::Unknown {
            continue;
        }
        // Compilers write the parts of a type before the type.
        if let Some(size) = known_size(place, children(module, module.types[root]).as_slice(), sizes)? {
            sizes[root.index()] = size;
            continue;
        }
        sizes[root.index()] = TypeSize::Open;
        stack.push((root, 0));
        while let Some((id, next)) = stack.pop() {
            let children = children(module, module.types[id]);
            if let Some(&child) = children.as_slice().get(next) {
                stack.push((id, next + 1));
                match sizes[child.index()] {
                    TypeSize::Known { .. } => {}
                    TypeSize::Open => return Err(malformed!(place, "type {} contains itself", child.index())),
                    TypeSize::Unknown => {
                        limits::check(place, "nested types", stack.len() + 1, limits::TYPE_NESTING)?;
                        sizes[child.index()] = TypeSize::Open;
                        stack.push((child, 0));
                    }
                }
            } else if let Some(size) = known_size(place, children.as_slice(), sizes)? {
                sizes[id.index()] = size;
            }
        }
    }
    Ok(())
}

/// The size of a type that contains these types, if the sizes of all of them are known.
fn known_size(place: Place, children: &[TypeId], sizes: &[TypeSize]) -> Result<Option<TypeSize>> {
    let (mut deepest, mut fields) = (0, 0u32);
    for child in children {
        let TypeSize::Known { depth, fields: nested } = sizes[child.index()] else { return Ok(None) };
        deepest = deepest.max(depth);
        fields = fields.saturating_add(nested).saturating_add(1);
    }
    limits::check(place, "nested types", deepest as usize + 1, limits::TYPE_NESTING)?;
    limits::check(place, "fields nested in one type", fields as usize, limits::NESTED_FIELDS)?;
    Ok(Some(TypeSize::Known { depth: deepest + 1, fields }))
}

/// The types that a type contains. A pointer does not contain the type that it points to.
enum Children<'m> {
    One([TypeId; 1]),
    Many(&'m [TypeId]),
}

impl Children<'_> {
    fn as_slice(&self) -> &[TypeId] {
        match self {
            Self::One(one) => one,
            Self::Many(many) => many,
        }
    }
}

fn children(module: &Module, ty: Type) -> Children<'_> {
    match ty {
        Type::Array { element, .. } | Type::Vector { element, .. } => Children::One([element]),
        Type::Struct { fields, .. } => Children::Many(&module.type_lists[fields]),
        // Parameters and result of a function type are first-class types, so they cannot contain a
        // function type; `roles` checks that.
        _ => Children::Many(&[]),
    }
}

/// Checks which types a type may contain (LLVM Language Reference, "Type System").
fn roles(module: &Module, place: Place, id: TypeId, ty: Type) -> Result<()> {
    let get = |of: TypeId| {
        module.types.get(of).copied().ok_or_else(|| {
            malformed!(
                place,
                "type {} refers to type {}, but the module has {} types",
                id.index(),
                of.index(),
                module.types.len()
            )
        })
    };
    let no_element = |ty: Type| {
        matches!(ty, Type::Void | Type::Label | Type::Metadata | Type::Function { .. } | Type::Token | Type::X86Amx)
    };
    let wrong = |what: &str| Err(malformed!(place, "type {} is not a valid {what}", id.index()));
    match ty {
        Type::Pointer { pointee, .. }
            if matches!(get(pointee)?, Type::Void | Type::Label | Type::Metadata | Type::Token) =>
        {
            wrong("pointer")
        }
        Type::Array { element, .. } if no_element(get(element)?) => wrong("array"),
        Type::Vector { element, .. } => match get(element)? {
            Type::Integer(_) | Type::Pointer { .. } | Type::OpaquePointer { .. } => Ok(()),
            float if float.is_float() => Ok(()),
            _ => wrong("vector"),
        },
        Type::Struct { fields, .. } => {
            for &field in &module.type_lists[fields] {
                if no_element(get(field)?) {
                    return wrong("struct");
                }
            }
            Ok(())
        }
        Type::Function { ret, params, .. } => {
            if matches!(get(ret)?, Type::Function { .. } | Type::Label | Type::Metadata) {
                return wrong("function result");
            }
            for &param in &module.type_lists[params] {
                if matches!(get(param)?, Type::Function { .. } | Type::Void) {
                    return wrong("parameter list");
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}
