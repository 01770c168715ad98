//! What each subcommand says of its inputs, its options and its drivers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use dxil_capture::Capture;
use dxil_lab::exec::compare::{Comparison, Verdict};
use dxil_lab::results::{Outcome, Results};
use dxil_lab::synth::List;

use crate::common::{Folder, driver, lab, lavapipe, said, succeed, synth};

fn fixtures(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures").join(name)
}

fn run(capture: &Path, driver: &str) -> Command {
    let mut command = lab();
    command.arg("run").arg(capture).args(["--driver", driver, "--no-validation", "--jobs", "2"]);
    command
}

/// A driver's library with other bytes in the place of its build id, as after a build.
fn rebuilt(library: &Path) {
    let mut bytes = fs::read(library).unwrap();
    let note = [&[4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0][..], b"GNU\0"].concat();
    let at = bytes.windows(note.len()).position(|part| part == note).unwrap() + note.len();
    bytes[at] ^= 0xff;
    // A library that a process has mapped is not written to, but replaced.
    fs::remove_file(library).unwrap();
    fs::write(library, bytes).unwrap();
}

/// A copy of a driver: its manifest and its library.
fn copied(manifest: &str, folder: &Path) -> (String, PathBuf) {
    let text = fs::read_to_string(manifest).unwrap();
    let mut document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let library = PathBuf::from(document["ICD"]["library_path"].as_str().unwrap());
    let copy = folder.join(library.file_name().unwrap());
    fs::create_dir_all(folder).unwrap();
    fs::copy(&library, &copy).unwrap();
    document["ICD"]["library_path"] = copy.to_str().unwrap().into();
    let path = folder.join("mine_icd.json");
    fs::write(&path, document.to_string()).unwrap();
    (path.to_str().unwrap().to_owned(), copy)
}

#[test]
fn a_rebuilt_driver_does_not_answer_with_old_results() {
    let Some(lavapipe) = lavapipe() else { return };
    let folder = Folder::new("rebuilt");
    let (manifest, library) = copied(&lavapipe, &folder.at("driver"));
    let capture = folder.at("capture");
    let list = synth(&capture, &[fixtures("cbuffer/byte_offset.dxil"), fixtures("buffer/raw_read_write.dxil")]);
    let text = succeed(&mut run(&capture, &manifest));
    assert!(!text.contains("cached"), "{text}");
    let text = succeed(&mut run(&capture, &manifest));
    let count = list.pipelines.len();
    assert!(text.contains(&format!("cached: {count} of {count} results")) && text.contains("--restart"), "{text}");
    rebuilt(&library);
    let (code, text) = said(&mut run(&capture, &manifest));
    assert!(code == 2 && text.contains("build.libraries.libvulkan_lvp.so: \"build id "), "{code}: {text}");
    assert!(text.contains("give another folder with --out, or --restart"), "{text}");
    succeed(run(&capture, &manifest).arg("--restart"));
    // Another option is another result as well.
    let (code, text) = said(run(&capture, &manifest).args(["--timeout", "7"]));
    assert!(code == 2 && text.contains("how.timeout: 60 there, 7 now"), "{code}: {text}");
}

#[test]
fn another_seed_does_not_answer_with_the_results_of_the_first() {
    let Some(lavapipe) = lavapipe() else { return };
    let folder = Folder::new("seeds");
    let capture = folder.at("capture");
    synth(&capture, &[fixtures("buffer/raw_read_write.dxil")]);
    let exec = |seed: &str| {
        let mut command = lab();
        command.arg("exec").arg(&capture).args(["--driver", &lavapipe, "--against", &lavapipe, "--seed", seed]);
        said(&mut command)
    };
    assert_eq!(exec("0").0, 0);
    let (code, text) = exec("1");
    assert!(code == 2 && text.contains("inputs.seed: 0 there, 1 now"), "{code}: {text}");
}

#[test]
fn two_manifests_of_one_name_have_results_of_their_own() {
    let (Some(lavapipe), Some(swiftshader)) = (lavapipe(), driver("SWIFTSHADER")) else { return };
    let folder = Folder::new("namesakes");
    let capture = folder.at("capture");
    synth(&capture, &[fixtures("buffer/raw_read_write.dxil")]);
    let [first, second] =
        [(&lavapipe, "a"), (&swiftshader, "b")].map(|(driver, name)| copied(driver, &folder.at(name)).0);
    succeed(run(&capture, &first).args(["--driver", &second]));
    let device = |name: &str| Results::read(&capture.join("results").join(name)).unwrap().header.unwrap().device;
    assert!(device("mine_icd.jsonl").starts_with("llvmpipe"), "{}", device("mine_icd.jsonl"));
    assert!(device("mine_icd-2.jsonl").starts_with("SwiftShader"), "{}", device("mine_icd-2.jsonl"));
}

#[test]
fn a_second_synth_adds_to_the_list_and_names_what_is_there_already() {
    let folder = Folder::new("again");
    let (capture, inputs) = (folder.at("capture"), folder.at("in"));
    let first = synth(&capture, &[fixtures("buffer/raw_read_write.dxil")]);
    fs::create_dir_all(&inputs).unwrap();
    for (from, to) in [("cbuffer/byte_offset.dxil", "one.dxil"), ("cbuffer/byte_offset.dxil", "two.dxil")] {
        fs::copy(fixtures(from), inputs.join(to)).unwrap();
    }
    let text = succeed(lab().arg("synth").arg(&inputs).arg("--out").arg(&capture));
    assert!(text.contains("1 pipelines in") && text.contains("1 the same as another"), "{text}");
    let list = List::read(&capture).unwrap();
    assert!(list.pipelines.len() == 2 && list.pipelines.contains(&first.pipelines[0]), "{list:?}");
    assert_eq!((&list.duplicates[0].files[0][..], &list.duplicates[0].of[..]), ("two.dxil", "one.dxil"));
    // A list that cannot be read is not replaced.
    fs::write(capture.join("synth.json"), "{").unwrap();
    let (code, text) = said(lab().arg("synth").arg(&inputs).arg("--out").arg(&capture));
    assert!(code == 2 && text.contains("synth.json is there and cannot be read"), "{code}: {text}");
}

#[test]
fn a_folder_without_containers_is_an_error() {
    let folder = Folder::new("empty");
    let empty = folder.at("in");
    fs::create_dir_all(&empty).unwrap();
    let (code, text) = said(lab().arg("synth").arg(&empty).arg("--out").arg(folder.at("out")));
    assert!(code == 2 && text.contains("there is no file whose name ends with .dxil"), "{code}: {text}");
    assert!(!folder.at("out").exists());
}

#[test]
fn what_gives_no_results_is_an_error() {
    let folder = Folder::new("no-results");
    let (empty, out) = (folder.at("empty"), folder.at("out"));
    fs::create_dir_all(&empty).unwrap();
    let (code, text) = said(lab().arg("merge").arg(&empty).arg("--out").arg(&out));
    assert!(code == 2 && text.contains("empty has no file of results") && !out.exists(), "{code}: {text}");
    // No number is within such a tolerance, or every number is.
    for part in ["nan", "inf", "-1", "x"] {
        let tolerance = format!("--tolerance={part}");
        let (code, text) = said(lab().arg("exec").arg(&empty).args(["--driver", "system", &tolerance]));
        assert!(code == 2 && text.contains("expected a number from 0 on"), "{code}: {text}");
    }
}

#[test]
fn a_signal_ends_a_run_whose_driver_hangs() {
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("signal");
    let capture = folder.at("capture");
    synth(&capture, &[fixtures("cbuffer/byte_offset.dxil")]);
    let mut command = run(&capture, &driver);
    command.args(["--inject", "hang", "--json"]).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    // The first line is that of the results: the worker has begun.
    let file = Results::path(&capture.join("results"), Path::new(&driver).file_stem().unwrap().to_str().unwrap());
    while fs::metadata(&file).map_or(0, |file| file.len()) == 0 {
        std::thread::sleep(Duration::from_millis(10));
    }
    let begin = Instant::now();
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
}

#[test]
fn a_process_that_cannot_start_says_why() {
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("start");
    let capture = folder.at("capture");
    synth(&capture, &[fixtures("cbuffer/byte_offset.dxil")]);
    let (code, text) = said(run(&capture, &driver).args(["--memory", "10"]));
    assert!(code == 2 && text.contains("--memory gives it more"), "{code}: {text}");
    // A manifest that is no JSON, and one whose library is not there: the loader's own words.
    let broken = folder.at("broken_icd.json");
    fs::write(&broken, "{\"ICD\": ").unwrap();
    let (code, text) = said(&mut run(&capture, broken.to_str().unwrap()));
    assert!(code == 2 && text.contains("broken_icd.json"), "{code}: {text}");
    let absent = "{\"file_format_version\": \"1.0.0\", \"ICD\": {\"library_path\": \"/absent/lib.so\", \
                  \"api_version\": \"1.3.0\"}}";
    fs::write(&broken, absent).unwrap();
    let (code, text) = said(&mut run(&capture, broken.to_str().unwrap()));
    assert!(code == 2 && text.contains("/absent/lib.so"), "{code}: {text}");
}

#[test]
fn a_report_that_cannot_be_written_leaves_the_one_before() {
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("disk");
    let capture = folder.at("capture");
    synth(&capture, &[fixtures("cbuffer/byte_offset.dxil")]);
    succeed(&mut run(&capture, &driver));
    let page = folder.at("page.html");
    fs::write(&page, "before").unwrap();
    // A file may have one block, and a write beyond it fails as on a full disk.
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$@\"", "sh"]).arg(env!("CARGO_BIN_EXE_dxil-lab"));
    let (code, text) = said(limited.arg("report").arg(&capture).arg("--out").arg(&page));
    assert!(code == 2 && text.contains("page.html: File too large"), "{code}: {text}");
    assert_eq!(fs::read_to_string(&page).unwrap(), "before");
}

#[test]
fn layers_are_named_or_left_out_with_a_word() {
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("layers");
    let capture = folder.at("capture");
    synth(&capture, &[fixtures("cbuffer/byte_offset.dxil")]);
    let validation = "VK_LAYER_KHRONOS_validation";
    let (code, text) = said(run(&capture, &driver).env("VK_INSTANCE_LAYERS", validation));
    assert!(code == 0 && text.contains("VK_INSTANCE_LAYERS is not used"), "{code}: {text}");
    let (code, text) = said(run(&capture, &driver).args(["--restart", "--layer", "VK_LAYER_absent"]));
    assert!(code == 2 && text.contains("finds no layer VK_LAYER_absent"), "{code}: {text}");
    succeed(run(&capture, &driver).args(["--restart", "--layer", validation]));
    let file = fs::read_dir(capture.join("results")).unwrap().next().unwrap().unwrap().path();
    let header = Results::read(&file).unwrap().header.unwrap();
    assert_eq!(header.how.layers, [validation]);
    assert!(header.build.libraries.contains_key("libVkLayer_khronos_validation.so"), "{:?}", header.build);
}

#[test]
fn a_short_name_finds_the_driver_from_any_folder() {
    if lavapipe().is_none() {
        return;
    }
    let folder = Folder::new("anywhere");
    let capture = folder.at("capture");
    synth(&capture, &[fixtures("cbuffer/byte_offset.dxil")]);
    succeed(run(&capture, "lavapipe").current_dir(folder.at("")));
}

/// SwiftShader reads no storage image without a format, so that the layer names one, with one
/// component.
#[test]
fn two_drivers_get_the_same_resources_where_one_needs_a_format() {
    let (Some(lavapipe), Some(swiftshader)) = (lavapipe(), driver("SWIFTSHADER")) else { return };
    let folder = Folder::new("formats");
    let capture = folder.at("capture");
    synth(&capture, &[fixtures("texture/far_coordinates.dxil")]);
    let mut command = lab();
    // With the numbers of later rounds most threads write one texel.
    command.arg("exec").arg(&capture).args(["--driver", &swiftshader, "--against", &lavapipe, "--rounds", "1"]);
    said(&mut command);
    let stem = |driver: &str| Path::new(driver).file_stem().unwrap().to_str().unwrap().to_owned();
    let (first, second) = (stem(&lavapipe), stem(&swiftshader));
    let text = fs::read_to_string(capture.join("exec").join(format!("{second}-against-{first}.json"))).unwrap();
    let comparisons: Vec<Comparison> = serde_json::from_str(&text).unwrap();
    let outputs = [first, second].map(|name| {
        let rows = Results::read(&Results::path(&capture.join("exec"), &name)).unwrap().rows;
        let row = rows.into_values().next().unwrap();
        assert_eq!(row.outcome, Outcome::Executed, "{row:?}");
        row.execution.unwrap().outputs.iter().map(|it| (it.name.clone(), it.components)).collect::<Vec<_>>()
    });
    assert_eq!(outputs[0], outputs[1]);
    assert!(outputs[0].iter().any(|(_, components)| *components == 1), "{outputs:?}");
    // Some threads write one texel in the first round as well. On a busy machine two runs of one
    // driver may differ by that.
    assert!(matches!(comparisons[0].verdict, Verdict::Equal | Verdict::Unstable), "{comparisons:?}");
}

#[test]
fn high_register_spaces_are_packed_into_the_sets_of_every_device() {
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("packed");
    let capture = folder.at("capture");
    let list = synth(&capture, &[fixtures("map/compute.dxil")]);
    let record = Capture::open(&capture).unwrap().record(list.pipelines[0].pipeline).unwrap();
    let sets = record.pipeline.layout.unwrap().sets.len();
    assert!(sets <= 4, "{sets} sets; {:?}", list.pipelines[0].chosen);
    succeed(&mut run(&capture, &driver));
}

/// Two builds make all pipelines in turn, and a difference that is none is not reported.
#[test]
fn two_builds_are_timed_in_turn() {
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("time");
    let list = synth(&folder.at("capture"), &[fixtures("../content/tonemapping")]);
    let time = || {
        let mut command = lab();
        command.arg("time").arg(folder.at("capture")).args(["--before", &driver, "--after", &driver]);
        command.args(["--repeat", "3", "--no-validation", "--json"]);
        succeed(&mut command)
    };
    let said: serde_json::Value = serde_json::from_str(&time()).unwrap();
    assert_eq!(
        (said[0]["name"].as_str(), said[0]["pipelines"].as_u64()),
        (Some("driver time, µs"), Some(list.pipelines.len() as u64))
    );
    assert!(said[0]["totals"].as_array().unwrap().iter().all(|total| total.as_f64().unwrap() > 0.0), "{said}");
    let stem = Path::new(&driver).file_stem().unwrap().to_str().unwrap();
    for round in 1..=3 {
        for name in [stem.to_owned(), format!("{stem}-2")] {
            let file = Results::path(&folder.at(&format!("capture/times/{round}")), &name);
            assert_eq!(Results::open(&file).unwrap().rows.len(), list.pipelines.len(), "{}", file.display());
        }
    }
    // What was measured is kept.
    assert_eq!(serde_json::from_str::<serde_json::Value>(&time()).unwrap(), said);
}

#[test]
fn one_of_several_devices_is_chosen_by_name_or_index() {
    let (Some(lavapipe), Some(swiftshader)) = (lavapipe(), driver("SWIFTSHADER")) else { return };
    let folder = Folder::new("devices");
    let capture = folder.at("capture");
    let list = synth(&capture, &[fixtures("buffer/raw_read_write.dxil")]);
    let both = std::env::join_paths([&lavapipe, &swiftshader]).unwrap();
    let system = |subcommand: &str, more: &[&str]| {
        let mut command = lab();
        command.arg(subcommand).arg(&capture).args(more).env("VK_DRIVER_FILES", &both).env("VK_ICD_FILENAMES", &both);
        said(&mut command)
    };
    let device = |file: &Path| Results::read(file).unwrap().header.unwrap().device;
    let chosen = |name: &str| {
        let out = folder.at(name);
        let (code, text) =
            system("run", &["--driver", "system", "--device", name, "--no-validation", "--out", out.to_str().unwrap()]);
        assert_eq!(code, 0, "{text}");
        device(&out.join("system.jsonl"))
    };
    let (lvp, swift) = (chosen("LLVMpipe"), chosen("swift"));
    assert!(lvp.starts_with("llvmpipe") && swift.starts_with("SwiftShader"), "{lvp}, {swift}");
    let mut indexed = [chosen("0"), chosen("1")];
    indexed.sort_by_key(|name| name.to_lowercase());
    assert_eq!(indexed, [lvp.clone(), swift.clone()]);
    let (code, text) = system("run", &["--driver", "system", "--device", "radeon"]);
    assert!(code == 2 && text.contains(&format!("`{lvp}`")) && text.contains(&format!("`{swift}`")), "{text}");

    // Two devices of one driver are compared.
    let pair = ["--driver", "system", "--device", "swift", "--against", "system", "--against-device", "llvmpipe"];
    let (code, text) = system("exec", &pair);
    assert!(code == 0 && text.contains("system-again against system: 1 equal"), "{code}: {text}");
    assert_eq!(device(&capture.join("exec/system-again.jsonl")), swift);
    assert_eq!(device(&capture.join("exec/system.jsonl")), lvp);

    // A bundle's command names the device, unless it is given another driver.
    let (name, bundle) = (list.pipelines[0].pipeline.to_string(), folder.at("bundle"));
    let of_swift = ["--driver", "system", "--device", "swift", "--inject", "crash", "--no-validation"];
    let (code, text) = system("reduce", &[&[name.as_str(), "--out", bundle.to_str().unwrap()][..], &of_swift].concat());
    assert_eq!(code, 0, "{text}");
    let shown = |more: &[&str]| {
        let mut command = Command::new("sh");
        command.arg(bundle.join("command.sh")).args(more).env("DXIL_LAB", env!("CARGO_BIN_EXE_dxil-lab"));
        said(command.env("VK_DRIVER_FILES", &both).env("VK_ICD_FILENAMES", &both))
    };
    let (code, text) = shown(&[]);
    assert!(code == 1 && text.contains("SwiftShader"), "{code}: {text}");
    let (code, text) = shown(&[&lavapipe]);
    assert!(code == 1 && text.contains("llvmpipe"), "{code}: {text}");
}
