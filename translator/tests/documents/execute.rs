//! Runs the commands of documents that are not `dxil2spv`, as a shell would in the repository.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::rules::Rule;

/// Folders with files that commands may write anew, with the same content.
const WRITTEN: &[&str] = &["docs", "manifest", "layer", "translator", "tests", "scripts"];
/// What gives a command mounts of its own, as a superuser of its own.
const OWN_MOUNTS: [&str; 2] = ["--map-root-user", "--mount"];
/// The `shader.hlsl` of documents.
const PIXEL: &str = "tests/applications/wgpu/shaders/triangle.pixel.hlsl";

/// The place of all commands.
pub struct Shell {
    root: PathBuf,
    /// Where cargo puts what it builds.
    target: PathBuf,
    /// Programs that stand for others, the home folder, and what is installed there.
    folder: PathBuf,
}

impl Shell {
    /// Makes the folder.
    pub fn new(root: &Path, folder: &Path) -> Self {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().to_owned();
        let shell = Self { root: root.to_owned(), target, folder: folder.to_owned() };
        let layer = shell.target.join("debug/libVkLayer_dxil.so");
        fs::create_dir_all(folder.join("built/release")).unwrap();
        std::os::unix::fs::symlink(layer, folder.join("built/release/libVkLayer_dxil.so")).unwrap();
        fs::create_dir_all(folder.join("home")).unwrap();
        fs::create_dir_all(folder.join("installed")).unwrap();
        // `program` is an application, and a browser and sudo are not at hand.
        shell.stand_in("program", &format!("exec {}/debug/layer-probe", shell.target.display()));
        shell.stand_in("browser", "echo \"opened $1\"");
        shell.stand_in("sudo", "exec \"$@\"");
        shell.stand_in("dxc", "exec \"$(\"$SCRIPTS/get-dxc.sh\" | tail -n 1)\" \"$@\"");
        fs::create_dir_all(folder.join("dxc")).unwrap();
        fs::copy(root.join(PIXEL), folder.join("dxc/shader.hlsl")).unwrap();
        shell
    }

    fn stand_in(&self, name: &str, line: &str) {
        use std::os::unix::fs::PermissionsExt;
        let path = self.folder.join("bin").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, format!("#!/bin/sh\n{line}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Whether the pinned compiler is at hand, or can be fetched.
    pub fn has_compiler(&self) -> bool {
        self.shell("scripts/get-dxc.sh", "home").is_ok_and(|(status, _)| status == Some(0))
    }

    /// Runs a command, which must show what its rule says.
    pub fn run(&self, rule: &Rule) -> Result<(), String> {
        let command = rule.command;
        if is_application(command) {
            self.install()?;
        }
        let (mut status, mut marks) = (0, Vec::new());
        for show in rule.shows {
            if let Some(file) = show.strip_prefix("file ") {
                let path = self.path(file);
                let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
                marks.push(path);
            } else if let Some(number) = show.strip_prefix("status ") {
                status = number.parse().unwrap();
            }
        }
        let keeps = rule.shows.contains(&"changes nothing");
        let before = keeps.then(|| self.sources());
        let home = if is_application(command) { "installed" } else { "home" };
        let (found, text) = self.shell(command, home)?;
        if found != Some(status) {
            return Err(format!("its exit status is {found:?}, not {status}:\n{text}"));
        }
        if let Some(path) = marks.iter().find(|path| !path.exists()) {
            return Err(format!("it did not make {}:\n{text}", path.display()));
        }
        if let Some(before) = before {
            let after = self.sources();
            let changed = |path: &&PathBuf| before.get(*path) != after.get(*path);
            if let Some(path) = before.keys().chain(after.keys()).find(changed) {
                return Err(format!("it changed {}, which was out of date", path.display()));
            }
        }
        let is_text = |show: &&&str| !["file ", "status "].iter().any(|word| show.starts_with(word));
        let missing = |show: &&&str| **show != "changes nothing" && !text.contains(**show);
        match rule.shows.iter().filter(is_text).find(missing) {
            Some(show) => Err(format!("it does not show `{show}`:\n{text}")),
            None => Ok(()),
        }
    }

    /// Installs the layer for programs, in a home folder of theirs.
    fn install(&self) -> Result<(), String> {
        let mut script = Command::new("bash");
        script.arg("scripts/install.sh").arg("--library").arg(self.target.join("debug/libVkLayer_dxil.so"));
        script.env("HOME", self.folder.join("installed")).env_remove("XDG_DATA_HOME").current_dir(&self.root);
        let output = script.output().map_err(|error| error.to_string())?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(()) } else { Err(format!("scripts/install.sh: {text}")) }
    }

    /// Whether a command may have mounts that it alone sees.
    pub fn has_mounts(&self) -> bool {
        let mut command = Command::new("unshare");
        command.args(OWN_MOUNTS).args(["mount", "-t", "tmpfs", "tmpfs", "/usr/local"]);
        command.output().is_ok_and(|output| output.status.success())
    }

    /// Runs a line. The result is its status, and what it prints.
    fn shell(&self, line: &str, home: &str) -> Result<(Option<i32>, String), String> {
        let line = self.with_target(line);
        let home = self.folder.join(home);
        // The layer is installed below a home folder and a /usr/local of the command's own, as
        // root, for whom install.sh takes the library that is there.
        let line = match line.contains("scripts/install.sh") {
            true => format!("mount -t tmpfs tmpfs /usr/local && export HOME={} && {line}", home.display()),
            false => line,
        };
        let mut command = Command::new("timeout");
        command.args(["--kill-after=10", "3000"]);
        if line.contains("scripts/install.sh") {
            command.arg("unshare").args(OWN_MOUNTS).env("CARGO_TARGET_DIR", self.folder.join("built"));
        } else {
            command.env("CARGO_TARGET_DIR", &self.target);
        }
        if is_application(&line) {
            command.env("HOME", &home).env("XDG_CONFIG_HOME", home.join("none")).env("VK_LOADER_DEBUG", "layer");
        }
        for (name, _) in env::vars_os() {
            let text = name.to_string_lossy();
            let is_of_cargo = ["CARGO_PKG_", "CARGO_MANIFEST_", "CARGO_BIN_"].iter().any(|word| text.starts_with(word));
            if is_of_cargo || ["CARGO_TARGET_TMPDIR", "XDG_DATA_HOME", "BLESS", "CLICOLOR_FORCE"].contains(&&*text) {
                command.env_remove(&name);
            }
        }
        let path = format!("{}:{}", self.folder.join("bin").display(), env::var("PATH").unwrap_or_default());
        command
            .env("PATH", path)
            .env("BROWSER", "browser")
            .env("SCRIPTS", self.root.join("scripts"))
            .env("CARGO_INSTALL_ROOT", self.folder.join("cargo"));
        let place = if line.starts_with("dxc ") { self.folder.join("dxc") } else { self.root.clone() };
        command.args(["bash", "-c", &format!("exec 2>&1; {line}")]).current_dir(place);
        let output = command.stdin(std::process::Stdio::null()).output().map_err(|error| error.to_string())?;
        let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        Ok((output.status.code(), text))
    }

    /// A line with the place where cargo builds for each `target/` that begins a word.
    fn with_target(&self, line: &str) -> String {
        let of_word = |word: &str| match word.strip_prefix("target/") {
            Some(rest) => self.target.join(rest).display().to_string(),
            None => word.to_owned(),
        };
        line.split(' ').map(of_word).collect::<Vec<_>>().join(" ")
    }

    /// The path of a file that a command makes.
    fn path(&self, file: &str) -> PathBuf {
        for (name, folder) in [("$HOME", "home"), ("$CARGO_INSTALL_ROOT", "cargo")] {
            if let Some(rest) = file.strip_prefix(name) {
                return self.folder.join(folder).join(rest.trim_start_matches('/'));
            }
        }
        match file.strip_prefix("target/") {
            Some(rest) => self.target.join(rest),
            None if file == "shader.dxil" => self.folder.join("dxc").join(file),
            None => self.root.join(file),
        }
    }

    /// All files that a command may write anew, with their content.
    fn sources(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut folders: Vec<PathBuf> = WRITTEN.iter().map(|name| self.root.join(name)).collect();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).unwrap().flatten() {
                let path = entry.path();
                if !path.is_dir() {
                    found.insert(path.clone(), fs::read(&path).unwrap_or_default());
                } else if !["target", "__pycache__"].iter().any(|name| path.ends_with(name)) {
                    folders.push(path);
                }
            }
        }
        found
    }
}

/// Whether a command is an application of Vulkan, which finds the layer where it was installed.
fn is_application(command: &str) -> bool {
    [" program", " vulkaninfo"].iter().any(|name| command.ends_with(name))
}
