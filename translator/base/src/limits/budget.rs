//! What one parse and one translation may cost.
//!
//! The limits on counts bound each count alone. A [`Budget`] bounds their products: the values of
//! every phi, the members of every structure that is copied, the words of every entry point. Work
//! and memory are charged to a [`Meter`] before they are spent.

use std::cell::Cell;
use std::fmt;

use crate::error::{Place, Result};
use crate::limits;

/// The largest cost of one parse, and of one translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Budget {
    /// Steps of the parts whose time depends on products of counts.
    pub steps: u64,
    /// Bytes of memory that depend on products of counts. Memory is not counted less when it is
    /// freed.
    pub bytes: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self { steps: limits::BUDGET_STEPS, bytes: limits::BUDGET_BYTES }
    }
}

impl Budget {
    /// The default budget multiplied by a number.
    pub fn times(factor: u32) -> Self {
        let Self { steps, bytes } = Self::default();
        Self { steps: steps.saturating_mul(factor.into()), bytes: bytes.saturating_mul(factor.into()) }
    }
}

/// A part of the work that is charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The tables of a module: types, globals, constants, metadata, attributes, names.
    Module,
    /// The associations of a library's entry points.
    Associations,
    /// The bodies of functions, as bitcode and as IR.
    Bodies,
    /// Copies of inlined functions.
    Inlining,
    /// Choices between handles or addresses.
    Choices,
    /// Chains of operations from the uses of addresses to their variables.
    Addresses,
    /// Elements of vectors that SPIR-V does not have.
    Vectors,
    /// Variables that become arrays of words.
    WordArrays,
    /// Loops with several entries, and the selectors of their dispatch blocks.
    Dispatch,
    /// Cases of switches, where control flow is structured.
    Cases,
    /// Phis and their entries.
    Phis,
    /// Members of structures that instructions copy.
    Structures,
    /// What entry points of one module repeat.
    Entries,
    /// Words of SPIR-V.
    Words,
    /// Text for people.
    Text,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Module => "the tables of the module",
            Self::Associations => "the associations of entry points",
            Self::Bodies => "the bodies of functions",
            Self::Inlining => "copies of inlined functions",
            Self::Choices => "choices between handles or addresses",
            Self::Addresses => "chains of addresses",
            Self::Vectors => "elements of vectors",
            Self::WordArrays => "variables that become arrays of words",
            Self::Dispatch => "loops with several entries",
            Self::Cases => "cases of switches",
            Self::Phis => "phis",
            Self::Structures => "members of structures that are copied",
            Self::Entries => "functions and resources that entry points share",
            Self::Words => "words of SPIR-V",
            Self::Text => "texts",
        })
    }
}

/// Counts the cost of one parse or one translation.
#[derive(Debug, Default)]
pub struct Meter {
    budget: Budget,
    /// Size of the input in bytes, for messages.
    input: usize,
    steps: Cell<u64>,
    bytes: Cell<u64>,
}

impl Meter {
    /// Nothing has been spent. `input` is the size of the input in bytes.
    pub fn new(budget: Budget, input: usize) -> Self {
        Self { budget, input, steps: Cell::new(0), bytes: Cell::new(0) }
    }

    /// What has been spent.
    pub fn spent(&self) -> Budget {
        Budget { steps: self.steps.get(), bytes: self.bytes.get() }
    }

    /// Charges steps.
    ///
    /// # Errors
    /// `Limit` if they are more than the budget has left. The message names the part.
    #[inline]
    pub fn steps(&self, place: Place, part: Part, steps: usize) -> Result<()> {
        let all = self.steps.get().saturating_add(steps as u64);
        self.steps.set(all);
        if all <= self.budget.steps { Ok(()) } else { Err(self.spent_all(place, part, "steps", self.budget.steps)) }
    }

    /// Charges `count` items of `size` bytes each.
    ///
    /// # Errors
    /// `Limit` if they are more than the budget has left. The message names the part.
    #[inline]
    pub fn bytes(&self, place: Place, part: Part, count: usize, size: usize) -> Result<()> {
        let all = self.bytes.get().saturating_add((count as u64).saturating_mul(size as u64));
        self.bytes.set(all);
        if all <= self.budget.bytes { Ok(()) } else { Err(self.spent_all(place, part, "bytes", self.budget.bytes)) }
    }

    #[cold]
    fn spent_all(&self, place: Place, part: Part, unit: &str, budget: u64) -> crate::error::Error {
        let of = match self.input {
            0 => String::new(),
            input => format!(" of an input of {input} bytes"),
        };
        limit_error!(
            place,
            "{part}{of} use more than the budget of {budget} {unit}; a larger budget is `Shader::parse_within` and \
             `Options::budget`, in the tool `--budget 2`"
        )
    }
}

/// What an item says as text, within a budget: its bytes are charged before they are kept.
///
/// # Errors
/// `Limit` if the text has more bytes than the budget has left.
pub fn text(meter: &Meter, item: &dyn fmt::Display) -> Result<String> {
    text_of(meter, &mut |writer| write!(writer, "{item}"))
}

/// The text that a function writes, within a budget. The function ends with the writer's first error.
///
/// # Errors
/// As [`text`].
pub fn text_of(meter: &Meter, write: &mut dyn FnMut(&mut dyn fmt::Write) -> fmt::Result) -> Result<String> {
    let mut writer = Writer { meter, text: String::new(), error: None };
    // The writer fails only with an error of its own, and a `Display` only with the writer's.
    match write(&mut writer) {
        Ok(()) => Ok(writer.text),
        Err(_) => Err(writer.error.unwrap_or_else(|| bug!(Place::Input, "an item has no text"))),
    }
}

/// Text that is charged.
struct Writer<'a> {
    meter: &'a Meter,
    text: String,
    error: Option<crate::error::Error>,
}

impl fmt::Write for Writer<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // The capacity of a string is up to twice its length.
        if let Err(error) = self.meter.bytes(Place::Input, Part::Text, text.len(), 2) {
            self.error = Some(error);
            return Err(fmt::Error);
        }
        self.text.push_str(text);
        Ok(())
    }
}
