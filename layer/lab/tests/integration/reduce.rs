//! `dxil-lab reduce` from outside, and its search on SPIR-V of this repository.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use dxil_lab::reduce::{Limits, ReduceError, Reduced, reduce};
use dxil_lab::valid::Validator;
use dxil_test_support::spirv::{self, instructions};
use serde_json::Value;

use crate::common::{Folder, driver, lab, lavapipe, succeed, synth};

fn content(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/content").join(name)
}

fn words(path: &Path) -> Vec<u32> {
    spirv::words(&fs::read(path).unwrap())
}

/// The opcodes of a module, in their order, and the numbers of extended instructions.
fn opcodes(words: &[u32]) -> Vec<(u16, u32)> {
    let number = |op, operands: &[u32]| if op == EXT_INST { operands[3] } else { 0 };
    instructions(words).map(|(op, operands)| (op as u16, number(op as u16, operands))).collect()
}

const EXT_INST: u16 = 12;
/// The limits of a search that nothing ends.
const ENDLESS: Limits = Limits { questions: usize::MAX, time: Duration::from_secs(3600), stop: None };

/// Reduces a module to what still has an opcode (with a number, of extended instructions). Every
/// module that is asked about is valid.
fn reduced(words: &[u32], kept: (u16, u32), limits: Limits) -> Reduced {
    let validator = Validator::new(words, ash::vk::API_VERSION_1_3).unwrap();
    let valid = RefCell::new(Vec::new());
    let validate = |words: &[u32]| {
        let is_valid = validator.check(words).is_ok();
        if is_valid {
            words.clone_into(&mut valid.borrow_mut());
        }
        is_valid
    };
    let mut interesting = |words: &[u32]| {
        // The search asks about the module that it found valid last.
        assert!(words == *valid.borrow() || validator.check(words).is_ok());
        Ok(opcodes(words).contains(&kept))
    };
    reduce(words, &validate, &mut interesting, limits).unwrap()
}

/// The text of a module as words.
fn assembled(text: &str) -> Vec<u32> {
    use spirv_tools::assembler::{self, Assembler as _};
    let assembler = assembler::create(Some(spirv_tools::TargetEnv::Vulkan_1_3));
    AsRef::<[u32]>::as_ref(&assembler.assemble(text, Default::default()).unwrap()).to_vec()
}

#[test]
fn a_module_of_another_compiler_becomes_small_and_stays_valid() {
    let (mut modules, mut most) = (0, 0);
    for folder in fs::read_dir(content("")).unwrap().map(|folder| folder.unwrap().path()).filter(|path| path.is_dir()) {
        let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
        for file in files.filter(|file| file.extension().is_some_and(|ending| ending == "spv")) {
            let words = words(&file);
            // The last extended instruction, or the last store.
            let all = opcodes(&words);
            let last = |op: u16| all.iter().rev().find(|(found, _)| *found == op).copied();
            let Some(kept) = last(EXT_INST).or(last(62)) else { continue };
            let result = reduced(&words, kept, ENDLESS);
            assert!(opcodes(&result.words).contains(&kept), "{}", file.display());
            assert!(!result.ended && result.instructions <= 40, "{}: {result:?}", file.display());
            modules += 1;
            most = most.max(result.asked);
        }
    }
    println!("{modules} modules, at most {most} questions for one");
    assert!(modules > 100, "{modules}");
}

#[test]
fn the_same_module_gives_the_same_words() {
    let words = words(&content("path_tracer/path_tracer.trace.cs.spv"));
    let sqrt = (EXT_INST, 31);
    let first = reduced(&words, sqrt, ENDLESS);
    assert_eq!(first, reduced(&words, sqrt, ENDLESS));
    assert!(first.instructions * 50 < first.instructions_before, "{first:?}");
}

#[test]
fn a_limit_ends_a_search_with_what_it_has() {
    let words = words(&content("path_tracer/path_tracer.trace.cs.spv"));
    let sqrt = (EXT_INST, 31);
    let some = reduced(&words, sqrt, Limits { questions: 10, ..ENDLESS });
    assert!(some.ended && some.asked == 10 && some.steps > 0, "{some:?}");
    assert!(opcodes(&some.words).contains(&sqrt));
    let none = reduced(&words, sqrt, Limits { time: Duration::ZERO, ..ENDLESS });
    assert!(none.ended && none.words == words);
}

#[test]
fn what_is_no_module_is_an_error() {
    let mut never = |_: &[u32]| -> Result<bool, ReduceError> { panic!("asked about what is no module") };
    for words in [&[][..], &[0x0723_0203], &[0x0723_0203, 0x1_0000, 0, 10, 0, 0xffff_0001]] {
        let error = reduce(words, &|_| true, &mut never, ENDLESS).unwrap_err();
        assert!(error.to_string().starts_with("the SPIR-V cannot be read"), "{error}");
    }
}

#[test]
fn the_error_of_a_question_ends_the_search() {
    let words = words(&content("path_tracer/path_tracer.trace.cs.spv"));
    let error = reduce(&words, &|_| true, &mut |_| Err(ReduceError::NoResult), ENDLESS).unwrap_err();
    assert!(matches!(error, ReduceError::NoResult), "{error}");
}

/// A call, a switch, a loop with a phi, and an instruction to keep in the middle of them.
const STRUCTURED: &str = "
    OpCapability Shader
    %ext = OpExtInstImport \"GLSL.std.450\"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main \"main\" %buffer
    OpExecutionMode %main LocalSize 8 8 1
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
    OpDecorate %buffer DescriptorSet 0
    OpDecorate %buffer Binding 0
    %void = OpTypeVoid
    %bool = OpTypeBool
    %uint = OpTypeInt 32 0
    %float = OpTypeFloat 32
    %block = OpTypeStruct %float
    %to_block = OpTypePointer StorageBuffer %block
    %to_float = OpTypePointer StorageBuffer %float
    %procedure = OpTypeFunction %void
    %function = OpTypeFunction %float %float
    %zero = OpConstant %uint 0
    %one = OpConstant %uint 1
    %ten = OpConstant %uint 10
    %half = OpConstant %float 0.5
    %buffer = OpVariable %to_block StorageBuffer
    %main = OpFunction %void None %procedure
    %entry = OpLabel
    %place = OpAccessChain %to_float %buffer %zero
    %start = OpLoad %float %place
    OpBranch %head
    %head = OpLabel
    %count = OpPhi %uint %zero %entry %next %step
    %sum = OpPhi %float %start %entry %more %step
    %goes_on = OpULessThan %bool %count %ten
    OpLoopMerge %done %step None
    OpBranchConditional %goes_on %body %done
    %body = OpLabel
    OpSelectionMerge %after None
    OpSwitch %count %other 0 %first 1 %second
    %first = OpLabel
    %root = OpExtInst %float %ext Sqrt %sum
    OpBranch %after
    %second = OpLabel
    %called = OpFunctionCall %float %helper %sum
    OpBranch %after
    %other = OpLabel
    OpBranch %after
    %after = OpLabel
    %value = OpPhi %float %root %first %called %second %half %other
    %more = OpFAdd %float %value %sum
    OpBranch %step
    %step = OpLabel
    %next = OpIAdd %uint %count %one
    OpBranch %head
    %done = OpLabel
    OpStore %place %sum
    OpReturn
    OpFunctionEnd
    %helper = OpFunction %float None %function
    %given = OpFunctionParameter %float
    %within = OpLabel
    %doubled = OpFAdd %float %given %given
    %sine = OpExtInst %float %ext Sin %doubled
    OpReturnValue %sine
    OpFunctionEnd";

#[test]
fn control_flow_that_the_fault_does_not_need_goes() {
    let words = assembled(STRUCTURED);
    let sqrt = reduced(&words, (EXT_INST, 31), ENDLESS);
    // Shader, the import, memory model, entry point, mode; void, its function, float, a zero; and a
    // function of four around the instruction.
    assert_eq!(sqrt.instructions, 14, "{sqrt:?}");
    // Shader, memory model, entry point, mode; void, its function, uint, a zero; and a function of
    // six: the switch needs a merge instruction and a block behind it.
    let switch = reduced(&words, (251, 0), ENDLESS);
    assert_eq!(switch.instructions, 15, "{switch:?}");
    // Five as above; void, float, two types of functions, a zero; main of four without the call,
    // and the function of six.
    let sine = reduced(&words, (EXT_INST, 13), ENDLESS);
    assert_eq!(sine.instructions, 20, "{sine:?}");
}

/// The most instructions that are left of the deferred lighting, which has fewer than twenty times
/// as many: a twentieth of the 709 that it has with an instruction for each component of a vector.
const MOST_OF_LIGHTING: u64 = 35;

/// An injected fault: its name, the pipeline's label, the stage, arguments.
type InjectedFault = (&'static str, &'static str, &'static str, &'static [&'static str]);

/// Reduces a content shader on a driver with an injected fault, and has the bundle show it.
fn injected((fault, label, stage, more): InjectedFault, inputs: &[&str]) {
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new(&format!("reduce-{}", fault.split('@').next().unwrap()));
    let capture = folder.at("capture");
    let list = synth(&capture, &inputs.iter().map(|name| content(name)).collect::<Vec<_>>());
    let pipeline = list.pipelines.iter().find(|it| it.label.contains(label)).unwrap().pipeline.to_string();
    let bundle = folder.at("bundle");
    let mut command = lab();
    command.arg("reduce").arg(&capture).arg(&pipeline[..12]).args(["--driver", &driver, "--json", "--out"]);
    command.arg(&bundle).args(["--inject", fault]).args(more);
    let report: Value = serde_json::from_str(&succeed(&mut command)).unwrap();
    let of = report["stages"].as_array().unwrap().iter().find(|it| it["stage"] == stage).unwrap();
    let count = |name: &str| of[name].as_u64().unwrap();
    println!(
        "{fault}, {label}: {} of {} instructions, {} steps, {} questions, {:.1} s",
        count("instructions"),
        count("instructions_before"),
        report["steps"],
        report["questions"],
        report["seconds"].as_f64().unwrap()
    );
    let most = if label == "deferred_pbr.light" { MOST_OF_LIGHTING } else { count("instructions_before") / 20 };
    assert!(count("instructions") <= most, "{report}");
    assert!(report["complete"] == true && report["confirmed"] == true, "{report}");
    for stage in report["stages"].as_array().unwrap() {
        assert_eq!(stage["valid"], true, "{report}");
        let words = words(&bundle.join(format!("reduced.{}.spv", stage["stage"].as_str().unwrap())));
        Validator::new(&words, ash::vk::API_VERSION_1_3).unwrap();
    }
    // The bundle's command sees the fault, and sees that it is not there where it is mended.
    let run = |more: &[&str]| {
        let mut command = std::process::Command::new("sh");
        command.arg(bundle.join("command.sh")).args(more).env("DXIL_LAB", env!("CARGO_BIN_EXE_dxil-lab"));
        command.output().unwrap()
    };
    let shown = run(&[]);
    assert_eq!(shown.status.code(), Some(1), "{}", String::from_utf8_lossy(&shown.stderr));
    let text = String::from_utf8_lossy(&shown.stdout).into_owned();
    let expected = match fault.split('@').next().unwrap() {
        "crash" | "memory" => "crashed: signal 6 (SIGABRT)",
        "error" => "rejected by the driver: vkCreateGraphicsPipelines: ERROR_UNKNOWN",
        "hang" => "timed out: no answer within 1 s",
        "message" => "VUID-injected-message-00001",
        other => panic!("{other}"),
    };
    assert!(text.contains(expected), "{text}");
    let script = fs::read_to_string(bundle.join("command.sh")).unwrap();
    let without = script.replace(&format!("--inject {fault}"), "");
    assert_ne!(script, without);
    fs::write(bundle.join("command.sh"), without).unwrap();
    let mended = run(&[driver.as_str()]);
    assert_eq!(mended.status.code(), Some(0), "{}", String::from_utf8_lossy(&mended.stdout));
}

#[test]
fn a_crash_in_the_path_tracer() {
    injected(
        ("crash@loop.Sqrt", "path_tracer.trace.cs", "compute", &["--no-validation"]),
        &["path_tracer/path_tracer.trace.cs.dxil"],
    );
}

#[test]
fn an_error_in_temporal_antialiasing() {
    injected(
        ("error@ImageSampleExplicitLod", "taa.resolve_even", "fragment", &[]),
        &["taa/taa.resolve_even.ps.dxil", "taa/taa.resolve_even.vs.dxil"],
    );
}

#[test]
fn a_hang_in_deferred_lighting() {
    let more = &["--no-validation", "--timeout", "1"];
    injected(
        ("hang@ImageSampleDrefExplicitLod", "deferred_pbr.light", "fragment", more),
        &["deferred_pbr/deferred_pbr.light.ps.dxil", "deferred_pbr/deferred_pbr.light.vs.dxil"],
    );
}

#[test]
fn memory_in_the_visibility_buffer() {
    injected(
        ("memory@ImageWrite", "visibility_buffer.shade.cs", "compute", &["--no-validation", "--memory", "8192"]),
        &["visibility_buffer/visibility_buffer.shade.cs.dxil"],
    );
}

#[test]
fn a_message_in_a_geometry_shader() {
    injected(("message@EmitVertex", "geometry_particles.sprites", "geometry", &[]), &["geometry_particles"]);
}

#[test]
fn what_has_no_fault_is_refused_and_leaves_nothing() {
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("reduce-none");
    let capture = folder.at("capture");
    let list = synth(&capture, &[content("path_tracer/path_tracer.trace.cs.dxil")]);
    let out = folder.at("bundle");
    let run = |pipeline: &str| {
        let mut command = lab();
        command.arg("reduce").arg(&capture).arg(pipeline).args(["--driver", &driver, "--no-validation", "--out"]);
        let output = command.arg(&out).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let text = run(&list.pipelines[0].pipeline.to_string());
    assert!(text.contains("there is no fault to keep"), "{text}");
    assert!(!out.exists());
    let text = run("nothing");
    assert!(text.contains("the capture has no pipeline whose name begins with `nothing`"), "{text}");
}

/// Reduces a difference between lavapipe and a lavapipe with an injected fault of its compiler, and
/// has the bundle show it. The instructions that are left are those of the stage, and their
/// opcodes.
fn differing(fault: &str, input: &str, stage: &str) -> Option<(usize, usize, Vec<u16>)> {
    let driver = lavapipe()?;
    let folder = Folder::new(&format!("reduce-{fault}"));
    let capture = folder.at("capture");
    let list = synth(&capture, &[content(input)]);
    let bundle = folder.at("bundle");
    let mut command = lab();
    command.arg("reduce").arg(&capture).arg(list.pipelines[0].pipeline.to_string());
    command.args(["--driver", &driver, "--against", &driver, "--no-validation", "--json", "--inject", fault, "--out"]);
    let report: Value = serde_json::from_str(&succeed(command.arg(&bundle))).unwrap();
    assert!(report["complete"] == true && report["confirmed"] == true, "{report}");
    let of = report["stages"].as_array().unwrap().iter().find(|it| it["stage"] == stage).unwrap();
    assert_eq!(of["valid"], true, "{report}");
    let count = |name: &str| of[name].as_u64().unwrap() as usize;
    let (left, before) = (count("instructions"), count("instructions_before"));
    let (steps, questions, seconds) = (&report["steps"], &report["questions"], report["seconds"].as_f64().unwrap());
    println!("{fault}, {input}: {left} of {before}, {steps} steps, {questions} questions, {seconds:.1} s");
    assert!(!bundle.join("candidates").exists());

    let run = || {
        let mut command = std::process::Command::new("sh");
        command.arg(bundle.join("command.sh")).env("DXIL_LAB", env!("CARGO_BIN_EXE_dxil-lab"));
        command.output().unwrap()
    };
    let shown = run();
    let text = String::from_utf8_lossy(&shown.stdout);
    assert!(shown.status.code() == Some(1) && text.contains("1 different"), "{text}");
    let script = fs::read_to_string(bundle.join("command.sh")).unwrap();
    let without = script.replace(&format!("--inject {fault}"), "");
    assert_ne!(script, without);
    fs::write(bundle.join("command.sh"), without).unwrap();
    let mended = run();
    let text = String::from_utf8_lossy(&mended.stdout);
    assert!(mended.status.success() && text.contains("1 equal"), "{text}");
    let words = words(&bundle.join(format!("reduced.{stage}.spv")));
    Some((left, before, opcodes(&words).into_iter().map(|(op, _)| op).collect()))
}

const F_SUB: u16 = 131;
const CONTROL_BARRIER: u16 = 224;

#[test]
fn swapped_operands_in_the_visibility_buffer() {
    let input = "visibility_buffer/visibility_buffer.shade.cs.dxil";
    let Some((left, before, opcodes)) = differing("swap", input, "compute") else { return };
    assert!(left * 20 <= before, "{left} of {before}");
    assert!(opcodes.contains(&F_SUB), "{opcodes:?}");
}

#[test]
fn dropped_barriers_in_culling() {
    let input = "gpu_driven_culling/gpu_driven_culling.cull.cs.dxil";
    let Some((left, before, opcodes)) = differing("barrier", input, "compute") else { return };
    // Shared memory, what is written to it and read from it, and a result are more than of other
    // faults.
    assert!(left * 10 <= before, "{left} of {before}");
    assert!(opcodes.contains(&CONTROL_BARRIER), "{opcodes:?}");
}

#[test]
fn a_crash_in_the_command_of_a_set_layout_is_reduced() {
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("reduce-layout");
    let (capture, bundle) = (folder.at("capture"), folder.at("bundle"));
    let list = synth(&capture, &[content("cloth/cloth.normals.cs.dxil")]);
    let with = |command: &mut std::process::Command| {
        command.args(["--driver", &driver, "--no-validation", "--json", "--inject", "layout", "--out"]);
    };
    let mut run = lab();
    with(run.arg("run").arg(&capture));
    assert_eq!(run.arg(folder.at("results")).output().unwrap().status.code(), Some(1));
    let file = fs::read_dir(folder.at("results")).unwrap().next().unwrap().unwrap().path();
    let rows = dxil_lab::results::Results::read(&file).unwrap().rows;
    let row = rows.values().next().unwrap();
    assert_eq!((row.call.as_deref(), &row.detail[..]), (Some("vkCreateDescriptorSetLayout"), "signal 6 (SIGABRT)"));
    assert!(row.backtrace.iter().any(|line| line.starts_with("libc.so")), "{row:?}");
    // What a reduction leaves that was killed is no obstacle.
    fs::create_dir_all(bundle.join("original")).unwrap();
    let mut command = lab();
    with(command.arg("reduce").arg(&capture).arg(list.pipelines[0].pipeline.to_string()));
    let report: Value = serde_json::from_str(&succeed(command.arg(&bundle))).unwrap();
    assert!(report["complete"] == true && report["confirmed"] == true, "{report}");
    assert_eq!(report["fault"]["call"], "vkCreateDescriptorSetLayout", "{report}");
    // The code has no part in it, and is all but gone.
    assert!(report["stages"][0]["instructions"].as_u64().unwrap() <= 10, "{report}");
    let readme = fs::read_to_string(bundle.join("README.md")).unwrap();
    assert!(readme.contains("in vkCreateDescriptorSetLayout") && readme.contains("libc.so"), "{readme}");
    // A bundle is one.
    let mut command = lab();
    with(command.arg("reduce").arg(&capture).arg(list.pipelines[0].pipeline.to_string()));
    let text = String::from_utf8_lossy(&command.arg(&bundle).output().unwrap().stderr).into_owned();
    assert!(text.contains("is there already"), "{text}");
}

#[test]
fn equal_results_are_no_fault() {
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("reduce-equal");
    let capture = folder.at("capture");
    let list = synth(&capture, &[content("cloth/cloth.init.cs.dxil")]);
    let mut command = lab();
    command.arg("reduce").arg(&capture).arg(list.pipelines[0].pipeline.to_string());
    command.args(["--driver", &driver, "--against", &driver, "--no-validation", "--out"]).arg(folder.at("bundle"));
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && text.contains("there is no difference to keep"), "{text}");
    assert!(!folder.at("bundle").exists());
}

#[test]
fn a_reduction_that_is_interrupted_has_a_bundle() {
    use std::os::unix::process::CommandExt as _;
    use std::process::{Command, Stdio};
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("reduce-interrupted");
    let capture = folder.at("capture");
    let list = synth(&capture, &[content("path_tracer/path_tracer.trace.cs.dxil")]);
    let bundle = folder.at("bundle");
    let mut command = lab();
    command.arg("reduce").arg(&capture).arg(list.pipelines[0].pipeline.to_string());
    command.args(["--driver", &driver, "--no-validation", "--json", "--inject", "crash@loop.Sqrt", "--out"]);
    let child = command.arg(&bundle).process_group(0).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Once a few smaller pipelines had the fault, which stay in the folder of candidates until the
    // end.
    let candidates = bundle.join("candidates/blobs");
    let count = || fs::read_dir(&candidates).map_or(0, Iterator::count);
    for _ in 0..600 {
        if count() >= 5 {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    // As a terminal does: the lab and the processes of the driver.
    let group = format!("-{}", child.id());
    assert!(Command::new("kill").args(["-INT", "--", &group]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["complete"] == false && report["confirmed"] == true, "{report}");
    let of = &report["stages"][0];
    assert!(of["valid"] == true && of["instructions"].as_u64() < of["instructions_before"].as_u64(), "{report}");
    assert!(!bundle.join("candidates").exists());
}

/// In the second round pixels differ at edges of triangles alone, which makes results close. The
/// third round has the difference.
#[test]
fn a_difference_at_edges_is_not_the_one_that_is_reduced() {
    let (Some(lavapipe), Some(swiftshader)) = (lavapipe(), driver("SWIFTSHADER")) else { return };
    let folder = Folder::new("reduce-edges");
    let capture = folder.at("capture");
    let list = synth(&capture, &["vs", "ps"].map(|stage| content(&format!("taa/taa.scene.{stage}.dxil"))));
    let mut command = lab();
    command.arg("reduce").arg(&capture).arg(list.pipelines[0].pipeline.to_string());
    command.args(["--driver", &swiftshader, "--against", &lavapipe, "--no-validation", "--json", "--questions", "4"]);
    let report: Value = serde_json::from_str(&succeed(command.arg("--out").arg(folder.at("bundle")))).unwrap();
    let detail = report["fault"]["detail"].as_str().unwrap();
    assert!(detail.contains("round 2, target") && report["steps"].as_u64() > Some(0), "{report}");
}
