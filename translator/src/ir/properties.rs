//! Properties: what `annotateHandle` says of a handle's resource, in two words.
//!
//! In: the words, or a resource. Out: whether the words agree with a declaration; the resource that
//! they describe, for a view of a descriptor heap; the words that describe a resource. What must
//! hold: the layout is that of DXC's `DxilResourceProperties.h`.

use crate::ir::resources::{ElementDeclaration, Heap, Resource};
use crate::ops::consts::{ComponentType, ResourceClass, ResourceKind};
use dxil_base::error::{Place, Result};

/// The two words of `dx.types.ResourceProperties` (DXC, `DxilResourceProperties.h`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Properties {
    /// Bits 0 to 7: the kind. Bit 12: UAV; 13: rasterizer-ordered; 14: globally coherent; 15:
    /// comparison sampler or counter; 16: reorder coherent.
    pub basic: u32,
    /// For a structured buffer its stride, for a constant buffer its size. For a typed resource,
    /// bits 0 to 7 are the component type, 8 to 15 the number of components, and 16 to 23 the
    /// sample count.
    pub extended: u32,
}

impl Properties {
    /// The properties of a resource. The alignment of a structured buffer's element (bits 8 to 11)
    /// is left zero, because the declaration does not have it.
    pub fn from_resource(resource: &Resource, shape: &ElementDeclaration) -> Self {
        let kind = resource.kind;
        let flags = [
            (12, resource.class == ResourceClass::Uav),
            (13, resource.rasterizer_ordered),
            (14, resource.globally_coherent),
            (15, resource.has_counter || resource.comparison_sampler),
            (16, resource.reorder_coherent),
        ];
        let set = flags.into_iter().filter(|(_, on)| *on);
        let extended = match kind {
            ResourceKind::StructuredBuffer | ResourceKind::CBuffer | ResourceKind::TBuffer => resource.size,
            ResourceKind::FeedbackTexture2D | ResourceKind::FeedbackTexture2DArray => {
                shape.feedback.map_or(0, |feedback| feedback as u32)
            }
            _ if kind.is_typed() => {
                let element = resource.element.map_or(0, |element| element as u32);
                element | u32::from(shape.components) << 8 | resource.sample_count << 16
            }
            _ => 0,
        };
        Self { basic: set.fold(kind as u32, |basic, (bit, _)| basic | 1 << bit), extended }
    }

    fn bit(self, bit: u32) -> bool {
        self.basic >> bit & 1 != 0
    }

    fn kind(self, place: Place) -> Result<ResourceKind> {
        let number = self.basic & 0xff;
        ResourceKind::try_from(number).map_err(|_| unsupported!(place, "annotateHandle with resource kind {number}"))
    }

    fn element(self, kind: ResourceKind) -> Option<ComponentType> {
        // Component type 0 is «invalid». The compiler writes it if the element is not made of
        // components, as a structure. The word of a tbuffer is its size.
        let number = self.extended & 0xff;
        if kind.is_typed() && kind != ResourceKind::TBuffer {
            ComponentType::try_from(number).ok().filter(|_| number != 0)
        } else {
            None
        }
    }

    /// Checks that an annotation agrees with the declaration of the resource.
    pub fn check(self, resource: &Resource, place: Place) -> Result<()> {
        let differs = |what: &str| {
            Err(malformed!(place, "annotateHandle says that {resource} is {what}, which its declaration contradicts"))
        };
        let kind = self.kind(place)?;
        if kind != resource.kind {
            return differs(&format!("of kind {kind}"));
        }
        let is_uav = resource.class == ResourceClass::Uav;
        if self.bit(12) != is_uav {
            return differs(if is_uav { "not a UAV" } else { "a UAV" });
        }
        if is_uav && self.bit(13) != resource.rasterizer_ordered {
            return differs(if self.bit(13) { "rasterizer-ordered" } else { "not rasterizer-ordered" });
        }
        if kind == ResourceKind::StructuredBuffer && self.extended != resource.size {
            return differs(&format!("made of elements of {} bytes", self.extended));
        }
        match (self.element(kind), resource.element) {
            (Some(said), Some(declared)) if said != declared => differs(&format!("made of {said}")),
            _ => Ok(()),
        }
    }

    /// The view of a heap that these properties describe.
    pub fn view(self, heap: Heap, place: Place) -> Result<Resource> {
        let kind = self.kind(place)?;
        let class = match (kind, self.bit(12)) {
            (ResourceKind::Sampler, _) => ResourceClass::Sampler,
            (ResourceKind::CBuffer, _) => ResourceClass::CBuffer,
            (_, true) => ResourceClass::Uav,
            (_, false) => ResourceClass::Srv,
        };
        if (class == ResourceClass::Sampler) != (heap == Heap::Samplers) {
            return Err(malformed!(place, "a view of kind {kind} from {heap}"));
        }
        let sized = matches!(kind, ResourceKind::StructuredBuffer | ResourceKind::CBuffer | ResourceKind::TBuffer);
        let is_uav = class == ResourceClass::Uav;
        Ok(Resource {
            element: self.element(kind),
            size: if sized { self.extended } else { 0 },
            sample_count: if kind.is_multisampled() { self.extended >> 16 & 0xff } else { 0 },
            rasterizer_ordered: is_uav && self.bit(13),
            globally_coherent: is_uav && self.bit(14),
            has_counter: is_uav && self.bit(15),
            comparison_sampler: class == ResourceClass::Sampler && self.bit(15),
            reorder_coherent: is_uav && self.bit(16),
            ..Resource::from_heap(heap, class, kind)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_of_a_tbuffer_is_no_component_type() {
        let mut buffer = Resource::from_heap(Heap::Resources, ResourceClass::Srv, ResourceKind::TBuffer);
        buffer.element = Some(ComponentType::U32);
        for size in 1..=32 {
            let properties = Properties { basic: ResourceKind::TBuffer as u32, extended: size };
            assert_eq!(properties.check(&buffer, Place::Input), Ok(()), "size {size}");
        }
        let typed = Properties { basic: ResourceKind::TypedBuffer as u32, extended: 4 };
        buffer.kind = ResourceKind::TypedBuffer;
        assert!(typed.check(&buffer, Place::Input).unwrap_err().message().contains("made of i32"));
    }
}
