//! Compiles the programs of `programs/`, which are C and C++, with the library of the C interface.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use dxil_test_support::{TempFolder, repository};

/// The name of the library that programs look for.
const SONAME: &str = "libdxil_translator.so.0";

/// A language of the programs: the compiler, and its standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C99.
    C,
    /// C++17.
    Cxx,
}

/// A compiled program.
pub struct Program {
    path: PathBuf,
    _folder: TempFolder,
}

/// The folder that has the library's files: that of the test's own program.
///
/// # Panics
/// If the test does not know its program.
#[must_use]
pub fn built() -> PathBuf {
    // Without a use of the crate, the linker would leave it out, and cargo still builds it.
    let _ = dxil_translator_c::version::VERSION;
    std::env::current_exe().expect("the test's program").parent().expect("its folder").to_owned()
}

/// The folder of the header.
#[must_use]
pub fn include() -> PathBuf {
    repository().join("translator/c/include")
}

/// Compiles a file of `programs/` with strict warnings, and links it with the library. With
/// `SANITIZE=address` in the environment the program ends with a fault if memory is used wrongly or
/// leaks, the library's too.
///
/// # Panics
/// If it does not compile.
#[must_use]
pub fn compile(source: &str, language: Language, libraries: &[&str]) -> Program {
    let folder = TempFolder::new(&format!("c-{source}-{language:?}"));
    for name in [SONAME, "libdxil_translator.so"] {
        std::os::unix::fs::symlink(built().join("libdxil_translator_c.so"), folder.join(name))
            .expect("the library's name");
    }
    let path = folder.join("program");
    let (compiler, arguments) = match language {
        Language::C => ("cc", ["-std=c99", "-xc"]),
        Language::Cxx => ("c++", ["-std=c++17", "-xc++"]),
    };
    let mut command = Command::new(compiler);
    command.args(arguments).args(["-D_POSIX_C_SOURCE=200809L", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pthread"]);
    command.args(std::env::var("SANITIZE").map(|kinds| format!("-fsanitize={kinds}")));
    command.arg("-I").arg(include()).arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("programs").join(source));
    command.args(["-xnone", "-o"]).arg(&path).arg("-L").arg(&*folder).arg("-ldxil_translator").args(libraries);
    let done = command.arg(format!("-Wl,-rpath,{}", folder.display())).output().expect("the compiler starts");
    assert!(done.status.success(), "{source} as {language:?}: {}", said(&done));
    Program { path, _folder: folder }
}

impl Program {
    /// The command that starts the program.
    #[must_use]
    pub fn command(&self) -> Command {
        Command::new(&self.path)
    }

    /// Runs the program under valgrind, which fails if memory is used wrongly or leaks. `None` if
    /// there is no valgrind.
    #[must_use]
    pub fn run_checked(&self, arguments: &[impl AsRef<OsStr>]) -> Option<Output> {
        let mut command = Command::new("valgrind");
        command.args([
            "--quiet",
            "--error-exitcode=99",
            "--leak-check=full",
            "--errors-for-leak-kinds=definite,indirect",
        ]);
        command.arg(&self.path).args(arguments).stdin(Stdio::null()).output().ok()
    }
}

/// What a program printed.
#[must_use]
pub fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

/// Runs a command that must succeed, and gives its standard output.
///
/// # Panics
/// If it fails.
pub fn run(command: &mut Command) -> String {
    let done = command.stdin(Stdio::null()).output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(done.status.success(), "{command:?}: {}", said(&done));
    String::from_utf8_lossy(&done.stdout).into_owned()
}

/// The tool dxil2spv, if cargo has built it beside the tests, as `cargo test --workspace` does.
#[must_use]
pub fn tool() -> Option<PathBuf> {
    let folder = built();
    let folder = folder.ancestors().find(|folder| !folder.ends_with("deps"))?;
    Some(folder.join("dxil2spv")).filter(|tool| tool.is_file())
}
