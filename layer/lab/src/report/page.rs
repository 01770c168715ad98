//! The page: totals, the table, the items.
//!
//! In: what was found. Out: one HTML document without external parts. What must hold: everything is
//! there without the script, which only sorts, filters and opens.

use std::collections::BTreeMap;

use dxil_base::html::Html;
use dxil_capture::Digest;

use super::code::stage_name;
use super::items::{self, Items, anchor};
use super::read::Found;
use crate::exec::compare::Verdict;
use crate::results::{Coverage, Outcome, Row, Summary};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");
/// Nothing is loaded from anywhere, whatever a text may say.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; \
                      form-action 'none'";

/// What the table says of a pipeline that no driver decides.
struct Names {
    labels: BTreeMap<Digest, String>,
    stages: BTreeMap<Digest, String>,
}

impl Names {
    fn new(found: &Found) -> Self {
        let listed = found.list.iter().flat_map(|list| &list.pipelines);
        let (mut labels, mut stages) = (BTreeMap::new(), BTreeMap::new());
        for it in listed {
            labels.insert(it.pipeline, it.label.clone());
            let kinds: Vec<&str> = it.stages.iter().map(|stage| stage.stage.as_str()).collect();
            stages.insert(it.pipeline, kinds.join(", "));
        }
        // An application's pipelines have no list; their records say the stages.
        for pipeline in found.pipelines.iter().filter(|it| !labels.contains_key(it)) {
            let record = found.capture.record(*pipeline).ok();
            let kinds = record.iter().flat_map(|record| &record.pipeline.stages);
            stages.insert(*pipeline, kinds.map(|stage| stage_name(stage.stage)).collect::<Vec<_>>().join(", "));
        }
        Self { labels, stages }
    }

    fn label(&self, pipeline: Digest) -> String {
        self.labels.get(&pipeline).cloned().unwrap_or_else(|| "pipeline".to_owned())
    }
}

/// The page.
pub fn page(found: &Found, shown: &Items, step: impl Fn()) -> String {
    let names = Names::new(found);
    let mut html = Html::default();
    html.raw("<!DOCTYPE html>\n");
    html.within("html", &[("lang", "en")], |html| {
        html.within("head", &[], |html| {
            html.void("meta", &[("charset", "utf-8")]);
            html.void("meta", &[("http-equiv", "Content-Security-Policy"), ("content", POLICY)]);
            html.void("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
            html.element("title", &[], "Driver lab");
            html.within("style", &[], |html| html.raw(STYLE));
        });
        html.within("body", &[], |html| {
            html.within("header", &[], |html| {
                html.element("h1", &[], "Driver lab");
                let (pipelines, sets) = (found.pipelines.len(), found.sets.len());
                html.element("p", &[], format_args!("{pipelines} pipelines, {sets} sets of results"));
                for warning in &found.warnings {
                    html.element("p", &[("class", "note")], warning);
                }
            });
            html.within("main", &[], |html| {
                section(html, "totals", "Drivers side by side", |html| {
                    drivers(html, found);
                    verdicts(html, found);
                    coverage(html, found);
                    commands(html, found);
                });
                section(html, "pipelines", "Pipelines", |html| {
                    filters(html, found, &names);
                    table(html, found, &names, shown);
                });
                section(html, "items", "Faults, differences and refusals", |html| {
                    if shown.shown.is_empty() {
                        html.element("p", &[], "There are none.");
                    }
                    items::items(html, found, shown, |pipeline| names.label(pipeline), step);
                });
            });
            html.within("script", &[], |html| html.raw(SCRIPT));
        });
    });
    html.finish() + "\n"
}

fn section(html: &mut Html, id: &str, heading: &'static str, content: impl FnOnce(&mut Html)) {
    let heading_id = format!("{id}-heading");
    html.within("section", &[("id", id), ("aria-labelledby", &heading_id)], |html| {
        html.element("h2", &[("id", &heading_id)], heading);
        content(html);
    });
}

/// The first row of a table: its columns.
fn head(html: &mut Html, first: &'static str, names: impl Iterator<Item = impl std::fmt::Display>) {
    html.within("thead", &[], |html| {
        html.within("tr", &[], |html| {
            html.element("th", &[("scope", "col")], first);
            names.for_each(|name| html.element("th", &[("scope", "col")], name));
        });
    });
}

/// A row of a table with a number or a text for each column.
fn row(html: &mut Html, name: &str, class: &str, cells: impl Iterator<Item = String>) {
    html.within("tr", &[], |html| {
        html.element("th", &[("scope", "row")], name);
        cells.for_each(|cell| {
            let is_some = !class.is_empty() && cell != "0";
            html.element("td", &[("class", if is_some { class } else { "" })], cell);
        });
    });
}

/// Totals by driver and outcome.
fn drivers(html: &mut Html, found: &Found) {
    let summaries: Vec<Summary> = found.sets.iter().map(|set| Summary::from_rows(set.rows.values())).collect();
    scrolled(html, "Totals by driver and outcome", |html| {
        html.within("table", &[("id", "drivers")], |html| {
            html.element("caption", &[], "Pipelines by driver and outcome");
            head(html, "", found.sets.iter().map(|set| &set.name));
            html.within("tbody", &[], |html| {
                let headers = || found.sets.iter().map(|set| &set.header);
                row(html, "device", "", headers().map(|it| it.device.clone()));
                row(html, "driver", "", headers().map(|it| it.build.driver.clone()));
                row(html, "driver's version", "", headers().map(|it| format!("{:#x}", it.driver_version)));
                row(
                    html,
                    "Vulkan",
                    "",
                    headers().map(|it| {
                        let version = it.api_version;
                        format!("{}.{}.{}", version >> 22 & 0x7f, version >> 12 & 0x3ff, version & 0xfff)
                    }),
                );
                let validated = |on: bool| if on { "on" } else { "off" }.to_owned();
                row(html, "validation layer", "", headers().map(|it| validated(it.validation)));
                if headers().any(|it| it.inputs.is_some()) {
                    row(
                        html,
                        "inputs",
                        "",
                        headers().map(|it| match it.inputs {
                            Some(inputs) if inputs.edges => format!("seed {}, edges", inputs.seed),
                            Some(inputs) => format!("seed {}", inputs.seed),
                            None => "–".to_owned(),
                        }),
                    );
                }
                row(html, "begun", "", found.sets.iter().map(|set| set.begun.date.clone()));
                row(html, "pipelines", "", found.sets.iter().map(|set| set.rows.len().to_string()));
                for outcome in Outcome::ALL {
                    let count = |summary: &Summary| summary.outcomes.get(&outcome).copied().unwrap_or(0);
                    if summaries.iter().any(|summary| count(summary) != 0) {
                        let counts = summaries.iter().map(|summary| count(summary).to_string());
                        row(html, outcome.name(), class(outcome), counts);
                    }
                }
                let spoken = summaries.iter().map(|summary| summary.validation.to_string());
                row(html, "with validation messages", "bad", spoken);
                let seconds = |us: u64| format!("{:.2} s", us as f64 / 1e6);
                row(html, "time in the driver", "", summaries.iter().map(|it| seconds(it.driver_us)));
                row(html, "time in the layer", "", summaries.iter().map(|it| seconds(it.layer_us)));
            });
        });
    });
}

/// The commands that made the results, and the builds of the libraries that they are of.
fn commands(html: &mut Html, found: &Found) {
    for set in &found.sets {
        html.within("details", &[], |html| {
            html.element("summary", &[], format_args!("{}: command and builds", set.name));
            html.element("pre", &[("class", "said")], &set.begun.command);
            html.within("dl", &[], |html| {
                let libraries = set.header.build.libraries.iter().map(|(name, build)| (name.as_str(), build));
                for (name, build) in libraries.chain([("dxil-lab", &set.header.build.lab)]) {
                    html.element("dt", &[], name);
                    html.element("dd", &[], build);
                }
            });
        });
    }
}

/// Totals by comparison and verdict.
fn verdicts(html: &mut Html, found: &Found) {
    if found.against.is_empty() {
        return;
    }
    scrolled(html, "Totals by comparison and verdict", |html| {
        html.within("table", &[("id", "verdicts")], |html| {
            html.element("caption", &[], "Pipelines by comparison and verdict");
            head(html, "", found.against.iter().map(|against| &against.name));
            html.within("tbody", &[], |html| {
                for verdict in Verdict::ALL {
                    let counts: Vec<usize> = found
                        .against
                        .iter()
                        .map(|against| against.comparisons.values().filter(|it| it.verdict == verdict).count())
                        .collect();
                    if counts.iter().any(|count| *count != 0) {
                        row(html, verdict.name(), class_of(verdict), counts.iter().map(usize::to_string));
                    }
                }
            });
        });
    });
}

/// What of the shaders ran at all, on which verdicts say something.
fn coverage(html: &mut Html, found: &Found) {
    if found.coverage.is_empty() {
        return;
    }
    let Coverage { blocks, stores } = found.coverage.values().fold(Coverage::default(), |sum, it| sum.plus(*it));
    let part = |[all, ran]: [usize; 2]| format!("{ran} of {all}");
    let whole = found.coverage.values().filter(|it| it.stores[0] == it.stores[1]).count();
    html.within("table", &[("id", "coverage")], |html| {
        html.element("caption", &[], "What of the shaders ran on the reference");
        html.within("tbody", &[], |html| {
            let pipelines = [found.coverage.len(), whole];
            let rows = [("blocks that ran", blocks), ("stores that happened", stores)];
            rows.into_iter().for_each(|(name, numbers)| row(html, name, "", std::iter::once(part(numbers))));
            row(html, "pipelines all of whose stores happened", "", std::iter::once(part(pipelines)));
        });
    });
}

/// A region that scrolls if it is too wide.
fn scrolled(html: &mut Html, label: &str, content: impl FnOnce(&mut Html)) {
    html.within("div", &[("class", "scroll"), ("role", "region"), ("aria-label", label), ("tabindex", "0")], content);
}

fn class(outcome: Outcome) -> &'static str {
    match outcome {
        outcome if outcome.is_fault() => "bad",
        Outcome::Refused | Outcome::Incomplete | Outcome::Beyond => "odd",
        _ => "",
    }
}

fn class_of(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Differs => "bad",
        Verdict::Unstable | Verdict::OneSided => "odd",
        _ => "",
    }
}

/// The filters, which only the script shows.
fn filters(html: &mut Html, found: &Found, names: &Names) {
    let select = |html: &mut Html, name: &'static str, label: &'static str, values: Vec<String>| {
        html.within("label", &[], |html| {
            html.text(label);
            html.text(" ");
            html.within("select", &[("name", name)], |html| {
                html.element("option", &[("value", "")], "any");
                values.iter().for_each(|value| html.element("option", &[("value", value)], value));
            });
        });
    };
    html.within("form", &[("id", "filters"), ("hidden", "")], |html| {
        select(html, "driver", "Driver", found.sets.iter().map(|set| set.name.clone()).collect());
        let has = |outcome: &Outcome| found.sets.iter().any(|set| set.rows.values().any(|row| row.outcome == *outcome));
        let outcomes = Outcome::ALL.iter().filter(|it| has(it)).map(|it| it.name().to_owned());
        select(html, "outcome", "Outcome", outcomes.collect());
        let has = |verdict: &Verdict| {
            found.against.iter().any(|against| against.comparisons.values().any(|it| it.verdict == *verdict))
        };
        let verdicts = Verdict::ALL.iter().filter(|it| has(it)).map(|it| it.name().to_owned());
        select(html, "verdict", "Verdict", verdicts.collect());
        let kinds: std::collections::BTreeSet<&str> = names.stages.values().flat_map(|it| it.split(", ")).collect();
        let kinds = kinds.into_iter().filter(|kind| !kind.is_empty()).map(str::to_owned);
        select(html, "stage", "Stage", kinds.collect());
        html.within("label", &[], |html| {
            html.text("Text ");
            html.void("input", &[("name", "text"), ("type", "search")]);
        });
        html.within("label", &[], |html| {
            html.void("input", &[("name", "items"), ("type", "checkbox")]);
            html.text(" only faults, differences and refusals");
        });
        html.element("output", &[("aria-live", "polite")], "");
    });
}

/// The columns of a driver.
const COLUMNS: [&str; 4] = ["outcome", "driver, ms", "layer, ms", "memory, MiB"];

/// The columns of what ran, if that was counted.
const RAN: [&str; 2] = ["blocks, %", "stores, %"];

/// The table: a row for each pipeline.
fn table(html: &mut Html, found: &Found, names: &Names, shown: &Items) {
    let linked: std::collections::BTreeSet<&Digest> = shown.shown.iter().collect();
    let ran: &[&'static str] = if found.coverage.is_empty() { &[] } else { &RAN };
    let fixed = 3 + ran.len() + found.against.len();
    scrolled(html, "Pipelines", |html| {
        html.within("table", &[("id", "table")], |html| {
            html.element("caption", &[], "Every pipeline, with what each driver made of it");
            html.within("thead", &[], |html| {
                html.within("tr", &[], |html| {
                    html.element("td", &[("colspan", &fixed.to_string())], "");
                    for set in &found.sets {
                        html.element(
                            "th",
                            &[("scope", "colgroup"), ("colspan", &COLUMNS.len().to_string())],
                            &set.name,
                        );
                    }
                });
                html.within("tr", &[], |html| {
                    html.element("th", &[("scope", "col")], "pipeline");
                    html.element("th", &[("scope", "col")], "stages");
                    html.element("th", &[("scope", "col")], "SPIR-V words");
                    ran.iter().for_each(|column| html.element("th", &[("scope", "col")], column));
                    for against in &found.against {
                        html.element("th", &[("scope", "col"), ("data-kind", "verdict")], &against.name);
                    }
                    for set in &found.sets {
                        for column in COLUMNS {
                            let kind = if column == "outcome" { column } else { "number" };
                            let of: &[(&'static str, &str)] =
                                &[("scope", "col"), ("data-kind", kind), ("data-set", &set.name)];
                            html.element("th", of, column);
                        }
                    }
                });
            });
            html.within("tbody", &[], |html| {
                for pipeline in &found.pipelines {
                    html.within("tr", &[("data-pipeline", &pipeline.short())], |html| {
                        let label = names.label(*pipeline);
                        html.within("th", &[("scope", "row")], |html| {
                            if linked.contains(pipeline) {
                                html.element("a", &[("href", &format!("#{}", anchor(*pipeline)))], label);
                            } else {
                                html.text(label);
                            }
                            html.text(" ");
                            html.element("code", &[], pipeline.short());
                        });
                        html.element("td", &[], names.stages.get(pipeline).map_or("", String::as_str));
                        cells(html, found, *pipeline);
                    });
                    html.raw("\n");
                }
            });
        });
    });
}

/// The words of all modules.
fn words(row: &Row) -> u64 {
    row.modules.iter().map(|(_, words)| *words as u64).sum()
}

/// What the drivers made of a pipeline.
fn cells(html: &mut Html, found: &Found, pipeline: Digest) {
    let plain = |html: &mut Html, class: &'static str, text: &str| match class {
        "" => html.element("td", &[], text),
        class => html.element("td", &[("class", class)], text),
    };
    let rows: Vec<Option<&Row>> = found.sets.iter().map(|set| set.rows.get(&pipeline)).collect();
    let size = rows.iter().flatten().map(|row| words(row)).find(|words| *words != 0);
    plain(html, "", &size.map_or_else(String::new, |words| words.to_string()));
    if !found.coverage.is_empty() {
        let part = |[all, ran]: [usize; 2]| (ran * 100).checked_div(all).map_or_else(String::new, |it| it.to_string());
        let parts = found.coverage.get(&pipeline).map(|it| [part(it.blocks), part(it.stores)]);
        parts.unwrap_or_default().iter().for_each(|part| plain(html, "", part));
    }
    for against in &found.against {
        let verdict = against.comparisons.get(&pipeline).map(|it| it.verdict);
        plain(html, verdict.map_or("", class_of), verdict.map_or("–", Verdict::name));
    }
    for row in rows {
        let Some(row) = row else {
            plain(html, "", "no result");
            COLUMNS[1..].iter().for_each(|_| plain(html, "", ""));
            continue;
        };
        let class = if row.validation.is_empty() { class(row.outcome) } else { "bad" };
        plain(html, class, row.outcome.name());
        let number = |it: u64, unit: f64| if it == 0 { String::new() } else { format!("{:.2}", it as f64 / unit) };
        plain(html, "", &number(row.driver_us, 1e3));
        plain(html, "", &number(row.layer_us, 1e3));
        plain(html, "", &number(row.memory_kib, 1024.0));
    }
}
