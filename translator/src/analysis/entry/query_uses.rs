//! Where the handles of ray queries go: through phis and selects, into memory, out of a function.
//!
//! In: a function. Out: whether a handle is only an operand of operations on queries, and the
//! refusal of a query that outlives a round of the loop in which it is allocated.

use foldhash::{HashMap, HashSet};

use crate::ir::{Block, BlockCall, Def, Function, Inst, InstData, Terminator, Value};
use crate::ops::Role;
use dxil_base::error::{Place, Result};
use dxil_base::limits;

/// The uses of a function's values.
pub struct Uses {
    /// The results of the phis and selects that a value is an operand of, each with the block that
    /// passes the value.
    choices: HashMap<Value, Vec<(Value, Block)>>,
    /// The blocks with other uses of a value.
    others: HashMap<Value, Vec<Block>>,
    /// The values that are used otherwise than as handles of queries, and whether they are stored
    /// or returned.
    leaves: HashMap<Value, bool>,
    /// The block of each instruction.
    blocks: HashMap<Inst, Block>,
    predecessors: HashMap<Block, Vec<Block>>,
    /// The blocks and uses that were visited so far in the code of all entry points, against
    /// [`limits::QUERY_STEPS`].
    steps: usize,
}

impl Uses {
    /// Finds the uses. So many steps were taken in other functions.
    pub fn new(function: &Function, steps: usize) -> Self {
        let mut uses = Uses {
            choices: HashMap::default(),
            others: HashMap::default(),
            leaves: HashMap::default(),
            blocks: HashMap::default(),
            predecessors: HashMap::default(),
            steps,
        };
        for (block, data) in function.blocks.iter() {
            for &inst in &data.insts {
                uses.blocks.insert(inst, block);
                uses.instruction(function, block, inst);
            }
            if let Some(value) = data.terminator.operand() {
                uses.leave(value, block, matches!(data.terminator, Terminator::Return(_)));
            }
            for BlockCall { block: target, args } in data.terminator.targets() {
                uses.predecessors.entry(target).or_default().push(block);
                for (&param, &arg) in function.blocks[target].params.iter().zip(function.list(args)) {
                    uses.choices.entry(arg).or_default().push((param, block));
                }
            }
        }
        uses
    }

    fn instruction(&mut self, function: &Function, block: Block, inst: Inst) {
        match function.insts[inst] {
            InstData::Select { condition, then, otherwise } => {
                self.leave(condition, block, false);
                for value in [then, otherwise] {
                    let result = function.result(inst).map(|result| (result, block));
                    self.choices.entry(value).or_default().extend(result);
                }
            }
            InstData::Op { op, args, .. } => {
                let handle = op.info().value(Role::RayQuery, function.list(args));
                for &value in function.list(args) {
                    match Some(value) == handle {
                        true => self.others.entry(value).or_default().push(block),
                        false => self.leave(value, block, false),
                    }
                }
            }
            InstData::Store { value, .. }
            | InstData::InsertValue { value, .. }
            | InstData::InsertElement { value, .. } => self.leave(value, block, true),
            _ => function.for_each_operand(inst, |value| self.leave(value, block, false)),
        }
    }

    /// The steps that were taken so far, in other functions as well.
    pub fn steps(&self) -> usize {
        self.steps
    }

    fn leave(&mut self, value: Value, block: Block, stored: bool) {
        self.others.entry(value).or_default().push(block);
        *self.leaves.entry(value).or_default() |= stored;
    }

    /// Whether a handle is used otherwise than as the handle of operations on queries.
    pub fn escapes(&self, handle: Value) -> bool {
        self.choices.contains_key(&handle) || self.leaves.contains_key(&handle)
    }

    /// Checks that a handle does not outlive a round of a loop in which its query is allocated: one
    /// AllocateRayQuery operation is one query, and the next round takes it again.
    ///
    /// # Errors
    /// `Unsupported` if it does, or might, because it is stored. `Limit` for too much to visit.
    pub fn check_rounds(&mut self, function: &Function, allocating: Block, handle: Value, place: Place) -> Result<()> {
        if !self.visits(vec![allocating], allocating, None, place)? {
            return Ok(());
        }
        let (mut pending, mut seen) = (vec![handle], HashSet::from_iter([handle]));
        while let Some(value) = pending.pop() {
            if self.leaves.get(&value) == Some(&true) || self.lives_into(function, value, allocating, place)? {
                return Err(unsupported!(
                    place,
                    "a ray query that is allocated in a loop and may still be used in a later round; declare it, or the \
                     array of queries, outside of the loop"
                ));
            }
            for &(choice, _) in self.choices.get(&value).into_iter().flatten() {
                if seen.insert(choice) {
                    pending.push(choice);
                }
            }
        }
        Ok(())
    }

    /// Whether a value that is defined before a block begins is used in the block or after it.
    fn lives_into(&mut self, function: &Function, value: Value, block: Block, place: Place) -> Result<bool> {
        let def = value.as_local().and_then(|local| function.locals.get(local)).map(|local| local.def);
        let (defined, is_param) = match def {
            Some(Def::Param(at)) => (Some(at), true),
            Some(Def::Inst(inst)) => (self.blocks.get(&inst).copied(), false),
            _ => (None, false),
        };
        let others = self.others.get(&value).map_or(&[][..], Vec::as_slice);
        let choices = self.choices.get(&value).map_or(&[][..], Vec::as_slice);
        // A chain of choices may have as many uses as a function has instructions, none of which is
        // in a block with predecessors.
        self.steps += 1 + others.len() + choices.len();
        check_steps(self.steps, place)?;
        let users: Vec<Block> = others.iter().copied().chain(choices.iter().map(|&(_, block)| block)).collect();
        if users.contains(&block) && (defined != Some(block) || is_param) {
            return Ok(true);
        }
        let through = users.into_iter().filter(|&user| Some(user) != defined).collect();
        Ok(self.visits(through, block, defined, place)? && (defined != Some(block) || is_param))
    }

    /// Whether a path through predecessors leads from some blocks to another without passing
    /// `stop`.
    fn visits(&mut self, from: Vec<Block>, to: Block, stop: Option<Block>, place: Place) -> Result<bool> {
        let (mut pending, mut seen) = (from, HashSet::default());
        while let Some(block) = pending.pop() {
            for &before in self.predecessors.get(&block).into_iter().flatten() {
                self.steps += 1;
                check_steps(self.steps, place)?;
                if before == to {
                    return Ok(true);
                }
                if Some(before) != stop && seen.insert(before) {
                    pending.push(before);
                }
            }
        }
        Ok(false)
    }
}

fn check_steps(steps: usize, place: Place) -> Result<()> {
    limits::check(place, "blocks visited for the handles of ray queries", steps, limits::QUERY_STEPS)
}
