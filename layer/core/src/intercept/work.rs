//! Work that the threads which join an operation do: tasks in any order, and a last step.
//!
//! In: tasks, and threads that join. Out: the answer for each thread, and the result of the last
//! step. What must hold: the last step runs once, after all tasks; no task runs under the lock.

use std::any::Any;

use ash::vk;
use parking_lot::Mutex;

use crate::intercept::guard::guard;

/// A task on `D`.
pub type Task<D> = Box<dyn FnOnce(&D) + Send>;

/// The last step on `D`.
pub type Finish<D> = Box<dyn FnOnce(&D) -> vk::Result + Send>;

/// The work of one operation.
pub struct Work<D> {
    state: Mutex<State<D>>,
    /// What the last step refers to, for longer than it takes.
    _owned: Box<dyn Any + Send + Sync>,
}

struct State<D> {
    tasks: Vec<Task<D>>,
    running: u32,
    /// `None` once a thread has taken it.
    finish: Option<Finish<D>>,
    result: Option<vk::Result>,
}

impl<D> Work<D> {
    /// Work that nobody has begun. `owned` is dropped with it.
    pub fn new(tasks: Vec<Task<D>>, finish: Finish<D>, owned: Box<dyn Any + Send + Sync>) -> Self {
        Self { state: Mutex::new(State { tasks, running: 0, finish: Some(finish), result: None }), _owned: owned }
    }

    /// Works until nothing is left to begin. Returns the result of the last step; `None` while
    /// other threads are still at work.
    pub fn join(&self, on: &D) -> Option<vk::Result> {
        while let Some(task) = self.begin() {
            guard((), || task(on));
            self.state.lock().running -= 1;
        }
        let mut state = self.state.lock();
        if state.running > 0 || !state.tasks.is_empty() {
            return None;
        }
        let Some(finish) = state.finish.take() else { return state.result };
        drop(state);
        let result = guard(vk::Result::ERROR_UNKNOWN, || finish(on));
        self.state.lock().result = Some(result);
        Some(result)
    }

    fn begin(&self) -> Option<Task<D>> {
        let mut state = self.state.lock();
        let task = state.tasks.pop()?;
        state.running += 1;
        Some(task)
    }

    /// The result of the last step; `None` before it is known.
    pub fn result(&self) -> Option<vk::Result> {
        self.state.lock().result
    }

    /// The number of threads that can work at once.
    pub fn threads(&self) -> u32 {
        let state = self.state.lock();
        (state.running + state.tasks.len() as u32).max(1)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

    use super::*;

    #[test]
    fn the_last_step_follows_all_tasks() {
        const TASKS: u32 = 200;
        static DONE: AtomicU32 = AtomicU32::new(0);
        let task = || -> Task<u32> { Box::new(|one: &u32| _ = DONE.fetch_add(*one, SeqCst)) };
        let finish = |_: &u32| {
            assert_eq!(DONE.load(SeqCst), TASKS);
            vk::Result::PIPELINE_COMPILE_REQUIRED
        };
        let work = Work::new((0..TASKS).map(|_| task()).collect(), Box::new(finish), Box::new(()));
        assert_eq!((work.threads(), work.result()), (TASKS, None));
        let finished = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| while work.join(&1).is_none() {});
                finished.fetch_add(1, SeqCst);
            }
        });
        assert_eq!((finished.into_inner(), work.threads()), (16, 1));
        assert!(work.result() == Some(vk::Result::PIPELINE_COMPILE_REQUIRED));
        assert!(work.join(&1) == work.result());
    }

    #[test]
    fn a_panic_is_an_error_of_the_operation() {
        let tasks: Vec<Task<()>> = vec![Box::new(|()| panic!("a task"))];
        let work = Work::new(tasks, Box::new(|()| panic!("the last step")), Box::new(()));
        assert!(work.join(&()) == Some(vk::Result::ERROR_UNKNOWN));
    }
}
