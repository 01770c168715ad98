//! Tests of reading nodes of debug information.

use super::*;
use dxil_base::limits::Budget;
use dxil_bitcode::{Metadata, Module};

/// The number by which records refer to a node.
fn reference(id: MetadataId) -> u64 {
    id.index() as u64 + 1
}

fn string(module: &mut Module, text: &str) -> MetadataId {
    let text = module.strings.extend(text.bytes());
    module.metadata.push(Metadata::String(text))
}

fn node<const N: usize>(module: &mut Module, code: DebugCode, operands: [u64; N]) -> MetadataId {
    let operands = module.debug_operands.extend(operands);
    module.metadata.push(Metadata::Debug { code, operands })
}

/// Names of files that differ in what the compiler writes in several ways are those of one file.
#[test]
fn a_file_is_one_by_its_plain_name() {
    let mut module = Module::default();
    for name in ["folder/file0.hlsl", "./folder\\file0.hlsl", "other.hlsl"] {
        let name = string(&mut module, name);
        node(&mut module, DebugCode::FILE, [0, reference(name), 0]);
    }
    let fuel = Fuel::new(Budget::default(), 0);
    let mut reader = DebugReader::new(&module, &fuel).unwrap().unwrap();
    let files = module.metadata.iter().filter(|(_, m)| matches!(m, Metadata::Debug { code: DebugCode::FILE, .. }));
    let found: Vec<_> = files.map(|(id, _)| reader.file(Some(id)).unwrap().unwrap().index()).collect();
    assert_eq!(found, [0, 0, 1]);
}
