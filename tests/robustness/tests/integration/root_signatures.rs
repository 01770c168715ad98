//! Random changes of root signatures in all their forms: serialized, text, metadata. Each must give
//! a root signature that converts through the other forms without change, or a typed error with its
//! place.
//!
//! The environment variable `CASES` sets the number of cases of each form, and `SEED` selects
//! others.

use dxil_robustness::mutate::mutate_records;
use dxil_robustness::pipeline::{self, Outcome};
use dxil_robustness::{Campaign, Corpus, Tally};
use dxil_test_support::{Random, fixture};
use dxil_translator::{Error, RootSignature, RootVersion};

fn file(name: &str) -> Vec<u8> {
    fixture(&format!("root-signatures/{name}"))
}

fn lines(name: &str) -> Vec<String> {
    let text = String::from_utf8(file(name)).unwrap();
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned).collect()
}

/// The words of a root signature that went through all forms, which [`same`] compares.
fn forms(signature: &RootSignature) -> Result<Vec<Vec<u32>>, Error> {
    let bytes = |signature: &RootSignature| -> Result<Vec<u32>, Error> {
        Ok(signature.serialize()?.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect())
    };
    let container = RootSignature::from_bytes(&signature.serialize_container()?, None)?;
    let text = RootSignature::parse_text(&signature.to_string(), Some(signature.version))?;
    let words = [bytes(signature)?, bytes(&container)?, bytes(&text)?].concat();
    // Version 1.0 and 1.1 do not have each flag of 1.2.
    for version in RootVersion::ALL {
        if let Ok(converted) = signature.to_version(version) {
            converted.check()?;
        }
    }
    Ok(vec![words])
}

fn any_form(input: &[u8]) -> Outcome {
    let signature = match RootSignature::from_bytes(input, None) {
        Ok(signature) => signature,
        Err(error) => return Outcome::Refused(error),
    };
    match forms(&signature) {
        Ok(words) => Outcome::Translated(words),
        // What was read can be written and read again.
        Err(error) => panic!("{signature}: {error}"),
    }
}

/// Judges that the three forms of a signature gave the same words.
fn same(words: &[u32]) -> Result<(), String> {
    let (first, rest) = words.split_at(words.len() / 3);
    let (second, third) = rest.split_at(rest.len() / 2);
    if first == second && first == third { Ok(()) } else { Err(format!("{first:x?}, {second:x?}, {third:x?}")) }
}

fn number(variable: &str) -> Option<usize> {
    std::env::var(variable).ok().and_then(|text| text.parse().ok())
}

fn run(name: &str, cases: usize, change: &(dyn Fn(&mut Random) -> (String, Vec<u8>) + Sync)) -> Tally {
    let seed = number("SEED").unwrap_or(2) as u64;
    let cases = number("CASES").unwrap_or(cases);
    let make = |case: usize| change(&mut Random::from_case(seed, case as u64));
    Campaign { name, cases, make: &make, judge: &same }.run_with(&any_form)
}

/// Numbers at which counts, offsets and registers change their meaning.
const NUMBERS: [u32; 12] = [0, 1, 2, 3, 4, 24, 36, 44, 0x1000, 0x8000_0000, u32::MAX - 1, u32::MAX];

#[test]
fn serialized() {
    let parts: Vec<Vec<u32>> = lines("compiled.txt")
        .iter()
        .map(|line| line.split(' ').skip(2).map(|word| u32::from_str_radix(word, 16).unwrap()).collect())
        .collect();
    let change = |random: &mut Random| {
        let at = random.below(parts.len());
        let mut words = parts[at].clone();
        for _ in 0..=random.below(4) {
            let to = random.below(words.len());
            match random.below(8) {
                0 => words.truncate(to),
                1 => words.insert(to, NUMBERS[random.below(NUMBERS.len())]),
                2 if !words.is_empty() => drop(words.remove(to)),
                // Version 1.2 has the form of 1.1, and flags of samplers.
                3 if !words.is_empty() => words[0] = 1 + random.below(4) as u32,
                4 if !words.is_empty() => words[to] ^= 1 << random.below(32),
                5 if !words.is_empty() => words[to] = words[to].wrapping_add(random.below(9) as u32).wrapping_sub(4),
                _ if !words.is_empty() => words[to] = NUMBERS[random.below(NUMBERS.len())],
                _ => {}
            }
        }
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        if random.below(16) == 0 {
            bytes.truncate(random.below(bytes.len()));
        }
        (format!("part {at}"), bytes)
    };
    let tally = run("RTS0", 50_000, &change);
    assert!(number("CASES").is_some() || (tally.passed > 2_000 && tally.refused["Malformed"] > 10_000), "{tally}");
}

/// Pieces of texts of root signatures.
#[rustfmt::skip]
const PIECES: [&str; 35] = [
    "(", ")", ",", "=", "|", "/*", "*/", "//", "\n", "-", "+", "0", "4294967295", "4294967296", "1e9",
    "-inf", "nan", "é", "unbounded", "CBV", "Sampler", "StaticSampler(", "DescriptorTable(", "flags=",
    "DATA_STATIC", "UINT_BORDER_COLOR", "b0", "t0", "s1", "space=1", "offset=",
    "DESCRIPTOR_RANGE_OFFSET_APPEND", "visibility=SHADER_VISIBILITY_MESH", ",,", "CBV(b0),",
];

#[test]
fn text() {
    let texts: Vec<String> =
        lines("texts.txt").iter().map(|line| line.split_once('=').unwrap().1.trim().to_owned()).collect();
    let change = |random: &mut Random| {
        let at = random.below(texts.len());
        let mut characters: Vec<char> = texts[at].chars().collect();
        for _ in 0..[1, 1, 1, 2, 4][random.below(5)] {
            let from = random.below(characters.len() + 1);
            let to = (from + random.below(24)).min(characters.len());
            match random.below(8) {
                0 => drop(characters.drain(from..to)),
                1 => {
                    let copy = characters[from..to].to_vec();
                    characters.splice(from..from, copy);
                }
                2 => {
                    let other: Vec<char> = texts[random.below(texts.len())].chars().collect();
                    let start = random.below(other.len() + 1);
                    let end = (start + random.below(60)).min(other.len());
                    characters.splice(from..to, other[start..end].iter().copied());
                }
                3 if from < to => characters[from] = char::from(random.below(128) as u8),
                // Another number.
                4..=6 => {
                    let digit = |c: &char| c.is_ascii_digit();
                    let at = characters.iter().skip(from).position(digit).map(|at| from + at);
                    if let Some(at) = at {
                        characters[at] = char::from(b'0' + random.below(10) as u8);
                    }
                }
                _ => drop(characters.splice(from..from, PIECES[random.below(PIECES.len())].chars())),
            }
        }
        let text: String = characters.into_iter().collect();
        (format!("text {at}: {text}"), text.into_bytes())
    };
    let tally = run("root signature text", 100_000, &change);
    assert!(number("CASES").is_some() || (tally.passed > 2_000 && tally.refused["Malformed"] > 10_000), "{tally}");
    // Long texts of one kind take time in proportion to their length.
    for piece in PIECES {
        let long = piece.repeat(200_000 / piece.len());
        let started = std::time::Instant::now();
        let _ = any_form(long.as_bytes());
        assert!(started.elapsed().as_secs() < 5, "{piece}: {:?}", started.elapsed());
    }
}

/// Changed records of a shader's bitcode, which has its root signature in metadata alone. The
/// shader is translated as well.
#[test]
fn metadata() {
    let fixtures = Corpus::fixtures(8 << 10);
    let single = Corpus { entries: vec![fixtures.named("root-signatures/metadata.vs").clone()] };
    let subject = |input: &[u8]| match pipeline::run(input) {
        Outcome::Translated(_) => any_form(input),
        refused => match any_form(input) {
            // An error of the root signature may hide one of the shader, and the other way round.
            Outcome::Refused(error) => Outcome::Refused(error),
            Outcome::Translated(_) => refused,
        },
    };
    let seed = number("SEED").unwrap_or(2) as u64;
    let cases = number("CASES").unwrap_or(5_000);
    let make = |case: usize| mutate_records(&single, &mut Random::from_case(seed, case as u64));
    let tally = Campaign { name: "metadata", cases, make: &make, judge: &same }.run_with(&subject);
    assert!(number("CASES").is_some() || (tally.passed > 500 && tally.refused["Malformed"] > 500), "{tally}");
}
