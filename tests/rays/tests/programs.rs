//! Runs random ray-query programs on a driver, as DXIL through the layer.
//!
//! `cargo test -p dxil-rays --test programs -- --help` lists the options.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs};

use clap::Parser;
use dxil_rays::{PRINTED, PROGRAMS, Program, Scene, print, program, trace};
use dxil_test_support::Random;
use dxil_tests::arguments::LibtestArguments;
use dxil_tests::error::{Error, Result};
use dxil_tests::layer::{self, Driver};
use dxil_tests::run::{Code, run};
use dxil_tests::spec::BindingModel;
use dxil_tests::spec::parse::parse;
use dxil_tests::vulkan::{Context, ContextOptions};
use dxil_vulkan::Severity;

/// The scenes that are run by default: with two programs for each of 32 threads, more than a
/// thousand programs.
const SCENES: u64 = 16;
/// Says to a process that it is the one with the driver.
const CHILD: &str = "DXIL_RAYS_CHILD";

/// Runs random ray-query programs on a driver, as DXIL through the layer.
#[derive(Parser)]
struct Arguments {
    /// The first scene
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    first: u64,
    /// The number of scenes
    #[arg(long, value_name = "N", default_value_t = SCENES)]
    scenes: u64,
    /// A driver: lavapipe, swiftshader, system, or the path of a driver's JSON file
    #[arg(long, default_value = "lavapipe")]
    driver: String,
    /// Write the fixtures of printed programs
    #[arg(long)]
    write: bool,
    /// What has no effect.
    #[command(flatten)]
    libtest: LibtestArguments,
    #[arg(long, hide = true)]
    include_ignored: bool,
}

/// The programs of a scene.
fn programs(seed: u64, scene: &Scene) -> Vec<Program> {
    let random = &mut Random::new(seed.wrapping_mul(2) + 1);
    (0..PROGRAMS / 2).flat_map(|_| Program::pair(random, scene)).collect()
}

/// The fixture of a scene: the lines before the shader.
fn lines(scene: &Scene, programs: &[Program]) -> String {
    let list = |words: &[u32]| words.iter().map(|word| format!(" {word:#x}")).collect::<String>();
    let words: Vec<u32> = programs.iter().flat_map(Program::words).collect();
    let corners = scene.corners();
    format!(
        "//! stage cs_6_5 main\n//! spirv-args -fspv-target-env=vulkan1.2\n\
         //! require ray_query ray_traversal_primitive_culling\n//! dispatch 1 1 1\n{}\
         //! resource t0 acceleration_structure world\n\
         //! resource t1 structured_buffer {} {PROGRAMS} words{}\n\
         //! resource t2 structured_buffer 12 {} words{}\n\
         //! resource u0 structured_buffer {} {PROGRAMS} out fill 0xcdcdcdcd\n//! judge spirv\n",
        scene.lines(),
        program::WORDS * 4,
        list(&words),
        corners.len() / 3,
        list(&corners),
        trace::WORDS * 4,
    )
}

/// A shader of the fixtures.
fn shader(name: &str, extension: &str) -> PathBuf {
    layer::root().join("tests/fixtures/query").join(name).with_extension(extension)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|e| Error::Io(format!("{}: {e}", path.display())))
}

/// What the committed sources must be: the fixture of scene 0 above the shader that interprets
/// programs, and above programs as HLSL.
fn sources() -> Result<[(PathBuf, String); 2]> {
    let (scene, path) = (Scene::new(0), shader("programs", "hlsl"));
    let programs = programs(0, &scene);
    let text = String::from_utf8_lossy(&read(&path)?).into_owned();
    let body: String = text.split_inclusive('\n').filter(|line| !line.starts_with("//!")).collect();
    let lines = lines(&scene, &programs);
    let printed = print::hlsl(programs.get(..PRINTED).unwrap_or_default());
    let generated = format!("{lines}// Written by `cargo test -p dxil-rays --test programs -- --write`.\n{printed}");
    Ok([(path, lines + &body), (shader("generated", "hlsl"), generated)])
}

/// Writes the committed sources. `scripts/regenerate-fixtures.sh` compiles them.
fn write() -> Result<()> {
    sources()?.into_iter().try_for_each(|(path, text)| fs::write(&path, text).map_err(|e| Error::Io(e.to_string())))
}

/// What the programs came to. A test of programs that all miss would show nothing.
#[derive(Default)]
struct Tally {
    failed: usize,
    /// By the status of the committed hit: nothing, a triangle, a procedural primitive.
    status: [usize; 3],
    /// Whose shader saw some candidate.
    seen: usize,
    /// In which two queries were under way at once.
    paired: usize,
    /// Whose search ended at the first hit.
    first: usize,
}

impl Tally {
    fn count(&mut self, program: &Program, words: &[u32]) {
        let &[status, seen, ..] = words else { return };
        if let Some(count) = self.status.get_mut(status as usize) {
            *count += 1;
        }
        self.seen += usize::from(seen != 0);
        self.paired += usize::from(program.kind == 0);
        self.first += usize::from(status != 0 && program.all_flags() & program::flag::ACCEPT_FIRST != 0);
    }

    /// Whether a sixteenth of the programs, or more, came to each.
    fn is_varied(&self, total: usize) -> bool {
        let least = self.status.iter().chain([&self.seen, &self.paired, &self.first]).min();
        least.is_some_and(|&least| least >= total / 16)
    }
}

/// Runs the programs of a scene with a shader, of which it runs the first `count`.
fn scene(context: &Context, seed: u64, name: &str, count: usize, tally: &mut Tally) -> Result<()> {
    let (scene, bytes) = (Scene::new(seed), read(&shader(name, "dxil"))?);
    let programs = programs(seed, &scene);
    let fixture = parse("query/programs", &shader(name, "hlsl"), &lines(&scene, &programs))?;
    let code: Vec<Code<'_>> = fixture.stages().map(|(_, stage)| Code::new(stage, &bytes)).collect();
    let outputs = run(&fixture, context, &code)?;
    let words = outputs.first().map(|(_, words)| words.as_slice()).unwrap_or_default();
    for (number, program) in programs.iter().take(count).enumerate() {
        let own = words.get(number * trace::WORDS..).unwrap_or_default();
        tally.count(program, own);
        if let Some(fault) = trace::check(&scene, program, own) {
            tally.failed += 1;
            println!("{name}: scene {seed} program {number}: {fault}\n    {program:?}");
        }
    }
    Ok(())
}

/// Runs the programs of scenes.
fn scenes(arguments: &Arguments) -> Result<Tally> {
    let context = Context::new(&ContextOptions { dxil_layer: true, ..ContextOptions::default() })?;
    let mut tally = Tally::default();
    for (path, text) in sources()? {
        if read(&path)? != text.into_bytes() {
            tally.failed += 1;
            println!("{} is not as `--write` writes it", path.display());
        }
    }
    scene(&context, 0, "generated", PRINTED, &mut tally)?;
    for seed in arguments.first..arguments.first + arguments.scenes {
        scene(&context, seed, "programs", PROGRAMS, &mut tally)?;
    }
    for message in context.messages().into_iter().filter(|message| message.severity == Severity::Error) {
        tally.failed += 1;
        println!("{}", message.text);
    }
    Ok(tally)
}

/// Runs this program again with the environment in which the loader finds the driver and the layer.
fn parent(driver: &str) -> Result<bool> {
    let folder = layer::build()?;
    let io = |e: std::io::Error| Error::Io(e.to_string());
    let mut child = Command::new(env::current_exe().map_err(io)?);
    child.args(env::args().skip(1)).env(CHILD, "1");
    let driver = Driver::named(driver);
    child.envs(layer::loader_environment(&driver, Some(&folder))?);
    child.envs(layer::four_lanes(&driver)?);
    child.envs(layer::settings_of(BindingModel::Register)).env("VK_DXIL_TRANSLATE_PROFILE_CAP", "none");
    Ok(child.status().map_err(io)?.success())
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    if arguments.write {
        return match write() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                println!("{error}");
                ExitCode::FAILURE
            }
        };
    }
    let total = arguments.scenes as usize * PROGRAMS + PRINTED;
    let done = if env::var_os(CHILD).is_some() {
        scenes(&arguments).map(|tally| {
            let Tally { failed, status: [nothing, triangles, boxes], seen, paired, first } = &tally;
            println!(
                "ray queries: {} programs passed, {failed} failed, in {} scenes\n    hits: {nothing} none, {triangles} of \
                 triangles, {boxes} of boxes, {first} the first; {seen} with candidates, {paired} in pairs",
                total - (*failed).min(total),
                arguments.scenes
            );
            if !tally.is_varied(total) {
                println!("the programs are too much alike to show anything");
            }
            tally.failed == 0 && tally.is_varied(total)
        })
    } else {
        parent(&arguments.driver)
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(Error::Skip(reason)) => {
            println!("test rays/programs ... skipped: {reason}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("{error}");
            ExitCode::FAILURE
        }
    }
}
