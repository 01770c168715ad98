//! `structure`: figures of the source tree's structure.
//!
//! ```text
//! cargo run -p dxil-architecture -- [--repository DIR] [--arrows]
//! ```

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use dxil_architecture::arrows::{Arrows, arrows};
use dxil_architecture::graph::{self, Modules, ROOT};
use dxil_architecture::source::Crate;
use dxil_architecture::{check, rules, workspace};

/// Adds a line to a text. Writing to a `String` does not fail.
macro_rules! line {
    ($out:expr) => { $out.push('\n') };
    ($out:expr, $($arg:tt)+) => {{ let _ = writeln!($out, $($arg)+); }};
}

/// Prints modules, circles and arrows that run up, of all crates of the workspace.
#[derive(Parser)]
struct Arguments {
    /// The repository to read; another checkout than this one may be older
    #[arg(long, value_name = "DIR")]
    repository: Option<PathBuf>,
    /// Print all arrows between modules too
    #[arg(long)]
    arrows: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        // A reader that closes the pipe has read enough.
        Ok(text) => {
            let _ = std::io::stdout().write_all(text.as_bytes());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<String, String> {
    let mut out = String::new();
    let repository = arguments.repository.clone().unwrap_or_else(workspace::repository);
    for member in workspace::crates(&repository)? {
        let (tree, found) = (&member.tree, arrows(&member.tree));
        let lines = tree.files.iter().map(|file| file.lines).sum::<usize>();
        line!(out, "{}: {} files, {lines} lines", member.folder, tree.files.len());
        let circles = graph::file_circles(&found.all);
        line!(out, "  circles of files: {}", circles.len());
        for circle in circles {
            let files: Vec<_> = circle.iter().map(|&file| tree.path(file)).collect();
            line!(out, "    {}: {}", circle.len(), files.join(", "));
        }
        let ranked = rules::RANKED.iter().find(|(folder, _)| *folder == member.folder);
        let up = ranked.map_or_else(Vec::new, |(_, ranks)| check::ranks(tree, &found, ranks));
        modules(&mut out, tree, &found, "", &up, arguments.arrows);
        if member.folder == rules::TRANSLATOR_FOLDER {
            let modules_of_lower = Modules::new(tree, rules::LOWER);
            let up = check::order(tree, &found.all, &modules_of_lower, rules::LOWER_ORDER);
            modules(&mut out, tree, &found, rules::LOWER, &up, arguments.arrows);
        }
    }
    Ok(out)
}

/// Prints the modules of a folder, their circles and what breaks their order.
fn modules(out: &mut String, tree: &Crate, found: &Arrows, folder: &str, up: &[String], all: bool) {
    let modules = Modules::new(tree, folder);
    line!(out, "  modules of {}", if folder.is_empty() { "the crate" } else { folder });
    for (module, files) in modules.files() {
        // A module of one file is a folder only where the file stands in it.
        let below = format!("{module}/");
        let is_folder = module != ROOT && files.iter().any(|&file| tree.path(file).contains(&below));
        let lines = files.iter().map(|&file| tree.files[file].lines).sum::<usize>();
        line!(out, "    {:<20} {:>3} files {lines:>6} lines", if is_folder { &below } else { module }, files.len());
    }
    let circles = modules.circles(&found.all);
    line!(out, "  circles of these modules: {}", circles.len());
    circles.iter().for_each(|circle| line!(out, "    {}: {}", circle.len(), circle.join(", ")));
    up.iter().for_each(|fault| line!(out, "  {fault}"));
    if all {
        for (from, to, arrow) in modules.arrows(&found.all) {
            line!(out, "  {from} -> {to}: {}", check::words(tree, arrow));
        }
    }
    line!(out);
}
