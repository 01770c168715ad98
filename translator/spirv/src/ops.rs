//! Typed helpers for the instructions that lowerings use most. All others go through
//! [`OpenBlock::op`].

use rspirv::spirv::{
    Capability, Decoration, GlslStd450Op, MemoryAccess as Mask, MemorySemantics, Op, Scope, StorageClass,
};

use super::block::OpenBlock;
use super::types::Type;
use super::words::{Id, Operands};
use dxil_base::error::Result;
use dxil_base::profile::Feature;

/// Memory operands of a load or store.
#[derive(Clone, Copy, Debug, Default)]
pub struct MemoryAccess {
    /// Volatile.
    pub volatile: bool,
    /// Alignment in bytes, for physical pointers.
    pub aligned: Option<u32>,
    /// Nontemporal.
    pub nontemporal: bool,
    /// MakePointerAvailable for stores, MakePointerVisible for loads, at this scope (an id), under
    /// the Vulkan memory model. Implies NonPrivatePointer.
    pub coherent: Option<Id>,
}

impl MemoryAccess {
    /// The operands in mask order, and their number.
    fn encode(&self, coherent: Mask) -> ([u32; 3], usize) {
        let mut mask = Mask::NONE;
        let mut words = [0; 3];
        let mut count = 1;
        let mut push = |word| {
            if let Some(slot) = words.get_mut(count) {
                *slot = word;
                count += 1;
            }
        };
        if self.volatile {
            mask |= Mask::VOLATILE;
        }
        if let Some(align) = self.aligned {
            mask |= Mask::ALIGNED;
            push(align);
        }
        if self.nontemporal {
            mask |= Mask::NONTEMPORAL;
        }
        if let Some(scope) = self.coherent {
            mask |= coherent | Mask::NON_PRIVATE_POINTER;
            push(scope.word());
        }
        words[0] = mask.bits();
        (words, if mask == Mask::NONE { 0 } else { count })
    }
}

impl OpenBlock<'_, '_> {
    /// A unary instruction. A conversion of width gives the value itself if it has the type
    /// already.
    #[inline]
    pub fn unary(&mut self, op: Op, ty: Id, a: Id) -> Id {
        if matches!(op, Op::FConvert | Op::SConvert | Op::UConvert) && self.type_of(a) == Some(ty) {
            return a;
        }
        self.op(op, ty, &[a])
    }
    /// A binary instruction.
    #[inline]
    pub fn binary(&mut self, op: Op, ty: Id, a: Id, b: Id) -> Id {
        self.op(op, ty, &[a, b])
    }
    /// The low `bits` of 32-bit integers, sign-extended.
    pub fn sign_extended(&mut self, ty: Id, value: Id, bits: u32) -> Id {
        let (start, count) = (self.const_u32(0), self.const_u32(bits));
        self.op(Op::BitFieldSExtract, ty, &[value, start, count])
    }
    /// OpSelect.
    #[inline]
    pub fn select(&mut self, ty: Id, condition: Id, if_true: Id, if_false: Id) -> Id {
        self.op(Op::Select, ty, &[condition, if_true, if_false])
    }
    /// OpBitcast; the value itself if it has the type already.
    #[inline]
    pub fn bitcast(&mut self, ty: Id, value: Id) -> Id {
        if self.type_of(value) == Some(ty) { value } else { self.pure(Op::Bitcast, ty, &[value]) }
    }
    /// A GLSL.std.450 instruction.
    #[inline]
    pub fn glsl(&mut self, op: GlslStd450Op, ty: Id, operands: impl Operands) -> Id {
        let set = self.glsl_std_450();
        self.op_with(Op::ExtInst, ty, [set.word(), op as u32], operands)
    }
    /// A GLSL.std.450 instruction whose result is taken again, as that of [`pure`](Self::pure).
    #[inline]
    pub fn pure_glsl(&mut self, op: GlslStd450Op, ty: Id, operands: impl Operands) -> Id {
        let set = self.glsl_std_450();
        self.pure_with(Op::ExtInst, ty, [set.word(), op as u32], operands)
    }
    /// OpFunctionCall.
    #[inline]
    pub fn call(&mut self, ty: Id, function: Id, arguments: &[Id]) -> Id {
        self.op_with(Op::FunctionCall, ty, [function.word()], arguments)
    }

    /// OpLoad of the type that the pointer points to.
    #[inline]
    pub fn load(&mut self, pointer: Id) -> Id {
        self.load_with(pointer, MemoryAccess::default())
    }
    /// OpLoad with memory operands.
    #[inline]
    pub fn load_with(&mut self, pointer: Id, access: MemoryAccess) -> Id {
        let ty = self.pointee(pointer);
        match access.encode(Mask::MAKE_POINTER_VISIBLE) {
            (_, 0) => self.op(Op::Load, ty, &[pointer]),
            (words, count) => self.op_with(Op::Load, ty, [pointer.word()], words.get(..count).unwrap_or_default()),
        }
    }
    /// OpLoad from memory that nothing writes while the shader runs.
    #[inline]
    pub fn load_constant(&mut self, pointer: Id, access: MemoryAccess) -> Id {
        let ty = self.pointee(pointer);
        let (words, count) = access.encode(Mask::MAKE_POINTER_VISIBLE);
        self.pure_with(Op::Load, ty, [pointer.word()], words.get(..count).unwrap_or_default())
    }
    /// OpStore.
    #[inline]
    pub fn store(&mut self, pointer: Id, value: Id) {
        self.stmt(Op::Store, &[pointer, value]);
    }
    /// OpStore with memory operands.
    #[inline]
    pub fn store_with(&mut self, pointer: Id, value: Id, access: MemoryAccess) {
        let (words, count) = access.encode(Mask::MAKE_POINTER_AVAILABLE);
        self.stmt_with(Op::Store, [pointer.word(), value.word()], words.get(..count).unwrap_or_default());
    }

    /// The type that a pointer value points to.
    #[inline]
    pub fn pointee(&mut self, pointer: Id) -> Id {
        match self.type_of(pointer).and_then(|ty| self.pointer(ty)) {
            Some((_, pointee)) => pointee,
            None => {
                self.fault(format!("{pointer} is not a pointer"));
                self.type_u32()
            }
        }
    }

    /// OpAccessChain to an element of type `element`, in the storage class of the base. Without
    /// indexes it gives the base itself.
    #[inline]
    pub fn access_chain(&mut self, element: Id, base: Id, indexes: impl Operands) -> Id {
        if indexes.count() == 0 {
            return base;
        }
        let Some((class, _)) = self.type_of(base).and_then(|ty| self.pointer(ty)) else {
            self.fault(format!("{base} is not a pointer"));
            return base;
        };
        let ty = self.plain_type(Op::TypePointer, &[Op::TypePointer as u32, class, element.word()]);
        self.pure_with(Op::AccessChain, ty, [base.word()], indexes)
    }

    /// A pointer to an element of an array variable, for debug information alone. The code does not
    /// share it, and so is as without.
    pub fn element_place(&mut self, variable: Id, index: u32) -> Id {
        let pointer = self.type_of(variable).and_then(|ty| self.pointer(ty));
        let Some((class, element)) = pointer.and_then(|(class, array)| Some((class, self.element(array)?))) else {
            self.fault(format!("{variable} is no array variable"));
            return variable;
        };
        let ty = self.plain_type(Op::TypePointer, &[Op::TypePointer as u32, class, element.word()]);
        let index = self.const_u32(index);
        self.op_with(Op::AccessChain, ty, [variable.word()], &[index])
    }

    /// A pointer to a structure at a physical address, which is a vector of two words. Each access
    /// through it needs an alignment ([`MemoryAccess::aligned`]).
    ///
    /// # Errors
    /// `MissingFeature` if the profile has no addresses of buffers, or does not allow the widths of
    /// the content there.
    pub fn at_address(&mut self, pointee: Id, address: Id) -> Result<Id> {
        self.caps.capability(Capability::PhysicalStorageBufferAddresses)?;
        self.require_storage(StorageClass::PhysicalStorageBuffer, pointee)?;
        let ty = self.type_pointer(StorageClass::PhysicalStorageBuffer, pointee);
        Ok(self.bitcast(ty, address))
    }

    /// OpCompositeConstruct. A single constituent that has the type already is given back itself.
    #[inline]
    pub fn construct(&mut self, ty: Id, constituents: &[Id]) -> Id {
        match constituents {
            &[only] if self.type_of(only) == Some(ty) => only,
            _ => self.pure(Op::CompositeConstruct, ty, constituents),
        }
    }
    /// A vector with `value` in every component; `value` itself if `ty` is a scalar.
    #[inline]
    pub fn splat(&mut self, ty: Id, value: Id) -> Id {
        let count = self.scalar(ty).1;
        with_copies(value, count, |all| self.construct(ty, all))
    }

    /// OpCompositeExtract.
    #[inline]
    pub fn extract(&mut self, ty: Id, composite: Id, indexes: &[u32]) -> Id {
        match *indexes {
            [index] => self.pure(Op::CompositeExtract, ty, &[composite.word(), index]),
            _ => self.pure_with(Op::CompositeExtract, ty, [composite.word()], indexes),
        }
    }
    /// Component `index` of a vector. A scalar is its own component 0.
    #[inline]
    pub fn component(&mut self, value: Id, index: u32) -> Id {
        match self.type_of(value).and_then(|ty| self.vector(ty)) {
            Some((element, _)) => self.extract(element, value, &[index]),
            None => {
                if index != 0 {
                    self.fault(format!("component {index} is taken of {value}, which is not a vector"));
                }
                value
            }
        }
    }
    /// OpCompositeInsert.
    #[inline]
    pub fn insert(&mut self, ty: Id, object: Id, composite: Id, indexes: &[u32]) -> Id {
        self.op_with(Op::CompositeInsert, ty, [object.word(), composite.word()], indexes)
    }
    /// OpVectorShuffle.
    #[inline]
    pub fn shuffle(&mut self, ty: Id, first: Id, second: Id, components: &[u32]) -> Id {
        self.op_with(Op::VectorShuffle, ty, [first.word(), second.word()], components)
    }

    /// An integer compared with zero, as a bool.
    pub fn is_nonzero(&mut self, value: Id) -> Id {
        let Some(ty) = self.type_of(value) else {
            self.fault(format!("{value} has no type"));
            return value;
        };
        let zero = self.const_bits_splat(ty, 0);
        let bool_ty = self.type_bool_like(ty);
        self.op(Op::INotEqual, bool_ty, &[value, zero])
    }

    /// An atomic instruction with a result: pointer, scope, semantics, then `operands`. For 64 bits
    /// it requires the feature of the pointer's storage class, and for OpAtomicFAddEXT, which must
    /// work on a texel of 32 bits, that of images.
    ///
    /// # Errors
    /// `MissingFeature` if the profile has no such atomics on this memory.
    pub fn atomic(
        &mut self,
        op: Op,
        ty: Id,
        pointer: Id,
        scope: Scope,
        semantics: MemorySemantics,
        operands: &[Id],
    ) -> Result<Id> {
        self.require_atomic(ty, pointer)?;
        if op == Op::AtomicFAddEXT {
            self.caps.capability(Capability::AtomicFloat32AddEXT)?;
        }
        let (scope, semantics) = (self.const_u32(scope as u32), self.const_u32(semantics.bits()));
        Ok(self.op_with(op, ty, [pointer.word(), scope.word(), semantics.word()], operands))
    }

    /// OpAtomicCompareExchange with one memory semantics for both outcomes. For `Unequal` it is
    /// weakened as SPIR-V requires: without release.
    ///
    /// # Errors
    /// `MissingFeature` if the profile has no 64-bit atomics on this memory.
    pub fn atomic_compare_exchange(
        &mut self,
        ty: Id,
        pointer: Id,
        scope: Scope,
        semantics: MemorySemantics,
        value: Id,
        comparator: Id,
    ) -> Result<Id> {
        self.require_atomic(ty, pointer)?;
        let mut unequal = semantics;
        if semantics.intersects(MemorySemantics::RELEASE | MemorySemantics::ACQUIRE_RELEASE) {
            unequal.remove(MemorySemantics::RELEASE | MemorySemantics::MAKE_AVAILABLE);
            if semantics.contains(MemorySemantics::ACQUIRE_RELEASE) {
                unequal.remove(MemorySemantics::ACQUIRE_RELEASE);
                unequal |= MemorySemantics::ACQUIRE;
            } else {
                unequal = MemorySemantics::RELAXED;
            }
        }
        let scope = self.const_u32(scope as u32);
        let (equal, unequal) = (self.const_u32(semantics.bits()), self.const_u32(unequal.bits()));
        let operands = [pointer, scope, equal, unequal, value, comparator];
        Ok(self.op(Op::AtomicCompareExchange, ty, &operands))
    }

    fn require_atomic(&mut self, ty: Id, pointer: Id) -> Result<()> {
        if self.width(ty) != Some(64) {
            return Ok(());
        }
        let class = match self.ty_of(pointer) {
            Some(Type::Pointer { class, .. }) => Some(class),
            _ => None,
        };
        // One capability stands for three features. The memory decides which one is needed (Vulkan,
        // appendix «SPIR-V Capabilities»).
        self.caps.require(match class {
            Some(StorageClass::Workgroup) => Feature::SharedInt64Atomics,
            Some(StorageClass::Image) => Feature::ImageInt64Atomics,
            _ => Feature::BufferInt64Atomics,
        })?;
        self.caps.capability(Capability::Int64Atomics)
    }

    /// OpControlBarrier.
    pub fn control_barrier(&mut self, execution: Scope, memory: Scope, semantics: MemorySemantics) {
        let execution = self.const_u32(execution as u32);
        let memory = self.const_u32(memory as u32);
        let semantics = self.const_u32(semantics.bits());
        self.stmt(Op::ControlBarrier, &[execution, memory, semantics]);
    }
    /// OpMemoryBarrier.
    pub fn memory_barrier(&mut self, memory: Scope, semantics: MemorySemantics) {
        let memory = self.const_u32(memory as u32);
        let semantics = self.const_u32(semantics.bits());
        self.stmt(Op::MemoryBarrier, &[memory, semantics]);
    }

    /// OpDemoteToHelperInvocation: the invocation continues as a helper. If the profile lacks it
    /// ([`Caps::allows`](super::Caps::allows)), the lowering keeps a flag and ends the shader with
    /// [`kill_if`](Self::kill_if).
    ///
    /// # Errors
    /// `MissingFeature` if the profile does not allow the instruction.
    pub fn demote(&mut self) -> Result<()> {
        self.caps.capability(Capability::DemoteToHelperInvocation)?;
        self.stmt(Op::DemoteToHelperInvocation, ());
        Ok(())
    }

    /// A derivative: OpDPdx, OpDPdy, OpFwidth or a fine or coarse form, with DerivativeControl for
    /// the latter two.
    ///
    /// # Errors
    /// None in Vulkan, where the capability is always allowed. The result type shows that a
    /// capability is declared.
    pub fn derivative(&mut self, op: Op, ty: Id, value: Id) -> Result<Id> {
        if !matches!(op, Op::DPdx | Op::DPdy | Op::Fwidth) {
            self.caps.capability(Capability::DerivativeControl)?;
        }
        Ok(self.op(op, ty, &[value]))
    }

    /// Decorates a result that was just made with NoContraction.
    #[inline]
    pub fn no_contraction(&mut self, result: Id) {
        // Arithmetic has the decoration already if all of it is to have it.
        match self.precise {
            true => self.mark(result, Decoration::NoContraction),
            false => self.mark_new(result, Decoration::NoContraction),
        }
    }
}

/// Calls with as many copies of an id as a vector has components. Only long vectors have them on
/// the heap.
pub(super) fn with_copies(id: Id, count: u32, call: impl FnOnce(&[Id]) -> Id) -> Id {
    match [id; 4].get(..count as usize) {
        Some(copies) => call(copies),
        None => call(&vec![id; count as usize]),
    }
}
