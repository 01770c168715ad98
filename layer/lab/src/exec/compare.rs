//! The results of two drivers side by side.
//!
//! In: the rows of both, and what their pipelines wrote. Out: a verdict for each pipeline, and the
//! first element that differs. What must hold: what is called equal or close is so in every
//! element.

use std::collections::BTreeMap;
use std::path::Path;

use dxil_capture::Digest;
use serde::{Deserialize, Serialize};

use super::fill::single;
use crate::files::{At as _, FileError};
use crate::named::named;
use crate::results::{Element, Execution, Outcome, Output, Row, output_path};

named! {
    /// How the results of two drivers compare.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Verdict {
        /// Every byte is the same.
        Equal => "equal",
        /// Neither driver wrote anything, which proves nothing.
        NothingWritten => "nothing written",
        /// Numbers differ, and no number by more than the tolerance.
        Close => "close",
        /// A number differs by more than the tolerance, or an integer at all.
        Differs => "different",
        /// Two runs on one of the drivers differ in a round, so the result is no driver's fault.
        Unstable => "unstable",
        /// The drivers got different resources, because they need different formats.
        OtherInputs => "run with other inputs",
        /// One of the drivers ran it and the other did not.
        OneSided => "run by one driver only",
        /// Neither driver ran it.
        NotExecuted => "not run",
    }
}

/// The largest differences that are called close.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tolerance {
    /// Of floating-point numbers of 32 bits: the part of the larger one. A number that is smaller
    /// than
    /// [`SMALL`] counts as that, or as 1 where the pipeline has operations with an absolute error.
    pub float: f64,
}

/// One of so many pixels of a target may be at an edge that two devices have on different sides of
/// its center.
const EDGES: usize = 20;

/// Smaller numbers count as this.
const SMALL: f64 = 1.0 / 64.0;

impl Default for Tolerance {
    fn default() -> Self {
        // A few operations of the least precision that Vulkan allows: sine and cosine have an error
        // of 2^-11 (Vulkan, "Precision of GLSL.std.450 Instructions").
        Self { float: 1.0 / 1024.0 }
    }
}

/// A resource whose content differs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Difference {
    /// The resource.
    pub output: String,
    /// The round after which it differs.
    #[serde(default)]
    pub round: u32,
    /// The first element that differs by more than the tolerance; of a close result, the first that
    /// differs.
    pub element: usize,
    /// Its value on the reference and on the driver.
    pub values: [String; 2],
    /// The elements that differ by more than the tolerance.
    pub beyond: usize,
    /// Those of them that are infinite or no number on one of the drivers.
    pub not_finite: usize,
    /// The elements that differ.
    pub different: usize,
    /// All elements.
    pub elements: usize,
    /// Edges of triangles go through the resource, and no more elements differ than are there.
    #[serde(default, skip_serializing_if = "is_false")]
    pub at_edges: bool,
}

fn is_false(it: &bool) -> bool {
    !it
}

impl Difference {
    /// Whether the results differ by this, so that they are not close.
    pub fn is_beyond(&self) -> bool {
        self.beyond != 0 && !self.at_edges
    }
}

/// A pipeline on two drivers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Comparison {
    /// The pipeline.
    pub pipeline: Digest,
    /// How the results compare.
    pub verdict: Verdict,
    /// Why there is nothing to compare, or nothing.
    pub detail: String,
    /// What differs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Difference>,
    /// What the results may depend on besides the inputs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends: Vec<String>,
}

/// The results of one driver: its rows, and the folder of what its pipelines wrote.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// The driver's name.
    pub driver: &'a str,
    /// The rows.
    pub rows: &'a BTreeMap<Digest, Row>,
    /// The folder.
    pub outputs: &'a Path,
}

/// Compares all pipelines of the reference.
///
/// # Errors
/// A result that is not in its folder.
pub fn compare(reference: Side<'_>, driver: Side<'_>, tolerance: Tolerance) -> Result<Vec<Comparison>, FileError> {
    let mut all = Vec::new();
    for (pipeline, row) in reference.rows {
        let Some(other) = driver.rows.get(pipeline) else { continue };
        let mut comparison = Comparison {
            pipeline: *pipeline,
            verdict: Verdict::NotExecuted,
            detail: String::new(),
            differences: Vec::new(),
            depends: Vec::new(),
        };
        match (&row.execution, &other.execution) {
            (Some(first), Some(second)) => {
                judge([(reference, first), (driver, second)], tolerance, &mut comparison)?;
            }
            (None, None) => comparison.detail = reason(row),
            (first, _) => {
                let (side, row) = if first.is_some() { (driver, other) } else { (reference, row) };
                comparison.verdict = Verdict::OneSided;
                comparison.detail = format!("{}: {}", side.driver, reason(row));
            }
        }
        all.push(comparison);
    }
    Ok(all)
}

fn reason(row: &Row) -> String {
    match row.outcome {
        Outcome::NotExecuted => row.detail.clone(),
        outcome => format!("{}: {}", outcome.name(), row.detail),
    }
}

fn judge(
    sides: [(Side<'_>, &Execution); 2],
    tolerance: Tolerance,
    comparison: &mut Comparison,
) -> Result<(), FileError> {
    let [(_, first), (_, second)] = sides;
    comparison.depends.clone_from(&first.depends);
    comparison.depends.extend(second.depends.iter().filter(|it| !first.depends.contains(it)).cloned());
    if first.rounds == second.rounds && first.inputs != second.inputs {
        comparison.verdict = Verdict::OtherInputs;
        comparison.detail = "the two drivers do not take resources of the same formats".to_owned();
        return Ok(());
    }
    let unstable = sides.iter().find(|(_, execution)| !execution.is_stable);
    if second.rounds.count < first.rounds.count {
        comparison.verdict = Verdict::OneSided;
        let (ran, all) = (second.rounds.count, first.rounds.count);
        comparison.detail = format!("{}: only {ran} of {all} rounds ended", sides[1].0.driver);
        return Ok(());
    }
    // Their error is absolute: 2^-11 of 1 (Vulkan, "Precision of GLSL.std.450 Instructions").
    let is_absolute = |it: &String| it.ends_with(" Sin") || it.ends_with(" Cos");
    let small = if comparison.depends.iter().any(is_absolute) { 1.0 } else { SMALL };
    let pairs =
        || first.outputs.iter().zip(&second.outputs).enumerate().filter(|(_, (a, b))| a.is_stable && b.is_stable);
    for (index, (a, b)) in pairs() {
        // What neither changed is as it was, in the format that each device has for it.
        if a.digest == b.digest || !a.is_changed && !b.is_changed {
            continue;
        }
        let mut values = Vec::new();
        for ((side, _), output) in sides.iter().zip([a, b]) {
            let path = output_path(side.outputs, comparison.pipeline, index);
            let bytes = if output.is_changed { Some(std::fs::read(&path).at(&path)?) } else { None };
            values.push(bytes);
        }
        comparison.differences.push(match &values[..] {
            [Some(first), Some(second)] => {
                difference(a, [(first, a.components), (second, b.components)], (tolerance, small))
            }
            _ => {
                let said = |is_changed: bool| if is_changed { "written" } else { "as before" }.to_owned();
                let elements = a.bytes / a.element.bytes();
                Difference {
                    output: a.name.clone(),
                    round: a.round,
                    element: 0,
                    values: [said(a.is_changed), said(b.is_changed)],
                    beyond: elements,
                    not_finite: 0,
                    different: elements,
                    elements,
                    at_edges: false,
                }
            }
        });
        // Devices have triangles on grids of different precision (subPixelPrecisionBits), so pixels
        // at edges differ.
        if let Some(it) = comparison.differences.last_mut() {
            it.at_edges = a.has_edges && it.beyond * EDGES <= it.elements;
        }
    }
    let is_beyond = comparison.differences.iter().any(Difference::is_beyond);
    if comparison.differences.iter().any(|it| it.not_finite != 0) {
        // Shaders need not keep infinities and numbers that are none (Vulkan,
        // SignedZeroInfNanPreserve).
        comparison.depends.push("infinities and NaN".to_owned());
    }
    if let Some((side, _)) = unstable {
        comparison.detail = format!("two runs on {} differ", side.driver);
        if first.is_stable {
            comparison.detail += &format!(", and none on {}", sides[0].0.driver);
        }
    }
    let is_written = pairs().any(|(_, (a, b))| a.is_changed || b.is_changed);
    comparison.verdict = match comparison.differences.is_empty() {
        // What the order of threads decides in one round, it may decide in a round whose runs are
        // equal by chance.
        _ if unstable.is_some() => Verdict::Unstable,
        _ if is_beyond => Verdict::Differs,
        _ if !is_written => Verdict::NothingWritten,
        true => Verdict::Equal,
        false => Verdict::Close,
    };
    Ok(())
}

/// Two contents with so many components in a texel, component by component as far as both have
/// them.
fn difference(output: &Output, [first, second]: [(&[u8], usize); 2], by: (Tolerance, f64)) -> Difference {
    let element = output.element;
    let common = first.1.min(second.1);
    let (first, second) = (numbers(element, first, common), numbers(element, second, common));
    let mut found = Difference {
        output: output.name.clone(),
        round: output.round,
        element: 0,
        values: Default::default(),
        beyond: 0,
        not_finite: 0,
        different: 0,
        elements: first.len(),
        at_edges: false,
    };
    for (index, (a, b)) in first.into_iter().zip(second).enumerate() {
        if a == b {
            continue;
        }
        let is_beyond = !is_close(element, a, b, by);
        if found.different == 0 || is_beyond && found.beyond == 0 {
            found.element = index;
            found.values = [shown(element, a), shown(element, b)];
        }
        found.different += 1;
        found.beyond += usize::from(is_beyond);
        found.not_finite += usize::from(is_beyond && !(is_finite(element, a) && is_finite(element, b)));
    }
    found
}

/// The elements that two contents differ in, from one on, with their values on both sides.
pub fn differing(outputs: [&Output; 2], contents: [&[u8]; 2], from: usize, most: usize) -> Vec<(usize, [String; 2])> {
    let [first, second] = outputs;
    let (element, common) = (first.element, first.components.min(second.components));
    let all = numbers(element, (contents[0], first.components), common).into_iter();
    let all = all.zip(numbers(element, (contents[1], second.components), common)).enumerate();
    let differ = all.skip(from).filter(|(_, (a, b))| a != b);
    differ.take(most).map(|(index, (a, b))| (index, [shown(element, a), shown(element, b)])).collect()
}

/// The first components of all texels of a content with so many of them.
fn numbers(element: Element, (bytes, components): (&[u8], usize), common: usize) -> Vec<u32> {
    let texels = bytes.chunks_exact(element.bytes() * components.max(1));
    texels.flat_map(|texel| texel.chunks_exact(element.bytes()).take(common).map(number)).collect()
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

fn is_finite(element: Element, value: u32) -> bool {
    match element {
        Element::Float => f32::from_bits(value).is_finite(),
        Element::Half => single(value as u16).is_finite(),
        _ => true,
    }
}

fn is_close(element: Element, a: u32, b: u32, (tolerance, small): (Tolerance, f64)) -> bool {
    let by = (tolerance, small);
    match element {
        Element::Float => is_near(f32::from_bits(a).into(), f32::from_bits(b).into(), tolerance.float, small),
        // 16 bits have 11 bits of precision, 32 bits 24.
        Element::Half => is_near(single(a as u16).into(), single(b as u16).into(), tolerance.float * 8.0, small),
        // One step, by the rule of rounding that an implementation may choose.
        Element::Unorm => a.abs_diff(b) <= 1,
        Element::Snorm => (a as u8).cast_signed().abs_diff((b as u8).cast_signed()) <= 1,
        Element::Integer => false,
        // Words may be floating-point numbers, or two of 16 bits. Small integers would be denormal
        // numbers, so they are never taken for such.
        Element::Words => {
            let is_float = |word: u32| f32::from_bits(word).is_normal() || word & 0x7fff_ffff == 0;
            let is_half = |half: u16| half & 0x7fff == 0 || (0x0400..0x7c00).contains(&(half & 0x7fff));
            let halves = [(a as u16, b as u16), ((a >> 16) as u16, (b >> 16) as u16)];
            let are_halves = halves
                .iter()
                .all(|(a, b)| is_half(*a) && is_half(*b) && is_close(Element::Half, (*a).into(), (*b).into(), by));
            let are_floats = is_float(a) && is_float(b) && is_close(Element::Float, a, b, by);
            are_floats || are_halves
        }
    }
}

/// Whether two numbers differ by no more than a part of the larger one, or of `small`.
/// Two that are no numbers are equal: Vulkan does not say which bits such have.
fn is_near(a: f64, b: f64, part: f64, small: f64) -> bool {
    if a.is_nan() || b.is_nan() {
        return a.is_nan() && b.is_nan();
    }
    a == b || (a - b).abs() <= part * a.abs().max(b.abs()).max(small)
}

fn shown(element: Element, value: u32) -> String {
    match element {
        Element::Float => format!("{:?}", f32::from_bits(value)),
        Element::Half => format!("{:?}", single(value as u16)),
        Element::Unorm => value.to_string(),
        Element::Snorm => (value as u8).cast_signed().to_string(),
        Element::Integer => value.to_string(),
        Element::Words => format!("{value:#010x}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(element: Element, a: &[u32], b: &[u32]) -> (usize, usize, usize) {
        let bytes = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|word| word.to_le_bytes()).collect() };
        let bytes = [bytes(a), bytes(b)];
        let (digest, name) = (Digest([0; 32]), "it".to_owned());
        let output = Output {
            name,
            element,
            components: 1,
            bytes: bytes[0].len(),
            digest,
            is_changed: true,
            round: 0,
            is_stable: true,
            has_edges: false,
        };
        let found = difference(&output, [(&bytes[0], 1), (&bytes[1], 1)], (Tolerance::default(), SMALL));
        (found.element, found.beyond, found.different)
    }

    #[test]
    fn numbers_are_close_by_their_type() {
        let (one, near, far) = (1.0_f32.to_bits(), 1.0005_f32.to_bits(), 1.01_f32.to_bits());
        assert_eq!(of(Element::Float, &[one, one], &[one, near]), (1, 0, 1));
        assert_eq!(of(Element::Float, &[one, one, one], &[near, far, far]), (1, 2, 3));
        assert_eq!(of(Element::Integer, &[one], &[near]), (0, 1, 1));
        assert_eq!(of(Element::Words, &[one, 5, 0], &[near, 6, 1]), (1, 2, 3));
        assert_eq!(of(Element::Float, &[0x7fc0_0000, one], &[0xffc0_0001, 0x7fc0_0000]), (1, 1, 2));
        assert_eq!(of(Element::Unorm, &[0x0501_ff00], &[0x0701_fe00]), (3, 1, 2));
        assert_eq!(of(Element::Snorm, &[0x0000_00ff], &[0x0000_0000]), (0, 0, 1));
    }
}
