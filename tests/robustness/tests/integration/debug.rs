//! Debug information that is large, or refers to the same thing many times, and PDB files that no
//! compiler writes.

use dxil_base::entity::Entity;
use dxil_base::error::ErrorKind;
use dxil_base::limits::{Budget, Fuel};
use dxil_bitcode::{DebugCode, Metadata, MetadataId, MetadataOperand, Module, NamedMetadata};
use dxil_robustness::handed::{Handed, Kind};
use dxil_robustness::memory;
use dxil_robustness::ratio::{grows, timed};
use dxil_test_support::Random;
use dxil_translator::decode::decode;
use dxil_translator::ir::debug::DebugInfo;

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

/// A module with a function of the source for each of these names of files.
fn functions(files: impl IntoIterator<Item = String>) -> Module {
    let mut module = Module::default();
    for file in files {
        let name = string(&mut module, &file);
        let file = node(&mut module, DebugCode::FILE, [0, reference(name), 0]);
        let mut operands = [0; 19];
        (operands[2], operands[4], operands[5]) = (reference(name), reference(file), 1);
        node(&mut module, DebugCode::SUBPROGRAM, operands);
    }
    module
}

fn decoded(module: &Module) -> Box<DebugInfo> {
    let decoded = decode(module, &Fuel::new(Budget::default(), 0)).unwrap_or_else(|error| panic!("{error}"));
    decoded.module.debug.expect("debug information")
}

#[test]
fn each_function_in_a_file_of_its_own() {
    grows("files of debug information", 4_000, |count| {
        let module = functions((0..count).map(|n| format!("folder/file{n}.hlsl")));
        let (debug, time) = timed(|| decoded(&module));
        assert_eq!((debug.files.len(), debug.scopes.len()), (count, count));
        time
    });
}

/// Names of files that differ in what the compiler writes in several ways are those of one file.
#[test]
fn a_file_is_one_by_its_plain_name() {
    let names = ["folder/file0.hlsl", "./folder\\file0.hlsl", "other.hlsl"];
    let debug = decoded(&functions(names.map(str::to_owned)));
    let files: Vec<_> = debug.scopes.values().map(|scope| scope.file.index()).collect();
    assert_eq!((files, debug.files.len()), (vec![0, 0, 1], 2));
}

/// One node stands many times in a list, and each time all of its strings count.
#[test]
fn a_node_in_a_list_many_times_is_charged() {
    let mut module = functions(["file.hlsl".to_owned()]);
    let text = string(&mut module, "text");
    let operands = module.metadata_operands.extend((0..20_000).map(|_| MetadataOperand::Id(text)));
    let list = module.metadata.push(Metadata::Node { distinct: false, operands });
    let name = module.strings.extend(*b"dx.source.contents");
    let nodes = module.named_nodes.extend([list; 20_000]);
    module.named_metadata.push(NamedMetadata { name, nodes });
    let fuel = Fuel::new(Budget::default(), 0);
    let (result, peak) = memory::peak(|| decode(&module, &fuel).map(|_| ()));
    assert_eq!(result.unwrap_err().kind(), ErrorKind::Limit);
    assert!(peak < 512 << 20, "{peak} bytes");
}

/// Sizes, numbers of blocks and contents of PDB files are changed. Each is refused by kind or
/// ignored, and none changes the code or takes more than the file is large.
#[test]
fn changed_pdbs() {
    let (handed, mut taken, mut refused) = (Handed::new(), 0, 0);
    for case in 0..3_000 {
        let input = handed.make(Kind::Pdb, &mut Random::from_case(37, case));
        let ((answer, time), peak) = memory::peak(|| timed(|| handed.check(Kind::Pdb, &input)));
        assert_eq!(answer.fault, None, "case {case}");
        assert!(peak < 64 << 20 && time.as_secs() < 2, "case {case}: {peak} bytes, {time:?}");
        match answer.refused {
            Some(_) => refused += 1,
            None => taken += 1,
        }
    }
    assert!(taken > 300 && refused > 300, "{taken} are taken, {refused} are refused");
}
