//! Counts the code that a pass adds.
//!
//! In: how many instructions or values a pass adds, and their bytes, as it adds them. Out: an
//! error, if they are more than [`limits::INLINED`] in all functions together, or than the budget
//! allows.

use crate::ir::Function;
use dxil_base::error::{Place, Result};
use dxil_base::limits;
use dxil_base::limits::Fuel;

/// The code that one pass has added.
pub(super) struct Growth<'a> {
    fuel: &'a Fuel,
    /// What is counted, and what is charged, as nouns in the plural.
    counted: &'static str,
    charged: &'static str,
    values: usize,
}

impl<'a> Growth<'a> {
    /// Nothing has been added yet.
    pub(super) fn new(fuel: &'a Fuel, counted: &'static str, charged: &'static str) -> Self {
        Self { fuel, counted, charged, values: 0 }
    }

    /// Counts values that are added to a function, and charges the bytes of what is added.
    ///
    /// # Errors
    /// `Limit` if there are too many.
    pub(super) fn add(&mut self, function: &Function, values: usize, bytes: usize) -> Result<()> {
        let place = Place::Function(function.number);
        self.values = self.values.saturating_add(values);
        limits::check(place, self.counted, self.values, limits::INLINED)?;
        self.fuel.items::<u8>(place, self.charged, bytes)
    }
}
