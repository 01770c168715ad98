//! `dxil-lab synth` on files of other programs: dumps of vkd3d-proton, state object databases,
//! Fossilize databases and recordings.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use dxil_capture::model::Code;
use dxil_capture::{Capture, Digest};
use dxil_lab::archive::{self, Archive, Tag};
use dxil_lab::synth::List;
use dxil_translator::RootSignature;
use serde_json::Value;

use crate::common::{Folder, fixture, lab, lavapipe, said, succeed, synth};

const COMPUTE: &str = "buffer/raw_read_write.dxil";
const VERTEX: &str = "stages/centroid_position.vs.dxil";
const PIXEL: &str = "stages/centroid_position.ps.dxil";
const RAYS: &str = "rays/pipeline.dxil";

fn bytes(name: &str) -> Vec<u8> {
    fs::read(fixture(name)).unwrap()
}

/// A container with a root signature alone, as D3D12SerializeRootSignature makes it.
fn signature(text: &str) -> Vec<u8> {
    RootSignature::from_bytes(text.as_bytes(), None).unwrap().serialize_container().unwrap()
}

fn run(capture: &Path, driver: &str) {
    succeed(lab().arg("run").arg(capture).args(["--driver", driver, "--no-validation"]));
}

#[test]
fn a_dump_of_containers_and_a_root_signature_is_a_capture() {
    let folder = Folder::new("dump");
    let dump = folder.at("dump");
    fs::create_dir_all(&dump).unwrap();
    fs::write(dump.join("00112233445566aa.dxil"), bytes(COMPUTE)).unwrap();
    // Its translation, as vkd3d-proton writes it beside the container, and a file that is none of a
    // dump.
    fs::write(dump.join("00112233445566aa.spv"), 0x0723_0203_u32.to_le_bytes()).unwrap();
    fs::write(dump.join("notes.txt"), "DXBC").unwrap();
    let plain = synth(&folder.at("plain"), std::slice::from_ref(&dump));
    assert_eq!((plain.pipelines.len(), plain.refused.len()), (1, 0), "{plain:?}");

    let descriptors = signature("SRV(t0), UAV(u0)");
    fs::write(dump.join("ffeeddccbbaa9988.rs"), &descriptors).unwrap();
    let list = synth(&folder.at("one"), std::slice::from_ref(&dump));
    let [listed] = &list.pipelines[..] else { panic!("{list:?}") };
    assert_eq!(listed.chosen, ["the root signature of ffeeddccbbaa9988.rs"]);
    assert!(listed.model != plain.pipelines[0].model && list.refused.is_empty(), "{list:?}");

    // Nothing says which of several root signatures a shader has.
    fs::write(dump.join("0123456789abcdef.rs"), signature("DescriptorTable(SRV(t0), UAV(u0))")).unwrap();
    let list = synth(&folder.at("two"), std::slice::from_ref(&dump));
    let [refused] = &list.refused[..] else { panic!("{list:?}") };
    assert_eq!(refused.files, ["0123456789abcdef.rs", "ffeeddccbbaa9988.rs"]);
    assert!(refused.error.contains("--root-signature FILE"), "{}", refused.error);
    assert_eq!(list.pipelines[0].model, plain.pipelines[0].model);
    let file = dump.join("ffeeddccbbaa9988.rs");
    succeed(lab().arg("synth").arg(&dump).arg("--root-signature").arg(&file).arg("--out").arg(folder.at("given")));
    assert_eq!(List::read(&folder.at("given")).unwrap().pipelines[0].model, listed.model);

    let Some(driver) = lavapipe() else { return };
    run(&folder.at("one"), &driver);
}

/// The tables of DirectX-Specs, StateObjectDatabase, "SQL Database Schema", that have shaders. The
/// columns of a pipeline state that have no shaders are left out.
const SCHEMA: &str = "PRAGMA user_version = 2; PRAGMA application_id = 0xD3D50DB;
CREATE TABLE root_signatures (Key BLOB NOT NULL PRIMARY KEY , value BLOB NOT NULL );
CREATE TABLE state_objects (Key BLOB NOT NULL PRIMARY KEY , Type INTEGER  ,NodeMask INTEGER  ,Flags INTEGER  ,
AddToStateObjectParent BLOB  ,FOREIGN KEY(AddToStateObjectParent) REFERENCES state_objects(Key));
CREATE TABLE shader_bytecode (Key BLOB NOT NULL PRIMARY KEY , Type TEXT  ,Bytecode BLOB  );
CREATE TABLE pipeline_states (Key BLOB NOT NULL PRIMARY KEY , RootSignature BLOB  ,InputLayout BLOB  ,ByteCode_VS BLOB  ,
ByteCode_PS BLOB  ,ByteCode_HS BLOB  ,ByteCode_DS BLOB  ,ByteCode_GS BLOB  ,ByteCode_AS BLOB  ,ByteCode_MS BLOB  ,
ByteCode_CS BLOB  );\n";

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

/// Writes a database with SQLite's own program; whether there is one.
fn sqlite(file: &Path, sql: &str) -> bool {
    use std::io::Write as _;
    let child = Command::new("sqlite3").arg("-batch").arg(file).stdin(Stdio::piped()).spawn();
    let Ok(mut child) = child else {
        println!("skipped: sqlite3 is not in PATH; scripts/setup.sh installs it");
        return false;
    };
    child.stdin.take().unwrap().write_all(sql.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success());
    true
}

#[test]
fn a_state_object_database_is_a_capture() {
    let folder = Folder::new("sodb");
    let file = folder.at("game.sodb");
    let mut sql = SCHEMA.to_owned();
    // A state object, whose shader is in no pipeline state.
    sql += "INSERT INTO state_objects (Key, Type) VALUES (x'21', 3);\n";
    for (key, name) in [("01", COMPUTE), ("02", VERTEX), ("03", PIXEL), ("04", RAYS)] {
        writeln!(sql, "INSERT INTO shader_bytecode VALUES (x'{key}', 'x', x'{}');", hex(&bytes(name))).unwrap();
    }
    for (key, text) in [("0A", "SRV(t0), UAV(u0)"), ("0B", "DescriptorTable(SRV(t0), UAV(u0))")] {
        writeln!(sql, "INSERT INTO root_signatures VALUES (x'{key}', x'{}');", hex(&signature(text))).unwrap();
    }
    // One shader with two root signatures, a pipeline of two stages, and one whose shader is
    // missing.
    for state in [
        "(Key, RootSignature, ByteCode_CS) VALUES (x'11', x'0A', x'01')",
        "(Key, RootSignature, ByteCode_CS) VALUES (x'12', x'0B', x'01')",
        "(Key, ByteCode_VS, ByteCode_PS) VALUES (x'13', x'02', x'03')",
        "(Key, ByteCode_CS) VALUES (x'14', x'77')",
    ] {
        writeln!(sql, "INSERT INTO pipeline_states {state};").unwrap();
    }
    if !sqlite(&file, &sql) {
        return;
    }
    let capture = folder.at("capture");
    let list = synth(&capture, std::slice::from_ref(&file));
    let labels: Vec<&str> = list.pipelines.iter().map(|it| it.label.as_str()).collect();
    assert_eq!(labels, ["game", "game.sodb/11", "game.sodb/12", "game.sodb/13"], "{list:?}");
    let chosen = |index: usize| list.pipelines[index + 1].chosen.first().map(String::as_str);
    assert_eq!(chosen(0), Some("the root signature 0A of the pipeline"));
    assert_eq!(chosen(1), Some("the root signature 0B of the pipeline"));
    assert_eq!(list.pipelines[3].stages.len(), 2);
    let [refused, object] = &list.refused[..] else { panic!("{list:?}") };
    assert_eq!((&refused.files[0][..], &refused.error[..]), ("game.sodb/14", "the database has no shader 77"));
    assert_eq!(object.files, ["game.sodb/state object 21"]);
    assert!(object.error.starts_with("the lab does not read state objects (exports, hit groups,"), "{}", object.error);
    if let Some(driver) = lavapipe() {
        run(&capture, &driver);
    }

    // Another version, and no program that reads it.
    let (code, text) = said(lab().arg("synth").arg(&file).arg("--out").arg(folder.at("none")).env("PATH", "/nowhere"));
    assert!(code == 2 && text.contains("sqlite3, which is not in PATH (Debian: package sqlite3)"), "{code}: {text}");
    sqlite(&file, "PRAGMA user_version = 3;");
    let (code, text) = said(lab().arg("synth").arg(&file).arg("--out").arg(folder.at("none")));
    assert!(code == 2 && text.contains("its application_id is 0xd3d50db and its user_version 3"), "{code}: {text}");
    fs::write(&file, b"SQLite format 3\0 and nothing more").unwrap();
    let (code, text) = said(lab().arg("synth").arg(&file).arg("--out").arg(folder.at("none")));
    assert!(code == 2 && text.contains("sqlite3: ") && text.contains("0 pipelines"), "{code}: {text}");
}

/// Words as LEB128, in which Fossilize keeps modules.
fn varints(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for word in bytes.as_chunks::<4>().0 {
        let mut word = u32::from_le_bytes(*word);
        while word >= 0x80 {
            out.push(word as u8 | 0x80);
            word >>= 7;
        }
        out.push(word as u8);
    }
    out
}

/// Makes of a database from below the layer one from above it, which has the same objects, and
/// modules whose code is the container of the stage. Ray-tracing pipelines are changed.
fn from_above(below: &Path, above: &Path, name: impl Fn(u64) -> &'static str, change: impl Fn(&mut Value)) {
    let list = |tag| match tag {
        Tag::Compute => Some("computePipelines"),
        Tag::Graphics => Some("graphicsPipelines"),
        Tag::Rays => Some("raytracingPipelines"),
        _ => None,
    };
    let mut entries = archive::read(below).unwrap();
    let mut containers: BTreeMap<String, &str> = BTreeMap::new();
    for entry in &mut entries {
        let Some(list) = list(entry.name.0) else { continue };
        let mut document: Value = serde_json::from_slice(&entry.payload).unwrap();
        let object = document[list].as_object_mut().unwrap().values_mut().next().unwrap();
        let stages =
            object.get("stages").map_or_else(|| vec![object["stage"].clone()], |it| it.as_array().unwrap().clone());
        for stage in stages {
            containers.insert(stage["module"].as_str().unwrap().to_owned(), name(stage["stage"].as_u64().unwrap()));
        }
        if entry.name.0 == Tag::Rays {
            change(object);
            entry.payload = document.to_string().into_bytes();
        }
    }
    let mut archive = Archive::open(above).unwrap();
    for entry in entries {
        // The layer makes a module of its own, which is no stage.
        let container = containers.get(&format!("{:016x}", entry.name.1)).filter(|_| entry.name.0 == Tag::Module);
        let payload = match container {
            Some(container) => {
                let end = entry.payload.iter().position(|byte| *byte == 0).unwrap();
                [&entry.payload[..=end], &varints(&bytes(container))].concat()
            }
            None => entry.payload,
        };
        archive.add(entry.name, &payload).unwrap();
    }
}

#[test]
fn a_fossilize_database_from_above_the_layer_is_a_capture() {
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("foz-above");
    let capture = folder.at("capture");
    let first = synth(&capture, &[fixture(COMPUTE), fixture(VERTEX), fixture(PIXEL)]);
    let below = folder.at("below.foz");
    succeed(lab().arg("foz").arg(&capture).args(["--driver", &driver, "--out"]).arg(&below));
    let (code, text) = said(lab().arg("synth").arg(&below).arg("--out").arg(folder.at("none")));
    let modules = archive::read(&below).unwrap().iter().filter(|entry| entry.name.0 == Tag::Module).count();
    let why = format!("none of the {modules} shader modules has DXIL");
    assert!(code == 2 && text.contains(&why), "{code}: {text}");
    assert!(text.contains("VK_INSTANCE_LAYERS=VK_LAYER_fossilize:VK_LAYER_DXIL_translate"), "{text}");

    let above = folder.at("above.foz");
    let names: BTreeMap<u64, &str> = BTreeMap::from([(0x20, COMPUTE), (1, VERTEX), (0x10, PIXEL)]);
    from_above(&below, &above, |stage| names[&stage], |_| {});
    let again = folder.at("again");
    let list = synth(&again, std::slice::from_ref(&above));
    assert!(list.refused.is_empty() && list.duplicates.is_empty(), "{list:?}");
    // The pipelines are those of the database, and their shaders are the containers.
    let stages = |folder: &Path, list: &List| {
        let capture = Capture::open(folder).unwrap();
        let code = |digest: &Digest| {
            let record = capture.record(*digest).unwrap();
            record.pipeline.stages.iter().map(|stage| (stage.stage, stage.code)).collect::<Vec<(u32, Code)>>()
        };
        let mut all: Vec<_> = list.pipelines.iter().map(|it| code(&it.pipeline)).collect();
        all.sort_by_key(|stages| stages[0].0);
        all
    };
    assert_eq!(stages(&again, &list), stages(&capture, &first));
    assert!(list.pipelines.iter().all(|it| it.label.starts_with("above.foz/")), "{list:?}");
    run(&again, &driver);
}

#[test]
fn a_recording_of_gfxreconstruct_from_above_the_layer_is_a_capture() {
    let folder = Folder::new("gfxr-above");
    // Debian's GFXReconstruct 0.9.18 recorded the fixture of COMPUTE:
    //   VK_INSTANCE_LAYERS=VK_LAYER_LUNARG_gfxreconstruct GFXRECON_CAPTURE_FILE=above.gfxr \
    //   dxil-run-fixture tests/fixtures/buffer/raw_read_write.hlsl --layer-dir target/debug/vulkan-layers
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/integration/inputs/above.gfxr");
    let (code, text) = said(lab().arg("synth").arg(&file).arg("--out").arg(folder.at("none")).env("PATH", "/nowhere"));
    let why = "gfxrecon-extract, which is not in PATH (Debian: package gfxreconstruct)";
    assert!(code == 2 && text.contains(why), "{code}: {text}");
    if Command::new("gfxrecon-extract").arg("--version").output().is_err() {
        println!("skipped: gfxrecon-extract is not in PATH; scripts/setup.sh installs gfxreconstruct");
        return;
    }
    let list = synth(&folder.at("capture"), std::slice::from_ref(&file));
    let [listed] = &list.pipelines[..] else { panic!("{list:?}") };
    assert!(list.refused.is_empty() && listed.stages[0].file.starts_with("above.gfxr/"), "{list:?}");
    let digest = Digest::new(&bytes(COMPUTE));
    assert_eq!(Capture::open(&folder.at("capture")).unwrap().dxil(digest).unwrap(), bytes(COMPUTE));
    // A recording that is cut has what it has, or says so.
    let cut = folder.at("cut.gfxr");
    fs::write(&cut, &fs::read(&file).unwrap()[..400]).unwrap();
    let (code, text) = said(lab().arg("synth").arg(&cut).arg("--out").arg(folder.at("none")));
    assert!(code == 2 && text.contains("none of the 0 shader modules has DXIL"), "{code}: {text}");
}

#[test]
fn synth_fails_where_everything_is_refused() {
    let folder = Folder::new("all-refused");
    fs::write(folder.at("broken.dxil"), "DXBC").unwrap();
    let run = |more: &[&str]| {
        said(lab().arg("synth").arg(folder.at("broken.dxil")).arg("--out").arg(folder.at("out")).args(more))
    };
    for more in [&[][..], &["--json"]] {
        let (status, text) = run(more);
        assert_eq!(status, 2, "{text}");
        assert!(text.contains("no pipeline was made: all 1 were refused") && text.contains("broken.dxil"), "{text}");
    }
}

/// A change of an entry's members.
type Change<'a> = &'a dyn Fn(&mut Value);

#[test]
fn a_ray_tracing_pipeline_of_a_database_has_its_groups() {
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("foz-rays");
    let capture = folder.at("capture");
    let name = synth(&capture, &[fixture(RAYS)]).pipelines[0].pipeline;
    let first = Capture::open(&capture).unwrap().record(name).unwrap().pipeline;
    let below = folder.at("below.foz");
    succeed(lab().arg("foz").arg(&capture).args(["--driver", &driver, "--out"]).arg(&below));
    let made = |name: &str, change: Change<'_>| {
        let above = folder.at(&format!("{name}.foz"));
        from_above(&below, &above, |_| RAYS, change);
        let (code, text) = said(lab().arg("synth").arg(&above).arg("--out").arg(folder.at(name)));
        (code, text, List::read(&folder.at(name)))
    };
    // The application has its groups in another order than the library, and another depth.
    let (code, text, list) = made("turned", &|object| {
        object["groups"].as_array_mut().unwrap().reverse();
        object["maxPipelineRayRecursionDepth"] = 7.into();
    });
    let list = list.unwrap();
    assert!(code == 0 && list.pipelines[0].label.starts_with("turned.foz/"), "{text}");
    let record = Capture::open(&folder.at("turned")).unwrap().record(list.pipelines[0].pipeline).unwrap();
    let mut groups = first.groups.clone();
    groups.reverse();
    assert!(groups.len() > 2 && groups != first.groups);
    assert_eq!((record.pipeline.groups, record.pipeline.max_recursion), (groups, Some(7)));
    assert_eq!(list.pipelines.len(), 1, "{list:?}");
    run(&folder.at("turned"), &driver);

    let wrong: [(&str, Change<'_>, &str); 4] = [
        ("type", &|object| object["groups"][0]["type"] = 3.into(), "other stages than its type allows"),
        ("stage", &|object| object["groups"][0]["generalShader"] = 99.into(), "other stages than its type allows"),
        ("linked", &|object| object["libraryInfo"] = Value::Array(Vec::new()), "links pipeline libraries"),
        ("none", &|object| object["groups"] = Value::Null, "is malformed"),
    ];
    for (name, change, why) in wrong {
        let (_, text, _) = made(name, change);
        assert!(text.contains(why), "{name}: {text}");
    }
}
