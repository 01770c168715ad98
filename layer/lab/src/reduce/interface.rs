//! What a stage requires of its pipeline.
//!
//! In: the SPIR-V of a pipeline's stages, and its state. Out: what is asked for and not there. What
//! must hold: a smaller pipeline lacks nothing that the larger one did not lack, so that its fault
//! is the driver's and not that of an invalid pipeline.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use dxil_capture::model::{Pipeline, Target};
use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, Op, StorageClass};

use super::code::{Code, Id, InstNode};
use super::error::Unreadable;

/// `VkShaderStageFlagBits`, in the order in which the stages follow on one another.
pub const VERTEX: u32 = 0x1;
/// Tessellation control.
pub const CONTROL: u32 = 0x2;
/// Tessellation evaluation.
pub const EVALUATION: u32 = 0x4;
/// Geometry.
pub const GEOMETRY: u32 = 0x8;
/// Fragment.
pub const FRAGMENT: u32 = 0x10;
/// Mesh.
pub const MESH: u32 = 0x80;
const CHAIN: [u32; 6] = [MESH, VERTEX, CONTROL, EVALUATION, GEOMETRY, FRAGMENT];

/// A location and a component.
type LocationComponent = (u32, u32);

/// The interface of a stage to its pipeline.
#[derive(Clone, Default, Debug)]
pub struct StageInterface {
    /// The names of the entry points.
    entries: BTreeSet<String>,
    /// Sets and bindings.
    resources: BTreeSet<(u32, u32)>,
    push_constants: bool,
    inputs: BTreeSet<LocationComponent>,
    outputs: BTreeSet<LocationComponent>,
    /// An input takes several locations, which this file does not count.
    wide_inputs: bool,
}

impl StageInterface {
    /// The interface of a module.
    ///
    /// # Errors
    /// The words are no module.
    pub fn read(words: &[u32]) -> Result<Self, Unreadable> {
        let code = Code::read(words)?;
        let mut decorations: HashMap<(Id, Decoration), u32> = HashMap::new();
        let mut members: BTreeMap<Id, Vec<LocationComponent>> = BTreeMap::new();
        let by_id: HashMap<Id, &InstNode> =
            code.nodes.iter().filter_map(|node| Some((node.inst.result_id?, node))).collect();
        let mut found = Self::default();
        for node in &code.nodes {
            match (node.op(), &node.inst.operands[..]) {
                (Op::Decorate, [Operand::IdRef(id), Operand::Decoration(what), Operand::LiteralBit32(value)]) => {
                    decorations.insert((*id, *what), *value);
                }
                (
                    Op::MemberDecorate,
                    [Operand::IdRef(id), _, Operand::Decoration(Decoration::Location), Operand::LiteralBit32(at)],
                ) => members.entry(*id).or_default().push((*at, 0)),
                (Op::EntryPoint, [_, _, Operand::LiteralString(name), ..]) => {
                    found.entries.insert(name.clone());
                }
                _ => {}
            }
        }
        for node in code.nodes.iter().filter(|node| node.op() == Op::Variable) {
            let (Some(id), Some(ty), Some(Operand::StorageClass(class))) =
                (node.inst.result_id, node.inst.result_type, node.inst.operands.first())
            else {
                continue;
            };
            let of = |what| decorations.get(&(id, what)).copied();
            if let (Some(set), Some(binding)) = (of(Decoration::DescriptorSet), of(Decoration::Binding)) {
                found.resources.insert((set, binding));
            }
            found.push_constants |= *class == StorageClass::PushConstant;
            // The type behind the pointer and behind arrays of it.
            let mut pointee = by_id.get(&ty).and_then(|pointer| pointer.id(1));
            let mut is_wide = false;
            while let Some(node) = pointee.and_then(|id| by_id.get(&id))
                && matches!(node.op(), Op::TypeArray | Op::TypeMatrix)
            {
                is_wide = true;
                pointee = node.id(0);
            }
            let own = of(Decoration::Location).map(|at| (at, of(Decoration::Component).unwrap_or(0)));
            let inner = pointee.and_then(|id| members.get(&id)).into_iter().flatten().copied();
            let places = own.into_iter().chain(inner);
            match class {
                StorageClass::Input => {
                    found.wide_inputs |= is_wide && own.is_some();
                    found.inputs.extend(places);
                }
                StorageClass::Output => found.outputs.extend(places),
                _ => {}
            }
        }
        Ok(found)
    }
}

/// What the stages require and the pipeline lacks, as text.
pub fn lacks(pipeline: &Pipeline, stages: &[StageInterface]) -> BTreeSet<String> {
    let mut lacks = BTreeSet::new();
    for (stage, interface) in pipeline.stages.iter().zip(stages) {
        if !interface.entries.contains(&stage.entry) {
            lacks.insert(format!("entry point {}", stage.entry));
        }
        if let Some(layout) = &pipeline.layout {
            for (set, binding) in &interface.resources {
                let bindings = layout.sets.get(*set as usize).and_then(Option::as_ref);
                if !bindings.is_some_and(|it| it.bindings.iter().any(|it| it.binding == *binding)) {
                    lacks.insert(format!("set {set}, binding {binding}"));
                }
            }
            let covers = layout.push_ranges.iter().any(|range| range.stages & stage.stage != 0);
            if interface.push_constants && !covers {
                lacks.insert("push constants".to_owned());
            }
        }
    }
    let Some(graphics) = &pipeline.graphics else { return lacks };
    let of = |stage: u32| pipeline.stages.iter().zip(stages).find(|(it, _)| it.stage == stage).map(|(_, it)| it);
    let mut before: Option<&StageInterface> = None;
    for stage in CHAIN {
        let Some(interface) = of(stage) else { continue };
        if let Some(before) = before {
            lacks.extend(interface.inputs.difference(&before.outputs).map(|at| format!("input {at:?} of {stage:#x}")));
        } else if let Some(input) = &graphics.vertex_input {
            let has = |location: u32| input.attributes.iter().any(|it| it.location == location);
            let missing = interface.inputs.iter().filter(|(location, _)| !has(*location));
            lacks.extend(missing.map(|(location, _)| format!("attribute {location}")));
            if interface.wide_inputs {
                lacks.insert(format!("all of {} attributes", input.attributes.len()));
            }
        }
        before = Some(interface);
    }
    if let (Some(Target::Rendering(rendering)), Some(fragment)) = (&graphics.target, of(FRAGMENT)) {
        let missing = fragment.outputs.iter().filter(|(location, _)| *location as usize >= rendering.colors.len());
        lacks.extend(missing.map(|(location, _)| format!("target {location}")));
    }
    lacks
}
