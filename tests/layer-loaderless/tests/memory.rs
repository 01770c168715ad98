//! The memory of live shader modules, and that of a process after its last instance. This file has
//! a single test, because it measures the whole process.

use std::fs;

use dxil_layer_loaderless::{App, leaked};
use dxil_test_support::memory::{assert_resident, resident};
use dxil_test_support::{TempFolder, repository};

/// The blobs are those of one container with other digests in their headers, which nothing
/// compares.
const MODULES: u32 = 5_000;
/// A compute shader of 20 KB, whose parsed form has several times the size.
const CONTAINER: &str = "tests/corpus/block_compress.bc1_refined.dxil";

#[test]
fn five_thousand_modules_of_20_kb() {
    let folder = TempFolder::new("memory");
    let log = leaked(folder.join("log"));
    let settings = [(c"stats", c"true"), (c"log_file", log), (c"register_shifts", c"t=100,u=200,s=300")];
    let mut blob = fs::read(repository().join(CONTAINER)).unwrap();
    assert!((18_000..25_000).contains(&blob.len()), "{} bytes", blob.len());
    {
        let app = App::with_settings(settings);
        app.module(&blob);
        let before = resident();
        for number in 1..=MODULES {
            // The digest of a container follows its magic number.
            blob[4..8].copy_from_slice(&number.to_le_bytes());
            app.module(&blob);
        }
        assert_resident(&format!("{MODULES} modules of {} bytes", blob.len()), before, 250);
    }
    // The cache and the counters are those of the instances that are alive.
    drop(App::with_settings(settings));
    let log = fs::read_to_string(folder.join("log")).unwrap();
    let stats: Vec<_> = log.lines().filter(|line| line.contains("blobs ")).collect();
    let [first, second] = stats[..] else { panic!("{log}") };
    assert!(first.contains(&format!("blobs {}, parsed {}, ", MODULES + 1, MODULES + 1)), "{first}");
    assert!(second.contains("blobs 0, parsed 0, translations 0, "), "{second}");
}
