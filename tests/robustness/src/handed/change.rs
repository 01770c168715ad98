//! Changes of texts, word by word, and of binary inputs, number by number.

use dxil_test_support::Random;

/// Numbers at which counts, offsets and registers change their meaning, and pieces of every syntax.
const PIECES: [&str; 28] = [
    "0",
    "1",
    "2",
    "7",
    "31",
    "32",
    "255",
    "65535",
    "4294967294",
    "4294967295",
    "4294967296",
    "-1",
    "1e99",
    "1.5",
    "nan",
    "\"",
    "\\u0000",
    "\u{fffd}",
    "é",
    "\n",
    "#",
    "=",
    ",",
    "{",
    "}",
    "[",
    "(",
    "unbounded",
];

/// A text cut into words, and characters that are no part of words.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (token, after) = rest.split_at(if word == 0 { first.len_utf8() } else { word });
        tokens.push(token);
        rest = after;
    }
    tokens
}

/// The different words of some texts.
pub fn words(samples: &[Vec<u8>]) -> Vec<String> {
    let texts = samples.iter().map(|sample| String::from_utf8_lossy(sample));
    let mut all: Vec<String> =
        texts.flat_map(|text| tokens(&text).into_iter().map(str::to_owned).collect::<Vec<_>>()).collect();
    all.retain(|word| word.chars().all(char::is_alphanumeric));
    all.sort();
    all.dedup();
    all
}

/// A changed sample. With words it is a text, otherwise a list of 32-bit numbers.
pub fn change(samples: &[Vec<u8>], words: &[String], random: &mut Random) -> Vec<u8> {
    let Some(sample) = random.choose(samples) else { return Vec::new() };
    let changes = [1, 1, 2, 3, 8][random.below(5)];
    if words.is_empty() {
        let mut bytes = sample.clone();
        (0..changes).for_each(|_| change_numbers(&mut bytes, samples, random));
        return bytes;
    }
    let text = String::from_utf8_lossy(sample).into_owned();
    // The name of the shader stays.
    let head = if text.starts_with("# ") { text.find('\n').map_or(0, |end| end + 1) } else { 0 };
    let mut tokens: Vec<&str> = tokens(&text[head..]);
    for _ in 0..changes {
        change_tokens(&mut tokens, words, random);
    }
    let mut bytes = [&text[..head], &tokens.concat()].concat().into_bytes();
    if random.below(32) == 0 {
        change_numbers(&mut bytes, samples, random);
    }
    bytes
}

/// A changed PDB: numbers of its header, of the list of the directory's blocks and of the
/// directory, which are sizes and numbers of blocks.
pub fn blocks(samples: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let mut bytes = random.choose(samples).cloned().unwrap_or_default();
    let word = |bytes: &[u8], at: usize| {
        let word = bytes.get(at..at + 4).and_then(|word| word.try_into().ok()).map(u32::from_le_bytes);
        word.unwrap_or(0) as usize
    };
    for _ in 0..[1, 1, 2, 4][random.below(4)] {
        let (block, directory, map) = (word(&bytes, 32), word(&bytes, 44), word(&bytes, 52));
        let list = map.saturating_mul(block);
        let start = word(&bytes, list).saturating_mul(block);
        let at = match random.below(3) {
            0 => 32 + 4 * random.below(6),
            1 => list + 4 * random.below(4),
            _ => start + 4 * random.below((directory / 4).clamp(1, 64)),
        };
        let blocks = bytes.len() / block.max(1);
        let old = word(&bytes, at);
        let new = match random.below(6) {
            0 => random.below(blocks + 2),
            1 => old.wrapping_add(random.below(9)).wrapping_sub(4),
            2 => old ^ 1 << random.below(32),
            3 => [0, 1, 5, 6, 512, 4096, 1 << 16, u32::MAX as usize - 1, u32::MAX as usize][random.below(9)],
            // The directory, the list of its blocks or the header as a part of themselves.
            4 => [0, map, word(&bytes, list)][random.below(3)],
            _ => bytes.len() + random.below(9) - 4,
        };
        match bytes.get_mut(at..at + 4) {
            Some(place) => place.copy_from_slice(&(new as u32).to_le_bytes()),
            None => bytes.truncate(random.below(bytes.len())),
        }
    }
    bytes
}

fn change_tokens<'a>(tokens: &mut Vec<&'a str>, words: &'a [String], random: &mut Random) {
    // Most tokens are blanks and signs; a word or number is what means something.
    let all: Vec<usize> = (0..tokens.len()).filter(|&at| !tokens[at].trim().is_empty()).collect();
    let numbers: Vec<usize> =
        all.iter().copied().filter(|&at| tokens[at].starts_with(|c: char| c.is_ascii_digit())).collect();
    let Some(&at) = random.choose(&all) else { return };
    let other = random.choose(words).map_or("", String::as_str);
    let piece = PIECES[random.below(PIECES.len())];
    match random.below(12) {
        0 => drop(tokens.remove(at)),
        1 => tokens.insert(at, piece),
        2 => tokens.insert(at, other),
        // A line or a run of words is doubled, moved or removed.
        3 => {
            let end = (at + 1 + random.below(40)).min(tokens.len());
            let run = tokens[at..end].to_vec();
            if random.below(2) == 0 {
                tokens.drain(at..end);
            }
            let to = random.below(tokens.len() + 1);
            tokens.splice(to..to, run);
        }
        4 => {
            let end = (at + 1 + random.below(20)).min(tokens.len());
            tokens.drain(at..end);
        }
        5 => {
            if let Some(&second) = random.choose(&all) {
                tokens.swap(at, second);
            }
        }
        6 | 7 => tokens[at] = other,
        _ => {
            if let Some(&number) = random.choose(&numbers) {
                tokens[number] = if random.below(3) == 0 { other } else { PIECES[random.below(14)] };
            }
        }
    }
}

fn change_numbers(bytes: &mut Vec<u8>, samples: &[Vec<u8>], random: &mut Random) {
    let at = 4 * random.below(bytes.len() / 4);
    let near = random.below(9) as u32;
    let numbers = [0, 1, 2, 3, 4, 24, 36, 44, 0x1000, 0x8000_0000, u32::MAX - 1, u32::MAX];
    let Some(old) = bytes.get(at..at + 4).and_then(|word| word.try_into().ok()).map(u32::from_le_bytes) else { return };
    let new = match random.below(10) {
        0 => return bytes.truncate(at + random.below(5)),
        1 => return drop(bytes.drain(at..at + 4)),
        2 => {
            let end = (at + 4 * (1 + random.below(32))).min(bytes.len());
            let run = bytes[at..end].to_vec();
            return drop(bytes.splice(at..at, run));
        }
        3 => {
            let Some(other) = random.choose(samples) else { return };
            let start = (4 * random.below(other.len() / 4)).min(other.len());
            let run = other[start..(start + 4 * (1 + random.below(32))).min(other.len())].to_vec();
            let end = (at + run.len()).min(bytes.len());
            return drop(bytes.splice(at..end, run));
        }
        4 | 5 => old.wrapping_add(near).wrapping_sub(4),
        6 | 7 => old ^ 1 << random.below(32),
        _ => numbers[random.below(numbers.len())],
    };
    bytes[at..at + 4].copy_from_slice(&new.to_le_bytes());
}
