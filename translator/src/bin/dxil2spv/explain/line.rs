//! A line of a pane, and what links it to lines of other panes.

use dxil_base::entity::Entity as _;
use dxil_translator::ir::{Block, Func};

/// The most lines of a pane.
pub const MOST_LINES: usize = 10_000;

/// The most bytes of a line.
pub const MOST_BYTES: usize = 400;

/// A line of the source: the number of its file, and its number in the file, counted from one.
pub type SourceLine = (usize, u32);

/// A line of a pane.
#[derive(Default)]
pub struct Line {
    /// The text.
    pub text: String,
    /// The id of the line on the page, for lines that others refer to.
    pub id: Option<String>,
    /// The block that it belongs to.
    pub block: Option<(Func, Block)>,
    /// The lines of DXIL that it belongs to, counted from zero.
    pub dxil: Vec<usize>,
    /// The lines of the source that it was made for: its own, then those of the calls that brought
    /// it there.
    pub source: Vec<SourceLine>,
    /// Whether it is a heading, as the name of a file.
    pub heading: bool,
}

impl Line {
    /// A line without links.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }
}

/// How the page names a block.
pub fn block_key((func, block): (Func, Block)) -> String {
    format!("{}.{}", func.index(), block.index())
}

/// The id of a line of the source.
pub fn source_id((file, line): SourceLine) -> String {
    format!("s{file}.{line}")
}

/// The id of a line of DXIL.
pub fn dxil_id(line: usize) -> String {
    format!("d{line}")
}
