//! Where a resource lives.

use dxil_translator::{CounterPlace, Descriptor, HeapAddresses, HeapDescriptors, Location, Root};

use crate::border::{Failure, code, given};
use crate::error::Result;
use crate::plan::Plan;
use crate::shader;
use crate::structures::{fill, structures};

/// The kind of a place (docs/bindings.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum PlaceKind {
    /// The entry point declares the resource and does not use it.
    Unused = 0,
    /// A descriptor, or an array of them: `set`, `binding`, `descriptor_type`, `descriptor_count`,
    /// `first_descriptor`.
    Descriptor = 1,
    /// A descriptor heap: as DESCRIPTOR. With a table, `root` has the index of its first
    /// descriptor.
    Heap = 2,
    /// A buffer with the 64-bit addresses of the acceleration structures of a heap: as HEAP.
    HeapAddresses = 3,
    /// Root constants in the push constants: `offset`, `size`.
    PushConstants = 4,
    /// Root constants in a uniform block: as DESCRIPTOR, and `offset`, `size`.
    UniformBlock = 5,
    /// Root constants in a buffer whose 64-bit address is in `root`: `offset`, `size` in the
    /// buffer.
    AddressedBlock = 6,
    /// A buffer or acceleration structure whose 64-bit address is in `root`.
    Address = 7,
    /// Root constants in the shader record: `offset`, `size`.
    ShaderRecord = 8,
}

/// Where the address or index is that leads to a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub enum RootKind {
    /// There is none.
    None = 0,
    /// In the push constants, at byte `root_offset`.
    PushConstants = 1,
    /// In the shader record, at byte `root_offset` after the shader group handle.
    ShaderRecord = 2,
    /// In the uniform block at `set` and `binding`, at byte `root_offset`.
    UniformBlock = 3,
}

/// Where a resource lives. Members that the kind does not name are zero.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Place {
    /// sizeof(DxtrPlace), which the program sets.
    pub structure_size: usize,
    /// A value of DxtrPlaceKind.
    pub kind: u32,
    /// The descriptor set.
    pub set: u32,
    /// The binding.
    pub binding: u32,
    /// VkDescriptorType.
    pub descriptor_type: i32,
    /// Number of descriptors of the binding that the shader declares; 1 is no array.
    pub descriptor_count: u32,
    /// The element of the binding that has the resource's first register.
    pub first_descriptor: u32,
    /// First byte.
    pub offset: u32,
    /// Size in bytes.
    pub size: u32,
    /// A value of DxtrRootKind.
    pub root: u32,
    /// First byte of the address or index.
    pub root_offset: u32,
    /// Whether the resource is a UAV with a hidden counter that has a place, 0 or 1.
    pub has_counter: u32,
    /// The descriptor set of the counter.
    pub counter_set: u32,
    /// The binding of the counter.
    pub counter_binding: u32,
}

structures! {
    Place;
}

impl Place {
    const UNUSED: Self = Self {
        structure_size: 0,
        kind: PlaceKind::Unused as u32,
        set: 0,
        binding: 0,
        descriptor_type: 0,
        descriptor_count: 0,
        first_descriptor: 0,
        offset: 0,
        size: 0,
        root: RootKind::None as u32,
        root_offset: 0,
        has_counter: 0,
        counter_set: 0,
        counter_binding: 0,
    };

    fn of_kind(kind: PlaceKind) -> Self {
        Self { kind: kind as u32, ..Self::UNUSED }
    }

    fn at(self, descriptor: &Descriptor) -> Self {
        Self {
            set: descriptor.set,
            binding: descriptor.binding,
            descriptor_type: descriptor.ty as i32,
            descriptor_count: descriptor.count,
            first_descriptor: descriptor.first,
            ..self
        }
    }

    fn behind(self, root: Option<Root>) -> Self {
        let (place, kind, root_offset) = match root {
            Some(Root::Push(offset)) => (self, RootKind::PushConstants, offset),
            Some(Root::Record(offset)) => (self, RootKind::ShaderRecord, offset),
            Some(Root::Inline { block, offset }) => (self.at(&block), RootKind::UniformBlock, offset),
            _ => (self, RootKind::None, 0),
        };
        Self { root: kind as u32, root_offset, ..place }
    }

    fn new(location: &Location) -> std::result::Result<Self, Failure> {
        Ok(match *location {
            Location::Unused => Self::UNUSED,
            Location::Descriptor(descriptor) => Self::of_kind(PlaceKind::Descriptor).at(&descriptor),
            Location::Heap(HeapDescriptors { descriptor, table, .. }) => {
                Self::of_kind(PlaceKind::Heap).behind(table).at(&descriptor)
            }
            Location::HeapAddresses(HeapAddresses { addresses, table, .. }) => {
                let place = Self::of_kind(PlaceKind::HeapAddresses).behind(table).at(&addresses.buffer);
                Self { first_descriptor: addresses.first, ..place }
            }
            Location::Push { offset, size } => Self { offset, size, ..Self::of_kind(PlaceKind::PushConstants) },
            Location::Inline { block, offset, size } => {
                Self { offset, size, ..Self::of_kind(PlaceKind::UniformBlock).at(&block) }
            }
            Location::InlineAddress { address, offset, size } => {
                Self { offset, size, ..Self::of_kind(PlaceKind::AddressedBlock).behind(Some(address)) }
            }
            Location::Address(root) => Self::of_kind(PlaceKind::Address).behind(Some(root)),
            Location::Record { offset, size } => Self { offset, size, ..Self::of_kind(PlaceKind::ShaderRecord) },
            _ => return Err(Failure::argument("this version of the interface has no name for the resource's place")),
        })
    }
}

/// Fills `*place` with the place of a resource: of an index of dxtr_shader_resource, in a stage by
/// its index in DxtrPlanInfo. A view of a descriptor heap has a place of the kind HEAP for its
/// type. Codes: INVALID_ARGUMENT.
#[unsafe(no_mangle)]
pub extern "C" fn dxtr_plan_place(plan: Option<&Plan>, stage: u32, resource: u32, place: *mut Place) -> Result {
    code(|| {
        let stage = given(plan, "the plan")?.stage(stage)?;
        let entry = given(stage.shader.entry(stage.entry), "the entry point")?;
        let (id, found) = shader::resource(&stage.shader, entry, resource)?;
        let (location, counter) = match stage.plan.resources.get(id) {
            Some(planned) => (planned.location, planned.counter),
            None => (stage.plan.view(found).unwrap_or(Location::Unused), None),
        };
        let mut described = Place::new(&location)?;
        if let Some(counter) = counter.as_ref().map(CounterPlace::descriptor) {
            described.has_counter = 1;
            (described.counter_set, described.counter_binding) = (counter.set, counter.binding);
        }
        fill(place, described)
    })
}
