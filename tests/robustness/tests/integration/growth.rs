//! Measures the time and memory of the translator against the size of its input, for inputs that
//! grow with one number, at a size and at eight times that size. Where that is refused, at the half
//! of it, and so on.
//!
//! `cargo test -p dxil-robustness --test integration growth -- --nocapture` prints the figures.
//! `FAMILY=loops` chooses the families whose name contains the text, `DOUBLINGS=6` sets how often
//! the size is doubled, and `DUMP=DIR` writes the inputs for `dxil2spv`.

use std::time::Duration;

use dxil_robustness::families::{self, Family, Growth, TOPICS};
use dxil_robustness::{memory, pipeline};
use dxil_translator::{Error, ErrorKind};

/// What one input cost.
struct Cost {
    size: usize,
    input: usize,
    result: Result<usize, Error>,
    peak: usize,
    /// Time on a processor, which does not grow while other programs run.
    time: Duration,
}

impl Cost {
    fn measure(family: &Family, size: usize) -> Self {
        let input = (family.make)(size);
        if let Some(folder) = std::env::var_os("DUMP") {
            let file = format!("{}-{size}.bc", family.name.replace(' ', "-"));
            std::fs::write(std::path::Path::new(&folder).join(file), &input).expect("a folder to write to");
        }
        let options = families::options();
        let before = memory::thread_time();
        let (result, peak) = memory::peak(|| (family.run)(&input, &options));
        let time = memory::thread_time() - before;
        let cost = Self { size, input: input.len(), result, peak, time };
        cost.print(family.name);
        cost
    }

    fn print(&self, name: &str) {
        let result = match &self.result {
            Ok(words) => format!("{words} words"),
            Err(error) => error.to_string(),
        };
        let (size, input, peak, time) = (self.size, self.input, self.peak >> 10, self.time.as_secs_f64() * 1e3);
        println!("{name:50} {size:8} {input:9} bytes: {peak:8} KiB, {time:8.1} ms, {result}");
    }
}

/// The largest memory for an input, which has a few megabytes.
const MOST_MEMORY: usize = 512 << 20;
/// Times below this are not compared.
const SHORT: Duration = Duration::from_millis(20);

/// What is wrong with the cost of a family, in one round of measurements.
fn faults(family: &Family, doublings: u32) -> Vec<String> {
    let name = family.name;
    let mut faults = Vec::new();
    // The smallest size, and the largest one that is not refused. What lies between them shows no
    // fault that these two do not.
    let mut costs = vec![Cost::measure(family, family.size)];
    for doubling in (1..=doublings).rev() {
        costs.push(Cost::measure(family, family.size << doubling));
        if costs.last().is_some_and(|cost| cost.result.is_ok()) {
            break;
        }
    }
    for cost in &costs {
        match &cost.result {
            Err(error) if error.kind() != ErrorKind::Limit => faults.push(format!("{name}: {error}")),
            _ if cost.peak > MOST_MEMORY => faults.push(format!("{name}: {} bytes", cost.peak)),
            _ => {}
        }
    }
    let translated = |cost: &&Cost| cost.result.is_ok();
    let (Some(first), Some(last)) = (costs.first().filter(translated), costs.iter().rfind(translated)) else {
        faults.push(format!("{name}: the smallest input is not translated"));
        return faults;
    };
    if family.growth == Growth::Linear {
        // The capacity of a vector is up to twice its length, so neighbours may differ by that.
        let most = first.peak * (last.input / first.input + 1) * 2;
        let (few, many) = (first.size, last.size);
        if last.peak > most {
            faults.push(format!("{name}: {} bytes for {few}, {} bytes for {many}", first.peak, last.peak));
        }
        // Eight times the input takes 64 times as long if the time is quadratic.
        let most = first.time.max(Duration::from_millis(1)).mul_f64(2.5 * last.input as f64 / first.input as f64);
        if last.time > SHORT && last.time > most {
            faults.push(format!("{name}: {:?} for {few}, {:?} for {many}", first.time, last.time));
        }
    }
    faults
}

/// Checks the families of a topic. A fault has to occur three times, because the time of one
/// measurement depends on what else runs.
fn check(topic: &str) {
    let only = std::env::var("FAMILY").unwrap_or_default();
    let doublings = std::env::var("DOUBLINGS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    let (_, families) = TOPICS.into_iter().find(|(name, _)| *name == topic).expect("a topic");
    let mut found = Vec::new();
    for family in families.iter().filter(|family| family.name.contains(&only)) {
        let rounds = (0..3).map(|_| faults(family, doublings));
        if let Some(faults) = rounds.map_while(|faults| (!faults.is_empty()).then_some(faults)).nth(2) {
            found.extend(faults);
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn control_flow() {
    check("control flow");
}

#[test]
fn functions() {
    check("functions");
}

#[test]
fn values() {
    check("values");
}

#[test]
fn signatures() {
    check("signatures");
}

#[test]
fn resources() {
    check("resources");
}

#[test]
fn metadata() {
    check("metadata");
}

#[test]
fn shared_parts() {
    check("shared parts");
}

#[test]
fn collisions_of_hashes() {
    check("collisions of hashes");
}

#[test]
fn rays() {
    check("rays");
}

#[test]
fn arrays_of_words() {
    check("words");
}

#[test]
fn bitcode() {
    check("bitcode");
}

/// The words for vectors are in proportion to their length, up to the longest that D3D has.
#[test]
fn words_of_vectors() {
    let family = families::all().find(|family| family.name == "elements of one vector").expect("the family");
    let words = [128, 256, 512, 1024].map(|length| {
        let translated = pipeline::first_entry(&(family.make)(length), &families::options());
        translated.expect("a vector of D3D").len()
    });
    let steps: Vec<usize> = words.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(steps.windows(2).all(|pair| pair[1] == 2 * pair[0]), "{words:?}");
}
