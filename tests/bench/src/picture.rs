//! A picture of the time of each shader against the size of its DXIL, on logarithmic scales.

use std::fmt::Write;

/// A shader: its size in bytes, its time in seconds, and its name if it is one of the slowest.
pub struct Point<'a> {
    pub size: usize,
    pub seconds: f64,
    pub name: Option<&'a str>,
}

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 600.0;
/// The space around the plot.
const MARGIN: f64 = 60.0;

/// The logarithms between which an axis lies: powers of ten.
fn range(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let least = values.clone().fold(f64::INFINITY, f64::min).log10().floor();
    (least, values.fold(0.0, f64::max).log10().ceil().max(least + 1.0))
}

/// The picture as SVG. The lines are the median of the times per size, and ten times that.
pub fn svg(points: &[Point<'_>], median: f64) -> String {
    let (left, right) = range(points.iter().map(|point| point.size as f64));
    let (low, high) = range(points.iter().map(|point| point.seconds));
    let x = |size: f64| MARGIN + (size.log10() - left) / (right - left) * (WIDTH - 2.0 * MARGIN);
    let y = |seconds: f64| HEIGHT - MARGIN - (seconds.log10() - low) / (high - low) * (HEIGHT - 2.0 * MARGIN);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let mut line = |text: std::fmt::Arguments<'_>| {
        // Writing to a string does not fail.
        let _ = writeln!(out, "{text}");
    };
    for power in left as i32..=right as i32 {
        let (at, bottom) = (x(10f64.powi(power)), HEIGHT - MARGIN);
        line(format_args!("<path d=\"M{at:.1} {MARGIN}V{bottom}\" stroke=\"#ddd\"/>"));
        line(format_args!("<text x=\"{at:.1}\" y=\"{}\">{} KB</text>", bottom + 16.0, 10f64.powi(power - 3)));
    }
    for power in low as i32..=high as i32 {
        let (at, end) = (y(10f64.powi(power)), WIDTH - MARGIN);
        line(format_args!("<path d=\"M{MARGIN} {at:.1}H{end}\" stroke=\"#ddd\"/>"));
        line(format_args!("<text x=\"4\" y=\"{at:.1}\">{} ms</text>", 10f64.powi(power + 3)));
    }
    for (times, color) in [(1.0, "green"), (10.0, "red")] {
        let at = |size: f64| (x(size), y(times * median * size));
        let ((x1, y1), (x2, y2)) = (at(10f64.powf(left)), at(10f64.powf(right)));
        line(format_args!("<path d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\" stroke=\"{color}\"/>"));
    }
    for point in points {
        let (x, y) = (x(point.size as f64), y(point.seconds));
        let color = if point.name.is_some() { "red" } else { "steelblue" };
        line(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{color}\"/>"));
        if let Some(name) = point.name {
            let name = name.replace('&', "&amp;").replace('<', "&lt;");
            line(format_args!("<text x=\"{:.1}\" y=\"{y:.1}\">{name}</text>", x + 5.0));
        }
    }
    out + "</svg>\n"
}
