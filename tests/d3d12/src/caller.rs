//! The C program that makes the calls.
//!
//! In: `caller/caller.c`, and the shared object of the library. Out: a program that is linked with
//! it. What must hold: the system's C compiler takes the declarations without a warning.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use dxil_test_support::TempFolder;
use dxil_tests::layer;

/// The name by which programs are linked with the library and look for it.
const SHARED: &str = "libdxil-spirv-c-shared.so";

/// The compiled C program.
pub struct Caller {
    program: PathBuf,
    folder: TempFolder,
    /// Environment variables of the program.
    environment: Vec<(&'static str, OsString)>,
}

/// What a translation gave.
#[derive(Debug)]
pub struct Translated {
    /// The words, or the library's message.
    pub words: Result<Vec<u32>, String>,
    /// What the program printed.
    pub said: String,
}

impl Caller {
    /// Builds the library and the program. No other test may use this name. With `SANITIZE=address`
    /// in the environment the program ends with a fault if memory is used wrongly or leaks, the
    /// library's too.
    ///
    /// # Panics
    /// If one of them does not build.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let library = layer::build_c_interface().expect("the library builds");
        let folder = TempFolder::new(&format!("d3d12-{name}"));
        let shared = folder.join(SHARED);
        std::os::unix::fs::symlink(&library, &shared).expect("the library's name");
        let program = folder.join("caller");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("caller/caller.c");
        let mut compiler = Command::new("cc");
        compiler.args(std::env::var("SANITIZE").map(|kinds| format!("-fsanitize={kinds}")));
        compiler.args(["-std=c11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-Werror", "-o"]);
        compiler.arg(&program).arg(&source).arg(format!("-L{}", folder.display())).arg("-ldxil-spirv-c-shared");
        let done = compiler.arg(format!("-Wl,-rpath,{}", folder.display())).output().expect("cc starts");
        assert!(done.status.success(), "{}", said(&done));
        Self { program, folder, environment: Vec::new() }
    }

    /// The same program with a library that stands for the original one. It prints the calls that
    /// it gets.
    ///
    /// # Panics
    /// If the library does not build.
    #[must_use]
    pub fn with_original(self, takes_refused: bool) -> Self {
        let library = self.folder.join("original.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("caller/original.c");
        let mut compiler = Command::new("cc");
        compiler.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o"]);
        let done = compiler.arg(&library).arg(&source).output().expect("cc starts");
        assert!(done.status.success(), "{}", said(&done));
        self.with_library(library, takes_refused)
    }

    /// The same program with a library that it forwards to.
    #[must_use]
    pub fn with_library(mut self, library: PathBuf, takes_refused: bool) -> Self {
        self.environment.push(("DXIL_SPIRV_FALLBACK", library.into()));
        if takes_refused {
            self.environment.push(("DXIL_SPIRV_FORWARD", "refused".into()));
        }
        self
    }

    /// The shared object that the program is linked with.
    #[must_use]
    pub fn library(&self) -> PathBuf {
        self.folder.join(SHARED)
    }

    /// Translates an entry point of a container as the script says.
    ///
    /// # Panics
    /// If the program finds a fault of the interface, or crashes.
    #[must_use]
    pub fn translate(&self, container: &Path, script: &str) -> Translated {
        self.translate_often(container, script, None)
    }

    /// Translates as [`translate`](Self::translate) does, and as often again as `count` says; the
    /// program then prints the least time.
    ///
    /// # Panics
    /// If the program finds a fault of the interface, or crashes.
    #[must_use]
    pub fn translate_often(&self, container: &Path, script: &str, count: Option<u32>) -> Translated {
        let (mut caller, out) = self.command(container, script, count);
        let done = caller.output().expect("the caller starts");
        let said = said(&done);
        let words = match done.status.code() {
            Some(0) => Ok(dxil_validate::words(&fs::read(&out).expect("the words"))),
            Some(1) => Err(said.trim_end().to_owned()),
            _ => panic!("{}: {}\n{said}\n{script}", container.display(), done.status),
        };
        Translated { words, said }
    }

    /// The command that [`translate_often`](Self::translate_often) runs, and the file of its words.
    ///
    /// # Panics
    /// If the script is not written.
    #[must_use]
    pub fn command(&self, container: &Path, script: &str, count: Option<u32>) -> (Command, PathBuf) {
        let thread = format!("{:?}", std::thread::current().id());
        let [text, out] = ["script", "spv"].map(|name| self.folder.join(format!("{thread}.{name}")));
        fs::write(&text, script).expect("the script");
        let mut caller = Command::new(&self.program);
        caller.envs(self.environment.iter().cloned()).stdin(Stdio::null());
        caller.arg(container).arg(text).arg(&out).args(count.map(|count| count.to_string()));
        (caller, out)
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}
