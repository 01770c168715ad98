//! `dxil-lab exec` from outside: what pipelines write, and what two drivers make of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use dxil_capture::model::{Attachment, Code, Record, Reference, RenderPass, Subpass, Target};
use dxil_capture::{Capture, Digest, Writer};
use dxil_lab::exec::compare::{Comparison, Verdict};
use dxil_lab::results::{Outcome, Results, Row, output_path};
use dxil_test_support::mix;
use dxil_test_support::spirv::words;

use crate::common::{Folder, driver, lab, lavapipe, said, succeed, synth};

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests")
}

/// `dxil-lab exec`, and its comparison.
fn exec(capture: &Path, driver: &str, against: &str, more: &[&str]) -> (Output, Vec<Comparison>) {
    let mut command = lab();
    command.arg("exec").arg(capture).args(["--driver", driver, "--against", against, "--jobs", "2"]).args(more);
    let output = command.output().unwrap();
    let stem = |path: &str| Path::new(path).file_stem().unwrap().to_str().unwrap().to_owned();
    let (mut tested, reference) = (stem(driver), stem(against));
    if tested == reference {
        tested += "-again";
    }
    let file = capture.join("exec").join(format!("{tested}-against-{reference}.json"));
    let text = fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("{}: {error}; {}", file.display(), String::from_utf8_lossy(&output.stderr)));
    (output, serde_json::from_str(&text).unwrap())
}

/// SplitMix64 of a place, as docs/lab.md gives it for seed 0.
fn bits(set: u64, binding: u64, index: u64) -> u64 {
    bits_of(set << 48 ^ binding << 16, index)
}

fn bits_of(stream: u64, index: u64) -> u64 {
    mix(stream.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(index.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

/// tests/fixtures/buffer/raw_read_write.hlsl in Rust.
#[test]
fn a_buffer_has_what_a_model_says() {
    let Some(lavapipe) = lavapipe() else { return };
    let folder = Folder::new("exec-model");
    let list = synth(&folder.at("capture"), &[tests().join("fixtures/buffer/raw_read_write.dxil")]);
    let (output, comparisons) = exec(&folder.at("capture"), &lavapipe, &lavapipe, &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(comparisons.iter().map(|it| it.verdict).collect::<Vec<_>>(), [Verdict::Equal]);

    let pipeline = list.pipelines[0].pipeline;
    let stem = Path::new(&lavapipe).file_stem().unwrap();
    let out = folder.at("capture/exec/outputs").join(stem);
    let bytes = fs::read(output_path(&out, pipeline, 0)).unwrap();
    let found = words(&bytes);

    // The device says how long it took, and two results are compared by that.
    let file = Results::path(&folder.at("capture/exec"), stem.to_str().unwrap());
    let rows = Results::open(&file).unwrap().rows;
    assert!(rows[&pipeline].execution.as_ref().unwrap().device_ns.is_some_and(|time| time > 0));
    let said = succeed(lab().arg("diff").arg(&file).arg(&file));
    assert!(said.lines().any(|line| line.starts_with("time on the device, ns: ") && line.contains(" in 1 pipelines;")));

    // Register u0 is binding 512, and four groups of 64 threads run.
    let mut words: Vec<u32> = (0..found.len() as u64).map(|index| (bits(0, 512, index * 4) % 33) as u32).collect();
    for thread in 0..4 * 64 {
        let at = thread * 4;
        let [x, y, z, w] = [words[at], words[at + 1], words[at + 2], words[at + 3]];
        (words[at + 2], words[at + 3]) = (x + z, y + w);
        words[at] = words[at + 2] ^ words[at + 3];
    }
    assert_eq!(found, words);
}

#[test]
fn two_drivers_agree_on_compute_and_drawing() {
    let (Some(lavapipe), Some(swiftshader)) = (lavapipe(), driver("SWIFTSHADER")) else { return };
    let folder = Folder::new("exec-agree");
    let inputs = ["fixtures/graphics/cbuffer_transform.vs.dxil", "fixtures/graphics/cbuffer_transform.ps.dxil"];
    let mut inputs: Vec<PathBuf> = inputs.iter().map(|name| tests().join(name)).collect();
    inputs.extend(["content/cloth", "content/fft"].map(|name| tests().join(name)));
    let list = synth(&folder.at("capture"), &inputs);
    let (output, comparisons) = exec(&folder.at("capture"), &swiftshader, &lavapipe, &[]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(comparisons.len(), list.pipelines.len());
    let labels = list.labels();
    let mut agreed = 0;
    for comparison in &comparisons {
        match comparison.verdict {
            Verdict::Equal | Verdict::Close => agreed += 1,
            // SwiftShader lacks 16-bit floats, and the layer says so.
            Verdict::OneSided => assert!(comparison.detail.contains("missing feature "), "{comparison:?}"),
            _ => panic!("{}: {comparison:?}", labels[&comparison.pipeline]),
        }
    }
    assert!(agreed >= 12, "{agreed} of {}: {text}", comparisons.len());
    // Agreement on nothing would be none: every pipeline that ran has written something.
    let stem = Path::new(&swiftshader).file_stem().unwrap().to_str().unwrap();
    let results = Results::open(&Results::path(&folder.at("capture/exec"), stem)).unwrap();
    for row in results.rows.values().filter(|row| row.outcome == Outcome::Executed) {
        let execution = row.execution.as_ref().unwrap();
        assert!(execution.outputs.iter().any(|it| it.is_changed), "{}: {row:?}", labels[&row.pipeline]);
    }
}

#[test]
fn other_seeds_and_edges_are_other_inputs() {
    let Some(lavapipe) = lavapipe() else { return };
    let folder = Folder::new("exec-seeds");
    let list = synth(&folder.at("capture"), &[tests().join("fixtures/buffer/raw_read_write.dxil")]);
    let pipeline = list.pipelines[0].pipeline;
    let stem = Path::new(&lavapipe).file_stem().unwrap().to_str().unwrap();
    let digest = |more: &[&str]| -> Digest {
        let out = folder.at("capture/exec");
        let _ = fs::remove_dir_all(&out);
        exec(&folder.at("capture"), &lavapipe, &lavapipe, more);
        Results::open(&Results::path(&out, stem)).unwrap().rows[&pipeline].execution.as_ref().unwrap().outputs[0].digest
    };
    let (first, again) = (digest(&["--seed", "1"]), digest(&["--seed", "1"]));
    assert_eq!(first, again);
    assert_ne!(first, digest(&["--seed", "2"]));
    assert_ne!(first, digest(&["--seed", "1", "--bounds", "edge"]));
}

#[test]
fn what_the_lab_cannot_run_is_said() {
    let Some(lavapipe) = lavapipe() else { return };
    let folder = Folder::new("exec-cannot");
    // Calls that may have no end, payloads that the lab cannot tell apart, a library without a
    // shader that generates rays, and a shader that accesses a counter beyond its heap.
    let names = ["tracing/reinterpreted", "tracing/empty", "rays/mixed.lib2", "heaps/counters_addresses"];
    synth(&folder.at("capture"), &names.map(|name| tests().join(format!("fixtures/{name}.dxil"))));
    let (_, comparisons) = exec(&folder.at("capture"), &lavapipe, &lavapipe, &[]);
    let mut reasons: Vec<&str> = comparisons.iter().map(|it| it.detail.as_str()).collect();
    assert!(comparisons.iter().all(|it| it.verdict == Verdict::NotExecuted), "{comparisons:?}");
    let expected = [
        "the lab does not trace rays with callable or miss shaders that may call one another",
        "the lab does not trace rays with payloads of several sizes",
        "the lab does not trace rays with pipeline libraries",
        " descriptors, and a shader accesses number ",
    ];
    for text in expected {
        let found = reasons.iter().position(|reason| reason.contains(text));
        reasons.remove(found.unwrap_or_else(|| panic!("{text}: {reasons:?}")));
    }
    assert!(reasons.is_empty(), "{reasons:?}");
}

/// Ray-tracing pipelines trace rays, of one library or several, with shader records or without, and
/// recursively.
#[test]
fn ray_tracing_pipelines_run() {
    let Some(lavapipe) = lavapipe() else { return };
    let folder = Folder::new("exec-trace");
    let names = [
        "rays/pipeline",
        "rays/linked.lib0",
        "rays/linked.lib1",
        "rays/random_scene",
        "rays/record_hits",
        "rays/record_structures.rays.lib",
        "rays/record_words",
        "tracing/miss_traces",
        "tracing/recursion",
    ];
    let list = synth(&folder.at("capture"), &names.map(|name| tests().join(format!("fixtures/{name}.dxil"))));
    // With the lab's inputs, several rays of these write one element, so that runs may differ.
    let races = ["record_structures.rays.lib", "record_words", "recursion"];
    let (output, comparisons) = exec(&folder.at("capture"), &lavapipe, &lavapipe, &[]);
    let differs = comparisons.iter().any(|it| it.verdict == Verdict::Differs);
    assert_eq!(output.status.success(), !differs, "{}", String::from_utf8_lossy(&output.stdout));
    let labels = list.labels();
    let rows = rows(&folder, &lavapipe);
    // The two libraries are one pipeline.
    assert_eq!(comparisons.len(), names.len() - 1);
    for it in &comparisons {
        let (label, row) = (&labels[&it.pipeline], &rows[&it.pipeline]);
        let is_run = match it.verdict {
            Verdict::Equal => true,
            Verdict::Unstable | Verdict::Differs => races.contains(&label.as_str()),
            _ => false,
        };
        assert!(is_run && row.validation.is_empty(), "{label}: {it:?} {row:?}");
        assert!(row.execution.as_ref().unwrap().outputs.iter().any(|it| it.is_changed), "{label}: {row:?}");
    }
    // The last four elements of record_words are of one ray each, which meets nothing.
    let pipeline = list.pipelines.iter().find(|it| it.label == "record_words").unwrap().pipeline;
    let outputs = &rows[&pipeline].execution.as_ref().unwrap().outputs;
    let index = outputs.iter().position(|it| it.name == "set 0, binding 512").unwrap();
    let stem = Path::new(&lavapipe).file_stem().unwrap();
    let bytes = fs::read(output_path(&folder.at("capture/exec/outputs").join(stem), pipeline, index)).unwrap();
    let found = words(&bytes);
    // The first constant of a record, a power of two: of the tables of miss shaders (0), callable
    // shaders (2) and the ray generation shader, which is the third group.
    let first = |table: u64, record: u64| 1 << (bits_of(0xfffc << 48 | table << 32 | record, 0) % 6);
    for x in 12..16 {
        let expected: u32 = first(2 + 3, 0) + first(0, 15) + first(2, x & 1);
        assert_eq!(found[15 * 4 + x as usize], expected, "{x}");
    }
}

/// The rows of `exec`.
fn rows(folder: &Folder, driver: &str) -> BTreeMap<Digest, Row> {
    let stem = Path::new(driver).file_stem().unwrap().to_str().unwrap();
    Results::open(&Results::path(&folder.at("capture/exec"), stem)).unwrap().rows
}

/// A driver that is lavapipe but for one fault in one pipeline.
#[test]
fn each_injected_fault_is_found_in_its_pipeline() {
    let Some(lavapipe) = lavapipe() else { return };
    let folder = Folder::new("exec-injected");
    let capture = folder.at("capture");
    let list = synth(&capture, &["cloth", "tonemapping"].map(|name| tests().join("content").join(name)));
    let labelled = |label: &str| list.pipelines.iter().find(|it| it.label == label).unwrap().pipeline;
    let faults = [
        ("swap", "tonemapping.tonemap.cs", Verdict::Differs, ""),
        ("barrier", "cloth.measure.cs", Verdict::Differs, ""),
        ("error", "cloth.init.cs", Verdict::OneSided, "vkCreateComputePipelines: ERROR_UNKNOWN"),
        ("crash", "cloth.normals.cs", Verdict::OneSided, "signal 6 (SIGABRT)"),
        ("hang", "cloth.integrate.cs", Verdict::OneSided, "no answer within 10 s"),
    ];
    for (fault, label, verdict, detail) in faults {
        let victim = labelled(label);
        let injected = format!("{fault}:{victim}");
        let more = ["--no-validation", "--timeout", "10", "--inject", &injected];
        let again = capture.join("exec").join(Results::path(Path::new(""), "lavapipe_icd-again"));
        let _ = fs::remove_file(again);
        let (output, comparisons) = exec(&capture, &lavapipe, &lavapipe, &more);
        assert_eq!(output.status.code(), Some(1), "{injected}");
        for comparison in &comparisons {
            if comparison.pipeline == victim {
                assert_eq!(comparison.verdict, verdict, "{injected}: {comparison:?}");
                assert!(comparison.detail.contains(detail), "{injected}: {comparison:?}");
                assert_eq!(comparison.differences.is_empty(), verdict != Verdict::Differs, "{injected}");
            } else {
                assert_eq!(comparison.verdict, Verdict::Equal, "{injected}: {comparison:?}");
            }
        }
    }
}

/// Shaders that index heaps get, in each descriptor that they access, a resource of the kind that
/// they see there.
#[test]
fn heaps_have_what_shaders_see_in_them() {
    let Some(lavapipe) = lavapipe() else { return };
    let folder = Folder::new("exec-heaps");
    let names = ["kinds", "non_uniform", "ranges", "constants", "counters"];
    let mut inputs: Vec<PathBuf> =
        names.iter().map(|name| tests().join(format!("fixtures/heaps/{name}.dxil"))).collect();
    let drawn =
        ["graphics", "bindless_heap"].iter().flat_map(|name| ["vs", "ps"].map(|stage| format!("{name}.{stage}")));
    inputs.extend(drawn.map(|name| tests().join(format!("fixtures/heaps/{name}.dxil"))));
    inputs.push(tests().join("fixtures/query/heap.dxil"));
    let list = synth(&folder.at("capture"), &inputs);
    let (output, comparisons) = exec(&folder.at("capture"), &lavapipe, &lavapipe, &[]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    let labels = list.labels();
    let found: BTreeMap<&str, (Verdict, &str)> =
        comparisons.iter().map(|it| (labels[&it.pipeline].as_str(), (it.verdict, it.detail.as_str()))).collect();
    assert_eq!(found.len(), names.len() + 3, "{found:?}");
    for (label, (verdict, detail)) in found {
        // A counter gives each thread a place in a list, and several groups write one element, in
        // the order of threads.
        let by_order = ["counters", "kinds", "non_uniform", "ranges"].contains(&label);
        let is_unstable = verdict == Verdict::Unstable && by_order;
        assert!(verdict == Verdict::Equal || is_unstable, "{label}: {verdict:?} {detail}");
    }
}

/// Ray queries meet the lab's scene.
#[test]
fn rays_meet_the_scene() {
    let Some(lavapipe) = lavapipe() else { return };
    let folder = Folder::new("exec-rays");
    let inputs = ["committed", "candidates", "arrays"].map(|name| tests().join(format!("fixtures/query/{name}.dxil")));
    let list = synth(&folder.at("capture"), &inputs);
    let (output, comparisons) = exec(&folder.at("capture"), &lavapipe, &lavapipe, &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let labels = list.labels();
    assert_eq!(comparisons.len(), inputs.len());
    for it in &comparisons {
        assert_eq!(it.verdict, Verdict::Equal, "{}: {}", labels[&it.pipeline], it.detail);
    }
}

/// The capture with another record of the same pipeline, changed so, and its name.
fn changed(
    folder: &Folder,
    from: &str,
    to: &str,
    pipeline: Digest,
    change: impl FnOnce(&mut Record, &Writer),
) -> Digest {
    let capture = Capture::open(&folder.at(from)).unwrap();
    let mut record = capture.record(pipeline).unwrap();
    let writer = Writer::new(folder.at(to), 1 << 24);
    let device = capture.device(record.device.unwrap()).unwrap();
    writer.device(&device).unwrap();
    for stage in &record.pipeline.stages {
        match stage.code {
            Code::Dxil(digest) => drop(writer.dxil(&capture.dxil(digest).unwrap()).unwrap()),
            Code::Spirv(digest) => drop(writer.spirv(&capture.spirv(digest).unwrap()).unwrap()),
            _ => {}
        }
    }
    change(&mut record, &writer);
    writer.record(&record).unwrap()
}

/// A pipeline of a render pass draws what it draws without one.
#[test]
fn a_render_pass_has_the_pixels_of_a_draw_without_one() {
    let Some(lavapipe) = lavapipe() else { return };
    let folder = Folder::new("exec-pass");
    let stages = ["vs", "ps"].map(|stage| tests().join(format!("fixtures/graphics/cbuffer_transform.{stage}.dxil")));
    let list = synth(&folder.at("capture"), &stages);
    let plain = list.pipelines[0].pipeline;
    let passed = changed(&folder, "capture", "passed", plain, |record, _| {
        let state = record.pipeline.graphics.as_mut().unwrap();
        let Some(Target::Rendering(rendering)) = state.target.take() else { panic!("no rendering") };
        let attachment = |format: i32| Attachment {
            format,
            samples: 1,
            // Clear and store, from an undefined layout to that of a source of copies.
            ops: [1, 0],
            stencil_ops: [2, 1],
            layouts: [0, 6],
            ..Attachment::default()
        };
        // VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL.
        let color = |index| Reference { attachment: Some(index), layout: 2, aspects: 1, ..Reference::default() };
        let subpass = Subpass { colors: (0..rendering.colors.len() as u32).map(color).collect(), ..Subpass::default() };
        let attachments = rendering.colors.iter().map(|format| attachment(*format)).collect();
        let pass = RenderPass { attachments, subpasses: vec![subpass], ..RenderPass::default() };
        state.target = Some(Target::RenderPass(pass, 0));
    });
    let digests = |capture: &str, pipeline: Digest| -> Vec<Digest> {
        let (output, comparisons) = exec(&folder.at(capture), &lavapipe, &lavapipe, &[]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        assert_eq!(comparisons[0].verdict, Verdict::Equal, "{comparisons:?}");
        let stem = Path::new(&lavapipe).file_stem().unwrap().to_str().unwrap();
        let results = Results::open(&Results::path(&folder.at(capture).join("exec"), stem)).unwrap();
        let outputs = &results.rows[&pipeline].execution.as_ref().unwrap().outputs;
        assert!(outputs.iter().any(|it| it.is_changed));
        outputs.iter().map(|it| it.digest).collect()
    };
    assert_eq!(digests("capture", plain), digests("passed", passed));
}

/// Modules with lines, scopes and variables of the source run as others.
#[test]
fn pipelines_with_debug_information_run() {
    let Some(lavapipe) = lavapipe() else { return };
    let folder = Folder::new("exec-debug");
    let list = synth(&folder.at("capture"), &[tests().join("fixtures/debug/calls.dxil")]);
    for debug in ["lines", "full"] {
        let pipeline = changed(&folder, "capture", debug, list.pipelines[0].pipeline, |record, writer| {
            let capture = Capture::open(&folder.at("capture")).unwrap();
            let mut device = capture.device(record.device.unwrap()).unwrap();
            device.settings.insert("debug".to_owned(), debug.to_owned());
            record.device = Some(writer.device(&device).unwrap());
        });
        let (output, comparisons) = exec(&folder.at(debug), &lavapipe, &lavapipe, &["--coverage"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        assert_eq!(comparisons.len(), 1);
        assert_eq!((comparisons[0].pipeline, comparisons[0].verdict), (pipeline, Verdict::Equal), "{comparisons:?}");
    }
}

/// More levels of rays than a pipeline has are undefined, and lavapipe crashes: no fault of a
/// driver.
#[test]
fn rays_that_nest_without_end_are_no_fault() {
    let Some(lavapipe) = lavapipe() else { return };
    let folder = Folder::new("exec-nested");
    let capture = folder.at("capture");
    let input = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/integration/inputs/nested_rays.dxil");
    let name = synth(&capture, &[input]).pipelines[0].pipeline.to_string();
    let (code, text) =
        said(lab().arg("exec").arg(&capture).args(["--driver", &lavapipe, "--against", &lavapipe, "--no-validation"]));
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("maybe deeper than the pipeline allows; the driver did this: crashed signal 11"), "{text}");
    // A crash in the making of the pipeline is one.
    let mut command = lab();
    command.arg("exec").arg(&capture).args(["--driver", &lavapipe, "--against", &lavapipe, "--no-validation"]);
    let (code, text) = said(command.args(["--restart", "--inject", "crash", "--pipeline", &name]));
    assert!(code == 1 && text.contains("crashed: signal 6"), "{code}: {text}");
}
