//! Members of constant buffers, and the names of resources, in `dxil2spv layout` and
//! `dxil2spv resources`, as text and as JSON.

use dxil_test_support::Random;
use dxil_translator::Shader;
use serde_json::{Value, json};

use super::tool::{Run, run};

const SOURCE: &str = include_str!("../shaders/buffer_members.hlsl");
const BIT_FIELDS: &str = include_str!("../shaders/bit_fields.hlsl");
const SHIFTS: &str = "--shifts=b=0,t=100,u=200";

fn container(name: &str) -> String {
    format!("{}/tests/shaders/{name}.dxil", env!("CARGO_MANIFEST_DIR"))
}

fn text_of(run: &Run) -> &str {
    assert_eq!(run.code, 0, "{}", run.err);
    run.text()
}

/// The lines about members that the comments of the source say, by the declaration that they
/// follow. A comment has offset, size and declaration; two more spaces are one level.
fn expected(source: &'static str) -> Vec<(&'static str, Vec<String>)> {
    let mut all: Vec<(&str, Vec<String>)> = Vec::new();
    for line in source.lines().skip_while(|line| !line.starts_with("cbuffer")) {
        let declares = ["cbuffer", "tbuffer", "ConstantBuffer"].iter().any(|word| line.starts_with(word));
        if declares {
            let name = line.split([' ', '<', '>', '[']).filter(|word| !word.is_empty());
            let at = if line.starts_with("Constant") { 2 } else { 1 };
            all.push((name.clone().nth(at).unwrap(), Vec::new()));
        }
        let Some((_, comment)) = line.split_once("// ") else { continue };
        let level = comment.len() - comment.trim_start().len();
        let (place, declaration) = comment.trim_start().split_once(": ").unwrap();
        let (offset, size) = place.split_once(' ').unwrap();
        all.last_mut().unwrap().1.push(format!("{:level$}offset {offset}, size {size}: {declaration}", ""));
    }
    all
}

/// The lines about members after a line that has `name`, without their common indent.
fn members_after(text: &str, name: &str, prefix: &str) -> Vec<String> {
    let quoted = format!("\"{name}\"");
    let lines = text.lines().skip_while(|line| !(line.starts_with(prefix) && line.contains(&quoted))).skip(1);
    let members = lines.skip_while(|line| line.starts_with("    ") && !line.contains("offset"));
    let members: Vec<&str> = members.take_while(|line| line.contains("offset ")).collect();
    let indent = members.first().map_or(0, |line| line.find("offset").unwrap());
    members.iter().map(|line| line[indent..].to_owned()).collect()
}

#[test]
fn listings_have_the_members_of_constant_buffers() {
    let expected = expected(SOURCE);
    assert_eq!(
        expected.iter().map(|(name, members)| (*name, members.len())).collect::<Vec<_>>(),
        [("Frame", 18), ("plain", 3), ("Table", 2), ("Unused", 1)]
    );
    let file = container("buffer_members");
    let (resources, layout) = (run(&["resources", &file]), run(&["layout", SHIFTS, &file]));
    for (name, members) in &expected {
        // The compiler leaves out buffers that the shader does not use.
        let members = if *name == "Unused" { &Vec::new() } else { members };
        assert_eq!(members_after(text_of(&resources), name, ""), *members, "{name}");
        assert_eq!(members_after(text_of(&layout), name, "# members of"), *members, "{name}");
    }
    let stripped = container("buffer_members.stripped");
    for arguments in [&["resources", &stripped][..], &["layout", SHIFTS, &stripped]] {
        assert!(!text_of(&run(arguments)).contains("offset"), "{arguments:?}");
    }
}

/// The members of JSON as lines of the text.
fn lines(members: &Value, level: usize, out: &mut Vec<String>) {
    for member in members.as_array().unwrap_or(&Vec::new()) {
        let [offset, size] = ["offset", "size"].map(|key| member[key].as_u64().unwrap());
        let [ty, name] = ["type", "name"].map(|key| member[key].as_str().unwrap());
        let counts = member["array"].as_array().into_iter().flatten().map(|count| format!("[{count}]"));
        let array: String = counts.collect();
        let bits = match &member["bits"] {
            Value::Null => String::new(),
            bits => {
                let [first, count] = ["first", "count"].map(|key| bits[key].as_u64().unwrap());
                if count == 1 { format!(", bit {first}") } else { format!(", bits {first} to {}", first + count - 1) }
            }
        };
        out.push(format!("{:level$}offset {offset}, size {size}{bits}: {ty} {name}{array}", ""));
        lines(&member["members"], level + 2, out);
    }
}

#[test]
fn json_has_names_and_members() {
    let run_json = |name: &str| -> Value {
        serde_json::from_str(text_of(&run(&["layout", "--json", SHIFTS, &container(name)]))).unwrap()
    };
    let document = run_json("buffer_members");
    let buffers = document["constant_buffers"].as_array().unwrap();
    assert_eq!(buffers.len(), 3);
    for (name, members) in expected(SOURCE).iter().filter(|(name, _)| *name != "Unused") {
        let quoted = format!("\"{name}\"");
        let buffer = buffers.iter().find(|buffer| buffer["resource"].as_str().unwrap().contains(&quoted)).unwrap();
        let mut found = Vec::new();
        lines(&buffer["members"], 0, &mut found);
        assert_eq!(found, *members, "{name}");
    }
    let names = |document: &Value| -> Vec<String> {
        let bindings = document["sets"][0]["bindings"].as_array().unwrap();
        bindings.iter().map(|binding| binding["resources"][0].as_str().unwrap().to_owned()).collect()
    };
    for (text, name) in names(&document).iter().zip(["Frame", "Table", "results"]) {
        assert!(text.ends_with(&format!(" \"{name}\"")), "{text}");
    }
    let plain = document["sets"][2]["bindings"][0]["resources"].clone();
    assert_eq!(plain, json!(["b1[4] space2 ConstantBuffer size 14 \"plain\""]));

    let stripped = run_json("buffer_members.stripped");
    assert_eq!(stripped.get("constant_buffers"), None);
    assert!(!names(&stripped).iter().any(|text| text.contains('"')), "{stripped}");
}

/// In the text and in JSON.
#[test]
fn bit_fields_are_members() {
    let file = container("bit_fields");
    let text = run(&["resources", &file]);
    let run = run(&["layout", "--json", SHIFTS, &file]);
    let document: Value = serde_json::from_str(text_of(&run)).unwrap();
    let expected = expected(BIT_FIELDS);
    assert_eq!(expected.iter().map(|(_, members)| members.len()).collect::<Vec<_>>(), [14, 10]);
    for ((name, members), buffer) in expected.iter().zip(document["constant_buffers"].as_array().unwrap()) {
        let mut found = Vec::new();
        lines(&buffer["members"], 0, &mut found);
        assert_eq!(found, *members, "{name}");
        assert_eq!(members_after(text_of(&text), name, ""), *members, "{name}");
    }
}

/// Annotations from anywhere say nothing or something, within the bounds.
#[test]
fn faulty_annotations_are_harmless() {
    faulty("buffer_members", 3);
    faulty("bit_fields", 2);
}

/// Changes bits of the reflection part of a container with so many constant buffers.
fn faulty(name: &str, buffers: usize) {
    let original = dxil_test_support::read(container(name));
    let members = Shader::parse(&original).unwrap().buffer_members();
    assert_eq!(members.len(), buffers);
    let at = original.windows(4).position(|window| window == b"STAT").unwrap() + 8;
    let size = u32::from_le_bytes(original[at - 4..at].try_into().unwrap()) as usize;
    let (mut same, mut others, mut none) = (0, 0, 0);
    for case in 0..600 {
        let (mut random, mut bytes) = (Random::from_case(35, case), original.clone());
        for _ in 0..1 + random.below(3u32) {
            let bit = random.below(size * 8);
            bytes[at + bit / 8] ^= 1 << (bit % 8);
        }
        let found = Shader::parse(&bytes).unwrap().buffer_members();
        match found.is_empty() {
            true => none += 1,
            false if found == members => same += 1,
            false => others += 1,
        }
    }
    assert!(same > 20 && others > 20 && none > 20, "{name}: {same} as before, {others} others, {none} without");
}
