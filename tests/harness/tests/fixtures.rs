//! Runs the fixtures of tests/fixtures, the programs of tests/content, and the demo's shaders, each
//! in a process of its own. The translations that the layer does meanwhile are dumped, and
//! repeated afterwards.
//!
//! `cargo test -p dxil-tests --test fixtures -- --help` lists the options. The exit status is 1 if
//! a fixture failed, if a dumped translation was not reproduced or nothing was dumped, or if no
//! fixture ran although `scripts/setup.sh` has set up a driver.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::ffi::OsStr;
use std::num::NonZeroUsize;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use std::{fs, io};

use clap::Parser;
use dxil_test_support::{is_fixture, set_environment};
use dxil_tests::alone::{Alone, finish};
use dxil_tests::arguments::{LibtestArguments, RunArguments};
use dxil_tests::captured::{self, Captured};
use dxil_tests::child::{Child, Ended};
use dxil_tests::dump;
use dxil_tests::error::Error;
use dxil_tests::judge::{CodeKind, load, name_of};
use dxil_tests::layer::{self, Driver};
use dxil_tests::spec::Judge;

/// Runs fixtures on a Vulkan driver and judges their outputs.
#[derive(Parser)]
struct Arguments {
    /// Run only fixtures whose name contains one of the filters [default: all]
    #[arg(value_name = "FILTER")]
    filters: Vec<String>,
    /// Run only fixtures whose name equals one of the filters
    #[arg(long)]
    exact: bool,
    /// List the fixtures and do not run them
    #[arg(long)]
    list: bool,
    /// Run the fixtures in this folder instead, as made by random_payloads.py and random_vectors.py
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// How fixtures run.
    #[command(flatten)]
    how: RunArguments,
    /// The number of fixtures that run at a time
    #[arg(long, value_name = "N", default_value = "2")]
    jobs: NonZeroUsize,
    /// The time limit of one fixture. It only ends what hangs, on a machine that is busy with other
    /// work, too
    #[arg(long, value_name = "SECONDS", default_value = "180")]
    seconds: u64,
    /// What has no effect.
    #[command(flatten)]
    libtest: LibtestArguments,
}

enum Outcome {
    Passed,
    Failed(String),
    Skipped(String),
}

/// A fixture to run.
struct Test {
    name: String,
    source: PathBuf,
    /// Whether the fixture breaks a rule of Vulkan on purpose, which must be reported.
    canary: bool,
}

/// Appends every `.hlsl` file below `folder` that has directives.
fn find(folder: &Path, tests: &mut Vec<Test>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            find(&path, tests);
        } else if path.extension().is_some_and(|extension| extension == "hlsl")
            && fs::read_to_string(&path).is_ok_and(|text| is_fixture(&text))
        {
            tests.push(Test { name: name_of(&path), source: path, canary: false });
        }
    }
}

/// The folders of a run with the layer.
struct Layer {
    /// The folder of the layer's manifest.
    manifest: PathBuf,
    /// The folder into which the layer dumps its translations.
    dump: PathBuf,
    /// The folder into which the layer captures the pipelines of each fixture, in a folder of its
    /// own; `None` where the pipelines have no DXIL.
    captures: Option<PathBuf>,
    /// What was captured of all fixtures.
    captured: RefCell<Captured>,
    /// The path of `dxil2spv`.
    tool: PathBuf,
}

impl Layer {
    /// Builds the layer, and makes an empty folder for the dump of this run.
    fn new(captures: bool) -> Result<Self, Error> {
        let manifest = layer::build()?;
        let tool = layer::build_tool()?;
        // Another run may be using the same target folder.
        let dump = layer::profile_folder()?.join("fixture-dumps").join(std::process::id().to_string());
        let made = match fs::remove_dir_all(&dump) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
            _ => fs::create_dir_all(&dump),
        };
        made.map_err(|e| Error::Io(format!("{}: {e}", dump.display())))?;
        let captures = captures.then(|| dump.with_extension("captures"));
        if let Some(Err(e)) = captures.as_ref().map(fs::remove_dir_all)
            && e.kind() != io::ErrorKind::NotFound
        {
            return Err(Error::Io(format!("{}: {e}", dump.display())));
        }
        Ok(Self { manifest, dump, captures, captured: RefCell::default(), tool })
    }

    /// The folder for the captures of a fixture.
    fn captures_of(&self, test: &Test) -> Option<PathBuf> {
        Some(self.captures.as_ref()?.join(test.name.replace(['/', '\\'], "-")))
    }

    /// Checks what was captured of a fixture that passed, and removes it. One fixture of twenty has
    /// its requests repeated by the tool.
    fn check(&self, test: &Test, said: &str) -> Result<(), Error> {
        let Some(folder) = self.captures_of(test) else { return Ok(()) };
        let with_tool = test.name.bytes().map(u32::from).sum::<u32>() % 20 == 0;
        let checked = captured::check(&folder, said, &self.dump, with_tool.then_some(&*self.tool))?;
        self.captured.borrow_mut().add(checked);
        match fs::remove_dir_all(&folder) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(Error::Io(format!("{}: {e}", folder.display()))),
            _ => Ok(()),
        }
    }

    /// Says what was captured, which is an error if it is nothing.
    fn captured(&self) -> Result<(), Error> {
        let Some(captures) = &self.captures else { return Ok(()) };
        let captured = *self.captured.borrow();
        println!(
            "captured pipelines: {}; {} requests as dumped, {} of them repeated by dxil2spv",
            captured.records, captured.requests, captured.by_tool
        );
        // The folder of a failed fixture is not removed.
        let _ = fs::remove_dir(captures);
        if captured.records == 0 { Err(Error::Wrong("nothing was captured".into())) } else { Ok(()) }
    }

    /// Repeats the dumped translations. The folder is removed if all of them were reproduced.
    fn repeat(&self, jobs: usize) -> Result<(), Error> {
        let started = Instant::now();
        let repeated = dump::repeat(&self.dump, &self.tool, jobs)?;
        println!(
            "dumped translations: {} reproduced word for word, {} of them by dxil2spv as well; \
             {} failed again; in {:.1} s",
            repeated.reproduced,
            repeated.by_tool,
            repeated.failed_again,
            started.elapsed().as_secs_f64()
        );
        self.remove()
    }

    /// Removes the folder, into which nothing was dumped.
    fn remove_empty(&self) -> Result<(), Error> {
        fs::remove_dir(&self.dump).map_err(|e| Error::Wrong(format!("{}: {e}", self.dump.display())))
    }

    fn remove(&self) -> Result<(), Error> {
        fs::remove_dir_all(&self.dump).map_err(|e| Error::Io(format!("{}: {e}", self.dump.display())))
    }
}

/// Runs a fixture in the child that it has. The environment variable `DXIL_TEST_ROOT` names the
/// folder of an unpacked system, with whose loader and libraries a program then does it
/// (`scripts/get-mesa-sid.sh`).
fn run(test: &Test, arguments: &Arguments, layer: Option<&Layer>) -> u8 {
    let how = &arguments.how;
    let layer_dir = layer.map(|layer| &*layer.manifest);
    if let Some(layer) = layer {
        set_environment([layer::dump_dir(&layer.dump)]);
        set_environment(layer.captures_of(test).map(|folder| layer::capture_dir(&folder)));
    }
    let Some(root) = std::env::var_os("DXIL_TEST_ROOT") else {
        return finish(Alone { how, layer_dir, fault: test.canary, is_timed: false }.judge(&test.source));
    };
    let libraries = Path::new(&root).join("usr/lib/x86_64-linux-gnu");
    let mut command = Command::new(libraries.join("ld-linux-x86-64.so.2"));
    command.arg("--library-path").arg(libraries).arg(env!("CARGO_BIN_EXE_dxil-run-fixture")).arg(&test.source);
    command.args(["--code", &how.code.name(), "--driver", &how.driver]);
    command.args(layer_dir.map(|folder| [OsStr::new("--layer-dir"), folder.as_os_str()]).into_iter().flatten());
    command.args(how.validation.then_some("--validation"));
    command.args(how.no_robustness.then_some("--no-robustness"));
    command.args(test.canary.then_some("--fault"));
    finish(Err(Error::Io(format!("cannot start {command:?}: {}", command.exec()))))
}

/// How a fixture ended whose child did.
fn judge(test: &Test, ended: Ended, limit: Duration, layer: Option<&Layer>) -> Outcome {
    let Ended { status, said } = ended;
    let Some(status) = status else { return Outcome::Failed(format!("not finished after {limit:?}\n{said}")) };
    match status.exit_status() {
        Some(0) if test.canary => {
            Outcome::Failed("the validation layer did not report a deliberate fault; is it active?".into())
        }
        Some(1) if test.canary && said.contains("VUID") => Outcome::Passed,
        Some(0) => match layer.map_or(Ok(()), |layer| layer.check(test, &said)) {
            Ok(()) => Outcome::Passed,
            Err(error) => Outcome::Failed(format!("captured pipelines: {error}\n{said}")),
        },
        Some(77) => Outcome::Skipped(said.lines().last().unwrap_or_default().to_owned()),
        Some(_) => Outcome::Failed(said),
        None => Outcome::Failed(format!("crashed: {status:?}\n{said}")),
    }
}

/// The fixtures to run, and the canary that shows that the validation layer listens.
fn chosen(arguments: &Arguments) -> Vec<Test> {
    let mut tests = Vec::new();
    match &arguments.folder {
        Some(folder) => find(folder, &mut tests),
        None => ["tests/fixtures", "tests/content", "tests/demo/shaders"]
            .into_iter()
            .for_each(|folder| find(&layer::root().join(folder), &mut tests)),
    }
    let wanted = |name: &str| {
        arguments.filters.is_empty()
            || arguments
                .filters
                .iter()
                .any(|filter| if arguments.exact { name == filter } else { name.contains(filter) })
    };
    let canary_source = tests.iter().find(|test| load(&test.source).is_ok());
    let canary = canary_source.map(|test| test.source.clone()).filter(|_| arguments.how.validation);
    tests.retain(|test| wanted(&test.name));
    tests.extend(canary.map(|source| Test { name: "canary/validation_listens".into(), source, canary: true }));
    tests
}

/// Why a fixture is not run. SPIR-V that is its only judge would be compared with itself, and runs
/// beside the DXIL in other runs.
fn needless(test: &Test, kind: CodeKind) -> Option<Outcome> {
    let judges_itself = kind == CodeKind::Spirv && load(&test.source).is_ok_and(|it| it.judges == [Judge::Spirv]);
    judges_itself.then(|| Outcome::Skipped("its SPIR-V is its only judge, and runs beside the DXIL".into()))
}

/// Runs the tests, some at a time.
fn run_all(tests: Vec<Test>, arguments: &Arguments, layer: Option<&Layer>) -> io::Result<Vec<(String, Outcome)>> {
    let limit = Duration::from_secs(arguments.seconds);
    let mut results = Vec::new();
    let mut ends = |test: Test, outcome: Outcome| {
        match &outcome {
            Outcome::Passed => println!("test {} ... ok", test.name),
            Outcome::Skipped(reason) => println!("test {} ... skipped: {reason}", test.name),
            Outcome::Failed(_) => println!("test {} ... FAILED", test.name),
        }
        results.push((test.name, outcome));
    };
    let (mut queue, mut children) = (VecDeque::from(tests), Vec::new());
    while !queue.is_empty() || !children.is_empty() {
        if children.len() < arguments.jobs.get()
            && let Some(test) = queue.pop_front()
        {
            match needless(&test, arguments.how.code) {
                Some(outcome) => ends(test, outcome),
                None => {
                    let child = Child::start(limit, || run(&test, arguments, layer).into())?;
                    children.push((test, child));
                }
            }
            continue;
        }
        let (test, ended) = Child::wait_for_any(&mut children)?;
        let outcome = judge(&test, ended, limit, layer);
        ends(test, outcome);
    }
    Ok(results)
}

/// The numbers of tests that passed, failed and were skipped. Prints why they failed.
fn count(results: &[(String, Outcome)]) -> [u32; 3] {
    let (mut passed, mut failed, mut skipped) = (0, 0, 0);
    for (name, outcome) in results {
        match outcome {
            Outcome::Passed => passed += 1,
            Outcome::Skipped(_) => skipped += 1,
            Outcome::Failed(text) => {
                failed += 1;
                println!("\n---- {name} ----\n{}", text.trim_end());
            }
        }
    }
    [passed, failed, skipped]
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let tests = chosen(&arguments);
    if arguments.list {
        tests.iter().for_each(|test| println!("{}: test", test.name));
        return ExitCode::SUCCESS;
    }
    let RunArguments { code: kind, ref driver, validation, .. } = arguments.how;
    let code = kind.name();
    // A library as one module runs without the layer, which plans it before.
    let layered = kind.has_layer() || kind == CodeKind::Library;
    let captures = matches!(kind, CodeKind::Dxil | CodeKind::Embedded | CodeKind::Objects);
    let layer = match layered.then(|| Layer::new(captures)).transpose() {
        Ok(layer) => layer,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    println!(
        "\nrunning {} fixtures as {code} on {driver}{}",
        tests.len(),
        if validation { " with the validation layer" } else { "" },
    );
    let started = Instant::now();
    // Libraries of another system are loaded there.
    if std::env::var_os("DXIL_TEST_ROOT").is_none() {
        layer::preload(&Driver::named(driver), layer.as_ref().map(|layer| &*layer.manifest));
    }
    let results = match run_all(tests, &arguments, layer.as_ref()) {
        Ok(results) => results,
        Err(error) => {
            eprintln!("cannot run a fixture in a process of its own: {error}");
            return ExitCode::FAILURE;
        }
    };
    let [passed, failed, skipped] = count(&results);
    println!(
        "\nfixtures ({code} on {driver}): {passed} passed, {failed} failed, {skipped} skipped in {:.1} s",
        started.elapsed().as_secs_f64()
    );
    let nothing_ran = passed + failed == 0 && skipped > 0 && std::env::var_os("DXIL_TEST_LAVAPIPE_ICD").is_some();
    if nothing_ran {
        println!("no fixture ran, although DXIL_TEST_LAVAPIPE_ICD names a driver");
    }
    // A fixture that passed was translated, so something must have been dumped. SPIR-V is not, and
    // a library's translations are dumped into a folder of the fixture.
    let elsewhere = matches!(kind, CodeKind::SpirvUnderLayer | CodeKind::Library);
    let checked = layer.as_ref().filter(|_| passed > 0).map_or(Ok(()), Layer::captured);
    if let Err(error) = &checked {
        println!("captured pipelines: {error}");
    }
    let repeated = match layer {
        Some(layer) if elsewhere => layer.remove_empty(),
        Some(layer) if passed > 0 => layer.repeat(arguments.jobs.get()),
        Some(layer) => layer.remove(),
        None => Ok(()),
    };
    if let Err(error) = &repeated {
        println!("dumped translations: {error}");
    }
    if failed > 0 || nothing_ran || repeated.is_err() || checked.is_err() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}
