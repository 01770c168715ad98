//! Histograms of times and sizes.
//!
//! In: numbers of several drivers. Out: an inline SVG for each driver, with the same axes for all, and the
//! same numbers in words. What must hold: a bar for each power of two; every number is in one bar.

use std::fmt::Display;

use super::read::Set;
use crate::results::Row;
use dxil_base::html::Html;

/// A quantity of rows.
pub struct Quantity {
    /// Its name.
    pub name: &'static str,
    /// What one row has; `None` where there is nothing.
    pub of: fn(&Row) -> Option<u64>,
    /// The number with its unit.
    pub shown: fn(u64) -> String,
}

/// The quantities of the page.
pub const QUANTITIES: [Quantity; 4] = [
    Quantity { name: "Driver's time", of: |row| some(row.driver_us), shown: time },
    Quantity { name: "Layer's time", of: |row| some(row.layer_us), shown: time },
    Quantity { name: "SPIR-V", of: |row| some(words(row)), shown: |words| format!("{words} words") },
    Quantity { name: "Memory", of: |row| some(row.memory_kib), shown: |kib| format!("{:.1} MiB", kib as f64 / 1024.0) },
];

fn some(number: u64) -> Option<u64> {
    Some(number).filter(|number| *number != 0)
}

/// The words of all modules.
pub fn words(row: &Row) -> u64 {
    row.modules.iter().map(|(_, words)| *words as u64).sum()
}

fn time(us: u64) -> String {
    match us {
        0..1000 => format!("{us} µs"),
        1000..1_000_000 => format!("{:.1} ms", us as f64 / 1e3),
        _ => format!("{:.1} s", us as f64 / 1e6),
    }
}

/// The figures of all quantities.
pub fn charts(html: &mut Html, sets: &[Set]) {
    for quantity in &QUANTITIES {
        let mut all: Vec<Vec<u64>> =
            sets.iter().map(|set| set.rows.values().filter_map(quantity.of).collect()).collect();
        all.iter_mut().for_each(|numbers| numbers.sort_unstable());
        let logs = || all.iter().flatten().map(|number| number.ilog2());
        let (Some(low), Some(high)) = (logs().min(), logs().max()) else { continue };
        let bars: Vec<Vec<usize>> = all.iter().map(|numbers| bars(numbers, low, high)).collect();
        let axes = Axes { low, most: bars.iter().flatten().copied().max().unwrap_or(1).max(1) };
        html.within("section", &[("class", "charts")], |html| {
            html.element("h3", &[], quantity.name);
            for ((set, numbers), bars) in sets.iter().zip(&all).zip(&bars) {
                figure(html, quantity, &set.name, numbers, bars, axes);
            }
        });
    }
}

/// How many numbers are of each power of two.
fn bars(numbers: &[u64], low: u32, high: u32) -> Vec<usize> {
    (low..=high).map(|log| numbers.iter().filter(|number| number.ilog2() == log).count()).collect()
}

/// The axes of a quantity, which all of its figures share.
#[derive(Clone, Copy)]
struct Axes {
    /// The power of two of the first bar.
    low: u32,
    /// The number of pipelines that a bar of the full height has.
    most: usize,
}

fn figure(html: &mut Html, quantity: &Quantity, name: &str, numbers: &[u64], bars: &[usize], axes: Axes) {
    const HEIGHT: usize = 60;
    const BAR: usize = 16;
    let at = |part: usize| numbers.get(numbers.len().saturating_sub(1) * part / 100).copied().unwrap_or(0);
    let shown = quantity.shown;
    let words = match numbers {
        [] => "no number".to_owned(),
        [least, .., greatest] => format!(
            "{} pipelines from {} to {}; half up to {}, 9 of 10 up to {}",
            numbers.len(),
            shown(*least),
            shown(*greatest),
            shown(at(50)),
            shown(at(90))
        ),
        [only] => format!("1 pipeline: {}", shown(*only)),
    };
    html.within("figure", &[], |html| {
        html.element("figcaption", &[], name);
        let view = format!("0 0 {} {HEIGHT}", bars.len() * BAR);
        let label = format!("{}, {name}: {words}", quantity.name);
        let width = (bars.len() * BAR).to_string();
        let size: &[(&'static str, &str)] =
            &[("viewBox", &view), ("width", &width), ("height", "60"), ("role", "img"), ("aria-label", &label)];
        html.within("svg", size, |html| {
            for (index, count) in bars.iter().enumerate() {
                // A bar of one pipeline among thousands is still seen.
                let height = if *count == 0 { 0 } else { (count * (HEIGHT - 2) / axes.most).max(2) };
                let number = |it: &dyn Display| it.to_string();
                let (x, y) = (number(&(index * BAR + 1)), number(&(HEIGHT - height)));
                let (width, height) = (number(&(BAR - 2)), number(&height));
                let place: &[(&'static str, &str)] = &[("x", &x), ("y", &y), ("width", &width), ("height", &height)];
                html.within("rect", place, |html| {
                    let from = 1_u64 << (axes.low as usize + index).min(63);
                    let to = from.saturating_mul(2);
                    html.element("title", &[], format_args!("{} to {}: {count}", shown(from), shown(to)));
                });
            }
        });
        html.element("p", &[], words);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_in_one_bar() {
        let numbers = [1, 2, 3, 4, 7, 8, u64::MAX];
        assert_eq!(bars(&numbers, 0, 63).iter().sum::<usize>(), numbers.len());
        assert_eq!(bars(&numbers, 0, 3), [1, 2, 2, 1]);
    }

    #[test]
    fn times_have_the_unit_that_fits() {
        assert_eq!([999, 1500, 2_500_000].map(time), ["999 µs", "1.5 ms", "2.5 s"]);
    }
}
