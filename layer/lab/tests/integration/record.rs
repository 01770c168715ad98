//! Recordings that GFXReconstruct's own programs read and play.

use std::path::Path;
use std::process::Command;

use dxil_lab::run::RECORDER;

use crate::common::{Folder, driver, fixture, lab, lavapipe, said, succeed, synth};

/// Whether GFXReconstruct is there; if not, the reason is printed.
fn has_programs() -> bool {
    let is_there = Command::new("gfxrecon-info").arg("--version").output().is_ok();
    if !is_there {
        println!("skipped: gfxrecon-info is not in PATH; scripts/setup.sh installs gfxreconstruct");
    }
    is_there
}

/// What a program of GFXReconstruct says of a file on a driver. Nothing of this project has a part
/// in it.
#[track_caller]
fn gfxrecon(program: &[&str], file: &Path, driver: &str) -> String {
    let (code, text) = said(
        Command::new(program[0])
            .args(&program[1..])
            .arg(file)
            .env("VK_DRIVER_FILES", driver)
            .env("VK_ICD_FILENAMES", driver),
    );
    assert!(code == 0 && !text.contains("ERROR") && !text.contains("FATAL"), "{program:?} {code}: {text}");
    text
}

/// The number before which a line has this text.
#[track_caller]
fn number(text: &str, what: &str) -> usize {
    let line = text.lines().find_map(|line| line.split_once(what));
    line.unwrap_or_else(|| panic!("{what}: {text}")).1.trim().parse().unwrap()
}

#[test]
fn a_recording_plays_without_the_lab() {
    let (Some(lavapipe), true) = (lavapipe(), has_programs()) else { return };
    let folder = Folder::new("recorded");
    let capture = folder.at("capture");
    let stages = ["vs", "ps"].map(|stage| fixture(&format!("stages/centroid_position.{stage}.dxil")));
    synth(&capture, &[fixture("buffer/raw_read_write.dxil"), stages[0].clone(), stages[1].clone()]);
    for (subcommand, more) in [("run", &[][..]), ("exec", &["--against", &lavapipe, "--rounds", "1"])] {
        let out = folder.at(subcommand);
        let mut command = lab();
        command.arg(subcommand).arg(&capture).args(["--driver", &lavapipe, "--record"]).arg(&out).args(more);
        let text = succeed(&mut command);
        assert!(text.contains("2 recordings for gfxrecon-replay, 0 missing"), "{text}");
        let [mut compute, mut graphics] = [0, 0];
        for folder in std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path()) {
            let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
            for file in files.filter(|file| file.extension().is_some_and(|ending| ending == "gfxr")) {
                let info = gfxrecon(&["gfxrecon-info"], &file, &lavapipe);
                compute += number(&info, "Total compute pipelines: ");
                graphics += number(&info, "Total graphics pipelines: ");
                gfxrecon(&["gfxrecon-replay"], &file, &lavapipe);
                // What is below the layer has no DXIL.
                let (code, text) = said(lab().arg("synth").arg(&file).arg("--out").arg(out.join("none")));
                assert!(code == 2 && text.contains("shader modules has DXIL: the recording was made below"), "{text}");
            }
        }
        let drivers = if subcommand == "run" { 1 } else { 2 };
        assert_eq!([compute, graphics], [drivers, drivers]);
    }
}

/// GFXReconstruct says on the output what it leaves out, where a worker has its answers.
#[test]
fn a_layer_that_prints_does_not_disturb_a_run() {
    let (Some(lavapipe), true) = (lavapipe(), has_programs()) else { return };
    let folder = Folder::new("printing");
    let capture = folder.at("capture");
    synth(&capture, &[fixture("buffer/raw_read_write.dxil")]);
    let mut command = lab();
    command.arg("run").arg(&capture).args(["--driver", &lavapipe, "--no-validation", "--layer", RECORDER]);
    command.env("GFXRECON_LOG_LEVEL", "debug").env("GFXRECON_CAPTURE_FILE", folder.at("it.gfxr"));
    let text = succeed(&mut command);
    assert!(text.contains("1 created"), "{text}");
}

#[test]
fn a_bundle_has_a_recording() {
    let (Some(lavapipe), true) = (lavapipe(), has_programs()) else { return };
    let folder = Folder::new("recorded-bundle");
    let capture = folder.at("capture");
    let name = synth(&capture, &[fixture("buffer/raw_read_write.dxil")]).pipelines[0].pipeline.to_string();
    let bundle = folder.at("bundle");
    let reduce = |out: &Path| {
        let mut command = lab();
        command.arg("reduce").arg(&capture).arg(&name).args(["--driver", &lavapipe, "--no-validation"]);
        command.args(["--inject", "crash", "--out"]).arg(out);
        command
    };
    succeed(&mut reduce(&bundle));
    let file = bundle.join("reduced.gfxr");
    assert_eq!(number(&gfxrecon(&["gfxrecon-info"], &file, &lavapipe), "Total compute pipelines: "), 1);
    gfxrecon(&["gfxrecon-replay"], &file, &lavapipe);
    let readme = std::fs::read_to_string(bundle.join("README.md")).unwrap();
    assert!(readme.contains("`gfxrecon-replay --remove-unsupported reduced.gfxr`"), "{readme}");
    // Another driver plays what lavapipe was asked.
    if let Some(swiftshader) = driver("SWIFTSHADER") {
        gfxrecon(&["gfxrecon-replay", "--remove-unsupported"], &file, &swiftshader);
    }

    // Without the layer, a sentence says what to install.
    let bundle = folder.at("without");
    let text = succeed(reduce(&bundle).env("VK_LAYER_PATH", folder.at("")));
    let why = "GFXReconstruct's layer VK_LAYER_LUNARG_gfxreconstruct is not installed (Debian: package gfxreconstruct)";
    assert!(text.contains(why), "{text}");
    assert!(
        std::fs::read_to_string(bundle.join("README.md")).unwrap().contains(why)
            && !bundle.join("reduced.gfxr").exists()
    );
}
