//! Every committed container through the interface, with the callbacks of a program whose
//! descriptors are in heaps: each module is valid, and each refusal has a known reason.

use std::collections::BTreeMap;
use std::path::PathBuf;

use dxil_d3d12::caller::Caller;
use dxil_d3d12::tables::{self, Form};
use dxil_test_support::{containers, golden, read, repository};
use dxil_translator::{Feature, Shader, VULKAN_1_3_DESKTOP};
use dxil_validate::validate;

/// A refusal without what differs from shader to shader: the feature that is missing, or the kind
/// of the error with the end of its message.
fn reason(said: &str) -> String {
    // `error: shader HASH: KIND at PLACE: MESSAGE`
    let text = said.lines().next().unwrap_or_default();
    let text = text.splitn(3, ": ").nth(2).unwrap_or(text);
    let (kind, rest) = text.split_once(" at ").unwrap_or((text, ""));
    if kind.starts_with("missing feature") {
        return kind.to_owned();
    }
    let message = rest.rsplit(": ").next().unwrap_or_default().split_whitespace();
    let is_name = |word: &str| word.contains(|c: char| c.is_ascii_digit()) || word.contains('`');
    let words: Vec<_> = message.map(|word| if is_name(word) { "…" } else { word }).collect();
    format!("{kind}: {}", words.join(" "))
}

/// One container of this many is translated where it has no root signature.
const SAMPLE: usize = 16;

#[test]
fn containers_with_root_signatures_and_a_sample_of_others() {
    check("sample", SAMPLE, [550, 280]);
}

#[test]
#[ignore = "all entry points take minutes"]
fn every_container() {
    check("all", 1, [4700, 280]);
}

/// Translates the containers with a root signature, and one of `sample` others. There must be as
/// many valid entry points, and as many with a root signature.
fn check(name: &str, sample: usize, least: [usize; 2]) {
    let caller = Caller::new(name);
    let mut profile = VULKAN_1_3_DESKTOP;
    profile.features.set(Feature::ScalarBlockLayout, true);
    // Those of tests/robustness were changed at random, and some are refused as malformed.
    let is_compiled = |path: &PathBuf| !path.components().any(|part| part.as_os_str() == "robustness");
    let paths: Vec<_> = containers(repository().join("tests")).into_iter().filter(is_compiled).collect();
    let (mut signatures, mut valid, mut faults) = (0, 0, Vec::new());
    let mut refused: BTreeMap<String, Vec<String>> = BTreeMap::new();
    // By folder: the entry points that are translated.
    let mut translated: BTreeMap<&str, usize> = BTreeMap::new();
    for (index, path) in paths.iter().enumerate() {
        let name = path.strip_prefix(repository().join("tests")).unwrap_or(path).display().to_string();
        let Ok(shader) = Shader::parse(&read(path)) else {
            refused.entry(NO_SHADER.to_owned()).or_default().push(name);
            continue;
        };
        let has_signature = shader.root_signature().is_some();
        for (number, (id, entry)) in shader.entries().enumerate() {
            if !has_signature && (index + number) % sample != 0 {
                continue;
            }
            signatures += usize::from(shader.entry_root_signature(id).is_some());
            let form = if (index / sample + number).is_multiple_of(2) { Form::Whole } else { Form::Parts };
            let script = tables::script(&shader, id, form);
            match caller.translate(path, script.text()).words {
                Ok(words) => match validate(&words, &profile) {
                    Ok(_) => {
                        valid += 1;
                        *translated.entry(folder(&name)).or_default() += 1;
                    }
                    Err(error) => faults.push(format!("{name} `{}`: {error}", entry.name)),
                },
                Err(said) => refused.entry(reason(&said)).or_default().push(name.clone()),
            }
        }
    }
    let of_all: usize = refused.values().map(Vec::len).sum();
    println!(
        "{} containers: {valid} entry points valid, {signatures} of all with a root signature, {of_all} refused",
        paths.len()
    );
    for (reason, names) in &refused {
        println!("  {:>4}  {reason}  ({})", names.len(), names[0]);
    }
    println!("translated: {translated:?}");
    if sample == 1 {
        check_document(&refused);
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    assert!(valid >= least[0] && signatures >= least[1], "{valid} valid, {signatures} with a root signature");
    // What the translator refuses by itself: no binding form of the interface is among the reasons.
    let by_form: Vec<_> = refused.keys().filter(|reason| reason.contains("is not translated yet")).collect();
    assert!(by_form.is_empty(), "{by_form:?}");
}

/// The folder of a container below `tests`.
fn folder(name: &str) -> &'static str {
    let known = ["fixtures", "content", "corpus"];
    known.into_iter().find(|folder| name.starts_with(folder)).unwrap_or("others")
}

/// Checks that docs/d3d12.md has the counts of what goes to the original library.
fn check_document(refused: &BTreeMap<String, Vec<String>>) {
    let path = "docs/d3d12.md";
    let mut table = "| why | fixtures | content | corpus | others |\n|---|---|---|---|---|\n".to_owned();
    let mut row = |what: &str, number: &dyn Fn(&str) -> usize| {
        let numbers = ["fixtures", "content", "corpus", "others"].map(|folder| number(folder).to_string());
        table += &format!("| {what} | {} |\n", numbers.join(" | "));
    };
    for (reason, names) in refused.iter().filter(|(reason, _)| *reason != NO_SHADER) {
        row(reason, &|of| names.iter().filter(|name| folder(name) == of).count());
    }
    let text = std::fs::read_to_string(repository().join(path)).unwrap();
    let (begin, end) = ("<!-- forwarded -->\n", "<!-- end of forwarded -->\n");
    let (before, rest) = text.split_once(begin).expect("the mark before the table");
    let (_, after) = rest.split_once(end).expect("the mark after the table");
    golden::check(path, &format!("{before}{begin}{table}{end}{after}"));
}

/// Why a container without a shader is not counted.
const NO_SHADER: &str = "the container is no shader";
