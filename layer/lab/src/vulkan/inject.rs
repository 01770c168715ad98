//! Fault injection: faults in the driver's place, by which the lab is tested.
//!
//! In: `FAULT[@INSTRUCTION][:PIPELINE]`, and the SPIR-V of a pipeline. Out: what a driver with that
//! fault does. `crash@loop.Sqrt` is a driver that ends the process when it meets the instruction
//! `Sqrt` of GLSL.std.450 in a loop.

use std::ffi::CStr;
use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

use ash::vk;
use dxil_capture::Digest;
use dxil_capture::digest::NotADigest;
use rspirv::grammar::{GLSL_STD_450_INSTRUCTION_TABLE, INSTRUCTION_TABLE};
use rspirv::spirv::Op;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::edit;
use crate::named::named;
use crate::words::instructions;

named! {
    /// The behaviour of a driver.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum FaultKind {
        /// The command fails.
        Error => "error",
        /// The command succeeds and gives a null handle.
        Null => "null",
        /// The process ends.
        Crash => "crash",
        /// The command does not return.
        Hang => "hang",
        /// The command takes all memory that the process may have.
        Memory => "memory",
        /// The command works, and there is a message as from the validation layer.
        Message => "message",
        /// The compiler swaps the operands of a subtraction or division.
        Swap => "swap",
        /// The compiler drops the barriers.
        Barrier => "barrier",
        /// The compiler folds a constant into another one.
        Constant => "constant",
        /// The compiler takes another component of a vector.
        Swizzle => "swizzle",
        /// A loop does one step less.
        Loop => "loop",
        /// The process ends when it makes a set layout.
        Layout => "layout",
    }
}

/// An instruction that a fault waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Trigger {
    /// SPIR-V's opcode.
    op: u16,
    /// The number in GLSL.std.450, for an instruction of that set.
    number: Option<u32>,
    /// Only in a loop.
    in_loop: bool,
    /// Its name, without `Op`.
    name: &'static str,
}

impl Trigger {
    fn find(text: &str) -> Option<Self> {
        let (in_loop, name) = match text.strip_prefix("loop.") {
            Some(name) => (true, name),
            None => (false, text),
        };
        let core = INSTRUCTION_TABLE.iter().find(|inst| inst.opname == name);
        if let Some(inst) = core {
            return Some(Self { op: inst.opcode as u16, number: None, in_loop, name: inst.opname });
        }
        let inst = GLSL_STD_450_INSTRUCTION_TABLE.iter().find(|inst| inst.opname == name)?;
        Some(Self { op: Op::ExtInst as u16, number: Some(inst.opcode.into()), in_loop, name: inst.opname })
    }

    /// Whether a module has the instruction.
    fn is_in(&self, words: &[u32]) -> bool {
        // The merge blocks of the loops around, the innermost last. Blocks stand in structured
        // order.
        let mut loops: Vec<u32> = Vec::new();
        for (at, op, length) in instructions(words) {
            let operand = |number: usize| words[at..at + length].get(number).copied();
            if op == Op::Label as u32
                && let Some(at) = loops.iter().position(|merge| Some(*merge) == operand(1))
            {
                loops.truncate(at);
            }
            let is_number = self.number.is_none_or(|number| operand(4) == Some(number));
            if op == u32::from(self.op) && is_number && (!self.in_loop || !loops.is_empty()) {
                return true;
            }
            if op == Op::LoopMerge as u32 {
                loops.extend(operand(1));
            }
        }
        false
    }
}

/// A fault, and when it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Injection {
    fault: FaultKind,
    trigger: Option<Trigger>,
    pipeline: Option<Digest>,
}

impl Injection {
    /// The same fault in every pipeline.
    pub fn anywhere(self) -> Self {
        Self { pipeline: None, ..self }
    }

    /// Whether it may show in this pipeline.
    pub fn is_for(&self, pipeline: Digest) -> bool {
        self.pipeline.is_none_or(|only| only == pipeline)
    }
}

/// A text that is no fault to inject.
#[derive(Debug, Error)]
pub enum NoInjection {
    /// The fault or the instruction is unknown.
    #[error(
        "expected FAULT[@INSTRUCTION][:PIPELINE] with a fault of {} and an instruction like `Sqrt`, `ImageFetch` or \
         `loop.Sqrt`, found `{text}`",
        FaultKind::ALL.map(FaultKind::name).join(", ")
    )]
    Fault {
        /// The text.
        text: String,
    },
    /// The pipeline has no name.
    #[error(transparent)]
    Pipeline(#[from] NotADigest),
}

impl FromStr for Injection {
    type Err = NoInjection;
    fn from_str(text: &str) -> Result<Self, NoInjection> {
        let wrong = || NoInjection::Fault { text: text.to_owned() };
        let (what, pipeline) = match text.split_once(':') {
            Some((what, pipeline)) => (what, Some(pipeline.parse::<Digest>()?)),
            None => (text, None),
        };
        let (name, trigger) = match what.split_once('@') {
            Some((name, trigger)) => (name, Some(Trigger::find(trigger).ok_or_else(wrong)?)),
            None => (what, None),
        };
        let fault = FaultKind::ALL.into_iter().find(|known| known.name() == name).ok_or_else(wrong)?;
        Ok(Self { fault, trigger, pipeline })
    }
}

impl TryFrom<String> for Injection {
    type Error = NoInjection;
    fn try_from(text: String) -> Result<Self, NoInjection> {
        text.parse()
    }
}

impl From<Injection> for String {
    fn from(injection: Injection) -> Self {
        injection.to_string()
    }
}

impl fmt::Display for Injection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.fault.name())?;
        if let Some(Trigger { in_loop, name, .. }) = self.trigger {
            write!(f, "@{}{name}", if in_loop { "loop." } else { "" })?;
        }
        self.pipeline.map_or(Ok(()), |pipeline| write!(f, ":{pipeline}"))
    }
}

static INJECTED: Mutex<Option<Injection>> = Mutex::new(None);

/// Injects a fault into the next pipelines, or removes it.
pub fn inject(fault: Option<Injection>) {
    *INJECTED.lock().unwrap_or_else(PoisonError::into_inner) = fault;
}

/// What a compiler with the injected fault makes of a module; `None` if that is the module itself.
pub fn miscompiled(words: &[u32]) -> Option<Vec<u32>> {
    let injected = (*INJECTED.lock().unwrap_or_else(PoisonError::into_inner))?;
    if !injected.trigger.is_none_or(|trigger| trigger.is_in(words)) {
        return None;
    }
    match injected.fault {
        FaultKind::Swap => edit::with_swapped_operands(words),
        FaultKind::Barrier => edit::without_barriers(words),
        FaultKind::Constant => edit::with_another_constant(words),
        FaultKind::Swizzle => edit::with_another_component(words),
        FaultKind::Loop => edit::with_another_start(words),
        _ => None,
    }
}

/// Executes the injected fault before the driver is called with these modules. A result stands in
/// the place of the driver's; `say` gives a message to the application.
pub fn suffer(modules: impl FnOnce() -> Vec<Vec<u32>>, say: impl FnOnce(&str)) -> Option<vk::Result> {
    let injected = (*INJECTED.lock().unwrap_or_else(PoisonError::into_inner))?;
    let shows = |trigger: Trigger| modules().iter().any(|words| trigger.is_in(words));
    if !injected.trigger.is_none_or(shows) {
        return None;
    }
    match injected.fault {
        FaultKind::Error => Some(vk::Result::ERROR_UNKNOWN),
        FaultKind::Null => Some(vk::Result::SUCCESS),
        FaultKind::Crash => std::process::abort(),
        FaultKind::Hang => loop {
            std::thread::park();
        },
        FaultKind::Memory => {
            let mut hoard: Vec<Vec<u8>> = Vec::new();
            loop {
                // The limit is one of address space, so nothing needs to be written.
                hoard.push(Vec::with_capacity(64 << 20));
            }
        }
        FaultKind::Message => {
            say("vkCreatePipelines(): an injected message, 0x1234. (VUID-injected-message-00001)");
            None
        }
        FaultKind::Swap
        | FaultKind::Barrier
        | FaultKind::Constant
        | FaultKind::Swizzle
        | FaultKind::Loop
        | FaultKind::Layout => None,
    }
}

/// Executes the injected fault of a command that makes an object of a layout.
pub(super) fn suffer_layout(command: &'static CStr) -> Option<vk::Result> {
    let injected = (*INJECTED.lock().unwrap_or_else(PoisonError::into_inner))?;
    if injected.fault == FaultKind::Layout && command == c"vkCreateDescriptorSetLayout" {
        let _call = super::calls::enter(command);
        std::process::abort();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_has_a_text_that_gives_it_again() {
        let pipeline = "0".repeat(64);
        for text in ["crash", "hang@Switch", "memory@loop.Sqrt", &format!("null@ImageFetch:{pipeline}")] {
            assert_eq!(text.parse::<Injection>().unwrap().to_string(), *text);
        }
        for text in ["", "crashes", "crash@", "crash@Sqroot", "crash:12"] {
            assert!(text.parse::<Injection>().is_err(), "{text}");
        }
    }

    #[test]
    fn an_instruction_is_found_in_a_loop_and_behind_it() {
        let of = |op: Op, operands: &[u32]| -> Vec<u32> {
            let first = u32::from(op as u16) | (operands.len() as u32 + 1) << 16;
            std::iter::once(first).chain(operands.iter().copied()).collect()
        };
        let start = [vec![0; 5], of(Op::Label, &[1]), of(Op::LoopMerge, &[9, 8, 0]), of(Op::Branch, &[2])].concat();
        let sqrt = of(Op::ExtInst, &[3, 4, 5, 31, 6]);
        let (inside, behind) = ("loop.Sqrt", "Sqrt");
        let met = |text: &str, words: &[Vec<u32>]| Trigger::find(text).unwrap().is_in(&words.concat());
        let looped = [start.clone(), sqrt.clone(), of(Op::Label, &[9])];
        let after = [start, of(Op::Label, &[9]), sqrt];
        assert!(met(inside, &looped) && met(behind, &looped));
        assert!(!met(inside, &after) && met(behind, &after));
        assert!(!met("Sin", &looped) && !met("Switch", &looped));
    }
}
