//! The progress of long work.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar with count, rate and remaining time; nothing is shown where it is not wanted.
pub fn bar(name: &str, length: usize, shown: bool) -> ProgressBar {
    let bar = if shown { ProgressBar::new(length as u64) } else { ProgressBar::hidden() };
    let style = ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len}, {per_sec}, {eta} left");
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar.set_prefix(name.to_owned());
    bar
}
