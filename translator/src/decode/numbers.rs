//! The numbers of instructions in the IR and in the bitcode.

use crate::ir::Inst;
use dxil_base::entity::Entity;
use dxil_bitcode::InstId;

/// The instructions of the IR by those of the bitcode, as runs.
#[derive(Default)]
pub(super) struct Numbers {
    runs: Vec<Run>,
    /// The first instructions of a run that has no end yet.
    open: Option<(usize, Inst)>,
}

/// Instructions that follow one another in both.
struct Run {
    bitcode: usize,
    ir: Inst,
    len: usize,
}

impl Numbers {
    /// Removes all numbers.
    pub(super) fn clear(&mut self) {
        self.runs.clear();
        self.open = None;
    }

    /// Adds an instruction of the bitcode, which is the next one.
    #[inline(always)]
    pub(super) fn add(&mut self, bitcode: usize, ir: Inst) {
        if self.open.is_none() {
            self.open = Some((bitcode, ir));
        }
    }

    /// Ends a run before an instruction of the bitcode.
    pub(super) fn end(&mut self, before: usize) {
        if let Some((bitcode, ir)) = self.open.take() {
            self.runs.push(Run { bitcode, ir, len: before - bitcode });
        }
    }

    /// The instruction of the IR, if there is one.
    pub(super) fn get(&self, inst: InstId) -> Option<Inst> {
        let last = self.runs.partition_point(|run| run.bitcode <= inst.index()).checked_sub(1)?;
        let run = self.runs.get(last)?;
        let at = inst.index() - run.bitcode;
        (at < run.len).then(|| Inst::new(run.ir.index() + at))
    }
}
