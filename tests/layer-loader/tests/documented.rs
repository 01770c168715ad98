//! docs/pipeline-layout.md quotes a shader and two programs. This test holds the quotes to the
//! files, which other tests compile and run.

use std::fs;

use dxil_layer_loader::root;

/// The text of a file between two lines that contain a marker.
fn between(path: &str, marker: &str) -> String {
    let text = fs::read_to_string(root().join(path)).expect(path);
    let marks: Vec<usize> = (0..).zip(text.lines()).filter(|(_, line)| line.contains(marker)).map(|(n, _)| n).collect();
    let &[first, last] = &marks[..] else { panic!("{path} has `{marker}` {} times, not twice", marks.len()) };
    let lines: Vec<&str> = text.lines().skip(first + 1).take(last - first - 1).collect();
    assert!(lines.len() > 5, "{path} has next to nothing between the lines with `{marker}`");
    lines.join("\n") + "\n"
}

#[test]
fn quotes_are_the_text_of_the_files() {
    let document = fs::read_to_string(root().join("docs/pipeline-layout.md")).unwrap();
    let quotes = [
        ("hlsl", "tests/fixtures/rootsig/pipeline_layout.hlsl", "// [shader]"),
        ("c", "tests/layer-loader/examples/pipeline_layout.c", "/* [layout] */"),
        ("rust", "tests/layer-loader/examples/pipeline_layout.rs", "// [layout]"),
    ];
    for (language, path, marker) in quotes {
        let block = format!("```{language}\n{}```\n", between(path, marker));
        assert!(document.contains(&block), "docs/pipeline-layout.md does not quote {path}:\n{block}");
    }
}
