//! One HTML page of what `run`, `exec` and `reduce` found.
//!
//! In: a capture and folders of results. Out: a page without external parts, and its totals. What
//! must hold: the same inputs give the same page; what comes from captures and drivers is text; the
//! page stays of reasonable size for ten thousand pipelines, and says what it leaves out.
//!
//! The page is written by a writer of its own, [`dxil_base::html`], and not by a template library.
//! Escaping and closed elements, which the libraries `maud` and `askama` are good for, are sixty
//! lines there, and each of the libraries would bring five crates and a second version of `syn` to
//! the build.
//!
//! | file | subject |
//! |---|---|
//! | `read` | folders of results |
//! | `text` | text files of bounded size |
//! | `bundle` | the bundles of `reduce` |
//! | `code` | the code of a pipeline as text |
//! | `items` | the pipelines with findings |
//! | `reduce` | the command that reduces a fault |
//! | `page` | the page, with `style.css` and `script.js` |

mod bundle;
mod code;
mod error;
mod items;
mod page;
mod read;
mod reduce;
mod text;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use crate::exec::compare::Verdict;
use crate::files::write_whole;
use crate::progress::bar;
use crate::results::Summary;
pub use error::{NoCode, ReportError};
use items::Items;
use read::Found;

/// What to report, and where.
#[derive(Clone, Debug)]
pub struct Options {
    /// The capture.
    pub capture: PathBuf,
    /// Folders of results and bundles; without any, those in the capture.
    pub results: Vec<PathBuf>,
    /// The page.
    pub out: PathBuf,
    /// Whether progress is shown.
    pub progress: bool,
}

/// What the page has.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The page.
    pub page: PathBuf,
    /// Its size in bytes.
    pub bytes: usize,
    /// The rows of its table.
    pub pipelines: usize,
    /// Faults, differences and refusals.
    pub items: usize,
    /// Bundles.
    pub bundles: usize,
    /// Counts of each set of results.
    pub drivers: BTreeMap<String, Summary>,
    /// Counts of each comparison.
    pub comparisons: BTreeMap<String, BTreeMap<Verdict, usize>>,
    /// What was not whole.
    #[serde(rename = "notes")]
    pub warnings: Vec<String>,
}

/// Writes the page.
///
/// # Errors
/// A capture or results that cannot be used, or a page that cannot be written.
pub fn report(options: &Options) -> Result<Report, ReportError> {
    let found = Found::read(&options.capture, &options.results)?;
    let shown = Items::new(&found);
    let bar = bar("report", shown.shown.len(), options.progress);
    let text = page::page(&found, &shown, || bar.inc(1));
    bar.finish_and_clear();
    write_whole(&options.out, text.as_bytes())?;
    let mut comparisons: BTreeMap<String, BTreeMap<Verdict, usize>> = BTreeMap::new();
    for against in &found.against {
        let counts = comparisons.entry(against.name.clone()).or_default();
        against.comparisons.values().for_each(|it| *counts.entry(it.verdict).or_default() += 1);
    }
    Ok(Report {
        page: options.out.clone(),
        bytes: text.len(),
        pipelines: found.pipelines.len(),
        items: shown.shown.len() + shown.left_out,
        bundles: found.bundles.values().map(Vec::len).sum(),
        drivers: found.sets.iter().map(|set| (set.name.clone(), Summary::from_rows(set.rows.values()))).collect(),
        comparisons,
        warnings: found.warnings,
    })
}
