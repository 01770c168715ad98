//! Changes of RDAT, a library's runtime data: records, strings, lists of indexes and bytes.
//!
//! In: a library and random numbers. Out: the library with another RDAT part. Changed are fields of
//! records, whole records, and what they refer to, so that most results have the form of runtime
//! data and readers get far. The sizes of subparts, part and container agree again in most cases.

use dxil_translator::container::{Container, FourCc, RuntimeData, RuntimeDataKind as Kind};

use dxil_test_support::Random;

/// The subparts of the runtime data, with the words of each.
struct Parts(Vec<(u32, Vec<u32>)>);

/// Numbers at which offsets, sizes, indexes and kinds change their meaning.
const NUMBERS: [u32; 16] = [0, 1, 2, 3, 4, 7, 8, 9, 11, 12, 24, 0x80, 0x100, 0x7fff_ffff, 0xffff_fffe, 0xffff_ffff];

/// A library with one to six changes in its runtime data. Bytes without readable runtime data are
/// returned unchanged.
pub fn mutate(library: &[u8], random: &mut Random) -> Vec<u8> {
    let Some(data) = Container::parse(library).and_then(|container| container.runtime_data()).ok().flatten() else {
        return library.to_vec();
    };
    let words = |bytes: &[u8]| bytes.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])).collect();
    let mut parts = Parts(data.parts.iter().map(|part| (part.kind.value(), words(part.data))).collect());
    for _ in 0..[1, 1, 1, 2, 3, 6][random.below(6)] {
        parts.change(&data, random);
    }
    let mut bytes = Vec::new();
    let mut put = |word: u32| bytes.extend(word.to_le_bytes());
    put(data.version);
    put(parts.0.len() as u32);
    let mut at = 8 + 4 * parts.0.len();
    for (_, words) in &parts.0 {
        put(at as u32);
        at += 8 + 4 * words.len();
    }
    for (kind, words) in &parts.0 {
        put(*kind);
        put(4 * words.len() as u32);
        words.iter().for_each(|&word| put(word));
    }
    // A word of the index, or an end that is cut off.
    match random.below(24) {
        0 => {
            let at = 4 * random.below(2 + parts.0.len());
            bytes[at..at + 4].copy_from_slice(&NUMBERS[random.below(NUMBERS.len())].to_le_bytes());
        }
        1 => bytes.truncate(random.below(bytes.len())),
        _ => {}
    }
    with_runtime_data(library, &bytes)
}

impl Parts {
    /// The words of the subpart of a kind.
    fn part(&mut self, kind: Kind) -> Option<&mut Vec<u32>> {
        self.0.iter_mut().find(|(of, _)| *of == kind.value()).map(|(_, words)| words)
    }

    fn change(&mut self, data: &RuntimeData<'_>, random: &mut Random) {
        let tables = [
            Kind::SubobjectTable,
            Kind::SubobjectTable,
            Kind::SubobjectTable,
            Kind::FunctionTable,
            Kind::ResourceTable,
        ];
        let table = tables[random.below(tables.len())];
        match random.below(16) {
            0..=7 => self.change_field(table, random),
            8..=9 => self.change_records(table, random),
            // Lengths of lists, and offsets of names and numbers of resources in them.
            10 | 11 => change_word(self.part(Kind::IndexArrays), random),
            // Root signatures.
            12 | 13 => change_word(self.part(Kind::RawBytes), random),
            14 => change_word(self.part(Kind::StringBuffer), random),
            _ => {
                // Another order, or a subpart that is there twice or not at all.
                let (a, b) = (random.below(self.0.len()), random.below(data.parts.len()));
                match random.below(4) {
                    0 if a < self.0.len() => drop(self.0.remove(a)),
                    1 if a < self.0.len() => self.0.push(self.0[a].clone()),
                    2 if a < self.0.len() => self.0[a].0 = 1 + random.below(12) as u32,
                    _ if a < self.0.len() && b < self.0.len() => self.0.swap(a, b),
                    _ => {}
                }
            }
        }
    }

    /// Changes a field of a record: to the field of another record, to a near number, to a special
    /// one.
    fn change_field(&mut self, table: Kind, random: &mut Random) {
        let Some(words) = self.part(table) else { return };
        let stride = words.get(1).map_or(1, |&bytes| (bytes as usize / 4).clamp(1, 64));
        let (field, count) = (random.below(stride), words.len().saturating_sub(2) / stride);
        let (at, other) = (2 + stride * random.below(count) + field, 2 + stride * random.below(count) + field);
        let foreign = words.get(other).copied().unwrap_or_default();
        if let Some(word) = words.get_mut(at) {
            *word = match random.below(8) {
                0..=3 => foreign,
                4 => word.wrapping_add(1 + random.below(4) as u32),
                5 => word.wrapping_sub(1 + random.below(4) as u32),
                6 => *word ^ 1 << random.below(32),
                _ => NUMBERS[random.below(NUMBERS.len())],
            };
        }
    }

    /// Repeats, removes or exchanges records, or changes the table's header.
    fn change_records(&mut self, table: Kind, random: &mut Random) {
        let Some(words) = self.part(table) else { return };
        let [count, stride, ..] = words[..] else { return };
        let (count, stride) = (count as usize, (stride as usize / 4).max(1));
        let (a, b) = (2 + stride * random.below(count), 2 + stride * random.below(count));
        if a + stride > words.len() || b + stride > words.len() {
            return;
        }
        match random.below(8) {
            0..=2 => {
                let copy = words[a..a + stride].to_vec();
                words.splice(b..b, copy);
                words[0] = words[0].wrapping_add(1);
            }
            3 | 4 => {
                words.drain(a..a + stride);
                words[0] = words[0].wrapping_sub(1);
            }
            5 | 6 => {
                for word in 0..stride {
                    words.swap(a + word, b + word);
                }
            }
            _ => words[random.below(2)] = NUMBERS[random.below(NUMBERS.len())],
        }
    }
}

fn change_word(words: Option<&mut Vec<u32>>, random: &mut Random) {
    let Some(words) = words else { return };
    let at = random.below(words.len());
    if let Some(word) = words.get_mut(at) {
        *word = match random.below(4) {
            0 => word.wrapping_add(1 + random.below(8) as u32),
            1 => word.wrapping_sub(1 + random.below(8) as u32),
            2 => *word ^ 1 << random.below(32),
            _ => NUMBERS[random.below(NUMBERS.len())],
        };
    }
}

/// The container with other bytes in its RDAT part. All parts are written one after another.
pub fn with_runtime_data(container: &[u8], bytes: &[u8]) -> Vec<u8> {
    let Ok(parsed) = Container::parse(container) else { return container.to_vec() };
    let count = parsed.parts().len();
    let mut out = container[..32].to_vec();
    out.resize(32 + 4 * count, 0);
    for (index, part) in parsed.parts().iter().enumerate() {
        let offset = (out.len() as u32).to_le_bytes();
        out[32 + 4 * index..][..4].copy_from_slice(&offset);
        let data = if part.fourcc == FourCc::RDAT { bytes } else { part.data };
        out.extend(part.fourcc.0);
        out.extend((data.len() as u32).to_le_bytes());
        out.extend(data);
    }
    let size = (out.len() as u32).to_le_bytes();
    out[24..28].copy_from_slice(&size);
    out
}

/// Runtime data of these subparts.
fn built(parts: &[(Kind, Vec<u32>)]) -> Vec<u8> {
    let mut words = vec![0x10, parts.len() as u32];
    let mut at = 8 + 4 * parts.len();
    for (_, content) in parts {
        words.push(at as u32);
        at += 8 + 4 * content.len();
    }
    for (kind, content) in parts {
        words.extend([kind.value(), 4 * content.len() as u32]);
        words.extend(content);
    }
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A string buffer with the empty name at 0 and names of three characters at the multiples of 4.
fn strings(count: u32) -> Vec<u32> {
    let name =
        |n: u32| u32::from_le_bytes([b'a' + (n % 26) as u8, b'a' + (n / 26 % 26) as u8, b'a' + (n / 676) as u8, 0]);
    [0].into_iter().chain((0..count).map(name)).collect()
}

/// A table of `count` subobjects of six words.
fn subobjects(count: u32, record: impl Fn(u32) -> [u32; 6]) -> Vec<u32> {
    [count, 24].into_iter().chain((0..count).flat_map(record)).collect()
}

/// Associations that share one long list: its name, the data, and what its error says.
pub fn many_associations() -> (&'static str, Vec<u8>, &'static str) {
    let list: Vec<u32> = [4096].into_iter().chain((0..4096).map(|n| 4 + n % 2048 * 4)).collect();
    let table = subobjects(2048, |n| [8, 4 + 4 * n, 4, 0, 0, 0]);
    let data = built(&[(Kind::StringBuffer, strings(2048)), (Kind::IndexArrays, list), (Kind::SubobjectTable, table)]);
    ("associations", data, "exports in associations, the limit is 65536")
}

/// Root signatures that are the bytes of one, each from another byte on: its name, the data, and
/// what its error says.
pub fn many_signatures() -> (&'static str, Vec<u8>, &'static str) {
    // One table of 4,000 ranges. Each signature has a header and a parameter of its own, and a
    // table whose ranges are those of all.
    let (count, ranges) = (100, 4000);
    let own = 6 + 3 + 2;
    let mut raw = Vec::new();
    for n in 0..count {
        // Offsets count from the header: parameter, table, ranges.
        let to_ranges = 4 * own * (count - n);
        raw.extend([2, 1, 24, 0, 0, 0x80, 0, 0, 36, ranges, to_ranges]);
    }
    for n in 0..ranges {
        // SRV, one descriptor, its register, space 0, no flags, appended.
        raw.extend([0, 1, n, 0, 0, u32::MAX]);
    }
    let size = 4 * raw.len() as u32;
    let table = subobjects(count, |n| [2, 4 + 4 * n, 4 * own * n, size - 4 * own * n, 0, 0]);
    let data = built(&[(Kind::StringBuffer, strings(count)), (Kind::RawBytes, raw), (Kind::SubobjectTable, table)]);
    ("root signatures", data, "items in root signatures, the limit is 65536")
}

/// Functions that share one list of as many dependencies, all of which are one long name.
pub fn many_dependencies(count: u32) -> Vec<u8> {
    let mut names = vec![0];
    names.extend(std::iter::repeat_n(u32::from_le_bytes(*b"long"), 4_000));
    names.push(0);
    let list = [count].into_iter().chain(std::iter::repeat_n(4, count as usize)).collect();
    // Names, resources, dependencies, kind (a library's), bytes, features, stages, target.
    let record = [0, 0, u32::MAX, 0, 6, 0, 0, 0, 0, 0, 0];
    let table = [count, 44].into_iter().chain((0..count).flat_map(|_| record)).collect();
    built(&[(Kind::StringBuffer, names), (Kind::IndexArrays, list), (Kind::FunctionTable, table)])
}

/// Hit groups that all have one shader, and local root signatures with long names that no
/// association names, so that each is the default of each group.
pub fn many_groups(shader: &str) -> Vec<u8> {
    let (count, own, of_name) = (2_000, 6 + 3 + 3, 64);
    let mut names = vec![0];
    names.extend(strings(2 * count).into_iter().skip(1).flat_map(|name| {
        // The name continues to the last byte of its words, which ends it.
        let rest = std::iter::repeat_n(u32::from_le_bytes(*b"long"), of_name - 2);
        [name | u32::from(b'-') << 24].into_iter().chain(rest).chain([u32::from_le_bytes(*b"end\0")])
    }));
    let of_shader = 4 * names.len() as u32;
    let mut text = [shader.as_bytes(), &[0]].concat();
    text.resize(text.len().next_multiple_of(4), 0);
    names.extend(text.chunks_exact(4).map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]])));
    let root_constants = |n| [2, 1, 24, 0, 0, 0x80, 1, 0, 36, n, 0, 1];
    let raw = (0..count).flat_map(root_constants).collect();
    let name = |n| 4 + 4 * of_name as u32 * n;
    let table = subobjects(2 * count, |n| match n.checked_sub(count) {
        None => [2, name(n), 4 * own * n, 4 * own, 0, 0],
        Some(_) => [11, name(n), 0, 0, of_shader, 0],
    });
    built(&[(Kind::StringBuffer, names), (Kind::RawBytes, raw), (Kind::SubobjectTable, table)])
}
