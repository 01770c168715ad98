//! Interfaces between the stages of graphics pipelines: those of all fixtures match, and those of
//! shaders from different fixtures are linked by semantic.

use std::collections::BTreeMap;
use std::path::PathBuf;

use dxil_test_support::spirv::instructions;
use dxil_translator::{
    EntryId, Error, InterfaceFault, PipelineStage, Shader, ShaderStage, VertexLocations, interface_mismatches,
    requirements, stage_state,
};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/fixtures");

/// The graphics shaders of the fixtures, by folder and name.
fn pipelines() -> BTreeMap<String, Vec<(Shader, EntryId)>> {
    let mut found: BTreeMap<String, Vec<(Shader, EntryId)>> = BTreeMap::new();
    for folder in std::fs::read_dir(FIXTURES).unwrap().map(|folder| folder.unwrap().path()) {
        for path in std::fs::read_dir(&folder).into_iter().flatten().map(|file| file.unwrap().path()) {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let parts: Vec<&str> = name.split('.').collect();
            let [pipeline, "vs" | "hs" | "ds" | "gs" | "ms" | "as" | "ps", "dxil"] = parts[..] else { continue };
            let Ok(shader) = Shader::parse(&std::fs::read(&path).unwrap()) else { continue };
            let entry = shader.find_entry(None).unwrap();
            let folder = PathBuf::from(folder.file_name().unwrap());
            found.entry(folder.join(pipeline).display().to_string()).or_default().push((shader, entry));
        }
    }
    found
}

fn stages(shaders: &[(Shader, EntryId)]) -> Vec<PipelineStage<'_>> {
    shaders.iter().map(|(shader, entry)| PipelineStage::new(shader, *entry)).collect()
}

/// Drivers run the pipelines of the fixtures, so their interfaces match.
#[test]
fn fixtures_match() {
    let pipelines = pipelines();
    assert!(pipelines.len() > 100, "{}", pipelines.len());
    for (name, shaders) in &pipelines {
        let found: Vec<String> = interface_mismatches(&stages(shaders)).iter().map(ToString::to_string).collect();
        assert_eq!(found, [""; 0], "{name}");
    }
}

/// What is said of two shaders of different fixtures.
fn found(writer: &str, reader: &str) -> Vec<(InterfaceFault, String)> {
    let read = |name: &str| {
        let shader = Shader::parse(&std::fs::read(format!("{FIXTURES}/{name}.dxil")).unwrap()).unwrap();
        let entry = shader.find_entry(None).unwrap();
        (shader, entry)
    };
    let found = interface_mismatches(&stages(&[read(writer), read(reader)]));
    found.into_iter().map(|found| (found.fault, found.to_string())).collect()
}

#[test]
fn each_fault_is_told_by_semantic() {
    let only = |writer: &str, reader: &str, expected: &str| {
        let all = found(writer, reader);
        let texts: Vec<&str> = all.iter().map(|(_, text)| &**text).collect();
        assert!(texts.contains(&expected), "{writer}, {reader}: {texts:#?}");
        all
    };
    let missing = only(
        "descriptors/graphics.vs",
        "tessellation/control_points.hs",
        "the hull shader reads TAG0, which the vertex shader does not write",
    );
    assert!(missing.iter().any(|(fault, _)| *fault == InterfaceFault::Missing));
    only(
        "graphics/cbuffer_transform.vs",
        "geometry/points_to_strips.gs",
        "the geometry shader reads COLOR0, which the vertex shader writes to register 2 from component 0, and not to \
         register 1 from component 0: declare the elements of both in the same order",
    );
    only(
        "mesh/triangles.ms",
        "graphics/cbuffer_transform.ps",
        "the pixel shader reads COLOR0, which the mesh shader writes with 3 components, and not with 4",
    );
    only(
        "mesh/view.ms",
        "graphics/evaluate.ps",
        "the pixel shader reads PLACE0, which the mesh shader writes with components of type u32, and not f32",
    );
}

/// Stages that do not follow each other are not compared.
#[test]
fn parts_of_a_pipeline_are_accepted() {
    assert_eq!(found("descriptors/graphics.vs", "tessellation/control_points.ds"), []);
    assert_eq!(found("tessellation/control_points.hs", "graphics/cbuffer_transform.ps"), []);
}

/// The tool refuses the pipeline, as D3D12 does.
#[test]
#[cfg(feature = "cli")]
fn layout_refuses_a_mismatch() {
    use crate::tool::{fixture, run};
    let refused = run(&["layout", &fixture("mesh/view.ms"), &fixture("graphics/evaluate.ps")]);
    assert_eq!((refused.code, refused.text()), (2, ""));
    let expected =
        "evaluate.ps.dxil: error: usage at input: the pixel shader reads PLACE0, which the mesh shader writes with";
    assert!(refused.err.contains(expected), "{}", refused.err);
}

/// The locations of the vertex inputs are those of a translation, which leaves out inputs without a
/// use.
#[test]
fn vertex_inputs_are_those_of_the_translation() {
    let mut seen = 0;
    for (name, shaders) in &pipelines() {
        for (shader, entry) in shaders {
            let inputs = shader.vertex_inputs(*entry, VertexLocations::Order).unwrap();
            if shader.entry(*entry).unwrap().stage != ShaderStage::Vertex {
                assert_eq!(inputs, [], "{name}");
                continue;
            }
            let Ok(needed) = requirements(shader, *entry, || Ok::<_, Error>(())) else { continue };
            for location in input_locations(&needed.words) {
                assert!(inputs.iter().any(|input| input.location == location), "{name}: {location} in {inputs:?}");
                seen += 1;
            }
        }
    }
    assert!(seen > 15, "{seen}");
}

/// The `Location` of each variable of the storage class Input.
fn input_locations(words: &[u32]) -> Vec<u32> {
    let (mut locations, mut inputs) = (BTreeMap::new(), Vec::new());
    for instruction in instructions(words) {
        match instruction {
            // OpDecorate with Location, and OpVariable of the storage class Input.
            (71, &[id, 30, location]) => drop(locations.insert(id, location)),
            (59, &[_, id, 1, ..]) => inputs.push(id),
            _ => {}
        }
    }
    inputs.iter().filter_map(|id| locations.get(id).copied()).collect()
}

/// What the stages of a pipeline say of each other.
#[test]
fn stages_give_each_other_their_state() {
    use ShaderStage::{Domain, Geometry, Hull, Mesh, Pixel, Vertex};
    for (name, shaders) in &pipelines() {
        let stages = stages(shaders);
        let kind = |stage: &PipelineStage<'_>| stage.shader.entry(stage.entry).unwrap().stage;
        let has = |wanted: ShaderStage| stages.iter().any(|stage| kind(stage) == wanted);
        for stage in &stages {
            let state = stage_state(&stages, stage);
            let reader = match kind(stage) {
                Vertex => has(Hull) || has(Geometry),
                Domain => has(Geometry),
                _ => false,
            };
            assert_eq!(state.feeds_stage, reader, "{name}");
            assert_eq!(state.mesh_outputs.is_some(), kind(stage) == Pixel && has(Mesh), "{name}");
        }
    }
}
