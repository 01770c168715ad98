//! What one parse and one translation may cost.
//!
//! The limits on counts bound each count alone. A [`Budget`] bounds their products: the values of
//! every phi, the members of every structure that is copied, the words of every entry point. Each
//! part of the translator charges its own work and memory to one [`Fuel`] where they arise.

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

/// The budget of one parse or one translation, and how much of it is spent.
///
/// Whoever charges says what it makes, as a noun in the plural: the message of the error begins
/// with it.
#[derive(Debug, Default)]
pub struct Fuel {
    budget: Budget,
    /// Size of the input in bytes, for messages.
    input: usize,
    steps: Cell<u64>,
    bytes: Cell<u64>,
}

impl Fuel {
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
    /// `Limit` if they are more than the budget has left. The message names `what`.
    #[inline]
    pub fn steps(&self, place: Place, what: &'static str, steps: usize) -> Result<()> {
        if spend(&self.steps, steps, self.budget.steps) {
            Ok(())
        } else {
            Err(self.spent_all(what, "steps", self.budget.steps).or_at(place))
        }
    }

    /// Charges bytes of memory.
    ///
    /// # Errors
    /// `Limit` if they are more than the budget has left. The message names `what`.
    #[inline]
    pub fn bytes(&self, place: Place, what: &'static str, bytes: usize) -> Result<()> {
        if spend(&self.bytes, bytes, self.budget.bytes) {
            Ok(())
        } else {
            Err(self.spent_all(what, "bytes", self.budget.bytes).or_at(place))
        }
    }

    /// Charges the memory of items that lists grow by. The capacity of a list is up to twice its
    /// length.
    ///
    /// # Errors
    /// Those of [`bytes`](Self::bytes).
    #[inline]
    pub fn items<T>(&self, place: Place, what: &'static str, count: usize) -> Result<()> {
        self.bytes(place, what, count.saturating_mul(2 * size_of::<T>()))
    }

    /// The error of a charge, for which the caller has the place.
    #[cold]
    fn spent_all(&self, what: &str, unit: &str, budget: u64) -> crate::error::Error {
        let of = match self.input {
            0 => String::new(),
            input => format!(" of an input of {input} bytes"),
        };
        limit_error!(
            Place::Input,
            "{what}{of} use more than the budget of {budget} {unit}; a larger budget is `Shader::parse_within` and \
             `Options::budget`, in the tool `--budget 2`"
        )
    }
}

/// Adds to what is spent. Returns whether all of it is within the budget.
#[inline]
fn spend(spent: &Cell<u64>, amount: usize, budget: u64) -> bool {
    match spent.get().checked_add(amount as u64) {
        Some(all) if all <= budget => {
            spent.set(all);
            true
        }
        all => {
            spent.set(all.unwrap_or(u64::MAX));
            false
        }
    }
}

/// What is charged as text for people.
pub const TEXTS: &str = "texts";

/// What an item says as text, within a budget: its bytes are charged before they are kept.
///
/// # Errors
/// `Limit` if the text has more bytes than the budget has left.
pub fn text(fuel: &Fuel, item: &dyn fmt::Display) -> Result<String> {
    text_of(fuel, &mut |writer| write!(writer, "{item}"))
}

/// The text that a function writes, within a budget. The function ends with the writer's first
/// error.
///
/// # Errors
/// As [`text`].
pub fn text_of(fuel: &Fuel, write: &mut dyn FnMut(&mut dyn fmt::Write) -> fmt::Result) -> Result<String> {
    let mut writer = ChargedText { fuel, text: String::new(), error: None };
    // The writer fails only with an error of its own, and a `Display` only with the writer's.
    match write(&mut writer) {
        Ok(()) => Ok(writer.text),
        Err(_) => Err(writer.error.unwrap_or_else(|| bug!(Place::Input, "an item has no text"))),
    }
}

/// Text that is charged.
struct ChargedText<'a> {
    fuel: &'a Fuel,
    text: String,
    error: Option<crate::error::Error>,
}

impl fmt::Write for ChargedText<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if let Err(error) = self.fuel.items::<u8>(Place::Input, TEXTS, text.len()) {
            self.error = Some(error);
            return Err(fmt::Error);
        }
        self.text.push_str(text);
        Ok(())
    }
}
