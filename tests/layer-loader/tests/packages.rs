//! Tests of scripts/install.sh and scripts/package.sh: each way to install the layer, under the
//! real loader with a real driver, and its removal.
//!
//! In: the layer as this test builds it, and the driver that `scripts/setup.sh` names. Out: one
//! line per test, in libtest's format. What must hold: no script runs cargo here, because each gets
//! its library.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};
use std::sync::OnceLock;

use dxil_layer_loader::suite::{FIXTURE, Places, Probe, Test, run_tests};
use dxil_layer_loader::{LAYER, build_tool, root};

/// Paths may have these characters.
const STRANGE: &str = "it's a \"100%\" strange & [long] |name|";

/// A script with its own home folder, and with a `cargo` that leaves a mark and fails.
struct Script {
    command: Command,
    mark: PathBuf,
}

impl Script {
    fn new(places: &Places, script: &Path) -> Self {
        let folder = places.empty.join("tools");
        fs::create_dir_all(&folder).unwrap();
        let mark = folder.join("cargo-ran");
        let _ = fs::remove_file(&mark);
        tool(&folder, "cargo", &format!("touch '{}'; exit 1", mark.display()));
        let _ = fs::remove_file(folder.join("id"));
        let mut command = Command::new("bash");
        let path = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths([folder].into_iter().chain(env::split_paths(&path))).unwrap();
        command.arg(script).env("PATH", path).env("HOME", &places.empty).env_remove("XDG_DATA_HOME");
        Self { command, mark }
    }

    fn named(places: &Places, name: &str) -> Self {
        Self::new(places, &root().join("scripts").join(name))
    }

    fn run(&mut self) -> Output {
        self.command.output().expect("bash")
    }

    /// Runs it to its end, without cargo, and returns what it printed.
    fn done(mut self) -> String {
        let output = self.run();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}\n{errors}", output.status);
        assert!(!self.mark.exists(), "the script ran cargo");
        String::from_utf8(output.stdout).unwrap()
    }
}

/// Writes a program for `PATH`.
fn tool(folder: &Path, name: &str, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join(name);
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut out = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            let list = if path.is_dir() && !path.is_symlink() { &mut folders } else { &mut out };
            list.push(path);
        }
    }
    out.sort();
    out
}

fn assert_no_files(folder: &Path) {
    let left = files(folder);
    assert!(left.is_empty(), "{left:?}");
}

/// `%XX` as bytes.
fn percent_decoded(text: &str) -> PathBuf {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail.get(..2).and_then(|hex| u8::from_str_radix(str::from_utf8(hex).ok()?, 16).ok());
        match code {
            Some(code) if *first == b'%' => (bytes.push(code), rest = &tail[2..]),
            _ => (bytes.push(*first), rest = tail),
        };
    }
    PathBuf::from(String::from_utf8(bytes).unwrap())
}

/// The manifests below the data folder `share` name an existing library of this word size, and an
/// existing document. `system` is the root folder that addresses begin at.
fn check_manifests(share: &Path, system: &Path) {
    for name in ["explicit_layer.d/VkLayer_dxil.json", "implicit_layer.d/VkLayer_dxil_implicit.json"] {
        let path = share.join("vulkan").join(name);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
        let field = |name: &str| manifest["layer"][name].as_str().unwrap_or_else(|| panic!("no {name}"));
        assert_eq!(field("library_arch"), if cfg!(target_pointer_width = "64") { "64" } else { "32" });
        let folder = path.parent().unwrap();
        let library = folder.join(field("library_path"));
        assert!(library.is_file(), "{}", library.display());
        let document = match field("url").strip_prefix("file:///") {
            Some(rest) => system.join(percent_decoded(rest)),
            None => folder.join(percent_decoded(field("url"))),
        };
        assert!(document.is_file(), "{}", document.display());
    }
}

/// The tool below this folder runs, and has a manual page and completions.
fn check_tool(bin: &Path, share: &Path) {
    let output = |command: &mut Command| {
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(output(Command::new(bin.join("dxil2spv")).arg("--version")).starts_with("dxil2spv "));
    let page = output(Command::new("gzip").arg("-dc").arg(share.join("man/man1/dxil2spv.1.gz")));
    assert!(page.contains(".TH dxil2spv 1") && page.contains(".TH dxil2spv-embed 1"), "{}", &page[..200]);
    for (file, line) in [
        ("bash-completion/completions/dxil2spv", "complete -F _dxil2spv"),
        ("zsh/vendor-completions/_dxil2spv", "#compdef dxil2spv"),
        ("fish/vendor_completions.d/dxil2spv.fish", "complete -c dxil2spv"),
    ] {
        let text = fs::read_to_string(share.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(text.contains(line), "{file}");
    }
}

/// The layer works in both ways, in the environment that `place` adds to a clean one, and the
/// machine's own data folders are out of sight.
fn assert_works(places: &Places, place: impl Fn(Probe) -> Probe) {
    let probe = || place(places.probe().env("XDG_DATA_DIRS", &places.empty)).dxil(FIXTURE);
    probe().args(&["--layer", LAYER]).run().assert_works();
    probe().env("ENABLE_DXIL_TRANSLATE", "1").run().assert_works();
}

/// The layer is not to be found.
fn assert_absent(places: &Places, place: impl Fn(Probe) -> Probe) {
    let probe = place(places.probe().env("XDG_DATA_DIRS", &places.empty)).env("ENABLE_DXIL_TRANSLATE", "1");
    let seen = probe.env("VK_INSTANCE_LAYERS", LAYER).run();
    assert_eq!(seen.layers(), 0, "{}", seen.text);
}

fn for_a_user(places: &Places) {
    let home = places.empty.join("home");
    let script = || {
        let mut script = Script::named(places, "install.sh");
        script.command.arg("--user").env("HOME", &home);
        script
    };
    let in_home = |probe: Probe| probe.env("HOME", &home).without("XDG_DATA_HOME");
    assert_absent(places, in_home);
    let mut install = script();
    install.command.arg("--library").arg(&places.library);
    let printed = install.done();
    assert!(printed.lines().all(|line| Path::new(line).exists()), "{printed}");
    check_manifests(&home.join(".local/share"), Path::new("/"));
    assert_works(places, in_home);

    let mut uninstall = script();
    uninstall.command.arg("--uninstall");
    uninstall.done();
    assert_absent(places, in_home);
    // The driver has its cache in the home folder.
    assert_no_files(&home.join(".local"));
}

fn for_a_prefix(places: &Places) {
    let prefix = places.empty.join(STRANGE);
    let script = || {
        let mut script = Script::named(places, "install.sh");
        script.command.arg("--prefix").arg(&prefix).arg("--library").arg(&places.library);
        script.command.arg("--tool").arg(build_tool());
        script
    };
    script().done();
    let share = prefix.join("share");
    check_manifests(&share, Path::new("/"));
    check_tool(&prefix.join("bin"), &share);
    assert_works(places, |probe| probe.env("XDG_DATA_DIRS", &share));
    // Once more, as an update does, and then away with it.
    let installed = files(&prefix);
    script().done();
    assert_eq!(files(&prefix), installed);
    let mut uninstall = script();
    uninstall.command.arg("--uninstall");
    uninstall.done();
    assert_no_files(&prefix);
}

/// The manifests of a layer offer the setting `validate` if the layer has the validator. Its
/// messages stand for it here.
fn only_a_validator_is_offered(places: &Places) {
    for has_validator in [false, true] {
        let prefix = places.empty.join(format!("validator-{has_validator}"));
        let library = places.empty.join("libVkLayer_of_a_build.so");
        let mut bytes = fs::read(&places.library).unwrap();
        if has_validator {
            bytes.extend_from_slice(b"[VUID-StandaloneSpirv-None-04633]");
        }
        fs::write(&library, bytes).unwrap();
        let mut script = Script::named(places, "install.sh");
        script.command.arg("--prefix").arg(&prefix).arg("--library").arg(&library);
        script.done();
        let share = prefix.join("share");
        check_manifests(&share, Path::new("/"));
        for name in ["explicit_layer.d/VkLayer_dxil.json", "implicit_layer.d/VkLayer_dxil_implicit.json"] {
            let text = fs::read_to_string(share.join("vulkan").join(name)).unwrap();
            let manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
            let settings = manifest["layer"]["features"]["settings"].as_array().unwrap();
            let found = settings.iter().filter(|setting| setting["key"] == "validate").count();
            assert_eq!(found, usize::from(has_validator), "{name}");
            assert!(settings.len() > 30, "{}", settings.len());
        }
        assert_works(places, |probe| probe.env("XDG_DATA_DIRS", &share));
    }
}

/// Who answers for the package of the tests.
const MAINTAINER: &str = "A Name of Tests <tests@example.org>";

/// Packs the layer, once in a run, and returns the Debian package and the archive.
fn packed(places: &Places) -> &'static (PathBuf, PathBuf) {
    static PACKED: OnceLock<(PathBuf, PathBuf)> = OnceLock::new();
    PACKED.get_or_init(|| {
        let out = places.empty.join("packages");
        let mut script = Script::named(places, "package.sh");
        script.command.arg("--library").arg(&places.library).arg("--tool").arg(build_tool());
        script.command.arg("--out").arg(&out).args(["--no-c-library", "--maintainer", MAINTAINER]);
        // The best compression of unoptimised programs takes a minute.
        script.command.env("DPKG_DEB_COMPRESSOR_LEVEL", "0").env("ARCHIVE_LEVEL", "1");
        let printed = script.done();
        let mut lines = printed.lines().map(PathBuf::from);
        (lines.next().expect("a Debian package"), lines.next().expect("an archive"))
    })
}

fn as_a_debian_package(places: &Places) {
    let (package, _) = packed(places);
    let system = places.empty.join("system");
    fs::create_dir_all(system.join("var/lib/dpkg/info")).unwrap();
    fs::create_dir_all(system.join("var/lib/dpkg/updates")).unwrap();
    fs::write(system.join("var/lib/dpkg/status"), "").unwrap();
    // The root folder has no C library, which the package depends on.
    let dpkg = |action: &str, what: &Path| {
        let mut command = Command::new("dpkg");
        command.arg("--root").arg(&system).args(["--log=/dev/null", "--force-not-root", "--force-depends", action]);
        let output = command.arg(what).env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    dpkg("--install", package);
    let share = system.join("usr/share");
    check_manifests(&share, &system);
    let documents = share.join("doc/vulkan-layer-dxil");
    assert!(documents.join("copyright").is_file() && documents.join("LICENSE-MIT").is_file());
    check_tool(&system.join("usr/bin"), &share);
    let field = Command::new("dpkg-deb").arg("--field").arg(package).arg("Maintainer").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&field.stdout).trim(), MAINTAINER);
    assert_works(places, |probe| probe.env("XDG_DATA_DIRS", &share));
    dpkg("--purge", Path::new("vulkan-layer-dxil"));
    assert_no_files(&system.join("usr"));
}

/// What is not of the form of a maintainer is refused before anything is packed.
fn a_maintainer_has_an_address(places: &Places) {
    let packs = |email: &str, arguments: &[&str]| {
        let mut script = Script::named(places, "package.sh");
        script.command.arg("--library").arg(&places.library).args(["--tool", "/nowhere/at/all"]).args(arguments);
        script.command.env("DEBEMAIL", email).env("DEBFULLNAME", "A Name");
        let output = script.run();
        assert!(!output.status.success(), "there is no tool to pack");
        String::from_utf8(output.stderr).unwrap()
    };
    let missing = "package.sh: /nowhere/at/all is missing\n";
    assert!(packs("", &["--maintainer", "nobody"]).ends_with("of the form 'NAME <ADDRESS>', found: nobody\n"));
    assert!(packs("a name", &[]).ends_with("found: A Name <a name>\n"));
    assert_eq!(packs("a@example.org", &[]), missing);
    assert_eq!(packs("Another Name <a@example.org>", &[]), missing);
    assert_eq!(packs("", &["--maintainer", MAINTAINER]), missing);
    let nobody = packs("", &[]);
    assert!(nobody.contains("nobody answers for the Debian package") && nobody.ends_with(missing), "{nobody}");
}

fn as_an_archive(places: &Places) {
    let (_, archive) = packed(places);
    let folder = places.empty.join("unpacked");
    fs::create_dir_all(&folder).unwrap();
    let unpacked = Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(&folder).status().unwrap();
    assert!(unpacked.success());
    let tree = fs::read_dir(&folder).unwrap().next().expect("one folder").unwrap().path();
    // It may lie anywhere.
    let moved = places.empty.join(format!("moved {STRANGE}"));
    fs::rename(tree, &moved).unwrap();
    let share = moved.join("share");
    check_manifests(&share, Path::new("/"));
    check_tool(&moved.join("bin"), &share);
    assert_works(places, |probe| probe.env("XDG_DATA_DIRS", &share));
    let explicit = share.join("vulkan/explicit_layer.d");
    let probe = places.probe().env("XDG_DATA_DIRS", &places.empty).env("VK_ADD_LAYER_PATH", explicit);
    probe.env("VK_INSTANCE_LAYERS", LAYER).dxil(FIXTURE).run().assert_works();

    // Its script installs the library that is in the archive.
    let prefix = places.empty.join("from-archive");
    let mut install = Script::new(places, &moved.join("scripts/install.sh"));
    install.command.arg("--prefix").arg(&prefix);
    install.done();
    fs::remove_dir_all(&moved).unwrap();
    check_manifests(&prefix.join("share"), Path::new("/"));
    check_tool(&prefix.join("bin"), &prefix.join("share"));
    assert_works(places, |probe| probe.env("XDG_DATA_DIRS", prefix.join("share")));
}

fn root_runs_no_cargo(places: &Places) {
    let target = places.empty.join("no-target");
    for (user, cargo) in [("0", false), ("1000", true)] {
        let mut script = Script::named(places, "install.sh");
        tool(&places.empty.join("tools"), "id", &format!("echo {user}"));
        let prefix = places.empty.join("never");
        script.command.arg("--prefix").arg(&prefix).env("CARGO_TARGET_DIR", &target);
        let output = script.run();
        assert!(!output.status.success());
        assert_eq!(script.mark.exists(), cargo, "user {user}");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(errors.contains("no cargo as root"), !cargo, "{errors}");
        assert!(!prefix.exists());
    }
    let _ = fs::remove_file(places.empty.join("tools/id"));
}

/// The loader leaves out a library of the other word size by the manifest alone.
fn another_word_size_is_left_out(places: &Places) {
    let name = "VkLayer_dxil.json";
    let text = fs::read_to_string(places.explicit.join(name)).unwrap();
    let (this, other) = if cfg!(target_pointer_width = "64") { ("64", "32") } else { ("32", "64") };
    let field = |bits: &str| format!("\"library_arch\": \"{bits}\"");
    for (bits, layers) in [(this, 1), (other, 0)] {
        let folder = places.empty.join(format!("bits-{bits}"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(name), text.replace(&field("64"), &field(bits))).unwrap();
        let probe = places.probe().env("VK_ADD_LAYER_PATH", &folder).env("XDG_DATA_DIRS", &places.empty);
        let seen = probe.env("VK_INSTANCE_LAYERS", LAYER).run();
        assert_eq!(seen.layers(), layers, "{bits}: {}\n{}", seen.text, seen.errors);
    }
}

/// Why a test cannot run on this machine.
fn lacks(name: &str) -> Option<&'static str> {
    let runs = |command: &str| Command::new(command).arg("--version").output().is_ok();
    let packs = matches!(name, "as_a_debian_package" | "as_an_archive" | "a_maintainer_has_an_address");
    if packs && !(runs("dpkg") && runs("dpkg-deb")) {
        return Some("dpkg is not here; this is no Debian");
    }
    (packs && !(runs("objdump") && runs("strip"))).then_some("binutils is not here")
}

const TESTS: &[Test] = &[
    ("for_a_user", for_a_user),
    ("for_a_prefix", for_a_prefix),
    ("only_a_validator_is_offered", only_a_validator_is_offered),
    ("as_a_debian_package", as_a_debian_package),
    ("a_maintainer_has_an_address", a_maintainer_has_an_address),
    ("as_an_archive", as_an_archive),
    ("root_runs_no_cargo", root_runs_no_cargo),
    ("another_word_size_is_left_out", another_word_size_is_left_out),
];

fn main() -> ExitCode {
    run_tests("packages", env!("CARGO_BIN_EXE_layer-probe"), TESTS, lacks)
}
