//! The recipes of docs/lab-drivers.md, run as they stand there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use dxil_capture::Digest;
use dxil_lab::results::{Results, Row};
use dxil_lab::synth::List;

use crate::common::{Folder, lavapipe, said, synth};

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The commands of a recipe: the lines of the document's block behind its comment, up to the next
/// comment.
#[track_caller]
fn recipe(comment: &str) -> String {
    let text = fs::read_to_string(repository("docs/lab-drivers.md")).unwrap();
    let lines = text.lines().skip_while(|line| !line.starts_with(comment)).skip(1);
    let lines: Vec<&str> = lines.take_while(|line| !line.starts_with('#') && !line.starts_with("```")).collect();
    assert!(!lines.is_empty(), "there is no recipe {comment}");
    lines.join("\n")
}

/// A folder with the capture and the driver that the recipes name.
struct RecipeFolder {
    folder: Folder,
    path: String,
}

impl RecipeFolder {
    fn new(name: &str) -> Option<Self> {
        let driver = lavapipe()?;
        let folder = Folder::new(name);
        synth(&folder.at("build/lab"), &[repository("tests/fixtures/cbuffer")]);
        fs::copy(driver, folder.at("my_icd.json")).unwrap();
        let programs = Path::new(env!("CARGO_BIN_EXE_dxil-lab")).parent().unwrap().display().to_string();
        Some(Self { folder, path: format!("{programs}:{}", std::env::var("PATH").unwrap()) })
    }

    fn shell(&self, script: &str) -> Command {
        let mut command = Command::new("bash");
        command.args(["-euc", script]).current_dir(self.folder.at("")).env("PATH", &self.path);
        command
    }

    #[track_caller]
    fn succeed(&self, script: &str, variables: &[(&str, String)]) {
        let (code, text) = said(self.shell(script).envs(variables.iter().cloned()));
        assert_eq!(code, 0, "{script}\n{text}");
    }

    /// The rows of a folder of results, without what differs from run to run.
    fn rows(&self, folder: &str) -> BTreeMap<Digest, Row> {
        let rows = Results::read(&self.folder.at(folder).join("my_icd.jsonl")).unwrap().rows;
        let still = |row: Row| Row { driver_us: 0, layer_us: 0, memory_kib: 0, ..row };
        rows.into_iter().map(|(name, row)| (name, still(row))).collect()
    }

    /// The shards are merged, and have the rows of one run.
    #[track_caller]
    fn assert_merged_is_whole(&self) {
        self.succeed(&recipe("# Join"), &[]);
        self.succeed("dxil-lab run build/lab --driver my_icd.json --shard 1/1 --out whole", &[]);
        let (merged, whole) = (self.rows("build/lab/results"), self.rows("whole"));
        assert!(merged == whole && merged.len() > 8, "{} and {} rows", merged.len(), whole.len());
    }
}

#[test]
fn gitlab_runs_a_shard_in_each_job() {
    let Some(place) = RecipeFolder::new("recipe-gitlab") else { return };
    for job in 1..=8 {
        let variables = [("CI_NODE_INDEX", job.to_string()), ("CI_NODE_TOTAL", "8".to_owned())];
        place.succeed(&recipe("# GitLab CI"), &variables);
    }
    place.assert_merged_is_whole();
}

#[test]
fn gnu_parallel_runs_a_shard_in_each_job() {
    let Some(place) = RecipeFolder::new("recipe-parallel") else { return };
    if Command::new("parallel").arg("--version").output().is_err() {
        println!("skipped: parallel is not in PATH (Debian: package parallel)");
        return;
    }
    place.succeed(&recipe("# GNU parallel"), &[]);
    place.assert_merged_is_whole();
}

#[test]
fn slurm_runs_a_shard_in_each_task() {
    let Some(place) = RecipeFolder::new("recipe-slurm") else { return };
    if !Command::new("sinfo").output().is_ok_and(|output| output.status.success()) {
        println!("skipped: no SLURM answers `sinfo`");
        return;
    }
    place.succeed(&recipe("# SLURM"), &[]);
    place.assert_merged_is_whole();
}

#[test]
fn git_finds_the_commit_of_a_fault() {
    let Some(place) = RecipeFolder::new("recipe-bisect") else { return };
    let name = List::read(&place.folder.at("build/lab")).unwrap().pipelines[0].pipeline.short();
    // A driver's tree of eight commits. From the sixth on, the build has a fault.
    let tree = "git init -q tree && cd tree && git config user.name t && git config user.email t@example.org
        for commit in 1 2 3 4 5 6 7 8; do
            [ $commit -lt 6 ] && options= || options='--inject error'
            printf '%s\\n' '#!/bin/sh' \"exec dxil-lab \\\"\\$@\\\" $options\" >lab && chmod +x lab
            echo $commit >commit && git add lab commit && git commit -qm \"commit $commit\" && git tag c$commit
        done";
    place.succeed(tree, &[]);
    // The tree's `lab` stands for a build of the driver.
    let script = recipe("# git bisect").replace("3f5040db3f3c", &name).replace("dxil-lab run", "./lab run");
    let script = script.replace("build/lab", "../build/lab").replace("my_icd.json", "../my_icd.json");
    fs::write(place.folder.at("tree/bisect.sh"), format!("{script}\n")).unwrap();
    let (code, text) = said(&mut place.shell("cd tree && git bisect start c8 c1 && git bisect run sh bisect.sh"));
    assert!(code == 0 && text.contains("is the first bad commit"), "{code}: {text}");
    let (_, found) = said(&mut place.shell("cd tree && git describe --tags refs/bisect/bad"));
    assert_eq!(found.trim(), "c6", "{text}");
}
