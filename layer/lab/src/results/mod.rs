//! What `run` and `exec` found: a file of results for each driver, with a line for each pipeline.
//!
//! In: rows. Out: a file that only grows, and its rows again. What must hold: the first line has
//! all that the rows depend on; a truncated file is read up to its last whole line.
//!
//! | file | subject |
//! |---|---|
//! | `header` | the first line: all that the rows depend on |
//! | `row` | the other lines, and their counts |
//! | `execution` | what a pipeline wrote when it ran |
//! | `file` | the file of lines |

mod execution;
mod file;
mod header;
mod row;

pub use execution::{Element, Execution, Inputs, Output, output_path, outputs};
pub use file::{ReadResults, Results, ResultsError};
pub use header::{Build, Header, How};
pub use row::{Outcome, Row, Statistic, Summary, rule_of};
