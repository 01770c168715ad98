//! Reads the members of constant buffers from the annotations of types (`dx.typeAnnotations`; DXC,
//! DxilMetadataHelper.h, `kDxilFieldAnnotation…`).
//!
//! In: a module whose annotations were not stripped, as that of the reflection part. Out: the
//! members of each resource that is a structure. What must hold: an annotation that does not fit
//! its type is as good as none; only fuel may run out, because structures that contain one another
//! have more members than the input has bytes.

use std::sync::Arc;

use foldhash::HashMap;

use super::ModuleMetadata;
use super::reader::{MetadataContext, MetadataNode, numbers};
use crate::ir::members::{Bits, BufferMember};
use crate::ir::resources::ResourceId;
use crate::ops::consts::ComponentType;
use dxil_base::entity::SecondaryMap;
use dxil_base::error::{Place, Result};
use dxil_base::limits::Fuel;
use dxil_bitcode as bitcode;
use dxil_bitcode::{MetadataView, Type, TypeId};

/// What is charged for members.
const MEMBERS: &str = "members of constant buffers";

/// How many structures are within each other at most. Deeper ones have no members.
const NESTING: usize = 32;

/// The bytes of a row, at which arrays, structures and the lines of matrices begin (DirectX
/// documentation, "Packing Rules for Constant Variables").
const ROW: u32 = 16;

/// The members of each constant buffer and `tbuffer` that the module has annotations for.
///
/// # Errors
/// `Limit` if the members are too many for the fuel.
pub fn read(
    module: &bitcode::Module,
    metadata: &ModuleMetadata,
    fuel: &Fuel,
) -> Result<SecondaryMap<ResourceId, Vec<BufferMember>>> {
    let context = MetadataContext::new(module);
    let mut reader = MembersReader { module, fuel, structures: HashMap::default(), has_short_numbers: false };
    // DXC aligns numbers of minimum precision to 32 bits.
    reader.has_short_numbers = !module.text(module.data_layout).contains("-f16:32");
    reader.structures(&context)?;
    let mut all = SecondaryMap::default();
    for (id, shape) in metadata.shapes.iter() {
        if let Some(ty) = shape.structure
            && let Some((members, _)) = reader.structure(ty, 0, NESTING)?
        {
            all[id] = members;
        }
    }
    Ok(all)
}

struct MembersReader<'m> {
    module: &'m bitcode::Module,
    fuel: &'m Fuel,
    /// The annotations of structures.
    structures: HashMap<TypeId, MetadataNode<'m>>,
    /// Whether numbers of 16 bits take two bytes.
    has_short_numbers: bool,
}

/// What the annotation of a field says.
#[derive(Default)]
struct Field<'m> {
    name: Option<Arc<str>>,
    offset: u32,
    component: Option<ComponentType>,
    /// Rows, columns and orientation.
    matrix: Option<[u32; 3]>,
    /// The annotations of the bit fields in it, whose offsets count bits.
    bit_fields: Option<MetadataNode<'m>>,
    /// Of a bit field, how many bits it has.
    width: u32,
}

impl<'m> MembersReader<'m> {
    /// Finds the annotations of structures: lists of types and their nodes.
    fn structures(&mut self, context: &'m MetadataContext<'m>) -> Result<()> {
        const STRUCTURES: u64 = 0;
        let lists = self.module.named_metadata("dx.typeAnnotations").unwrap_or_default();
        for &list in lists {
            let Ok(list) = MetadataNode::new(context, "dx.typeAnnotations", list) else { continue };
            if !list.uint(0).is_ok_and(|tag| tag == STRUCTURES) {
                continue;
            }
            self.fuel.items::<(TypeId, MetadataNode<'_>)>(Place::Input, MEMBERS, list.len())?;
            for index in (1..list.len()).step_by(2) {
                if let MetadataView::Value(value) = list.view(index)
                    && let Some(value) = self.module.value(None, value)
                    && let Ok(Some(annotation)) = list.node(index + 1, "structure annotation")
                {
                    self.structures.entry(value.ty).or_insert(annotation);
                }
            }
        }
        Ok(())
    }

    /// The members of a structure at an offset, and its size. `None` if it has no annotation.
    fn structure(&self, ty: TypeId, start: u32, depth: usize) -> Result<Option<(Vec<BufferMember>, u32)>> {
        let (Some(Type::Struct { fields, .. }), Some(annotation)) =
            (self.module.types.get(ty), self.structures.get(&ty).filter(|_| depth > 0))
        else {
            return Ok(None);
        };
        let fields = &self.module.type_lists[*fields];
        // The size comes before the fields. What a template has as arguments may follow.
        let Ok(size) = annotation.u32(0) else { return Ok(None) };
        if !(fields.len() + 1..=fields.len() + 2).contains(&annotation.len()) {
            return Ok(None);
        }
        let mut members = Vec::new();
        for (index, &ty) in (1..).zip(fields) {
            self.fuel.items::<BufferMember>(Place::Input, MEMBERS, 1)?;
            let field = annotation.node(index, "field annotation").ok().flatten().and_then(|node| field(&node));
            let Some(field) = field else { continue };
            match &field.bit_fields {
                Some(list) => self.bit_fields(&field, list, start, &mut members)?,
                None => members.extend(self.member(field, ty, start, depth)?),
            }
        }
        Ok(Some((members, size)))
    }

    /// The bit fields in a field. DXC before 1.7 does not write which ones there are.
    fn bit_fields(
        &self,
        of: &Field<'_>,
        list: &MetadataNode<'m>,
        start: u32,
        members: &mut Vec<BufferMember>,
    ) -> Result<()> {
        let Some((_, size)) = of.component.map(|component| self.number(component)) else { return Ok(()) };
        for index in 0..list.len() {
            self.fuel.items::<BufferMember>(Place::Input, MEMBERS, 1)?;
            let bits = list.node(index, "bit field annotation").ok().flatten().and_then(|node| field(&node));
            let Some(Field { name: Some(name), offset: first, component: Some(component), width: count, .. }) = bits
            else {
                continue;
            };
            if count == 0 || first.checked_add(count).is_none_or(|end| end > size * 8) {
                continue;
            }
            let (ty, offset) = (self.number(component).0.to_owned(), start.saturating_add(of.offset));
            self.fuel.items::<u8>(Place::Input, MEMBERS, name.len() + ty.len())?;
            let (array, bits) = (Vec::new(), Some(Bits { first, count }));
            members.push(BufferMember { name, ty, array, offset, size, bits, members: Vec::new() });
        }
        Ok(())
    }

    /// The member that a field is. `None` for one without a name.
    fn member(&self, field: Field<'_>, ty: TypeId, start: u32, depth: usize) -> Result<Option<BufferMember>> {
        let Field { name: Some(name), offset, component, matrix, .. } = field else { return Ok(None) };
        let offset = start.saturating_add(offset);
        let types = &self.module.types;
        let (mut ty, mut array) = (ty, Vec::new());
        while let Some(&Type::Array { element, len }) = types.get(ty) {
            array.push(u32::try_from(len).unwrap_or(u32::MAX));
            ty = element;
            self.fuel.items::<u32>(Place::Input, MEMBERS, 1)?;
        }
        // A matrix may be an array of its lines, without a structure around it.
        if matrix.is_some() && matches!(types.get(ty), Some(Type::Vector { .. })) {
            array.pop();
        }
        let mut members = Vec::new();
        let (text, one) = match (component, matrix) {
            (Some(component), Some([rows, columns, orientation])) => {
                let (number, bytes) = self.number(component);
                let (order, lines, of_line) = match orientation {
                    1 => ("row_major ", rows, columns),
                    2 => ("column_major ", columns, rows),
                    _ => return Ok(None),
                };
                (format!("{order}{number}{rows}x{columns}"), in_rows(lines, of_line.saturating_mul(bytes)))
            }
            (Some(component), None) => {
                let (number, bytes) = self.number(component);
                match types.get(ty) {
                    Some(Type::Vector { len, .. }) => (format!("{number}{len}"), len.saturating_mul(bytes)),
                    _ => (number.to_owned(), bytes),
                }
            }
            (None, _) => {
                let Some(&Type::Struct { name: Some(name), .. }) = types.get(ty) else { return Ok(None) };
                let name = self.module.text(name);
                let size = match self.structure(ty, offset, depth - 1)? {
                    Some((of_it, size)) => {
                        members = of_it;
                        size
                    }
                    None => 0,
                };
                (source_name(&name).to_owned(), size)
            }
        };
        self.fuel.items::<u8>(Place::Input, MEMBERS, name.len() + text.len())?;
        let count = array.iter().fold(1u32, |product, &count| product.saturating_mul(count));
        let size = if array.is_empty() { one } else { in_rows(count, one) };
        Ok(Some(BufferMember { name, ty: text, array, offset, size, bits: None, members }))
    }

    /// The name of a number in HLSL, and its bytes.
    fn number(&self, component: ComponentType) -> (&'static str, u32) {
        use ComponentType as C;
        let short = if self.has_short_numbers { 2 } else { 4 };
        match component {
            C::Invalid => ("unknown", 4),
            C::I1 => ("bool", 4),
            C::I16 => (if self.has_short_numbers { "int16_t" } else { "min16int" }, short),
            C::U16 => (if self.has_short_numbers { "uint16_t" } else { "min16uint" }, short),
            C::F16 => (if self.has_short_numbers { "half" } else { "min16float" }, short),
            C::SNormF16 => (if self.has_short_numbers { "snorm half" } else { "snorm min16float" }, short),
            C::UNormF16 => (if self.has_short_numbers { "unorm half" } else { "unorm min16float" }, short),
            C::I32 => ("int", 4),
            C::U32 => ("uint", 4),
            C::I64 => ("int64_t", 8),
            C::U64 => ("uint64_t", 8),
            C::F32 => ("float", 4),
            C::F64 => ("double", 8),
            C::SNormF32 => ("snorm float", 4),
            C::UNormF32 => ("unorm float", 4),
            C::SNormF64 => ("snorm double", 8),
            C::UNormF64 => ("unorm double", 8),
            C::PackedS8x32 => ("int8_t4_packed", 4),
            C::PackedU8x32 => ("uint8_t4_packed", 4),
        }
    }
}

/// The size of things that begin a row each.
fn in_rows(count: u32, size: u32) -> u32 {
    let stride = size.checked_next_multiple_of(ROW).unwrap_or(u32::MAX);
    count.saturating_sub(1).saturating_mul(stride).saturating_add(if count == 0 { 0 } else { size })
}

/// Reads the annotation of a field. `None` if it is malformed.
fn field<'m>(node: &MetadataNode<'m>) -> Option<Field<'m>> {
    let mut field = Field::default();
    let read = node.tags(|tag, at| {
        match tag {
            2 => field.matrix = Some(numbers(node, at, "matrix annotation")?),
            3 => field.offset = node.u32(at)?,
            6 => field.name = Some(node.string(at)?).filter(|name| !name.is_empty()),
            7 => field.component = Some(node.constant(at, "component type")?),
            11 => field.bit_fields = node.node(at, "bit field annotations")?,
            12 => field.width = node.u32(at)?,
            _ => {}
        }
        Ok(())
    });
    read.ok().map(|()| field)
}

/// The name of a structure in the source: without what LLVM and the compiler put around it, as in
/// `hostlayout.struct.Light.2`.
fn source_name(name: &str) -> &str {
    let name = name.strip_prefix("hostlayout.").unwrap_or(name);
    let name = name.strip_prefix("struct.").or_else(|| name.strip_prefix("class.")).unwrap_or(name);
    match name.rsplit_once('.') {
        Some((plain, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => plain,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_in_rows() {
        assert_eq!(in_rows(3, 4), 36);
        assert_eq!(in_rows(3, 24), 88);
        assert_eq!(in_rows(0, 16), 0);
        assert_eq!(in_rows(u32::MAX, u32::MAX), u32::MAX);
    }

    #[test]
    fn names_of_structures() {
        for (name, plain) in [
            ("struct.Light", "Light"),
            ("hostlayout.struct.A.12", "A"),
            ("class.B<float>", "B<float>"),
            ("Frame", "Frame"),
        ] {
            assert_eq!(source_name(name), plain);
        }
    }
}
