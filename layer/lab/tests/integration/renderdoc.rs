//! Captures that RenderDoc itself opens and replays.

use std::path::Path;
use std::process::Command;

use ash::vk;
use dxil_capture::digest::Bytes;
use dxil_capture::model::{Code, Device};
use dxil_capture::{Capture, Writer};
use dxil_lab::results::{Results, output_path};

use crate::common::{Folder, fixture, lab, lavapipe, said, succeed, synth};

/// The Python of Debian, with RenderDoc's module that is built for it.
const PYTHON: &str = "/usr/bin/python3";

/// Prints the pipelines' modules and the actions of a capture. What the last dispatch or draw wrote
/// goes into a file, as the replay has it: a buffer, or else the first target.
const OPEN: &str = "
import sys
import renderdoc as rd

file = rd.OpenCaptureFile()
file.OpenFile(sys.argv[1], '', None)
result, controller = file.OpenCapture(rd.ReplayOptions(), None)
if controller is None:
    sys.exit(f'RenderDoc cannot replay it: {result}')
kinds = [(rd.ActionFlags.Dispatch, 'dispatch'), (rd.ActionFlags.Drawcall, 'draw')]
for action in controller.GetRootActions():
    for kind, name in kinds:
        if action.flags & kind:
            controller.SetFrameEvent(action.eventId, True)
            state = controller.GetPipelineState()
            stage = rd.ShaderStage.Compute if name == 'dispatch' else rd.ShaderStage.Pixel
            shader = state.GetShaderReflection(stage)
            print(name, shader.encoding.name if shader else 'without a shader')
            if name == 'dispatch':
                written = [it for group in state.GetReadWriteResources(stage) for it in group.resources]
                data = controller.GetBufferData(written[-1].resourceId, 0, 0) if written else b''
            else:
                targets = state.GetOutputTargets()
                data = controller.GetTextureData(targets[0].resourceId, rd.Subresource(0, 0, 0)) if targets else b''
            open(sys.argv[2], 'wb').write(data)
";

/// Whether RenderDoc and its module are there; if not, the reason is printed.
fn has_renderdoc() -> bool {
    let found = Command::new(PYTHON).args(["-c", "import renderdoc"]).output();
    let is_there = found.is_ok_and(|output| output.status.success());
    if !is_there {
        println!("skipped: {PYTHON} has no module `renderdoc`; scripts/setup.sh installs it");
    }
    is_there
}

/// What RenderDoc says of a capture on a driver, and what the last action wrote. Nothing of this
/// project has a part in it.
#[track_caller]
fn opened(file: &Path, driver: &str) -> (Vec<String>, Vec<u8>) {
    let data = file.with_extension("data");
    let mut python = Command::new(PYTHON);
    python.args(["-c", OPEN]).arg(file).arg(&data).env("VK_DRIVER_FILES", driver).env("VK_ICD_FILENAMES", driver);
    let (code, text) = said(&mut python);
    assert!(code == 0, "{}: {text}", file.display());
    let actions = text.lines().filter(|line| line.starts_with("dispatch") || line.starts_with("draw"));
    (actions.map(str::to_owned).collect(), std::fs::read(data).unwrap_or_default())
}

#[test]
fn exec_records_what_renderdoc_replays() {
    let (Some(lavapipe), true) = (lavapipe(), has_renderdoc()) else { return };
    let folder = Folder::new("renderdoc");
    let capture = folder.at("capture");
    let stages = ["vs", "ps"].map(|stage| fixture(&format!("stages/min_precision_io.{stage}.dxil")));
    let list = synth(&capture, &[fixture("buffer/raw_read_write.dxil"), stages[0].clone(), stages[1].clone()]);
    let records = folder.at("records");
    let mut command = lab();
    command.arg("exec").arg(&capture).args(["--driver", &lavapipe, "--against", &lavapipe, "--rounds", "1"]);
    let text = succeed(command.arg("--record").arg(&records));
    assert!(text.contains("2 captures for RenderDoc, 0 missing"), "{text}");
    let results = capture.join("exec");
    let driver = std::fs::read_dir(&records).unwrap().next().unwrap().unwrap().file_name().into_string().unwrap();
    let rows = Results::read(&Results::path(&results, &driver)).unwrap().rows;
    let mut seen = Vec::new();
    for of in &list.pipelines {
        let file = records.join(&driver).join(format!("{}.rdc", of.pipeline.short()));
        let (actions, data) = opened(&file, &lavapipe);
        seen.extend(actions);
        // RenderDoc's replay writes what the lab's run wrote.
        let execution = rows[&of.pipeline].execution.clone().unwrap();
        let written: Vec<_> = (0..).zip(&execution.outputs).filter(|(_, output)| output.is_changed).collect();
        let (index, _) = written[0];
        let ours = std::fs::read(output_path(&dxil_lab::results::outputs(&results, &driver), of.pipeline, index));
        assert!(data == ours.unwrap(), "{}: the replay differs", of.label);
    }
    seen.sort();
    // Each pipeline runs once, and its shader is what the layer made of the DXIL.
    assert_eq!(seen, ["dispatch SPIRV", "draw SPIRV"]);
}

#[test]
fn a_bundle_has_a_capture_for_renderdoc() {
    let (Some(lavapipe), true) = (lavapipe(), has_renderdoc()) else { return };
    let folder = Folder::new("renderdoc-bundle");
    let capture = folder.at("capture");
    let name = synth(&capture, &[fixture("buffer/raw_read_write.dxil")]).pipelines[0].pipeline.to_string();
    let reduce = |out: &str, more: &[&str]| {
        let bundle = folder.at(out);
        let mut command = lab();
        command.arg("reduce").arg(&capture).arg(&name).args(["--driver", &lavapipe, "--no-validation"]);
        succeed(command.args(more).arg("--out").arg(&bundle));
        bundle
    };
    // A fault in the creation of the pipeline, and different results.
    for (out, more) in
        [("crash", &["--inject", "crash"][..]), ("differs", &["--inject", "swizzle", "--against", &lavapipe])]
    {
        let bundle = reduce(out, more);
        let readme = std::fs::read_to_string(bundle.join("README.md")).unwrap();
        assert!(readme.contains("RenderDoc opens `reduced.rdc`, in which lavapipe"), "{readme}");
        let (actions, _) = opened(&bundle.join("reduced.rdc"), &lavapipe);
        assert!(!actions.is_empty() && actions.iter().all(|action| action == "dispatch SPIRV"), "{actions:?}");
    }
}

/// A captured application has structures that a device of Vulkan 1.2 does not know.
#[test]
fn a_captured_device_of_vulkan_1_3_has_a_capture() {
    let (Some(lavapipe), true) = (lavapipe(), has_renderdoc()) else { return };
    let folder = Folder::new("renderdoc-device");
    let made = folder.at("made");
    let stages = ["vs", "ps"].map(|stage| fixture(&format!("stages/min_precision_io.{stage}.dxil")));
    let list = synth(&made, &stages);
    // All bits of Vulkan 1.3 that the device has, those of Vulkan 1.2 with addresses of buffers,
    // and an extension that RenderDoc 1.24 lacks.
    let all = |bytes: usize| Bytes([1, 0, 0, 0].repeat(bytes / 4));
    let features = [
        (vk::StructureType::PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, all(192)),
        (vk::StructureType::PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, all(64)),
        (vk::StructureType::PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES_KHR, all(8)),
    ];
    let device = Device {
        extensions: vec!["VK_KHR_maintenance5".to_owned()],
        features: features.map(|(s_type, bytes)| (s_type.as_raw(), bytes)).into(),
        ..Device::default()
    };
    let (from, capture) = (Capture::open(&made).unwrap(), folder.at("capture"));
    let writer = Writer::new(capture.clone(), u64::MAX);
    let mut record = from.record(list.pipelines[0].pipeline).unwrap();
    for stage in &record.pipeline.stages {
        let Code::Dxil(digest) = stage.code else { panic!("{:?}", stage.code) };
        writer.dxil(&from.dxil(digest).unwrap()).unwrap();
    }
    record.device = Some(writer.device(&device).unwrap());
    let name = writer.record(&record).unwrap().to_string();
    let bundle = folder.at("bundle");
    let mut command = lab();
    command.arg("reduce").arg(&capture).arg(&name).args(["--driver", &lavapipe, "--inject", "message", "--out"]);
    succeed(command.arg(&bundle));
    let readme = std::fs::read_to_string(bundle.join("README.md")).unwrap();
    assert!(readme.contains("RenderDoc opens `reduced.rdc`"), "{readme}");
    // The pixel shader has no part in the fault.
    assert_eq!(opened(&bundle.join("reduced.rdc"), &lavapipe).0, ["draw without a shader"]);
}
