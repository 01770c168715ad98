//! The reduction of one pipeline: its stages, their code, its state.
//!
//! In: a pipeline whose stages are SPIR-V, and a judge. Out: the smallest pipeline that was found
//! on which the judge still sees the fault. What must hold: the pipeline has the fault at every
//! moment, so that a reduction that is ended has a result.

use std::cell::{Cell, RefCell};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dxil_capture::folder::NotWritten;
use dxil_capture::model::{Code, Record, Structure};
use dxil_capture::{Digest, Writer};
use indicatif::ProgressBar;

use super::code::Code as Instructions;
use super::defined::Defined;
use super::error::ReduceError;
use super::interface::{StageInterface, lacks};
use super::judge::Judge;
use super::search::{Limits, reduce};
use super::state::{Edit, edits, without};
use crate::run::emitted;
use crate::valid::{Invalid, Validator};
use crate::words::to_bytes;

/// A temporary capture of candidate pipelines, whose folder is removed when this is dropped.
pub struct Candidates {
    folder: PathBuf,
    writer: Writer,
}

impl Candidates {
    /// An empty one.
    pub fn new(folder: PathBuf) -> Self {
        // Files go as fast as they come, so nothing grows.
        Self { writer: Writer::new(folder.clone(), u64::MAX), folder }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What writes to the folder.
    pub fn writer(&self) -> &Writer {
        &self.writer
    }

    /// Adds a pipeline.
    ///
    /// # Errors
    /// The system's.
    pub fn add(&self, record: &Record) -> Result<Digest, NotWritten> {
        self.writer.record(record)
    }

    /// Adds a module.
    ///
    /// # Errors
    /// The system's.
    pub fn module(&self, words: &[u32]) -> Result<Digest, NotWritten> {
        self.writer.spirv(&to_bytes(words))
    }

    /// Takes a pipeline out again.
    fn take(&self, pipeline: Digest) {
        let name = pipeline.to_string();
        for file in fs::read_dir(self.folder.join("pipelines")).into_iter().flatten().flatten() {
            if file.file_name().to_string_lossy().starts_with(&name) {
                // A file that stays costs space and nothing else.
                let _ = fs::remove_file(file.path());
            }
        }
    }

    /// Takes a module out again.
    fn take_module(&self, module: Digest) {
        let _ = fs::remove_file(self.folder.join("blobs").join(format!("{module}.spv")));
    }
}

impl Drop for Candidates {
    fn drop(&mut self) {
        // What stays behind is no part of the bundle.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A stage of the pipeline.
pub struct SessionStage {
    /// `VkShaderStageFlagBits`.
    pub bit: u32,
    /// The number of instructions and words at the beginning.
    pub before: (usize, usize),
    /// The code.
    pub words: Vec<u32>,
    /// The validator, or its message about the code at the beginning.
    pub validator: Result<Validator, Invalid>,
    interface: StageInterface,
}

/// What it took.
#[derive(Clone, Copy, Default, Debug)]
pub struct Effort {
    /// Smaller pipelines that had the fault.
    pub steps: usize,
    /// Pipelines that were made up.
    pub tried: usize,
    /// Pipelines that the driver was given.
    pub questions: usize,
    /// A limit ended the reduction.
    pub ended: bool,
}

/// Asks a judge. Ctrl-C reaches the driver's process too, and what it ends gives no answer.
fn ask(judge: &mut dyn Judge, pipeline: Digest, limits: Limits) -> Result<bool, ReduceError> {
    judge.has_fault(pipeline).or_else(|error| {
        // The process may be gone before the signal's handler has run here.
        std::thread::sleep(Duration::from_millis(100));
        if limits.is_stopped() { Ok(false) } else { Err(error) }
    })
}

/// How to reduce.
pub struct SessionOptions {
    /// The version of Vulkan whose rules hold.
    pub api_version: u32,
    /// The results of pipelines are compared, so they must stay defined.
    pub compares_results: bool,
    /// When to end.
    pub limits: Limits,
    /// Shows progress.
    pub bar: ProgressBar,
}

/// A reduction.
pub struct Session<'a> {
    judge: &'a mut dyn Judge,
    candidates: &'a Candidates,
    /// The record, whose pipeline is the smallest so far.
    pub record: Record,
    /// Its stages.
    pub stages: Vec<SessionStage>,
    /// What is gone of the state.
    pub gone: Vec<String>,
    /// What it took.
    pub effort: Effort,
    how: SessionOptions,
    start: Instant,
}

impl<'a> Session<'a> {
    /// A reduction of a record whose stages become these.
    ///
    /// # Errors
    /// Stages that are not those of the record, or code that cannot be read.
    pub fn new(
        judge: &'a mut dyn Judge,
        candidates: &'a Candidates,
        mut record: Record,
        emitted: Vec<(emitted::EmittedStage, Vec<u32>)>,
        how: SessionOptions,
    ) -> Result<Self, ReduceError> {
        // The stages of libraries come before those of the pipeline that links them.
        let own = emitted.len().checked_sub(record.pipeline.stages.len());
        let own = own.ok_or(ReduceError::FewerStages)?;
        let mut stages = Vec::new();
        for (stage, (driven, words)) in record.pipeline.stages.iter_mut().zip(emitted.into_iter().skip(own)) {
            if stage.stage != driven.stage {
                let (found, expected) = (driven.stage, stage.stage);
                return Err(ReduceError::OtherStage { found, expected });
            }
            stage.code = Code::Spirv(candidates.module(&words)?);
            stage.entry = driven.entry;
            stage.flags = driven.flags;
            // DXIL has no specialization constants; the layer adds these two structures.
            let mut add = |s_type: ash::vk::StructureType, values: &[u8]| {
                let s_type = s_type.as_raw();
                if !stage.chain.structures.iter().any(|it| it.s_type == s_type) {
                    let bytes = dxil_capture::digest::Bytes(values.to_vec());
                    stage.chain.structures.push(Structure { s_type, bytes });
                }
            };
            use ash::vk::StructureType as Type;
            if let Some(size) = driven.subgroup_size {
                let padded = [size, 0].map(u32::to_le_bytes).concat();
                add(Type::PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO, &padded);
            }
            if let Some(robustness) = driven.robustness {
                add(Type::PIPELINE_ROBUSTNESS_CREATE_INFO_EXT, &robustness.map(i32::to_le_bytes).concat());
            }
            stages.push(SessionStage {
                bit: driven.stage,
                validator: Validator::new(&words, how.api_version),
                interface: StageInterface::read(&words)?,
                before: (Instructions::read(&words)?.nodes.len(), words.len()),
                words,
            });
        }
        record.requests.clear();
        let (gone, effort) = (Vec::new(), Effort::default());
        Ok(Self { judge, candidates, record, stages, gone, effort, how, start: Instant::now() })
    }

    /// Whether the judge sees the fault in the pipeline as it is.
    ///
    /// # Errors
    /// The judge's, or the system's.
    pub fn has_fault(&mut self) -> Result<bool, ReduceError> {
        self.effort.questions += 1;
        let pipeline = self.candidates.add(&self.record)?;
        let has_fault = ask(&mut *self.judge, pipeline, self.how.limits)?;
        // Ctrl-C reaches the driver's process too, so its end says nothing then.
        self.effort.ended |= self.how.limits.is_stopped();
        Ok(has_fault && !self.how.limits.is_stopped())
    }

    /// Reduces until no change succeeds.
    ///
    /// # Errors
    /// The judge's, or the system's.
    pub fn run(&mut self) -> Result<(), ReduceError> {
        loop {
            let before = self.effort.steps;
            self.state()?;
            // What reads comes before what writes, so that what is not read is not written.
            for at in (0..self.stages.len()).rev() {
                self.code(at)?;
            }
            if self.effort.steps == before || self.effort.ended {
                return Ok(());
            }
        }
    }

    /// Reduces the state.
    fn state(&mut self) -> Result<(), ReduceError> {
        for edit in edits(&self.record.pipeline) {
            let Some(pipeline) = without(&self.record.pipeline, edit) else { continue };
            let interfaces: Vec<StageInterface> = self.stages.iter().map(|stage| stage.interface.clone()).collect();
            let kept: Vec<usize> = (0..self.stages.len())
                .filter(|at| match edit {
                    Edit::Stages(bits) => self.stages[*at].bit & bits == 0,
                    _ => true,
                })
                .collect();
            let fewer: Vec<StageInterface> = kept.iter().filter_map(|at| interfaces.get(*at).cloned()).collect();
            self.effort.tried += 1;
            let lacked = lacks(&self.record.pipeline, &interfaces);
            let is_whole = lacks(&pipeline, &fewer).is_subset(&lacked);
            if fewer.is_empty() || !is_whole {
                continue;
            }
            if self.left().is_none() {
                break;
            }
            let before = std::mem::replace(&mut self.record.pipeline, pipeline);
            if self.has_fault()? {
                self.candidates.take(before.digest());
                let mut at = 0..;
                self.stages.retain(|_| at.next().is_some_and(|at| kept.contains(&at)));
                self.gone.push(edit.name(&before));
                self.effort.steps += 1;
            } else {
                self.candidates.take(self.record.pipeline.digest());
                self.record.pipeline = before;
            }
        }
        Ok(())
    }

    /// Questions and time that are left; `None`, and the reduction has ended, if there are none.
    fn left(&mut self) -> Option<Limits> {
        let questions = self.how.limits.questions.saturating_sub(self.effort.questions);
        let time = self.how.limits.time.saturating_sub(self.start.elapsed());
        self.effort.ended |= questions == 0 || time.is_zero() || self.how.limits.is_stopped();
        (!self.effort.ended).then_some(Limits { questions, time, ..self.how.limits })
    }

    /// Reduces the code of a stage.
    fn code(&mut self, at: usize) -> Result<(), ReduceError> {
        let Some(limits) = self.left() else { return Ok(()) };
        let Some(stage) = self.stages.get(at) else { return Ok(()) };
        let mut interfaces: Vec<StageInterface> = self.stages.iter().map(|stage| stage.interface.clone()).collect();
        let lacked = lacks(&self.record.pipeline, &interfaces);
        let words = stage.words.clone();
        let (mut record, judge, candidates) = (self.record.clone(), &mut *self.judge, self.candidates);
        let before = record.clone();
        let pipeline = &self.record.pipeline;
        let around = RefCell::new(&mut interfaces);
        let defined = if self.how.compares_results { Some(Defined::read(&words)?) } else { None };
        let is_defined = |words: &[u32]| match &defined {
            Some(before) => Defined::read(words).is_ok_and(|smaller| before.keeps(&smaller)),
            None => true,
        };
        let valid = |words: &[u32]| {
            let Ok(interface) = StageInterface::read(words) else { return false };
            let mut around = around.borrow_mut();
            around[at] = interface;
            lacks(pipeline, &around).is_subset(&lacked)
                && is_defined(words)
                && stage.validator.as_ref().map_or(true, |validator| validator.check(words).is_ok())
        };
        let (bar, asked, smallest) = (&self.how.bar, Cell::new(self.effort.questions), Cell::new(words.len()));
        let mut interesting = |words: &[u32]| -> Result<bool, ReduceError> {
            let module = candidates.module(words)?;
            let was = std::mem::replace(&mut record.pipeline.stages[at].code, Code::Spirv(module));
            let name = candidates.add(&record)?;
            let has_fault = ask(judge, name, limits)?;
            asked.set(asked.get() + 1);
            bar.set_message(format!("{} pipelines given to the driver, {} words left", asked.get(), smallest.get()));
            bar.tick();
            if has_fault {
                smallest.set(words.len());
            } else {
                candidates.take(name);
                candidates.take_module(module);
                record.pipeline.stages[at].code = was;
            }
            Ok(has_fault)
        };
        let reduced = reduce(&words, &valid, &mut interesting, limits)?;
        self.effort.steps += reduced.steps;
        self.effort.tried += reduced.tried;
        self.effort.questions += reduced.asked;
        self.effort.ended |= reduced.ended;
        if reduced.steps > 0 {
            self.stages[at].interface = StageInterface::read(&reduced.words)?;
            self.stages[at].words = reduced.words;
            self.record = record;
            self.candidates.take(before.pipeline.digest());
        }
        Ok(())
    }
}
