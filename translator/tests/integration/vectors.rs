//! Operations on components that become operations on vectors: how many words the programs of
//! `tests/content` take beside DXC's SPIR-V of the same sources, and what products with matrices
//! and tables of vectors are. That the results are right is what the fixtures and the content show
//! on drivers.

use std::collections::HashMap;

use dxil_spirv_builder::disassemble;
use dxil_test_support::spirv::{count, instructions};
use dxil_test_support::{containers, read, repository};
use dxil_translator::{
    BindingOptions, DeviceProfile, EntryId, Model, Options, PipelineStage, PlanInputs, Shader, plan, translate,
};
use rspirv::spirv::{Op, StorageClass};

/// The words of a container, as lavapipe gets them.
fn words(container: &[u8]) -> Vec<u32> {
    let shader = Shader::parse(container).unwrap();
    let profile = DeviceProfile::named("lavapipe").unwrap();
    let shifts = "b=0,t=100,u=200,s=300,c=1000".parse().unwrap();
    let inputs = PlanInputs::new(&profile).with_options(BindingOptions::new(Model::Register, shifts));
    let plan = plan(&[PipelineStage::new(&shader, EntryId::FIRST)], &inputs).unwrap();
    let mut options = Options::new(profile);
    options.pipeline.samples = 1;
    translate(&shader, EntryId::FIRST, &plan.stages[0], &options).unwrap().words
}

#[test]
fn content_takes_few_more_words_than_those_of_dxc() {
    let (mut own, mut theirs, mut shaders) = (0, 0, 0);
    for path in containers(repository().join("tests/content")) {
        let spirv = path.with_extension("spv");
        if spirv.exists() {
            own += words(&read(&path)).len();
            theirs += read(&spirv).len() / 4;
            shaders += 1;
        }
    }
    assert!(shaders > 150, "{shaders} shaders have SPIR-V of DXC");
    assert!(own * 100 <= theirs * 108, "{own} words, where DXC has {theirs}");
}

#[test]
fn a_product_with_a_matrix_is_made_of_vectors() {
    let module = read(repository().join("tests/content/ssao/ssao.prepass.vs.dxil"));
    let text = disassemble(&words(&module)).unwrap();
    let scaled = count(&text, "OpVectorTimesScalar");
    assert!(scaled >= 8, "{scaled} vectors are scaled:\n{text}");
}

/// The components and the length of each array in private memory.
fn private_arrays(words: &[u32]) -> Vec<(u32, u32)> {
    let (mut vectors, mut numbers, mut arrays) = (HashMap::new(), HashMap::new(), HashMap::new());
    let (mut pointers, mut found) = (HashMap::new(), Vec::new());
    for (op, operands) in instructions(words) {
        match (Op::from_u32(op), operands) {
            (Some(Op::TypeVector), &[id, _, count]) => _ = vectors.insert(id, count),
            (Some(Op::Constant), &[_, id, number]) => _ = numbers.insert(id, number),
            (Some(Op::TypeArray), &[id, element, length]) => _ = arrays.insert(id, (element, length)),
            (Some(Op::TypePointer), &[id, class, pointee]) if class == StorageClass::Private as u32 => {
                pointers.insert(id, pointee);
            }
            (Some(Op::Variable), &[ty, ..]) => {
                let Some((element, length)) = pointers.get(&ty).and_then(|pointee| arrays.get(pointee)) else {
                    continue;
                };
                found.push((vectors.get(element).copied().unwrap_or(1), numbers[length]));
            }
            _ => {}
        }
    }
    found.sort_unstable();
    found
}

/// The fixture has rows of four components, pairs, numbers, and vectors of which it computes the
/// component.
#[test]
fn long_tables_of_vectors_are_declared_as_such() {
    let module = read(repository().join("tests/fixtures/memory/vector_tables.dxil"));
    assert_eq!(private_arrays(&words(&module)), [(1, 64), (1, 64), (2, 64), (4, 32)]);
}
