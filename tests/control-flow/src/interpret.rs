//! Interprets the source of a program and computes what every thread writes.
//!
//! A subgroup runs as a whole: each statement is executed with the set of lanes that run it
//! together under maximal reconvergence (SPV_KHR_maximal_reconvergence). Lanes diverge at an `if`,
//! a `switch` and a loop's exit, and reconverge at the end of the construct. Lanes that left by
//! `break`, `continue` or `return` reconverge at the end of the construct that they left. An
//! iteration of a loop runs with the lanes that are still in the loop. In programs without wave
//! operations the lanes are independent, and the size of a subgroup does not matter.

use crate::ast::{Binary, Compare, Cond, Expr, Label, PARAMETERS, Program, Stmt, VARIABLES, Vote, Wave};
use crate::{GROUP, INPUTS, OUTPUTS, THREADS, TRACES};
use dxil_translator::ops::OpCode;

/// A set of lanes.
type Mask = u64;

/// The number of counters in a frame, which is more than any generated function has.
const COUNTERS: usize = 64;

/// The program executes more statements than its limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong;

/// The lanes that completed a list of statements, by how they left it. Lanes in no set returned.
#[derive(Debug, Clone, Copy, Default)]
struct Flow {
    next: Mask,
    breaks: Mask,
    continues: Mask,
}

/// The variables and counters of one lane in one function.
#[derive(Clone, Copy)]
struct Frame {
    variables: [u32; VARIABLES],
    counters: [u32; COUNTERS],
}

/// The state of one lane that all its frames share.
struct Lane {
    inputs: [u32; INPUTS],
    hash: u32,
    /// The number of traces plus [`TRACES`], which is the value that the HLSL starts with.
    traces: u32,
    ring: [[u32; 2]; TRACES],
    /// The results of the wave operations that the lane executed.
    answers: Vec<Answer>,
}

struct Machine<'p> {
    program: &'p Program,
    lanes: Vec<Lane>,
    steps: usize,
}

/// The lanes of a mask, lowest first.
fn members(mask: Mask) -> impl Iterator<Item = usize> {
    (0..64).filter(move |lane| mask >> lane & 1 == 1)
}

/// All output words of a dispatch. The subgroup size divides the group size.
///
/// # Errors
/// If a subgroup executes more than `steps` statements.
pub fn outputs(program: &Program, inputs: &[u32], subgroup: usize, steps: usize) -> Result<Vec<u32>, TooLong> {
    recorded(program, inputs, subgroup, steps).map(|(out, _)| out)
}

/// A DXIL wave operation, and its result in one lane.
pub type Answer = (OpCode, u32);

/// All output words of a dispatch, and for each thread the results of its wave operations in order.
///
/// # Errors
/// If a subgroup executes more than `steps` statements.
pub fn recorded(
    program: &Program,
    inputs: &[u32],
    subgroup: usize,
    steps: usize,
) -> Result<(Vec<u32>, Vec<Vec<Answer>>), TooLong> {
    assert!(subgroup.is_power_of_two() && subgroup <= GROUP, "subgroups of {subgroup}");
    assert_eq!(inputs.len(), THREADS * INPUTS, "words of input");
    let (mut out, mut answers) = (Vec::with_capacity(THREADS * OUTPUTS), Vec::with_capacity(THREADS));
    for wave in inputs.chunks_exact(subgroup * INPUTS) {
        let lanes: Vec<[u32; INPUTS]> = wave.chunks_exact(INPUTS).filter_map(|chunk| chunk.try_into().ok()).collect();
        let mut machine = Machine {
            program,
            lanes: lanes
                .iter()
                .map(|&inputs| Lane {
                    inputs,
                    hash: 2_166_136_261,
                    traces: TRACES as u32,
                    ring: [[0; 2]; TRACES],
                    answers: Vec::new(),
                })
                .collect(),
            steps,
        };
        let mut frames: Vec<_> = lanes.iter().map(|&variables| Frame { variables, counters: [0; COUNTERS] }).collect();
        machine.list(&program.body, Mask::MAX >> (64 - subgroup), &mut frames)?;
        for (lane, frame) in machine.lanes.iter().zip(&frames) {
            out.extend([lane.hash, lane.traces]);
            out.extend(frame.variables);
            out.extend([0; 2]);
            out.extend(lane.ring.as_flattened());
        }
        answers.extend(machine.lanes.into_iter().map(|lane| lane.answers));
    }
    Ok((out, answers))
}

impl Machine<'_> {
    fn list(&mut self, list: &[Stmt], active: Mask, frames: &mut [Frame]) -> Result<Flow, TooLong> {
        let mut flow = Flow { next: active, ..Flow::default() };
        for stmt in list {
            if flow.next == 0 {
                break;
            }
            let after = self.stmt(stmt, flow.next, frames)?;
            flow.next = after.next;
            flow.breaks |= after.breaks;
            flow.continues |= after.continues;
        }
        Ok(flow)
    }

    /// Runs one statement. Lanes that are in no set of the result have returned.
    fn stmt(&mut self, stmt: &Stmt, active: Mask, frames: &mut [Frame]) -> Result<Flow, TooLong> {
        self.steps = self.steps.checked_sub(1).ok_or(TooLong)?;
        let straight = Flow { next: active, ..Flow::default() };
        match stmt {
            Stmt::Assign(var, e) => {
                for lane in members(active) {
                    frames[lane].variables[*var] = self.expr(e, lane, &frames[lane]);
                }
            }
            Stmt::Declare(counter, e) | Stmt::Set(counter, e) => {
                for lane in members(active) {
                    frames[lane].counters[*counter] = self.expr(e, lane, &frames[lane]);
                }
            }
            Stmt::Mark(site, e) => {
                for lane in members(active) {
                    let value = self.expr(e, lane, &frames[lane]);
                    let hash = &mut self.lanes[lane].hash;
                    *hash = (*hash ^ value.wrapping_add(*site)).wrapping_mul(16_777_619);
                }
            }
            Stmt::Trace(site, e) => {
                for lane in members(active) {
                    let value = self.expr(e, lane, &frames[lane]);
                    self.trace(lane, *site, value);
                }
            }
            Stmt::Wave(site, var, op, e) => {
                let mut values = [0; 64];
                members(active).for_each(|lane| values[lane] = self.expr(e, lane, &frames[lane]));
                for lane in members(active) {
                    let value = wave(*op, active, lane, &values);
                    frames[lane].variables[*var] = value;
                    self.lanes[lane].answers.push((operation(*op), value));
                    self.trace(lane, *site, value);
                }
            }
            Stmt::If(_, c, then, other) => {
                let yes = self.cond(c, active, frames);
                let (a, b) = (self.list(then, yes, frames)?, self.list(other, active & !yes, frames)?);
                return Ok(Flow {
                    next: a.next | b.next,
                    breaks: a.breaks | b.breaks,
                    continues: a.continues | b.continues,
                });
            }
            Stmt::For(..) | Stmt::While(..) | Stmt::DoWhile(..) | Stmt::Endless(..) => {
                return self.repeat(stmt, active, frames);
            }
            Stmt::Switch(e, arms) => return self.switch(e, arms, active, frames),
            Stmt::Break => return Ok(Flow { breaks: active, ..Flow::default() }),
            Stmt::Continue => return Ok(Flow { continues: active, ..Flow::default() }),
            Stmt::Return => return Ok(Flow::default()),
            Stmt::Call(var, callee, a, b) => {
                let mut inner = frames.to_vec();
                for lane in members(active) {
                    let [a, b] = [a, b].map(|e| self.expr(e, lane, &frames[lane]));
                    inner[lane] = Frame { variables: [a, b, a, b], counters: [0; COUNTERS] };
                }
                const { assert!(VARIABLES == 2 * PARAMETERS) };
                let program = self.program;
                // Every lane returns from a call, and all lanes that made the call reconverge.
                self.list(&program.functions[*callee].body, active, &mut inner)?;
                members(active).for_each(|lane| frames[lane].variables[*var] = inner[lane].variables[0]);
            }
        }
        Ok(straight)
    }

    /// Runs rounds of a loop while lanes are live, from a counter of zero. A round returns the
    /// lanes that stay, and those that leave the loop.
    fn rounds(
        &mut self,
        counter: usize,
        active: Mask,
        frames: &mut [Frame],
        mut round: impl FnMut(&mut Self, Mask, &mut [Frame]) -> Result<(Mask, Mask), TooLong>,
    ) -> Result<Flow, TooLong> {
        members(active).for_each(|lane| frames[lane].counters[counter] = 0);
        let (mut live, mut done) = (active, 0);
        while live != 0 {
            let (stay, left) = round(self, live, frames)?;
            live = stay;
            done |= left;
        }
        Ok(Flow { next: done, ..Flow::default() })
    }

    fn repeat(&mut self, stmt: &Stmt, active: Mask, frames: &mut [Frame]) -> Result<Flow, TooLong> {
        let count = |counter: usize, lanes: Mask, frames: &mut [Frame]| {
            members(lanes).for_each(|lane| frames[lane].counters[counter] += 1);
        };
        match stmt {
            Stmt::For(_, counter, bound, body) => self.rounds(*counter, active, frames, |this, live, frames| {
                let inside = Cond::Compare(Compare::Lt, Expr::Counter(*counter), bound.clone());
                let stay = this.cond(&inside, live, frames);
                let flow = this.list(body, stay, frames)?;
                count(*counter, flow.next | flow.continues, frames);
                Ok((flow.next | flow.continues, live & !stay | flow.breaks))
            }),
            Stmt::While(counter, limit, c, body) => self.rounds(*counter, active, frames, |this, live, frames| {
                let within = if c.is_wave() { live } else { below(*counter, *limit, live, frames) };
                let stay = this.cond(c, live, frames) & within;
                count(*counter, stay, frames);
                let flow = this.list(body, stay, frames)?;
                Ok((flow.next | flow.continues, live & !stay | flow.breaks))
            }),
            Stmt::DoWhile(counter, limit, c, body) => self.rounds(*counter, active, frames, |this, live, frames| {
                count(*counter, live, frames);
                let flow = this.list(body, live, frames)?;
                let tested = flow.next | flow.continues;
                let within = if c.is_wave() { tested } else { below(*counter, *limit, tested, frames) };
                let stay = this.cond(c, tested, frames) & within;
                Ok((stay, flow.breaks | tested & !stay))
            }),
            Stmt::Endless(counter, limit, body) => self.rounds(*counter, active, frames, |this, live, frames| {
                count(*counter, live, frames);
                let stay = below(*counter, *limit + 1, live, frames);
                let flow = this.list(body, stay, frames)?;
                Ok((flow.next | flow.continues, live & !stay | flow.breaks))
            }),
            _ => unreachable!("no loop: {stmt:?}"),
        }
    }

    fn switch(
        &mut self,
        e: &Expr,
        arms: &[(Vec<Label>, Vec<Stmt>)],
        active: Mask,
        frames: &mut [Frame],
    ) -> Result<Flow, TooLong> {
        let mut targets = vec![0; arms.len()];
        let mut flow = Flow::default();
        let default = arms.iter().position(|(labels, _)| labels.contains(&Label::Default));
        for lane in members(active) {
            let value = self.expr(e, lane, &frames[lane]);
            let arm = arms.iter().position(|(labels, _)| labels.contains(&Label::Case(value)));
            match arm.or(default) {
                Some(arm) => targets[arm] |= 1 << lane,
                None => flow.next |= 1 << lane,
            }
        }
        for ((_, body), lanes) in arms.iter().zip(targets) {
            let arm = self.list(body, lanes, frames)?;
            flow.next |= arm.next | arm.breaks;
            flow.continues |= arm.continues;
        }
        Ok(flow)
    }

    fn trace(&mut self, lane: usize, site: u32, value: u32) {
        let lane = &mut self.lanes[lane];
        lane.ring[lane.traces as usize % TRACES] = [site, value];
        lane.traces += 1;
    }

    fn expr(&self, e: &Expr, lane: usize, frame: &Frame) -> u32 {
        match e {
            Expr::Const(n) => *n,
            Expr::Var(n) => frame.variables[*n],
            Expr::Counter(n) => frame.counters[*n],
            Expr::Input(n) => self.lanes[lane].inputs[*n],
            Expr::Lane => lane as u32,
            Expr::Shr(e, by) => self.expr(e, lane, frame) >> by,
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.expr(a, lane, frame), self.expr(b, lane, frame));
                match op {
                    Binary::Add => a.wrapping_add(b),
                    Binary::Sub => a.wrapping_sub(b),
                    Binary::Mul => a.wrapping_mul(b),
                    Binary::And => a & b,
                    Binary::Or => a | b,
                    Binary::Xor => a ^ b,
                    Binary::Min => a.min(b),
                    Binary::Max => a.max(b),
                }
            }
        }
    }

    /// Records the result of a wave operation that is a condition.
    fn answer(&mut self, op: OpCode, active: Mask, result: Mask) -> Mask {
        for lane in members(active) {
            self.lanes[lane].answers.push((op, (result >> lane & 1) as u32));
        }
        result
    }

    /// The lanes for which a condition holds.
    fn cond(&mut self, c: &Cond, active: Mask, frames: &[Frame]) -> Mask {
        match c {
            Cond::Compare(op, a, b) => members(active)
                .filter(|&lane| {
                    let (a, b) = (self.expr(a, lane, &frames[lane]), self.expr(b, lane, &frames[lane]));
                    match op {
                        Compare::Eq => a == b,
                        Compare::Ne => a != b,
                        Compare::Lt => a < b,
                        Compare::Ge => a >= b,
                    }
                })
                .fold(0, |mask, lane| mask | 1 << lane),
            Cond::Not(c) => active & !self.cond(c, active, frames),
            Cond::And(a, b) => self.cond(a, active, frames) & self.cond(b, active, frames),
            Cond::Or(a, b) => self.cond(a, active, frames) | self.cond(b, active, frames),
            Cond::Vote(vote, c) => {
                let yes = self.cond(c, active, frames);
                let holds = match vote {
                    Vote::Any => yes != 0,
                    Vote::All => yes == active,
                };
                let result = if holds { active } else { 0 };
                let op = if *vote == Vote::Any { OpCode::WaveAnyTrue } else { OpCode::WaveAllTrue };
                self.answer(op, active, result)
            }
            Cond::First => self.answer(OpCode::WaveIsFirstLane, active, active & active.wrapping_neg()),
        }
    }
}

/// The lanes whose counter is below a limit.
fn below(counter: usize, limit: u32, active: Mask, frames: &[Frame]) -> Mask {
    members(active).filter(|&lane| frames[lane].counters[counter] < limit).fold(0, |mask, lane| mask | 1 << lane)
}

/// The DXIL operation of a wave operation of the source.
fn operation(op: Wave) -> OpCode {
    match op {
        Wave::Sum | Wave::Min | Wave::Max => OpCode::WaveActiveOp,
        Wave::And | Wave::Or | Wave::Xor => OpCode::WaveActiveBit,
        Wave::Count => OpCode::WaveAllBitCount,
        Wave::Ballot => OpCode::WaveActiveBallot,
        Wave::ReadFirst => OpCode::WaveReadLaneFirst,
        Wave::PrefixSum => OpCode::WavePrefixOp,
        Wave::PrefixCount => OpCode::WavePrefixBitCount,
    }
}

/// The result of a wave operation in one lane.
fn wave(op: Wave, active: Mask, lane: usize, values: &[u32; 64]) -> u32 {
    let all = || members(active).map(|lane| values[lane]);
    let odd = members(active).filter(|&lane| values[lane] & 1 == 1).fold(0, |mask: Mask, lane| mask | 1 << lane);
    let before = active & ((1 << lane) - 1);
    match op {
        Wave::Sum => all().fold(0, u32::wrapping_add),
        Wave::Min => all().min().unwrap_or(0),
        Wave::Max => all().max().unwrap_or(0),
        Wave::And => all().fold(u32::MAX, |a, b| a & b),
        Wave::Or => all().fold(0, |a, b| a | b),
        Wave::Xor => all().fold(0, |a, b| a ^ b),
        Wave::Count => odd.count_ones(),
        Wave::Ballot => odd as u32,
        Wave::ReadFirst => values[active.trailing_zeros() as usize],
        Wave::PrefixSum => members(before).map(|lane| values[lane]).fold(0, u32::wrapping_add),
        Wave::PrefixCount => (odd & before).count_ones(),
    }
}
