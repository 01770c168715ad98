//! The programs of `translator/examples`, on committed containers. Each is compiled into this test
//! and called as its `main` calls it, so that a test never runs an older build of it.

#[expect(dead_code, reason = "tests call `run`, and not the `main` around it")]
#[path = "../../examples/own_profile.rs"]
mod own_profile;
#[expect(dead_code, reason = "tests call `run`, and not the `main` around it")]
#[path = "../../examples/plan_root_signature.rs"]
mod plan_root_signature;
#[expect(dead_code, reason = "tests call `run`, and not the `main` around it")]
#[path = "../../examples/translate_file.rs"]
mod translate_file;

use std::error::Error;
use std::path::PathBuf;

use dxil_spirv_builder::disassemble;

type Ran = Result<String, Box<dyn Error>>;

fn fixture(name: &str) -> String {
    format!("{}/../tests/fixtures/{name}.dxil", env!("CARGO_MANIFEST_DIR"))
}

/// Runs an example; the names of fixtures are given without folder and extension.
fn run(example: fn(&[String]) -> Ran, fixtures: &[&str], rest: &[&str]) -> Ran {
    let rest = rest.iter().map(|&argument| argument.to_owned());
    let arguments: Vec<String> = fixtures.iter().map(|name| fixture(name)).chain(rest).collect();
    example(&arguments)
}

/// An output file that no earlier run has left.
fn fresh(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}

fn module(path: &PathBuf) -> String {
    let bytes = std::fs::read(path).unwrap();
    assert_eq!(bytes.len() % 4, 0);
    let words: Vec<u32> = bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    disassemble(&words).unwrap()
}

#[test]
fn a_file_is_translated() {
    let out = fresh("example.spv");
    let arguments = [out.to_str().unwrap(), "ps_main", "t=100,s=300"];
    let text = run(translate_file::run, &["graphics/sample.ps"], &arguments).unwrap();
    let bytes = std::fs::metadata(&out).unwrap().len();
    let expected = format!(
        "pixel shader `ps_main`, {bytes} bytes of SPIR-V\n\
         t0 space0 Texture2D<f32>: {{ set = 0, binding = 100, type = \"sampled_image\" }}\n\
         s0 space0 SamplerState: {{ set = 0, binding = 300, type = \"sampler\" }}\n"
    );
    assert_eq!(text, expected);
    let module = module(&out);
    assert!(module.contains("OpEntryPoint Fragment") && module.contains("\"ps_main\""), "{module}");
    assert!(module.contains("Binding 100") && module.contains("Binding 300"), "{module}");
}

#[test]
fn an_entry_point_of_a_library_is_chosen() {
    let (main, other) = (fresh("example_main.spv"), fresh("example_other.spv"));
    let shifts = "t=100,u=200,s=300";
    for (entry, out) in [("main", &main), ("other", &other)] {
        run(translate_file::run, &["stages/library"], &[out.to_str().unwrap(), entry, shifts]).unwrap();
        assert!(module(out).contains(&format!("\"{entry}\"")));
    }
    // `other` alone uses groupshared memory.
    let has_shared_memory =
        |out| module(out).lines().any(|line| line.contains("OpVariable") && line.ends_with("Workgroup"));
    assert_eq!((has_shared_memory(&main), has_shared_memory(&other)), (false, true));

    let out = fresh("example_none.spv");
    let error = run(translate_file::run, &["stages/library"], &[out.to_str().unwrap()]).unwrap_err();
    assert!(error.to_string().contains("name one of `main`, `other`"), "{error}");
    let error = run(translate_file::run, &["stages/library"], &[out.to_str().unwrap(), "main"]).unwrap_err();
    assert!(error.to_string().starts_with("binding at `words` (resource t0 space0): "), "{error}");
    assert!(!out.exists(), "a refused translation leaves no file");
    assert!(run(translate_file::run, &["stages/library"], &[]).unwrap_err().to_string().starts_with("usage: "));
}

/// By hand from `pipeline.hlsl` and docs/bindings.md: 6 parameters, 2 of them tables, so that set 2
/// has the root descriptors at 0 and 4 and the static samplers at 6 and 7.
const LAYOUT: &str = "set 0
  binding 2: sampled_image, count 3, stages 0x11
  binding 7: uniform_texel_buffer, count 1, stages 0x10
  binding 9: storage_buffer, count 1, stages 0x10
  binding 20: uniform_buffer, count 1, stages 0x10
  binding 1009: storage_buffer, count 1, stages 0x10
set 1
  binding 1: sampler, count 1, stages 0x10
set 2
  binding 0: uniform_buffer, count 1, stages 0x1
  binding 4: storage_buffer, count 1, stages 0x1
  binding 7: sampler, count 1, stages 0x10, immutable sampler
push constants: bytes 0 to 24, stages 0x11
immutable sampler: set 2 binding 7: StaticSampler(s1, filter=FILTER_ANISOTROPIC,";

#[test]
fn a_root_signature_is_planned() {
    let stages = ["root-signatures/pipeline.vs", "root-signatures/pipeline.ps"];
    let text = run(plan_root_signature::run, &stages, &[]).unwrap();
    assert!(text.starts_with("RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT),\n"), "{text}");
    assert!(text.contains(LAYOUT), "{text}");
    assert!(text.contains("the application's layout fits; same places: true\n"), "{text}");
    // The first binding is the array t2, which both stages use; nothing else is wrong. The last
    // line says how to find a layout that fits.
    let (_, refused) = text.split_once("without its first binding: binding at resource ").expect(&text);
    let lines: Vec<&str> = refused.lines().collect();
    assert_eq!(lines.len(), 3, "{refused}");
    assert!(
        lines[0].starts_with("t3 space0 ")
            && !lines[0].contains("t3 space0: ")
            && lines[1].starts_with("t2[3] space0 "),
        "{refused}"
    );
    assert!(lines[2].starts_with("`dxil2spv layout` prints the pipeline layout to declare"), "{refused}");

    let error = run(plan_root_signature::run, &["graphics/sample.ps"], &[]).unwrap_err();
    assert_eq!(error.to_string(), "no file has a root signature");
}

#[test]
fn a_profile_decides_what_is_needed_and_which_form_is_written() {
    let text = run(own_profile::run, &["types/int64"], &[]).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("missing feature shaderInt64 at "), "{text}");
    assert_eq!(lines[1], "enabled now: VkPhysicalDeviceFeatures::shaderInt64");
    assert!(lines[2].starts_with("translated to ") && lines.len() == 4, "{text}");

    let text = run(own_profile::run, &["graphics/discard.ps"], &[]).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert!(lines[0].starts_with("translated to ") && lines[0].ends_with("demotes: false"), "{text}");
    let (feature, demotes) = ("with shaderDemoteToHelperInvocation: ", "demotes: true");
    assert!(lines[1].starts_with(feature) && lines[1].ends_with(demotes), "{text}");
}
