//! Runs what README.md, CONTRIBUTING.md and docs/*.md tell to run, and compiles or reads their code.
//!
//! In: the documents. Out: a line for each command, code block and code span: ran, checked, or skipped
//! with the reason. What must hold: nothing of a document is left out in silence. A block without a
//! language, and a command that no rule knows, are failures.
//!
//! - Commands of `dxil2spv` run in a folder that has the files which documents name.
//! - Commands of cargo, scripts and Python build, install or take long. They are checked: each name and
//!   option is one that exists. The suite itself runs what they run.
//! - Code in Rust, C and HLSL is quoted from a file that is compiled elsewhere.

mod extract;
#[expect(dead_code, reason = "documents quote them")]
mod snippets;
mod workspace;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use dxil_translator::{BindingMap, RootSignature};
use extract::{Block, blocks, commands, spans};
use workspace::Names;

/// What became of an item.
enum Outcome {
    Ran,
    Checked,
    Skipped(&'static str),
}
use Outcome::{Checked, Ran, Skipped};

type Result = std::result::Result<Outcome, String>;

/// The files that the commands of documents name, and the containers that they stand for here.
const FILES: &[(&str, &str)] = &[
    ("shader.dxil", "rootsig/pipeline_layout.dxil"),
    ("pipeline_layout.dxil", "rootsig/pipeline_layout.dxil"),
    ("vertex.dxil", "rootsig/graphics.vs.dxil"),
    ("pixel.dxil", "rootsig/graphics.ps.dxil"),
    ("library.dxil", "libraries/entries.all.dxil"),
];

/// A shader that has b0, t0, u0 and s0.
const FOUR_CLASSES: &str = "descriptors/pushed.dxil";

/// Where code that documents quote is compiled: the document, the language, and the file.
const QUOTED: &[(&str, &str, &str)] = &[
    ("docs/pipeline-layout.md", "c", "tests/layer-loader/examples/pipeline_layout.c"),
    ("docs/pipeline-layout.md", "rust", "tests/layer-loader/examples/pipeline_layout.rs"),
    ("docs/pipeline-layout.md", "hlsl", "tests/fixtures/rootsig/pipeline_layout.hlsl"),
    ("docs/add-a-dxil-op.md", "rust", "translator/src/lower/numbers/bits.rs"),
    ("README.md", "rust", "translator/tests/documents/snippets.rs"),
    ("docs/libraries.md", "rust", "translator/tests/documents/snippets.rs"),
    ("docs/bindings.md", "rust", "translator/tests/documents/snippets.rs"),
];

/// Blocks that are neither commands nor code of the above: the document, the language, a text in the
/// block, and why it cannot run here.
const NOT_RUN: &[(&str, &str, &str, &str)] = &[
    (
        "docs/applications.md",
        "rust",
        "wgpu::",
        "it needs wgpu; tests/applications/wgpu is compiled by scripts/test-applications.sh",
    ),
    ("docs/add-a-dxil-op.md", "text", "group opcode", "the form of a row of ops.rs, which the compiler reads"),
    ("docs/architecture.md", "text", "application", "a drawing"),
    ("docs/lab.md", "text", "containers", "a drawing"),
    (
        "docs/structurizer.md",
        "text",
        "b0: jump b1",
        "the text of a control-flow graph, whose form the structurizer's tests read",
    ),
    ("docs/testing.md", "text", "tests/fixtures/<group>", "the names of files"),
    ("docs/testing.md", "text", "//! patch", "a directive, which the harness reads"),
    ("docs/testing.md", "hlsl", "//! ", "an example of a fixture, which needs the compiler and a driver"),
    ("docs/bindings.md", "plan", "=", "lines of a plan, whose form the tests of `binding` read"),
];

/// The place of a run: the repository, and a folder with the files of [`FILES`].
struct Place {
    root: PathBuf,
    folder: PathBuf,
    names: Names,
}

impl Place {
    fn new() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("documents");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let place = Self { names: Names::read(&root), root, folder };
        for (name, fixture) in FILES {
            place.copy(fixture, name);
        }
        for command in [
            "dxil2spv shader.dxil -o fallback.spv",
            "dxil2spv shader.dxil --emit request -o DUMP.request",
            "dxil2spv rootsig shader.dxil -o game.rootsig",
        ] {
            place.tool(command).unwrap();
        }
        // A dump has the container beside the request.
        let container = fs::read(place.folder.join("shader.dxil")).unwrap();
        let dumped = format!("{}.dxil", dxil_translator::BlobDigest::of(&container).short());
        fs::write(place.folder.join(dumped), container).unwrap();
        place
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

    /// A command of a block.
    fn command(&self, command: &str) -> Result {
        let words: Vec<&str> = command.split(' ').skip_while(|word| *word == "sudo" || *word == "BLESS=1").collect();
        let Some(first) = words.first() else { return Err("an empty command".into()) };
        if command.contains(" && ") {
            return command.split(" && ").try_fold(Checked, |_, part| self.command(part));
        }
        let first = first.trim_start_matches("./");
        match first {
            "dxil2spv" => self.run_tool(command),
            "dxc" => Ok(Skipped("dxc is Microsoft's compiler, which the project does not bring")),
            "…" => Ok(Skipped("it goes on with the arguments of the command before")),
            "cargo" => self.names.check(&words).map(|()| Checked),
            "RUSTC_BOOTSTRAP=1" => Ok(Skipped("it compiles everything again, with a sanitizer")),
            "python3" => self.help(Command::new("python3").arg(words[1]), &words[2..]),
            _ if first.starts_with("scripts/") => self.help(Command::new("bash").arg(first), &words[1..]),
            _ if first.starts_with("target/") => {
                let name = first.rsplit('/').next().unwrap_or_default();
                self.names.has_bin(name).then_some(Checked).ok_or_else(|| format!("there is no program `{name}`"))
            }
            _ => Err("no rule for this command".into()),
        }
    }

    fn run_tool(&self, command: &str) -> Result {
        // The shader of this line has other registers, and its entry point has a name.
        let four = command.contains("t=100,u=200,s=300");
        if four {
            self.copy(FOUR_CLASSES, "shader.dxil");
        }
        // The library has registers of several classes, as most have.
        let translates = command.contains("library.dxil") && !command.contains("resources");
        let shifts = if translates { " --shifts t=100,u=200,s=300" } else { "" };
        let ran = self.tool(&(command.replace("--entry NAME", "--entry shade") + shifts));
        if four {
            self.copy(FILES[0].1, "shader.dxil");
        }
        ran.map(|_| Ran)
    }

    /// Whether a script answers `--help` and knows the options of a command.
    fn help(&self, script: &mut Command, arguments: &[&str]) -> Result {
        let output = script.arg("--help").current_dir(&self.root).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        if !output.status.success() {
            return Err(format!("--help: {}", output.status));
        }
        for option in arguments.iter().filter(|argument| argument.starts_with("--")) {
            if !text.contains(option) {
                return Err(format!("its --help does not have {option}: {text}"));
            }
        }
        Ok(Checked)
    }

    /// A code span that begins with the tool's name.
    fn span(&self, span: &str) -> Result {
        let words: Vec<&str> = span.split(' ').skip(1).collect();
        let is_placeholder =
            |word: &&str| word.contains(['…', '|']) || word.trim_matches('-').chars().all(|c| c.is_ascii_uppercase());
        let subcommand =
            words.first().filter(|word| !word.starts_with('-') && !word.contains('.') && !is_placeholder(word));
        match words[..] {
            [_] if subcommand.is_some() => return self.tool(&format!("{span} --help")).map(|_| Checked),
            _ => {}
        }
        if !words.iter().any(is_placeholder) && !words[0].starts_with("--") {
            return self.run_tool(span);
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
        Ok(Checked)
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
            "json" => BindingMap::parse(&block.text).map(|_| Ran).map_err(|error| error.to_string()),
            "rootsig" => {
                let text = without_descriptions(&block.text);
                RootSignature::from_bytes(text.as_bytes(), None)
                    .map(|_| Ran)
                    .map_err(|error| format!("{error}\n{text}"))
            }
            "text" => {
                // What a command of the tool prints, whose first line names the file.
                let file = block.text.strip_prefix("# ").and_then(|text| text.split(':').next());
                let file = file.ok_or("no rule for this text")?;
                let printed = self.tool(&format!("dxil2spv layout {file}"))?;
                if printed == block.text { Ok(Ran) } else { Err(format!("`dxil2spv layout {file}` prints\n{printed}")) }
            }
            "" => Err("the block has no language; commands are `sh`, and docs/testing.md has the others".into()),
            language => {
                let mut files =
                    QUOTED.iter().filter(|(of, in_language, _)| *of == document && *in_language == language);
                let (.., file) = files.next().ok_or_else(|| format!("no rule for {language}"))?;
                let compiled = fs::read_to_string(self.root.join(file)).unwrap();
                if flat(&compiled).contains(&flat(&block.text)) {
                    Ok(Checked)
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

fn main() -> ExitCode {
    let place = Place::new();
    let (mut ran, mut checked, mut skipped, mut failed) = (0, 0, 0, 0);
    let mut languages = BTreeSet::new();
    for document in documents(&place.root) {
        let text = fs::read_to_string(place.root.join(&document)).unwrap();
        let (blocks, prose) = blocks(&text);
        let mut items: Vec<(usize, String, Result)> = Vec::new();
        for block in &blocks {
            languages.insert(block.language.clone());
            if block.language == "sh" {
                items.extend(commands(block).into_iter().map(|(line, command)| {
                    let result = place.command(&command);
                    (line, command, result)
                }));
            } else {
                items.push((block.line, format!("({})", block.language), place.code(&document, block)));
            }
        }
        for (line, span) in spans(&prose) {
            let result = if span.starts_with("dxil2spv") { place.span(&span) } else { place.command(&span) };
            items.push((line, format!("`{span}`"), result));
        }
        for (line, what, result) in items {
            let word = match result {
                Ok(Ran) => {
                    ran += 1;
                    "ok (ran)".to_owned()
                }
                Ok(Checked) => {
                    checked += 1;
                    "ok (checked)".to_owned()
                }
                Ok(Skipped(why)) => {
                    skipped += 1;
                    format!("skipped: {why}")
                }
                Err(why) => {
                    failed += 1;
                    format!("FAILED: {why}\n")
                }
            };
            println!("test {document}:{line} ... {word}: {what}");
        }
    }
    // A rule that finds nothing would be a test that cannot fail.
    for language in ["sh", "rust", "c", "hlsl", "json", "rootsig", "text"] {
        assert!(languages.contains(language), "no document has a block of {language}");
    }
    assert!(ran > 20 && checked > 50, "next to nothing was found: {ran} ran, {checked} checked");
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!("\n{ran} ran, {checked} were checked by name");
    println!("test result: {word}. {} passed; {failed} failed; {skipped} ignored", ran + checked);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
