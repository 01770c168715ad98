//! scripts/c-library.sh: the installed files are found by pkg-config and by CMake, in a tree that
//! lies anywhere and in the Debian package.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use dxil_c_programs::{built, run, tool};
use dxil_test_support::{TempFolder, repository};

const SOURCE: &str = "tests/c/programs/version.c";

/// Runs the script with the libraries that cargo has built for this test.
fn script(arguments: &[&str]) -> String {
    let mut command = Command::new("bash");
    command.arg(repository().join("scripts/c-library.sh")).arg("--built").arg(built()).args(arguments);
    // The best compression of unoptimised code takes a minute.
    run(command.env("DPKG_DEB_COMPRESSOR_LEVEL", "0").env("ARCHIVE_LEVEL", "1"))
}

/// An installation that has been moved.
fn installed() -> &'static Path {
    static INSTALLED: OnceLock<(TempFolder, PathBuf)> = OnceLock::new();
    let (_, path) = INSTALLED.get_or_init(|| {
        let folder = TempFolder::new("c-installed");
        let prefix = folder.join("first");
        let printed = script(&["--prefix", prefix.to_str().expect("UTF-8")]);
        assert!(Path::new(printed.trim()).is_file(), "{printed}");
        let moved = folder.join("moved here");
        std::fs::rename(prefix, &moved).expect("the tree moves");
        (folder, moved)
    });
    path
}

/// The program says the version that it runs with.
fn says_its_version(program: &Path, libraries: &Path) {
    let said = run(Command::new(program).env("LD_LIBRARY_PATH", libraries));
    assert_eq!(said.trim(), env!("CARGO_PKG_VERSION"));
}

/// The flags that pkg-config gives, one a line of a shell's words.
fn flags(libraries: &Path, arguments: &str) -> String {
    let line = format!("printf '%s\\n' \"$(pkg-config {arguments} dxil_translator)\"");
    run(Command::new("sh").args(["-c", &line]).env("PKG_CONFIG_PATH", libraries.join("pkgconfig")))
}

/// Compiles the program with the flags of pkg-config.
fn compiled_with(libraries: &Path, flags: &str, program: &Path) {
    let source = repository().join(SOURCE);
    let line = format!("cc -std=c99 -Wall -Werror -o '{}' '{}' {}", program.display(), source.display(), flags.trim());
    run(Command::new("sh").args(["-c", &line]));
    says_its_version(program, libraries);
}

#[test]
fn by_pkg_config() {
    if Command::new("pkg-config").arg("--version").output().is_err() {
        println!("skipped: there is no pkg-config");
        return;
    }
    let (libraries, out) = (installed().join("lib"), TempFolder::new("c-pkg-config"));
    assert_eq!(flags(&libraries, "--modversion").trim(), env!("CARGO_PKG_VERSION"));
    compiled_with(&libraries, &flags(&libraries, "--cflags --libs"), &out.join("shared"));
    let linked = flags(&libraries, "--cflags --libs --static").replace("-ldxil_translator", "-l:libdxil_translator.a");
    compiled_with(&out, &linked, &out.join("static"));
}

#[test]
fn by_cmake() {
    if Command::new("cmake").arg("--version").output().is_err() {
        println!("skipped: there is no cmake");
        return;
    }
    let Some(tool) = tool() else {
        println!("skipped: cargo has not built dxil2spv");
        return;
    };
    let out = TempFolder::new("c-cmake");
    let project = repository().join("tests/c/programs");
    let define = |name: &str, value: &Path| format!("-D{name}={}", value.display());
    run(Command::new("cmake").arg("-S").arg(project).arg("-B").arg(&*out).args([
        define("CMAKE_PREFIX_PATH", installed()),
        define("DXIL2SPV", &tool),
        define("SHADER", &repository().join("tests/fixtures/rootsig/mixed_order.dxil")),
    ]));
    run(Command::new("cmake").arg("--build").arg(&*out));
    says_its_version(&out.join("shared"), &installed().join("lib"));
    says_its_version(&out.join("static"), &out);
    let words = std::fs::read(out.join("shader.spv")).expect("the translation");
    assert_eq!(words.get(..4), Some(&[0x03, 0x02, 0x23, 0x07][..]));
}

#[test]
fn as_a_debian_package() {
    if Command::new("dpkg-deb").arg("--version").output().is_err() {
        println!("skipped: there is no dpkg-deb");
        return;
    }
    let out = TempFolder::new("c-deb");
    let printed = script(&["--deb", out.to_str().expect("UTF-8"), "--maintainer", "A Name <tests@example.org>"]);
    let files: Vec<&str> = printed.lines().collect();
    let [runtime, development, archive] = files[..] else { panic!("three files are made: {printed}") };
    let root = out.join("root");
    for (package, name) in [(runtime, "libdxil-translator0"), (development, "libdxil-translator-dev")] {
        run(Command::new("dpkg-deb").arg("--extract").arg(package).arg(&root));
        let field = run(Command::new("dpkg-deb").args(["--field", package, "Package"]));
        assert_eq!(field.trim(), name);
    }
    let depends = run(Command::new("dpkg-deb").args(["--field", development, "Depends"]));
    assert_eq!(depends.trim(), concat!("libdxil-translator0 (= ", env!("CARGO_PKG_VERSION"), ")"));
    let listed = run(Command::new("tar").args(["-tzf", archive]));
    assert!(listed.contains("/lib/libdxil_translator.so.0\n") && listed.contains("/include/dxil_translator.h\n"));
    let found = run(Command::new("find").arg(root.join("usr/lib")).args(["-name", "libdxil_translator.so.0"]));
    let libraries = Path::new(found.trim()).parent().expect("the folder of libraries");
    assert!(
        root.join("usr/include/dxil_layer.h").is_file()
            && root.join("usr/include/dxil_translator.h").is_file()
            && root.join("usr/share/doc/libdxil-translator-dev/c.md").is_file()
    );
    assert!(libraries.join("cmake/dxil_translator/dxil_translator-config.cmake").is_file());
    if Command::new("pkg-config").arg("--version").output().is_ok() {
        compiled_with(libraries, &flags(libraries, "--cflags --libs"), &out.join("program"));
    }
}
