//! The interface of a finished module: its inputs and outputs.

use std::collections::BTreeMap;

use rspirv::spirv::{BuiltIn, Decoration, Op};

/// An input or output of a module.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct InterfaceVariable {
    /// Whether it is an output.
    pub is_output: bool,
    /// Its location; `None` for a built-in variable.
    pub location: Option<u32>,
    /// Its first component at the location.
    pub component: u32,
    /// Whether it is the second source of blending.
    pub is_second_source: bool,
    /// Its name, or that of the built-in variable in SPIR-V.
    pub name: String,
}

/// What a module states of one variable.
#[derive(Default)]
struct Stated {
    name: String,
    location: Option<u32>,
    component: u32,
    index: u32,
    builtin: Option<u32>,
}

/// The inputs and outputs of a module that have locations or are built-in variables: inputs first,
/// then in the order of built-in variables and of locations.
pub fn interface(words: &[u32]) -> Vec<InterfaceVariable> {
    let mut variables: BTreeMap<u32, Stated> = BTreeMap::new();
    let mut found: Vec<(u32, bool)> = Vec::new();
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
                1 => found.push((operand(2), false)),
                3 => found.push((operand(2), true)),
                _ => {}
            }
        }
    }
    let mut sorted = Vec::new();
    for (id, is_output) in found {
        let Some(Stated { name, location, component, index, builtin }) = variables.remove(&id) else { continue };
        let variable = InterfaceVariable { is_output, location, component, is_second_source: index != 0, name };
        if location.is_some() {
            sorted.push((component, variable));
        } else if let Some(builtin) = builtin.and_then(BuiltIn::from_u32) {
            let (component, name) = (0, format!("{builtin:?}"));
            sorted.push((builtin as u32, InterfaceVariable { component, name, ..variable }));
        }
    }
    sorted.sort_by(|(a, left), (b, right)| {
        (left.is_output, left.location, a, &left.name).cmp(&(right.is_output, right.location, b, &right.name))
    });
    sorted.into_iter().map(|(_, variable)| variable).collect()
}
