//! What the register model says where resources of different classes have one binding.
//!
//! HLSL counts the registers of each class from zero, so nearly every shader without a root
//! signature has such resources until the caller gives shifts.
//!
//! In: the pairs of resources that `resolve` found at one binding. Out: one error, with a line for
//! each of them and the shifts that keep the classes apart. What must hold: with these shifts no
//! two classes of these stages have one binding.

use std::fmt::Write as _;
use std::sync::Arc;

use foldhash::HashMap;

use super::inputs::StageResources;
use super::mismatch::{Clash, LISTED, Mismatches};
use super::options::RegisterShifts;
use dxil_base::error::{Error, Place};

/// The error for a pipeline, if clashes are all that is wrong with it.
pub(super) fn refusal(
    stages: &[StageResources<'_>],
    mismatches: &Mismatches,
    shifts: &RegisterShifts,
) -> Option<Error> {
    let clashes = mismatches.clashes()?;
    let mut place = Place::Input;
    // A resource that several stages have is one line with these stages.
    let mut lines: Vec<(Arc<str>, Vec<&'static str>)> = Vec::new();
    let mut known = HashMap::default();
    // Stages of one module have the same resources, which are text once, and most clashes are with
    // one resource.
    let mut seen = HashMap::default();
    for &Clash { set, binding, holders } in clashes {
        for holder in holders {
            let Some(stage) = stages.get(holder.stage) else { continue };
            let Some(resource) = stage.resources.get(holder.id) else { continue };
            if lines.is_empty() {
                place = resource.place();
            }
            let key = (std::ptr::from_ref(resource), set, binding, holder.counter);
            let index = *seen.entry(key).or_insert_with(|| {
                let counter = if holder.counter { "the counter of " } else { "" };
                let line: Arc<str> = format!("set {set} binding {binding}: {counter}{resource}").into();
                *known.entry(Arc::clone(&line)).or_insert_with(|| {
                    lines.push((line, Vec::new()));
                    lines.len() - 1
                })
            });
            let name = stage.stage.name();
            if let Some((_, names)) = lines.get_mut(index)
                && !names.contains(&name)
            {
                names.push(name);
            }
        }
    }
    let mut text = format!(
        "several resources have one binding, because a binding is a register plus the shift of its class, and the shifts are \
         {shifts}:"
    );
    for (line, names) in lines.iter().take(LISTED) {
        // Writing to a string does not fail.
        let _ = write!(text, "\n{line} ({})", names.join(", "));
    }
    if lines.len() > LISTED {
        let _ = write!(text, "\nand {} more", lines.len() - LISTED);
    }
    let _ = write!(text, "\n{}", remedy(stages));
    Some(binding_error!(place, "{text}"))
}

/// How the caller keeps the classes apart. The translator does not know whether the tool or the
/// layer asks, so the text names the remedy of both.
pub(super) fn remedy(stages: &[StageResources<'_>]) -> String {
    match apart(stages) {
        Some(shifts) => format!(
            "give each register class bindings of its own, in dxil2spv with `--shifts {shifts}`, in the layer with the setting \
             `register_shifts` (environment variable VK_DXIL_TRANSLATE_REGISTER_SHIFTS={shifts})"
        ),
        None => {
            "no shifts keep registers of these numbers apart; a binding map (`--map` of dxil2spv, the layer's setting \
                 `map`) can give each resource its place"
                .to_owned()
        }
    }
}

/// Shifts that keep the classes of these stages apart, as text. `b` and, where the default does,
/// `c` are left to their defaults.
fn apart(stages: &[StageResources<'_>]) -> Option<String> {
    let registers = stages.iter().flat_map(|stage| {
        let declared = stage.declared().filter(|(id, _)| stage.uses(*id));
        declared.map(|(_, resource)| resource.lower_bound)
    });
    let last = registers.max().unwrap_or(0);
    let mut step = 100u32;
    while step <= last {
        step = step.checked_mul(10)?;
    }
    // Counters are above the samplers.
    step.checked_mul(5)?;
    let (t, u, s, c) = (step, step * 2, step * 3, step * 4);
    let far = RegisterShifts::default().c >= c;
    Some(if far { format!("t={t},u={u},s={s}") } else { format!("t={t},u={u},s={s},c={c}") })
}
