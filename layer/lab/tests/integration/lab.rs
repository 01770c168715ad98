//! The driver lab from outside: its program, on containers of this repository and on lavapipe.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use dxil_capture::model::Command as Made;
use dxil_capture::{Capture, Digest};
use dxil_lab::results::{Outcome, Results, Row};

use crate::common::{Folder, lab, lavapipe, succeed, synth};

fn fixtures(group: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures").join(group)
}

/// `dxil-lab run` on a driver with results in a folder.
fn run(capture: &Path, driver: &str, out: &Path) -> Command {
    let mut command = lab();
    command.arg("run").arg(capture).args(["--driver", driver, "--json", "--jobs", "2", "--out"]).arg(out);
    command
}

/// The rows of a run, without what differs from run to run.
fn rows(out: &Path, driver: &str) -> BTreeMap<Digest, Row> {
    let stem = Path::new(driver).file_stem().unwrap().to_str().unwrap();
    let mut rows = Results::open(&out.join(format!("{stem}.jsonl"))).unwrap().rows;
    for row in rows.values_mut() {
        (row.layer_us, row.driver_us, row.memory_kib) = (0, 0, 0);
    }
    rows
}

#[test]
fn the_same_containers_give_the_same_capture() {
    let folder = Folder::new("same");
    let inputs = [fixtures("tessellation"), fixtures("mesh"), fixtures("rays")];
    let (first, second) = (synth(&folder.at("a"), &inputs), synth(&folder.at("b"), &inputs));
    assert_eq!(first, second);
    let names = |folder: &Path| {
        let files = fs::read_dir(folder.join("pipelines")).unwrap();
        let mut names: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&folder.at("a")), names(&folder.at("b")));
    let commands: Vec<Made> = {
        let capture = Capture::open(&folder.at("a")).unwrap();
        let mut commands: Vec<_> = capture.records().map(|(_, record)| record.unwrap().pipeline.command).collect();
        commands.sort();
        commands.dedup();
        commands
    };
    assert_eq!(commands, [Made::Compute, Made::Graphics, Made::RayTracing]);
}

#[test]
fn stages_of_one_name_are_one_pipeline_and_a_pixel_shader_alone_gets_a_vertex_shader() {
    let folder = Folder::new("pairs");
    let any = fs::read_dir(fixtures("graphics")).unwrap().map(|file| file.unwrap().path());
    let mut pixels: Vec<PathBuf> = any.filter(|file| file.to_string_lossy().ends_with(".ps.dxil")).collect();
    pixels.sort();
    let pixel = pixels.first().unwrap().clone();
    let vertex = PathBuf::from(pixel.to_string_lossy().replace(".ps.dxil", ".vs.dxil"));

    let together = synth(&folder.at("pair"), &[vertex, pixel.clone()]);
    assert_eq!(together.pipelines.len(), 1);
    let stages: Vec<&str> = together.pipelines[0].stages.iter().map(|stage| stage.stage.as_str()).collect();
    assert_eq!(stages, ["vertex", "pixel"]);

    let alone = synth(&folder.at("alone"), &[pixel]);
    assert_eq!(alone.pipelines.len(), 1);
    let chosen = &alone.pipelines[0].chosen;
    let text = "a vertex shader that covers the target and gives the pixel shader zeros";
    assert!(chosen.iter().any(|it| it == text), "{chosen:?}");
    let record = Capture::open(&folder.at("alone")).unwrap().record(alone.pipelines[0].pipeline).unwrap();
    assert_eq!(record.pipeline.stages.iter().map(|stage| stage.stage).collect::<Vec<_>>(), [1, 16]);
}

#[test]
fn what_is_no_shader_is_a_line_and_ends_nothing() {
    let folder = Folder::new("broken");
    let inputs = folder.at("in");
    fs::create_dir_all(&inputs).unwrap();
    let good = fixtures("buffer");
    let good = fs::read_dir(good).unwrap().map(|file| file.unwrap().path());
    let mut good: Vec<_> = good.filter(|file| file.extension().is_some_and(|ending| ending == "dxil")).collect();
    good.sort();
    let bytes = fs::read(&good[0]).unwrap();
    fs::write(inputs.join("good.dxil"), &bytes).unwrap();
    fs::write(inputs.join("cut.dxil"), &bytes[..bytes.len() / 2]).unwrap();
    fs::write(inputs.join("text.cso"), "float4 main() : SV_Target { return 0; }").unwrap();
    fs::write(inputs.join("readme.txt"), "no container").unwrap();
    let list = synth(&folder.at("out"), &[inputs]);
    assert_eq!(list.pipelines.iter().map(|it| it.label.as_str()).collect::<Vec<_>>(), ["good"]);
    let refused: Vec<&str> = list.refused.iter().map(|it| it.files[0].as_str()).collect();
    assert_eq!(refused, ["cut.dxil", "text.cso"]);
    assert!(list.refused.iter().all(|it| !it.error.is_empty()));
}

#[test]
fn lavapipe_makes_the_pipelines_and_says_the_same_twice() {
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("lavapipe");
    // Compute, vertex processing, mesh shading and ray tracing.
    let groups = ["cbuffer", "geometry", "mesh", "tracing"].map(fixtures);
    let list = synth(&folder.at("capture"), &groups);
    succeed(&mut run(&folder.at("capture"), &driver, &folder.at("first")));
    succeed(&mut run(&folder.at("capture"), &driver, &folder.at("second")));
    let first = rows(&folder.at("first"), &driver);
    assert_eq!(first, rows(&folder.at("second"), &driver));
    assert_eq!(first.len(), list.pipelines.len());
    let mut created = 0;
    for row in first.values() {
        assert_eq!(row.validation, [] as [&str; 0], "{row:?}");
        match row.outcome {
            Outcome::Created => {
                created += 1;
                assert!(!row.modules.is_empty(), "{row:?}");
            }
            // The driver lacks something that the shader needs, and the layer says what.
            Outcome::Refused => {
                assert!(row.detail.contains("missing feature ") || row.detail.contains("supportedStages"), "{row:?}")
            }
            _ => panic!("{row:?}"),
        }
    }
    assert!(created * 10 >= list.pipelines.len() * 9, "{created} of {}", list.pipelines.len());
}

#[test]
fn each_fault_of_a_driver_costs_one_pipeline_and_is_named() {
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("faults");
    let capture = folder.at("capture");
    let list = synth(&capture, &[fixtures("cbuffer")]);
    let victim = list.pipelines[list.pipelines.len() / 2].pipeline;
    let faults = [
        ("error", Outcome::Rejected, "vkCreateComputePipelines: ERROR_UNKNOWN"),
        ("null", Outcome::Corrupt, "the command succeeded and gave a null handle"),
        ("crash", Outcome::Crashed, "signal 6 (SIGABRT)"),
        ("hang", Outcome::TimedOut, "no answer within 10 s"),
        ("memory", Outcome::Crashed, "signal 6 (SIGABRT)"),
    ];
    for (fault, outcome, detail) in faults {
        let out = folder.at(fault);
        let mut command = run(&capture, &driver, &out);
        command.args(["--no-validation", "--timeout", "10", "--memory", "4096"]);
        command.arg("--inject").arg(format!("{fault}:{victim}"));
        assert_eq!(command.output().unwrap().status.code(), Some(1), "{fault}");
        let rows = rows(&out, &driver);
        assert_eq!(rows.len(), list.pipelines.len(), "{fault}");
        for (pipeline, row) in rows {
            let expected = if pipeline == victim { (outcome, detail) } else { (Outcome::Created, "") };
            assert_eq!((row.outcome, row.detail.as_str()), expected, "{fault}, {pipeline}");
        }
    }
}

#[test]
fn a_run_that_is_killed_goes_on_and_ends_with_the_same_result() {
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("killed");
    let capture = folder.at("capture");
    let list = synth(&capture, &[fixtures("cbuffer"), fixtures("control")]);
    let (whole, killed) = (folder.at("whole"), folder.at("killed"));
    let started = Instant::now();
    succeed(run(&capture, &driver, &whole).arg("--no-validation"));
    let duration = started.elapsed();
    let mut kills = 0;
    for round in 0..200 {
        let mut command = run(&capture, &driver, &killed);
        let mut child = command.arg("--no-validation").stdout(Stdio::null()).spawn().unwrap();
        // Moments that are spread over the time that the whole run took, the first after a fifth of
        // it.
        std::thread::sleep(duration * (2 + round * 3 % 8) / 10);
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        let done = rows(&killed, &driver).len();
        if done == list.pipelines.len() {
            break;
        }
    }
    assert!(kills > 0);
    // As a write that was cut short leaves it.
    let file = fs::read_dir(&killed).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, &text[..text.len() - 20]).unwrap();
    succeed(run(&capture, &driver, &killed).arg("--no-validation"));
    assert_eq!(rows(&killed, &driver), rows(&whole, &driver));
    println!("{kills} kills over {} pipelines", list.pipelines.len());
}

#[test]
fn results_of_another_driver_are_not_continued() {
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("other");
    let capture = folder.at("capture");
    synth(&capture, &[fixtures("cbuffer")]);
    let out = folder.at("out");
    succeed(run(&capture, &driver, &out).arg("--no-validation"));
    let file = fs::read_dir(&out).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&file).unwrap();
    // One row less, so that there is something to do, and another version of the driver.
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines.pop();
    lines[0] = lines[0].replace("\"driver_version\":", "\"driver_version\":1");
    fs::write(&file, lines.join("\n") + "\n").unwrap();
    let output = run(&capture, &driver, &out).arg("--no-validation").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("give another folder with --out, or --restart"), "{text}");
    succeed(run(&capture, &driver, &out).args(["--no-validation", "--restart"]));
}

#[test]
fn merged_shards_are_one_run() {
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("shards");
    let capture = folder.at("capture");
    let list = synth(&capture, &[fixtures("cbuffer")]);
    succeed(run(&capture, &driver, &folder.at("whole")).arg("--no-validation"));
    let mut merge = lab();
    merge.arg("merge").arg("--out").arg(folder.at("merged"));
    for shard in 1..=8 {
        let (out, part) = (folder.at(&format!("shard{shard}")), format!("{shard}/8"));
        succeed(run(&capture, &driver, &out).args(["--no-validation", "--shard", &part]));
        let count = rows(&out, &driver).len();
        assert!(count.abs_diff(list.pipelines.len() / 8) <= 1, "{count} of {}", list.pipelines.len());
        merge.arg(out);
    }
    succeed(&mut merge);
    assert_eq!(rows(&folder.at("merged"), &driver), rows(&folder.at("whole"), &driver));
    // Two builds that are one have the same sizes, and nothing is hurt but by chance of time.
    let file = fs::read_dir(folder.at("whole")).unwrap().next().unwrap().unwrap().path();
    let merged = folder.at("merged").join(file.file_name().unwrap());
    let text = succeed(lab().arg("diff").arg(&file).arg(&merged));
    assert!(text.contains("driver time, µs: "), "{text}");
    let text = succeed(lab().arg("csv").arg(&merged).arg("--capture").arg(&capture));
    assert_eq!(text.lines().count(), list.pipelines.len() + 1);
    assert!(text.contains(&format!("{},{},created", list.pipelines[0].pipeline, list.pipelines[0].label)), "{text}");
    // Results of another option are not joined.
    succeed(run(&capture, &driver, &folder.at("other")).args(["--no-validation", "--timeout", "50"]));
    let mut merge = lab();
    merge.arg("merge").arg(folder.at("whole")).arg(folder.at("other")).arg("--out").arg(folder.at("both"));
    let output = merge.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && text.contains("how.timeout: 60 there, 50 now"), "{text}");
    // `merge` has no --restart.
    assert!(text.contains("only shards of one run can be merged") && !text.contains("--restart"), "{text}");
}

#[test]
fn an_input_that_does_not_exist_is_an_error() {
    let folder = Folder::new("absent");
    let output = lab().arg("synth").arg(folder.at("absent")).arg("--out").arg(folder.at("out")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("absent: there is no such file or folder"), "{text}");
}
