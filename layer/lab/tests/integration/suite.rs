//! `dxil-lab suite` from outside, alone and under deqp-runner's program for GoogleTest.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use dxil_lab::synth::List;

use crate::common::{Folder, lab, lavapipe, synth};

fn capture(folder: &Folder) -> (PathBuf, List) {
    let capture = folder.at("capture");
    let inputs = ["cloth.init", "cloth.integrate", "cloth.measure"];
    let inputs = inputs.map(|name| {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/content/cloth").join(format!("{name}.cs.dxil"))
    });
    let list = synth(&capture, &inputs);
    (capture, list)
}

fn suite(capture: &Path, driver: &str) -> Command {
    let mut command = lab();
    command.arg("suite").arg(capture).args(["--driver", driver, "--against", driver, "--no-validation"]);
    command
}

fn lines(command: &mut Command) -> (i32, Vec<String>) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    assert_eq!(String::from_utf8_lossy(&stderr), "");
    (status.code().unwrap(), String::from_utf8_lossy(&stdout).lines().map(str::to_owned).collect())
}

/// The result lines, without times.
fn results(lines: &[String]) -> Vec<&str> {
    let ends = lines.iter().filter(|line| line.ends_with(" ms)"));
    ends.filter_map(|line| line.rsplit_once(" (").map(|(result, _)| result)).collect()
}

#[test]
fn pipelines_are_tests_of_googletest() {
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("suite");
    let (capture, list) = capture(&folder);
    let (code, listed) = lines(suite(&capture, &driver).arg("--gtest_list_tests"));
    let of = |label: &str| list.pipelines.iter().find(|it| it.label == label).unwrap().pipeline;
    let name = |label: &str| format!("{}_{}", label.replace('.', "_"), of(label).short());
    let [init, integrate, measure] = ["cloth.init.cs", "cloth.integrate.cs", "cloth.measure.cs"].map(name);
    let checks = ["  made", "  valid", "  ran", "  equal"].map(str::to_owned);
    let expected = [&init, &integrate, &measure].map(|name| [&[format!("{name}.")][..], &checks].concat()).concat();
    assert_eq!((code, listed), (0, expected));

    let filter = format!("--gtest_filter={init}.*:{measure}.equal-*.valid");
    let (code, said) = lines(suite(&capture, &driver).arg(&filter));
    let of_init = ["made", "ran", "equal"].map(|check| format!("[       OK ] {init}.{check}"));
    let expected = [&of_init[..], &[format!("[       OK ] {measure}.equal")]].concat();
    assert_eq!((code, results(&said)), (0, expected.iter().map(String::as_str).collect()), "{said:?}");
    assert!(said.contains(&format!("[ RUN      ] {measure}.equal")) && said.contains(&"[  PASSED  ] 4 tests.".into()));

    // A driver that drops barriers, and one that crashes.
    let filter = format!("--gtest_filter={init}.*:{measure}.*");
    let (code, said) = lines(suite(&capture, &driver).arg(&filter).args(["--inject", "barrier"]));
    assert_eq!(code, 1, "{said:?}");
    assert!(results(&said).contains(&&*format!("[  FAILED  ] {measure}.equal")), "{said:?}");
    assert!(results(&said).contains(&&*format!("[       OK ] {init}.equal")), "{said:?}");
    let crash = format!("crash:{}", of("cloth.init.cs"));
    let (code, said) = lines(suite(&capture, &driver).arg(&filter).args(["--inject", &crash]));
    let ends = results(&said);
    let is_there = |word: &str, name: &str| ends.contains(&&*format!("[{word}] {name}"));
    assert!(code == 1 && is_there("  FAILED  ", &format!("{init}.made")), "{said:?}");
    assert!(is_there("  SKIPPED ", &format!("{init}.equal")) && is_there("       OK ", &format!("{measure}.equal")));
    assert!(said.iter().any(|line| line.contains("signal 6 (SIGABRT) in vkCreateComputePipelines")), "{said:?}");
}

/// The runner of Mesa's CI; `cargo install deqp-runner` installs it.
#[test]
fn deqp_runner_runs_the_suite() {
    let Some(driver) = lavapipe() else { return };
    let runner = std::env::var_os("GTEST_RUNNER").unwrap_or_else(|| "gtest-runner".into());
    if Command::new(&runner).arg("--version").output().is_err() {
        println!("skipped: there is no gtest-runner (cargo install deqp-runner)");
        return;
    }
    let folder = Folder::new("suite-runner");
    let (capture, list) = capture(&folder);
    let victim = list.pipelines.iter().find(|it| it.label == "cloth.measure.cs").unwrap().pipeline;
    let run = |out: &str, more: &[&str]| {
        let mut command = Command::new(&runner);
        command.args(["run", "--jobs", "2", "--gtest", env!("CARGO_BIN_EXE_dxil-lab"), "--output"]);
        command.arg(folder.at(out)).args(more).args(["--", "suite"]).arg(&capture);
        command.args(["--driver", &driver, "--against", &driver, "--no-validation"]);
        let output = command.args(["--inject", &format!("barrier:{victim}")]).output().unwrap();
        let text = fs::read_to_string(folder.at(out).join("failures.csv")).unwrap_or_default();
        (output.status.success(), text, String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let name = format!("cloth_measure_cs_{}.equal", victim.short());
    let (passed, failures, said) = run("first", &[]);
    assert!(!passed && failures.trim() == format!("{name},Fail"), "{failures}: {said}");
    // A known failure is expected the next time.
    let baseline = folder.at("first/failures.csv");
    let (passed, _, said) = run("second", &["--baseline", baseline.to_str().unwrap()]);
    assert!(passed, "{said}");
}
