//! One fixture in a process of its own, whose environment it sets.

use std::env;
use std::fs;
use std::path::Path;

use dxil_test_support::set_environment;

use crate::arguments::RunArguments;
use crate::error::{Error, Result};
use crate::judge::{self, CodeKind, Options};
use crate::layer::{self, Driver};
use crate::spec::Fixture;

/// How a fixture runs in this process.
#[derive(Clone, Copy)]
pub struct Alone<'a> {
    /// What all fixtures of a run share.
    pub how: &'a RunArguments,
    /// The folder with the layer's manifest.
    pub layer_dir: Option<&'a Path>,
    /// Breaks a rule of Vulkan on purpose, which the validation layer must report.
    pub fault: bool,
    /// Whether times are measured. The driver then makes the code that an application gets.
    pub is_timed: bool,
}

impl Alone<'_> {
    /// Reads a fixture and sets the environment for it.
    ///
    /// # Errors
    /// A skip for a known fault of the driver or the validation layer; what is wrong with the
    /// fixture's file.
    pub fn prepare(&self, source: &Path) -> Result<(Fixture, Options)> {
        let &RunArguments { code, validation, no_robustness, ref driver } = self.how;
        let driver = Driver::named(driver);
        let lenient = driver != Driver::Lavapipe;
        let options = Options { code, validation, no_robustness, lenient, fault: self.fault };
        let fixture = judge::load(source)?;
        let takes_part = |name: &str| match name {
            "validation" => validation,
            name => driver.fault_name() == Some(name),
        };
        if let Some((name, fault)) = fixture.faults.iter().find(|(name, _)| takes_part(name)) {
            return Err(Error::Skip(format!("a known fault of {name}: {fault}")));
        }
        set_environment(layer::loader_environment(&driver, self.layer_dir)?);
        set_environment(layer::settings(&fixture));
        set_environment([layer::profile_cap(&fixture, validation, no_robustness)?]);
        // Mesa, "Environment Variables", `GALLIVM_PERF`.
        set_environment(fixture.unoptimised.then_some(("GALLIVM_PERF", "nopt")));
        if !self.is_timed && !fixture.require.iter().any(|feature| feature == "subgroup_size_8") {
            set_environment(layer::four_lanes(&driver)?);
        }
        if code.is_dxil_objects() {
            set_environment([layer::dual_source(&fixture)]);
        }
        if code.is_heaps() {
            set_environment(layer::root_addresses(&fixture));
        }
        Ok((fixture, options))
    }

    /// Runs a fixture and judges its outputs.
    ///
    /// # Errors
    /// Why the fixture did not pass.
    pub fn judge(&self, source: &Path) -> Result<()> {
        let (fixture, options) = self.prepare(source)?;
        // What the layer dumps of this fixture alone, for its libraries as one module.
        let own = (options.code == CodeKind::Library).then(|| {
            let folder = env::temp_dir().join(format!("dxil-run-fixture-{}", std::process::id()));
            set_environment([layer::dump_dir(&folder)]);
            folder
        });
        let judged = judge::judge(&fixture, &options, &mut |phase| println!("phase: {phase}"));
        if let Some(folder) = own
            && let Err(e) = fs::remove_dir_all(&folder)
            && e.kind() != std::io::ErrorKind::NotFound
        {
            return Err(Error::Io(format!("{}: {e}", folder.display())));
        }
        judged
    }
}

/// Prints how a fixture ended, as the last line. Returns the exit status of its process: 0 passed,
/// 1 failed, 77 skipped.
pub fn finish(result: Result<()>) -> u8 {
    match result {
        Ok(()) => 0,
        Err(Error::Skip(reason)) => {
            println!("{reason}");
            77
        }
        Err(error) => {
            println!("{error}");
            1
        }
    }
}
