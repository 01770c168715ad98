//! The values of one source.
//!
//! In: keys and values as text. Out: one value of each key, and warnings about ignored ones.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::settings::table::{Kind, SETTINGS};

/// The largest number of warnings about one source.
const WARNINGS: usize = 100;
/// Longer keys are not compared with the keys of settings, because the comparison takes time and
/// memory in proportion to the product of the lengths. In bytes.
const KEY_BYTES: usize = 100;

/// The values of one source, and warnings about ignored ones.
#[derive(Default)]
pub struct Values {
    /// The value of each key: the first one, or the last one.
    pub by_key: HashMap<String, String>,
    /// The last value of a key counts, as in a settings file.
    pub last_counts: bool,
    /// Ignored values, with the reasons.
    pub warnings: Vec<String>,
}

impl Values {
    /// Adds a value for a key, if the key is a setting, and has no value yet or the last one
    /// counts. `given` describes the origin of the value and the name of the key there; `None` is a
    /// value that is not UTF-8.
    pub fn add(&mut self, key: &str, value: Option<&str>, given: &str) {
        if !SETTINGS.iter().any(|setting| setting.key == key) {
            self.warn(|| format!("{given}: the layer has no setting `{key}`{}", similar(key)));
            return;
        }
        let Some(value) = value else {
            self.warn(|| format!("{given}: the value is ignored, because it is not UTF-8"));
            return;
        };
        let first = match self.by_key.entry(key.into()) {
            Entry::Vacant(entry) => {
                entry.insert(value.into());
                return;
            }
            Entry::Occupied(mut entry) if self.last_counts => {
                let before = entry.insert(value.into());
                self.warn(|| format!("{given}: `{before}` is ignored, because `{value}` is given after it"));
                return;
            }
            Entry::Occupied(entry) => entry.get().clone(),
        };
        self.warn(|| format!("{given}: `{value}` is ignored, because `{first}` is given first"));
    }

    /// Removes the values of settings that write files, for a file that nobody named.
    pub fn remove_written(&mut self) {
        for setting in SETTINGS.iter().filter(|setting| matches!(setting.kind, Kind::SaveFile | Kind::SaveFolder)) {
            if let Some(value) = self.by_key.remove(setting.key) {
                self.warnings.push(format!(
                    "setting {}: `{value}` is ignored, because a settings file that is found in the working directory writes \
                     no files; name it by VK_LAYER_SETTINGS_PATH",
                    setting.key
                ));
            }
        }
    }

    fn warn(&mut self, text: impl FnOnce() -> String) {
        match self.warnings.len() {
            count if count < WARNINGS => self.warnings.push(text()),
            WARNINGS => self.warnings.push(format!("after {WARNINGS} warnings about settings, no more are listed")),
            _ => {}
        }
    }
}

/// A hint at the setting with the most similar key.
fn similar(key: &str) -> String {
    if key.len() > KEY_BYTES {
        return "; docs/settings.md lists them".into();
    }
    let likeness = |other: &str| strsim::normalized_damerau_levenshtein(&key.to_lowercase(), other);
    let keys = SETTINGS.iter().map(|setting| (likeness(setting.key), setting.key));
    match keys.max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((likeness, similar)) if likeness > 0.5 => format!("; did you mean `{similar}`?"),
        _ => "; docs/settings.md lists them".into(),
    }
}
