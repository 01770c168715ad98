//! What the program answers, as lines that it reads.
//!
//! In: a plan of the translator, or places one by one. Out: the text of a script. What must hold: a
//! place that the interface does not have is refused, so that a script says all that a plan says.

use std::fmt::Write as _;

use dxil_translator::binding::layout::accepted;
use dxil_translator::binding::root_signature::{RootParameterKind, RootSignature};
use dxil_translator::ir::resources::{Resource, UNBOUNDED};
use dxil_translator::ops::consts::{ResourceClass, ResourceKind};
use dxil_translator::{
    BindingPlan, CounterPlace, Descriptor, DescriptorType, Driver, HeapDescriptors, Location, MeshOutput, PairPlace,
    Root, StreamOutput,
};

/// «None» among the numbers of the interface.
pub const NONE: u32 = u32::MAX;

/// The lines of a script.
#[derive(Clone, Debug, Default)]
pub struct Script {
    text: String,
    /// Set and binding of the starts and sizes of views of heaps.
    ranges: Option<[u32; 2]>,
    /// Set and binding of the addresses of acceleration structures of heaps.
    structures: Option<[u32; 2]>,
    /// Whether constant buffers of heaps are storage buffers by an option, and not by their places.
    constants_as_storage: bool,
    /// What arrays of samplers are.
    samplers: Samplers,
}

/// What an array of samplers is that is not in a heap of the plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Samplers {
    /// Descriptors, which are in a heap.
    #[default]
    Described,
    /// Static samplers, of which the program has the first one.
    First,
    /// Static samplers in one binding.
    OneBinding,
    /// Static samplers, each in a binding of its own, which follow each other.
    Each,
}

/// A place as numbers: set, binding, word or number of a root argument, heap offset, whether it is
/// in a heap, descriptor type.
pub type PlaceNumbers = [u32; 6];

/// A place that is not there.
pub const NOWHERE: PlaceNumbers = [0, 0, NONE, 0, 0, 0];

/// The number of a descriptor type, or of the type that the resource has by itself.
fn type_number(resource: &Resource, ty: DescriptorType) -> Result<u32, String> {
    use DescriptorType as D;
    match ty {
        D::StorageTexelBuffer | D::StorageImage if resource.class == ResourceClass::Srv => {
            Err(format!("the interface has no SRV in a {ty}"))
        }
        D::Sampler | D::SampledImage | D::StorageImage | D::AccelerationStructure => Ok(0),
        D::StorageBuffer | D::StorageBufferDynamic => Ok(1),
        D::UniformTexelBuffer | D::StorageTexelBuffer => Ok(2),
        D::UniformBuffer | D::UniformBufferDynamic | D::InlineUniformBlock => Ok(4),
        ty => Err(format!("the interface has no {ty}")),
    }
}

impl Script {
    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Adds a word with numbers.
    pub fn line(&mut self, word: &str, numbers: &[u32]) {
        self.text += word;
        for number in numbers {
            let _ = write!(self.text, " {number}");
        }
        self.text.push('\n');
    }

    /// Adds an option with members of four bytes each, or of one.
    pub fn option(&mut self, number: u32, members: &[Member]) {
        let mut bytes = number.to_le_bytes().to_vec();
        for member in members {
            match member {
                Member::Bool(on) => bytes.push((*on).into()),
                Member::Number(number) => {
                    bytes.resize(bytes.len().next_multiple_of(4), 0);
                    bytes.extend(number.to_le_bytes());
                }
            }
        }
        self.line("option", &bytes.into_iter().map(u32::from).collect::<Vec<_>>());
    }

    /// Adds the options that such a program sets on lavapipe. The size of a descriptor is a power
    /// of two.
    pub fn options(&mut self, samples: u32, descriptor_size: u32) {
        use Member::{Bool, Number};
        // Features that lavapipe has: demotion, reads without a format, dot products, culling of
        // primitives, scalar layout, quads of compute shaders.
        for feature in [1, 7, 10, 17, 18, 51] {
            self.option(feature, &[Bool(true)]);
        }
        self.option(20, &[Bool(true), Bool(true)]);
        self.option(4, &[Number(samples), Bool(false)]);
        self.option(8, &[Number(descriptor_size), Number(descriptor_size)]);
        self.option(9, &[Number(1)]);
        self.option(13, &[Number(0), Number(1), Number(2)]);
        self.option(19, &[Bool(true)]);
        self.option(26, &[Bool(true), Bool(true)]);
        self.option(30, &[Bool(true), Bool(true)]);
        self.option(34, &[Number(8), Number(8)]);
        self.option(39, &[Number(Driver::LLVMPIPE), Number(0)]);
        self.option(40, &[Bool(false), Bool(true)]);
        self.option(46, &[Bool(false), Bool(false)]);
    }

    /// Turns over the options for which there is another form: without demotion, reads without a
    /// format, dot products, scalar layout, groups of derivatives, preserved denormals, invariant
    /// positions and precise arithmetic where the shader does not ask for it.
    pub fn turn_options(&mut self) {
        use Member::Bool;
        for feature in [1, 10, 17, 18, 19, 51] {
            self.option(feature, &[Bool(false)]);
        }
        for features in [20, 26, 40] {
            self.option(features, &[Bool(false), Bool(false)]);
        }
        self.option(30, &[Bool(false), Bool(true)]);
    }

    /// Says where the starts and sizes of all buffer views of heaps are. An entry of that buffer
    /// has space for three pairs, of which the second is for typed buffers and the third for
    /// others.
    pub fn ranges(&mut self, place: Option<[u32; 2]>) {
        self.ranges = place;
        if place.is_some() {
            self.option(9, &[Member::Number(64)]);
            self.option(12, &[Member::Bool(true)]);
            self.option(13, &[Member::Number(2), Member::Number(1), Member::Number(3)]);
        }
    }

    /// Says what arrays of samplers are.
    pub fn samplers(&mut self, samplers: Samplers) {
        self.samplers = samplers;
    }

    /// Says that constant buffers of heaps are storage buffers.
    pub fn constants_as_storage(&mut self) {
        self.constants_as_storage = true;
        self.option(6, &[Member::Bool(true)]);
    }

    /// Says where the addresses of acceleration structures of heaps are.
    pub fn structures(&mut self, place: Option<[u32; 2]>) {
        self.structures = place;
    }

    /// Chooses an entry point.
    pub fn entry(&mut self, name: &str) {
        self.text += &format!("entry {name}\n");
    }

    /// Gives an output of a mesh shader to a pixel shader.
    pub fn link(&mut self, output: &MeshOutput) {
        let Some((location, component)) = output.location else { return };
        let numbers = [output.index, location, component, output.per_primitive.into()];
        self.line(&format!("link {}", output.semantic), &numbers);
    }

    /// Writes an output to a buffer.
    pub fn stream(&mut self, output: &StreamOutput, semantic: &str) {
        let numbers = [output.index, output.offset, output.stride, output.buffer];
        self.line(&format!("stream {semantic}"), &numbers);
    }

    /// Adds the answer for a resource. `most` is the largest array that has a place.
    pub fn answer(&mut self, resource: &Resource, most: u32, push: bool, places: [PlaceNumbers; 3]) {
        let declared = |number| if resource.is_declared() { number } else { NONE };
        let head = [
            resource.class as u32,
            resource.kind as u32,
            declared(resource.space),
            declared(resource.lower_bound),
            most,
            push.into(),
        ];
        self.line("answer", &[&head[..], &places.concat()].concat());
    }

    /// Adds the answer that means a planned place.
    ///
    /// # Errors
    /// The kind of the place, if the interface does not have it.
    pub fn planned(
        &mut self,
        resource: &Resource,
        location: &Location,
        counter: Option<&CounterPlace>,
    ) -> Result<(), String> {
        let place = match *location {
            Location::Descriptor(descriptor) => self.descriptor(resource, descriptor)?,
            Location::Heap(heap) => Self::heap(resource, heap)?,
            Location::Push { offset, .. } => {
                self.answer(resource, NONE, true, [[offset / 4, 0, 0, 0, 0, 0], NOWHERE, NOWHERE]);
                return Ok(());
            }
            Location::Address(Root::Push(offset)) => [0, 0, offset / 8, 0, 0, 3],
            // The local root signature has them.
            Location::Record { .. } | Location::Address(Root::Record(_)) | Location::Unused => return Ok(()),
            _ => return Err(format!("the interface does not have {}", location.kind())),
        };
        let counter = match counter {
            None => NOWHERE,
            Some(CounterPlace::Descriptor(descriptor)) if place[4] != 0 => {
                let ty = type_number(resource, descriptor.ty)?;
                if ty != 2 {
                    return Err("the interface has no storage buffers of counters in a heap".to_owned());
                }
                [descriptor.set, descriptor.binding, place[2], descriptor.first, 1, ty]
            }
            Some(CounterPlace::Descriptor(descriptor)) => self.descriptor(resource, *descriptor)?,
            Some(CounterPlace::Addresses(PairPlace { buffer, first, .. })) => {
                [buffer.set, buffer.binding, place[2], *first, 1, 1]
            }
            Some(_) => return Err("the interface has no such counter".to_owned()),
        };
        let is_structure = resource.kind == ResourceKind::RtAccelerationStructure;
        let place = match self.structures.filter(|_| is_structure && place[4] != 0) {
            Some([set, binding]) => [set, binding, place[2], place[3], 1, 1],
            None if self.constants_as_storage && resource.class == ResourceClass::CBuffer && place[4] != 0 => {
                [place[0], place[1], place[2], place[3], 1, 0]
            }
            None => place,
        };
        let ranges = self.ranges.map_or(NOWHERE, |[set, binding]| [set, binding, NONE, 0, 1, 1]);
        self.answer(resource, NONE, false, [place, counter, ranges]);
        if resource.class == ResourceClass::Sampler && resource.is_array() && place[4] == 0 {
            let one = |number: u32| Resource { lower_bound: resource.lower_bound + number, ..resource.clone() };
            match self.samplers {
                Samplers::OneBinding => self.answer(&one(resource.count - 1), 1, false, [place, NOWHERE, NOWHERE]),
                Samplers::Each => {
                    for number in 1..resource.count {
                        let place = [place[0], place[1] + number, place[2], place[3], place[4], place[5]];
                        self.answer(&one(number), 1, false, [place, NOWHERE, NOWHERE]);
                    }
                }
                Samplers::Described | Samplers::First => {}
            }
        }
        Ok(())
    }

    fn descriptor(
        &self,
        resource: &Resource,
        Descriptor { set, binding, ty, first, count, .. }: Descriptor,
    ) -> Result<PlaceNumbers, String> {
        // A sampler that is not in a heap is one register.
        let is_table = resource.class == ResourceClass::Sampler && count != 1 && self.samplers == Samplers::Described;
        let is_heap = is_table || self.ranges.is_some() && count == UNBOUNDED;
        match first {
            0 if !is_heap => Ok([set, binding, NONE, 0, 0, type_number(resource, ty)?]),
            // A part of an array is a part of a heap that is not indexed by a table.
            first => Ok([set, binding, NONE, first, 1, type_number(resource, ty)?]),
        }
    }

    fn heap(
        resource: &Resource,
        HeapDescriptors { descriptor, table, .. }: HeapDescriptors,
    ) -> Result<PlaceNumbers, String> {
        let Descriptor { set, binding, ty, first, .. } = descriptor;
        Ok(match table {
            Some(Root::Push(offset)) => [set, binding, offset / 4, first, 1, type_number(resource, ty)?],
            Some(Root::Inline { .. }) => return Err("the interface has all root arguments in one place".to_owned()),
            // The offset is that of the range in the local root signature.
            _ => [set, binding, NONE, first, 1, type_number(resource, ty)?],
        })
    }

    /// Adds the answers for all resources of a plan. The root block has words alone: the number of
    /// an address is its byte divided by eight.
    ///
    /// # Errors
    /// Those of [`planned`](Self::planned).
    pub fn plan<'a>(
        &mut self,
        resources: impl Iterator<Item = &'a Resource>,
        plan: &BindingPlan,
    ) -> Result<(), String> {
        let inline = plan.resources.values().filter_map(|planned| match planned.location {
            Location::Inline { offset, size, .. } => Some(offset + size),
            _ => None,
        });
        self.line("roots", &[0, inline.chain([plan.push_constant_size]).max().unwrap_or_default() / 4]);
        let mut planned = plan.resources.values();
        for resource in resources {
            if !resource.is_declared() {
                let of_type =
                    |&ty: &DescriptorType| plan.heaps.descriptors.iter().copied().find(|place| place.ty == ty);
                let Some(descriptor) = accepted(resource).iter().find_map(of_type) else { continue };
                let heap = Location::Heap(HeapDescriptors::new(descriptor, None));
                self.planned(resource, &heap, plan.heaps.counters.as_ref().filter(|_| resource.has_counter))?;
                continue;
            }
            let Some(of_resource) = planned.next() else { break };
            if of_resource.range.is_some() {
                return Err("the interface has no views that are parts of descriptors outside of heaps".to_owned());
            }
            if let Location::Inline { block, .. } = of_resource.location {
                let numbers = [Member::Number(block.set), Member::Number(block.binding), Member::Bool(true)];
                self.option(5, &numbers);
            }
            match of_resource.location {
                Location::Inline { offset, .. } => {
                    self.answer(resource, NONE, true, [[offset / 4, 0, 0, 0, 0, 0], NOWHERE, NOWHERE]);
                }
                location => self.planned(resource, &location, of_resource.counter.as_ref())?,
            }
        }
        Ok(())
    }

    /// Adds a local root signature.
    pub fn local(&mut self, signature: &RootSignature) {
        for parameter in &signature.parameters {
            match &parameter.kind {
                RootParameterKind::Constants { space, register, count, .. } => {
                    self.line("constants", &[*space, *register, *count]);
                }
                RootParameterKind::Descriptor { class, space, register, .. } => {
                    self.line("descriptor", &[*class as u32, *space, *register]);
                }
                RootParameterKind::Table(ranges) => {
                    self.line("begin", &[]);
                    for range in ranges {
                        let numbers = [range.class as u32, range.space, range.register, range.count, range.offset];
                        self.line("range", &numbers);
                    }
                    self.line("end", &[]);
                }
            }
        }
    }
}

/// A member of an option.
#[derive(Clone, Copy, Debug)]
pub enum Member {
    /// One byte.
    Bool(bool),
    /// Four bytes.
    Number(u32),
}
