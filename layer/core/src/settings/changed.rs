//! Malformed settings files: values of other settings, numbers at their limits, bytes that are not
//! text. Each results in settings and warnings, never in a panic, and the result is deterministic.
//! `SEED` and `CASES` choose other files.

use std::time::{Duration, Instant};

use dxil_test_support::Random;

use super::table::{Kind, SETTINGS};
use super::{Settings, Sources};

/// Fragments of values. Some of them are valid values of a setting.
const PIECES: [&str; 32] = [
    "",
    "0",
    "1",
    "-1",
    "65536",
    "65537",
    "1048577",
    "4294967295",
    "4294967296",
    "18446744073709551616",
    "true",
    "on",
    "off",
    "t",
    "b=",
    "t=1",
    "s=4294967295",
    ",",
    "=",
    " ",
    "96=2",
    "4294967295=0",
    "1.3.239",
    "shaderInt64",
    "\u{fffd}",
    "é",
    "\0",
    "/",
    "..",
    "root-signature",
    "offsets",
    "debug",
];

fn value(random: &mut Random) -> String {
    let setting = SETTINGS[random.below(SETTINGS.len())];
    match (random.below(3), setting.kind) {
        (0, Kind::Enum(words)) => words[random.below(words.len())].0.to_owned(),
        (0, _) => setting.default.to_owned(),
        _ => (0..=random.below(4)).map(|_| PIECES[random.below(PIECES.len())]).collect(),
    }
}

fn file(random: &mut Random) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..=random.below(12) {
        let key = match random.below(6) {
            0 => value(random),
            1 => SETTINGS[random.below(SETTINGS.len())].key.to_uppercase(),
            _ => SETTINGS[random.below(SETTINGS.len())].key.to_owned(),
        };
        let line = format!("dxil_translate.{key} = {}\n", value(random));
        bytes.extend(line.into_bytes());
    }
    for _ in 0..random.below(4) {
        let at = random.below(bytes.len());
        bytes[at] = random.bits() as u8;
    }
    bytes
}

fn read(bytes: &[u8]) -> Settings {
    Settings::from_sources(&Sources::from_file(bytes))
}

#[test]
fn changed_files() {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (seed, cases) = (number("SEED").unwrap_or(1), number("CASES").unwrap_or(2_000));
    let (mut accepted, mut warned) = (0, 0);
    for case in 0..cases {
        let bytes = file(&mut Random::from_case(seed, case));
        let text = || format!("case {case}: {}", String::from_utf8_lossy(&bytes));
        let settings = read(&bytes);
        assert_eq!(format!("{settings:?}"), format!("{:?}", read(&bytes)), "{}", text());
        // These numbers have limits in the table.
        assert!(settings.cache_bytes <= 65536 << 20 && settings.dump_bytes <= 1 << 40, "{}", text());
        match settings.warnings.is_empty() {
            true => accepted += 1,
            false => warned += 1,
        }
    }
    assert!(accepted > cases / 100 && warned > cases / 2, "{accepted} files without a warning, {warned} with one");
}

/// Files of the largest size that is read.
#[test]
fn long_files() {
    let long = "x".repeat(1 << 20);
    for text in [
        format!("dxil_translate.{long} = 1"),
        format!("dxil_translate.spaces = {}", "1=1,".repeat(1 << 18)),
        format!("dxil_translate.spaces = {}", (0..90_000u32).map(|n| format!("{n}=1,")).collect::<String>()),
        format!("dxil_translate.register_shifts = {}", "t=1,".repeat(1 << 18)),
        format!("dxil_translate.profile_cap = 1.3,{}", "shaderInt65,".repeat(80_000)),
        "dxil_translate.y = 1\n".repeat(50_000),
        "dxil_translate.stats = 1\n".repeat(40_000),
        "=".repeat(1 << 20),
    ] {
        let started = Instant::now();
        let settings = read(text.as_bytes());
        let (time, start) = (started.elapsed(), &text[..40]);
        assert!(time < Duration::from_secs(5), "{start}…: {time:?}");
        assert!(settings.warnings.len() <= 110, "{start}…: {} warnings", settings.warnings.len());
        println!("{start}…: {time:?}, {} warnings", settings.warnings.len());
    }
}
