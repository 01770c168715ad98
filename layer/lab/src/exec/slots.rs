//! Which descriptors of an array are what, and which numbers pick them.
//!
//! In: the layout of a pipeline, the views of its arrays, and the elements that shaders access.
//! Out: the view of each descriptor, and the values of the words that are indexes. What must hold:
//! an element that a shader accesses is what the shader sees there; where the lab cannot tell, the
//! pipeline is not run.

use std::collections::BTreeMap;

use dxil_capture::model::{Binding, PipelineLayout};

use super::declared::{Choice, Declared, Index, Kind, Memory, Resource, WordAt};
use super::stop::{CannotRun, SlotFault};
use crate::vulkan::SetBinding;

/// The most indexes of one block. A word of the block may be each of them.
const LARGEST_CHOICES: usize = 1 << 10;
/// The most values of an index; there are fewer kinds of descriptors.
const VALUES: usize = 64;
/// The most descriptors of one view behind one another.
const PART: usize = 4;
/// The most steps in which the elements of arrays are chosen.
const STEPS: usize = 1 << 24;

/// The view of each descriptor, by the place of its array. Elsewhere all descriptors have the first
/// view.
pub type Slots = BTreeMap<SetBinding, Vec<usize>>;

/// Chooses the views of descriptors, and the values of the words that are indexes.
///
/// # Errors
/// Descriptors that cannot be chosen.
pub fn assign(layout: &PipelineLayout, declared: &mut Declared) -> Result<Slots, CannotRun> {
    let sets = (0..).zip(&layout.sets);
    let bindings = sets.flat_map(|(number, set)| set.iter().flat_map(|set| &set.bindings).map(move |it| (number, it)));
    let (mut slots, mut values, mut steps) = (Slots::new(), BTreeMap::new(), STEPS);
    for (set, binding) in bindings {
        let place = (set, binding.binding);
        let Some(views) = declared.resources.get(&place) else { continue };
        let fault = |what| CannotRun::Slots { set, binding: binding.binding, what };
        if views.iter().any(|view| view.is_element) {
            let array = Array { binding, views };
            let chosen = array.slots(&mut steps).map_err(fault)?;
            array.values(&chosen, &mut values, &mut steps).map_err(fault)?;
            slots.insert(place, chosen);
        }
    }
    for (word, values) in values {
        let block = match word.memory {
            Memory::Push => declared.push_constants.as_mut(),
            Memory::Record(stage) => declared.records.get_mut(&stage).map(|record| &mut record.block),
            Memory::Buffer(place, view) => {
                declared.resources.get_mut(&place).and_then(|views| views.get_mut(view)).and_then(
                    |view| match &mut view.kind {
                        Kind::Block(block) => Some(block),
                        _ => None,
                    },
                )
            }
        };
        let Some(block) = block else { continue };
        if block.choices.len() >= LARGEST_CHOICES {
            return Err(CannotRun::Indexes(LARGEST_CHOICES));
        }
        block.choices.push(Choice { offset: word.offset, every: word.every, values });
    }
    Ok(slots)
}

/// An array of descriptors.
struct Array<'a> {
    binding: &'a Binding,
    views: &'a [Resource],
}

impl Array<'_> {
    /// The view of each descriptor: those that shaders access by number, and the others in turn for
    /// the views that are accessed by an index, several at a time, because an index may be a word
    /// and a small number.
    fn slots(&self, steps: &mut usize) -> Result<Vec<usize>, SlotFault> {
        let count = self.binding.count as usize;
        if let [_] = self.views {
            return Ok(vec![0; count]);
        }
        let mut slots: Vec<Option<usize>> = vec![None; count];
        let mut by_index = Vec::new();
        for (number, view) in self.views.iter().enumerate() {
            for access in &view.accesses {
                let Some(index) = access else {
                    if self.views.iter().all(|other| other.is_compatible(view)) {
                        by_index.push(number);
                        continue;
                    }
                    return Err(SlotFault::Unknown);
                };
                if !index.words.is_empty() {
                    by_index.push(number);
                    continue;
                }
                let range = self.range(index, 0)?;
                *steps = steps.checked_sub(range.len()).ok_or(SlotFault::Steps)?;
                for slot in &mut slots[range] {
                    match slot {
                        Some(known) if !self.views[*known].is_compatible(view) => return Err(SlotFault::Shared),
                        slot => *slot = Some(number),
                    }
                }
            }
        }
        by_index.dedup();
        let free = slots.iter().filter(|slot| slot.is_none()).count();
        let part = (free / (by_index.len() * 2).max(1)).clamp(1, PART);
        for (at, slot) in slots.iter_mut().filter(|slot| slot.is_none()).enumerate() {
            *slot = by_index.get(at / part % by_index.len().max(1)).copied();
        }
        Ok(slots.into_iter().map(|slot| slot.unwrap_or(0)).collect())
    }

    /// Adds the values of the words by which shaders index the array. A word that is an index
    /// several times has the values that fit all of them.
    fn values(
        &self,
        slots: &[usize],
        values: &mut BTreeMap<WordAt, Vec<u32>>,
        steps: &mut usize,
    ) -> Result<(), SlotFault> {
        for (number, view) in self.views.iter().enumerate() {
            let indexes = view.accesses.iter().flatten();
            for index in indexes {
                if let (true, [_]) = (!index.is_in(self.binding.count), self.views) {
                    // The bounds are those that the lab knows, and what the shader accesses is
                    // inside.
                    if index.words.is_empty() && index.low == index.high {
                        self.range(index, 0)?;
                    }
                    continue;
                }
                if index.words.is_empty() {
                    continue;
                }
                *steps = steps.checked_sub(slots.len() * 2).ok_or(SlotFault::Steps)?;
                let fitting = |fits: &dyn Fn(usize) -> bool, known: Option<&Vec<u32>>| {
                    let fits_all = |value: &u32| {
                        let is_known = known.is_none_or(|known| known.contains(value));
                        is_known
                            && self.range(index, *value).is_ok_and(|range| {
                                range.len() <= slots.len() && slots[range].iter().all(|slot| fits(*slot))
                            })
                    };
                    (0..self.binding.count).filter(fits_all).take(VALUES).collect::<Vec<u32>>()
                };
                for word in &index.words {
                    let known = values.get(word);
                    let mut found = fitting(&|slot| slot == number, known);
                    if found.is_empty() {
                        found = fitting(&|slot| self.views[slot].is_compatible(view), known);
                    }
                    if found.is_empty() {
                        return Err(SlotFault::Shared);
                    }
                    values.insert(*word, found);
                }
            }
        }
        Ok(())
    }

    /// The elements that an index is with a word of this value.
    fn range(&self, index: &Index, value: u32) -> Result<std::ops::Range<usize>, SlotFault> {
        let (low, high) = (i64::from(value) + index.low, i64::from(value) + index.high);
        let count = self.binding.count;
        match (usize::try_from(low), usize::try_from(high)) {
            (Ok(low), Ok(high)) if high < count as usize => Ok(low..high + 1),
            _ => Err(SlotFault::Beyond { index: if low < 0 { low } else { high }, count }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use dxil_capture::model::SetLayout;
    use rspirv::spirv::{Dim, ImageFormat};

    use super::super::declared::{Block, Scalar, Shape};
    use super::*;

    fn image(dim: Dim) -> Kind {
        Kind::Image(Shape {
            dim,
            is_arrayed: false,
            is_multisampled: false,
            scalar: Scalar::Float,
            is_signed: true,
            format: ImageFormat::Unknown,
            is_compared: false,
            is_atomic: false,
            is_storage: false,
        })
    }

    fn constants() -> Kind {
        Kind::Block(Block { is_uniform: true, ..Block::default() })
    }

    /// A word of the push constants at this offset, and a number between these.
    fn word(offset: u32, low: i64, high: i64) -> Option<Index> {
        Some(Index { words: vec![WordAt { memory: Memory::Push, offset, every: None }], low, high })
    }

    fn number(low: i64, high: i64) -> Option<Index> {
        Some(Index { words: Vec::new(), low, high })
    }

    /// The kinds of an array of 16 descriptors with these views, and the values of the words of the
    /// push constants.
    fn chosen(views: &[(Kind, &[Option<Index>])]) -> Result<(Vec<usize>, Vec<Vec<u32>>), CannotRun> {
        let binding = Binding { count: 16, ..Binding::default() };
        let sets = vec![Some(SetLayout { bindings: vec![binding], ..SetLayout::default() })];
        let layout = PipelineLayout { sets, ..PipelineLayout::default() };
        let views = views.iter().map(|(kind, accesses)| Resource {
            kind: kind.clone(),
            is_writable: false,
            is_element: true,
            accesses: accesses.iter().cloned().collect::<BTreeSet<_>>(),
        });
        let mut declared = Declared { push_constants: Some(Block::default()), ..Declared::default() };
        declared.resources.insert((0, 0), views.collect());
        let slots = assign(&layout, &mut declared)?;
        let choices = declared.push_constants.unwrap().choices.into_iter().map(|it| it.values);
        Ok((slots[&(0, 0)].clone(), choices.collect()))
    }

    #[test]
    fn an_index_has_values_where_its_kind_is() {
        // A word picks constants, the next but one after these is a picture, and the first element
        // is a volume.
        let views = [
            (image(Dim::Dim3D), &[number(0, 0)][..]),
            (constants(), &[word(4, 0, 0)]),
            (image(Dim::Dim2D), &[word(4, 2, 2), word(8, 0, 1)]),
        ];
        let (slots, choices) = chosen(&views).unwrap();
        assert_eq!(slots[0], 0);
        assert!(
            !choices[0].is_empty()
                && choices[0].iter().all(|it| slots[*it as usize] == 1 && slots[*it as usize + 2] == 2)
        );
        assert!(!choices[1].is_empty() && choices[1].iter().all(|it| slots[*it as usize..=*it as usize + 1] == [2, 2]));
    }

    #[test]
    fn what_cannot_be_chosen_is_said() {
        let said = |views: &[(Kind, &[Option<Index>])]| chosen(views).unwrap_err().to_string();
        let two = |a: &[Option<Index>], b: &[Option<Index>]| said(&[(image(Dim::Dim3D), a), (image(Dim::Dim2D), b)]);
        assert!(two(&[number(3, 3)], &[number(2, 4)]).contains("two kinds"));
        assert!(two(&[word(4, 0, 0)], &[word(4, 0, 0)]).contains("two kinds"));
        assert!(two(&[None], &[number(0, 0)]).contains("does not follow"));
        assert!(two(&[number(16, 16)], &[number(0, 0)]).contains("16 descriptors, and a shader accesses number 16"));
        // Of one kind all elements are, whatever their indexes.
        let (slots, choices) = chosen(&[(image(Dim::Dim2D), &[None, number(0, 255), word(4, 0, 0)])]).unwrap();
        assert_eq!((slots, choices[0].len()), (vec![0; 16], 16));
        assert!(said(&[(image(Dim::Dim2D), &[number(99, 99)])]).contains("accesses number 99"));
    }
}
