//! Translates the containers of the repository, and says whose results differ from those of a file.
//!
//! In: `MUTANT`, which the changed translator reads. Out, without an argument: a line `JOB DIGEST`
//! for each job. With the file of such lines and a number as arguments: a line `JOB WHAT` for each
//! job whose result is another one, at most that many; the numbers of the jobs are on standard
//! input. The program ends at the first result that fails a test of `dxil-validate`: a panic, a
//! translation that does not end, or an invalid module.

use std::io::Read;
use std::process::ExitCode;
use std::sync::mpsc;
use std::time::Duration;

use dxil_tests::emitted::{files, tests_folder, translate_container, translate_fixture};
use dxil_tests::spec::{Fixture, parse};
use dxil_translator::{DeviceProfile, Error, Feature};
use dxil_validate::validate;

/// The time in which a job has to end. The longest takes two seconds.
const LONGEST: Duration = Duration::from_secs(30);
/// For which devices a fixture is translated, besides the one that runs it.
const PROFILES: [&str; 3] = ["everything", "vulkan-1.1-floor", "vulkan-1.0-desktop"];

/// A translation with a name: `FIXTURE.hlsl@PROFILE`, or `CONTAINER.dxil@PROFILE`. The profile
/// `run` is that of the tests' device, without what the fixture leaves out.
struct Job {
    name: String,
    what: What,
    profile: DeviceProfile,
}

/// The words of a job's modules.
type Modules = Result<Vec<Vec<u32>>, Error>;

enum What {
    Fixture(Box<Fixture>),
    Container(Vec<u8>),
}

impl Job {
    fn new(name: &str) -> Option<Self> {
        let (file, tag) = name.rsplit_once('@')?;
        let path = tests_folder().join(file);
        let named = DeviceProfile::named(if tag == "run" { "lavapipe" } else { tag });
        let mut profile = named?;
        let what = if file.ends_with(".hlsl") {
            let fixture = parse::parse(file, &path, &std::fs::read_to_string(&path).ok()?).ok()?;
            for name in fixture.without.iter().filter(|_| tag == "run") {
                if let Some(&feature) = Feature::ALL.iter().find(|feature| feature.name() == name) {
                    profile.features.set(feature, false);
                }
            }
            What::Fixture(Box::new(fixture))
        } else {
            What::Container(std::fs::read(&path).ok()?)
        };
        Some(Self { name: name.to_owned(), what, profile })
    }

    fn translate(&self) -> Modules {
        match &self.what {
            What::Fixture(fixture) => translate_fixture(fixture, &self.profile),
            What::Container(bytes) => translate_container(bytes, &self.profile),
        }
    }

    /// Translates in a thread whose name is the number of the job, which the changed translator
    /// notes. What is wrong with the result that no test allows is an error.
    fn run(self, number: usize) -> (Self, Result<Modules, &'static str>) {
        let (sender, receiver) = mpsc::channel();
        let name = self.name.clone();
        let work = move || {
            let result = self.translate();
            let _ = sender.send((self, result));
        };
        let thread = std::thread::Builder::new().name(number.to_string()).stack_size(8 << 20).spawn(work);
        let wrong = |what| (Self::new(&name).expect("the job again"), Err(what));
        match receiver.recv_timeout(LONGEST) {
            Ok((job, result)) => (job, Ok(result)),
            Err(mpsc::RecvTimeoutError::Timeout) => wrong("does not end"),
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                let _ = thread.map(std::thread::JoinHandle::join);
                wrong("panicked")
            }
        }
    }
}

/// The names of all jobs.
fn names() -> Vec<String> {
    let tests = tests_folder();
    let short = |path: &std::path::Path| path.strip_prefix(&tests).unwrap_or(path).display().to_string();
    let sources = ["fixtures", "content", "demo/shaders"].iter().flat_map(|folder| files(&tests.join(folder), "hlsl"));
    let is_fixture = |path: &std::path::PathBuf| {
        std::fs::read_to_string(path).is_ok_and(|text| dxil_test_support::is_fixture(&text))
    };
    let fixtures: Vec<String> = sources.filter(is_fixture).map(|path| short(&path)).collect();
    let mut names: Vec<String> = fixtures.iter().map(|name| format!("{name}@run")).collect();
    let others = ["fixtures/newer-dxc", "fixtures/resource-types", "fixtures/libraries", "corpus", "control-flow"];
    let others = others.iter().flat_map(|folder| files(&tests.join(folder), "dxil"));
    names.extend(others.map(|path| format!("{}@everything", short(&path))));
    for profile in PROFILES {
        names.extend(fixtures.iter().map(|name| format!("{name}@{profile}")));
    }
    names
}

/// A digest of the words, or the kind of the error.
fn digest(result: &Modules) -> String {
    match result {
        Ok(modules) => {
            let mut hasher = blake3::Hasher::new();
            for words in modules {
                hasher.update(&(words.len() as u64).to_le_bytes());
                words.iter().for_each(|word| _ = hasher.update(&word.to_le_bytes()));
            }
            hasher.finalize().to_hex().to_string()
        }
        Err(error) => format!("{:?}", error.kind()).replace(' ', ""),
    }
}

/// Translates everything.
fn survey() -> ExitCode {
    for (number, name) in names().iter().enumerate() {
        let Some(job) = Job::new(name) else {
            eprintln!("{name} cannot be read");
            return ExitCode::from(2);
        };
        match job.run(number).1 {
            Ok(result) => println!("{name} {}", digest(&result)),
            Err(what) => {
                eprintln!("{name} {what}");
                return ExitCode::from(2);
            }
        }
    }
    ExitCode::SUCCESS
}

fn main() -> ExitCode {
    let Some(base) = std::env::args().nth(1) else {
        return survey();
    };
    let enough = std::env::args().nth(2).and_then(|text| text.parse().ok()).unwrap_or(usize::MAX);
    let base = std::fs::read_to_string(&base).expect("the file of digests");
    let base: Vec<(&str, &str)> = base.lines().filter_map(|line| line.split_once(' ')).collect();
    let mut wanted = String::new();
    std::io::stdin().read_to_string(&mut wanted).expect("numbers of jobs");
    let mut differ = 0;
    for number in wanted.lines().filter_map(|line| line.parse::<usize>().ok()) {
        let (name, before) = base[number];
        let (job, result) = Job::new(name).expect("a job").run(number);
        let result = match result {
            Ok(result) if digest(&result) == before => continue,
            Ok(result) => result,
            Err(what) => {
                println!("{name} {what}");
                return ExitCode::SUCCESS;
            }
        };
        match &result {
            Ok(modules) => match modules.iter().find_map(|words| validate(words, &job.profile).err()) {
                Some(error) => {
                    println!("{name} invalid {}", error.replace('\n', " "));
                    return ExitCode::SUCCESS;
                }
                None => println!("{name} valid"),
            },
            Err(error) => println!("{name} refused {:?}: {}", error.kind(), error.to_string().replace('\n', " ")),
        }
        differ += 1;
        if differ == enough {
            break;
        }
    }
    ExitCode::SUCCESS
}
