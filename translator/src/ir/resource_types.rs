//! The object types of HLSL, and what each is in DXIL, in LLVM and in SPIR-V.
//!
//! In: a resource as the metadata declares it, and the [`ElementDeclaration`] of its elements. Out:
//! the row of its type, and the resource in the words of each of the other three. What must hold:
//! the table below is the only list of HLSL's types; docs/resources.md is generated from it, and a
//! test asserts it against a container of each type.
//!
//! Sources: DXC's `DxilConstants.h`, `DxilMetadataHelper.h` and `DxilResourceProperties.h`; LLVM's
//! documentation, "DXIL Resource Handling", and its `DXILResource.h`.

use std::fmt::Write as _;

use crate::ir::properties::Properties;
use crate::ir::resources::{ElementDeclaration, Resource};
use crate::ops::NO_FEEDBACK;
use crate::ops::consts::{ComponentType, ResourceClass, ResourceKind, SamplerFeedbackType};
use dxil_bitcode as bitcode;

/// One object type of HLSL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceType {
    /// Its name in HLSL.
    pub hlsl: &'static str,
    /// Resource class.
    pub class: ResourceClass,
    /// Resource kind.
    pub kind: ResourceKind,
    /// What tells types of one class and kind apart.
    pub variant: Variant,
    /// The form of its LLVM target type.
    pub llvm: Llvm,
    /// Its type in SPIR-V.
    pub spirv: Spirv,
}

/// What tells types of one class and kind apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Nothing: the type of its class and kind without the following properties.
    Plain,
    /// A rasterizer-ordered view.
    RasterizerOrdered,
    /// The shader uses the hidden counter.
    Counter,
    /// A comparison sampler.
    Comparison,
}

/// The form of an LLVM target type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Llvm {
    /// `target("dx.TypedBuffer", T, IsWriteable, IsROV, IsSigned)`
    TypedBuffer,
    /// `target("dx.RawBuffer", T, IsWriteable, IsROV)`
    RawBuffer,
    /// `target("dx.Texture", T, IsWriteable, IsROV, IsSigned, Kind)`
    Texture,
    /// `target("dx.MSTexture", T, IsWriteable, Samples, IsSigned, Kind)`
    MsTexture,
    /// `target("dx.FeedbackTexture", FeedbackType, Kind)`
    FeedbackTexture,
    /// `target("dx.CBuffer", T)`
    CBuffer,
    /// `target("dx.Sampler", SamplerType)`
    Sampler,
    /// LLVM has no target type for it.
    None,
}

/// A type in SPIR-V, of the descriptor type that is taken without a pipeline layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spirv {
    /// `OpTypeImage` with this Dim, Arrayed, MS and Sampled. Depth is always 2, «unknown».
    Image {
        /// `Dim`.
        dim: &'static str,
        /// `Arrayed`.
        arrayed: bool,
        /// `MS`.
        multisampled: bool,
    },
    /// A `Block` structure in storage class `StorageBuffer`.
    StorageBuffer,
    /// A `Block` structure in storage class `Uniform`.
    Uniform,
    /// `OpTypeSampler`
    Sampler,
    /// `OpTypeAccelerationStructureKHR`
    AccelerationStructure,
    /// It has no counterpart, for this reason.
    None(&'static str),
}

const fn image(dim: &'static str) -> Spirv {
    Spirv::Image { dim, arrayed: false, multisampled: false }
}

const fn layers(dim: &'static str) -> Spirv {
    Spirv::Image { dim, arrayed: true, multisampled: false }
}

macro_rules! types {
    ($($hlsl:literal $class:ident $kind:ident $variant:ident $llvm:ident $spirv:expr;)+) => {
        /// The types. A type comes before those that differ from it by a property, and those that
        /// are the same in DXIL follow each other.
        pub const TYPES: &[ResourceType] = &[$(ResourceType {
            hlsl: $hlsl,
            class: ResourceClass::$class,
            kind: ResourceKind::$kind,
            variant: Variant::$variant,
            llvm: Llvm::$llvm,
            spirv: $spirv,
        },)+];
    };
}

types! {
    "Texture1D"                          Srv Texture1D               Plain             Texture         image("1D");
    "Texture1DArray"                     Srv Texture1DArray          Plain             Texture         layers("1D");
    "Texture2D"                          Srv Texture2D               Plain             Texture         image("2D");
    "Texture2DArray"                     Srv Texture2DArray          Plain             Texture         layers("2D");
    "Texture2DMS"                        Srv Texture2DMS             Plain             MsTexture       MS_IMAGE;
    "Texture2DMSArray"                   Srv Texture2DMSArray        Plain             MsTexture       MS_LAYERS;
    "Texture3D"                          Srv Texture3D               Plain             Texture         image("3D");
    "TextureCube"                        Srv TextureCube             Plain             Texture         image("Cube");
    "TextureCubeArray"                   Srv TextureCubeArray        Plain             Texture         layers("Cube");
    "RWTexture1D"                        Uav Texture1D               Plain             Texture         image("1D");
    "RWTexture1DArray"                   Uav Texture1DArray          Plain             Texture         layers("1D");
    "RWTexture2D"                        Uav Texture2D               Plain             Texture         image("2D");
    "RWTexture2DArray"                   Uav Texture2DArray          Plain             Texture         layers("2D");
    "RWTexture2DMS"                      Uav Texture2DMS             Plain             MsTexture       MS_IMAGE;
    "RWTexture2DMSArray"                 Uav Texture2DMSArray        Plain             MsTexture       MS_LAYERS;
    "RWTexture3D"                        Uav Texture3D               Plain             Texture         image("3D");
    "RasterizerOrderedTexture1D"         Uav Texture1D               RasterizerOrdered Texture         image("1D");
    "RasterizerOrderedTexture1DArray"    Uav Texture1DArray          RasterizerOrdered Texture         layers("1D");
    "RasterizerOrderedTexture2D"         Uav Texture2D               RasterizerOrdered Texture         image("2D");
    "RasterizerOrderedTexture2DArray"    Uav Texture2DArray          RasterizerOrdered Texture         layers("2D");
    "RasterizerOrderedTexture3D"         Uav Texture3D               RasterizerOrdered Texture         image("3D");
    "FeedbackTexture2D"                  Uav FeedbackTexture2D       Plain             FeedbackTexture Spirv::None(NO_FEEDBACK);
    "FeedbackTexture2DArray"             Uav FeedbackTexture2DArray  Plain             FeedbackTexture Spirv::None(NO_FEEDBACK);
    "Buffer"                             Srv TypedBuffer             Plain             TypedBuffer     image("Buffer");
    "RWBuffer"                           Uav TypedBuffer             Plain             TypedBuffer     image("Buffer");
    "RasterizerOrderedBuffer"            Uav TypedBuffer             RasterizerOrdered TypedBuffer     image("Buffer");
    "ByteAddressBuffer"                  Srv RawBuffer               Plain             RawBuffer       Spirv::StorageBuffer;
    "RWByteAddressBuffer"                Uav RawBuffer               Plain             RawBuffer       Spirv::StorageBuffer;
    "RasterizerOrderedByteAddressBuffer" Uav RawBuffer               RasterizerOrdered RawBuffer       Spirv::StorageBuffer;
    "StructuredBuffer"                   Srv StructuredBuffer        Plain             RawBuffer       Spirv::StorageBuffer;
    "RWStructuredBuffer"                 Uav StructuredBuffer        Plain             RawBuffer       Spirv::StorageBuffer;
    "AppendStructuredBuffer"             Uav StructuredBuffer        Counter           RawBuffer       Spirv::StorageBuffer;
    "ConsumeStructuredBuffer"            Uav StructuredBuffer        Counter           RawBuffer       Spirv::StorageBuffer;
    "RasterizerOrderedStructuredBuffer"  Uav StructuredBuffer        RasterizerOrdered RawBuffer       Spirv::StorageBuffer;
    "ConstantBuffer"                     CBuffer CBuffer             Plain             CBuffer         Spirv::Uniform;
    "cbuffer"                            CBuffer CBuffer             Plain             CBuffer         Spirv::Uniform;
    "TextureBuffer"                      Srv TBuffer                 Plain             None            Spirv::StorageBuffer;
    "tbuffer"                            Srv TBuffer                 Plain             None            Spirv::StorageBuffer;
    "SamplerState"                       Sampler Sampler             Plain             Sampler         Spirv::Sampler;
    "SamplerComparisonState"             Sampler Sampler             Comparison        Sampler         Spirv::Sampler;
    "RaytracingAccelerationStructure"    Srv RtAccelerationStructure Plain             None            Spirv::AccelerationStructure;
}

const MS_IMAGE: Spirv = Spirv::Image { dim: "2D", arrayed: false, multisampled: true };
const MS_LAYERS: Spirv = Spirv::Image { dim: "2D", arrayed: true, multisampled: true };

/// The kinds of which some type has no counterpart in SPIR-V, as bits.
const KINDS_WITHOUT_COUNTERPART: u32 = {
    let (mut kinds, mut row) = (0, 0);
    while row < TYPES.len() {
        if matches!(TYPES[row].spirv, Spirv::None(_)) {
            kinds |= 1 << TYPES[row].kind as u32;
        }
        row += 1;
    }
    kinds
};

impl ResourceType {
    /// Why SPIR-V has no type for a resource; `None` if it has one.
    pub fn refusal(resource: &Resource) -> Option<&'static str> {
        if KINDS_WITHOUT_COUNTERPART >> resource.kind as u32 & 1 == 0 {
            return None;
        }
        match Self::matching(resource).next()?.spirv {
            Spirv::None(reason) => Some(reason),
            _ => None,
        }
    }

    /// The types that a resource may have in HLSL: several if they are the same in DXIL, none for a
    /// combination of class and kind that HLSL does not have.
    pub fn matching(resource: &Resource) -> impl Iterator<Item = &'static ResourceType> {
        let (class, kind) = (resource.class, resource.kind);
        let (ordered, counter) = (resource.rasterizer_ordered, resource.has_counter);
        let comparison = resource.comparison_sampler;
        TYPES.iter().filter(move |row| {
            (row.class, row.kind) == (class, kind)
                && match row.variant {
                    Variant::Plain => !ordered && !comparison,
                    Variant::RasterizerOrdered => ordered,
                    Variant::Counter => counter && !ordered,
                    Variant::Comparison => comparison,
                }
        })
    }

    /// Whether it is a UAV.
    fn is_writeable(self) -> u32 {
        u32::from(self.class == ResourceClass::Uav)
    }

    fn is_ordered(self) -> u32 {
        u32::from(self.variant == Variant::RasterizerOrdered)
    }

    /// The LLVM target type of a resource of this type. The parts that the declaration does not
    /// have are `T` (an element type), `N` (a number of samples or a kind of feedback).
    pub fn llvm_type(
        self,
        module: &bitcode::Module,
        resource: &Resource,
        shape: &ElementDeclaration,
    ) -> Option<String> {
        let content = shape.content.map_or("T".to_owned(), |content| module.type_text(content).to_string());
        let signed = resource.element.is_some_and(is_signed);
        self.llvm_text(&content, u32::from(signed), resource.sample_count, shape.feedback)
    }

    fn llvm_text(
        self,
        content: &str,
        signed: u32,
        samples: u32,
        feedback: Option<SamplerFeedbackType>,
    ) -> Option<String> {
        let (writeable, ordered, kind) = (self.is_writeable(), self.is_ordered(), kind_name(self.kind));
        Some(match self.llvm {
            Llvm::TypedBuffer => format!("target(\"dx.TypedBuffer\", {content}, {writeable}, {ordered}, {signed})"),
            Llvm::RawBuffer if self.kind == ResourceKind::RawBuffer => {
                format!("target(\"dx.RawBuffer\", i8, {writeable}, {ordered})")
            }
            Llvm::RawBuffer => format!("target(\"dx.RawBuffer\", {content}, {writeable}, {ordered})"),
            Llvm::Texture => format!("target(\"dx.Texture\", {content}, {writeable}, {ordered}, {signed}, {kind})"),
            Llvm::MsTexture => {
                format!("target(\"dx.MSTexture\", {content}, {writeable}, {samples}, {signed}, {kind})")
            }
            Llvm::FeedbackTexture => {
                let feedback = feedback.map_or("N".to_owned(), |feedback| (feedback as u32).to_string());
                format!("target(\"dx.FeedbackTexture\", {feedback}, {kind})")
            }
            Llvm::CBuffer => format!("target(\"dx.CBuffer\", {content})"),
            Llvm::Sampler => {
                format!("target(\"dx.Sampler\", {})", u32::from(self.variant == Variant::Comparison))
            }
            Llvm::None => return None,
        })
    }

    /// The SPIR-V type of a resource of this type. The format of a storage image is not part of it,
    /// because it follows from the shader's accesses.
    pub fn spirv_type(self, resource: &Resource) -> String {
        let component = match (self.kind, resource.element) {
            (ResourceKind::TBuffer, _) => "%uint",
            (_, Some(element)) => texel(element),
            (_, None) => "T",
        };
        self.spirv_text(component)
    }

    fn spirv_text(self, component: &str) -> String {
        match self.spirv {
            Spirv::Image { dim, arrayed, multisampled } => {
                let (arrayed, multisampled) = (u32::from(arrayed), u32::from(multisampled));
                let sampled = 1 + self.is_writeable();
                format!("OpTypeImage {component} {dim} 2 {arrayed} {multisampled} {sampled}")
            }
            Spirv::StorageBuffer => "OpTypeStruct, Block, in StorageBuffer".to_owned(),
            Spirv::Uniform => "OpTypeStruct, Block, in Uniform".to_owned(),
            Spirv::Sampler => "OpTypeSampler".to_owned(),
            Spirv::AccelerationStructure => "OpTypeAccelerationStructureKHR".to_owned(),
            Spirv::None(reason) => format!("none: {reason}"),
        }
    }
}

/// DXIL's name of a kind, where the printed one is HLSL's.
fn kind_name(kind: ResourceKind) -> &'static str {
    match kind {
        ResourceKind::TypedBuffer => "TypedBuffer",
        ResourceKind::RawBuffer => "RawBuffer",
        ResourceKind::CBuffer => "CBuffer",
        ResourceKind::Sampler => "Sampler",
        ResourceKind::TBuffer => "TBuffer",
        ResourceKind::RtAccelerationStructure => "RTAccelerationStructure",
        other => other.name(),
    }
}

fn is_signed(element: ComponentType) -> bool {
    matches!(element, ComponentType::I16 | ComponentType::I32 | ComponentType::I64)
}

/// The component type of a texel in SPIR-V. A 64-bit component is two words.
fn texel(element: ComponentType) -> &'static str {
    use ComponentType as C;
    match element {
        C::F16 | C::F32 | C::SNormF16 | C::UNormF16 | C::SNormF32 | C::UNormF32 => "%float",
        C::I16 | C::I32 => "%int",
        _ => "%uint",
    }
}

/// A resource in the words of HLSL, of `annotateHandle`, of LLVM and of SPIR-V, a line each. A
/// resource that is of no HLSL type has no lines.
pub fn describe(module: &bitcode::Module, resource: &Resource, shape: &ElementDeclaration) -> Vec<String> {
    let names: Vec<&str> = ResourceType::matching(resource).map(|row| row.hlsl).collect();
    let Some(row) = ResourceType::matching(resource).next() else { return Vec::new() };
    let Properties { basic, extended } = Properties::from_resource(resource, shape);
    vec![
        format!("HLSL: {}", names.join(" or ")),
        format!("annotateHandle: 0x{basic:08x} 0x{extended:08x}"),
        format!("LLVM: {}", row.llvm_type(module, resource, shape).unwrap_or_else(|| "no target type".to_owned())),
        format!("SPIR-V: {}", row.spirv_type(resource)),
    ]
}

/// The text of docs/resources.md.
pub fn resources_markdown() -> String {
    let mut text = String::from(
        "# Resource types\n\
         \n\
         `BLESS=1 cargo test -p dxil-translator --test integration resource_types` writes this document from the table in\n\
         `translator/src/ir/resource_types.rs`. The test asserts the table against a container of each\n\
         type. `dxil2spv resources FILE` prints the resources of a shader in these forms.\n\
         \n\
         - *properties* are the two words of `annotateHandle` (shader model 6.6). Those of a resource that is\n\
         \x20\x20`globallycoherent` also have the bit 0x4000, those of a `reordercoherent` one 0x10000. Bits 8 to\n\
         \x20\x2011 are the alignment of a structured buffer's element, as a power of two; a declaration does not\n\
         \x20\x20have it, nor the size of a tbuffer.\n\
         - In LLVM's types, `T` is the type of an element, `S` is 1 for signed integers, and `N` is the\n\
         \x20\x20number of samples or the kind of feedback. LLVM writes the kind (the last operand) as its number.\n\
         - The SPIR-V type is that of the first descriptor type that the resource accepts\n\
         \x20\x20([bindings.md](bindings.md)). The operands of `OpTypeImage` are the component type, Dim, Depth (2:\n\
         \x20\x20unknown), Arrayed, MS and Sampled. A storage image also has a format, which follows from the\n\
         \x20\x20shader's accesses.\n\
         - DXIL cannot distinguish types with the same class, kind and properties. A hidden counter is a\n\
         \x20\x20second descriptor, a `Block` with one word.\n\
         \n\
         | HLSL | class | kind | properties | LLVM | SPIR-V |\n|---|---|---|---|---|---|\n",
    );
    for row in TYPES {
        let mut resource = row.example();
        resource.element = None;
        let first = Properties::from_resource(&resource, &ElementDeclaration::default()).basic;
        let second = match row.llvm {
            Llvm::TypedBuffer | Llvm::Texture => "component type, number of components << 8",
            Llvm::MsTexture => "component type, number of components << 8, samples << 16",
            Llvm::RawBuffer if row.kind == ResourceKind::StructuredBuffer => "stride",
            Llvm::CBuffer => "size",
            Llvm::FeedbackTexture => "kind of feedback",
            Llvm::None if row.kind == ResourceKind::TBuffer => "size",
            Llvm::RawBuffer | Llvm::Sampler | Llvm::None => "0",
        };
        let llvm = row.llvm_text("T", 7, 8, None).map_or("none".to_owned(), |llvm| {
            // The numbers 7 and 8 stand for what the declaration of a resource decides.
            format!("`{}`", llvm.replace(", 7", ", S").replace(", 8", ", N"))
        });
        let spirv = match row.spirv {
            Spirv::None(_) => row.spirv_text("T"),
            _ => format!("`{}`", row.spirv_text("T")),
        };
        let (hlsl, class, kind) = (row.hlsl, row.class, kind_name(row.kind));
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "| {hlsl} | {class} | {} {kind} | 0x{first:x}, {second} | {llvm} | {spirv} |",
            row.kind as u32
        );
    }
    text
}

impl ResourceType {
    /// A resource of this type, with one register.
    fn example(self) -> Resource {
        let mut resource = Resource::from_heap(crate::ir::resources::Heap::Resources, self.class, self.kind);
        resource.rasterizer_ordered = self.variant == Variant::RasterizerOrdered;
        resource.has_counter = self.variant == Variant::Counter;
        resource.comparison_sampler = self.variant == Variant::Comparison;
        resource
    }
}
