//! Resources in D3D's terms: class, kind, register range, element.
//!
//! In: `dx.resources` metadata ([`metadata`](crate::decode::metadata)), and the views of descriptor
//! heaps that handles use ([`handles`](crate::analysis::handles)). Out: `binding` plans their
//! places, `lower` translates their accesses.

use std::fmt::{Display, Write as _};
use std::sync::Arc;

use crate::ops::consts::{ComponentType, ResourceClass, ResourceKind, SamplerFeedbackType};
use dxil_base::error::Place;
use dxil_base::html::clipped;
use dxil_bitcode as bitcode;

entity! {
    /// A resource of a module.
    pub struct ResourceId, "r";
}

/// A descriptor heap that a shader indexes directly (shader model 6.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Heap {
    /// `ResourceDescriptorHeap`.
    Resources,
    /// `SamplerDescriptorHeap`.
    Samplers,
}

impl Display for Heap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Heap::Resources => "ResourceDescriptorHeap",
            Heap::Samplers => "SamplerDescriptorHeap",
        })
    }
}

/// Where the descriptors of a resource come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DescriptorOrigin {
    /// Registers, which the metadata declares.
    Registers,
    /// A descriptor heap. Then the resource stands for all descriptors of the heap that the shader
    /// uses as this kind of view.
    Heap(Heap),
}

/// A resource of a shader: one register, an array of registers, or a view of a descriptor heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Resource {
    /// Where its descriptors come from.
    pub origin: DescriptorOrigin,
    /// SRV, UAV, constant buffer or sampler.
    pub class: ResourceClass,
    /// Its number within the class, by which `createHandle` names it.
    pub range_id: u32,
    /// Its name in the code; may be empty. Compilers leave out most names.
    pub name: Arc<str>,
    /// Its name in the source, for messages, where a part of the container with names was read.
    pub source_name: Option<Arc<str>>,
    /// Register space.
    pub space: u32,
    /// First register.
    pub lower_bound: u32,
    /// Number of registers; `u32::MAX` is unbounded.
    pub count: u32,
    /// Texture2D, RawBuffer, CBuffer, Sampler and so on.
    pub kind: ResourceKind,
    /// Component type of a typed resource's elements.
    pub element: Option<ComponentType>,
    /// Whether the declaration of a typed resource says that a component takes two words. DXC gives
    /// such a resource the component type of words.
    pub has_pairs: bool,
    /// Size in bytes: of an element for a structured buffer, of the whole buffer for a constant
    /// buffer.
    pub size: u32,
    /// Sample count, if the declaration states it; 0 otherwise.
    pub sample_count: u32,
    /// `globallycoherent`.
    pub globally_coherent: bool,
    /// `reordercoherent` (shader model 6.9).
    pub reorder_coherent: bool,
    /// Whether it has a hidden counter that the shader uses.
    pub has_counter: bool,
    /// Whether it is a rasterizer-ordered view.
    pub rasterizer_ordered: bool,
    /// Whether 64-bit atomics are used on it (shader model 6.6).
    pub atomic_64: bool,
    /// Whether it is a comparison sampler.
    pub comparison_sampler: bool,
    /// The vendor intrinsics that its accesses encode, if they do and some have no form.
    pub intrinsics: Option<Intrinsics>,
}

/// A vendor's extension of HLSL, whose instructions are encoded as accesses to a UAV.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Vendor {
    /// AMD GPU Services.
    Amd,
    /// NVIDIA's NVAPI.
    Nvidia,
    /// The Intel extensions framework.
    Intel,
}

impl Display for Vendor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Vendor::Amd => "AMD GPU Services (AGS)",
            Vendor::Nvidia => "NVIDIA NVAPI",
            Vendor::Intel => "the Intel extensions framework",
        })
    }
}

/// The vendor intrinsics of a UAV.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Intrinsics {
    /// Whose they are.
    pub vendor: Vendor,
    /// The names of those without a form, for messages.
    pub refused: Arc<str>,
}

/// What a declaration says of the elements of its resource, besides what [`Resource`] has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ElementDeclaration {
    /// The LLVM type of an element (of a typed or structured buffer or a texture), or of the
    /// content of a constant buffer; `None` if the declaration does not have it.
    pub content: Option<bitcode::TypeId>,
    /// The structure that a constant buffer or a `tbuffer` is.
    pub structure: Option<bitcode::TypeId>,
    /// Number of components of a typed resource's element; 0 if the declaration does not have it.
    pub components: u8,
    /// The kind of a feedback texture.
    pub feedback: Option<SamplerFeedbackType>,
}

/// Bytes of a resource's name that its text form has.
const NAME_SHOWN: usize = 256;

/// The value of [`Resource::count`] for an unbounded array.
pub const UNBOUNDED: u32 = u32::MAX;

impl Resource {
    /// A view of all descriptors of a heap, of this class and kind and without further properties.
    pub fn from_heap(heap: Heap, class: ResourceClass, kind: ResourceKind) -> Self {
        Self {
            origin: DescriptorOrigin::Heap(heap),
            class,
            range_id: 0,
            name: Arc::default(),
            source_name: None,
            space: 0,
            lower_bound: 0,
            count: UNBOUNDED,
            kind,
            element: None,
            has_pairs: false,
            size: 0,
            sample_count: 0,
            globally_coherent: false,
            reorder_coherent: false,
            has_counter: false,
            rasterizer_ordered: false,
            atomic_64: false,
            comparison_sampler: false,
            intrinsics: None,
        }
    }
    /// The vendor whose intrinsics accesses to the resource encode, where its register or its name
    /// says so: the space `AmdExtD3DShaderIntrinsicsSpaceId` is AMD's.
    pub fn vendor(&self) -> Option<Vendor> {
        const AMD_SPACE: u32 = 0x7fff_0ade;
        match &*self.name {
            _ if self.class != ResourceClass::Uav => None,
            _ if self.space == AMD_SPACE => Some(Vendor::Amd),
            "AmdExtD3DShaderIntrinsicsUAV" => Some(Vendor::Amd),
            "g_NvidiaExt" => Some(Vendor::Nvidia),
            "g_IntelExt" => Some(Vendor::Intel),
            _ => None,
        }
    }
    /// Whether the metadata declares it with registers.
    pub fn is_declared(&self) -> bool {
        self.origin == DescriptorOrigin::Registers
    }
    /// Its register and space, as the place of an error.
    pub fn place(&self) -> Place {
        if !self.is_declared() {
            return Place::Input;
        }
        Place::Resource { class: self.class.letter(), register: self.lower_bound, space: self.space }
    }
    /// Its name in the source if that is known, otherwise that in the code.
    pub fn shown_name(&self) -> &Arc<str> {
        self.source_name.as_ref().unwrap_or(&self.name)
    }
    /// The alignment in bytes of a view that is a raw or structured buffer: 16, or the largest
    /// power of two in the size of an element. For other resources it is 0.
    pub fn alignment(&self) -> u32 {
        match self.kind {
            ResourceKind::RawBuffer => 16,
            ResourceKind::StructuredBuffer => self.size & self.size.wrapping_neg(),
            _ => 0,
        }
    }
    /// Whether it is an array of registers rather than one register.
    pub fn is_array(&self) -> bool {
        self.count != 1
    }
    /// The last register, inclusive. Of an unbounded array it is the last one that there can be.
    pub fn upper_bound(&self) -> u32 {
        match self.count {
            UNBOUNDED => u32::MAX,
            count => self.lower_bound.saturating_add(count.saturating_sub(1)),
        }
    }
}

impl Display for Resource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.origin {
            DescriptorOrigin::Heap(heap) => write!(f, "{heap} {} {}", self.class.letter(), self.kind)?,
            DescriptorOrigin::Registers => {
                f.write_char(self.class.letter())?;
                Display::fmt(&self.lower_bound, f)?;
                match self.count {
                    1 => {}
                    UNBOUNDED => f.write_str("[]")?,
                    n => write!(f, "[{n}]")?,
                }
                f.write_str(" space")?;
                Display::fmt(&self.space, f)?;
                f.write_char(' ')?;
                Display::fmt(&self.kind, f)?;
            }
        }
        if let Some(element) = self.element {
            write!(f, "<{element}>")?;
        }
        for (word, number) in [(" size ", self.size), (" samples ", self.sample_count)] {
            if number != 0 {
                f.write_str(word)?;
                Display::fmt(&number, f)?;
            }
        }
        for (set, word) in [
            (self.globally_coherent, " globally_coherent"),
            (self.reorder_coherent, " reorder_coherent"),
            (self.has_counter, " counter"),
            (self.rasterizer_ordered, " rasterizer_ordered"),
            (self.atomic_64, " atomic64"),
            (self.comparison_sampler, " comparison"),
        ] {
            if set {
                f.write_str(word)?;
            }
        }
        let name = self.shown_name();
        if !name.is_empty() {
            // Many resources may share one long name.
            let (shown, left) = clipped(name, NAME_SHOWN);
            let quotes = if left > 0 { [" \"", shown, "…\""] } else { [" \"", shown, "\""] };
            quotes.into_iter().try_for_each(|part| f.write_str(part))?;
        }
        Ok(())
    }
}
