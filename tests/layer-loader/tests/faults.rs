//! Tests of files and folders that settings name and that cannot be used: a message has the path
//! and the reason, and the application runs as without the setting.
//!
//! In: the driver that `scripts/setup.sh` names. Out: one line per test, in libtest's format. What
//! must hold: what the machine does not allow is reported and counted as skipped.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use dxil_layer_loader::suite::{FIXTURE, Places, Probe, Seen, Test, run_tests};
use dxil_layer_loader::{LAYER, root};

/// An application that names the layer and creates a module from DXIL.
fn application(places: &Places, probe: Probe) -> Probe {
    probe.env("VK_ADD_LAYER_PATH", &places.explicit).args(&["--layer", LAYER]).dxil(FIXTURE)
}

/// A new folder of one test.
fn folder(places: &Places, name: &str) -> PathBuf {
    let folder = places.empty.join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder).unwrap();
    folder
}

/// The layer is active and created the module.
fn assert_goes_on(seen: &Seen) {
    assert_eq!(seen.layers(), 1, "{}\n{}", seen.text, seen.errors);
    assert_eq!(seen.lines("module "), ["created"], "{}\n{}", seen.text, seen.errors);
}

/// The log says that a file of this kind cannot be written, and why.
fn assert_not_written(seen: &Seen, dump: &Path, ending: &str, reason: &str) {
    assert_goes_on(seen);
    let begin = format!("dxil_translate: warn: dump_dir {}: cannot write ", dump.display());
    let wanted = |line: &&str| line.starts_with(&begin) && line.contains(&format!("{ending}: {reason}"));
    assert_eq!(seen.errors.lines().filter(wanted).count(), 1, "{begin}…{ending}: {reason}\n{}", seen.errors);
}

/// A script that mounts a memory file system of four pages over the folder `$1`, with the options
/// `$2`, runs the rest of the arguments, and prints the files that it left there.
const MOUNT: &str = r#"mount -t tmpfs -o "$2" tmpfs "$1" || exit 9; folder=$1; shift 2; "$@" || exit; \
    (cd "$folder" && ls -A | sed 's/^/left /' && cat -- *.dxil 2>/dev/null | wc -c | sed 's/^/bytes /')"#;

/// The words before a program that runs it in its own space of mounts: as the superuser, or as one
/// of a new space of users. `None` if the machine allows neither.
fn own_mounts() -> Option<&'static [&'static str]> {
    const WAYS: [&[&str]; 2] = [&["unshare", "--mount"], &["unshare", "--map-root-user", "--mount"]];
    WAYS.into_iter().find(|way| {
        let script = "mount -t tmpfs -o size=16k tmpfs /tmp";
        let output = Command::new(way[0]).args(&way[1..]).args(["sh", "-c", script]).output();
        output.is_ok_and(|output| output.status.success())
    })
}

fn mounted(places: &Places, dump: &Path, options: &str) -> Seen {
    let way = own_mounts().expect("lacks() asked");
    let script = [way, &["sh", "-c", MOUNT, "sh", dump.to_str().unwrap(), options]].concat();
    application(places, places.probe_in(&script)).env("VK_DXIL_TRANSLATE_DUMP_DIR", dump).run()
}

fn dump_folder_is_full(places: &Places) {
    let dump = folder(places, "full");
    let container = fs::metadata(root().join("tests/fixtures").join(FIXTURE)).unwrap().len();
    // One page has space for no file: the folder of a memory file system takes none.
    let seen = mounted(places, &dump, "size=4k,nr_inodes=1");
    assert_not_written(&seen, &dump, ".dxil", "No space left on device");
    assert_not_written(&seen, &dump, ".request", "No space left on device");
    assert_eq!(seen.lines("left "), [""; 0], "{}", seen.text);
    // Space for the container, and not for what comes after it.
    let pages = container.div_ceil(4096);
    let seen = mounted(places, &dump, &format!("size={}k", pages * 4));
    assert_not_written(&seen, &dump, ".spv", "No space left on device");
    assert_not_written(&seen, &dump, ".request", "No space left on device");
    assert_eq!(seen.lines("left ").len(), 1, "no half of a file is left: {}", seen.text);
    assert_eq!(seen.lines("bytes "), [container.to_string()], "{}", seen.text);
}

fn dump_folder_is_read_only(places: &Places) {
    let dump = folder(places, "read-only");
    for ending in [".dxil", ".spv", ".request"] {
        assert_not_written(&mounted(places, &dump, "ro"), &dump, ending, "Read-only file system");
    }
}

/// The limit of the size of files is one block of 512 bytes. A process that ignores the signal
/// SIGXFSZ gets an error instead.
fn dump_files_are_too_large(places: &Places) {
    let dump = folder(places, "too-large");
    let limited = ["sh", "-c", r#"trap '' XFSZ; ulimit -f 1; exec "$@""#, "sh"];
    let seen = application(places, places.probe_in(&limited)).env("VK_DXIL_TRANSLATE_DUMP_DIR", &dump).run();
    assert_not_written(&seen, &dump, ".dxil", "File too large");
    assert_eq!(fs::read_dir(&dump).unwrap().count(), 0, "no half of a file is left");
}

fn dump_folder_cannot_be_made(places: &Places) {
    let file = folder(places, "no-folder").join("file");
    fs::write(&file, "precious").unwrap();
    for (dump, reason) in [(file.clone(), "File exists"), (file.join("below"), "Not a directory")] {
        let seen = application(places, places.probe()).env("VK_DXIL_TRANSLATE_DUMP_DIR", &dump).run();
        assert_not_written(&seen, &dump, ".dxil", reason);
    }
    assert_eq!(fs::read(&file).unwrap(), b"precious");
}

fn log_file_cannot_be_opened(places: &Places) {
    let log = folder(places, "log");
    let probe = application(places, places.probe()).env("VK_DXIL_TRANSLATE_LOG_FILE", &log);
    let seen = probe.env("VK_DXIL_TRANSLATE_STATS", "maybe").run();
    assert_goes_on(&seen);
    let expected = format!("log_file {}: Is a directory (os error 21); messages go to stderr", log.display());
    assert!(seen.errors.contains(&expected), "{}", seen.errors);
    assert!(seen.errors.contains("setting stats: `maybe`"), "{}", seen.errors);
}

/// The one warning of an application with this settings file, which the messengers get too.
fn warning(probe: Probe, path: &Path) -> String {
    let seen = probe.env("VK_LAYER_SETTINGS_PATH", path).run();
    assert_goes_on(&seen);
    let messages = seen.lines("message ");
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(seen.errors.contains(messages[0]), "{}", seen.errors);
    messages[0].to_owned()
}

fn settings_file_is_none(places: &Places) {
    let warned = |path: &Path| warning(application(places, places.probe()), path);
    let folder = folder(places, "no-settings");
    let file = folder.join("vk_layer_settings.txt");
    let missing =
        format!("VK_LAYER_SETTINGS_PATH: there is no settings file at {} or at {}", folder.display(), file.display());
    assert_eq!(warned(&folder), missing);
    let is_no_file = format!("VK_LAYER_SETTINGS_PATH: {} is not a file", file.display());
    fs::create_dir(&file).unwrap();
    assert_eq!(warned(&folder), is_no_file);
    fs::remove_dir(&file).unwrap();
    assert!(Command::new("mkfifo").arg(&file).status().unwrap().success());
    assert_eq!(warned(&folder), is_no_file);
    assert_eq!(warned(&file), is_no_file);
}

fn settings_file_is_not_text(places: &Places) {
    let file = folder(places, "no-text").join("vk_layer_settings.txt");
    fs::write(&file, b"dxil_translate.dump_dir = /tmp/\xff\ndxil_translate.stats = true\n").unwrap();
    let warned = warning(application(places, places.probe()), &file);
    let expected = format!("settings file {}, line 1: the value is ignored, because it is not UTF-8", file.display());
    assert_eq!(warned, expected);
    fs::write(&file, vec![b'#'; (1 << 20) + 1]).unwrap();
    let warned = warning(application(places, places.probe()), &file);
    let expected = format!("settings file {}: it has more than 1048576 bytes; ", file.display());
    assert!(warned.starts_with(&expected), "{warned}");
}

/// The words before a program that runs it without the superuser's right to read everything.
fn without_rights() -> &'static [&'static str] {
    let output = Command::new("id").arg("-u").output().expect("id");
    let superuser = output.stdout == b"0\n";
    if superuser { &["setpriv", "--inh-caps=-all", "--bounding-set=-all"] } else { &["env"] }
}

fn settings_file_may_not_be_read(places: &Places) {
    let warned = |path: &Path| warning(application(places, places.probe_in(without_rights())), path);
    let folder = folder(places, "locked");
    let file = folder.join("vk_layer_settings.txt");
    fs::write(&file, "dxil_translate.stats = true\n").unwrap();
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    mode(&file, 0);
    let denied = "Permission denied (os error 13)";
    let expected = format!("settings file {}: {denied}; none of its settings is used", file.display());
    assert_eq!(warned(&file), expected);
    mode(&folder, 0);
    let expected = format!("VK_LAYER_SETTINGS_PATH: {}: {denied}", file.display());
    assert_eq!(warned(&folder), expected);
    mode(&folder, 0o755);
}

/// Why a test cannot run on this machine.
fn lacks(name: &str) -> Option<&'static str> {
    match name {
        "dump_folder_is_full" | "dump_folder_is_read_only" if own_mounts().is_none() => {
            Some("the machine lets `unshare` mount no memory file system")
        }
        "settings_file_may_not_be_read" => {
            let [program, arguments @ ..] = without_rights() else { return None };
            let locked = "file=$(mktemp) && chmod 0 $file && cat $file; rm -f $file";
            let unreadable = Command::new(program).args(arguments).args(["sh", "-c", locked]).output();
            match unreadable {
                Ok(output) if String::from_utf8_lossy(&output.stderr).contains("Permission denied") => None,
                _ => Some("`setpriv` does not take the superuser's rights away"),
            }
        }
        _ => None,
    }
}

const TESTS: &[Test] = &[
    ("dump_folder_is_full", dump_folder_is_full),
    ("dump_folder_is_read_only", dump_folder_is_read_only),
    ("dump_files_are_too_large", dump_files_are_too_large),
    ("dump_folder_cannot_be_made", dump_folder_cannot_be_made),
    ("log_file_cannot_be_opened", log_file_cannot_be_opened),
    ("settings_file_is_none", settings_file_is_none),
    ("settings_file_is_not_text", settings_file_is_not_text),
    ("settings_file_may_not_be_read", settings_file_may_not_be_read),
];

fn main() -> ExitCode {
    run_tests("faults", env!("CARGO_BIN_EXE_layer-probe"), TESTS, lacks)
}
