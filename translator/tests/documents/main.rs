//! Runs the commands of README.md, CONTRIBUTING.md and docs/*.md, and compiles or reads their code.
//!
//! In: the documents. Out: a line for each command, code block and code span: ran, checked, or
//! skipped with the reason. What must hold: nothing of a document is left out in silence. A block
//! without a language, and a command that no rule knows, are failures.
//!
//! - Commands of `dxil2spv` run in a folder that has the files which documents name.
//! - All other commands have a row in `rules.rs`. With `--commands` those run that take little
//!   time, and with `--slow` the others; scripts/test.sh does both. Without an argument, their
//!   names and options are checked, which needs no driver.
//! - A command with places for a reader's own words (`FILE`, `…`) is a synopsis: its names and
//!   options are checked. It is in prose, never in a block, which readers copy.
//! - Code in Rust, C and HLSL is quoted from a file that is compiled elsewhere.

mod execute;
mod extract;
mod rules;
#[expect(dead_code, reason = "documents quote them")]
mod snippets;
mod steps;
mod workspace;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use dxil_translator::{BindingMap, RootSignature};
use execute::Shell;
use extract::{Block, blocks, commands, is_synopsis, spans};
use rules::{RULES, Rule, When};
use steps::Steps;
use workspace::Names;

/// What became of an item.
#[derive(Clone)]
enum Outcome {
    /// It ran, in this number of seconds.
    Ran(f64),
    /// A step of the surrounding scripts/test.sh ran it.
    OfStep(String),
    /// Code that is compiled elsewhere, or is read here.
    Read,
    /// A synopsis, or the name of a subcommand.
    Synopsis,
    /// Its names and options are right; it runs with another argument of this program.
    Left(&'static str),
    /// It cannot run.
    Skipped(&'static str),
}
use Outcome::{Left, OfStep, Ran, Read, Skipped, Synopsis};

type Result = std::result::Result<Outcome, String>;

/// Which commands run.
#[derive(Clone, Copy, Debug)]
enum Mode {
    /// Those of `dxil2spv`.
    Tool,
    /// Those that take little time, too.
    Commands,
    /// Those that take long, alone.
    Slow,
}

/// The files that the commands of documents name, and the containers that they stand for here.
const FILES: &[(&str, &str)] = &[
    ("shader.dxil", "rootsig/pipeline_layout.dxil"),
    ("pipeline_layout.dxil", "rootsig/pipeline_layout.dxil"),
    ("vertex.dxil", "rootsig/graphics.vs.dxil"),
    ("pixel.dxil", "rootsig/graphics.ps.dxil"),
    ("library.dxil", "libraries/entries.all.dxil"),
];

/// What a command of `dxil2spv` with a certain text must show.
const TOOL_SHOWS: &[(&str, &str)] = &[
    ("dxil2spv layout --json", "\"sets\""),
    ("dxil2spv resources", "entry"),
    ("dxil2spv rootsig", "RootFlags"),
    ("--emit asm", "OpEntryPoint"),
    ("--emit bindings", "set "),
    ("--print-profile", "api"),
    ("--manual", ".TH dxil2spv 1"),
    ("--version", "dxil2spv 0."),
];

/// A shader that has b0, t0, u0 and s0.
const FOUR_CLASSES: &str = "descriptors/pushed.dxil";

/// Where code that documents quote is compiled: the document, the language, and the file.
const QUOTED: &[(&str, &str, &str)] = &[
    ("docs/c.md", "cpp", "tests/c/programs/compute.cpp"),
    ("docs/pipeline-layout.md", "c", "tests/layer-loader/examples/pipeline_layout.c"),
    ("docs/pipeline-layout.md", "rust", "tests/layer-loader/examples/pipeline_layout.rs"),
    ("docs/pipeline-layout.md", "hlsl", "tests/fixtures/rootsig/pipeline_layout.hlsl"),
    ("docs/add-a-dxil-op.md", "rust", "translator/src/lower/numbers/bits.rs"),
    ("README.md", "rust", "translator/tests/documents/snippets.rs"),
    ("docs/libraries.md", "rust", "translator/tests/documents/snippets.rs"),
    ("docs/bindings.md", "rust", "translator/tests/documents/snippets.rs"),
];

/// What a document has to say where its readers first meet it: the document, and words of it.
const STATED: &[(&str, &[&str])] = &[
    ("README.md", &["**The y axis.**", "negative height", "`invert_y`"]),
    ("docs/applications.md", &["negative height", "`invert_y`", "wgpu hides a refusal"]),
];

/// Blocks that are neither commands nor code of the above: the document, the language, a text in
/// the block, and why it cannot run here.
const NOT_RUN: &[(&str, &str, &str, &str)] = &[
    (
        "docs/applications.md",
        "rust",
        "wgpu::",
        "it needs wgpu; tests/applications/wgpu is compiled by scripts/test-applications.sh",
    ),
    ("docs/add-a-dxil-op.md", "text", "group opcode", "the form of a row of ops.rs, which the compiler reads"),
    ("docs/architecture.md", "text", "application", "a drawing"),
    ("docs/architecture.md", "text", "translator/", "the names of folders"),
    ("docs/c.md", "cmake", "find_package", "a part of another project's build; tests/c builds such a project"),
    ("docs/d3d12.md", "meson", "declare_dependency", "a part of another project's build"),
    ("docs/lab.md", "text", "containers", "a drawing"),
    ("docs/lab.md", "text", "$CI_NODE_INDEX", "commands of other machines"),
    ("docs/lab-drivers.md", "text", "gtest-runner", "a program that is not installed here"),
    ("docs/lab-drivers.md", "text", "my_icd.json", "a driver that is not here"),
    (
        "docs/structurizer.md",
        "text",
        "b0: jump b1",
        "the text of a control-flow graph, whose form the structurizer's tests read",
    ),
    ("docs/testing.md", "text", "tests/fixtures/<group>", "the names of files"),
    ("docs/testing.md", "text", "//! patch", "a directive, which the harness reads"),
    ("docs/testing.md", "hlsl", "//! ", "an example of a fixture, which needs the compiler and a driver"),
    ("docs/bindings.md", "toml", "[resources]", "a plan, which the tests of `binding` read"),
    ("docs/bindings.md", "toml", "request =", "a request for a container that there is not"),
];

/// Runs commands in the repository, or in a folder with the files of [`FILES`].
struct Runner {
    root: PathBuf,
    folder: PathBuf,
    names: Names,
    mode: Mode,
    /// Only commands with this text run, for those who change a rule.
    only: String,
    shell: Shell,
    steps: Option<Steps>,
    /// What became of the commands until now, which run once.
    done: RefCell<BTreeMap<&'static str, Result>>,
}

impl Runner {
    fn new(mode: Mode, only: String) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap();
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("documents-{mode:?}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let (names, shell) = (Names::read(&root), Shell::new(&root, &folder));
        let runner = Self { names, root, folder, mode, only, shell, steps: Steps::read(), done: RefCell::default() };
        for (name, fixture) in FILES {
            runner.copy(fixture, name);
        }
        for command in [
            "dxil2spv shader.dxil -o fallback.spv",
            "dxil2spv shader.dxil --emit request -o DUMP.request",
            "dxil2spv rootsig shader.dxil -o game.rootsig",
        ] {
            runner.tool(command).unwrap();
        }
        // A dump has the container beside the request.
        let container = fs::read(runner.folder.join("shader.dxil")).unwrap();
        let dumped = format!("{}.dxil", dxil_translator::BlobDigest::from_bytes(&container).short());
        fs::write(runner.folder.join(dumped), container).unwrap();
        runner
    }

    fn copy(&self, fixture: &str, name: &str) {
        fs::copy(self.root.join("tests/fixtures").join(fixture), self.folder.join(name)).unwrap();
    }

    /// Runs a command of the tool, which must succeed. The result is what it prints.
    fn tool(&self, command: &str) -> std::result::Result<String, String> {
        let words: Vec<&str> = command.split(' ').skip(1).collect();
        let mut tool = Command::new(env!("CARGO_BIN_EXE_dxil2spv"));
        let output = tool.args(words).current_dir(&self.folder).env_remove("CLICOLOR_FORCE").output().unwrap();
        if !output.status.success() {
            return Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr)));
        }
        if !output.stderr.is_empty() {
            return Err(format!("it prints to standard error: {}", String::from_utf8_lossy(&output.stderr)));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// A command of a block or a code span.
    fn command(&self, command: &str) -> Result {
        let command = command.strip_prefix("./").unwrap_or(command);
        if let Some((first, second)) = command.split_once(" && ") {
            self.command(first)?;
            return self.command(second);
        }
        if let Some(rule) = RULES.iter().find(|rule| rule.command == command) {
            if let Some(done) = self.done.borrow().get(rule.command) {
                return done.clone();
            }
            let outcome = self.names_of(command).and_then(|()| self.run(rule));
            self.done.borrow_mut().insert(rule.command, outcome.clone());
            return outcome;
        }
        if is_synopsis(command) {
            return self.names_of(command).map(|()| Synopsis);
        }
        Err("no rule of rules.rs is for this command".into())
    }

    /// Runs a command, or finds out that this run does not have to.
    fn run(&self, rule: &Rule) -> Result {
        let of_step = || match &self.steps {
            Some(steps) if rule.command == "scripts/setup.sh" && !steps.with_setup() => {
                Ok(Skipped("scripts/test.sh was given --no-setup"))
            }
            Some(steps) => steps.check(rule.command, &self.names, rule.shows).map(OfStep),
            None => Ok(Skipped("scripts/test.sh runs it, and does not run this program now")),
        };
        match (rule.when, self.mode) {
            _ if !rule.command.contains(&self.only) => Ok(Skipped("the arguments of this program choose others")),
            (When::Never(why), _) => Ok(Skipped(why)),
            (When::Compiler, Mode::Slow) if !self.shell.has_compiler() => {
                Ok(Skipped("the pinned compiler is not to be had: scripts/get-dxc.sh"))
            }
            (When::Now, Mode::Commands) if rule.command.contains("scripts/install.sh") && !self.shell.has_mounts() => {
                Ok(Skipped("it installs, and this machine allows no mounts that only one command sees"))
            }
            (When::Now, Mode::Commands) | (When::Slow | When::Compiler, Mode::Slow) => {
                let began = Instant::now();
                self.shell.run(rule).map(|()| Ran(began.elapsed().as_secs_f64()))
            }
            (When::Step, Mode::Commands) | (When::SlowStep, Mode::Slow) => of_step(),
            (When::Now | When::Step, _) => Ok(Left("--commands")),
            (When::Slow | When::Compiler | When::SlowStep, _) => Ok(Left("--slow")),
        }
    }

    /// Whether all names and options of a command are those of a package, a program or a script.
    fn names_of(&self, command: &str) -> std::result::Result<(), String> {
        let is_before = |word: &&str| *word == "sudo" || word.contains('=') || word.ends_with('"');
        let words: Vec<&str> = command.split(' ').skip_while(is_before).collect();
        let Some(first) = words.first() else { return Err("an empty command".into()) };
        match *first {
            "cargo" => self.names.check(&words),
            "python3" => self.help(Command::new("python3").arg(words[1]), &words[2..]),
            script if script.starts_with("scripts/") => self.help(Command::new("bash").arg(script), &words[1..]),
            program if program.starts_with("target/") => {
                let name = program.rsplit('/').next().unwrap_or_default();
                self.names.has_bin(name).then_some(()).ok_or_else(|| format!("there is no program `{name}`"))
            }
            "apt" | "dxc" | "program" | "vulkaninfo" | "./game" => Ok(()),
            _ => Err("no rule for this command".into()),
        }
    }

    fn run_tool(&self, command: &str) -> Result {
        // The shader of this line has other registers, and its entry point has a name.
        let four = command.contains("shader.dxil") && command.contains("t=100,u=200,s=300");
        if four {
            self.copy(FOUR_CLASSES, "shader.dxil");
        }
        let began = Instant::now();
        // What it writes is new, and what it does not write is printed.
        let out = command.split_once(" -o ").map(|(_, out)| self.folder.join(out));
        let kept = out.as_ref().and_then(|out| fs::read(out).ok());
        if let Some(out) = out.as_ref().filter(|out| out.exists()) {
            fs::remove_file(out).unwrap();
        }
        let ran = self.tool(command);
        if four {
            self.copy(FILES[0].1, "shader.dxil");
        }
        let printed = ran?;
        let written = match &out {
            Some(out) => fs::read(out).map_err(|error| format!("{}: {error}", out.display()))?,
            None => printed.into_bytes(),
        };
        if out.as_ref().is_some_and(|out| out.extension().is_some_and(|of| of == "spv")) {
            // SPIR-V, 3.1: the magic number.
            if !written.starts_with(&0x0723_0203_u32.to_le_bytes()) {
                return Err("what it wrote is not SPIR-V".into());
            }
        }
        let shown = String::from_utf8_lossy(&written);
        if let Some((_, text)) = TOOL_SHOWS.iter().find(|(of, text)| command.contains(of) && !shown.contains(text)) {
            return Err(format!("it does not show `{text}`:\n{shown}"));
        }
        if written.is_empty() {
            return Err("it shows nothing".into());
        }
        if let Some((out, kept)) = out.zip(kept) {
            fs::write(out, kept).unwrap();
        }
        Ok(Ran(began.elapsed().as_secs_f64()))
    }

    /// Whether a script answers `--help` and knows the options of a command.
    fn help(&self, script: &mut Command, arguments: &[&str]) -> std::result::Result<(), String> {
        let output = script.arg("--help").current_dir(&self.root).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if !output.status.success() {
            return Err(format!("--help: {}", output.status));
        }
        for option in arguments.iter().map(|argument| argument.trim_matches(['[', ']'])) {
            if option.starts_with("--") && !text.contains(option) {
                return Err(format!("its --help does not have {option}: {text}"));
            }
        }
        Ok(())
    }

    /// A code span that begins with the tool's name.
    fn span(&self, span: &str) -> Result {
        let words: Vec<&str> = span.split(' ').skip(1).collect();
        let is_name = |word: &&&str| !word.starts_with('-') && !word.contains('.') && !is_synopsis(word);
        let subcommand = words.first().filter(is_name);
        match words[..] {
            [_] if subcommand.is_some() => return self.tool(&format!("{span} --help")).map(|_| Synopsis),
            // The name of an option that has a value, or needs a shader.
            ["--emit" | "--request" | "--sample-shading"] => {}
            _ if !is_synopsis(span) => return self.run_tool(span),
            _ => {}
        }
        // Its options are those of the command.
        let help = match subcommand {
            Some(subcommand) => self.tool(&format!("dxil2spv {subcommand} --help"))?,
            None => self.tool("dxil2spv --help")? + &self.tool("dxil2spv translate --help")?,
        };
        for option in words.iter().filter(|word| word.starts_with("--")) {
            let name = option.split('=').next().unwrap_or_default();
            if !help.contains(name) {
                return Err(format!("there is no option {name}"));
            }
        }
        Ok(Synopsis)
    }

    /// Code that is no command.
    fn code(&self, document: &str, block: &Block) -> Result {
        let is_of = |(of, language, text): (&str, &str, &str)| {
            of == document && language == block.language && block.text.contains(text)
        };
        if let Some((.., why)) = NOT_RUN.iter().find(|(of, language, text, _)| is_of((of, language, text))) {
            return Ok(Skipped(why));
        }
        match block.language.as_str() {
            "toml" => BindingMap::parse(&block.text).map(|_| Read).map_err(|error| error.to_string()),
            "rootsig" => {
                let text = without_descriptions(&block.text);
                RootSignature::from_bytes(text.as_bytes(), None)
                    .map(|_| Read)
                    .map_err(|error| format!("{error}\n{text}"))
            }
            "text" => {
                // What a command of the tool prints, whose first line names the file.
                let file = block.text.strip_prefix("# ").and_then(|text| text.split(':').next());
                let file = file.ok_or("no rule for this text")?;
                let printed = self.tool(&format!("dxil2spv layout {file}"))?;
                if printed == block.text {
                    Ok(Read)
                } else {
                    Err(format!("`dxil2spv layout {file}` prints\n{printed}"))
                }
            }
            "" => Err("the block has no language; commands are `sh`, and docs/testing.md has the others".into()),
            language => {
                let mut files =
                    QUOTED.iter().filter(|(of, in_language, _)| *of == document && *in_language == language);
                let (.., file) = files.next().ok_or_else(|| format!("no rule for {language}"))?;
                let compiled = fs::read_to_string(self.root.join(file)).unwrap();
                if flat(&compiled).contains(&flat(&block.text)) {
                    Ok(Read)
                } else {
                    Err(format!("{file} has other code"))
                }
            }
        }
    }
}

/// A text with one space wherever it has spaces and ends of lines.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A root signature without the descriptions beside it.
fn without_descriptions(text: &str) -> String {
    let parts = text.lines().map(|line| line.trim().split("  ").next().unwrap_or_default());
    let is_element =
        |part: &&str| part.split_once('(').is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_alphabetic()));
    parts.filter(is_element).collect::<Vec<_>>().join("\n")
}

/// The documents, by their names in the repository.
fn documents(root: &Path) -> Vec<String> {
    let docs = fs::read_dir(root.join("docs")).unwrap().flatten();
    let docs = docs.map(|entry| format!("docs/{}", entry.file_name().to_string_lossy()));
    let mut all: Vec<String> = docs.filter(|name| name.ends_with(".md")).collect();
    all.extend(["README.md".to_owned(), "CONTRIBUTING.md".to_owned()]);
    all.sort();
    all
}

/// What became of all items.
#[derive(Default)]
struct Counts {
    ran: usize,
    of_step: usize,
    read: usize,
    synopses: usize,
    left: usize,
    slow: usize,
    skipped: usize,
    failed: usize,
}

impl Counts {
    /// Counts an outcome. The result is a word for it.
    fn word(&mut self, result: Result) -> String {
        let (count, word) = match result {
            Ok(Ran(seconds)) => (&mut self.ran, format!("ok (ran in {seconds:.1} s)")),
            Ok(OfStep(step)) => (&mut self.of_step, format!("ok ({step} ran it)")),
            Ok(Read) => (&mut self.read, "ok (read)".into()),
            Ok(Synopsis) => (&mut self.synopses, "ok (its names and options exist)".into()),
            Ok(Left("--slow")) => (&mut self.slow, "ok (its names exist; it runs with --slow)".into()),
            Ok(Left(to)) => (&mut self.left, format!("ok (its names exist; it runs with {to})")),
            Ok(Skipped(why)) => (&mut self.skipped, format!("skipped: {why}")),
            Err(why) => (&mut self.failed, format!("FAILED: {why}\n")),
        };
        *count += 1;
        word
    }
}

/// Processes a document. `report` gets the line of each item, the item, and its result.
fn items(
    runner: &Runner,
    document: &str,
    languages: &mut BTreeSet<String>,
    report: &mut dyn FnMut(usize, &str, Result),
) {
    let text = fs::read_to_string(runner.root.join(document)).unwrap();
    let (blocks, prose) = blocks(&text);
    for block in &blocks {
        languages.insert(block.language.clone());
        if block.language == "sh" {
            for (line, command) in commands(block) {
                let result = match command.starts_with("dxil2spv ") {
                    _ if command.contains("  ") => Err("readers paste blocks, so a description begins with `#`".into()),
                    _ if is_synopsis(&command) => Err("readers copy blocks, so name a file of the repository".into()),
                    true => runner.run_tool(&command),
                    false => runner.command(&command),
                };
                report(line, &command, result);
            }
        } else {
            report(block.line, &format!("({})", block.language), runner.code(document, block));
        }
    }
    for words in STATED.iter().filter(|(of, _)| *of == document).flat_map(|(_, words)| *words) {
        let missing = || format!("{document} does not say `{words}`");
        report(1, words, flat(&text).contains(words).then_some(Read).ok_or_else(missing));
    }
    for (line, span) in spans(&prose) {
        let result = if span.starts_with("dxil2spv") { runner.span(&span) } else { runner.command(&span) };
        report(line, &format!("`{span}`"), result);
    }
}

fn main() -> ExitCode {
    let mode = match std::env::args().nth(1).as_deref() {
        Some("--commands") => Mode::Commands,
        Some("--slow") => Mode::Slow,
        // What is marked as ignored elsewhere runs with `--slow`.
        Some("--ignored") => return ExitCode::SUCCESS,
        _ => Mode::Tool,
    };
    let runner = Runner::new(mode, std::env::args().nth(2).unwrap_or_default());
    let mut counts = Counts::default();
    let mut languages = BTreeSet::new();
    for document in documents(&runner.root) {
        items(&runner, &document, &mut languages, &mut |line, what, result| {
            println!("test {document}:{line} ... {}: {what}", counts.word(result));
        });
    }
    // A rule that finds nothing would be a test that cannot fail.
    for language in ["sh", "rust", "c", "hlsl", "toml", "rootsig", "text"] {
        assert!(languages.contains(language), "no document has a block of {language}");
    }
    for rule in RULES {
        assert!(runner.done.borrow().contains_key(rule.command), "no document has `{}`", rule.command);
    }
    let Counts { ran, of_step, read, synopses, left, slow, skipped, failed } = counts;
    assert!(ran > 20 && read > 10 && synopses > 20, "next to nothing was found: {ran}, {read}, {synopses}");
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!("\n{ran} commands ran here, and {of_step} as steps of scripts/test.sh.");
    println!("{left} run with --commands only, {slow} with --slow only, {skipped} are skipped for a reason.");
    println!("{synopses} are names or synopses, which were checked; {read} are code, which was read.");
    let passed = ran + of_step + read + synopses + left + slow;
    println!("test result: {word}. {passed} passed; {failed} failed; {skipped} ignored");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
