//! The values that one source gives.
//!
//! In: keys and values as they are given. Out: the first value of each key, and warnings about what
//! was given in vain.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::settings::table::SETTINGS;

/// The number of warnings about one source that are listed.
const WARNINGS: usize = 100;
/// The length in bytes above which a key is not compared with the keys of settings. The comparison
/// takes time and memory by the product of the lengths.
const KEY_BYTES: usize = 100;

/// The values of one source, and what was given there in vain.
#[derive(Default)]
pub struct Values {
    /// The first value of each key.
    pub by_key: HashMap<String, String>,
    /// What was given in vain, and why.
    pub warnings: Vec<String>,
}

impl Values {
    /// Takes a value for a key, if the key is a setting's and has none yet. `given` says where the
    /// value is from and what the key is called there; `None` is a value that is no UTF-8.
    pub fn give(&mut self, key: &str, value: Option<&str>, given: &str) {
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
            Entry::Occupied(entry) => entry.get().clone(),
        };
        self.warn(|| format!("{given}: `{value}` is ignored, because `{first}` is given first"));
    }

    fn warn(&mut self, text: impl FnOnce() -> String) {
        match self.warnings.len() {
            count if count < WARNINGS => self.warnings.push(text()),
            WARNINGS => self.warnings.push(format!("after {WARNINGS} warnings about settings, no more are listed")),
            _ => {}
        }
    }
}

/// A hint at the setting whose key is most like this one.
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
