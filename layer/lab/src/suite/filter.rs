//! The filters of GoogleTest: patterns with `*` and `?`, and behind a `-` those of what is not
//! meant.

use std::convert::Infallible;
use std::str::FromStr;

/// A filter.
#[derive(Clone, Debug)]
pub struct Filter {
    wanted: Vec<String>,
    unwanted: Vec<String>,
}

impl FromStr for Filter {
    type Err = Infallible;
    fn from_str(text: &str) -> Result<Self, Infallible> {
        let (wanted, unwanted) = text.split_once('-').unwrap_or((text, ""));
        let patterns = |text: &str| text.split(':').filter(|it| !it.is_empty()).map(str::to_owned).collect();
        let wanted: Vec<String> = patterns(wanted);
        Ok(Self { wanted: if wanted.is_empty() { vec!["*".to_owned()] } else { wanted }, unwanted: patterns(unwanted) })
    }
}

impl Filter {
    /// Whether a test is meant.
    pub fn has(&self, name: &str) -> bool {
        let fits = |patterns: &[String]| patterns.iter().any(|pattern| fits(pattern.as_bytes(), name.as_bytes()));
        fits(&self.wanted) && !fits(&self.unwanted)
    }
}

/// Whether a pattern fits a name. The last star takes as few bytes as it can, so the work is at
/// most their product.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut of, mut star) = (0, 0, None);
    while at < name.len() {
        match pattern.get(of) {
            Some(b'*') => {
                star = Some((of, at));
                of += 1;
            }
            Some(one) if *one == b'?' || *one == name[at] => {
                at += 1;
                of += 1;
            }
            _ => {
                let Some((place, taken)) = star else { return false };
                star = Some((place, taken + 1));
                (at, of) = (taken + 1, place + 1);
            }
        }
    }
    pattern[of..].iter().all(|it| *it == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_as_those_of_googletest() {
        let has = |filter: &str, name: &str| filter.parse::<Filter>().unwrap().has(name);
        assert!(has("*", "a.made") && has("a.made", "a.made") && !has("a.made", "a.made2") && has("a.m?de", "a.made"));
        assert!(has("b.*:a.*", "a.made") && !has("b.*:c.*", "a.made") && has("*a*e", "xxabae"));
        assert!(
            !has("*-a.*", "a.made") && has("*-a.*", "b.made") && has("-a.*", "b.made") && !has("*.made-b*", "a.ran")
        );
        let long = "a".repeat(5000);
        assert!(!has(&format!("{}b", "*a".repeat(50)), &long));
    }
}
