//! `structure`: figures of the source tree's structure.
//!
//! ```text
//! cargo run -p dxil-architecture -- [--repository DIR] [--rooms FILE] [--arrows] [--public] [--readers]
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use dxil_architecture::arrows::{Arrows, arrows};
use dxil_architecture::graph::{FACE, Rooms, first_of_pairs, room};
use dxil_architecture::public::face;
use dxil_architecture::readers::readers;
use dxil_architecture::source::Crate;
use dxil_architecture::{check, rules, workspace};

/// Adds a line to a text. Writing to a `String` does not fail.
macro_rules! line {
    ($out:expr) => { $out.push('\n') };
    ($out:expr, $($arg:tt)+) => {{ let _ = writeln!($out, $($arg)+); }};
}

/// Prints rooms, circles and arrows that run up, of the translator and the layer.
#[derive(Parser)]
struct Arguments {
    /// The repository to read; another checkout than this one may be older
    #[arg(long, value_name = "DIR")]
    repository: Option<PathBuf>,
    /// Rooms for files of translator/src/lower that stand in no folder, so that a flat tree can be
    /// held to the order of rooms: lines `FILE ROOM`, the file without `.rs`
    #[arg(long, value_name = "FILE")]
    rooms: Option<PathBuf>,
    /// Print all arrows between rooms too
    #[arg(long)]
    arrows: bool,
    /// Print the translator's public items instead
    #[arg(long)]
    public: bool,
    /// Print which files of the translator read the device profile instead
    #[arg(long)]
    readers: bool,
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
    let translator = workspace::translator(&repository)?;
    if arguments.public {
        print_public(&translator, &mut out);
    } else if arguments.readers {
        print_readers(&translator, &mut out);
    } else {
        let found = arrows(&translator);
        let up = check::ranks(&translator, &found, rules::RANKS);
        let rooms = Rooms::of_folder(&translator, "");
        print(&mut out, "translator/src", &translator, &found, &rooms, arguments.arrows, Some(&up));

        let given = arguments.rooms.as_deref().map(read_rooms).transpose()?.unwrap_or_default();
        let rooms = Rooms::by(&translator, |path| {
            let own = room(path, rules::LOWER, 1)?;
            Some(given.get(&own).cloned().unwrap_or(own))
        });
        let up = rooms.upward(&found.all, rules::LOWER_ORDER);
        let up: Vec<_> = up.into_iter().map(|arrow| check::words(&translator, arrow)).collect();
        let ordered = translator.files.iter().any(|file| {
            // A single file may have a room's name by chance.
            let room = file.path.strip_prefix("lower/").and_then(|rest| rest.split_once('/'));
            room.is_some_and(|(room, _)| rules::LOWER_ORDER.contains(&room))
        });
        let ordered = ordered || !given.is_empty();
        print(&mut out, "translator/src/lower", &translator, &found, &rooms, arguments.arrows, ordered.then_some(&up));

        for member in workspace::layer(&repository)? {
            let found = arrows(&member.tree);
            let rooms = Rooms::of_folder(&member.tree, "");
            let ranks = match member.folder.as_str() {
                rules::LAYER => Some(rules::LAYER_RANKS),
                rules::LAB => Some(rules::LAB_RANKS),
                _ => None,
            };
            let up = ranks.map(|ranks| check::ranks(&member.tree, &found, ranks));
            let name = format!("{}/src", member.folder);
            print(&mut out, &name, &member.tree, &found, &rooms, arguments.arrows, up.as_ref());
        }
    }
    Ok(out)
}

fn read_rooms(path: &Path) -> Result<BTreeMap<String, String>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let pairs = text.lines().filter_map(|line| line.split_once(char::is_whitespace));
    Ok(pairs.map(|(file, room)| (file.to_owned(), room.trim().to_owned())).collect())
}

fn print(
    out: &mut String,
    name: &str,
    tree: &Crate,
    found: &Arrows,
    rooms: &Rooms,
    all: bool,
    up: Option<&Vec<String>>,
) {
    let files = rooms.files();
    let lines = |files: &[usize]| files.iter().map(|&file| tree.files[file].lines).sum::<usize>();
    // A room of one file is a folder only where the file stands in it.
    let is_folder =
        |room: &str| room != FACE && files[room].iter().any(|&file| tree.path(file).contains(&format!("{room}/")));
    let (folders, single): (Vec<&str>, Vec<&str>) = files.keys().copied().partition(|room| is_folder(room));
    let every: Vec<usize> = files.values().flatten().copied().collect();
    line!(
        out,
        "{name}: {} files, {} lines, {} folders, {} single files",
        every.len(),
        lines(&every),
        folders.len(),
        single.len()
    );
    for room in folders.iter().chain(&single) {
        line!(out, "  {room:<20} {:>3} files {:>6} lines", files[room].len(), lines(&files[room]));
    }
    let inside = found.all.iter().filter(|a| rooms.room(a.from).is_some() && rooms.room(a.to).is_some());
    line!(out, "  arrows between files: {}", first_of_pairs(inside).len());
    let circles = rooms.file_circles(&found.all);
    line!(out, "  circles of files: {}{}", circles.len(), sizes(circles.iter().map(Vec::len)));
    for circle in circles {
        let members: Vec<_> = circle.iter().map(|&file| tree.path(file)).collect();
        line!(out, "    {}: {}", circle.len(), members.join(", "));
    }
    let circles = rooms.circles(&found.all);
    line!(out, "  circles of rooms: {}{}", circles.len(), sizes(circles.iter().map(Vec::len)));
    for circle in circles {
        line!(out, "    {}: {}", circle.len(), circle.join(", "));
    }
    match up {
        Some(up) => {
            line!(out, "  arrows that run up: {}", up.len());
            up.iter().for_each(|arrow| line!(out, "    {arrow}"));
        }
        None => line!(out, "  arrows that run up: no order of these rooms is given"),
    }
    if all {
        for (from, to, arrow) in rooms.arrows(&found.all) {
            line!(out, "  {from} -> {to}: {}", check::words(tree, arrow));
        }
    }
    line!(out);
}

fn sizes(sizes: impl Iterator<Item = usize>) -> String {
    let sizes: Vec<_> = sizes.map(|size| size.to_string()).collect();
    if sizes.is_empty() { String::new() } else { format!(" (of {})", sizes.join(", ")) }
}

fn print_public(tree: &Crate, out: &mut String) {
    let face = face(tree);
    for item in &face {
        let open = if item.open { "  open" } else { "" };
        let by_macro = if item.by_macro { "  by a macro" } else { "" };
        let place = format!("{}:{}", tree.path(item.file), item.line);
        let (members, functions) = (item.members, item.functions);
        line!(
            out,
            "{:<9} {:<60} {members:>3} members {functions:>3} functions  {place}{open}{by_macro}",
            format!("{:?}", item.kind),
            item.path
        );
    }
    let members: usize = face.iter().map(|item| item.members).sum();
    let functions: usize = face.iter().map(|item| item.functions).sum();
    line!(
        out,
        "{} public items, {functions} functions of theirs; {members} fields, variants and trait items",
        face.len()
    );
    let open = face.iter().filter(|item| item.open).count();
    let closed = face.iter().filter(|item| item.non_exhaustive).count();
    line!(out, "{open} are open, {closed} are non_exhaustive");
}

fn print_readers(tree: &Crate, out: &mut String) {
    for (file, reads) in readers(tree, rules::PROFILE) {
        line!(out, "{}", tree.path(file));
        reads.iter().for_each(|(line, text)| line!(out, "  {line}: {text}"));
    }
}
