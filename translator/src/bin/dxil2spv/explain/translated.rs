//! The plan and the words of the shader on the page.

use std::path::Path;

use dxil_translator::analysis::program::Program;
use dxil_translator::lower::{EntryWithPlan, lower_library};
use dxil_translator::{
    BindingOptions, Debug, DeviceProfile, EntryId, Model, Options, PipelinePlan, PlannedEntry, RegisterShifts, Shader,
    translate_library,
};

use super::dxil::Listing;
use crate::arguments::PlanningArguments;
use crate::failure::{Failure, code};
use crate::stages;

/// A translation as far as it went.
pub struct Translated {
    /// The options of the translation.
    pub options: Options,
    /// The plans of the entry points.
    pub planned: Option<PipelinePlan>,
    /// The binding model in words.
    pub model: Option<String>,
    /// The words.
    pub words: Option<Vec<u32>>,
    /// Why there are no words.
    pub failure: Option<Failure>,
}

/// The sets of the resource heap, the sampler heap and the counters that are assumed likewise. A
/// device with eight sets has space for the first two.
const HEAP_SETS: [u32; 3] = [2, 1, 8];

/// The shifts that are assumed where the resources of a shader do not fit without any.
const SHIFTS: RegisterShifts = RegisterShifts { b: 0, t: 1000, u: 2000, s: 3000, c: 4000 };

/// Plans and translates the entry points.
pub fn translate(
    file: &Path,
    shader: &Shader,
    entries: &[EntryId],
    profile: DeviceProfile,
    common: &PlanningArguments,
) -> Translated {
    let mut options = Options::new(profile);
    options.names = true;
    let mut translated = Translated { options, planned: None, model: None, words: None, failure: None };
    if let Err(failure) = fill(&mut translated, file, shader, entries, common) {
        translated.failure = Some(failure);
    }
    translated
}

fn fill(
    to: &mut Translated,
    file: &Path,
    shader: &Shader,
    entries: &[EntryId],
    common: &PlanningArguments,
) -> Result<(), Failure> {
    let (planned, binding) = planned(file, shader, entries, &to.options.profile, common)?;
    to.model = Some(match planned.model {
        Model::Register => format!("{} with the shifts {}", planned.model, binding.shifts),
        model => model.to_string(),
    });
    let chosen = entries.iter().zip(&planned.stages).map(|(&entry, plan)| PlannedEntry::new(entry, plan));
    let translation = match entries {
        [] => shader.find_entry(None).map(|_| Vec::new()),
        _ => translate_library(shader, &chosen.collect::<Vec<_>>(), &to.options).map(|done| done.words),
    };
    to.planned = Some(planned);
    to.words = Some(translation.map_err(|error| Failure::translator(file, &error))?);
    Ok(())
}

/// The plan. If the resources have no places without options, and the caller gave none, places are
/// assumed: register classes that are kept apart, and sets for the descriptor heaps.
fn planned(
    file: &Path,
    shader: &Shader,
    entries: &[EntryId],
    profile: &DeviceProfile,
    common: &PlanningArguments,
) -> Result<(PipelinePlan, BindingOptions), Failure> {
    let binding = common.binding();
    let planned = |binding| {
        let planned = stages::planned(file, shader, entries, profile, common, binding);
        planned.map(|planned| (planned, binding))
    };
    let has_places = common.map.is_some() || binding != BindingOptions::default();
    match planned(binding) {
        Err(failure) if failure.exit_code() == code::BINDING && !has_places => {
            let shifted = BindingOptions::new(Model::Auto, SHIFTS);
            let mut with_heaps = shifted;
            let sets = &mut with_heaps.heap_sets;
            [sets.resources, sets.samplers, sets.counters] = HEAP_SETS.map(Some);
            planned(shifted).or_else(|_| planned(with_heaps)).map_err(|_| failure)
        }
        planned => planned,
    }
}

/// The words of the program whose source is its listing.
pub fn numbered(
    program: &Program,
    listing: &Listing,
    entries: &[EntryId],
    planned: &PipelinePlan,
    options: &Options,
) -> Option<Vec<u32>> {
    let program = listing.as_source(program);
    let mut options = options.clone();
    options.debug = Debug::Lines;
    let chosen = entries.iter().zip(&planned.stages);
    let chosen = chosen.map(|(&entry, plan)| Some(EntryWithPlan { entry: program.entries.get(entry)?, plan }));
    let (words, _) = lower_library(&program, &chosen.collect::<Option<Vec<_>>>()?, &options).ok()?;
    Some(words)
}
