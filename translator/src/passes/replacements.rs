//! Values that replace values.

use foldhash::HashMap;

use crate::ir::Value;

/// Which value replaces each. What replaces a value may be replaced itself. The caller makes no
/// circle of replacements.
#[derive(Default)]
pub(super) struct Replacements(HashMap<Value, Value>);

impl Replacements {
    /// Replaces a value.
    pub(super) fn insert(&mut self, value: Value, by: Value) {
        self.0.insert(value, by);
    }

    /// Whether the value is replaced.
    pub(super) fn has(&self, value: Value) -> bool {
        self.0.contains_key(&value)
    }

    /// The number of values that are replaced.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// What finally replaces a value, or the value. A chain may be as long as the function, and
    /// many uses may begin at its start, so each value on the way then leads to the end at once.
    pub(super) fn resolve(&mut self, value: Value) -> Value {
        let Some(&first) = self.0.get(&value) else { return value };
        let mut end = first;
        while let Some(&next) = self.0.get(&end) {
            end = next;
        }
        let mut at = value;
        while at != end
            && let Some(next) = self.0.get_mut(&at)
        {
            at = std::mem::replace(next, end);
        }
        end
    }
}
