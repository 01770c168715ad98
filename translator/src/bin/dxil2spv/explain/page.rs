//! The page.
//!
//! In: lines, rows and pictures. Out: one HTML document. What must hold: a link leads to a line
//! that is on the page; everything is there without the script, which only links and opens.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Display;

use dxil_base::html::{Html, clipped};
use dxil_translator::analysis::program::Program;
use dxil_translator::{EntryId, Shader};

use super::bindings::{MOST_ROWS, Row, ShownPlace};
use super::dxil::Listing;
use super::graphs::{Graph, MOST_FUNCTIONS};
use super::line::{Line, MOST_BYTES, MOST_LINES, block_key, dxil_id, source_id};
use crate::failure::Failure;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");
/// Nothing is loaded from anywhere, whatever a text may say.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; base-uri 'none'; \
                      form-action 'none'";

/// The columns of the table of bindings. Where there is one entry point, the last is left out.
const COLUMNS: [&str; 7] = ["Name", "Register", "Type", "Set", "Binding", "Descriptor", "Entry points"];

/// The most names of entry points that are listed.
const MOST_ENTRIES: usize = 20;

/// What is on the page.
pub struct Page<'a> {
    /// The name of the file.
    pub name: Cow<'a, str>,
    pub shader: &'a Shader,
    /// The program that is listed.
    pub program: &'a Program,
    pub source: Vec<Line>,
    /// Why there is no source.
    pub missing: Option<String>,
    pub listing: &'a Listing,
    pub tree: Vec<Line>,
    pub spirv: Vec<Line>,
    pub bindings: Vec<Row>,
    pub graphs: Vec<Graph>,
    pub entries: &'a [EntryId],
    /// The profile, as the command line names it.
    pub profile: String,
    /// The binding model in words, if the resources have places.
    pub model: Option<&'a str>,
    /// Why there is no SPIR-V.
    pub failure: Option<&'a Failure>,
}

impl Page<'_> {
    /// The document.
    pub fn write(&self) -> String {
        let mut html = Html::default();
        html.raw("<!DOCTYPE html>\n");
        html.within("html", &[("lang", "en")], |html| {
            html.within("head", &[], |html| {
                html.void("meta", &[("charset", "utf-8")]);
                html.void("meta", &[("http-equiv", "Content-Security-Policy"), ("content", POLICY)]);
                html.void("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
                html.void("meta", &[("name", "color-scheme"), ("content", "light dark")]);
                html.element("title", &[], format_args!("{} explained", self.name));
                html.within("style", &[], |html| html.raw(STYLE));
            });
            html.within("body", &[], |html| {
                self.header(html);
                html.within("main", &[], |html| {
                    section(html, "code", "Code", |html| self.panes(html));
                    section(html, "bindings", "Bindings", |html| self.bindings(html));
                    section(html, "graphs", "Control flow", |html| self.graphs(html));
                });
                html.within("script", &[], |html| html.raw(SCRIPT));
            });
        });
        html.finish() + "\n"
    }

    fn header(&self, html: &mut Html) {
        html.within("header", &[], |html| {
            html.element("h1", &[], &self.name);
            let (major, minor) = self.program.shader_model;
            let names = self.entries.iter().filter_map(|&id| self.shader.entry(id));
            let names = names.take(MOST_ENTRIES).map(|entry| format!("{} {}", entry.stage, entry.plain_name()));
            let names: Vec<String> = names.collect();
            let more = self.entries.len().saturating_sub(MOST_ENTRIES);
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            html.within("p", &[], |html| {
                html.text(format_args!("{}{more}. Shader model {major}.{minor}, for the profile ", names.join(", ")));
                html.element("code", &[], &self.profile);
                match self.model {
                    Some(model) => html.text(format_args!(". Binding model: {model}.")),
                    None => html.text("."),
                }
            });
            if let Some(failure) = self.failure {
                html.element("p", &[("class", "failure")], format_args!("Not translated: {}", failure.message()));
            }
        });
    }

    fn panes(&self, html: &mut Html) {
        html.within("p", &[("id", "help"), ("hidden", "")], |html| {
            html.text("Point at a line to see what belongs to it. Click it, or press Enter, to keep it and to scroll the other panes there. Arrow keys move between lines and panes, Escape lets go.");
        });
        html.within("div", &[("id", "tabs"), ("role", "tablist"), ("aria-label", "Panes"), ("hidden", "")], |html| {
            for (id, title) in [("source", "Source"), ("dxil", "DXIL"), ("tree", "Tree"), ("spirv", "SPIR-V")] {
                html.within("button", &[("type", "button"), ("role", "tab"), ("aria-controls", id)], |html| {
                    html.text(title);
                    html.element("span", &[], "");
                });
            }
        });
        html.element("output", &[("aria-live", "polite")], "");
        html.within("div", &[("class", "panes")], |html| {
            let missing = self.missing.as_ref().map(|why| match self.source.is_empty() {
                true => format!("The source is not shown: {why}."),
                false => format!("The source is not linked: {why}."),
            });
            let shown: BTreeSet<&str> =
                self.source.iter().take(MOST_LINES).filter_map(|line| line.id.as_deref()).collect();
            let pane = |html: &mut Html, id, title, lines: &[Line], why: Option<&str>| {
                pane(html, id, title, lines, why, &shown);
            };
            pane(html, "source", "Source", &self.source, missing.as_deref());
            pane(html, "dxil", "DXIL", &self.listing.lines, None);
            pane(html, "tree", "Tree", &self.tree, None);
            let refused = self.failure.map(|failure| {
                let everything = match failure.is_of_a_feature() {
                    true => {
                        " With the option `--profile everything` the page has the code for a device with all features."
                    }
                    false => "",
                };
                format!("There is no SPIR-V: {}.{everything}", failure.message())
            });
            pane(html, "spirv", "SPIR-V", &self.spirv, refused.as_deref());
        });
    }

    fn bindings(&self, html: &mut Html) {
        if self.bindings.is_empty() {
            return html.element("p", &[], "The shader has no resources.");
        }
        let names_entries = self.entries.len() > 1;
        let region = [("class", "scroll"), ("role", "region"), ("aria-label", "Bindings"), ("tabindex", "0")];
        html.within("div", &region, |html| {
            html.within("table", &[], |html| {
                html.within("thead", &[], |html| {
                    html.within("tr", &[], |html| {
                        for name in &COLUMNS[..if names_entries { 7 } else { 6 }] {
                            html.element("th", &[("scope", "col")], name);
                        }
                    });
                });
                html.within("tbody", &[], |html| {
                    self.bindings.iter().take(MOST_ROWS).for_each(|row| self.binding(html, row, names_entries));
                });
            });
        });
        left_out(html, "rows", self.bindings.len(), MOST_ROWS);
    }

    fn binding(&self, html: &mut Html, row: &Row, names_entries: bool) {
        let dxil = row.dxil.filter(|&line| line < MOST_LINES).map(dxil_id);
        let linked = dxil.as_deref().map(|dxil| [("data-d", dxil)]);
        html.within("tr", linked.as_ref().map_or(&[], |linked| linked), |html| {
            let name = if row.name.is_empty() { "(no name)" } else { clipped(&row.name, MOST_BYTES).0 };
            html.element("th", &[("scope", "row")], name);
            let mut cell = |of: usize, columns: &str, text: &dyn Display| {
                html.element("td", &[("data-of", COLUMNS[of]), ("colspan", columns)], text);
            };
            cell(1, "1", &row.registers);
            cell(2, "1", &row.kind);
            match &row.place {
                ShownPlace::Descriptor(set, binding, ty) => {
                    cell(3, "1", set);
                    cell(4, "1", binding);
                    cell(5, "1", ty);
                }
                ShownPlace::Other(text) => cell(5, "3", text),
                ShownPlace::Unused if self.model.is_none() => cell(5, "3", &"no place"),
                ShownPlace::Unused => cell(5, "3", &"not used"),
            }
            if names_entries {
                let names = row.entries.iter().filter_map(|&id| Some(self.shader.entry(id)?.plain_name()));
                let mut names: Vec<&str> = names.take(MOST_ENTRIES).collect();
                if row.entries.len() > names.len() {
                    names.push("…");
                }
                cell(6, "1", &names.join(", "));
            }
        });
    }

    fn graphs(&self, html: &mut Html) {
        for graph in &self.graphs {
            html.within("figure", &[], |html| {
                html.element("figcaption", &[], clipped(&graph.name, MOST_BYTES).0);
                let region = [("class", "scroll"), ("role", "region"), ("aria-label", "Graph"), ("tabindex", "0")];
                html.within("div", &region, |html| graph.write(html));
            });
        }
        left_out(html, "functions", self.program.module.functions.len(), MOST_FUNCTIONS);
    }
}

fn section(html: &mut Html, id: &str, heading: &'static str, content: impl FnOnce(&mut Html)) {
    html.within("section", &[("id", id)], |html| {
        html.element("h2", &[], heading);
        content(html);
    });
}

/// Says what is not on the page.
fn left_out(html: &mut Html, what: &str, all: usize, most: usize) {
    if all > most {
        html.element("p", &[("class", "note")], format_args!("The page shows the first {most} of {all} {what}."));
    }
}

/// A pane: its lines, or why there are none.
fn pane(html: &mut Html, id: &str, title: &str, lines: &[Line], why: Option<&str>, shown: &BTreeSet<&str>) {
    html.within("section", &[("class", "pane"), ("id", id)], |html| {
        html.element("h3", &[], title);
        if let Some(why) = why {
            html.element("p", &[("class", "note")], why);
        }
        html.within("ol", &[("aria-label", title)], |html| {
            lines.iter().take(MOST_LINES).for_each(|line| self::line(html, line, shown));
        });
        left_out(html, "lines", lines.len(), MOST_LINES);
    });
}

fn line(html: &mut Html, line: &Line, shown: &BTreeSet<&str>) {
    let dxil = line.dxil.iter().filter(|_| line.id.is_none()).filter(|&&dxil| dxil < MOST_LINES);
    let dxil: Vec<String> = dxil.map(|&dxil| dxil_id(dxil)).collect();
    let source = line.source.iter().map(|&place| source_id(place)).filter(|id| shown.contains(&**id));
    let source: Vec<String> = source.collect();
    let linked = [
        ("id", line.id.clone().unwrap_or_default()),
        ("class", if line.heading { "head".to_owned() } else { String::new() }),
        ("data-b", line.block.map_or_else(String::new, block_key)),
        ("data-d", dxil.join(" ")),
        ("data-s", source.join(" ")),
    ];
    let attributes: Vec<(&'static str, &str)> =
        linked.iter().filter(|(_, value)| !value.is_empty()).map(|(name, value)| (*name, &**value)).collect();
    let (text, more) = clipped(&line.text, MOST_BYTES);
    html.within("li", &attributes, |html| {
        html.text(text);
        if more != 0 {
            html.text(format_args!("… and {more} bytes more"));
        }
    });
    html.raw("\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_panes_and_lines_are_cut() {
        let mut lines: Vec<Line> = (0..=MOST_LINES).map(|n| Line::new(n.to_string())).collect();
        lines[7].text = "x".repeat(MOST_BYTES + 5);
        // It links what is not on the page.
        (lines[8].dxil, lines[8].source) = (vec![MOST_LINES, 3], vec![(0, 1)]);
        let mut html = Html::default();
        pane(&mut html, "spirv", "SPIR-V", &lines, None, &BTreeSet::new());
        let text = html.finish();
        assert_eq!(text.matches("<li").count(), MOST_LINES);
        assert!(text.contains("The page shows the first 10000 of 10001 lines."));
        assert!(text.contains("x… and 5 bytes more</li>"));
        assert!(text.contains("<li data-d=\"d3\">8</li>"));
    }
}
