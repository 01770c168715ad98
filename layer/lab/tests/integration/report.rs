//! `dxil-lab report`: its page, read as a browser reads it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use dxil_capture::Digest;
use dxil_lab::exec::compare::{Comparison, Difference, Verdict};
use dxil_lab::results::{
    Begun, Build, Coverage, Element, Execution, FirstLine, Header, How, Inputs, Outcome, Output, Rounds, Row,
    output_path, outputs,
};

use crate::common::{Folder, lab, succeed, synth};

/// What would be markup if it were not text.
const HOSTILE: &str = "</pre></script><script>alert(\"&'\")</script><img src=x>\u{1b}[31m\0";

/// An element of the page: its name, its attributes, and its text with that of all in it.
struct Node {
    name: String,
    attributes: BTreeMap<String, String>,
    text: String,
}

fn fixtures(group: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures").join(group)
}

fn unescaped(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    text.replace("&amp;", "&")
}

/// The elements in the order in which they end. Panics where the page is not well-formed.
fn parse(page: &str) -> Vec<Node> {
    let mut rest = page.strip_prefix("<!DOCTYPE html>").expect("a document type");
    let (mut open, mut closed): (Vec<Node>, Vec<Node>) = (Vec::new(), Vec::new());
    while let Some(at) = rest.find('<') {
        let text = unescaped(&rest[..at]);
        assert!(!rest[..at].contains('>'), "a bare > in {:?}", &rest[..at]);
        open.iter_mut().for_each(|node| node.text.push_str(&text));
        let end = rest.find('>').expect("a tag that ends");
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            let node = open.pop().expect("an open element");
            assert_eq!(node.name, name, "elements end in order");
            closed.push(node);
            continue;
        }
        let (tag, is_void) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, mut list) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "an element is called {name:?}");
        let mut attributes = BTreeMap::new();
        while !list.is_empty() {
            let (key, after) = list.split_once("=\"").expect("a value in quotation marks");
            let (value, after) = after.split_once('"').expect("a closing quotation mark");
            assert!(attributes.insert(key.trim().to_owned(), unescaped(value)).is_none(), "{key} twice");
            list = after;
        }
        let mut node = Node { name: name.to_owned(), attributes, text: String::new() };
        // The content of these two is no markup.
        if let "script" | "style" = name {
            let close = format!("</{name}>");
            let at = rest.find(&close).expect("an end");
            node.text = rest[..at].to_owned();
            rest = &rest[at + close.len()..];
            closed.push(node);
        } else if is_void {
            closed.push(node);
        } else {
            open.push(node);
        }
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "elements that do not end");
    closed
}

/// Nothing is loaded, and only what the program brings is script or style.
fn assert_has_no_outside(nodes: &[Node]) {
    for node in nodes {
        assert!(!["img", "link", "iframe", "object", "embed", "base"].contains(&node.name.as_str()), "{}", node.name);
        for (key, value) in &node.attributes {
            assert!(!key.starts_with("on") && key != "style", "{} has {key}", node.name);
            if let "src" | "href" | "action" | "srcset" | "data" = key.as_str() {
                assert!(key == "href" && value.starts_with('#'), "{key}={value}");
            }
        }
        if node.name == "style" {
            assert!(!node.text.contains("url(") && !node.text.contains("@import"));
        }
    }
    for (name, content) in
        [("script", include_str!("../../src/report/script.js")), ("style", include_str!("../../src/report/style.css"))]
    {
        let all: Vec<&Node> = nodes.iter().filter(|node| node.name == name).collect();
        assert_eq!(all.len(), 1, "one {name}");
        assert_eq!(all[0].text, content);
    }
}

fn header(driver: &str, inputs: Option<Inputs>) -> Header {
    let (driver, device) = (driver.to_owned(), format!("device of {driver}"));
    let libraries = BTreeMap::from([(format!("libvulkan_{driver}.so"), "build id 12ab".to_owned())]);
    let build = Build { driver: format!("{driver} 25.0.7"), libraries, ..Build::default() };
    let how = How { timeout: 60, memory: 4096, ..How::default() };
    let (driver_version, api_version, validation) = (1, 1 << 22, true);
    Header { format: Header::FORMAT, driver, device, driver_version, api_version, validation, inputs, build, how }
}

fn write_results(folder: &Path, header: &Header, rows: &[Row]) {
    fs::create_dir_all(folder).unwrap();
    let begun = Begun {
        command: format!("dxil-lab exec capture --driver {}", header.driver),
        date: "2026-11-27T12:00:00Z".to_owned(),
        driver: format!("/drivers/{}.json", header.driver),
        device: None,
    };
    let mut text = serde_json::to_string(&FirstLine { header: header.clone(), begun }).unwrap() + "\n";
    rows.iter().for_each(|row| text += &(serde_json::to_string(row).unwrap() + "\n"));
    fs::write(folder.join(format!("{}.jsonl", header.driver)), text).unwrap();
}

fn executed(pipeline: Digest, words: &[f32], folder: &Path, driver: &str) -> Row {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let path = output_path(&outputs(folder, driver), pipeline, 0);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, &bytes).unwrap();
    let output = Output {
        name: "set 0, binding 512".into(),
        element: Element::Float,
        components: 1,
        bytes: bytes.len(),
        digest: Digest::new(&bytes),
        is_changed: true,
        round: 0,
        is_stable: true,
        has_edges: false,
    };
    let mut row = Row::new(pipeline, Outcome::Executed, String::new());
    let (outputs, depends, inputs) = (vec![output], Vec::new(), Digest([0; 32]));
    row.execution = Some(Execution {
        outputs,
        is_stable: true,
        coverage: None,
        rounds: Rounds::default(),
        depends,
        inputs,
        device_ns: Some(10_000),
    });
    (row.driver_us, row.layer_us, row.memory_kib) = (1500, 700, 2048);
    row.modules = vec![(Digest::new(b"module"), 100)];
    row
}

/// A capture with results of two drivers, a difference, a crash, a message, and a bundle.
fn prepare(folder: &Folder) -> Vec<Digest> {
    let capture = folder.at("capture");
    let list = synth(&capture, &[fixtures("cbuffer")]);
    let names: Vec<Digest> = list.pipelines.iter().map(|it| it.pipeline).collect();
    assert!(names.len() > 4, "{}", names.len());
    // A label and a name of a file are anything.
    let mut list = list;
    list.pipelines[0].label = HOSTILE.into();
    list.pipelines[0].stages[0].file = HOSTILE.into();
    fs::write(capture.join("synth.json"), serde_json::to_string(&list).unwrap()).unwrap();

    let exec = capture.join("exec");
    let inputs = Some(Inputs { seed: 0, edges: false, rounds: Rounds::default() });
    let (mut good, mut tried) = (Vec::new(), Vec::new());
    for (index, name) in names.iter().enumerate() {
        good.push(executed(*name, &[1.0, 2.0, 3.0, 4.0], &exec, "good"));
        tried.push(match index {
            0 => executed(*name, &[1.0, 2.5, 3.0, 4.5], &exec, "tried"),
            1 => Row {
                call: Some("vkCreateComputePipelines".into()),
                ..Row::new(*name, Outcome::Crashed, format!("signal 11 (SIGSEGV) {HOSTILE}"))
            },
            2 => Row { validation: vec![HOSTILE.into()], ..executed(*name, &[1.0, 2.0, 3.0, 4.0], &exec, "tried") },
            // The run was stopped before this one.
            3 => continue,
            _ => executed(*name, &[1.0, 2.0, 3.0, 4.0], &exec, "tried"),
        });
    }
    write_results(&exec, &header("good", inputs), &good);
    write_results(&exec, &header("tried", inputs), &tried);
    let compared = |row: &Row| {
        let (verdict, differences) = match (row.pipeline == names[0], row.outcome) {
            (true, _) => (
                Verdict::Differs,
                vec![Difference {
                    round: 0,
                    output: "set 0, binding 512".into(),
                    element: 1,
                    values: ["2.0".into(), "2.5".into()],
                    beyond: 2,
                    not_finite: 0,
                    different: 2,
                    elements: 4,
                    at_edges: false,
                }],
            ),
            (_, Outcome::Crashed) => (Verdict::OneSided, Vec::new()),
            _ => (Verdict::Equal, Vec::new()),
        };
        Comparison { pipeline: row.pipeline, verdict, detail: String::new(), differences, depends: Vec::new() }
    };
    let comparisons: Vec<Comparison> = tried.iter().map(compared).collect();
    fs::write(exec.join("tried-against-good.json"), serde_json::to_string(&comparisons).unwrap()).unwrap();

    let mut counted = good[0].clone();
    let execution = counted.execution.as_mut().unwrap();
    execution.coverage = Some(Coverage { blocks: [10, 9], stores: [4, 3] });
    write_results(&exec.join("coverage"), &header("good", inputs), &[counted]);

    let bundle = capture.join("bundles/crash");
    fs::create_dir_all(&bundle).unwrap();
    let fields = serde_json::json!({ "pipeline": names[1], "driver": "tried", "more": 1 });
    fs::write(bundle.join("reduced.json"), fields.to_string()).unwrap();
    fs::write(bundle.join("README.md"), format!("# crashed\n{HOSTILE}")).unwrap();
    fs::write(bundle.join("command.sh"), "#!/bin/sh\ndxil-lab run \"$folder/capture\"\n").unwrap();
    fs::write(bundle.join("reduced.compute.spvasm"), format!("OpName %1 \"{HOSTILE}\"")).unwrap();
    names
}

fn report(capture: &Path, page: &Path) -> serde_json::Value {
    let said = succeed(lab().arg("report").arg(capture).arg("--out").arg(page).arg("--json"));
    serde_json::from_str(&said).unwrap()
}

#[test]
fn the_page_has_every_pipeline_once_and_the_counts_of_the_results() {
    let folder = Folder::new("report");
    let names = prepare(&folder);
    let said = report(&folder.at("capture"), &folder.at("page.html"));
    let page = fs::read_to_string(folder.at("page.html")).unwrap();
    let nodes = parse(&page);
    assert_has_no_outside(&nodes);

    let rows = nodes.iter().filter_map(|node| node.attributes.get("data-pipeline"));
    let rows: Vec<&str> = rows.map(String::as_str).collect();
    let expected: BTreeSet<String> = names.iter().map(Digest::short).collect();
    assert_eq!(rows, expected.iter().map(String::as_str).collect::<Vec<_>>());
    let ids: Vec<&String> = nodes.iter().filter_map(|node| node.attributes.get("id")).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "ids are there once");
    let links = nodes.iter().filter(|node| node.name == "a").map(|node| &node.attributes["href"][1..]);
    assert!(links.clone().all(|to| ids.iter().any(|id| *id == to)));
    let anchors: BTreeSet<String> = names[..3].iter().map(|name| format!("p-{}", name.short())).collect();
    assert_eq!(links.map(str::to_owned).collect::<BTreeSet<_>>(), anchors);

    // All but one ran on the driver that was tried; one crashed, and one was not tried.
    let count = names.len();
    assert_eq!(said["pipelines"], count);
    assert_eq!(said["bundles"], 1);
    assert_eq!(said["items"], 3);
    assert_eq!(said["drivers"]["good, exec"]["outcomes"], serde_json::json!({ "executed": count }));
    let tried = serde_json::json!({ "executed": count - 2, "crashed": 1 });
    assert_eq!(said["drivers"]["tried, exec"]["outcomes"], tried);
    let verdicts = serde_json::json!({ "equal": count - 3, "differs": 1, "one-sided": 1 });
    assert_eq!(said["comparisons"]["tried against good"], verdicts);
    // The page says the same: a row of the totals has its name and then the counts in its text.
    let totals: Vec<&str> = nodes.iter().filter(|node| node.name == "tr").map(|node| node.text.as_str()).collect();
    let (run, equal) = (format!("run{count}{}", count - 2), format!("equal{}", count - 3));
    for row in [&run, "crashed01", "with validation messages01", &equal, "different1", "run by one driver only1"] {
        assert!(totals.contains(&row), "{row}: {totals:?}");
    }
    let cells = |text: &str| nodes.iter().filter(|node| node.name == "td" && node.text == text).count();
    assert_eq!([cells("run"), cells("crashed"), cells("no result"), cells("different")], [2 * count - 2, 1, 1, 1]);

    // What ran of the shaders.
    for row in ["blocks that ran9 of 10", "stores that happened3 of 4", "pipelines all of whose stores happened0 of 1"]
    {
        assert!(totals.contains(&row), "{row}: {totals:?}");
    }
    assert_eq!([cells("90"), cells("75")], [1, 1]);

    // Elements that differ, with both values, from the drivers' files.
    let elements = nodes.iter().find(|node| node.attributes.get("class").is_some_and(|it| it == "elements")).unwrap();
    assert!(elements.text.ends_with("Elementgoodtried12.02.534.04.5"), "{}", elements.text);
    // The code of a difference side by side.
    let item = nodes.iter().find(|node| node.attributes.get("id") == Some(&format!("p-{}", names[0].short()))).unwrap();
    for text in ["compute `main`", "function 0", "OpEntryPoint", "SPIR-V for a device with every feature"] {
        assert!(item.text.contains(text), "{text}");
    }
    // Commands that reduce the difference and the crash, with what the results were made with.
    let commands = nodes.iter().filter(|node| node.attributes.get("class").is_some_and(|it| it == "said reduce"));
    let commands: Vec<&str> = commands.map(|node| node.text.as_str()).collect();
    let expected = |name: &Digest, more: &str| {
        let (capture, name) = (folder.at("capture").display().to_string(), name.short());
        format!(
            "dxil-lab reduce {capture} {name} --driver /drivers/tried.json {more}--timeout 60 --memory 4096 --out \
             {capture}/bundles/{name}-tried"
        )
    };
    let against = "--against /drivers/good.json --seed 0 --rounds 1 ";
    assert_eq!(commands, [expected(&names[1], ""), expected(&names[0], against)]);
    // The command that made the results, its date, and the builds.
    for text in ["dxil-lab exec capture --driver tried", "2026-11-27T12:00:00Z", "tried 25.0.7", "build id 12ab"] {
        assert!(page.contains(text), "{text}");
    }
    // The bundle.
    let bundle = nodes.iter().find(|node| node.attributes.get("class").is_some_and(|it| it == "bundle")).unwrap();
    for text in ["Bundle of tried in bundles/crash", "dxil-lab run", "OpName %1", "# crashed"] {
        assert!(bundle.text.contains(text), "{text}");
    }
}

#[test]
fn what_captures_and_drivers_say_is_text() {
    let folder = Folder::new("hostile");
    prepare(&folder);
    report(&folder.at("capture"), &folder.at("page.html"));
    let page = fs::read_to_string(folder.at("page.html")).unwrap();
    // As text it is there in the table, in the item's head, its stages, a message, an error, and
    // the bundle.
    let shown = HOSTILE.replace(['\u{1b}', '\0'], "\u{fffd}");
    let nodes = parse(&page);
    assert_has_no_outside(&nodes);
    let places = ["a", "b", "dd", "li", "pre"]
        .map(|name| nodes.iter().filter(|node| node.name == name && node.text.contains(&shown)).count());
    assert_eq!(places, [1, 1, 1, 1, 3]);
    assert!(!page.contains("<script>alert") && !page.contains("<img"));
    assert!(page.chars().all(|c| c == '\n' || c == '\t' || !c.is_control()));
}

#[test]
fn the_same_inputs_give_the_same_page() {
    let folder = Folder::new("twice");
    prepare(&folder);
    report(&folder.at("capture"), &folder.at("a.html"));
    let capture = folder.at("capture");
    let mut command = lab();
    command.arg("report").arg(&capture).arg("--out").arg(folder.at("b.html"));
    // The folders of their own accord and by name.
    command.arg("--results").arg(capture.join("bundles")).arg("--results").arg(capture.join("exec"));
    succeed(&mut command);
    assert!(fs::read(folder.at("a.html")).unwrap() == fs::read(folder.at("b.html")).unwrap());
}

#[test]
fn results_that_are_cut_short_are_read_to_the_cut_and_stay_as_they_are() {
    let folder = Folder::new("cut");
    let names = prepare(&folder);
    let file = folder.at("capture/exec/good.jsonl");
    let bytes = fs::read(&file).unwrap();
    let cut = &bytes[..bytes.len() - 20];
    fs::write(&file, cut).unwrap();
    let said = report(&folder.at("capture"), &folder.at("page.html"));
    assert_eq!(said["drivers"]["good, exec"]["outcomes"]["executed"], names.len() - 1);
    let page = fs::read_to_string(folder.at("page.html")).unwrap();
    assert!(said["notes"][0].as_str().unwrap().ends_with("good.jsonl: the last line is cut short and left out"));
    assert!(page.contains("the last line is cut short"));
    assert_eq!(fs::read(&file).unwrap(), cut);
}

#[test]
fn without_results_the_report_says_what_makes_them() {
    let folder = Folder::new("nothing");
    synth(&folder.at("capture"), &[fixtures("cbuffer")]);
    let output = lab().arg("report").arg(folder.at("capture")).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("`dxil-lab run` and `exec` make results"));
    assert!(!folder.at("capture/report.html").exists());
}

#[test]
fn ten_thousand_pipelines_give_a_page_of_bounded_size() {
    let folder = Folder::new("many");
    let capture = folder.at("capture");
    synth(&capture, &[fixtures("cbuffer")]);
    let rows = (0..10_000_u32).map(|index| {
        let mut row = Row::new(Digest::new(&index.to_le_bytes()), Outcome::Created, String::new());
        (row.driver_us, row.layer_us, row.memory_kib) = (u64::from(index), 1000, 4096);
        if index % 3 == 0 {
            (row.outcome, row.detail) = (Outcome::Refused, "missing feature ".repeat(1000));
        }
        row
    });
    let rows: Vec<Row> = rows.collect();
    for driver in ["one", "two"] {
        write_results(&capture.join("results"), &header(driver, None), &rows);
    }
    let said = report(&capture, &folder.at("page.html"));
    let page = fs::read_to_string(folder.at("page.html")).unwrap();
    assert_eq!(said["items"], 3334);
    assert_eq!(page.matches("<details id=").count(), 2000);
    assert!(page.contains("1334 further pipelines are in the table only"));
    assert!(page.contains("more bytes are left out"));
    println!("{} MiB", page.len() >> 20);
    assert!(page.len() < 40 << 20, "{}", page.len());
}

/// Every pipeline of the content has an item, and there are more of them than the content has.
#[test]
fn three_hundred_pipelines_give_a_page_below_five_megabytes() {
    let folder = Folder::new("hundreds");
    let capture = folder.at("capture");
    let list = synth(
        &capture,
        &[
            fixtures("../content"),
            fixtures("buffer"),
            fixtures("arithmetic"),
            fixtures("stages"),
            fixtures("mesh"),
            fixtures("cbuffer"),
            fixtures("vectors"),
        ],
    );
    let rows = list.pipelines.iter().map(|it| it.pipeline);
    let rows: Vec<Row> = rows.map(|name| Row::new(name, Outcome::Crashed, "signal 11 (SIGSEGV)".into())).collect();
    assert!(rows.len() >= 300, "{}", rows.len());
    for driver in ["one", "two"] {
        write_results(&capture.join("results"), &header(driver, None), &rows);
    }
    let said = report(&capture, &folder.at("page.html"));
    println!("{} bytes", said["bytes"]);
    assert_eq!(said["items"], said["pipelines"]);
    assert!(said["bytes"].as_u64().unwrap() < 5_000_000, "{}", said["bytes"]);
}
