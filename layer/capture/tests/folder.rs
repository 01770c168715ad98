//! The folder of a capture: files round-trip, and damaged files are reported by name.

use dxil_test_support::TempFolder;

use std::fs;
use std::path::{Path, PathBuf};

use dxil_capture::digest::Bytes;
use dxil_capture::folder::JSON_BYTES;
use dxil_capture::model::{
    Blend, Chain, Code, ColorBlend, Command, Constant, Device, Graphics, Pipeline, PipelineLayout, Record, Rendering,
    Sampler, SetLayout, Stage, Structure, Target,
};
use dxil_capture::{Capture, Digest, Writer};

/// A writer into a folder.
fn writer(folder: &Path) -> Writer {
    Writer::new(folder.to_owned(), 1 << 20)
}

/// A record with most members set.
fn record(blob: Digest, device: Option<Digest>) -> Record {
    let binding = dxil_capture::model::Binding {
        binding: 3,
        ty: 0,
        count: 1,
        stages: 16,
        samplers: vec![Sampler { max_lod: f32::INFINITY.into(), ..Sampler::default() }],
        ..Default::default()
    };
    let layout = PipelineLayout {
        sets: vec![None, Some(SetLayout { bindings: vec![binding], ..SetLayout::default() })],
        ..PipelineLayout::default()
    };
    let blend = ColorBlend { attachment_count: 1, attachments: vec![Blend::default()], ..ColorBlend::default() };
    let rendering = Rendering { colors: vec![37], ..Rendering::default() };
    let chain = Chain {
        structures: vec![Structure { s_type: 1000225001, bytes: Bytes(vec![32, 0, 0, 0, 0, 0, 0, 0]) }],
        lost: vec![1000999000],
    };
    let stage = Stage {
        constants: vec![Constant { id: 7, value: Bytes(vec![1, 0, 0, 0]) }],
        chain,
        ..Stage::new(16, Code::Dxil(blob), "main")
    };
    let graphics = Graphics {
        color_blend: Some(blend),
        dynamic: vec![0, 1],
        target: Some(Target::Rendering(rendering)),
        ..Graphics::default()
    };
    let pipeline = Pipeline {
        flags: 1 << 40,
        layout: Some(layout),
        graphics: Some(graphics),
        ..Pipeline::new(Command::Graphics, vec![stage])
    };
    Record { format: Record::FORMAT, device, requests: vec![None], pipeline }
}

fn only_record(folder: &Path) -> PathBuf {
    let mut files = fs::read_dir(folder.join("pipelines")).unwrap();
    let path = files.next().unwrap().unwrap().path();
    assert!(files.next().is_none());
    path
}

#[test]
fn records_round_trip() {
    let folder = TempFolder::absent("round");
    let writer = writer(&folder);
    let device = Device { name: "a device".into(), ..Device::default() };
    let (blob, request) = (writer.dxil(b"DXBC and more").unwrap(), writer.request("request").unwrap());
    let device_name = writer.device(&device).unwrap();
    let written = record(blob, Some(device_name));
    let name = writer.record(&written).unwrap();
    assert_eq!(writer.record(&written).unwrap(), name, "the second write adds nothing");

    let capture = Capture::open(&folder).unwrap();
    assert_eq!(capture.len(), 1);
    let (found, record) = capture.records().next().unwrap();
    assert_eq!((found, record.unwrap()), (name, written.clone()));
    assert_eq!(capture.record(name).unwrap(), written);
    assert_eq!(capture.dxil(blob).unwrap(), b"DXBC and more");
    assert_eq!(capture.request(request).unwrap(), "request");
    assert_eq!(capture.device(device_name).unwrap(), device);
}

#[test]
fn the_device_is_no_part_of_the_name() {
    let folder = TempFolder::absent("name");
    let writer = writer(&folder);
    let blob = writer.dxil(b"blob").unwrap();
    let here = writer.record(&record(blob, Some(Digest::new(b"here")))).unwrap();
    let there = writer.record(&record(blob, Some(Digest::new(b"there")))).unwrap();
    let nowhere = writer.record(&record(blob, None)).unwrap();
    assert_eq!((here, here), (there, nowhere));
    assert_eq!(Capture::open(&folder).unwrap().len(), 3);
}

#[test]
fn the_bound_holds() {
    let folder = TempFolder::absent("bound");
    let writer = Writer::new(folder.to_owned(), 1000);
    let results: Vec<bool> = (0..10).map(|n| writer.spirv(&[n; 300]).is_ok()).collect();
    assert_eq!(results.iter().filter(|ok| **ok).count(), 3);
    assert_eq!(fs::read_dir(folder.join("blobs")).unwrap().count(), 3);
    assert_eq!(writer.spirv(&[9; 300]).unwrap_err().to_string(), "the files would exceed 0 MiB");
}

#[test]
fn a_truncated_record_is_one_fault() {
    let folder = TempFolder::absent("cut");
    let writer = writer(&folder);
    let blob = writer.dxil(b"blob").unwrap();
    let name = writer.record(&record(blob, None)).unwrap();
    let path = only_record(&folder);
    let text = fs::read_to_string(&path).unwrap();
    let mut other = record(blob, None);
    other.pipeline.flags = 1;
    let whole = writer.record(&other).unwrap();
    for length in [0, 1, text.len() / 2, text.len() - 3] {
        fs::write(&path, &text[..length]).unwrap();
        let capture = Capture::open(&folder).unwrap();
        let (good, bad): (Vec<_>, Vec<_>) = capture.records().partition(|(_, record)| record.is_ok());
        assert_eq!(good.iter().map(|(digest, _)| *digest).collect::<Vec<_>>(), [whole]);
        assert_eq!(bad.iter().map(|(digest, _)| *digest).collect::<Vec<_>>(), [name]);
        let fault = capture.record(name).unwrap_err();
        assert_eq!(fault.path, path);
        assert!(fault.what.starts_with("the file is cut short ("), "{fault}");
    }
}

#[test]
fn content_is_checked_against_its_digest() {
    let folder = TempFolder::absent("changed");
    let writer = writer(&folder);
    let blob = writer.dxil(b"blob").unwrap();
    let name = writer.record(&record(blob, None)).unwrap();
    let path = only_record(&folder);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace(r#""entry": "main""#, r#""entry": "other""#)).unwrap();
    let file = folder.join(format!("blobs/{blob}.dxil"));
    fs::write(&file, b"blub").unwrap();

    let capture = Capture::open(&folder).unwrap();
    let fault = capture.record(name).unwrap_err().what;
    assert!(fault.starts_with("the record was changed: its pipeline has the digest "), "{fault}");
    let fault = capture.dxil(blob).unwrap_err();
    assert_eq!(fault.path, file);
    assert!(fault.what.starts_with("the file is cut short or changed: its content has the digest "), "{fault}");

    fs::write(&path, text.replace(r#""format": 1"#, r#""format": 2"#)).unwrap();
    assert_eq!(capture.record(name).unwrap_err().what, "the record has format 2, and this version reads format 1");
}

#[test]
fn another_folder_is_no_capture() {
    let folder = TempFolder::absent("none");
    let fault = Capture::open(&folder).err().unwrap();
    assert_eq!(
        fault.to_string(),
        format!(
            "{}/pipelines: No such file or directory (os error 2); a capture has a folder `pipelines` \
             (setting `capture_dir`, or `dxil-lab synth`)",
            folder.display()
        )
    );
}

#[cfg(unix)]
#[test]
fn a_link_is_not_written_through() {
    let folder = TempFolder::absent("link");
    let writer = writer(&folder);
    fs::create_dir_all(folder.join("blobs")).unwrap();
    let victim = folder.join("victim");
    fs::write(&victim, "precious").unwrap();
    let path = folder.join(format!("blobs/{}.dxil", Digest::new(b"blob")));
    std::os::unix::fs::symlink(&victim, &path).unwrap();
    writer.dxil(b"blob").unwrap();
    assert_eq!(fs::read(&victim).unwrap(), b"precious");
    assert_eq!(fs::read(&path).unwrap(), b"blob");
}

#[test]
fn records_that_would_take_too_much_memory_are_refused_by_their_size() {
    let folder = TempFolder::absent("large");
    // Absent sets take the most memory relative to their text.
    let pipeline = |sets| Pipeline {
        layout: Some(PipelineLayout { sets: vec![None; sets], ..PipelineLayout::default() }),
        ..Pipeline::new(Command::Compute, Vec::new())
    };
    let record = |sets| Record { format: Record::FORMAT, device: None, requests: Vec::new(), pipeline: pipeline(sets) };
    // Each has a line of its own, with eight spaces.
    let writer = Writer::new(folder.to_owned(), 64 << 20);
    let most = JSON_BYTES as usize / 14 - 100;
    let digest = writer.record(&record(most)).unwrap();
    assert_eq!(Capture::open(&folder).unwrap().record(digest).unwrap(), record(most));
    let error = writer.record(&record(most + 200)).unwrap_err();
    assert!(error.to_string().contains("readers take 8 MiB"), "{error}");

    // A file from another source may exceed it.
    let text = serde_json::to_string(&record(JSON_BYTES as usize / 5)).unwrap();
    assert!(text.len() as u64 > JSON_BYTES);
    let path = only_record(&folder);
    fs::write(&path, text).unwrap();
    let fault = Capture::open(&folder).unwrap().record(digest).unwrap_err();
    assert!(fault.to_string().contains("larger than 8 MiB"), "{fault}");
}
