//! Writes a file with many mutants, each enabled by a run-time check.
//!
//! In: a text and mutants with their numbers. Out: the changed text, and where each mutant is in
//! it, so that an error of the compiler leads to the mutant that caused it.

use std::ops::Range;

use crate::sites::Change;
use crate::source::Mutant;

/// The number of a mutant, and where it is in the changed text.
pub type Region = (usize, Range<usize>);

/// An expression with its changes.
struct Group<'a> {
    whole: Range<usize>,
    changes: Vec<(usize, &'a Change)>,
}

struct Writer<'a> {
    text: &'a str,
    /// By their beginnings, the outer ones first.
    groups: Vec<Group<'a>>,
    inserts: Vec<(usize, usize, String)>,
    out: String,
    regions: Vec<Region>,
}

/// The changed text.
pub fn render(text: &str, mutants: &[&Mutant]) -> (String, Vec<Region>) {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut inserts = Vec::new();
    for mutant in mutants {
        let number = &mutant.number;
        match &mutant.change {
            change @ Change::Expression { whole, .. } => match groups.iter_mut().find(|group| group.whole == *whole) {
                Some(group) => group.changes.push((*number, change)),
                None => groups.push(Group { whole: whole.clone(), changes: vec![(*number, change)] }),
            },
            Change::Arm { at } => inserts.push((*at, *number, format!(" if !dxil_base::mutant::on({number}) "))),
            Change::Value { at, value } => {
                inserts.push((*at, *number, format!(" if dxil_base::mutant::on({number}) {{ return {value}; }} ")));
            }
        }
    }
    groups.sort_by_key(|group| (group.whole.start, std::cmp::Reverse(group.whole.end)));
    inserts.sort_by_key(|insert| insert.0);
    let mut writer = Writer { text, groups, inserts, out: String::new(), regions: Vec::new() };
    writer.range(0..text.len(), None);
    (writer.out, writer.regions)
}

impl Writer<'_> {
    /// Writes a range of the text, with the changes in it. Those of `outer` are written already.
    fn range(&mut self, range: Range<usize>, outer: Option<usize>) {
        let mut at = range.start;
        for index in outer.map_or(0, |outer| outer + 1)..self.groups.len() {
            let whole = self.groups[index].whole.clone();
            if whole.start >= at && whole.end <= range.end {
                self.plain(at..whole.start);
                self.group(index);
                at = whole.end;
            }
        }
        self.plain(at..range.end);
    }

    fn plain(&mut self, range: Range<usize>) {
        let mut at = range.start;
        let inserts: Vec<(usize, usize, String)> =
            self.inserts.iter().filter(|insert| range.contains(&insert.0)).cloned().collect();
        for (place, number, insert) in inserts {
            self.out.push_str(&self.text[at..place]);
            let start = self.out.len();
            self.out.push_str(&insert);
            self.regions.push((number, start..self.out.len()));
            at = place;
        }
        self.out.push_str(&self.text[at..range.end]);
    }

    fn group(&mut self, index: usize) {
        let whole = self.groups[index].whole.clone();
        let changes: Vec<(usize, Change)> =
            self.groups[index].changes.iter().map(|(number, change)| (*number, (*change).clone())).collect();
        let numbers: Vec<String> = changes.iter().map(|(number, _)| number.to_string()).collect();
        self.out.push_str(&format!("(match dxil_base::mutant::one_of(&[{}]) {{", numbers.join(",")));
        for (number, change) in changes {
            let Change::Expression { part, text, apart, .. } = change else { continue };
            let start = self.out.len();
            self.out.push_str(&format!("{number} => ("));
            if apart {
                self.out.push('(');
                self.range(whole.start..part.start, Some(index));
                self.out.push_str(&format!(") {text} ("));
                self.range(part.end..whole.end, Some(index));
                self.out.push(')');
            } else {
                self.range(whole.start..part.start, Some(index));
                self.out.push_str(&text);
                self.range(part.end..whole.end, Some(index));
            }
            self.out.push_str("),");
            self.regions.push((number, start..self.out.len()));
        }
        self.out.push_str("_ => (");
        self.range(whole, Some(index));
        self.out.push_str(")})");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sites;

    #[test]
    fn changes_stand_beside_the_text() {
        let text = "fn f(a: u32) -> u32 { match a { 1 if a > 2 => 3, 4 => a + 5 * 6, _ => 7 } }";
        let found = sites::find(text).unwrap();
        let names: Vec<&str> = found.iter().map(|site| site.name.as_str()).collect();
        assert_eq!(names.len(), 12, "{names:?}");
        let numbered = |(number, site): (usize, sites::Site)| Mutant {
            number,
            name: site.name,
            place: site.place,
            change: site.change,
        };
        let numbered: Vec<Mutant> = (1..).zip(found).map(numbered).collect();
        let (changed, regions) = render(text, &numbered.iter().collect::<Vec<_>>());
        assert!(syn::parse_file(&changed).is_ok(), "{changed}");
        // Those of `5 * 6` are in each form of `a + …`.
        assert_eq!(regions.len(), 12 + 2 * 2, "{changed}");
        assert!(changed.contains("if dxil_base::mutant::on(1) { return 0; }"), "{changed}");
        assert!(changed.contains("if !dxil_base::mutant::on("), "{changed}");
    }
}
