//! Fossilize databases, from outside.
//!
//! `FOSSILIZE_DIR` names a folder with Fossilize's `fossilize-replay` and capture layer; without
//! it, the hashes are held to those in `hashes.txt`, which that layer computed. `FOSSILIZE_WRITE=1`
//! writes that file anew (scripts/regenerate-fossilize.sh).

mod every;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use dxil_capture::folder::Writer;
use dxil_capture::model::{Application, Chain, Command as Made, Device, Record, Structure};
use dxil_capture::{Capture, Digest};
use dxil_lab::archive::{self, Entry, Tag};
use dxil_lab::foz::{Fate, FozRow};
use dxil_lab::results::Results;
use dxil_lab::run::Job;
use serde_json::Value;

use crate::common::{Folder, lab, lavapipe, succeed, synth};

/// Fossilize's folder; `None`, with the reason printed, where there is none.
fn fossilize() -> Option<PathBuf> {
    let folder = std::env::var_os("FOSSILIZE_DIR").map(|folder| std::path::absolute(folder).unwrap());
    if folder.is_none() {
        println!("skipped: FOSSILIZE_DIR names no folder with fossilize-replay and libVkLayer_fossilize.so");
    }
    folder
}

fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// `dxil-lab foz`: the rows and the entries.
fn foz(capture: &Path, driver: &str, out: &Path) -> (Vec<FozRow>, Vec<Entry>) {
    let text = succeed(lab().arg("foz").arg(capture).args(["--driver", driver, "--json", "--out"]).arg(out));
    let report: Value = serde_json::from_str(&text).unwrap();
    (serde_json::from_value(report["rows"].clone()).unwrap(), archive::read(out).unwrap())
}

fn fixtures(out: &Path, inputs: &[&str]) {
    synth(out, &inputs.iter().map(|input| repository(input)).collect::<Vec<_>>());
}

type Named = BTreeMap<(Tag, u64), Vec<u8>>;

fn named(entries: Vec<Entry>) -> Named {
    entries.into_iter().map(|entry| (entry.name, entry.payload)).collect()
}

/// What Fossilize's layer below the lab's writes of the same pipelines.
fn reference(fossilize: &Path, capture: &Path, driver: &str, folder: &Folder) -> Named {
    let layers = folder.at("data/vulkan/implicit_layer.d");
    fs::create_dir_all(&layers).unwrap();
    let manifest = fs::read_to_string(fossilize.join("VkLayer_fossilize.json")).unwrap();
    let library = fossilize.join("libVkLayer_fossilize.so");
    let manifest = manifest.replace("./libVkLayer_fossilize.so", library.to_str().unwrap());
    fs::write(layers.join("VkLayer_fossilize.json"), manifest).unwrap();
    let dump = folder.at("reference/it");
    fs::create_dir_all(dump.parent().unwrap()).unwrap();
    // The layer does not forget destroyed ray-tracing libraries. It would take a library of
    // graphics pipelines for one that had the same handle, so each kind has a process.
    let mut groups: BTreeMap<(Option<Digest>, bool), String> = BTreeMap::new();
    for (pipeline, record) in Capture::open(capture).unwrap().records() {
        let record = record.unwrap();
        let group = (record.device, record.pipeline.command == Made::RayTracing);
        groups.entry(group).or_default().push_str(&format!("{pipeline}\n"));
    }
    for ((device, _), pipelines) in groups {
        let mut command = lab();
        let job = Job { driver: "it".to_owned(), device, ..Job::default() };
        command.arg("worker").arg(capture).arg(serde_json::to_string(&job).unwrap());
        command.env("VK_DRIVER_FILES", driver).env("VK_ICD_FILENAMES", driver);
        command.env("XDG_DATA_HOME", folder.at("data")).env("FOSSILIZE", "1").env("FOSSILIZE_DUMP_PATH", &dump);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        // A worker that ends by itself lets the layer write everything.
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(pipelines.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success());
    }
    let files = fs::read_dir(dump.parent().unwrap()).unwrap().map(|file| file.unwrap().path());
    named(files.flat_map(|file| archive::read(&file).unwrap()).collect())
}

/// The JSON of an entry, and the code behind it.
fn parts(payload: &[u8]) -> (Value, &[u8]) {
    let end = payload.iter().position(|byte| *byte == 0);
    let (text, code) = payload.split_at(end.unwrap_or(payload.len()));
    (serde_json::from_slice(text).unwrap(), code.get(1..).unwrap_or_default())
}

/// Both have the same entries, which say the same.
fn assert_same(ours: &Named, theirs: &Named) {
    let names = |entries: &Named| entries.keys().copied().collect::<BTreeSet<_>>();
    let (left, right) = (names(ours), names(theirs));
    let only = |a: &BTreeSet<(Tag, u64)>, b: &BTreeSet<(Tag, u64)>| {
        a.difference(b).map(|(tag, hash)| format!("{tag:?} {hash:016x}")).collect::<Vec<_>>()
    };
    assert_eq!((only(&left, &right), only(&right, &left)), (Vec::new(), Vec::new()), "only ours, only Fossilize's");
    for (name, payload) in ours {
        let (ours, theirs) = (parts(payload), parts(&theirs[name]));
        assert!(ours == theirs, "{name:?}\n{}\n{}", ours.0, theirs.0);
    }
}

/// Fossilize's replayer says nothing but what it did.
fn assert_replays(fossilize: &Path, file: &Path, driver: &str) {
    let mut command = Command::new(fossilize.join("fossilize-replay"));
    command.arg(file).env("VK_DRIVER_FILES", driver).env("VK_ICD_FILENAMES", driver);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    let complaints: Vec<&str> = text.lines().filter(|line| !line.starts_with("Fossilize INFO")).collect();
    assert!(output.status.success(), "{}: {complaints:#?}", output.status);
    assert_eq!(complaints, [] as [&str; 0]);
    let count = |what: &str| {
        let line = text.lines().find_map(|line| line.split_once(what));
        line.unwrap().1.split_whitespace().next().unwrap().parse::<usize>().unwrap()
    };
    let entries = archive::read(file).unwrap();
    let has = |tag| entries.iter().filter(|entry| entry.name.0 == tag).count();
    let played = ["compute pipelines:", "graphics pipelines:", "raytracing pipelines:"].map(count);
    assert_eq!(played, [Tag::Compute, Tag::Graphics, Tag::Rays].map(has));
    println!("{played:?} compute, graphics and ray-tracing pipelines replayed");
}

#[test]
fn hashes_are_those_that_fossilize_computes() {
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("foz-every");
    let capture = folder.at("capture");
    let names: BTreeMap<Digest, &str> = every::capture(&capture).into_iter().map(|(name, it)| (it, name)).collect();
    let (rows, entries) = foz(&capture, &driver, &folder.at("ours.foz"));
    for row in &rows {
        assert_eq!((row.fate, row.detail.as_str()), (Fate::Written, ""), "{}", names[&row.pipeline]);
    }
    assert_eq!(rows.len(), names.len());
    let ours = named(entries);
    // The application has the features of the driver, and links are of the application.
    let objects = |all: &Named| {
        let all = all.keys().filter(|(tag, _)| !matches!(tag, Tag::Application | Tag::Link));
        all.map(|(tag, hash)| format!("{tag:?} {hash:016x}\n")).collect::<String>()
    };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/integration/foz/hashes.txt");
    // Without the layer, the file has what it said.
    if std::env::var_os("FOSSILIZE_DIR").is_some() {
        let fossilize = fossilize().unwrap();
        let theirs = reference(&fossilize, &capture, &driver, &folder);
        if std::env::var_os("FOSSILIZE_WRITE").is_some() {
            fs::write(&path, objects(&theirs)).unwrap();
        }
        assert_same(&ours, &theirs);
    }
    assert_eq!(objects(&ours), fs::read_to_string(&path).unwrap());
}

#[test]
fn content_gives_the_database_that_fossilize_records() {
    let (Some(driver), Some(fossilize)) = (lavapipe(), fossilize()) else { return };
    let folder = Folder::new("foz-content");
    let capture = folder.at("capture");
    fixtures(&capture, &["tests/content", "tests/fixtures/mesh", "tests/fixtures/tracing", "tests/fixtures/heaps"]);
    let (_, entries) = foz(&capture, &driver, &folder.at("ours.foz"));
    assert_same(&named(entries), &reference(&fossilize, &capture, &driver, &folder));
    assert_replays(&fossilize, &folder.at("ours.foz"), &driver);
}

/// Words of a module, from seven bits in a byte.
fn words(mut bytes: &[u8]) -> Vec<u32> {
    let mut words = Vec::new();
    while !bytes.is_empty() {
        let (mut word, mut shift) = (0, 0);
        while let [byte, rest @ ..] = bytes {
            bytes = rest;
            word |= u32::from(byte & 0x7f) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                break;
            }
        }
        words.push(word);
    }
    words
}

#[test]
fn a_database_is_whole_and_has_the_code_that_the_driver_gets() {
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("foz-whole");
    let capture = folder.at("capture");
    fixtures(&capture, &["tests/fixtures/cbuffer", "tests/fixtures/geometry", "tests/fixtures/tracing"]);
    let (rows, entries) = foz(&capture, &driver, &folder.at("first.foz"));
    foz(&capture, &driver, &folder.at("second.foz"));
    assert!(fs::read(folder.at("first.foz")).unwrap() == fs::read(folder.at("second.foz")).unwrap());

    let ours = named(entries.clone());
    assert_eq!(ours.len(), entries.len());
    let has =
        |tag: Tag, hash: &Value| ours.contains_key(&(tag, u64::from_str_radix(hash.as_str().unwrap(), 16).unwrap()));
    let mut code = BTreeSet::new();
    let mut pipelines = 0;
    for ((tag, hash), payload) in &ours {
        let (document, bytes) = parts(payload);
        assert_eq!(document["version"], 6);
        let name = format!("{hash:016x}");
        let object = document.as_object().unwrap().values().find_map(|list| list.get(&name));
        match tag {
            Tag::Module => {
                let words = words(bytes);
                assert_eq!(object.unwrap()["codeSize"], words.len() * 4);
                assert_eq!(object.unwrap()["varintSize"], bytes.len());
                let step = |hash: u64, word: &u32| hash.wrapping_mul(0x100_0000_01b3) ^ u64::from(*word);
                // The flags, which are 0, are hashed last.
                assert_eq!(words.iter().chain(&[0]).fold(0xcbf2_9ce4_8422_2325, step), *hash);
                code.insert(Digest::new(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>()));
            }
            Tag::Compute | Tag::Graphics | Tag::Rays => {
                pipelines += 1;
                let object = object.unwrap();
                assert!(has(Tag::PipelineLayout, &object["layout"]));
                let stages = object.get("stages").and_then(Value::as_array).cloned();
                for stage in stages.unwrap_or_else(|| vec![object["stage"].clone()]) {
                    assert!(has(Tag::Module, &stage["module"]));
                }
            }
            Tag::PipelineLayout => {
                let sets = object.unwrap()["setLayouts"].as_array().unwrap();
                assert!(sets.iter().all(|set| has(Tag::SetLayout, set)));
            }
            Tag::Link => {
                assert!(has(Tag::Application, &document["link"]["application"]));
                let tag = Tag::ALL.into_iter().find(|tag| tag.number() == document["link"]["tag"]).unwrap();
                assert!(has(tag, &document["link"]["hash"]));
            }
            _ => {}
        }
    }
    let written = rows.iter().filter(|row| row.fate == Fate::Written).count();
    assert!(written > 0 && written == pipelines, "{written} rows, {pipelines} entries");
    // Every object is the application's.
    let links = ours.keys().filter(|(tag, _)| *tag == Tag::Link).count();
    assert_eq!(links, ours.len() - links - 1);

    let out = folder.at("results");
    succeed(lab().arg("run").arg(&capture).args(["--driver", &driver, "--json", "--no-validation", "--out"]).arg(&out));
    let file = fs::read_dir(&out).unwrap().next().unwrap().unwrap().path();
    let results = Results::open(&file).unwrap();
    let given: BTreeSet<Digest> = results.rows.values().flat_map(|row| &row.modules).map(|(code, _)| *code).collect();
    assert_eq!(code, given);
}

#[test]
fn what_fossilize_has_no_form_for_is_left_out_and_named() {
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("foz-unknown");
    let writer = Writer::new(folder.at("capture"), u64::MAX);
    let (_, plain) = every::pipelines(&writer).into_iter().find(|(name, _)| *name == "plain").unwrap();
    let mut odd = plain.clone();
    // VkPipelineRasterizationStateRasterizationOrderAMD, whose bytes say what they mean, elsewhere.
    let bytes = dxil_capture::digest::Bytes(vec![0; 8]);
    odd.stages[0].chain = Chain { structures: vec![Structure { s_type: 1_000_018_000, bytes }], lost: Vec::new() };
    // A flag more makes another pipeline.
    let mut infinite = plain.clone();
    let layout = infinite.layout.as_mut().unwrap();
    let sampler = dxil_capture::model::Sampler { max_lod: f32::INFINITY.into(), ..Default::default() };
    let binding = dxil_capture::model::Binding { count: 1, samplers: vec![sampler], stages: 32, ..Default::default() };
    let set = dxil_capture::model::SetLayout { bindings: vec![binding], ..Default::default() };
    layout.sets = vec![Some(set)];
    let mut refused = plain.clone();
    let mutable_types = vec![6, 1_000_150_000];
    let binding =
        dxil_capture::model::Binding { ty: 1_000_351_000, count: 8, stages: 32, mutable_types, ..Default::default() };
    let set = dxil_capture::model::SetLayout { bindings: vec![binding], ..Default::default() };
    refused.layout.as_mut().unwrap().sets = vec![Some(set)];
    let mut digests = Vec::new();
    for pipeline in [&plain, &odd, &infinite, &refused] {
        let pipeline = pipeline.clone();
        let record = Record { format: Record::FORMAT, device: None, requests: Vec::new(), pipeline };
        digests.push(writer.record(&record).unwrap());
    }
    let (rows, entries) = foz(&folder.at("capture"), &driver, &folder.at("it.foz"));
    let row = |index: usize| {
        let row = rows.iter().find(|row| row.pipeline == digests[index]).unwrap();
        (row.fate, row.detail.as_str())
    };
    assert_eq!(row(0), (Fate::Written, ""));
    let text = "a pNext chain has a structure that Fossilize has no form for: VkStructureType \
                PIPELINE_RASTERIZATION_STATE_RASTERIZATION_ORDER_AMD";
    assert_eq!(row(1), (Fate::Unsupported, text));
    assert_eq!(row(2), (Fate::Unsupported, "`maxLod` is infinite or no number, which JSON cannot say"));
    let text = "Fossilize's replayer refuses mutable descriptors that may have the VkDescriptorType \
                ACCELERATION_STRUCTURE_KHR";
    assert_eq!(row(3), (Fate::Unsupported, text));
    let count = entries.iter().filter(|entry| entry.name.0 == Tag::Compute).count();
    assert_eq!(count, 1);
}

#[test]
fn the_captured_application_is_the_one_of_the_database() {
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("foz-application");
    let writer = Writer::new(folder.at("capture"), u64::MAX);
    let (_, plain) = every::pipelines(&writer).into_iter().find(|(name, _)| *name == "plain").unwrap();
    let (name, engine) = (Some("A game, II".to_owned()), Some("Its engine".to_owned()));
    let application = Some(Application { name, version: 7, engine, engine_version: 9 });
    let device = writer.device(&Device { application, ..Device::default() }).unwrap();
    let record = Record { format: Record::FORMAT, device: Some(device), requests: Vec::new(), pipeline: plain };
    writer.record(&record).unwrap();
    let (rows, entries) = foz(&folder.at("capture"), &driver, &folder.at("it.foz"));
    assert_eq!((rows.len(), rows[0].fate), (1, Fate::Written));
    let applications: Vec<&Entry> = entries.iter().filter(|entry| entry.name.0 == Tag::Application).collect();
    assert_eq!(applications.len(), 1);
    let info = &parts(&applications[0].payload).0["applicationInfo"];
    let expected = serde_json::json!({
        "applicationName": "A game, II",
        "applicationVersion": 7,
        "engineName": "Its engine",
        "engineVersion": 9,
        "apiVersion": ash::vk::API_VERSION_1_3,
    });
    assert_eq!(info, &expected);
}
