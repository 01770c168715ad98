//! The command that reduces a fault.
//!
//! In: a row with a fault, or a difference. Out: a command line. What must hold: the command makes
//! the pipeline as the results were made: with the same driver, device, limits, layers and inputs.

use dxil_capture::Digest;

use super::read::{ComparedPair, Found, Set};
use crate::results::{Outcome, Row};
use crate::shell;

/// The command for a row; `None` if `reduce` would find no fault, which it looks for where
/// pipelines are made.
pub fn of_row(found: &Found, set: &Set, row: &Row) -> Option<String> {
    let is_run = set.header.inputs.is_none();
    let is_of_creation = row.call.as_ref().is_some_and(|call| call.starts_with("vkCreate"));
    let has_fault = match row.outcome {
        Outcome::Rejected | Outcome::Corrupt => true,
        outcome if outcome.is_fault() => is_run || is_of_creation,
        _ => is_run && !row.validation.is_empty(),
    };
    has_fault.then(|| line(found, set, row.pipeline, Vec::new()))
}

/// The command for a difference; `None` where the results of a driver are not among those of the
/// page.
pub fn of_difference(found: &Found, pair: &ComparedPair, pipeline: Digest) -> Option<String> {
    let [tried, reference] = [0, 1].map(|index| {
        let (name, folder) = (&pair.drivers[index], &pair.outputs[index]);
        found.sets.iter().find(|set| &set.header.driver == name && &set.outputs == folder)
    });
    let (tried, reference) = (tried?, reference?);
    let mut more = vec!["--against".to_owned(), reference.begun.driver.clone()];
    let device = reference.begun.device.iter().flat_map(|device| ["--against-device".to_owned(), device.clone()]);
    more.extend(device);
    if let Some(inputs) = tried.header.inputs {
        more.extend(["--seed".to_owned(), inputs.seed.to_string()]);
        let (option, number) = match inputs.rounds.first {
            0 => ("--rounds", inputs.rounds.count),
            first => ("--round", first),
        };
        more.extend([option.to_owned(), number.to_string()]);
        if inputs.edges {
            more.extend(["--bounds", "edge"].map(str::to_owned));
        }
    }
    Some(line(found, tried, pipeline, more))
}

fn line(found: &Found, set: &Set, pipeline: Digest, more: Vec<String>) -> String {
    let (capture, short) = (found.capture.dir(), pipeline.short());
    let out = capture.join("bundles").join(format!("{short}-{}", set.header.driver));
    let [capture, out] = [capture, &out].map(|path| path.display().to_string());
    let mut arguments =
        ["dxil-lab", "reduce", &capture, &short, "--driver", &set.begun.driver].map(str::to_owned).to_vec();
    arguments.extend(set.begun.device.iter().flat_map(|device| ["--device".to_owned(), device.clone()]));
    arguments.extend(more);
    let how = &set.header.how;
    arguments.extend(["--timeout".to_owned(), how.timeout.to_string(), "--memory".to_owned(), how.memory.to_string()]);
    arguments.extend(how.layers.iter().flat_map(|layer| ["--layer".to_owned(), layer.clone()]));
    arguments.extend(how.injected.iter().flat_map(|fault| ["--inject".to_owned(), fault.clone()]));
    if !set.header.validation {
        arguments.push("--no-validation".to_owned());
    }
    arguments.extend(["--out".to_owned(), out]);
    shell::line(arguments)
}
