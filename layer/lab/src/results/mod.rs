//! What `run` and `exec` found: a file of results for each driver, with a line for each pipeline.
//!
//! In: rows. Out: a file that only grows, and its rows again. What must hold: the first line names the
//! driver and the device; a truncated file is read up to its last whole line.
//!
//! | file | subject |
//! |---|---|
//! | `row` | the lines, and their counts |
//! | `execution` | what a pipeline wrote when it ran |
//! | `file` | the file of lines |

mod execution;
mod file;
mod row;

pub use execution::{Element, Execution, Inputs, Output, output_path, outputs};
pub use file::{ReadResults, Results, ResultsError};
pub use row::{Header, Outcome, Row, Statistic, Summary};
