//! Measures the run time of programs.
//!
//! In: programs and the number of runs. Out: the time of each submission. What must hold: every
//! submission starts from the initial contents, and restoring these is not part of the time. The
//! time of the first submission is reported separately, because drivers finish pipeline compilation
//! in it (lavapipe generates its machine code then).

use std::time::{Duration, Instant};

use super::Program;
use crate::error::{Error, Result};
use crate::vulkan::Context;
use dxil_vulkan::Timestamps;

/// Measures the time of a program's steps. If the queue has timestamps, there is one before the
/// first step and one after each step.
pub struct Stopwatch<'c> {
    context: &'c Context,
    timestamps: Option<Timestamps<'c>>,
}

impl<'c> Stopwatch<'c> {
    /// Creates a stopwatch for a program with this number of steps.
    ///
    /// # Errors
    /// The Vulkan command that failed.
    pub fn new(context: &'c Context, steps: usize) -> Result<Self> {
        let count = u32::try_from(steps + 1).unwrap_or(u32::MAX);
        Ok(Self { context, timestamps: Timestamps::new(&context.gpu, count)? })
    }

    /// Whether the times come from the device's timestamps. Otherwise they are from this process's
    /// clock, from before the submission until the queue is idle.
    #[must_use]
    pub fn is_of_device(&self) -> bool {
        self.timestamps.is_some()
    }

    /// Runs the program once with the current contents of its resources. Returns the time of each
    /// step, or a single time if the queue has no timestamps.
    ///
    /// # Errors
    /// The Vulkan command that failed.
    pub fn time(&self, program: &Program<'_>) -> Result<Vec<Duration>> {
        let start = Instant::now();
        self.context.gpu.submit(|commands| {
            let Some(timestamps) = &self.timestamps else { return program.record(commands, |_| {}) };
            timestamps.begin(commands);
            program.record(commands, |step| timestamps.end(commands, step + 1));
        })?;
        Ok(match &self.timestamps {
            Some(timestamps) => timestamps.durations()?,
            None => vec![start.elapsed()],
        })
    }
}

/// The times that [`time`] measures.
#[derive(Debug, Clone, Default)]
pub struct Times {
    /// The time of creating all shader modules and pipelines.
    pub pipelines: Duration,
    /// The time of the first submission.
    pub first: Duration,
    /// The times of the later submissions, shortest first.
    pub runs: Vec<Duration>,
    /// The shortest time of each step in the later submissions, if steps are measured.
    pub steps: Vec<Duration>,
    /// The processor times of the later submissions, shortest first, summed over all threads of
    /// this process. The list is empty if the system does not report them. With a driver for the
    /// CPU, other load on the machine disturbs these times least.
    pub processor: Vec<Duration>,
}

/// The processor time of all threads of this process, from Linux's schedstat files.
fn processor_time() -> Option<Duration> {
    let tasks = std::fs::read_dir("/proc/self/task").ok()?.flatten();
    let times = tasks.map(|task| {
        let stat = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        stat.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
    });
    times.sum()
}

impl Times {
    /// The time of the fastest later submission.
    #[must_use]
    pub fn fastest(&self) -> Duration {
        self.runs.first().copied().unwrap_or_default()
    }

    /// The median time of the later submissions.
    #[must_use]
    pub fn median(&self) -> Duration {
        self.runs.get(self.runs.len() / 2).copied().unwrap_or_default()
    }

    /// The median processor time of the later submissions.
    #[must_use]
    pub fn processor(&self) -> Option<Duration> {
        self.processor.get(self.processor.len() / 2).copied()
    }
}

/// Times several programs, which may be on different devices. The programs run in turn, so that
/// other load on the machine affects all alike. Ends after `count` rounds, or after the first round
/// that ends later than `limit`.
///
/// # Errors
/// The Vulkan command that failed.
pub fn time(programs: &[(&Program<'_>, &Stopwatch<'_>)], count: usize, limit: Duration) -> Result<Vec<Times>> {
    let run = |(program, watch): &(&Program<'_>, &Stopwatch<'_>)| {
        program.reset()?;
        let before = processor_time();
        let steps = watch.time(program)?;
        let used = before.zip(processor_time()).map(|(before, after)| after.saturating_sub(before));
        Ok::<_, Error>((steps, used))
    };
    let begin = |it: &(&Program<'_>, &Stopwatch<'_>)| {
        let first = run(it)?.0.iter().sum();
        Ok(Times { pipelines: it.0.pipelines_made_in, first, ..Times::default() })
    };
    let mut all = programs.iter().map(begin).collect::<Result<Vec<_>>>()?;
    let start = Instant::now();
    for round in 0..count {
        if round > 0 && start.elapsed() > limit {
            break;
        }
        for (times, it) in all.iter_mut().zip(programs) {
            let (steps, used) = run(it)?;
            times.processor.extend(used);
            times.runs.push(steps.iter().sum());
            if times.steps.is_empty() {
                times.steps = steps;
            } else {
                times.steps.iter_mut().zip(steps).for_each(|(best, now)| *best = now.min(*best));
            }
        }
    }
    for times in &mut all {
        times.runs.sort_unstable();
        times.processor.sort_unstable();
    }
    Ok(all)
}
