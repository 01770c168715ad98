//! Lines of the source, as the builder keeps them ([`source`](super::source)).

use super::words::{Id, Section};

/// A place in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// That of OpLine: the OpString of a file, a line and a column.
    Plain {
        /// The OpString with the file's name.
        file: Id,
        /// The line, counted from one.
        line: u32,
        /// The column, counted from one; zero for none.
        column: u32,
    },
    /// That of DebugScope and DebugLine.
    Scoped {
        /// The DebugFunction or DebugLexicalBlock.
        scope: Id,
        /// The DebugInlinedAt of the call that was inlined.
        inlined: Option<Id>,
        /// The DebugSource, and the constants of the line and the column.
        line: [Id; 3],
    },
}

/// What is written of lines.
#[derive(Default)]
pub(super) struct Lines {
    /// The place of the instructions that follow.
    pub wanted: Option<Line>,
    /// The last place that was written into the open block.
    pub written: Option<Line>,
    /// The instruction set, once it is imported.
    pub set: Option<Id>,
    /// OpString.
    pub strings: Section,
    /// OpSource.
    pub sources: Section,
}
