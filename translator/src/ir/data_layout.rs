//! The data layout of a module: where the parts of an object are in memory.
//!
//! In: the module's data layout string (LLVM Language Reference, "Data Layout"). Out: sizes,
//! strides and offsets in bytes. What must hold: they are those of the compiler, because address
//! arithmetic depends on them, and metadata has the sizes of payloads. A number that the string
//! does not mention has LLVM's default alignment. DXC's strings align minimum-precision types to 32
//! bits.
//!
//! DXC's strings do not mention vectors, and DXC lays a vector out as an array of its elements: a
//! payload of two `float3` has 24 bytes. LLVM's own DXIL target mentions vectors (`v96:32`), and
//! packs their bits.

use crate::ir::{Type, TypeId, Types};
use dxil_base::entity::Entity;

/// Alignments of types in bytes, by the width of the type in bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataLayout {
    /// Alignments of integers.
    ints: Alignments,
    floats: Alignments,
    /// Alignments of vectors; `None` if the string has none.
    vectors: Option<Alignments>,
    /// The minimum alignment of structures.
    aggregate: u64,
}

impl Default for DataLayout {
    fn default() -> Self {
        Self {
            ints: Alignments(vec![(1, 1), (8, 1), (16, 2), (32, 4), (64, 4)]),
            floats: Alignments(vec![(16, 2), (32, 4), (64, 8), (128, 16)]),
            vectors: None,
            aggregate: 1,
        }
    }
}

/// Widths in bits and alignments in bytes, the narrowest first.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Alignments(Vec<(u64, u64)>);

impl Alignments {
    /// The place of a width, or else that of the next wider one.
    fn place(&self, bits: u64) -> Result<usize, usize> {
        self.0.binary_search_by_key(&bits, |&(width, _)| width)
    }

    fn set(&mut self, bits: u64, bytes: u64) {
        match self.place(bits) {
            Ok(at) => self.0[at].1 = bytes,
            Err(at) => self.0.insert(at, (bits, bytes)),
        }
    }

    fn get(&self, bits: u64) -> Option<u64> {
        self.place(bits).ok().map(|at| self.0[at].1)
    }

    /// The alignment of a width, of the next wider one, or else of the widest.
    fn get_or_wider(&self, bits: u64) -> Option<u64> {
        let at = self.place(bits).unwrap_or_else(|wider| wider);
        self.0.get(at).or(self.0.last()).map(|&(_, bytes)| bytes)
    }
}

/// A number of a layout string.
fn number(digits: &[u8]) -> Option<u64> {
    let digit = |digit: u8| digit.is_ascii_digit().then(|| u64::from(digit - b'0'));
    let (&first, rest) = digits.split_first()?;
    rest.iter().try_fold(digit(first)?, |number, &next| number.checked_mul(10)?.checked_add(digit(next)?))
}

/// Size and offsets of objects of one type.
#[derive(Clone, Debug)]
struct Measure {
    /// Bytes from one array element to the next.
    stride: u64,
    align: u64,
    /// Offsets of a structure's members.
    members: Box<[u64]>,
}

/// Sizes of all types of a module, in bytes.
#[derive(Clone, Debug)]
pub struct Sizes {
    measures: Vec<Option<Measure>>,
    packs_vectors: bool,
}

impl DataLayout {
    /// Reads the string. Specifications other than alignments of integers, floats, vectors and
    /// structures are ignored.
    pub fn parse(text: &str) -> Self {
        let mut layout = Self::default();
        for part in text.as_bytes().split(|&byte| byte == b'-') {
            let [kind, numbers @ ..] = part else { continue };
            let mut numbers = numbers.split(|&byte| byte == b':').map(number);
            let (size, Some(Some(bits))) = (numbers.next().flatten(), numbers.next()) else { continue };
            let bytes = u64::max(bits / 8, 1);
            if bits > 1 << 10 || !bytes.is_power_of_two() {
                continue;
            }
            let table = match kind {
                b'i' => &mut layout.ints,
                b'f' => &mut layout.floats,
                // LLVM's defaults hold beside those that the string names.
                b'v' => layout.vectors.get_or_insert_with(|| Alignments(vec![(64, 8), (128, 16)])),
                b'a' => {
                    layout.aggregate = bytes;
                    continue;
                }
                _ => continue,
            };
            table.set(size.unwrap_or(0), bytes);
        }
        layout
    }

    /// Computes the sizes of all types.
    pub fn measure(&self, types: &Types) -> Sizes {
        let mut sizes = Sizes { measures: Vec::with_capacity(types.len()), packs_vectors: self.vectors.is_some() };
        // A type comes after those that it consists of.
        for (_, ty) in types.iter() {
            let measure = self.measure_type(types, &sizes, ty).filter(|measure| measure.stride <= 1 << 32);
            sizes.measures.push(measure);
        }
        sizes
    }

    fn measure_type(&self, types: &Types, sizes: &Sizes, ty: &Type) -> Option<Measure> {
        let mut members = Vec::new();
        let (size, align) = match ty {
            // An integer whose width the string does not name is aligned like the next wider one,
            // or else like the widest.
            Type::Int(bits) => {
                let named = self.ints.get_or_wider((*bits).into())?;
                (u64::from(*bits).div_ceil(8), named)
            }
            Type::Float(bits) => {
                let named = self.floats.get((*bits).into())?;
                (u64::from(*bits).div_ceil(8), named)
            }
            Type::Vector { element, len } => match &self.vectors {
                // The bits of a vector are packed.
                Some(vectors) => {
                    let bits = u64::from(types.scalar_bits(*element)?) * u64::from(*len);
                    let named = vectors.get(bits);
                    let natural = (sizes.stride(*element)? * u64::from(*len)).next_power_of_two();
                    (bits.div_ceil(8), named.unwrap_or(natural))
                }
                None => {
                    let element = sizes.get(*element)?;
                    (element.stride * u64::from(*len), element.align)
                }
            },
            Type::Array { element, len } => {
                let element = sizes.get(*element)?;
                (element.stride * u64::from(*len), element.align)
            }
            Type::Struct { fields, packed, .. } => {
                let (mut end, mut align) = (0u64, if *packed { 1 } else { self.aggregate });
                for &field in fields {
                    let field = sizes.get(field)?;
                    let field_align = if *packed { 1 } else { field.align };
                    let start = end.next_multiple_of(field_align);
                    members.push(start);
                    end = start.checked_add(field.stride)?;
                    align = align.max(field_align);
                }
                (end, align)
            }
            _ => return None,
        };
        Some(Measure { stride: size.next_multiple_of(align), align, members: members.into() })
    }
}

impl Sizes {
    fn get(&self, ty: TypeId) -> Option<&Measure> {
        self.measures.get(ty.index())?.as_ref()
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        let list = self.measures.capacity() * size_of::<Option<Measure>>();
        let members = self.measures.iter().flatten().map(|measure| size_of_val(&*measure.members));
        list + members.sum::<usize>()
    }

    /// Bytes from an object to the next one in an array; `None` for a type without a size, or with
    /// one above 2³².
    pub fn stride(&self, ty: TypeId) -> Option<u64> {
        Some(self.get(ty)?.stride)
    }

    /// Offset of a structure's member.
    pub fn member(&self, ty: TypeId, number: usize) -> Option<u64> {
        self.get(ty)?.members.get(number).copied()
    }

    /// Bytes from an element of a vector to the next one.
    pub fn vector_step(&self, types: &Types, element: TypeId) -> Option<u64> {
        match self.packs_vectors {
            true => Some(u64::from(types.scalar_bits(element)?) / 8),
            false => self.stride(element),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// DXC's strings (DXIL.rst, "Data layout"): with minimum-precision types, and with native ones.
    const LEGACY: &str = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64";
    const NATIVE: &str = "e-m:e-p:32:32-i1:32-i8:8-i16:16-i32:32-i64:64-f16:16-f32:32-f64:64-n8:16:32:64";

    #[test]
    fn sizes_are_those_of_the_string() {
        let mut types = Types::default();
        let [i1, i8, i16, i64] = [1, 8, 16, 64].map(|bits| types.intern(Type::Int(bits)));
        let [half, float] = [16, 32].map(|bits| types.intern(Type::Float(bits)));
        let float3 = types.intern(Type::Vector { element: float, len: 3 });
        let halves = types.intern(Type::Array { element: half, len: 5 });
        let fields = Box::new([half, i64, half, float3]);
        let mixed = types.intern(Type::Struct { name: "".into(), fields, packed: false });
        let strides = |text| {
            let layout = DataLayout::parse(text);
            let sizes = layout.measure(&types);
            [i1, i8, i16, i64, half, float3, halves, mixed].map(|ty| sizes.stride(ty))
        };
        assert_eq!(strides(LEGACY), [4, 4, 4, 8, 4, 12, 20, 32].map(Some));
        assert_eq!(strides(NATIVE), [4, 1, 2, 8, 2, 12, 10, 32].map(Some));
        assert_eq!(strides(""), [1, 1, 2, 8, 2, 12, 10, 28].map(Some));
        // Structures have an alignment of their own, and one of more than 1,024 bits is ignored.
        assert_eq!(strides("e-a:256")[7], Some(32));
        assert_eq!(strides("e-f32:4096"), strides(""));
        let sizes = DataLayout::parse(LEGACY).measure(&types);
        let offsets: Vec<_> = (0..5).map(|n| sizes.member(mixed, n)).collect();
        assert_eq!(offsets, [Some(0), Some(8), Some(16), Some(20), None]);
    }

    /// The string of LLVM's DXIL target names vectors: one of 96 bits is aligned to 32 bits, and
    /// one of 128 bits, which the string does not name, to 128.
    #[test]
    fn named_vectors_are_packed() {
        let mut types = Types::default();
        let [half, float] = [16, 32].map(|bits| types.intern(Type::Float(bits)));
        let vectors =
            [(half, 3), (float, 3), (float, 4)].map(|(element, len)| types.intern(Type::Vector { element, len }));
        let sizes = DataLayout::parse("e-f16:16-v48:16:16-v96:32:32-v192:64:64").measure(&types);
        assert_eq!(vectors.map(|ty| sizes.stride(ty)), [6, 12, 16].map(Some));
        assert_eq!(sizes.vector_step(&types, float), Some(4));
    }

    /// A vector that the string does not name is aligned to its size, once the string names another
    /// one.
    #[test]
    fn vectors_are_aligned_where_the_string_names_one() {
        let mut types = Types::default();
        let float = types.intern(Type::Float(32));
        let float4 = types.intern(Type::Vector { element: float, len: 4 });
        let fields = Box::new([float, float4]);
        let mixed = types.intern(Type::Struct { name: "".into(), fields, packed: false });
        for (text, offset, stride) in [("e-f32:32", 4, 20), ("e-f32:32-v96:32", 16, 32)] {
            let sizes = DataLayout::parse(text).measure(&types);
            assert_eq!((sizes.member(mixed, 1), sizes.stride(mixed)), (Some(offset), Some(stride)), "{text}");
        }
    }

    /// Sizes that DXC writes into the metadata of entry points for parameters of these types.
    #[test]
    fn sizes_of_payloads_are_those_of_the_compiler() {
        let mut types = Types::default();
        let [half, float, double] = [16, 32, 64].map(|bits| types.intern(Type::Float(bits)));
        let mut vector = |element, len| types.intern(Type::Vector { element, len });
        let (half3, float3, double3) = (vector(half, 3), vector(float, 3), vector(double, 3));
        let structures = [vec![float3, float3], vec![float, double3, float], vec![half3, half, half]]
            .map(|fields| types.intern(Type::Struct { name: "".into(), fields: fields.into(), packed: false }));
        let sizes = |text| {
            let sizes = DataLayout::parse(text).measure(&types);
            structures.map(|ty| sizes.stride(ty))
        };
        assert_eq!(sizes(NATIVE), [24, 40, 10].map(Some));
        assert_eq!(sizes(LEGACY), [24, 40, 20].map(Some));
    }

    #[test]
    fn what_has_no_size_is_named_none() {
        let mut types = Types::default();
        let handle = types.intern(Type::Handle);
        let byte = types.intern(Type::Int(8));
        let much = types.intern(Type::Array { element: byte, len: u32::MAX });
        let more = types.intern(Type::Array { element: much, len: u32::MAX });
        let sizes = DataLayout::parse("e-i8:8:8-x-v:a-f99:77:1-é:3").measure(&types);
        assert_eq!(sizes.stride(handle), None);
        assert_eq!(sizes.stride(much), Some(u64::from(u32::MAX)));
        assert_eq!(sizes.stride(more), None);
    }
}
