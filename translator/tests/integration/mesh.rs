//! Mesh and amplification shaders: which forms their operations take, what is refused and how, and
//! how a pixel shader finds the outputs of a mesh shader. Fixtures (`tests/fixtures/mesh`) execute
//! them.

use std::sync::Arc;

use dxil_test_support::{fixture, read};
use dxil_translator::{
    Bounds, DeviceProfile, Error, ErrorKind, Feature, MeshOutput, Options, PipelineStage, PlanInputs, Shader, lavapipe,
    plan, translate,
};
use rspirv::spirv::{BuiltIn, Capability, Decoration, ExecutionMode, Op};

use dxil_test_support::spirv::instructions;

fn shader(name: &str) -> Result<Shader, Error> {
    Shader::parse(&read(format!("tests/shaders/mesh/{name}.dxil")))
}

/// A device with everything that mesh shaders can use.
fn device() -> DeviceProfile {
    let mut profile = lavapipe();
    for feature in [Feature::PrimitiveFragmentShadingRate, Feature::PrimitiveFragmentShadingRateMeshShader] {
        profile.features.set(feature, true);
    }
    profile
}

/// The instructions of a module: opcode and operands.
type Words = Vec<(u32, Vec<u32>)>;

fn translated(name: &str, profile: DeviceProfile, change: impl FnOnce(&mut Options)) -> Result<Words, Error> {
    translated_of(&shader(name)?, profile, change)
}

fn translated_of(shader: &Shader, profile: DeviceProfile, change: impl FnOnce(&mut Options)) -> Result<Words, Error> {
    let entry = shader.find_entry(None)?;
    let plan = plan(&[PipelineStage::new(shader, entry)], &PlanInputs::new(&profile))?;
    let mut options = Options::new(profile);
    change(&mut options);
    let words = translate(shader, entry, &plan.stages[0], &options)?.words;
    Ok(instructions(&words).map(|(op, operands)| (op, operands.to_vec())).collect())
}

fn all(words: &Words, op: Op) -> Vec<&[u32]> {
    words.iter().filter(|(other, _)| *other == op as u32).map(|(_, operands)| operands.as_slice()).collect()
}

/// The literals of a decoration of all targets that have it.
fn decorated(words: &Words, decoration: Decoration) -> Vec<&[u32]> {
    all(words, Op::Decorate).into_iter().filter(|o| o[1] == decoration as u32).collect()
}

fn mode(words: &Words, mode: ExecutionMode) -> Option<Vec<u32>> {
    let modes = all(words, Op::ExecutionMode);
    modes.into_iter().find(|o| o[1] == mode as u32).map(|o| o[2..].to_vec())
}

#[test]
fn a_mesh_shader_declares_what_it_outputs() {
    let words = translated("good.ms", device(), |_| ()).unwrap();
    assert_eq!(mode(&words, ExecutionMode::OutputTrianglesEXT), Some(vec![]));
    assert_eq!(mode(&words, ExecutionMode::OutputVertices), Some(vec![64]));
    assert_eq!(mode(&words, ExecutionMode::OutputPrimitivesEXT), Some(vec![32]));
    assert_eq!(mode(&words, ExecutionMode::LocalSize), Some(vec![32, 1, 1]));
    let builtins: Vec<u32> = decorated(&words, Decoration::BuiltIn).iter().map(|o| o[2]).collect();
    for builtin in [
        BuiltIn::PrimitiveId,
        BuiltIn::Layer,
        BuiltIn::ViewportIndex,
        BuiltIn::PrimitiveShadingRateKHR,
        BuiltIn::CullPrimitiveEXT,
        BuiltIn::PrimitiveTriangleIndicesEXT,
    ] {
        assert!(builtins.contains(&(builtin as u32)), "{builtin:?}");
    }
    // Those five system values, the indices, and PLACE.
    assert_eq!(decorated(&words, Decoration::PerPrimitiveEXT).len(), 7);
    let capabilities: Vec<u32> = all(&words, Op::Capability).iter().map(|o| o[0]).collect();
    assert!(capabilities.contains(&(Capability::MeshShadingEXT as u32)));
    for other in [Capability::Geometry, Capability::MultiViewport, Capability::ShaderLayer] {
        assert!(!capabilities.contains(&(other as u32)), "{other:?}");
    }
    assert_eq!(all(&words, Op::SetMeshOutputsEXT).len(), 1);
}

/// No driver of the tests draws several views with mesh shaders, so that this is the test of the
/// builtin. The fixture `mesh/view` executes the other case.
#[test]
fn the_view_of_a_mesh_shader_is_the_builtin_or_zero() {
    let with = |multiview: bool, views: bool| {
        let mut profile = device();
        profile.features.set(Feature::Multiview, multiview);
        profile.features.set(Feature::MultiviewMeshShader, views);
        translated_of(&Shader::parse(&fixture("mesh/view.ms.dxil")).unwrap(), profile, |_| ())
    };
    let has = |words: &Words, capability: Capability| {
        all(words, Op::Capability).iter().any(|operands| operands[0] == capability as u32)
    };
    let views = |words: &Words| {
        let builtins = decorated(words, Decoration::BuiltIn);
        builtins.iter().filter(|operands| operands[2] == BuiltIn::ViewIndex as u32).count()
    };
    let words = with(true, true).unwrap();
    assert_eq!((views(&words), has(&words, Capability::MultiView)), (1, true));
    for multiview in [true, false] {
        let words = with(multiview, false).unwrap();
        assert_eq!((views(&words), has(&words, Capability::MultiView)), (0, false));
    }
    let refused = with(false, true).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::MissingFeature(Feature::Multiview));
}

/// Stores whose index is below the array's size by the arithmetic need no check; the others have
/// one, unless the driver is trusted.
#[test]
fn stores_outside_the_arrays_are_left_out() {
    let words = translated("good.ms", device(), |_| ()).unwrap();
    let trusted = translated("good.ms", device(), |options| options.bounds = Bounds::Driver).unwrap();
    // `thread + group`, of which both columns are stored in one branch. `thread * 2 + 1` is at most
    // 63.
    assert_eq!(all(&words, Op::ULessThan).len(), 1);
    assert_eq!(all(&trusted, Op::ULessThan).len(), 0);
    assert_eq!(all(&words, Op::SelectionMerge).len(), all(&trusted, Op::SelectionMerge).len() + 1);
}

/// A minimum bounds an index, also if it is one of 16 bits that is widened.
#[test]
fn minimums_bound_indexes() {
    let words = translated("bounds.ms", device(), |_| ()).unwrap();
    // Only the store to `min(group + 1, 64)` has a check.
    assert_eq!(all(&words, Op::ULessThan).len(), 1);
    assert_eq!(all(&words, Op::SelectionMerge).len(), 1);
}

/// So do shifts to the right, remainders and quotients.
#[test]
fn quotients_bound_indexes() {
    let words = translated("quotients.ms", device(), |_| ()).unwrap();
    // The last three of six stores.
    assert_eq!(all(&words, Op::ULessThan).len(), 3);
    assert_eq!(all(&words, Op::SelectionMerge).len(), 3);
}

#[test]
fn an_amplification_shader_ends_with_its_mesh_shaders() {
    let words = translated("good.as", device(), |_| ()).unwrap();
    assert_eq!(all(&words, Op::EmitMeshTasksEXT).len(), 1);
    assert_eq!(all(&words, Op::EmitMeshTasksEXT)[0].len(), 4, "with a payload");
    assert_eq!(all(&words, Op::Return).len(), 0);
    assert_eq!(all(&words, Op::CopyMemory).len(), 0, "the payload is the groupshared variable itself");
    // A path without DispatchMesh starts no mesh shaders, and has no payload.
    let never = translated("never.as", device(), |_| ()).unwrap();
    let mut counts: Vec<usize> = all(&never, Op::EmitMeshTasksEXT).iter().map(|o| o.len()).collect();
    counts.sort_unstable();
    assert_eq!((counts, all(&never, Op::Return).len()), (vec![3, 4], 0));
    // D3D allows one DispatchMesh. A second one would start other groups on its own path.
    let twice = translated("twice.as", device(), |_| ()).unwrap();
    assert_eq!(all(&twice, Op::EmitMeshTasksEXT).len(), 2);
}

fn refused(name: &str, profile: DeviceProfile) -> (ErrorKind, String) {
    let error = translated(name, profile, |_| ()).map(|_| ()).expect_err(name);
    (error.kind(), error.message().to_owned())
}

#[test]
fn broken_metadata_is_malformed() {
    for (name, message) in [
        ("vertices_257.ms", "257 vertices of a mesh shader"),
        ("primitives_257.ms", "257 primitives of a mesh shader"),
        ("payload_16385.ms", "16385 bytes of a payload"),
        ("outputs_too_large.ms", "a mesh shader outputs "),
        ("no_topology.ms", "output topology undefined; expected line or triangle"),
        ("threads_129.ms", "numthreads [129, 1, 1] is more than 128 threads"),
        ("threads_129.as", "numthreads [129, 1, 1] is more than 128 threads"),
        ("payload_undeclared.ms", "the payload has 20 bytes, and the metadata of the mesh shader declares 16"),
        ("payload_undeclared.as", "the payload has 20 bytes, and the metadata of the amplification shader declares 16"),
        ("payload_undef.as", "the payload of DispatchMesh is not a variable of groupshared memory"),
        ("payload_null.as", "the payload of DispatchMesh is not a variable of groupshared memory"),
        ("no_state.ms", "has no state of the stage"),
        // A mutation of a fixture, which once gave an invalid module.
        ("position_rows.ms", "SV_Position) has 3 rows; this system value has one"),
    ] {
        let (kind, found) = refused(name, device());
        assert!(kind == ErrorKind::Malformed && found.contains(message), "{name}: {kind:?}: {found}");
    }
    // A number that no enumeration has may be one of a newer version.
    let (kind, found) = refused("point_topology.ms", device());
    assert!(kind == ErrorKind::Unsupported && found.contains("unknown output topology 3"), "{found}");
}

#[test]
fn the_device_must_have_the_stages() {
    for (name, feature) in [("good.ms", Feature::MeshShader), ("good.as", Feature::TaskShader)] {
        let mut profile = device();
        profile.features.set(feature, false);
        assert_eq!(refused(name, profile).0, ErrorKind::MissingFeature(feature), "{name}");
    }
    let mut profile = device();
    profile.features.set(Feature::PrimitiveFragmentShadingRateMeshShader, false);
    let expected = ErrorKind::MissingFeature(Feature::PrimitiveFragmentShadingRateMeshShader);
    assert_eq!(refused("good.ms", profile).0, expected);
    for name in ["good.ms", "good.as"] {
        let mut profile = device();
        profile.spirv = (1, 3);
        let (kind, message) = refused(name, profile);
        assert!(kind == ErrorKind::Unsupported && message.contains("SPIR-V 1.4"), "{name}: {message}");
    }
}

#[test]
fn limits_of_the_device_are_named_with_both_numbers() {
    type Change = fn(&mut DeviceProfile);
    let cases: [(&str, Change, &str); 6] = [
        (
            "good.ms",
            |p| p.limits.max_mesh_output_vertices = 63,
            "64 output vertices; the device's limit maxMeshOutputVertices is 63",
        ),
        (
            "good.ms",
            |p| p.limits.max_mesh_output_primitives = 31,
            "32 output primitives; the device's limit maxMeshOutputPrimitives is 31",
        ),
        (
            "good.ms",
            |p| p.limits.max_mesh_work_group_invocations = 31,
            "32 threads in a group; the device's limit maxMeshWorkGroupInvocations is 31",
        ),
        (
            "good.ms",
            |p| p.limits.max_task_payload_size = 19,
            "20 bytes of payload; the device's limit maxTaskPayloadSize is 19",
        ),
        (
            "good.as",
            |p| p.limits.max_task_work_group_invocations = 31,
            "32 threads in a group; the device's limit maxTaskWorkGroupInvocations is 31",
        ),
        (
            "good.as",
            |p| p.limits.max_task_payload_size = 19,
            "20 bytes of payload; the device's limit maxTaskPayloadSize is 19",
        ),
    ];
    for (name, change, message) in cases {
        let mut profile = device();
        change(&mut profile);
        let (kind, found) = refused(name, profile);
        assert!(kind == ErrorKind::Unsupported && found.contains(message), "{name}: {found}");
    }
}

fn outputs() -> Arc<[MeshOutput]> {
    let mesh = shader("good.ms").unwrap();
    mesh.mesh_outputs(mesh.find_entry(None).unwrap()).expect("a mesh shader")
}

#[test]
fn a_pixel_shader_finds_outputs_by_semantic() {
    let outputs = outputs();
    let found: Vec<_> = outputs.iter().map(|o| (&*o.semantic, o.index, o.location, o.per_primitive)).collect();
    assert_eq!(
        found,
        [
            ("SV_POSITION", 0, None, false),
            ("COLOR", 0, Some((1, 0)), false),
            ("SV_PRIMITIVEID", 0, None, true),
            ("SV_RENDERTARGETARRAYINDEX", 0, None, true),
            ("SV_VIEWPORTARRAYINDEX", 0, None, true),
            ("SV_SHADINGRATE", 0, None, true),
            ("SV_CULLPRIMITIVE", 0, None, true),
            // After the two rows of vertices, in the second row of primitives.
            ("PLACE", 0, Some((3, 0)), true),
        ]
    );
    // Alone, the pixel shader has the rows of its own signature and no inputs of primitives.
    let alone = translated("good.ps", device(), |_| ()).unwrap();
    assert_eq!(decorated(&alone, Decoration::PerPrimitiveEXT).len(), 0);
    let linked =
        translated("good.ps", device(), |options| options.pipeline.mesh_outputs = Some(outputs.clone())).unwrap();
    let per_primitive = decorated(&linked, Decoration::PerPrimitiveEXT);
    let places: Vec<u32> = decorated(&linked, Decoration::Location)
        .iter()
        .filter(|o| per_primitive.iter().any(|p| p[0] == o[0]))
        .map(|o| o[2])
        .collect();
    assert_eq!(places, [3]);
}

#[test]
fn a_missing_output_is_named() {
    let without = |name: &str| -> Arc<[MeshOutput]> {
        outputs().iter().filter(|output| &*output.semantic != name).cloned().collect()
    };
    for name in ["COLOR", "PLACE", "SV_PRIMITIVEID"] {
        let outputs = without(name);
        let error =
            translated("good.ps", device(), |options| options.pipeline.mesh_outputs = Some(outputs)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Binding, "{error}");
        assert!(error.message().to_ascii_uppercase().contains(&format!("`{name}0`")), "{error}");
    }
    let mut narrow = outputs().to_vec();
    narrow.iter_mut().filter(|output| &*output.semantic == "COLOR").for_each(|output| output.components = 2);
    let error =
        translated("good.ps", device(), |options| options.pipeline.mesh_outputs = Some(narrow.into())).unwrap_err();
    assert!(error.message().contains("reads 3 components of `COLOR0`"), "{error}");
}
