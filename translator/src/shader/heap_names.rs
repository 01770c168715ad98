//! Names of accesses to descriptor heaps: the variables of the source that they are stored to.
//!
//! In: a program with debug information and the texts of its files. Out: a name for the elements of
//! heaps that have one, in the debug information of functions. What must hold: the work is linear
//! in the code and the texts; a line that does not look like an assignment gives no name.
//!
//! The compiler describes no variable of a resource type, so the name is read from the line on
//! which the access is: `Texture2D<float4> albedo = ResourceDescriptorHeap[…]`.

use crate::analysis::handles::{self, Handle};
use crate::analysis::program::Program;
use crate::ir::debug::{DebugInfo, FileId, FunctionDebug, HeapAccess};
use crate::ir::resources::ResourceId;
use crate::ir::{Func, Inst, Value};

/// The most bytes of a name.
const NAME: usize = 64;

/// An access, and the place in the source where its name may be.
struct Access {
    file: FileId,
    line: u32,
    column: u32,
    func: Func,
    inst: Inst,
    resource: ResourceId,
    element: (Option<Value>, u32),
}

/// Finds the names.
pub fn find(program: &mut Program) {
    let Some(info) = program.module.debug.as_deref() else { return };
    let mut accesses: Vec<Access> = Vec::new();
    for (func, function) in program.module.functions.iter() {
        let Some(debug) = &function.debug else { continue };
        let of = |inst| access(program, info, debug, func, inst);
        accesses.extend(function.insts.keys().filter_map(of));
    }
    accesses.sort_by_key(|access| (access.file, access.line));
    let mut found = Vec::new();
    for accesses in accesses.chunk_by(|a, b| a.file == b.file) {
        let text = accesses.first().and_then(|access| info.files.get(access.file)?.text.as_deref());
        let mut lines = (1_u32..).zip(text.unwrap_or_default().lines());
        let mut here = lines.next();
        for access in accesses {
            while here.is_some_and(|(number, _)| number < access.line) {
                here = lines.next();
            }
            let Some((number, line)) = here else { break };
            if let Some(name) = variable(line, access.column).filter(|_| number == access.line) {
                let name: Box<str> = name.into();
                found.push((
                    access.func,
                    access.element,
                    HeapAccess { inst: access.inst, resource: access.resource, name },
                ));
            }
        }
    }
    for (func, element, access) in found {
        if let Some(debug) = &mut program.module.functions[func].debug {
            debug.heap_elements.entry(element).or_insert_with(|| access.name.clone());
            debug.heap_accesses.push(access);
        }
    }
}

/// An annotation of a handle from a heap.
fn access(program: &Program, info: &DebugInfo, debug: &FunctionDebug, func: Func, inst: Inst) -> Option<Access> {
    let function = &program.module.functions[func];
    let created = handles::annotated_element(function, inst)?;
    let location = info.locations.get(debug.insts[created]?)?;
    let file = info.scopes.get(location.scope)?.file;
    let &Handle { resource, element, .. } = program.handles.of(func).get(function.result(inst)?)?;
    let (line, column, element) = (location.line, location.column, (element.value, element.constant));
    Some(Access { file, line, column, func, inst: created, resource, element })
}

/// The variable that the expression at a column, counted from one, is stored to.
fn variable(line: &str, column: u32) -> Option<&str> {
    let before = line.get(..(column as usize).checked_sub(1)?)?.trim_end();
    let target = before.strip_suffix('=')?.trim_end();
    let rest = target.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
    target.get(rest.len()..).filter(|name| !name.is_empty() && name.len() <= NAME)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_before_an_assignment() {
        let at = |line: &str| variable(line, line.find("Resource").map_or(0, |at| at as u32 + 1)).map(str::to_owned);
        assert_eq!(at("    Texture2D<float4> albedo = ResourceDescriptorHeap[i];").as_deref(), Some("albedo"));
        assert_eq!(at("material.normals=ResourceDescriptorHeap[i];").as_deref(), Some("material.normals"));
        for line in [
            "return ResourceDescriptorHeap[i];",
            "if (a == Resource",
            "if (a <= Resource",
            "a[1] = Resource",
            "=Resource",
            "",
        ] {
            assert_eq!(at(line), None, "{line}");
        }
        assert_eq!(variable("ä = ResourceDescriptorHeap", 3), None);
        assert_eq!(variable("a = b", u32::MAX), None);
    }
}
