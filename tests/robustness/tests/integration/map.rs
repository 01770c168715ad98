//! Changed texts of binding maps. Each must give a map whose plans are made or refused, or a typed
//! error with its place, never a panic. `CASES`, `SEED` and `CASE` are as for containers.

use std::env;

use dxil_test_support::{Random, fixture};
use dxil_translator::{
    BindingMap, ErrorKind, Model, PipelineStage, Place, PlanInputs, Shader, VULKAN_1_3_DESKTOP, plan,
};

/// Pieces of text that mean something in a map.
const WORDS: [&str; 33] = [
    "{",
    "}",
    "[",
    "]",
    ",",
    "=",
    "nan",
    "true",
    "-1",
    "0",
    "1",
    "7",
    "4294967295",
    "4294967296",
    "1e99",
    "\"unbounded\"",
    "class",
    "\"b\"",
    "\"t\"",
    "\"u\"",
    "register",
    "count",
    "space",
    "stages",
    "\"pixel\"",
    "set",
    "binding",
    "first",
    "counter",
    "push",
    "address",
    "\"\\u0000\"",
    "\u{fffd}",
];

fn number(name: &str, default: usize) -> usize {
    env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")))
}

/// The text cut into words, numbers and single characters.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (token, after) = rest.split_at(if word == 0 { first.len_utf8() } else { word });
        tokens.push(token);
        rest = after;
    }
    tokens
}

fn mutate(text: &str, random: &mut Random) -> String {
    let mut tokens: Vec<&str> = tokens(text);
    // Half of the texts stay TOML: only numbers change.
    if random.below(2) == 0 {
        let numbers: Vec<&str> = WORDS.into_iter().filter(|word| word.parse::<u64>().is_ok()).collect();
        let places: Vec<usize> = (0..tokens.len()).filter(|&at| tokens[at].parse::<u32>().is_ok()).collect();
        for _ in 0..=random.below(4) {
            tokens[*random.choose(&places).unwrap()] = random.choose(&numbers).unwrap();
        }
        return tokens.concat();
    }
    tokens.retain(|token| *token == "\n" || !token.trim().is_empty());
    for _ in 0..=random.below(4) {
        let at = random.below(tokens.len());
        match random.below(6) {
            0 => drop(tokens.remove(at)),
            1 => tokens.truncate(at),
            2 => tokens.insert(at, random.choose(&WORDS).unwrap()),
            3 => tokens.swap(at, 0),
            4 => {
                let end = (at + random.below(40)).min(tokens.len());
                let copy = tokens[at..end].to_vec();
                tokens.splice(at..at, copy);
            }
            // The most common change keeps the text a map: another word in the place of one.
            _ => tokens[at] = random.choose(&WORDS).unwrap().trim_matches('"'),
        }
        if tokens.is_empty() {
            break;
        }
    }
    tokens.concat()
}

#[test]
fn changed_maps() {
    let read = |name: &str| fixture(&format!("map/{name}"));
    let texts = ["compute.map.toml", "stages.map.toml"].map(|name| String::from_utf8(read(name)).unwrap());
    let shaders = ["compute.dxil", "stages.vs.dxil", "stages.ps.dxil"].map(|name| Shader::parse(&read(name)).unwrap());
    let stages = shaders.each_ref().map(|shader| PipelineStage::new(shader, shader.find_entry(None).unwrap()));
    let (seed, cases) = (number("SEED", 1) as u64, number("CASES", 50_000));
    let only = env::var("CASE").ok().map(|_| number("CASE", 0));
    let (mut maps, mut planned, mut refused) = (0, 0, 0);
    for case in only.map_or(0..cases, |case| case..case + 1) {
        let mut random = Random::from_case(seed, case as u64);
        let text = mutate(&texts[case % 2], &mut random);
        if only.is_some() {
            println!("{text}");
        }
        let map = std::panic::catch_unwind(|| BindingMap::parse(&text));
        let map = map.unwrap_or_else(|_| panic!("CASE={case} SEED={seed} panics:\n{text}"));
        let map = match map {
            Ok(map) => map,
            Err(error) => {
                let placed = matches!(error.place(), Place::Column { .. })
                    || ["entries[", "has version", " the limit is ", "missing key"]
                        .iter()
                        .any(|place| error.message().contains(place));
                assert!(placed && error.kind() != ErrorKind::Bug, "CASE={case} SEED={seed}: {error}\n{text}");
                continue;
            }
        };
        maps += 1;
        let of_case = if case % 2 == 0 { &stages[..1] } else { &stages[1..] };
        let plans =
            std::panic::catch_unwind(|| plan(of_case, &PlanInputs::new(&VULKAN_1_3_DESKTOP).with_map(Some(&map))));
        match plans.unwrap_or_else(|_| panic!("CASE={case} SEED={seed} panics in planning:\n{text}")) {
            Ok(plan) => {
                assert_eq!(plan.model, Model::Map);
                planned += 1;
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Binding, "CASE={case} SEED={seed}: {error}\n{text}");
                refused += 1;
            }
        }
    }
    println!("{cases} texts: {maps} maps, of which {planned} gave plans and {refused} did not");
    assert!(only.is_some() || maps > cases / 20 && planned > 0 && refused > 0, "too few texts are maps");
}
