//! Reads what `run`, `exec` and `reduce` left.
//!
//! In: a capture and folders of results. Out: all of it in memory, in an order that the content
//! decides. What must hold: nothing is written; what is cut short is read up to the cut, and said.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use dxil_capture::{Capture, Digest};

use super::bundle::{self, ShownBundle};
use super::error::ReportError;
use super::text::read_text;
use crate::exec::compare::Comparison;
use crate::files::{At as _, FileError};
use crate::results::{Begun, COVERAGE, Coverage, Header, Results, Row, outputs};
use crate::synth::List;

/// The files of a folder, in an order that does not differ between machines.
fn files(folder: &Path) -> Result<Vec<PathBuf>, FileError> {
    let entries = fs::read_dir(folder).at(folder)?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    paths.sort();
    Ok(paths)
}

/// The results of one driver.
pub struct Set {
    /// The driver and the subcommand.
    pub name: String,
    /// The first line.
    pub header: Header,
    /// The command.
    pub begun: Begun,
    /// The rows.
    pub rows: BTreeMap<Digest, Row>,
    /// The folder of what the pipelines wrote.
    pub outputs: PathBuf,
}

/// Two drivers compared.
pub struct ComparedPair {
    /// Both drivers.
    pub name: String,
    /// The driver, and the reference.
    pub drivers: [String; 2],
    /// The folder of what each driver's pipelines wrote, in the order of `drivers`.
    pub outputs: [PathBuf; 2],
    /// The comparisons.
    pub comparisons: BTreeMap<Digest, Comparison>,
}

/// All that there is to report.
pub struct Found {
    /// The capture.
    pub capture: Capture,
    /// What `synth` says of its pipelines; `None` for an application's capture.
    pub list: Option<List>,
    /// Results, by name.
    pub sets: Vec<Set>,
    /// Comparisons, by name.
    pub against: Vec<ComparedPair>,
    /// What of the pipelines' code ran, by pipeline.
    pub coverage: BTreeMap<Digest, Coverage>,
    /// Bundles, by pipeline.
    pub bundles: BTreeMap<Digest, Vec<ShownBundle>>,
    /// All pipelines.
    pub pipelines: BTreeSet<Digest>,
    /// What was not whole.
    pub warnings: Vec<String>,
}

impl Found {
    /// Reads the folders. Without any, these are the ones into which the subcommands write by
    /// default.
    ///
    /// # Errors
    /// A capture or results that cannot be used.
    pub fn read(capture: &Path, folders: &[PathBuf]) -> Result<Self, ReportError> {
        let usual: Vec<PathBuf> = ["results", "exec", "bundles"].map(|name| capture.join(name)).to_vec();
        let usual = usual.into_iter().filter(|folder| folder.is_dir());
        let folders = if folders.is_empty() { usual.collect() } else { folders.to_vec() };
        let mut found = Self {
            capture: Capture::open(capture)?,
            list: List::read(capture),
            sets: Vec::new(),
            against: Vec::new(),
            coverage: BTreeMap::new(),
            bundles: BTreeMap::new(),
            pipelines: BTreeSet::new(),
            warnings: Vec::new(),
        };
        for folder in &folders {
            found.folder(folder)?;
        }
        if found.sets.is_empty() && found.bundles.is_empty() {
            let at: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
            let at = if at.is_empty() { capture.display().to_string() } else { at.join(", ") };
            return Err(ReportError::Nothing(at));
        }
        found.name_sets();
        found.against.sort_by(|a, b| (&a.name, &a.outputs).cmp(&(&b.name, &b.outputs)));
        found.pipelines = found.capture.names().collect();
        found.pipelines.extend(found.sets.iter().flat_map(|set| set.rows.keys()));
        found.pipelines.extend(found.against.iter().flat_map(|against| against.comparisons.keys()));
        found.pipelines.extend(found.bundles.keys());
        Ok(found)
    }

    /// Reads one folder.
    fn folder(&mut self, folder: &Path) -> Result<(), FileError> {
        for path in &files(folder)? {
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            if name.ends_with(".jsonl") {
                self.results(folder, path)?;
            } else if let Some(both) = name.strip_suffix(".json")
                && let Some((driver, reference)) = both.split_once("-against-")
            {
                let drivers = [driver.to_owned(), reference.to_owned()];
                self.comparisons(folder, path, drivers)?;
            }
        }
        for path in files(&folder.join(COVERAGE)).unwrap_or_default() {
            let rows = Results::read(&path)?.rows.into_values();
            self.coverage.extend(rows.filter_map(|row| Some((row.pipeline, row.execution?.coverage?))));
        }
        bundle::find(self.capture.dir(), folder, &mut self.bundles, &mut self.warnings);
        Ok(())
    }

    fn results(&mut self, folder: &Path, path: &Path) -> Result<(), FileError> {
        let read = Results::read(path)?;
        if read.is_cut {
            self.warnings.push(format!("{}: the last line is cut short and left out", path.display()));
        }
        let Some(header) = read.header else { return Ok(()) };
        let outputs = outputs(folder, &header.driver);
        self.sets.push(Set { name: String::new(), header, begun: read.begun, rows: read.rows, outputs });
        Ok(())
    }

    fn comparisons(&mut self, folder: &Path, path: &Path, drivers: [String; 2]) -> Result<(), FileError> {
        let all: Vec<Comparison> = serde_json::from_str(&read_text(path)?).at(path)?;
        self.against.push(ComparedPair {
            name: format!("{} against {}", drivers[0], drivers[1]),
            outputs: [0, 1].map(|index| outputs(folder, &drivers[index])),
            drivers,
            comparisons: all.into_iter().map(|comparison| (comparison.pipeline, comparison)).collect(),
        });
        Ok(())
    }

    /// Names the sets by driver and subcommand; what is still the same gets a number.
    fn name_sets(&mut self) {
        let subcommand = |set: &Set| if set.header.inputs.is_some() { "exec" } else { "run" };
        self.sets.sort_by(|a, b| {
            (&a.header.driver, subcommand(a), &a.outputs).cmp(&(&b.header.driver, subcommand(b), &b.outputs))
        });
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for set in &mut self.sets {
            let name = format!("{}, {}", set.header.driver, subcommand(set));
            let count = counts.entry(name.clone()).or_default();
            *count += 1;
            set.name = if *count == 1 { name } else { format!("{name} {count}") };
        }
    }
}
