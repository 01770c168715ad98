//! Ten thousand pipelines.

use std::fs;
use std::io::Read as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use dxil_capture::Capture;
use dxil_capture::digest::Bytes;
use dxil_capture::folder::Writer;
use dxil_capture::model::{Constant, Record};
use dxil_lab::results::Results;

use crate::common::{Folder, lab, lavapipe, synth};

/// The resident memory of a process, in KiB.
fn resident(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?.trim().trim_end_matches("kB").trim().parse().ok()
}

#[test]
#[ignore = "takes minutes"]
fn ten_thousand_pipelines_take_no_more_memory_than_a_thousand() {
    const COUNT: usize = 10_000;
    let Some(driver) = lavapipe() else { return };
    let folder = Folder::new("many");
    let (few, many, out) = (folder.at("few"), folder.at("many"), folder.at("out"));
    let inputs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/cbuffer");
    synth(&few, &[inputs]);
    // A constant that no shader reads makes another pipeline of the same code.
    let capture = Capture::open(&few).unwrap();
    let records: Vec<Record> = capture.records().map(|(_, record)| record.unwrap()).collect();
    let writer = Writer::new(many.clone(), u64::MAX);
    for index in 0..COUNT {
        let mut record = records[index % records.len()].clone();
        let value = Bytes((index as u32).to_le_bytes().to_vec());
        record.pipeline.stages[0].constants.push(Constant { id: 0x7fff_ffff, value });
        writer.record(&record).unwrap();
    }
    for folder in ["blobs", "devices"] {
        for file in fs::read_dir(few.join(folder)).unwrap().map(|file| file.unwrap().path()) {
            fs::create_dir_all(many.join(folder)).unwrap();
            fs::copy(&file, many.join(folder).join(file.file_name().unwrap())).unwrap();
        }
    }
    let mut command = lab();
    command.arg("run").arg(&many).args(["--driver", &driver, "--no-validation", "--json", "--jobs", "2", "--out"]);
    let mut child = command.arg(&out).stdout(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    // Lines of the results, and the memory of the process that supervises.
    let mut seen: Vec<(usize, u64)> = Vec::new();
    while child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_secs(1));
        let file = fs::read_dir(&out).into_iter().flatten().find_map(|file| Some(file.ok()?.path()));
        let lines =
            file.and_then(|file| fs::read(file).ok()).map_or(0, |text| text.iter().filter(|it| **it == b'\n').count());
        seen.extend(resident(child.id()).map(|memory| (lines, memory)));
    }
    let time = start.elapsed().as_secs_f64();
    let mut text = String::new();
    child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
    let stem = std::path::Path::new(&driver).file_stem().unwrap().to_str().unwrap();
    let results = Results::open(&Results::path(&out, stem)).unwrap();
    assert_eq!(results.rows.len(), COUNT, "{text}");
    let at = |lines: usize| seen.iter().find(|(done, _)| *done >= lines).map(|(_, memory)| *memory);
    let (first, last) = (at(COUNT / 10).unwrap(), seen.last().unwrap().1);
    println!("{text}{COUNT} pipelines in {time:.0} s, {:.0} a second", COUNT as f64 / time);
    println!("memory of the supervising process: {first} KiB after a thousand, {last} KiB at the end");
    // A row has a few hundred bytes.
    assert!(last < first + 16 * 1024, "{seen:?}");
}
