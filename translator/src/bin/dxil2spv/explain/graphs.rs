//! The control-flow graphs of functions, as SVG.

use std::collections::BTreeMap;

use dxil_base::entity::Entity as _;
use dxil_base::html::Html;
use dxil_translator::analysis::program::Program;
use dxil_translator::ir::{Block, Func, Function, Terminator};

use super::dxil::Listing;
use super::flow::{self, BLOCK, Picture, Point};
use super::line::{MOST_LINES, block_key, dxil_id};

/// The most functions that are drawn, and the most blocks of one.
pub const MOST_FUNCTIONS: usize = 32;
const MOST_BLOCKS: usize = 200;

/// The most bytes of an edge's label.
const MOST_LABEL: usize = 24;

/// The graph of a function.
pub struct Graph {
    /// The function's name.
    pub name: String,
    blocks: Vec<BlockText>,
    edges: Vec<(usize, usize)>,
    labels: Vec<String>,
    picture: Option<Picture>,
    count: usize,
}

/// What a block says.
struct BlockText {
    key: String,
    name: String,
    detail: String,
    /// Its first line in the listing of DXIL.
    dxil: Option<usize>,
}

/// The graphs of the functions that are drawn.
pub fn graphs(program: &Program, listing: &Listing) -> Vec<Graph> {
    let mut blocks: BTreeMap<(Func, Block), BlockText> = BTreeMap::new();
    for (number, line) in listing.lines.iter().enumerate() {
        let Some((func, block)) = line.block else { continue };
        blocks.entry((func, block)).or_insert_with(|| {
            let (key, name) = (block_key((func, block)), block.to_string());
            let detail = detail(listing, program, number, (func, block));
            BlockText { key, name, detail, dxil: Some(number).filter(|&number| number < MOST_LINES) }
        });
    }
    let functions = program.module.functions.iter().take(MOST_FUNCTIONS);
    let graph = |(func, function): (Func, &Function)| {
        let count = function.blocks.len();
        let name = function.name.to_string();
        let mut graph = Graph { name, blocks: Vec::new(), edges: Vec::new(), labels: Vec::new(), picture: None, count };
        if count <= MOST_BLOCKS {
            for (pair, label) in edges(function) {
                graph.edges.push(pair);
                graph.labels.push(label);
            }
            graph.picture = flow::picture(count, &graph.edges);
            let text = |block| blocks.remove(&(func, block));
            graph.blocks = function.blocks.keys().map_while(text).collect();
        }
        graph
    };
    functions.map(graph).collect()
}

/// The lines of the source that a block is of, or the number of its instructions.
fn detail(listing: &Listing, program: &Program, first: usize, (func, block): (Func, Block)) -> String {
    let lines = listing.lines.iter().skip(first).take_while(|line| line.block == Some((func, block)));
    // A block has instructions of several files where functions were inlined.
    let mut own = lines.filter_map(|line| line.source.first()).peekable();
    let file = own.peek().map(|(file, _)| *file);
    let numbers: Vec<u32> = own.filter(|(of, _)| Some(*of) == file).map(|(_, line)| *line).collect();
    match (numbers.iter().min(), numbers.iter().max()) {
        (Some(least), Some(most)) if least == most => format!("line {least}"),
        (Some(least), Some(most)) => format!("lines {least}–{most}"),
        _ => match program.module.functions[func].blocks[block].insts.len() {
            1 => "1 instruction".to_owned(),
            count => format!("{count} instructions"),
        },
    }
}

/// The edges of a function with the values that they are taken for. Several to one block are one.
fn edges(function: &Function) -> BTreeMap<(usize, usize), String> {
    let mut edges: BTreeMap<(usize, usize), String> = BTreeMap::new();
    for (from, block) in function.blocks.iter() {
        let mut add = |to: Block, label: &str| {
            let known = edges.entry((from.index(), to.index())).or_default();
            match label {
                "" => {}
                _ if known.len() > MOST_LABEL => {}
                _ if known.len() + label.len() > MOST_LABEL => known.push_str(", …"),
                _ if known.is_empty() => known.push_str(label),
                _ => *known += &format!(", {label}"),
            }
        };
        match &block.terminator {
            Terminator::Jump(to) => add(to.block, ""),
            Terminator::Branch { then, otherwise, .. } => {
                add(then.block, "true");
                add(otherwise.block, "false");
            }
            Terminator::Switch { default, cases, .. } => {
                cases.iter().for_each(|(value, to)| add(to.block, &value.to_string()));
                add(default.block, "default");
            }
            Terminator::Return(_) | Terminator::Unreachable => {}
        }
    }
    edges
}

impl Graph {
    /// Writes the picture, or why there is none.
    pub fn write(&self, html: &mut Html) {
        let Some(picture) = &self.picture else {
            let text = format!("The graph has {} blocks, which are too many for a picture.", self.count);
            return html.element("p", &[("class", "note")], text);
        };
        let (width, height) = (picture.size.0.to_string(), picture.size.1.to_string());
        let view = format!("0 0 {width} {height}");
        let label = format!("Control-flow graph of {}", self.name);
        // A picture that is hardly wider than a small screen shrinks to it.
        let class = if picture.size.0 < 600 { "small" } else { "large" };
        let attributes = [
            ("class", class),
            ("viewBox", &*view),
            ("width", &*width),
            ("height", &*height),
            ("role", "group"),
            ("aria-label", &*label),
        ];
        html.within("svg", &attributes, |html| {
            for (edge, label) in picture.edges.iter().zip(&self.labels) {
                self::edge(html, edge, label);
            }
            for (block, place) in self.blocks.iter().zip(&picture.blocks) {
                if let Some(place) = place {
                    self::block(html, block, *place);
                }
            }
        });
    }
}

fn block(html: &mut Html, block: &BlockText, (x, y): Point) {
    let within = |html: &mut Html| {
        let (left, top) = ((x - BLOCK.0 / 2).to_string(), (y - BLOCK.1 / 2).to_string());
        let (width, height) = (BLOCK.0.to_string(), BLOCK.1.to_string());
        html.void("rect", &[("x", &left), ("y", &top), ("width", &width), ("height", &height), ("rx", "5")]);
        let x = x.to_string();
        html.element("text", &[("x", &x), ("y", &(y - 3).to_string()), ("class", "name")], &block.name);
        html.element("text", &[("x", &x), ("y", &(y + 13).to_string())], &block.detail);
    };
    // A block whose lines are not on the page leads nowhere.
    match block.dxil {
        Some(line) => {
            html.within("a", &[("href", &format!("#{}", dxil_id(line))), ("data-b", &block.key)], within);
        }
        None => html.within("g", &[], within),
    }
}

fn edge(html: &mut Html, edge: &flow::Drawn, label: &str) {
    let [(x, y), rest @ ..] = &edge.points[..] else { return };
    let Some(&(end_x, end_y)) = rest.last() else { return };
    let mut path = format!("M{x} {y}");
    let mut last = (*x, *y);
    for &(x, y) in rest {
        path += &match edge.back {
            true => format!("L{x} {y}"),
            false => {
                let middle = (last.1 + y) / 2;
                format!("C{} {middle} {x} {middle} {x} {y}", last.0)
            }
        };
        last = (x, y);
    }
    // The tip points down, or to the left at the end of an edge back.
    let tip = match edge.back {
        true => format!("M{end_x} {end_y}l8 -4v8z"),
        false => format!("M{end_x} {end_y}l-4 -8h8z"),
    };
    html.void("path", &[("d", &path), ("class", if edge.back { "edge back" } else { "edge" })]);
    html.void("path", &[("d", &tip), ("class", "tip")]);
    if !label.is_empty() {
        let (label_x, label_y, anchor) = match (edge.back, edge.label_left) {
            (true, _) => (x + 4, y - 3, "start"),
            (false, true) => (x - 4, y + 12, "end"),
            (false, false) => (x + 4, y + 12, "start"),
        };
        let (label_x, label_y) = (label_x.to_string(), label_y.to_string());
        let at = [("x", &*label_x), ("y", &*label_y), ("class", "label"), ("text-anchor", anchor)];
        html.element("text", &at, label);
    }
}
