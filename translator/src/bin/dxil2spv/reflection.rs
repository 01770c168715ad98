//! What `dxil2spv resources` says of an entry point: its thread groups, its interface to Vulkan, and
//! the features that it needs.
//!
//! In: a shader and one of its entry points. Out: lines of text. What must hold: locations and features
//! are those of a translation, so that they are never another rule than the translator's own.

use std::collections::BTreeMap;

use dxil_translator::ir::declarations::StageProperties;
use dxil_translator::ir::resources::DescriptorOrigin;
use dxil_translator::{Entry, EntryId, Error, Requirements, Shader, requirements};
use rspirv::spirv::{BuiltIn, Decoration, Op};

/// The most that the translations of all entry points together may take, in instructions, resources and
/// signature elements. An entry point is translated up to twice for each feature, and a library has
/// thousands of entry points that may share one long function.
const MOST_EFFORT: usize = 1 << 24;

/// What one translation takes besides.
const LEAST_EFFORT: usize = 1 << 8;

/// What the translations of entry points may still take.
pub struct Effort(usize);

impl Default for Effort {
    fn default() -> Self {
        Self(MOST_EFFORT)
    }
}

impl Effort {
    /// Takes the effort of one translation, if it is left.
    fn take(&mut self, one: usize) -> Result<(), String> {
        let refused = || {
            format!(
                "the entry points of this listing take more than the limit of {MOST_EFFORT} instructions, with each \
                 counted once for each translation; translate this one alone"
            )
        };
        self.0 = self.0.checked_sub(one).ok_or_else(refused)?;
        Ok(())
    }
}

/// Why the features of an entry point are not known.
struct Refusal(String);

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self(error.to_string())
    }
}

/// What one translation of an entry point takes.
fn effort(shader: &Shader, entry: &Entry) -> usize {
    let functions = &shader.program().module.functions;
    let code = entry.reachable.functions.iter().map(|&func| functions[func].insts.len() + functions[func].blocks.len());
    let elements = [&entry.inputs, &entry.outputs, &entry.patch_constants].map(|side| side.elements.len());
    let rest = shader.program().resources.len() + elements.iter().sum::<usize>();
    code.fold(LEAST_EFFORT.saturating_add(rest), usize::saturating_add)
}

/// The lines about an entry point.
pub fn lines(shader: &Shader, id: EntryId, left: &mut Effort) -> Vec<String> {
    let Some(entry) = shader.entry(id) else { return Vec::new() };
    let mut lines = Vec::new();
    let one = effort(shader, entry);
    if let Err(error) = left.take(one) {
        return vec![format!("not translated: {error}")];
    }
    let is_node = matches!(entry.properties, StageProperties::Node(_));
    if let Some([x, y, z]) = entry.properties.num_threads().filter(|_| !is_node) {
        lines.push(format!("thread group: {x} x {y} x {z}"));
    }
    match entry.properties.wave_size() {
        Some([least, 0, _]) => lines.push(format!("wave size: {least} lanes")),
        Some([least, most, 0]) => lines.push(format!("wave size: {least} to {most} lanes")),
        Some([least, most, preferred]) => {
            lines.push(format!("wave size: {least} to {most} lanes, {preferred} preferred"));
        }
        None => {}
    }
    let mut heaps: Vec<String> = Vec::new();
    for (resource_id, resource) in shader.program().resources.iter() {
        if let DescriptorOrigin::Heap(heap) = resource.origin
            && entry.reachable.resources.contains(resource_id)
            && !heaps.contains(&heap.to_string())
        {
            heaps.push(heap.to_string());
        }
    }
    if !heaps.is_empty() {
        lines.push(format!("descriptor heaps: {}", heaps.join(", ")));
    }
    match requirements(shader, id, || left.take(one).map_err(Refusal)) {
        Ok(Requirements { words, features, .. }) => {
            lines.extend(interface(&words));
            let names: Vec<&str> = features.iter().map(|feature| feature.name()).collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            lines.push(format!("features that Vulkan 1.3 does not guarantee: {names}"));
        }
        Err(Refusal(error)) => lines.push(format!("not translated: {}", error.replace('\n', "; "))),
    }
    lines
}

/// What a module states of one variable.
#[derive(Default)]
struct SpirvVariable {
    name: String,
    location: Option<u32>,
    component: u32,
    index: u32,
    builtin: Option<u32>,
}

/// The inputs and outputs of a module that have locations or are built-in variables.
fn interface(words: &[u32]) -> Vec<String> {
    let mut variables: BTreeMap<u32, SpirvVariable> = BTreeMap::new();
    let mut found: Vec<(u32, &str)> = Vec::new();
    let mut rest = words.get(5..).unwrap_or_default();
    while let Some(&first) = rest.first() {
        let length = (first >> 16).max(1) as usize;
        let Some((instruction, after)) = rest.split_at_checked(length) else { break };
        rest = after;
        let operand = |at: usize| instruction.get(at).copied().unwrap_or(0);
        let is = |op: Op| first & 0xffff == op as u32;
        if is(Op::Name) {
            let bytes = instruction.get(2..).unwrap_or_default().iter().flat_map(|word| word.to_le_bytes());
            let bytes: Vec<u8> = bytes.take_while(|&byte| byte != 0).collect();
            variables.entry(operand(1)).or_default().name = String::from_utf8_lossy(&bytes).into_owned();
        } else if is(Op::Decorate) {
            let variable = variables.entry(operand(1)).or_default();
            match Decoration::from_u32(operand(2)) {
                Some(Decoration::Location) => variable.location = Some(operand(3)),
                Some(Decoration::Component) => variable.component = operand(3),
                Some(Decoration::Index) => variable.index = operand(3),
                Some(Decoration::BuiltIn) => variable.builtin = Some(operand(3)),
                _ => {}
            }
        } else if is(Op::Variable) {
            match operand(3) {
                1 => found.push((operand(2), "input")),
                3 => found.push((operand(2), "output")),
                _ => {}
            }
        }
    }
    let mut lines: Vec<(&str, Option<u32>, u32, String)> = Vec::new();
    for (id, side) in found {
        let Some(variable) = variables.get(&id) else { continue };
        let name = variable.name.escape_debug();
        if let Some(location) = variable.location {
            let component = match variable.component {
                0 => String::new(),
                component => format!(" component {component}"),
            };
            let index = if variable.index == 0 { "" } else { ", the second source of blending" };
            let text = format!("{side} {name}: location {location}{component}{index}");
            lines.push((side, Some(location), variable.component, text));
        } else if let Some(builtin) = variable.builtin.and_then(BuiltIn::from_u32) {
            lines.push((side, None, builtin as u32, format!("{side} {builtin:?}")));
        }
    }
    lines.sort();
    lines.into_iter().map(|(_, _, _, text)| text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An entry point is translated several times, and each time counts.
    #[test]
    fn the_effort_of_a_listing_ends() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures/buffer/raw_read_write.dxil");
        let shader = Shader::parse(&std::fs::read(path).unwrap()).unwrap();
        let (id, entry) = shader.entries().next().unwrap();
        let one = effort(&shader, entry);
        assert!(one > LEAST_EFFORT);
        let mut left = Effort::default();
        assert!(lines(&shader, id, &mut left).last().unwrap().starts_with("features that"));
        let taken = MOST_EFFORT - left.0;
        assert!(taken >= 2 * one && taken.is_multiple_of(one), "{taken}, {one}");
        for left in [one - 1, one, taken - 1] {
            let refused = lines(&shader, id, &mut Effort(left));
            let expected = "not translated: the entry points of this listing take more than the limit";
            assert!(refused.last().unwrap().starts_with(expected), "{refused:?}");
        }
    }
}
