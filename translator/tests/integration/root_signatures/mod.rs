//! Root signatures as compilers write them. The tests convert a corpus of signatures through all
//! forms, compare the reader with LLVM's `obj2yaml`, compile the printed text again, and check the
//! places of a whole pipeline.
//!
//! Some tests need `obj2yaml` 22 and `llvm-as` (Debian package `llvm-22`) and the pinned compiler
//! (`scripts/get-dxc.sh`); without one of them its test reports that and counts what it skips.

mod corpus;
mod forms;
mod metadata;
mod oracle;

use std::path::{Path, PathBuf};
use std::process::Command;

use dxil_test_support::containers;
use dxil_translator::binding;
use dxil_translator::binding::StageResources;
use dxil_translator::binding::root_signature::RootVersion;
use dxil_translator::container::Container;
use dxil_translator::{PipelineStage, PlanInputs, RootSignature, Shader, VULKAN_1_3_DESKTOP};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures")
}

/// All fixtures with a root signature.
fn fixture_signatures() -> Vec<(PathBuf, RootSignature)> {
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).unwrap();
        let container = Container::parse(&bytes).unwrap();
        RootSignature::from_container(&container).unwrap().map(|signature| (path.clone(), signature))
    };
    containers(folder()).into_iter().filter_map(read).collect()
}

/// The pinned compiler, if it is installed.
fn compiler() -> Option<PathBuf> {
    let build = Path::new(env!("CARGO_MANIFEST_DIR")).join("../build");
    let tools = std::env::var_os("DXIL_TOOLS").map_or(build, PathBuf::from);
    Some(tools.join("dxc/dxc")).filter(|path| path.exists())
}

#[test]
fn what_prints_compiles_to_the_same_signature() {
    let signatures = fixture_signatures();
    let Some(compiler) = compiler() else {
        println!("skipped {} root signatures: no compiler (scripts/get-dxc.sh)", signatures.len());
        return;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (index, (path, signature)) in signatures.iter().enumerate() {
        let (source, object) =
            (folder.join(format!("printed{index}.hlsl")), folder.join(format!("printed{index}.dxil")));
        let text = signature.to_string().replace('\n', " ");
        std::fs::write(&source, format!("[RootSignature(\"{text}\")] [numthreads(1, 1, 1)] void main() {{}}\n"))
            .unwrap();
        let version = if signature.version == RootVersion::V1_0 { "rootsig_1_0" } else { "rootsig_1_1" };
        let mut command = Command::new(&compiler);
        command
            .arg(&source)
            .args(["-T", "cs_6_0", "-E", "main", "-force-rootsig-ver", version])
            .arg("-Fo")
            .arg(&object);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {text}\n{said}", path.display());
        let bytes = std::fs::read(&object).unwrap();
        let container = Container::parse(&bytes).unwrap();
        assert_eq!(
            RootSignature::from_container(&container).unwrap().as_ref(),
            Some(signature),
            "{}: {text}",
            path.display()
        );
    }
    println!("{} root signatures compile from their text to what they were", signatures.len());
}

fn shader(name: &str) -> Shader {
    let bytes = std::fs::read(folder().join("root-signatures").join(name)).unwrap();
    Shader::parse(&bytes).unwrap()
}

/// The layout, computed by hand. There are n = 6 parameters and T = 2 tables, so the root set is
/// set 2, with root descriptors at bindings 0 and 4 and static samplers at 6 and 7. Root constants
/// of 16 bytes begin at byte 0, those of 8 bytes at byte 16. The pixel shader's array t2..t4 is
/// binding 2, and the vertex shader's t3 is element 1 of it. u1 is at binding 8 + 1, and its
/// counter at 1009.
const PIPELINE: &str = "model: root-signature
set 0
  binding 2: sampled_image, count 3, vertex|fragment
    t3 space0 Texture2D<f32>
    t2[3] space0 Texture2D<f32>
  binding 7: uniform_texel_buffer, fragment
    t7 space0 Buffer<f32>
  binding 9: storage_buffer, fragment
    u1 space0 StructuredBuffer size 4 counter
  binding 20: uniform_buffer, fragment
    b3 space0 ConstantBuffer size 64
  binding 1009: storage_buffer, fragment
    counter of u1 space0 StructuredBuffer size 4 counter
set 1
  binding 1: sampler, fragment
    s5 space0 SamplerState
set 2
  binding 0: uniform_buffer, vertex
    b0 space1 ConstantBuffer size 64
  binding 4: storage_buffer, vertex
    t9 space0 StructuredBuffer size 16
  binding 7: sampler, fragment, immutable sampler
    s1 space0 SamplerState
    StaticSampler(s1, filter=FILTER_ANISOTROPIC, addressU=TEXTURE_ADDRESS_WRAP, addressV=TEXTURE_ADDRESS_WRAP, \
addressW=TEXTURE_ADDRESS_WRAP, mipLODBias=0.0, maxAnisotropy=16, comparisonFunc=COMPARISON_LESS_EQUAL, \
borderColor=STATIC_BORDER_COLOR_OPAQUE_WHITE, minLOD=0.0, maxLOD=3.402823466e38)
push constants: bytes 0 to 24, vertex|fragment
  bytes 0 to 16: b1 space0 ConstantBuffer size 16
  bytes 16 to 24: b2 space0 ConstantBuffer size 8
";

#[test]
fn a_compiled_pipeline_is_placed() {
    let shaders = [shader("pipeline.vs.dxil"), shader("pipeline.ps.dxil")];
    let stage = |shader| PipelineStage::new(shader, shader.find_entry(None).unwrap()).resources().unwrap();
    let stages: Vec<StageResources<'_>> = shaders.iter().map(stage).collect();
    let inputs = PlanInputs::new(&VULKAN_1_3_DESKTOP);
    let plan = binding::plan_pipeline(&stages, &inputs).unwrap();
    // The lines are compared without the names of resources, which a compiler may leave out.
    let text = binding::layout_text(&stages, None, &plan).unwrap();
    let text: Vec<&str> = text.lines().map(|line| line.split(" \"").next().unwrap_or(line)).collect();
    assert_eq!(text, PIPELINE.lines().collect::<Vec<_>>());
    // Planning against the required layout gives the same plan, and each plan can be read back from
    // its text.
    let layout = binding::required_layout(&stages, None, &plan).unwrap();
    let again = binding::plan_pipeline(&stages, &inputs.with_layout(Some(&layout))).unwrap();
    assert_eq!(again, plan);
    for (stage, planned) in stages.iter().zip(&plan.stages) {
        assert_eq!(&binding::BindingPlan::parse(&planned.to_string(), stage.resources).unwrap(), planned);
    }
}

/// A container without an RTS0 part has the root signature of its metadata, and is planned by it.
#[test]
fn a_shader_has_the_root_signature_of_its_metadata() {
    let (part, metadata) = (shader("pipeline.vs.dxil"), shader("metadata.vs.dxil"));
    let bytes = std::fs::read(folder().join("root-signatures/metadata.vs.dxil")).unwrap();
    assert!(Container::parse(&bytes).unwrap().root_signature().is_none(), "the container has an RTS0 part");
    let entry = metadata.find_entry(None).unwrap();
    assert_eq!(metadata.entry_root_signature(entry), part.root_signature());
    let pixel = shader("pipeline.ps.dxil");
    let plan = |vertex: &Shader| {
        let stage = |shader| PipelineStage::new(shader, shader.find_entry(None).unwrap()).resources().unwrap();
        let stages: [StageResources<'_>; 2] = [stage(vertex), stage(&pixel)];
        binding::plan_pipeline(&stages, &PlanInputs::new(&VULKAN_1_3_DESKTOP)).unwrap()
    };
    assert_eq!(plan(&metadata), plan(&part));
}
