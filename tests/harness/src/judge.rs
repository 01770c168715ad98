//! Runs a fixture as its judges require, and compares the outputs.
//!
//! In: a fixture and the compiled form to judge. Out: nothing, or the reason why the fixture does
//! not pass. What must hold: a fixture does not pass if an output is not judged, or if no output
//! changed.

use dxil_test_support::spirv::words;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::time::Duration;

use clap::ValueEnum;
use dxil_translator::{EmbedOptions, embed};

use crate::compare::{Want, compare};
use crate::error::{Error, Result};
use crate::layer;
use crate::library;
use crate::renderdoc;
use crate::run::time::{Stopwatch, Times, time};
use crate::run::{Code, Outputs, Program, device_heaps, objects, run};
use crate::spec::{Fixture, Judge, Pass, Stage, Step, parse, parse_want};
use crate::vulkan::{Context, ContextOptions};
use dxil_vulkan::{RenderDoc, Severity};

/// The compiled form that is under test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CodeKind {
    /// DXIL containers, run through the layer.
    Dxil,
    /// DXC's SPIR-V, run without the layer. This tests the fixture and the harness, not the
    /// translator.
    Spirv,
    /// DXC's SPIR-V, run with the layer. The outputs must be exactly those without it.
    SpirvUnderLayer,
    /// DXIL containers embedded in SPIR-V modules that do nothing else, run through the layer. With
    /// validation, the validation layer is above the layer, where it sees these modules.
    Embedded,
    /// The same modules without the layer, where they must do nothing.
    Stub,
    /// DXC's SPIR-V with the DXIL containers embedded in it, run without the layer. The outputs
    /// must be exactly those without the containers.
    Fallback,
    /// Each DXIL library as one SPIR-V module with all of its entry points, run without the layer.
    Library,
    /// DXIL containers as shader objects instead of pipelines, run through the layer.
    Objects,
    /// The same with each shader object created by a call of its own, linked to none.
    UnlinkedObjects,
    /// DXIL containers with all descriptors in the heaps of VK_EXT_descriptor_heap, run through the
    /// layer.
    Heaps,
    /// The same as shader objects instead of pipelines.
    HeapObjects,
    /// DXC's SPIR-V as shader objects, run without the layer. This tests the harness and the
    /// driver.
    SpirvObjects,
}

impl CodeKind {
    /// The name on command lines.
    #[must_use]
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Whether the layer under test is enabled.
    #[must_use]
    pub fn has_layer(self) -> bool {
        matches!(self, Self::Dxil | Self::Embedded | Self::Heaps | Self::SpirvUnderLayer) || self.is_dxil_objects()
    }

    /// Whether the code runs by shader objects instead of pipelines.
    fn is_objects(self) -> bool {
        self.is_dxil_objects() || self == Self::SpirvObjects
    }

    /// Whether DXIL runs by shader objects, through the layer.
    #[must_use]
    pub fn is_dxil_objects(self) -> bool {
        matches!(self, Self::Objects | Self::UnlinkedObjects | Self::HeapObjects)
    }

    /// Whether all descriptors are in the heaps of the device.
    #[must_use]
    pub fn is_heaps(self) -> bool {
        matches!(self, Self::Heaps | Self::HeapObjects)
    }

    /// Whether the code that runs is a translation.
    fn is_translated(self) -> bool {
        matches!(self, Self::Dxil | Self::Embedded | Self::Heaps | Self::Library) || self.is_dxil_objects()
    }
}

/// Options of a run.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// The compiled form that is under test.
    pub code: CodeKind,
    /// Enables the validation layer directly above the driver, or above the layer where the code is
    /// embedded. An error that it reports fails the
    /// fixture.
    pub validation: bool,
    /// Disables robust buffer access.
    pub no_robustness: bool,
    /// Set for every driver but lavapipe, because a driver may lack features that the translator
    /// needs, and may have faults. A refusal for a missing feature is then a skip, and so is an
    /// expectation that DXC's SPIR-V does not meet on this driver either.
    pub lenient: bool,
    /// Breaks a rule of Vulkan on purpose. The validation layer must report that, which shows that
    /// it is active.
    pub fault: bool,
}

/// The name of the fixture in a file: the names of the file's folder and of the file. A folder that
/// is named like the file itself does not count.
#[must_use]
pub fn name_of(source: &Path) -> String {
    let part = |path: Option<&OsStr>| path.map_or_else(String::new, |part| part.to_string_lossy().into_owned());
    let own = source.parent().filter(|folder| folder.file_name() == source.file_stem());
    let group = own.unwrap_or(source).parent().and_then(Path::file_name);
    format!("{}/{}", part(group), part(source.file_stem()))
}

/// Reads the fixture in a file.
///
/// # Errors
/// If the file cannot be read, or a directive is wrong.
pub fn load(source: &Path) -> Result<Fixture> {
    let name = name_of(source);
    let text = fs::read_to_string(source).map_err(|e| Error::Io(format!("{}: {e}", source.display())))?;
    parse::parse(&name, source, &text)
}

/// Reads one compiled form of every stage.
///
/// # Errors
/// If a file cannot be read, or libraries are to be one module: that needs a run with the layer.
pub fn read_code(fixture: &Fixture, kind: CodeKind) -> Result<Vec<Code<'_>>> {
    let extension = match kind {
        CodeKind::Dxil | CodeKind::Embedded | CodeKind::Heaps | CodeKind::Stub => "dxil",
        CodeKind::Objects | CodeKind::UnlinkedObjects | CodeKind::HeapObjects => "dxil",
        CodeKind::Spirv | CodeKind::SpirvUnderLayer | CodeKind::Fallback | CodeKind::SpirvObjects => "spv",
        CodeKind::Library => return Err(Error::Spec("libraries as one module cannot be timed".into())),
    };
    let file = |pass, stage, extension| {
        let path = fixture.code_path(pass, stage, extension);
        fs::read(&path).map_err(|e| Error::Spec(format!("{}: {e}", path.display())))
    };
    let read = |(pass, stage)| {
        let stage: &Stage = stage;
        let bytes = file(pass, stage, if stage.spirv { "spv" } else { extension })?;
        let embedded = match kind {
            _ if stage.spirv => None,
            CodeKind::Embedded | CodeKind::Stub => Some(embed(&bytes, &EmbedOptions::default())),
            CodeKind::Fallback => {
                let container = file(pass, stage, "dxil")?;
                Some(embed(&container, &EmbedOptions::default().with_body(&words(&bytes))))
            }
            _ => None,
        };
        match embedded {
            None => Ok(Code::new(stage, &bytes)),
            Some(Ok(words)) => {
                Ok(Code::new(stage, &words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>()))
            }
            Some(Err(error)) => {
                Err(Error::Wrong(format!("{}: {error}", fixture.code_path(pass, stage, "dxil").display())))
            }
        }
    };
    fixture.stages().map(read).collect()
}

/// Creates the Vulkan device for one compiled form.
///
/// # Errors
/// A skip if the machine has no suitable device, or else the Vulkan command that failed.
pub fn context(kind: CodeKind, fixture: &Fixture, options: &Options) -> Result<Context> {
    Context::new(&ContextOptions {
        dxil_layer: kind.has_layer(),
        validation: options.validation,
        validation_above: kind == CodeKind::Embedded,
        no_robustness: options.no_robustness || fixture.robust_stages,
        shader_objects: kind.is_objects(),
        unlinked: kind == CodeKind::UnlinkedObjects,
        heaps: kind.is_heaps(),
        renderdoc: false,
        settings: Vec::new(),
    })
}

/// The result of [`time_runs`].
pub struct Timed {
    /// The measured times.
    pub times: Times,
    /// Whether the times come from the device's timestamps.
    pub of_device: bool,
    /// The name of each step.
    pub steps: Vec<String>,
}

/// Runs one compiled form once and then `count` times, and measures the times.
///
/// # Errors
/// A skip, or else the Vulkan command that failed.
pub fn time_runs(fixture: &Fixture, options: &Options, count: usize) -> Result<Timed> {
    if options.code.is_objects() {
        objects::check(fixture, options.code == CodeKind::UnlinkedObjects)?;
    }
    let code = read_code(fixture, options.code)?;
    let context = context(options.code, fixture, options)?;
    let program = Program::new(fixture, &context, &code)?;
    let watch = Stopwatch::new(&context, program.step_count())?;
    let times = time(&[(&program, &watch)], count, Duration::MAX)?;
    let times = times.into_iter().next().ok_or_else(|| Error::Wrong("no time was measured".into()))?;
    let steps = program.step_names().map(str::to_owned).collect();
    Ok(Timed { times, of_device: watch.is_of_device(), steps })
}

/// Runs the fixture once, as DXIL through the layer, and captures the run below the layer.
///
/// # Errors
/// A skip, or else what failed.
pub fn capture(fixture: &Fixture, options: &Options, renderdoc: &RenderDoc) -> Result<()> {
    let code = read_code(fixture, CodeKind::Dxil)?;
    let context = Context::new(&ContextOptions { dxil_layer: true, renderdoc: true, ..ContextOptions::default() })?;
    let program = Program::new(fixture, &context, &code)?;
    checked(&context, renderdoc::capture(renderdoc, || program.submit()), options)
}

/// Runs one compiled form on a device of its own.
fn execute(fixture: &Fixture, kind: CodeKind, options: &Options) -> Result<Outputs> {
    let code = match kind {
        CodeKind::Library => library_code(fixture, options)?,
        _ => read_code(fixture, kind)?,
    };
    let context = context(kind, fixture, options)?;
    if options.fault {
        context.commit_fault();
    }
    let result = run(fixture, &context, &code);
    checked(&context, result, options)
}

/// Makes one module of each library, with the plans and options of the layer, which creates the
/// fixture's pipelines for this.
fn library_code<'f>(fixture: &'f Fixture, options: &Options) -> Result<Vec<Code<'f>>> {
    let dump = layer::dump_folder().ok_or_else(|| Error::Spec("the layer's setting dump_dir is not set".into()))?;
    let code = read_code(fixture, CodeKind::Dxil)?;
    let context = context(CodeKind::Dxil, fixture, options)?;
    let result = Program::new(fixture, &context, &code).map(drop);
    checked(&context, result, options)?;
    library::modules(fixture, &dump)
}

/// What the layer says of a shader whose translation depends on the number of samples, if that is
/// not known. The number belongs to pipelines, so a shader object has none.
const NO_SAMPLES: &str = "needs the pipeline's number of samples";

/// What the layer says of a pixel shader that reads attributes of a mesh shader's primitives, and
/// of the mesh shader, if they are not linked.
const NOT_LINKED: &str = "or as linked shader objects";

/// What the layer says of a shader without a root signature under the binding model of that name,
/// if no stage that is planned with it has one.
const NO_SIGNATURE: &str = "no stage of the pipeline has one";

/// The result of a run. Errors that were reported meanwhile make it one.
fn checked<T>(context: &Context, result: Result<T>, options: &Options) -> Result<T> {
    let messages = context.messages();
    let reported = |least: Severity| {
        let reported = messages.iter().filter(|message| message.severity >= least);
        reported.map(|message| format!("\n    {:?}: {}", message.severity, message.text)).collect::<String>()
    };
    match result {
        Err(error @ Error::Skip(_)) => Err(error),
        Err(error) => {
            let reported = reported(Severity::Warning);
            if options.code.is_dxil_objects() && reported.contains(NO_SAMPLES) {
                return Err(Error::Skip(format!("shader objects: the shader {NO_SAMPLES}, which commands set")));
            }
            let of_links = [
                (NOT_LINKED, "a mesh shader with attributes of primitives is linked with its pixel shader"),
                (NO_SIGNATURE, "a shader is linked with the one that carries the root signature"),
            ];
            if options.code == CodeKind::UnlinkedObjects
                && let Some((_, reason)) = of_links.iter().find(|(text, _)| reported.contains(text))
            {
                return Err(Error::Skip(format!("shader objects: {reason}")));
            }
            match reported.split_once("missing feature ").and_then(|(_, rest)| rest.split_whitespace().next()) {
                Some(feature) if options.lenient => {
                    Err(Error::Skip(format!("the translator needs {feature}, which the driver does not have")))
                }
                _ => Err(Error::Wrong(format!("{error}{reported}"))),
            }
        }
        Ok(_) if messages.iter().any(|message| message.severity == Severity::Error) => {
            Err(Error::Wrong(format!("errors were reported:{}", reported(Severity::Error))))
        }
        Ok(value) => Ok(value),
    }
}

/// Whether an output has the contents that it had before the fixture ran.
fn untouched(fixture: &Fixture, output: &str, words: &[u32]) -> bool {
    let resource = fixture.resources.iter().find(|resource| resource.register.output() == output);
    let depth = |pass: &Pass| (output == pass.output("depth")).then_some(pass.depth?.clear?.to_bits());
    let clear = fixture.passes.iter().find_map(depth).unwrap_or(0);
    (0u64..).zip(words).all(|(index, &word)| match resource {
        Some(resource) => resource.pattern.word(index) == word,
        None => word == clear,
    })
}

fn compare_all(fixture: &Fixture, got: &Outputs, want: &[(String, Vec<Want>)]) -> Result<()> {
    let mut faults = Vec::new();
    for (output, want) in want {
        let Some((_, words)) = got.iter().find(|(name, _)| name == output) else {
            return Err(Error::Spec(format!("the fixture has no output `{output}`")));
        };
        faults.extend(compare(output, words, want, fixture.tolerance_of(output)).err());
    }
    if faults.is_empty() { Ok(()) } else { Err(Error::Wrong(faults.join("\n  "))) }
}

/// The expected words: those of `expect` lines, and those of `.words` files beside the source.
fn expectations(fixture: &Fixture) -> Result<Vec<(String, Vec<Want>)>> {
    let mut all = fixture.expect.clone();
    for output in fixture.outputs() {
        let path = fixture.source.with_extension(format!("{output}.words"));
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
        let words = lines.flat_map(str::split_whitespace).map(|word| {
            parse_want(word).ok_or_else(|| Error::Spec(format!("{}: malformed word `{word}`", path.display())))
        });
        all.push((output, words.collect::<Result<_>>()?));
    }
    if all.iter().all(|(_, words)| words.iter().all(|want| *want == Want::Any)) {
        return Err(Error::Spec("`judge expect` needs expected words: an `expect` line or a `.words` file".into()));
    }
    Ok(all)
}

/// Runs the fixture and everything that its judges need. `phase` is called with a description at
/// the start of each run, so that the output of a crashed process shows which run crashed.
///
/// # Errors
/// The reason why the fixture does not pass, or a skip.
pub fn judge(fixture: &Fixture, options: &Options, phase: &mut dyn FnMut(&str)) -> Result<()> {
    let expected = fixture.judges.contains(&Judge::Expect).then(|| expectations(fixture)).transpose()?;
    let spirv_judges = fixture.judges.contains(&Judge::Spirv);
    let judged = |output: &String| expected.iter().flatten().any(|(name, _)| name == output);
    if let Some(output) = fixture.outputs().iter().find(|output| !spirv_judges && !judged(output)) {
        return Err(Error::Spec(format!(
            "the output `{output}` is not judged; add `judge spirv`, an `expect` line or a `.words` file"
        )));
    }
    let has_spirv =
        spirv_judges || fixture.stages().all(|(pass, stage)| fixture.code_path(pass, stage, "spv").exists());
    let library = options.code == CodeKind::Library;
    if library && !fixture.stages().any(|(_, stage)| library::has_several_entries(stage)) {
        return Err(Error::Skip("the fixture has no library with several entry points".into()));
    }
    if options.code.is_objects() {
        objects::check(fixture, options.code == CodeKind::UnlinkedObjects)?;
    }
    if options.code.is_heaps() {
        device_heaps::check(fixture)?;
    }
    if options.code == CodeKind::Stub {
        phase("modules with embedded DXIL, without the layer");
        return does_nothing(fixture, &execute(fixture, options.code, options)?);
    }
    let translated = options.code.is_translated();
    if !translated && !has_spirv {
        return Err(Error::Skip("the fixture has no SPIR-V; expected words are its only judge".into()));
    }
    // SPIR-V with another judge is not compared with itself.
    let beside = spirv_judges && (options.code != CodeKind::Spirv || expected.is_none());
    let mut wanted: Vec<_> = expected.iter().collect();
    let (mut reference, mut unchanged) = (Vec::new(), Outputs::default());
    let same = matches!(options.code, CodeKind::SpirvUnderLayer | CodeKind::Fallback);
    if beside || same || (options.lenient && has_spirv && translated) {
        phase("reference run: SPIR-V without the layer");
        let outputs = execute(fixture, CodeKind::Spirv, &Options { validation: false, fault: false, ..*options })?;
        if options.lenient
            && let Some(Err(error)) = expected.as_ref().map(|expected| compare_all(fixture, &outputs, expected))
        {
            return Err(Error::Skip(format!(
                "a fault of the driver, which DXC's SPIR-V shows as well: {}",
                brief(&error)
            )));
        }
        let exactly = |words: Vec<u32>| words.into_iter().map(Want::Word).collect();
        unchanged = outputs.clone();
        reference = outputs.into_iter().map(|(name, words)| (name, exactly(words))).collect();
    }
    if beside {
        wanted.push(&reference);
    }
    match options.code {
        CodeKind::Dxil => phase("DXIL through the layer"),
        CodeKind::Embedded => phase("DXIL embedded in SPIR-V, through the layer"),
        CodeKind::Stub => {}
        CodeKind::Fallback => phase("SPIR-V with DXIL embedded in it, without the layer"),
        CodeKind::Spirv => phase("SPIR-V without the layer"),
        CodeKind::SpirvUnderLayer => phase("SPIR-V with the layer"),
        CodeKind::Objects => phase("DXIL as shader objects, through the layer"),
        CodeKind::UnlinkedObjects => phase("DXIL as shader objects that are not linked, through the layer"),
        CodeKind::SpirvObjects => phase("SPIR-V as shader objects, without the layer"),
        CodeKind::Heaps => phase("DXIL with descriptor heaps, through the layer"),
        CodeKind::HeapObjects => phase("DXIL as shader objects with descriptor heaps, through the layer"),
        CodeKind::Library => phase("libraries as one module, without the layer"),
    }
    let got = execute(fixture, options.code, options)?;
    if same && got != unchanged {
        return Err(Error::Wrong("an output is not bit for bit that of SPIR-V alone, without the layer".into()));
    }
    wanted.iter().try_for_each(|want| compare_all(fixture, &got, want))?;
    if got.iter().all(|(output, words)| untouched(fixture, output, words)) {
        return Err(Error::Spec("no output changed, so the fixture tests nothing".into()));
    }
    Ok(())
}

/// Runs SPIR-V that others have made of the fixture's containers, without the layer, and compares
/// the outputs as [`judge`] does.
///
/// # Errors
/// The reason why the fixture does not pass, or a skip.
pub fn judge_code(fixture: &Fixture, options: &Options, code: &[Code<'_>]) -> Result<()> {
    let run_code = |code: &[Code<'_>]| {
        let context = context(CodeKind::Spirv, fixture, options)?;
        checked(&context, run(fixture, &context, code), options)
    };
    let got = run_code(code)?;
    if fixture.judges.contains(&Judge::Expect) {
        compare_all(fixture, &got, &expectations(fixture)?)?;
    }
    if fixture.judges.contains(&Judge::Spirv) {
        let reference = run_code(&read_code(fixture, CodeKind::Spirv)?)?;
        let exactly = |(name, words): (String, Vec<u32>)| (name, words.into_iter().map(Want::Word).collect());
        compare_all(fixture, &got, &reference.into_iter().map(exactly).collect::<Vec<_>>())?;
    }
    if got.iter().all(|(output, words)| untouched(fixture, output, words)) {
        return Err(Error::Spec("no output changed, so the fixture tests nothing".into()));
    }
    Ok(())
}

/// Checks that no output has changed.
fn does_nothing(fixture: &Fixture, got: &Outputs) -> Result<()> {
    let updates = fixture.steps.iter().any(|step| matches!(step, Step::Update(..)));
    // Clearing an image of the pass's own is what `untouched` expects.
    let clears = |pass: &Pass| {
        pass.targets.iter().any(|target| target.clear && target.part.is_some())
            || pass.depth.as_ref().is_some_and(|depth| depth.clear.is_some() && depth.part.is_some())
    };
    let has_spirv = fixture.stages().any(|(_, stage)| stage.spirv);
    if updates || has_spirv || fixture.passes.iter().any(clears) {
        return Err(Error::Skip("the fixture changes its outputs without DXIL".into()));
    }
    match got.iter().find(|(output, words)| !untouched(fixture, output, words)) {
        Some((output, _)) => Err(Error::Wrong(format!("`{output}` changed, but the module must do nothing"))),
        None => Ok(()),
    }
}

/// The first line of an error.
fn brief(error: &Error) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}
