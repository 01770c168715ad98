//! Types. They are interned, declare the capabilities that they need, and can be read back from
//! their ids.

use foldhash::HashSet;
use rspirv::spirv::{BuiltIn, Capability, Decoration, Dim, ImageFormat, Op, StorageClass};

use super::module::{CommonIds, Module};
use super::words::{Id, Operands, instruction};
use dxil_base::error::Result;
use dxil_base::limits;

/// The content of a type id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type<'a> {
    /// OpTypeVoid.
    Void,
    /// OpTypeBool.
    Bool,
    /// OpTypeInt.
    Int {
        /// Width in bits.
        width: u32,
        /// Signedness. Lowerings of D3D code use unsigned integers only: the operations carry the
        /// sign.
        signed: bool,
    },
    /// OpTypeFloat.
    Float {
        /// Width in bits.
        width: u32,
    },
    /// OpTypeVector.
    Vector {
        /// Component type.
        element: Id,
        /// Number of components.
        count: u32,
    },
    /// OpTypeArray.
    Array {
        /// Element type.
        element: Id,
        /// Number of elements.
        length: u32,
        /// ArrayStride in bytes, if the layout is explicit.
        stride: Option<u32>,
    },
    /// OpTypeRuntimeArray.
    RuntimeArray {
        /// Element type.
        element: Id,
        /// ArrayStride in bytes, if the layout is explicit.
        stride: Option<u32>,
    },
    /// OpTypeStruct.
    Struct(Members<'a>),
    /// OpTypePointer.
    Pointer {
        /// Storage class.
        class: StorageClass,
        /// Type that the pointer points to.
        pointee: Id,
    },
    /// OpTypeFunction.
    Function {
        /// Result type.
        result: Id,
        /// Parameter types, as words.
        parameters: &'a [u32],
    },
    /// OpTypeImage.
    Image(ImageType),
    /// OpTypeSampler.
    Sampler,
    /// OpTypeSampledImage.
    SampledImage {
        /// The image type.
        image: Id,
    },
    /// OpTypeAccelerationStructureKHR.
    AccelerationStructure,
}

/// The members of a struct type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Members<'a>(&'a [u32]);

impl Members<'_> {
    /// Number of members.
    pub fn len(&self) -> usize {
        self.0.len() / Member::WORDS
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    /// The type of a member.
    pub fn ty(&self, index: usize) -> Option<Id> {
        Id::from_word(*self.0.get(index.checked_mul(Member::WORDS)?)?)
    }
}

/// A member of a struct type, with the decorations that are part of the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// The member's type.
    pub ty: Id,
    /// Offset in bytes, if the layout is explicit.
    pub offset: Option<u32>,
    /// NonWritable.
    pub non_writable: bool,
    /// NonReadable.
    pub non_readable: bool,
    /// Coherent.
    pub coherent: bool,
    /// Volatile.
    pub volatile: bool,
    /// BuiltIn.
    pub builtin: Option<BuiltIn>,
}

/// The types of members.
impl Operands for &[Member] {
    #[inline]
    fn count(self) -> usize {
        self.len()
    }
    #[inline]
    fn write(self, out: &mut [u32]) {
        out.iter_mut().zip(self).for_each(|(slot, member)| *slot = member.ty.word());
    }
}

impl Member {
    const WORDS: usize = 3;
    const FLAGS: [Decoration; 4] =
        [Decoration::NonWritable, Decoration::NonReadable, Decoration::Coherent, Decoration::Volatile];

    /// A member without layout.
    pub fn new(ty: Id) -> Self {
        Member {
            ty,
            offset: None,
            non_writable: false,
            non_readable: false,
            coherent: false,
            volatile: false,
            builtin: None,
        }
    }
    /// A member at a byte offset.
    pub fn at(ty: Id, offset: u32) -> Self {
        Member { offset: Some(offset), ..Member::new(ty) }
    }

    fn flags(&self) -> [bool; 4] {
        [self.non_writable, self.non_readable, self.coherent, self.volatile]
    }

    /// The words are the type, the offset plus one, and the builtin plus one with the flags.
    fn key(&self) -> [u32; Member::WORDS] {
        let flags = self.flags().iter().rev().fold(0, |bits, &on| bits << 1 | u32::from(on));
        let builtin = self.builtin.map_or(0, |b| b as u32 + 1);
        [self.ty.word(), self.offset.map_or(0, |o| o.wrapping_add(1)), builtin << 4 | flags]
    }
}

/// Decoration of a struct type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StructKind {
    /// No decoration.
    #[default]
    Plain,
    /// Block: the type of a buffer, push-constant or interface variable.
    Block,
    /// Block, of buffer variables that are NonWritable. It is never the type of others.
    ReadOnlyBlock,
    /// Block, of buffer variables that are Coherent. It is never the type of others.
    CoherentBlock,
}

/// The operands of OpTypeImage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageType {
    /// Type of a component of a texel: 32-bit float or int, or 64-bit int.
    pub sampled_type: Id,
    /// Dimensionality.
    pub dim: Dim,
    /// Whether it is a depth image. `None` means unknown, as always in D3D, where one texture may
    /// be sampled with and without comparison.
    pub depth: Option<bool>,
    /// Whether the image has layers.
    pub arrayed: bool,
    /// Whether the image is multisampled.
    pub multisampled: bool,
    /// Whether the image is read and written without a sampler (`Sampled` 2), instead of sampled or
    /// fetched (`Sampled` 1).
    pub storage: bool,
    /// Format of a storage image; `Unknown` otherwise.
    pub format: ImageFormat,
}

impl ImageType {
    fn key(&self) -> [u32; 4] {
        let flags = self.depth_word()
            | u32::from(self.arrayed) << 2
            | u32::from(self.multisampled) << 3
            | u32::from(self.storage) << 4;
        [Op::TypeImage as u32, self.sampled_type.word(), (self.dim as u32) << 5 | flags, self.format as u32]
    }

    fn depth_word(&self) -> u32 {
        self.depth.map_or(2, u32::from)
    }

    /// Number of coordinate components of an unprojected access, with the layer.
    pub fn coordinates(&self) -> u32 {
        let base = match self.dim {
            Dim::Dim1D | Dim::DimBuffer => 1,
            Dim::Dim3D | Dim::DimCube => 3,
            _ => 2,
        };
        base + u32::from(self.arrayed)
    }

    /// Number of components of an offset or a derivative: the coordinates without the layer.
    pub fn spatial(&self) -> u32 {
        self.coordinates() - u32::from(self.arrayed)
    }
}

impl<'p> Module<'p> {
    /// A type whose key is its instruction without the result.
    #[inline]
    pub(super) fn plain_type(&mut self, op: Op, key: &[u32]) -> Id {
        self.intern(op, key, |module, id| {
            instruction(&mut module.globals, [op as u32, id.word()], key.get(1..).unwrap_or_default());
        })
    }

    /// OpTypeVoid.
    pub fn type_void(&mut self) -> Id {
        self.plain_type(Op::TypeVoid, &[Op::TypeVoid as u32])
    }
    /// OpTypeBool.
    #[inline]
    pub fn type_bool(&mut self) -> Id {
        match self.common.bool {
            Some(id) => id,
            None => self.common_type(Op::TypeBool, &[Op::TypeBool as u32], |common| &mut common.bool),
        }
    }
    /// The 32-bit unsigned integer type.
    #[inline]
    pub fn type_u32(&mut self) -> Id {
        match self.common.u32 {
            Some(id) => id,
            None => self.common_type(Op::TypeInt, &[Op::TypeInt as u32, 32, 0], |common| &mut common.u32),
        }
    }
    /// The 32-bit signed integer type, which some builtins and image coordinates of other producers
    /// have.
    pub fn type_i32(&mut self) -> Id {
        self.plain_type(Op::TypeInt, &[Op::TypeInt as u32, 32, 1])
    }
    /// The 32-bit float type.
    #[inline]
    pub fn type_f32(&mut self) -> Id {
        match self.common.f32 {
            Some(id) => id,
            None => self.common_type(Op::TypeFloat, &[Op::TypeFloat as u32, 32], |common| &mut common.f32),
        }
    }
    /// The first use of a common type.
    #[cold]
    fn common_type(&mut self, op: Op, key: &[u32], slot: fn(&mut CommonIds) -> &mut Option<Id>) -> Id {
        let id = self.plain_type(op, key);
        *slot(&mut self.common) = Some(id);
        id
    }

    /// An unsigned integer type of 8, 16, 32 or 64 bits, for arithmetic.
    ///
    /// # Errors
    /// `MissingFeature` if the profile has no arithmetic of this width.
    pub fn type_int(&mut self, width: u32) -> Result<Id> {
        match width {
            8 => self.caps.capability(Capability::Int8)?,
            16 => self.caps.capability(Capability::Int16)?,
            64 => self.caps.capability(Capability::Int64)?,
            32 => {}
            _ => self.fault(format!("an integer type of {width} bits; expected 8, 16, 32 or 64")),
        }
        Ok(self.plain_type(Op::TypeInt, &[Op::TypeInt as u32, width, 0]))
    }

    /// A float type of 16, 32 or 64 bits, for arithmetic.
    ///
    /// # Errors
    /// `MissingFeature` if the profile has no arithmetic of this width.
    pub fn type_float(&mut self, width: u32) -> Result<Id> {
        match width {
            16 => self.caps.capability(Capability::Float16)?,
            64 => self.caps.capability(Capability::Float64)?,
            32 => {}
            _ => self.fault(format!("a float type of {width} bits; expected 16, 32 or 64")),
        }
        Ok(self.plain_type(Op::TypeFloat, &[Op::TypeFloat as u32, width]))
    }

    /// A 16-bit float type for values that are only loaded, stored and converted. The storage
    /// capability that [`variable`](Module::variable) requires allows that without the arithmetic
    /// capability.
    pub fn type_storage_f16(&mut self) -> Id {
        self.plain_type(Op::TypeFloat, &[Op::TypeFloat as u32, 16])
    }

    /// A 16-bit integer type for values that are only loaded and stored. See
    /// [`type_storage_f16`](Self::type_storage_f16).
    pub fn type_storage_u16(&mut self) -> Id {
        self.plain_type(Op::TypeInt, &[Op::TypeInt as u32, 16, 0])
    }

    /// A vector type. For one component it is the component type itself. More than four need the
    /// capability LongVectorEXT, which the module must have been given.
    #[inline]
    pub fn type_vector(&mut self, element: Id, count: u32) -> Id {
        if count == 1 {
            return element;
        }
        if !(2..=4).contains(&count) && (count == 0 || !self.caps.module_has(Capability::LongVectorEXT)) {
            self.fault(format!("a vector type of {count} components; expected 2 to 4"));
        }
        let common = &self.common;
        let scalar = [common.bool, common.u32, common.f32].iter().position(|&scalar| scalar == Some(element));
        let place = scalar.zip((count as usize).checked_sub(2));
        if let Some(&Some(id)) = place.and_then(|(scalar, n)| common.vectors.get(scalar)?.get(n)) {
            return id;
        }
        let id = self.plain_type(Op::TypeVector, &[Op::TypeVector as u32, element.word(), count]);
        if let Some(slot) = place.and_then(|(scalar, n)| self.common.vectors.get_mut(scalar)?.get_mut(n)) {
            *slot = Some(id);
        }
        id
    }

    /// A struct type. Structs of the same kind with the same members are one type.
    pub fn type_struct(&mut self, kind: StructKind, members: &[Member]) -> Id {
        let mut key = std::mem::take(&mut self.scratch);
        key.clear();
        key.extend([Op::TypeStruct as u32, kind as u32]);
        for member in members {
            key.extend(member.key());
        }
        let id = self.intern(Op::TypeStruct, &key, |module, id| module.write_struct(id, kind, members));
        self.scratch = key;
        id
    }

    fn write_struct(&mut self, id: Id, kind: StructKind, members: &[Member]) {
        self.keep_within("members of a structure", members.len(), limits::SPIRV_STRUCTURE_MEMBERS);
        instruction(&mut self.globals, [Op::TypeStruct as u32, id.word()], members);
        if kind != StructKind::Plain {
            instruction(&mut self.annotations, [Op::Decorate as u32, id.word()], &[Decoration::Block as u32]);
        }
        for (index, member) in members.iter().enumerate() {
            let mut decorate = |decoration: Decoration, literals: &[u32]| {
                let head = [Op::MemberDecorate as u32, id.word(), index as u32, decoration as u32];
                instruction(&mut self.annotations, head, literals);
            };
            if let Some(offset) = member.offset {
                decorate(Decoration::Offset, &[offset]);
            }
            if let Some(builtin) = member.builtin {
                decorate(Decoration::BuiltIn, &[builtin as u32]);
            }
            for (on, decoration) in member.flags().into_iter().zip(Member::FLAGS) {
                if on {
                    decorate(decoration, &[]);
                }
            }
        }
    }

    /// A pointer type.
    #[inline]
    pub fn type_pointer(&mut self, class: StorageClass, pointee: Id) -> Id {
        self.plain_type(Op::TypePointer, &[Op::TypePointer as u32, class as u32, pointee.word()])
    }

    /// A function type.
    pub fn type_function(&mut self, result: Id, parameters: &[Id]) -> Id {
        let mut key = std::mem::take(&mut self.scratch);
        key.clear();
        key.extend([Op::TypeFunction as u32, result.word()]);
        key.extend(parameters.iter().map(|p| p.word()));
        self.keep_within("parameters of a function", parameters.len(), limits::SPIRV_FUNCTION_PARAMETERS);
        let id = self.intern(Op::TypeFunction, &key, |module, id| {
            instruction(&mut module.globals, [Op::TypeFunction as u32, id.word(), result.word()], parameters);
        });
        self.scratch = key;
        id
    }

    /// An image type. Declares the capabilities that its shape and format need.
    ///
    /// # Errors
    /// `MissingFeature` if the profile has no images of this shape or format.
    pub fn type_image(&mut self, image: ImageType) -> Result<Id> {
        let key = image.key();
        if let Some(id) = self.interner.get(&key) {
            return Ok(id);
        }
        self.require_image(&image)?;
        let operands = [
            image.sampled_type.word(),
            image.dim as u32,
            image.depth_word(),
            u32::from(image.arrayed),
            u32::from(image.multisampled),
            if image.storage { 2 } else { 1 },
            image.format as u32,
        ];
        Ok(self.intern(Op::TypeImage, &key, |module, id| {
            instruction(&mut module.globals, [Op::TypeImage as u32, id.word()], &operands)
        }))
    }

    fn require_image(&mut self, image: &ImageType) -> Result<()> {
        let pick = |storage, sampled| if image.storage { storage } else { sampled };
        let caps = &mut self.caps;
        match image.dim {
            Dim::Dim1D => caps.capability(pick(Capability::Image1D, Capability::Sampled1D))?,
            Dim::DimBuffer => caps.capability(pick(Capability::ImageBuffer, Capability::SampledBuffer))?,
            Dim::DimSubpassData => return caps.capability(Capability::InputAttachment),
            Dim::DimCube if image.arrayed => {
                caps.capability(pick(Capability::ImageCubeArray, Capability::SampledCubeArray))?;
            }
            _ => {}
        }
        if image.multisampled && image.storage {
            caps.capability(Capability::StorageImageMultisample)?;
            if image.arrayed {
                caps.capability(Capability::ImageMSArray)?;
            }
        }
        use ImageFormat as F;
        match image.format {
            F::Unknown => {}
            F::R64i | F::R64ui => caps.capability(Capability::Int64ImageEXT)?,
            // These formats need only the capability Shader (SPIR-V 3.11).
            F::Rgba32f | F::Rgba16f | F::R32f | F::Rgba8 | F::Rgba8Snorm => {}
            F::Rgba32i | F::Rgba16i | F::Rgba8i | F::R32i => {}
            F::Rgba32ui | F::Rgba16ui | F::Rgba8ui | F::R32ui => {}
            _ => caps.capability(Capability::StorageImageExtendedFormats)?,
        }
        if matches!(self.ty(image.sampled_type), Some(Type::Int { width: 64, .. })) {
            self.caps.capability(Capability::Int64ImageEXT)?;
        }
        Ok(())
    }

    /// OpTypeSampler.
    pub fn type_sampler(&mut self) -> Id {
        self.plain_type(Op::TypeSampler, &[Op::TypeSampler as u32])
    }
    /// OpTypeAccelerationStructureKHR. It needs [`Capability::RayTracingKHR`] or
    /// [`Capability::RayQueryKHR`], which the caller declares.
    pub fn type_acceleration_structure(&mut self) -> Id {
        self.plain_type(Op::TypeAccelerationStructureKHR, &[Op::TypeAccelerationStructureKHR as u32])
    }
    /// OpTypeRayQueryKHR. It needs [`Capability::RayQueryKHR`], which the caller declares.
    pub fn type_ray_query(&mut self) -> Id {
        self.plain_type(Op::TypeRayQueryKHR, &[Op::TypeRayQueryKHR as u32])
    }
    /// OpTypeHitObjectEXT or OpTypeHitObjectNV. The caller declares the capability.
    pub fn type_hit_object(&mut self, op: Op) -> Id {
        self.plain_type(op, &[op as u32])
    }
    /// OpTypeMatrix of `columns` columns with `rows` components each.
    pub fn type_matrix(&mut self, scalar: Id, rows: u32, columns: u32) -> Id {
        let column = self.type_vector(scalar, rows);
        self.plain_type(Op::TypeMatrix, &[Op::TypeMatrix as u32, column.word(), columns])
    }
    /// OpTypeSampledImage of an image type.
    pub fn type_sampled_image(&mut self, image: Id) -> Id {
        self.plain_type(Op::TypeSampledImage, &[Op::TypeSampledImage as u32, image.word()])
    }

    /// The content of a type id; `None` if the id is not a type.
    #[inline]
    pub fn ty(&self, id: Id) -> Option<Type<'_>> {
        let info = self.info(id);
        let op = info.op?;
        let rest = self.interner.key(info.key).get(1..)?;
        let word = |n: usize| rest.get(n).copied();
        let id = |n: usize| Id::from_word(*rest.get(n)?);
        let stride = |n: usize| word(n).filter(|&s| s != 0);
        Some(match op {
            Op::TypeVoid => Type::Void,
            Op::TypeBool => Type::Bool,
            Op::TypeInt => Type::Int { width: word(0)?, signed: word(1)? != 0 },
            Op::TypeFloat => Type::Float { width: word(0)? },
            Op::TypeVector => Type::Vector { element: id(0)?, count: word(1)? },
            Op::TypeArray => Type::Array { element: id(0)?, length: word(1)?, stride: stride(2) },
            Op::TypeRuntimeArray => Type::RuntimeArray { element: id(0)?, stride: stride(1) },
            Op::TypeStruct => Type::Struct(Members(rest.get(1..)?)),
            Op::TypePointer => Type::Pointer { class: StorageClass::from_u32(word(0)?)?, pointee: id(1)? },
            Op::TypeFunction => Type::Function { result: id(0)?, parameters: rest.get(1..)? },
            Op::TypeSampler => Type::Sampler,
            Op::TypeSampledImage => Type::SampledImage { image: id(0)? },
            Op::TypeAccelerationStructureKHR => Type::AccelerationStructure,
            Op::TypeImage => {
                let shape = word(1)?;
                Type::Image(ImageType {
                    sampled_type: id(0)?,
                    dim: Dim::from_u32(shape >> 5)?,
                    depth: [Some(false), Some(true), None].get((shape & 3) as usize).copied().flatten(),
                    arrayed: shape & 4 != 0,
                    multisampled: shape & 8 != 0,
                    storage: shape & 16 != 0,
                    format: ImageFormat::from_u32(word(2)?)?,
                })
            }
            _ => return None,
        })
    }

    /// The storage class of a pointer type as a word, and the type that it points to.
    #[inline]
    pub(super) fn pointer(&self, ty: Id) -> Option<(u32, Id)> {
        const POINTER: u32 = Op::TypePointer as u32;
        match *self.key(ty) {
            [POINTER, class, pointee] => Some((class, Id::from_word(pointee)?)),
            _ => None,
        }
    }

    /// The element type of an array type.
    pub(super) fn element(&self, ty: Id) -> Option<Id> {
        const ARRAY: u32 = Op::TypeArray as u32;
        match *self.key(ty) {
            [ARRAY, element, ..] => Id::from_word(element),
            _ => None,
        }
    }

    /// The component type of a vector type, and the number of components.
    #[inline]
    pub(super) fn vector(&self, ty: Id) -> Option<(Id, u32)> {
        const VECTOR: u32 = Op::TypeVector as u32;
        match *self.key(ty) {
            [VECTOR, element, count] => Some((Id::from_word(element)?, count)),
            _ => None,
        }
    }

    /// The width in bits of a number type, and whether it is a signed integer.
    #[inline]
    pub(super) fn number_type(&self, ty: Id) -> Option<(u32, bool)> {
        const INT: u32 = Op::TypeInt as u32;
        const FLOAT: u32 = Op::TypeFloat as u32;
        match *self.key(ty) {
            [INT, width, signed] => Some((width, signed != 0)),
            [FLOAT, width] => Some((width, false)),
            _ => None,
        }
    }

    /// The content of a value's type.
    #[inline]
    pub fn ty_of(&self, value: Id) -> Option<Type<'_>> {
        self.ty(self.type_of(value)?)
    }

    /// The scalar type of a scalar or vector type, and the number of components.
    #[inline]
    pub fn scalar(&self, ty: Id) -> (Id, u32) {
        self.vector(ty).unwrap_or((ty, 1))
    }

    /// Width in bits of a scalar or of a vector's components; `None` for other types.
    #[inline]
    pub fn width(&self, ty: Id) -> Option<u32> {
        self.number_type(self.scalar(ty).0).map(|(width, _)| width)
    }

    /// The bool type with as many components as `ty`: the type of a comparison of two `ty` values.
    #[inline]
    pub fn type_bool_like(&mut self, ty: Id) -> Id {
        let count = self.scalar(ty).1;
        let scalar = self.type_bool();
        self.type_vector(scalar, count)
    }

    /// Declares the capabilities that a storage class needs for the widths in a type.
    pub(super) fn require_storage(&mut self, class: StorageClass, ty: Id) -> Result<()> {
        use StorageClass as S;
        if !matches!(
            class,
            S::Uniform | S::StorageBuffer | S::PhysicalStorageBuffer | S::PushConstant | S::Input | S::Output
        ) {
            return Ok(());
        }
        if class == S::StorageBuffer {
            self.caps.storage_buffer()?;
        }
        // An array or a structure of one member has what its part has.
        let mut ty = ty;
        while let Some(part) = self.only_part(ty) {
            ty = part;
        }
        let (has8, has16) = match self.ty(ty) {
            Some(Type::Int { width, .. } | Type::Float { width }) => (width == 8, width == 16),
            // A structure may have a thousand members, and be asked for at every access of an
            // address.
            Some(Type::Struct(_)) => match self.narrow.get(&ty) {
                Some(&known) => known,
                None => {
                    let found = self.narrow(ty);
                    self.narrow.insert(ty, found);
                    found
                }
            },
            _ => (false, false),
        };
        if has16 {
            self.caps.capability(match class {
                S::Uniform => Capability::UniformAndStorageBuffer16BitAccess,
                S::PushConstant => Capability::StoragePushConstant16,
                S::Input | S::Output => Capability::StorageInputOutput16,
                _ => Capability::StorageBuffer16BitAccess,
            })?;
        }
        if has8 {
            self.caps.capability(match class {
                S::Uniform => Capability::UniformAndStorageBuffer8BitAccess,
                S::PushConstant => Capability::StoragePushConstant8,
                _ => Capability::StorageBuffer8BitAccess,
            })?;
        }
        Ok(())
    }

    /// The part that a type consists of, if all its parts have one type.
    fn only_part(&self, ty: Id) -> Option<Id> {
        match self.ty(ty)? {
            Type::Vector { element, .. } | Type::Array { element, .. } | Type::RuntimeArray { element, .. } => {
                Some(element)
            }
            Type::Struct(members) if members.len() == 1 => members.ty(0),
            _ => None,
        }
    }

    /// Whether a type holds 8-bit and 16-bit numbers.
    fn narrow(&self, ty: Id) -> (bool, bool) {
        let mut found = (false, false);
        let mut pending = vec![ty];
        // Types share their parts. Without this set, nested structs would be visited once per path.
        let mut seen = HashSet::default();
        while let Some(ty) = pending.pop() {
            if !seen.insert(ty) {
                continue;
            }
            match self.ty(ty) {
                Some(Type::Int { width, .. } | Type::Float { width }) => {
                    found.0 |= width == 8;
                    found.1 |= width == 16;
                }
                Some(
                    Type::Vector { element, .. } | Type::Array { element, .. } | Type::RuntimeArray { element, .. },
                ) => {
                    pending.push(element);
                }
                Some(Type::Struct(members)) => pending.extend((0..members.len()).filter_map(|n| members.ty(n))),
                _ => {}
            }
        }
        found
    }
}
