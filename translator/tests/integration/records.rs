//! Resources in shader records: how the record is declared, and that everything reached through it
//! may differ between lanes.

use std::path::PathBuf;

use dxil_spirv_builder::disassemble;
use dxil_test_support::spirv::count;
use dxil_translator::{
    BindingPlan, DeviceProfile, EntryId, Error, ErrorKind, Feature, Options, PipelineStage, PlanInputs, RootSignature,
    Shader, lavapipe, plan, translate,
};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/shaders/records")
}

fn library() -> Shader {
    Shader::parse(&std::fs::read(folder().join("records.dxil")).unwrap()).unwrap()
}

/// The module of an entry point of the library, as text, and its plan. The global root signature
/// has u0.
fn translated(entry: &str, profile: &DeviceProfile) -> Result<(String, BindingPlan), Error> {
    let shader = library();
    let local = RootSignature::from_bytes(&std::fs::read(folder().join("records.rootsig")).unwrap(), None)?;
    let global = RootSignature::from_bytes(b"UAV(u0)", None)?;
    let stage = PipelineStage::new(&shader, shader.find_entry(Some(entry))?);
    let stage = stage.with_local_root_signature(Some(&local));
    let inputs = PlanInputs::new(profile).with_root_signature(Some(&global));
    let plan = plan(&[stage], &inputs)?.stages.remove(0);
    let words = translate(&shader, stage.entry, &plan, &Options::new(profile.clone()))?.words;
    Ok((disassemble(&words).unwrap(), plan))
}

/// The only result whose line ends with a text.
fn result<'a>(text: &'a str, end: &str) -> &'a str {
    let mut lines = text.lines().filter(|line| line.ends_with(end));
    let (Some(line), None) = (lines.next(), lines.next()) else { panic!("not one line ends with `{end}`: {text}") };
    line.split(' ').next().unwrap()
}

/// The byte offsets of the members of the shader record, and their types.
fn members(text: &str) -> (Vec<u32>, Vec<String>) {
    let variable = result(text, " ShaderRecordBufferKHR");
    let interface = text.lines().find(|line| line.starts_with("OpEntryPoint RayGenerationKHR")).unwrap();
    assert!(interface.split(' ').any(|id| id == variable), "{interface}");
    let pointer = text.lines().find(|line| line.starts_with(&format!("{variable} = OpVariable"))).unwrap();
    let pointer = pointer.split_whitespace().nth(3).unwrap();
    let block = text.lines().find(|line| line.starts_with(&format!("{pointer} = OpTypePointer"))).unwrap();
    let block = block.split_whitespace().last().unwrap();
    assert_eq!(count(text, &format!("OpDecorate {block} Block")), 1, "{text}");
    let head = format!("OpMemberDecorate {block} ");
    let offsets = text.lines().filter_map(|line| line.strip_prefix(&head)?.split_once(" Offset "));
    let content = text.lines().find_map(|line| line.strip_prefix(&format!("{block} = OpTypeStruct "))).unwrap();
    let offsets = offsets.map(|(_, offset)| offset.parse().unwrap()).collect();
    (offsets, content.split_whitespace().map(str::to_owned).collect())
}

#[test]
fn constants_are_members_of_the_record() {
    let (text, plan) = translated("constants", &lavapipe()).unwrap();
    let word = result(&text, "= OpTypeInt 32 0");
    assert_eq!(members(&text), (vec![0, 4, 8, 12, 16, 20, 24], vec![word.to_owned(); 7]), "{text}");
    assert_eq!(count(&text, "PushConstant"), 0, "{text}");
    assert_eq!(plan.push_constant_size, 0);
    // Seven loads, and one load for u0's descriptor is not needed: it is written alone.
    assert_eq!(count(&text, "OpLoad"), 7, "{text}");
}

#[test]
fn computed_indexes_need_an_array() {
    let (text, _) = translated("computed", &lavapipe()).unwrap();
    let (offsets, types) = members(&text);
    assert_eq!((offsets, types.len()), (vec![72], 1), "{text}");
    assert_eq!(count(&text, &format!("OpDecorate {} ArrayStride 4", types[0])), 1, "{text}");
    assert_eq!(count(&text, "OpULessThan"), 1, "a word past the end is zero: {text}");
}

#[test]
fn addresses_are_pairs_of_words_in_the_record() {
    let (text, _) = translated("addresses", &lavapipe()).unwrap();
    let (offsets, types) = members(&text);
    let pair = types[0].clone();
    assert_eq!((offsets, &types), (vec![32, 40, 48], &vec![pair; 3]), "{text}");
    assert!(text.contains("OpMemoryModel PhysicalStorageBuffer64 GLSL450"), "{text}");
    assert_eq!(count(&text, "OpCapability Int64"), 0, "{text}");
    let mut profile = lavapipe();
    profile.features.set(Feature::BufferDeviceAddress, false);
    let error = translated("addresses", &profile).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MissingFeature(Feature::BufferDeviceAddress), "{error}");
}

/// Lanes that run one shader together may have different records, so all indexes are non-uniform.
#[test]
fn descriptors_in_tables_are_non_uniform() {
    let (text, _) = translated("tables", &lavapipe()).unwrap();
    assert_eq!(members(&text).0, [56, 64], "{text}");
    for class in ["SampledImage", "StorageImage", "UniformTexelBuffer", "StorageBuffer", "UniformBuffer"] {
        assert_eq!(count(&text, &format!("OpCapability {class}ArrayNonUniformIndexing")), 1, "{class}: {text}");
        assert_eq!(count(&text, &format!("OpCapability {class}ArrayDynamicIndexing")), 0, "{class}: {text}");
    }
    // Each pointer to a descriptor, and each image and sampler that is loaded through one.
    let arrays: Vec<&str> = text.lines().filter(|line| line.contains("OpTypeRuntimeArray")).collect();
    let variables: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("OpVariable"))
        .filter(|line| {
            let pointer = line.split_whitespace().nth(3).unwrap();
            let pointer = text.lines().find(|line| line.starts_with(&format!("{pointer} = OpTypePointer"))).unwrap();
            let content = pointer.split_whitespace().last().unwrap();
            arrays.iter().any(|line| line.starts_with(&format!("{content} = ")))
        })
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert_eq!(variables.len(), 7, "{text}");
    for variable in variables {
        let chains = text.lines().filter(|line| line.contains("OpAccessChain"));
        let mut chains = chains.filter(|line| line.split_whitespace().nth(4) == Some(variable)).peekable();
        assert!(chains.peek().is_some(), "{variable}: {text}");
        for chain in chains {
            let pointer = chain.split(' ').next().unwrap();
            assert_eq!(count(&text, &format!("OpDecorate {pointer} NonUniform")), 1, "{chain}: {text}");
            let object =
                text.lines().find(|line| line.contains("OpLoad") && line.split_whitespace().nth(4) == Some(pointer));
            if let Some(object) = object {
                let object = object.split(' ').next().unwrap();
                assert_eq!(count(&text, &format!("OpDecorate {object} NonUniform")), 1, "{object}: {text}");
            }
        }
    }
    let mut profile = lavapipe();
    profile.features.set(Feature::StorageImageArrayNonUniformIndexing, false);
    let error = translated("tables", &profile).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MissingFeature(Feature::StorageImageArrayNonUniformIndexing), "{error}");
}

#[test]
fn a_static_sampler_is_in_the_root_set() {
    let (text, plan) = translated("static_sampler", &lavapipe()).unwrap();
    // One parameter, no global static sampler: binding 1 + 0 + 1 + register 7.
    assert!(
        plan.to_string().contains("\"s7 space1\".descriptor = { set = 0, binding = 9, type = \"sampler\" }\n"),
        "{plan}"
    );
    assert_eq!(count(&text, " Binding 9"), 1, "{text}");
}

/// A plan in which one resource has another place.
fn moved(shader: &Shader, entry: EntryId, register: &str, place: &str) -> Result<String, Error> {
    let profile = lavapipe();
    let planned = plan(&[PipelineStage::new(shader, entry)], &PlanInputs::new(&profile)).unwrap().stages.remove(0);
    let text = planned.to_string();
    let (kept, found): (Vec<&str>, Vec<&str>) =
        text.lines().partition(|line| !line.starts_with(&format!("\"{register}\"")));
    assert_eq!(found.len(), 1, "{text}");
    let text = format!("{}\n\"{register}\".{place}\n", kept.join("\n"));
    let plan = BindingPlan::parse(&text, &shader.program().resources)?;
    let words = translate(shader, entry, &plan, &Options::new(profile))?.words;
    Ok(disassemble(&words).unwrap())
}

#[test]
fn root_constants_at_an_address_in_the_record() {
    let shader = library();
    let entry = shader.find_entry(Some("constants")).unwrap();
    let text =
        moved(&shader, entry, "b0 space1", "inline_address = { address = { record = 8 }, offset = 16, size = 28 }")
            .unwrap();
    assert_eq!(members(&text).0, [8], "{text}");
    assert_eq!(count(&text, "Aligned 4"), 7, "{text}");
}

/// A local root signature without an association is the default of all exports of a library, but
/// only ray-tracing shaders have records.
#[test]
fn a_default_is_for_shaders_with_records() {
    let shader = Shader::parse(&std::fs::read(folder().join("defaults.dxil")).unwrap()).unwrap();
    let profile = lavapipe();
    let place = |entry: &str| {
        let stage = PipelineStage::new(&shader, shader.find_entry(Some(entry)).unwrap());
        let planned = plan(&[stage], &PlanInputs::new(&profile)).unwrap().stages.remove(0).to_string();
        planned.lines().find(|line| line.starts_with("\"b0 space1\"")).unwrap().to_owned()
    };
    assert_eq!(place("generate"), r#""b0 space1".record = { offset = 0, size = 16 }"#);
    assert_eq!(place("compute"), r#""b0 space1".descriptor = { set = 1, binding = 0, type = "uniform_buffer" }"#);
}
