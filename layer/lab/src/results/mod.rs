//! What `run` and `exec` found: a file of results for each driver, with a line for each pipeline.
//!
//! In: rows. Out: a file that only grows, and its rows again. What must hold: the first line has
//! all that the rows depend on; a truncated file is read up to its last whole line.
//!
//! | file | subject |
//! |---|---|
//! | `header` | the first line: all that the rows depend on |
//! | `begun` | which command began the file, and when, beside it |
//! | `row` | the other lines, and their counts |
//! | `csv` | rows as comma-separated values |
//! | `difference` | the numbers of two builds side by side |
//! | `merge` | the results of several machines as those of one |
//! | `execution` | what a pipeline wrote when it ran |
//! | `file` | the file of lines |

mod begun;
mod csv;
mod difference;
mod execution;
mod file;
mod header;
mod merge;
mod row;

pub use begun::{Begun, now};
pub use csv::table;
pub use difference::{Changed, difference, time_difference};
pub use execution::{COVERAGE, Coverage, Element, Execution, Inputs, Output, Rounds, output_path, outputs};
pub use file::{ReadResults, Results, ResultsError};
pub use header::{Build, FirstLine, Header, How};
pub use merge::merge;
pub use row::{Outcome, Row, Statistic, Summary, rule_of};
