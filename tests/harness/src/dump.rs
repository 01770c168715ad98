//! Repeats the translations that the layer dumped, and compares the words.
//!
//! In: the folder that the layer's setting `dump_dir` named, and the tool `dxil2spv`. Out: how many
//! translations were repeated, or a list of those that came out differently. What must hold: a
//! folder without a request is an error; every request is repeated with the library, and every
//! twentieth by `dxil2spv --request` as well; a request whose translation failed in the layer must
//! fail again.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use dxil_translator::{BlobDigest, Request, Shader};

use crate::error::{Error, Result};

/// The tool repeats one request of so many. Starting a process for each would take longer than the
/// translations.
const REQUESTS_PER_TOOL_RUN: usize = 20;
/// How many differences are described; the others are counted.
const DESCRIBED: usize = 10;

/// The number of translations that were repeated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Repeated {
    /// Requests that gave the dumped words again.
    pub reproduced: usize,
    /// Requests that gave the dumped words also through the tool.
    pub by_tool: usize,
    /// Requests without dumped words, whose translation failed again.
    pub failed_again: usize,
}

/// Repeats every request of a folder on several threads. `tool` is the path of `dxil2spv`.
///
/// # Errors
/// If the folder has no request with dumped words, if a file cannot be read, or if a translation
/// gives other words than the dumped ones.
pub fn repeat(folder: &Path, tool: &Path, threads: usize) -> Result<Repeated> {
    let blobs = requests(folder)?;
    let queue = Mutex::new(blobs.into_iter());
    let work = || {
        let mut outcomes = Vec::new();
        loop {
            // The lock is released before the requests are repeated.
            let next = queue.lock().expect("no thread panics with the lock").next();
            let Some((container, requests)) = next else { return outcomes };
            outcomes.extend(repeat_blob(&container, &requests, tool));
        }
    };
    let outcomes = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        let ended = threads.into_iter().map(|thread| thread.join().expect("a thread panicked, which fails the run"));
        ended.flatten().collect::<Vec<_>>()
    });
    let mut total = Repeated::default();
    let mut differences = Vec::new();
    for outcome in outcomes {
        match outcome {
            Ok(one) => {
                total.reproduced += one.reproduced;
                total.by_tool += one.by_tool;
                total.failed_again += one.failed_again;
            }
            Err(difference) => differences.push(difference),
        }
    }
    if !differences.is_empty() {
        differences.sort();
        let described = differences[..differences.len().min(DESCRIBED)].join("\n  ");
        let count = differences.len();
        let text = format!("{count} dumped translations were not reproduced, such as\n  {described}");
        return Err(Error::Wrong(text));
    }
    if total.reproduced == 0 || total.by_tool == 0 {
        let text = format!("{}: expected requests with their words, found none", folder.display());
        return Err(Error::Wrong(text));
    }
    Ok(total)
}

/// A request's file, and whether the tool repeats it too.
type Chosen = (PathBuf, bool);

/// The requests of a folder by the path of their container.
fn requests(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<Chosen>>> {
    let io = |e: std::io::Error| Error::Io(format!("{}: {e}", folder.display()));
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(io)? {
        paths.push(entry.map_err(io)?.path());
    }
    // The names begin with a hash, so that every twentieth is a sample of all shaders.
    paths.sort();
    let mut blobs: BTreeMap<PathBuf, Vec<Chosen>> = BTreeMap::new();
    let has_words = |path: &Path| path.with_extension("spv").is_file();
    let mut with_words = 0;
    for path in paths {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if extension == "spv" && !path.with_extension("request").is_file() {
            return Err(Error::Wrong(format!("{}: expected a request beside the words", path.display())));
        }
        if extension != "request" {
            continue;
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let blob = name.split('-').next().unwrap_or_default();
        let container = folder.join(format!("{blob}.dxil"));
        let chosen = has_words(&path) && with_words % REQUESTS_PER_TOOL_RUN == 0;
        with_words += usize::from(has_words(&path));
        blobs.entry(container).or_default().push((path, chosen));
    }
    Ok(blobs)
}

/// What came of one request: counts, or a difference in words.
type Outcome = std::result::Result<Repeated, String>;

/// Repeats the requests of one container.
fn repeat_blob(container: &Path, requests: &[Chosen], tool: &Path) -> Vec<Outcome> {
    let parsed = fs::read(container).map_err(|e| e.to_string()).and_then(|bytes| {
        let shader = Shader::parse(&bytes).map_err(|e| e.to_string())?;
        Ok((BlobDigest::from_bytes(&bytes), shader))
    });
    let (digest, shader) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return vec![Err(format!("{}: {error}", container.display()))],
    };
    let one = |(path, by_tool): &Chosen| {
        let outcome = repeat_request(path, digest, &shader).and_then(|mut repeated| {
            if *by_tool {
                repeat_by_tool(path, tool)?;
                repeated.by_tool = 1;
            }
            Ok(repeated)
        });
        outcome.map_err(|error| format!("{}: {error}", path.display()))
    };
    requests.iter().map(one).collect()
}

fn repeat_request(path: &Path, digest: BlobDigest, shader: &Shader) -> Outcome {
    let text = fs::read_to_string(path).map_err(|e| e.to_string())?;
    let request = Request::parse(&text, shader).map_err(|e| e.to_string())?;
    if request.blob != digest {
        return Err(format!("the request is for the container {}, found {digest}", request.blob));
    }
    if request.to_string() != text {
        return Err("the request does not print as the text that it was read from".into());
    }
    let dumped = path.with_extension("spv");
    match (request.translate(shader), dumped.is_file()) {
        (Ok(translation), true) => {
            let bytes: Vec<u8> = translation.words.iter().flat_map(|word| word.to_le_bytes()).collect();
            compare(&bytes, &fs::read(dumped).map_err(|e| e.to_string())?)?;
            Ok(Repeated { reproduced: 1, ..Repeated::default() })
        }
        (Err(_), false) => Ok(Repeated { failed_again: 1, ..Repeated::default() }),
        (Ok(_), false) => Err("the translation failed in the layer and succeeds now".into()),
        (Err(error), true) => Err(format!("the translation succeeded in the layer and fails now: {error}")),
    }
}

fn repeat_by_tool(path: &Path, tool: &Path) -> std::result::Result<(), String> {
    let mut command = Command::new(tool);
    command.arg("--request").arg(path);
    let output = command.output().map_err(|e| format!("{}: {e}", tool.display()))?;
    if !output.status.success() {
        return Err(format!("{}: {}", tool.display(), String::from_utf8_lossy(&output.stderr).trim_end()));
    }
    let dumped = fs::read(path.with_extension("spv")).map_err(|e| e.to_string())?;
    compare(&output.stdout, &dumped).map_err(|error| format!("{}: {error}", tool.display()))
}

/// Compares a module with the dumped one, byte for byte.
fn compare(found: &[u8], dumped: &[u8]) -> std::result::Result<(), String> {
    if found == dumped {
        return Ok(());
    }
    let same = found.iter().zip(dumped).take_while(|(found, dumped)| found == dumped).count();
    let (word, found, dumped) = (same / 4, found.len() / 4, dumped.len() / 4);
    Err(format!("the modules differ from word {word} on; this one has {found} words, the dumped one {dumped}"))
}

#[cfg(test)]
mod tests {
    use dxil_translator::{Options, PipelineStage, PlanInputs, VULKAN_1_3_DESKTOP, plan};

    use super::*;
    use crate::layer::root;

    /// A folder with the dump of one translation, which is removed at the end.
    struct Dump {
        folder: PathBuf,
        request: PathBuf,
    }

    impl Dump {
        fn new(test: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("dxil-dump-{test}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder).unwrap();
            let bytes = fs::read(root().join("tests/fixtures/buffer/raw_read_write.dxil")).unwrap();
            let shader = Shader::parse(&bytes).unwrap();
            let entry = shader.find_entry(None).unwrap();
            let options = Options::new(VULKAN_1_3_DESKTOP);
            let plan = plan(&[PipelineStage::new(&shader, entry)], &PlanInputs::new(&options.profile)).unwrap();
            let digest = BlobDigest::from_bytes(&bytes);
            let request = Request::new(digest, &shader, entry, plan.stages[0].clone(), options).unwrap();
            let words = request.translate(&shader).unwrap().words;
            let words: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            fs::write(folder.join(format!("{}.dxil", digest.short())), bytes).unwrap();
            let path = folder.join(format!("{}-0.request", digest.short()));
            fs::write(&path, request.to_string()).unwrap();
            fs::write(path.with_extension("spv"), words).unwrap();
            Self { folder, request: path }
        }

        /// Repeats the dump. The tool is replaced by `cat` with the dumped words.
        fn repeat(&self) -> Result<Repeated> {
            self.repeat_by("cat \"${2%.request}.spv\"")
        }

        fn repeat_by(&self, script: &str) -> Result<Repeated> {
            use std::os::unix::fs::PermissionsExt as _;
            let tool = self.folder.join("tool.sh");
            fs::write(&tool, format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
            repeat(&self.folder, &tool, 2)
        }

        #[track_caller]
        fn fails(&self, part: &str) {
            let error = self.repeat().unwrap_err().to_string();
            assert!(error.contains(part), "expected `{part}` in: {error}");
        }

        fn alter(&self, from: &str, to: &str) {
            let text = fs::read_to_string(&self.request).unwrap();
            assert!(text.contains(from), "{text}");
            fs::write(&self.request, text.replacen(from, to, 1)).unwrap();
        }
    }

    impl Drop for Dump {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }

    #[test]
    fn a_dump_is_reproduced() {
        let expected = Repeated { reproduced: 1, by_tool: 1, failed_again: 0 };
        assert_eq!(Dump::new("whole").repeat(), Ok(expected));
    }

    #[test]
    fn an_altered_request_is_found() {
        let dump = Dump::new("altered");
        dump.alter("binding = 0,", "binding = 7,");
        dump.fails("the modules differ from word ");
        let dump = Dump::new("comment");
        dump.alter("\n[plan]", "\n# a comment\n[plan]");
        dump.fails("does not print as the text");
        let dump = Dump::new("unknown");
        dump.alter("[plan]", "teapot = true\n[plan]");
        dump.fails("unknown key `teapot`");
    }

    #[test]
    fn altered_words_are_found() {
        let dump = Dump::new("words");
        let words = dump.request.with_extension("spv");
        let mut bytes = fs::read(&words).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(&words, &bytes).unwrap();
        dump.fails("the modules differ from word ");
        fs::write(&words, &bytes[..bytes.len() - 4]).unwrap();
        dump.fails("the modules differ from word ");
        fs::remove_file(&words).unwrap();
        dump.fails("failed in the layer and succeeds now");
    }

    #[test]
    fn a_tool_with_other_words_is_found() {
        let dump = Dump::new("tool");
        for (script, part) in [("true", "differ from word 0"), ("echo refused >&2; exit 1", "refused")] {
            let error = dump.repeat_by(script).unwrap_err().to_string();
            assert!(error.contains(part), "expected `{part}` in: {error}");
        }
    }

    #[test]
    fn an_incomplete_dump_is_found() {
        let dump = Dump::new("incomplete");
        fs::rename(&dump.request, dump.folder.join("kept")).unwrap();
        dump.fails("expected a request beside the words");
        fs::remove_file(dump.request.with_extension("spv")).unwrap();
        dump.fails("expected requests with their words, found none");
        fs::remove_dir_all(&dump.folder).unwrap();
        assert!(matches!(repeat(&dump.folder, Path::new("cat"), 1), Err(Error::Io(_))));
    }
}
