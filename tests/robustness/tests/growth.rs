//! Time and memory of the translator against the size of its input, for inputs that grow with one
//! number, at one, two, four and eight times a size.
//!
//! `cargo test -p dxil-robustness --test growth -- --nocapture` prints the figures. `FAMILY=loops`
//! chooses the families whose name contains the text, `DOUBLINGS=6` sets how often the size is
//! doubled, and `DUMP=DIR` writes the inputs for `dxil2spv`.

use std::time::{Duration, Instant};

use dxil_robustness::families::{FAMILIES, Family, Growth};
use dxil_robustness::memory::{self, Counting};
use dxil_robustness::pipeline;
use dxil_translator::{Error, ErrorKind, Options, lavapipe};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What one input cost.
struct Cost {
    size: usize,
    input: usize,
    result: Result<usize, Error>,
    peak: usize,
    time: Duration,
}

impl Cost {
    fn of(family: &Family, size: usize) -> Self {
        let input = (family.make)(size);
        if let Some(folder) = std::env::var_os("DUMP") {
            let file = format!("{}-{size}.bc", family.name.replace(' ', "-"));
            std::fs::write(std::path::Path::new(&folder).join(file), &input).expect("a folder to write to");
        }
        let mut options = Options::new(lavapipe());
        options.names = true;
        let started = Instant::now();
        let (result, peak) = memory::peak(|| pipeline::first_entry(&input, &options));
        let time = started.elapsed();
        let cost = Self { size, input: input.len(), result: result.map(|words| words.len()), peak, time };
        cost.print(family.name);
        cost
    }

    fn print(&self, name: &str) {
        let result = match &self.result {
            Ok(words) => format!("{words} words"),
            Err(error) => error.to_string(),
        };
        let (size, input, peak, time) = (self.size, self.input, self.peak >> 10, self.time.as_secs_f64() * 1e3);
        println!("{name:36} {size:8} {input:9} bytes: {peak:8} KiB, {time:8.1} ms, {result}");
    }
}

/// The largest memory for an input, which has a few megabytes.
const MOST_MEMORY: usize = 512 << 20;

#[test]
fn memory_grows_with_the_input() {
    let only = std::env::var("FAMILY").unwrap_or_default();
    let doublings = std::env::var("DOUBLINGS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    let mut faults = Vec::new();
    for family in FAMILIES.iter().filter(|family| family.name.contains(&only)) {
        let costs: Vec<Cost> = (0..=doublings).map(|doubling| Cost::of(family, family.size << doubling)).collect();
        for cost in &costs {
            match &cost.result {
                Err(error) if error.kind() != ErrorKind::Limit => faults.push(format!("{}: {error}", family.name)),
                _ if cost.peak > MOST_MEMORY => faults.push(format!("{}: {} bytes", family.name, cost.peak)),
                _ => {}
            }
        }
        let translated = |cost: &&Cost| cost.result.is_ok();
        let (Some(first), Some(last)) = (costs.first().filter(translated), costs.iter().rfind(translated)) else {
            faults.push(format!("{}: the smallest input is not translated", family.name));
            continue;
        };
        // The capacity of a vector is up to twice its length, so neighbours may differ by that.
        let most = first.peak * (last.input / first.input + 1) * 2;
        if family.growth == Growth::Linear && last.peak > most {
            let (name, few, many) = (family.name, first.peak, last.peak);
            faults.push(format!("{name}: {few} bytes for {}, {many} bytes for {}", first.size, last.size));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
