//! The bundle: a folder that shows a fault to others.
//!
//! ```text
//! README.md                what the fault is, and how to see it
//! command.sh               shows it
//! reduced.json             sizes, steps, time
//! reduced.STAGE.spv        the code of a stage, and the same as text (.spvasm)
//! capture/                 the pipeline, for `dxil-lab run`
//! reduced.gfxr             the same for GFXReconstruct, if its layer is installed
//! reduced.rdc              a run of the same for RenderDoc, if it captures on the device
//! original/                the pipeline that the reduction began with, and its DXIL
//! original/STAGE.spv       the SPIR-V that the layer gave to the driver
//! ```

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use dxil_capture::model::{Code, Record};
use dxil_capture::{Capture, Digest, Writer};
use serde::Serialize;
use spirv_tools::TargetEnv;
use spirv_tools::assembler::{self, Assembler as _, DisassembleOptions};

use super::error::ReduceError;
use super::judge::Symptom;
use crate::files::At as _;
use crate::results::Outcome;
use crate::shell;
use crate::words::to_bytes;

/// A stage in the report.
#[derive(Clone, Debug, Serialize)]
pub struct StageReport {
    /// The name of the stage.
    pub stage: String,
    /// Instructions of the module that the layer gave to the driver.
    pub instructions_before: usize,
    /// Instructions of the reduced module.
    pub instructions: usize,
    /// Words before.
    pub words_before: usize,
    /// Words of the reduced module.
    pub words: usize,
    /// SPIRV-Tools' validator accepts the reduced module.
    pub valid: bool,
    /// The validator's message about the module before, if it does not accept that one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invalid_before: Option<String>,
}

/// The recording of a bundle's pipeline.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Recording {
    /// It was made on this driver.
    MadeOn(String),
    /// There is none, and why.
    Missing(String),
}

/// What a reduction did.
#[derive(Clone, Debug, Serialize)]
pub struct ReduceReport {
    /// The pipeline of the capture.
    pub pipeline: Digest,
    /// The pipeline in the bundle.
    pub reduced: Digest,
    /// The driver.
    pub driver: String,
    /// `deviceName`.
    pub device: String,
    /// `driverVersion`.
    pub driver_version: u32,
    /// The fault.
    pub fault: Symptom,
    /// The stages that are left.
    pub stages: Vec<StageReport>,
    /// What is gone of the pipeline's state.
    pub gone: Vec<String>,
    /// Smaller pipelines that had the fault.
    pub steps: usize,
    /// Pipelines that were made up.
    pub tried: usize,
    /// Pipelines that the driver was given.
    pub questions: usize,
    /// The time, in seconds.
    pub seconds: f64,
    /// The recording for GFXReconstruct.
    pub recording: Recording,
    /// The capture for RenderDoc.
    pub renderdoc: Recording,
    /// No limit ended the reduction.
    pub complete: bool,
    /// `command.sh` showed the fault, in processes that did nothing before.
    pub confirmed: bool,
}

/// The name of a stage in files.
pub fn stage_name(bit: u32) -> String {
    const NAMES: [(u32, &str); 14] = [
        (0x1, "vertex"),
        (0x2, "tessellation-control"),
        (0x4, "tessellation-evaluation"),
        (0x8, "geometry"),
        (0x10, "fragment"),
        (0x20, "compute"),
        (0x40, "task"),
        (0x80, "mesh"),
        (0x100, "ray-generation"),
        (0x200, "any-hit"),
        (0x400, "closest-hit"),
        (0x800, "miss"),
        (0x1000, "intersection"),
        (0x2000, "callable"),
    ];
    let name = NAMES.iter().find(|(known, _)| *known == bit).map(|(_, name)| (*name).to_owned());
    name.unwrap_or_else(|| format!("stage-{bit:x}"))
}

/// The names of stages, with numbers where there are several of a kind.
pub fn stage_names(bits: &[u32]) -> Vec<String> {
    let of = |(at, bit): (usize, &u32)| {
        let name = stage_name(*bit);
        let is_only = bits.iter().filter(|other| *other == bit).count() == 1;
        if is_only { name } else { format!("{name}-{at}") }
    };
    bits.iter().enumerate().map(of).collect()
}

/// The text of a module.
fn disassembled(words: &[u32]) -> String {
    let options = DisassembleOptions { use_friendly_names: false, comment: false, ..Default::default() };
    match assembler::create(Some(TargetEnv::Vulkan_1_4)).disassemble(words, options) {
        Ok(Some(text)) => text,
        Ok(None) => String::new(),
        Err(error) => format!("; the module cannot be disassembled: {error}\n"),
    }
}

/// Copies a record to another capture, with all that it refers to.
///
/// # Errors
/// What the capture lacks, or the system's.
pub fn copy(capture: &Capture, record: &Record, to: &Writer, with_code: bool) -> Result<(), ReduceError> {
    // The libraries of a pipeline, and theirs. Names that come twice are copied once.
    let mut open: Vec<(Record, bool)> = vec![(record.clone(), with_code)];
    let mut seen = std::collections::BTreeSet::new();
    while let Some((record, with_code)) = open.pop() {
        if let Some(device) = record.device {
            to.device(&capture.device(device)?)?;
        }
        for stage in record.pipeline.stages.iter().filter(|_| with_code) {
            match stage.code {
                Code::Dxil(digest) => to.dxil(&capture.dxil(digest)?),
                Code::Spirv(digest) => to.spirv(&capture.spirv(digest)?),
                Code::Missing => continue,
            }?;
        }
        for library in record.pipeline.libraries.iter().flatten().filter(|name| seen.insert(**name)) {
            open.push((capture.record(*library)?, true));
        }
        if with_code {
            to.record(&record)?;
        }
    }
    Ok(())
}

/// What the files of a bundle say.
pub struct Bundle<'a> {
    /// The folder.
    pub folder: &'a Path,
    /// The report.
    pub report: &'a ReduceReport,
    /// The stages: their names, and their code.
    pub stages: Vec<(String, &'a [u32])>,
}

/// The script of a bundle.
pub struct Script {
    /// The subcommand of `dxil-lab` that shows the fault.
    pub subcommand: &'static str,
    /// The driver, as the subcommand finds it, and its device.
    pub driver: Vec<String>,
    /// Further arguments.
    pub arguments: Vec<String>,
}

impl Script {
    /// Writes it into the folder of the bundle, and says whether it shows the fault there with this
    /// program of the lab.
    ///
    /// # Errors
    /// The system's.
    pub fn prove(&self, folder: &Path, program: &Path) -> Result<bool, ReduceError> {
        let path = folder.join("command.sh");
        fs::write(&path, self.text()).at(&path)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).at(&path)?;
        }
        let output = Command::new("sh").arg(&path).env("DXIL_LAB", program).stdin(Stdio::null()).output().at(&path)?;
        Ok(output.status.code() == Some(1))
    }

    fn text(&self) -> String {
        format!(
            "#!/bin/sh\n\
             # Shows the fault: the exit status is 1 while the driver has it, and 0 when it is mended.\n\
             # Its argument is another driver. DXIL_LAB is the program.\n\
             folder=$(dirname -- \"$0\")\n\
             results=$(mktemp -d) || exit 2\n\
             trap 'rm -rf -- \"$results\"' EXIT\n\
             [ $# -gt 0 ] || set -- {}\n\
             \"${{DXIL_LAB:-dxil-lab}}\" {} \"$folder/capture\" --out \"$results\" {} \\\n    \
             --driver \"$@\"\n",
            shell::line(&self.driver),
            self.subcommand,
            shell::line(&self.arguments)
        )
    }
}

impl Bundle<'_> {
    /// Writes the files.
    ///
    /// # Errors
    /// The system's.
    pub fn write(&self) -> Result<(), ReduceError> {
        let write = |name: &str, bytes: &[u8]| {
            let path = self.folder.join(name);
            fs::write(&path, bytes).at(&path)
        };
        for (name, words) in &self.stages {
            write(&format!("reduced.{name}.spv"), &to_bytes(words))?;
            write(&format!("reduced.{name}.spvasm"), disassembled(words).as_bytes())?;
        }
        let json = serde_json::to_string_pretty(self.report)?;
        write("reduced.json", format!("{json}\n").as_bytes())?;
        write("README.md", self.readme().as_bytes())?;
        Ok(())
    }

    fn readme(&self) -> String {
        let report = self.report;
        let mut text = format!(
            "# {}\nThe driver {} ({}, version {:#x}) does this with the pipeline in `capture`",
            if report.fault.outcome == Outcome::Executed { "different results" } else { report.fault.outcome.name() },
            report.driver,
            report.device,
            report.driver_version
        );
        if !report.fault.detail.is_empty() {
            text += &format!(": {}", report.fault.detail);
        }
        if let Some(call) = &report.fault.call {
            text += &format!(", in {call}");
        }
        text += ".\n";
        if !report.fault.backtrace.is_empty() {
            text += &format!("\n```text\n{}\n```\n", report.fault.backtrace.join("\n"));
        }
        for message in &report.fault.messages {
            text += &format!("The validation layer says {message}.\n");
        }
        text += if report.confirmed {
            "\n```sh\n./command.sh\n```\nshows it again. It needs the program `dxil-lab`.\n\n"
        } else {
            "\nThis is the last pipeline in which the reduction saw the fault. `command.sh` did not show it again, so \
             the fault depends on more than the pipeline.\n\n"
        };
        text += &match &report.recording {
            Recording::MadeOn(driver) => format!(
                "`gfxrecon-replay --remove-unsupported reduced.gfxr` asks the same of a driver without `dxil-lab`. \
                 GFXReconstruct recorded it on {driver}.\n\n"
            ),
            Recording::Missing(why) => format!("There is no `reduced.gfxr` for GFXReconstruct: {why}.\n\n"),
        };
        text += &match &report.renderdoc {
            Recording::MadeOn(driver) => {
                format!("RenderDoc opens `reduced.rdc`, in which {driver} runs the pipeline.\n\n")
            }
            Recording::Missing(why) => format!("There is no `reduced.rdc` for RenderDoc: {why}.\n\n"),
        };
        text += "| stage | instructions | before | SPIRV-Tools' validator |\n|---|---|---|---|\n";
        for stage in &report.stages {
            let valid = if stage.valid { "accepts it" } else { "does not accept it" };
            text += &format!(
                "| `reduced.{}.spv` | {} | {} | {valid} |\n",
                stage.stage, stage.instructions, stage.instructions_before
            );
        }
        text += &format!(
            "\nThe reduction took {} steps, {} pipelines that the driver was given, and {:.1} s. The pipeline that \
             it began with is in `original`, with its DXIL and the SPIR-V that the driver got.\n",
            report.steps, report.questions, report.seconds
        );
        if !report.complete {
            text += "A limit ended the reduction; it may become smaller with a longer one.\n";
        }
        if !report.gone.is_empty() {
            text += &format!("\nThe fault does not need: {}.\n", report.gone.join("; "));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program that ends with the status 1 shows every fault, and one that ends with 0 or cannot
    /// be started shows none.
    #[test]
    fn a_script_that_does_not_show_the_fault_is_no_proof() {
        let folder = std::env::temp_dir().join(format!("dxil-lab-script-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (driver, arguments) = (vec!["lavapipe".to_owned()], Vec::new());
        let script = Script { subcommand: "run", driver, arguments };
        let shown = ["false", "true", "no-such-program"].map(|it| script.prove(&folder, Path::new(it)).unwrap());
        assert_eq!(shown, [true, false, false]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn stages_of_one_kind_have_numbers() {
        assert_eq!(stage_names(&[0x1, 0x10]), ["vertex", "fragment"]);
        assert_eq!(stage_names(&[0x100, 0x800, 0x800]), ["ray-generation", "miss-1", "miss-2"]);
    }
}
