//! The pipelines with findings: a fault, a difference, a message, a refusal, a bundle.
//!
//! In: a pipeline and all that was found of it. Out: an element that opens. What must hold: the
//! code of one pipeline, and of all, is bounded, and what is left out is said where it is missing.

use dxil_base::html::{Html, clipped};
use dxil_capture::Digest;

use super::bundle::ShownBundle;
use super::code::{self, Listing};
use super::read::{ComparedPair, Found, Set};
use super::reduce;
use crate::exec::compare::{self, Comparison, Verdict};
use crate::results::{Outcome, Row, output_path};
use crate::synth::StageOf;

/// The longest text of an item's code, in bytes.
const TEXT: usize = 32 << 10;
/// The longest text of a driver or the layer.
const DETAIL: usize = 4 << 10;
/// The code of all items, in bytes.
const CODE: usize = 3 << 20;
/// The most items.
const ITEMS: usize = 2000;
/// The most stages of an item that show their code.
const STAGES: usize = 8;
/// The most messages, statistics and elements of one thing.
const LINES: usize = 20;

/// The severity of a pipeline's findings, the gravest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Fault,
    Differs,
    Validation,
    OneSided,
    Refused,
    ShownBundle,
}

/// The pipelines with findings, the gravest first.
pub struct Items {
    /// Those of the page.
    pub shown: Vec<Digest>,
    /// How many more there are.
    pub left_out: usize,
}

impl Items {
    /// The items of all that was found.
    pub fn new(found: &Found) -> Self {
        let ranked = found.pipelines.iter().filter_map(|pipeline| Some((rank(found, *pipeline)?, *pipeline)));
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort();
        let left_out = ranked.len().saturating_sub(ITEMS);
        let shown = ranked.into_iter().take(ITEMS).map(|(_, pipeline)| pipeline).collect();
        Self { shown, left_out }
    }
}

fn rank(found: &Found, pipeline: Digest) -> Option<Rank> {
    let rows = || found.sets.iter().filter_map(|set| set.rows.get(&pipeline));
    let of_rows = rows().filter_map(|row| match row.outcome {
        outcome if outcome.is_fault() => Some(Rank::Fault),
        _ if !row.validation.is_empty() => Some(Rank::Validation),
        Outcome::Refused | Outcome::Incomplete | Outcome::Beyond => Some(Rank::Refused),
        _ => None,
    });
    let of_verdicts = found.against.iter().filter_map(|against| match against.comparisons.get(&pipeline)?.verdict {
        Verdict::Differs | Verdict::Unstable => Some(Rank::Differs),
        Verdict::OneSided => Some(Rank::OneSided),
        _ => None,
    });
    let of_bundles = found.bundles.contains_key(&pipeline).then_some(Rank::ShownBundle);
    of_rows.chain(of_verdicts).chain(of_bundles).min()
}

/// The place of a pipeline's item in the page.
pub fn anchor(pipeline: Digest) -> String {
    format!("p-{}", pipeline.short())
}

/// Writes the items; `step` is called after each.
pub fn items(html: &mut Html, found: &Found, items: &Items, names: impl Fn(Digest) -> String, step: impl Fn()) {
    let mut budget = CODE;
    for pipeline in &items.shown {
        html.within("details", &[("id", &anchor(*pipeline)), ("class", "item")], |html| {
            html.within("summary", &[], |html| {
                html.element("b", &[], names(*pipeline));
                html.text(" ");
                html.element("code", &[], pipeline.short());
                for said in headline(found, *pipeline) {
                    html.text(" · ");
                    html.text(said);
                }
            });
            item(html, found, *pipeline, &mut budget);
        });
        step();
    }
    if items.left_out != 0 {
        html.element(
            "p",
            &[("class", "note")],
            format_args!("{} further pipelines are in the table only: this list has at most {ITEMS}.", items.left_out),
        );
    }
}

/// What the closed item says.
fn headline(found: &Found, pipeline: Digest) -> Vec<String> {
    let mut said = Vec::new();
    for against in &found.against {
        let comparison = against.comparisons.get(&pipeline);
        let verdict = comparison.map(|it| it.verdict).filter(|it| !matches!(it, Verdict::Equal | Verdict::NotExecuted));
        said.extend(verdict.map(|verdict| format!("{}: {}", against.name, verdict.name())));
    }
    for set in &found.sets {
        let Some(row) = set.rows.get(&pipeline) else { continue };
        if !matches!(row.outcome, Outcome::Created | Outcome::Executed | Outcome::NotExecuted) {
            said.push(format!("{}: {}", set.name, row.outcome.name()));
        }
        if !row.validation.is_empty() {
            said.push(format!("{}: validation", set.name));
        }
    }
    if found.bundles.contains_key(&pipeline) {
        said.push("bundle".to_owned());
    }
    said
}

fn item(html: &mut Html, found: &Found, pipeline: Digest, budget: &mut usize) {
    html.within("dl", &[], |html| {
        definition(html, "Pipeline", &pipeline.to_string());
        let listed = found.list.iter().flat_map(|list| &list.pipelines).find(|listed| listed.pipeline == pipeline);
        if let Some(listed) = listed {
            definition(html, "Binding model", &listed.model);
            let stage = |it: &StageOf| format!("{} `{}` of {}", it.stage, it.entry, it.file);
            definition(html, "Stages", &listed.stages.iter().map(stage).collect::<Vec<_>>().join("; "));
            if !listed.chosen.is_empty() {
                definition(html, "Chosen by the lab", &listed.chosen.join("; "));
            }
        }
    });
    for against in &found.against {
        if let Some(comparison) = against.comparisons.get(&pipeline) {
            difference(html, found, against, comparison);
        }
    }
    for set in &found.sets {
        if let Some(row) = set.rows.get(&pipeline) {
            result(html, found, set, row);
        }
    }
    for bundle in found.bundles.get(&pipeline).into_iter().flatten() {
        show_bundle(html, bundle, budget);
    }
    html.element("h4", &[], "Code");
    if *budget == 0 {
        html.element(
            "p",
            &[("class", "note")],
            format_args!(
                "The page has its {} MiB of code, so this pipeline's code is left out. Its record in the capture \
                 names the containers, and dxil2spv prints them.",
                CODE >> 20
            ),
        );
        return;
    }
    match code::listings(&found.capture, pipeline) {
        Ok(listings) => show_listings(html, &listings, budget),
        Err(error) => paragraph(html, &error.to_string()),
    }
}

fn definition(html: &mut Html, name: &'static str, text: &str) {
    html.element("dt", &[], name);
    html.element("dd", &[], shortened(text));
}

fn paragraph(html: &mut Html, text: &str) {
    html.element("pre", &[("class", "said")], shortened(text));
}

fn shortened(text: &str) -> String {
    let (text, rest) = clipped(text, DETAIL);
    if rest == 0 { text.to_owned() } else { format!("{text}… ({rest} more bytes are left out)") }
}

/// What two drivers made of a pipeline.
fn difference(html: &mut Html, found: &Found, against: &ComparedPair, comparison: &Comparison) {
    html.element("h4", &[], format_args!("{}: {}", against.name, comparison.verdict.name()));
    if !comparison.detail.is_empty() {
        paragraph(html, &comparison.detail);
    }
    if !comparison.depends.is_empty() {
        let depends = comparison.depends.join(", ");
        html.element("p", &[], format_args!("The results may depend on {}.", shortened(&depends)));
    }
    if comparison.verdict == Verdict::Differs {
        to_reduce(html, reduce::of_difference(found, against, comparison.pipeline));
    }
    let [driver, reference] = &against.drivers;
    for it in comparison.differences.iter().take(LINES) {
        html.within("table", &[("class", "elements")], |html| {
            html.element(
                "caption",
                &[],
                format_args!(
                    "{}: of {} elements, {} differ, {} of them by more than the tolerance, and {} of these are infinite \
                     or NaN",
                    it.output, it.elements, it.different, it.beyond, it.not_finite
                ),
            );
            html.within("thead", &[], |html| {
                html.within("tr", &[], |html| {
                    for name in ["Element", reference, driver] {
                        html.element("th", &[("scope", "col")], name);
                    }
                });
            });
            html.within("tbody", &[], |html| {
                for (element, values) in elements(found, against, comparison.pipeline, it) {
                    html.within("tr", &[], |html| {
                        html.element("th", &[("scope", "row")], element);
                        values.iter().for_each(|value| html.element("td", &[], value));
                    });
                }
            });
        });
    }
    left_out(html, comparison.differences.len(), "differing results");
}

/// The elements that differ: the first one of the comparison, and what follows it in the drivers'
/// files.
fn elements(
    found: &Found,
    against: &ComparedPair,
    pipeline: Digest,
    it: &compare::Difference,
) -> Vec<(usize, [String; 2])> {
    let side = |index: usize| {
        let (name, folder) = (&against.drivers[index], &against.outputs[index]);
        let set = found.sets.iter().find(|set| &set.header.driver == name && &set.outputs == folder)?;
        let outputs = &set.rows.get(&pipeline)?.execution.as_ref()?.outputs;
        let (at, output) = outputs.iter().enumerate().find(|(_, output)| output.name == it.output)?;
        let bytes = std::fs::read(output_path(folder, pipeline, at)).ok()?;
        Some((output, bytes))
    };
    let (Some((driver, of_driver)), Some((reference, of_reference))) = (side(0), side(1)) else {
        return vec![(it.element, it.values.clone())];
    };
    compare::differing([reference, driver], [&of_reference, &of_driver], it.element, LINES)
}

/// What a driver made of a pipeline.
fn result(html: &mut Html, found: &Found, set: &Set, row: &Row) {
    html.element("h4", &[], format_args!("{}: {}", set.name, row.outcome.name()));
    if !row.detail.is_empty() {
        paragraph(html, &row.detail);
    }
    to_reduce(html, reduce::of_row(found, set, row));
    if !row.validation.is_empty() {
        html.element("p", &[], "The validation layer said:");
        html.within("ul", &[], |html| {
            row.validation.iter().take(LINES).for_each(|message| html.element("li", &[], shortened(message)));
        });
        left_out(html, row.validation.len(), "messages");
    }
    if !row.lost.is_empty() {
        html.element("p", &[], format_args!("The capture lacks the structures with the sTypes {:?}.", row.lost));
    }
    if !row.statistics.is_empty() {
        html.within("ul", &[], |html| {
            for it in row.statistics.iter().take(LINES) {
                html.element("li", &[], format_args!("{}, {}: {}", it.executable, it.name, it.value));
            }
        });
        left_out(html, row.statistics.len(), "statistics");
    }
    if !row.modules.is_empty() {
        let modules: Vec<String> =
            row.modules.iter().map(|(digest, words)| format!("{} ({words} words)", digest.short())).collect();
        html.element("p", &[], format_args!("SPIR-V that the driver got: {}.", modules.join(", ")));
    }
}

/// The command that reduces what was found.
fn to_reduce(html: &mut Html, command: Option<String>) {
    if let Some(command) = command {
        html.element("p", &[], "To reduce it:");
        html.element("pre", &[("class", "said reduce")], command);
    }
}

fn left_out(html: &mut Html, all: usize, what: &'static str) {
    if all > LINES {
        html.element("p", &[("class", "note")], format_args!("{} more {what} are left out.", all - LINES));
    }
}

fn show_bundle(html: &mut Html, bundle: &ShownBundle, budget: &mut usize) {
    html.within("details", &[("class", "bundle")], |html| {
        html.within("summary", &[], |html| {
            html.text("Bundle of ");
            html.text(&bundle.info.driver);
            html.text(" in ");
            html.element("code", &[], bundle.folder.display());
        });
        bundle.readme.iter().for_each(|text| paragraph(html, text));
        if let Some(command) = &bundle.command {
            html.element("h5", &[], "command.sh");
            paragraph(html, command);
        }
        html.within("div", &[("class", "columns")], |html| {
            bundle.assembly.iter().for_each(|(name, text)| column(html, name, text, budget));
        });
    });
}

fn show_listings(html: &mut Html, listings: &[Listing], budget: &mut usize) {
    for listing in listings.iter().take(STAGES) {
        html.element("h5", &[], &listing.name);
        html.within("div", &[("class", "columns")], |html| {
            listing.columns.iter().for_each(|(name, text)| column(html, name, text, budget));
        });
    }
    if listings.len() > STAGES {
        let more = listings.len() - STAGES;
        html.element("p", &[("class", "note")], format_args!("{more} more stages are left out."));
    }
}

/// A form of the code.
fn column(html: &mut Html, name: &str, text: &str, budget: &mut usize) {
    let before = html.bytes();
    html.within("div", &[], |html| {
        html.element("h6", &[], name);
        let (shown, rest) = clipped(text, TEXT.min(*budget));
        // A region that scrolls is reached by the keyboard too.
        html.element("pre", &[("tabindex", "0")], shown);
        if rest != 0 {
            let lines = text[shown.len()..].lines().count();
            html.element(
                "p",
                &[("class", "note")],
                format_args!("{lines} more lines are left out ({} KiB of {}).", shown.len() >> 10, text.len() >> 10),
            );
        }
    });
    *budget = budget.saturating_sub(html.bytes() - before);
}
