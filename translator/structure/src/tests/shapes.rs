//! Named shapes, each a file that a person can read: the HLSL it came from, the graph, the options,
//! the tree, and the structured code.
//!
//! `BLESS=1` writes the results into the files; a person then reads them against the HLSL.

use std::fs;
use std::path::Path;

use dxil_test_support::golden;

use super::agree::check;
use crate::Options;
use crate::graph::Graph;
use crate::outline::Outline;

#[test]
fn named_shapes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tests/shapes");
    let mut files: Vec<_> =
        fs::read_dir(&folder).expect("the folder of shapes").map(|f| f.expect("a file").path()).collect();
    files.sort();
    let mut different = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).expect("a readable file");
        let (input, result) = text.split_once("--- options\n").unwrap_or((&text, ""));
        let options: Options = result.lines().next().unwrap_or_default().parse().expect("options");
        let source = |line: &&str| line.starts_with("//");
        let graph: String = input.lines().filter(|line| !source(line)).map(|line| format!("{line}\n")).collect();
        let graph: Graph = graph.parse().unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let structured = check(&graph, &options).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let source: String = input.lines().filter(source).map(|line| format!("{line}\n")).collect();
        let code = Outline(&structured.layout).to_string();
        assert!(!source.is_empty(), "{}: without the HLSL that it came from", file.display());
        let result = format!("{source}{graph}--- options\n{options}\n--- tree\n{}--- code\n{code}", structured.tree);
        different.extend(golden::compare(file, &result).err());
    }
    println!("{} named shapes", files.len());
    assert!(files.len() >= 40);
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn options_have_a_text_form() {
    let text = "terminals=share tangled_switch=switch exit_regions=after fallthrough=selector guards=plain leaving=selection \
                irreducible=refuse";
    let options: Options = text.parse().expect("options");
    assert_eq!(options.to_string(), text);
    assert_eq!("".parse::<Options>().expect("defaults"), Options::default());
    assert_eq!(Options::default().to_string().parse::<Options>().expect("defaults"), Options::default());
    assert!("guards=never".parse::<Options>().is_err());
    assert!("loops".parse::<Options>().is_err());
}
