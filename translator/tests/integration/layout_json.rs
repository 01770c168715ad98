//! `dxil2spv layout --json`: the document for one fixture as a whole, and for many pipelines the
//! same layout that the library's `required_layout` gives.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use dxil_translator::{
    BindingOptions, PipelineStage, PlanInputs, Shader, lavapipe, plan, required_layout, shader_report,
};
use serde_json::{Value, json};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures");

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(format!("{FIXTURES}/{name}.dxil"))
}

/// The standard output of `dxil2spv layout --json`.
fn document(files: &[PathBuf], input: Stdio) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dxil2spv"));
    let output = command.args(["layout", "--json", "--profile", "lavapipe"]).args(files).stdin(input).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The fixture has a table with an unbounded array, root constants, root descriptors and a static
/// sampler.
#[test]
fn one_document() {
    let golden = include_str!("../layouts/pipeline_layout.json");
    let input = std::fs::File::open(fixture("rootsig/pipeline_layout")).unwrap();
    assert_eq!(document(&["-".into()], input.into()), golden);
}

/// `dxil2spv resources --json` is the report of the library, and says what the text form says.
#[test]
fn a_document_of_resources() {
    let printed = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dxil2spv"));
        let output = command.args(["resources", "--json"]).arg(fixture(name)).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    for name in ["graphics/sample.vs", "libraries/subobjects.all", "newer-dxc/heap.cs_6_6"] {
        let shader = Shader::parse(&std::fs::read(fixture(name)).unwrap()).unwrap().with_source_names();
        let report = serde_json::to_string_pretty(&shader_report(&shader)).unwrap();
        assert_eq!(printed(name), report + "\n");
    }
    let vertex: Value = serde_json::from_str(&printed("graphics/sample.vs")).unwrap();
    let expected = json!([
        { "is_output": false, "name": "VertexIndex", "component": 0, "is_second_source": false },
        { "is_output": false, "name": "BaseVertex", "component": 0, "is_second_source": false },
        { "is_output": true, "name": "Position", "component": 0, "is_second_source": false },
        { "is_output": true, "name": "PointSize", "component": 0, "is_second_source": false },
        { "is_output": true, "name": "TEXCOORD0", "location": 1, "component": 0, "is_second_source": false },
    ]);
    let entry = &vertex["entries"][0];
    assert_eq!(
        (&vertex["kind"], &entry["stage"], &entry["interface"]),
        (&json!("vertex"), &json!("vertex"), &expected)
    );
    assert_eq!(entry["features"], json!(["shaderDrawParameters"]));
    let compute: Value = serde_json::from_str(&printed("rootsig/pipeline_layout")).unwrap();
    assert_eq!(compute["entries"][0]["thread_group"], json!([64, 1, 1]));
    let images = json!({ "resource": "t0[] space0 Texture2D<f32> \"images\"", "name": "images", "class": "t",
        "space": 0, "register": 0, "count": null });
    assert_eq!(compute["resources"][0], images);
    assert_eq!(compute["constant_buffers"][0]["members"][0]["name"], "draw");
}

/// The document that explains the layout of this fixture quotes the text form.
#[test]
fn the_text_form_is_quoted() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dxil2spv"));
    let folder = format!("{FIXTURES}/rootsig");
    let output = command.args(["layout", "pipeline_layout.dxil"]).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let block = format!("```text\n{}```\n", String::from_utf8(output.stdout).unwrap());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/pipeline-layout.md");
    assert!(std::fs::read_to_string(path).unwrap().contains(&block), "{path} does not quote:\n{block}");
}

/// The numbers of an array of `{name, value}`.
fn values(array: &Value) -> Vec<i64> {
    array.as_array().unwrap().iter().map(|value| value["value"].as_i64().unwrap()).collect()
}

/// The names of `VkDescriptorType` and its numbers, from Vulkan's header.
const TYPES: [(&str, i64); 8] = [
    ("VK_DESCRIPTOR_TYPE_SAMPLER", 0),
    ("VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE", 2),
    ("VK_DESCRIPTOR_TYPE_STORAGE_IMAGE", 3),
    ("VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER", 4),
    ("VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER", 5),
    ("VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER", 6),
    ("VK_DESCRIPTOR_TYPE_STORAGE_BUFFER", 7),
    ("VK_DESCRIPTOR_TYPE_MUTABLE_EXT", 1000351000),
];
/// The bits of `VkShaderStageFlagBits` that the pipelines below use.
const STAGES: [(&str, i64); 3] =
    [("VK_SHADER_STAGE_VERTEX_BIT", 1), ("VK_SHADER_STAGE_FRAGMENT_BIT", 0x10), ("VK_SHADER_STAGE_COMPUTE_BIT", 0x20)];

/// Checks that the names of the flags are those of the bits, and returns the number.
fn stages(flags: &Value) -> u32 {
    let value = flags["value"].as_i64().unwrap();
    let names: Vec<Value> =
        STAGES.iter().filter(|(_, bit)| value & bit != 0).map(|(name, _)| Value::from(*name)).collect();
    assert_eq!(flags["names"], Value::from(names));
    value as u32
}

#[test]
fn documents_have_the_required_layouts() {
    let pipelines: &[&[&str]] = &[
        &["rootsig/pipeline_layout"],
        &["rootsig/static_samplers"],
        &["rootsig/tables"],
        &["rootsig/overlapping_ranges"],
        &["rootsig/long_constants"],
        &["root-signatures/pipeline.vs", "root-signatures/pipeline.ps"],
        &["heaps/bindless.vs", "heaps/bindless.ps"],
    ];
    let (mut mutable, mut immutable, mut unbounded, mut pushed) = (0, 0, 0, 0);
    // Lavapipe has mutable descriptors, which one of the pipelines needs.
    let profile = lavapipe();
    for pipeline in pipelines {
        let files: Vec<PathBuf> = pipeline.iter().map(|name| fixture(name)).collect();
        let shaders: Vec<Shader> =
            files.iter().map(|file| Shader::parse(&std::fs::read(file).unwrap()).unwrap()).collect();
        let parts: Vec<PipelineStage<'_>> =
            shaders.iter().map(|shader| PipelineStage::new(shader, shader.find_entry(None).unwrap())).collect();
        let inputs = PlanInputs::new(&profile).with_options(BindingOptions::default());
        let planned = plan(&parts, &inputs).unwrap();
        let required = required_layout(&parts, &inputs, &planned).unwrap();

        let text = document(&files, Stdio::null());
        let document: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(document["model"], planned.model.to_string());
        for (shader, plan) in document["shaders"].as_array().unwrap().iter().zip(&planned.stages) {
            assert_eq!(shader["plan"], plan.to_string());
        }
        assert_eq!(document["shaders"].as_array().unwrap().len(), pipeline.len());

        let sets = document["sets"].as_array().unwrap();
        assert_eq!(sets.len(), required.sets.len(), "{pipeline:?}");
        for (number, (set, required)) in sets.iter().zip(&required.sets).enumerate() {
            let required = required.as_ref().unwrap();
            let bindings = set["bindings"].as_array().unwrap();
            assert_eq!((&set["set"], bindings.len()), (&json!(number), required.len()), "{pipeline:?}");
            for (binding, required) in bindings.iter().zip(required) {
                assert_eq!(binding["binding"], required.binding);
                let ty = i64::from(required.ty as i32);
                let name = TYPES.iter().find(|(_, number)| *number == ty).unwrap().0;
                assert_eq!(binding["type"], json!({ "name": name, "value": ty }));
                let is_unbounded = required.count == u32::MAX;
                let count = if is_unbounded { json!("unbounded") } else { json!(required.count) };
                assert_eq!(binding["count"], count);
                assert_eq!(stages(&binding["stages"]), required.stages);
                // An array without bound is partially bound. Only the last binding of a set may
                // have a variable count.
                let is_last = bindings.last().unwrap()["binding"] == binding["binding"];
                let flags = if !is_unbounded { 0 } else { 4 | if is_last { 8 } else { 0 } };
                assert_eq!(binding["flags"]["value"], flags);
                assert_eq!(
                    values(&binding["mutable_types"]),
                    required.mutable_types.iter().map(|&ty| i64::from(ty as i32)).collect::<Vec<_>>()
                );
                let samplers = binding["immutable_samplers"].as_array().unwrap().len();
                assert_eq!(samplers, usize::from(required.immutable_samplers));
                assert!(!binding["resources"].as_array().unwrap().is_empty());
                mutable += usize::from(!required.mutable_types.is_empty());
                immutable += samplers;
                unbounded += usize::from(is_unbounded);
            }
        }
        let ranges = document["push_constant_ranges"].as_array().unwrap();
        assert_eq!(ranges.len(), required.push_ranges.len());
        for (range, required) in ranges.iter().zip(&required.push_ranges) {
            assert_eq!((&range["offset"], &range["size"]), (&json!(required.offset), &json!(required.size)));
            assert_eq!(stages(&range["stages"]), required.stages);
            let members = range["members"].as_array().unwrap();
            let all = members.iter().fold(0, |all, member| all | stages(&member["stages"]));
            assert_eq!(all, required.stages);
            let end = members.iter().map(|m| m["offset"].as_u64().unwrap() + m["size"].as_u64().unwrap()).max();
            assert_eq!(end, Some(u64::from(required.offset + required.size)));
            pushed += 1;
        }
    }
    // The pipelines have something of each kind, so the checks above are not empty.
    assert!(mutable > 0 && immutable > 2 && unbounded > 1 && pushed > 2, "{mutable} {immutable} {unbounded} {pushed}");
}
