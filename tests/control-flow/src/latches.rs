//! Removes wave operations from places where DXIL does not determine which lanes run them.
//!
//! DXIL is a control-flow graph without loop constructs: a block belongs to a loop if it can reach
//! the loop's latch. A wave operation in the source of a loop from which no path reaches the latch
//! is outside of the loop in DXIL, and lanes that leave in different iterations may run it
//! together.
//!
//! DXC marks `break` with a branch on `dx.break`, which keeps the block before the `break` in the
//! loop. There is no such mark for `return`. When DXC optimises, it keeps the mark only if the wave
//! operation is in that block itself. If a branch, a loop or a call is between the wave operation
//! and the `break`, or contains the wave operation, DXC compiles this and the same code placed
//! after the loop to identical bytes (`probes/lost-marks.hlsl`). No translator can tell the two
//! apart, so the generator replaces such wave operations with plain statements.

use crate::ast::{Compare, Cond, Expr, Function, Stmt};

/// The enclosing loops whose latch is reachable, as bit sets by depth.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Latches {
    /// The loops with a reachable latch if the marks of `break` count as paths to it.
    marked: u64,
    /// The loops with a reachable latch without those marks.
    plain: u64,
}

impl Latches {
    const NONE: Self = Self { marked: 0, plain: 0 };

    fn or(self, other: Self) -> Self {
        Self { marked: self.marked | other.marked, plain: self.plain | other.plain }
    }

    /// This set with the loop `own`.
    fn with(self, own: u64) -> Self {
        Self { marked: self.marked | own, plain: self.plain | own }
    }

    /// This set without the loop `own`.
    fn without(self, own: u64) -> Self {
        Self { marked: self.marked & !own, plain: self.plain & !own }
    }

    /// The latches reachable from a block before this one: the mark of a `break` holds only in its
    /// own block.
    fn unmarked(self) -> Self {
        Self { marked: self.plain, ..self }
    }
}

struct Scope<'f> {
    /// The functions that may be called.
    functions: &'f [Function],
    /// All enclosing loops.
    loops: u64,
    /// The latches reachable from a `break`.
    breaks: Latches,
    /// The latches reachable from a `continue`.
    continues: Latches,
    depth: u32,
}

impl Scope<'_> {
    /// Whether DXIL determines which lanes run a statement from which these latches are reachable:
    /// they must be those of all enclosing loops.
    fn is_fixed(&self, latches: Latches) -> bool {
        latches.marked == self.loops
    }
}

/// Replaces the wave operations of a function's body whose lanes DXIL does not determine.
pub fn replace_undetermined(body: &mut [Stmt], functions: &[Function]) {
    list(
        body,
        Latches::NONE,
        &Scope { functions, loops: 0, breaks: Latches::NONE, continues: Latches::NONE, depth: 0 },
    );
}

/// Processes a list of statements. `latches` has the latches that are reachable from its end.
/// Returns those that are reachable from its beginning.
fn list(list: &mut [Stmt], latches: Latches, scope: &Scope<'_>) -> Latches {
    list.iter_mut().rev().fold(latches, |latches, one| stmt(one, latches, scope))
}

/// Replaces a condition that depends on other lanes with one that each lane decides for itself.
fn alone(cond: &mut Cond) {
    match cond {
        Cond::Vote(_, inner) => *cond = (**inner).clone(),
        Cond::First => *cond = Cond::Compare(Compare::Ne, Expr::Var(0), Expr::Const(0)),
        _ => {}
    }
}

/// Processes a statement. `latches` has the latches that are reachable after it. Returns those that
/// are reachable from the statement itself.
fn stmt(stmt: &mut Stmt, latches: Latches, scope: &Scope<'_>) -> Latches {
    let apart = latches.unmarked();
    match stmt {
        Stmt::Break => scope.breaks,
        Stmt::Continue => scope.continues,
        Stmt::Return => Latches::NONE,
        Stmt::If(_, cond, then, other) => {
            let latches = list(then, apart, scope).or(list(other, apart, scope)).unmarked();
            if !scope.is_fixed(latches) {
                alone(cond);
            }
            latches
        }
        // All lanes that are still in the loop evaluate its condition, including those that then
        // leave the loop.
        Stmt::While(.., cond, _) | Stmt::DoWhile(.., cond, _) if cond.is_wave() && !scope.is_fixed(apart) => {
            alone(cond);
            self::stmt(stmt, latches, scope)
        }
        Stmt::For(.., body) | Stmt::While(.., body) | Stmt::DoWhile(.., body) | Stmt::Endless(.., body) => {
            let own = 1 << scope.depth;
            let again = apart.with(own);
            let inner = Scope {
                functions: scope.functions,
                loops: scope.loops | own,
                breaks: Latches { marked: again.marked, plain: apart.plain },
                continues: again,
                depth: scope.depth + 1,
            };
            list(body, again, &inner).without(own).or(apart).unmarked()
        }
        Stmt::Switch(_, arms) => {
            let inner = Scope { breaks: apart, ..*scope };
            arms.iter_mut().fold(apart, |all, (_, body)| all.or(list(body, apart, &inner))).unmarked()
        }
        Stmt::Wave(site, _, _, e) => {
            if !scope.is_fixed(latches) {
                *stmt = Stmt::Trace(*site, e.clone());
            }
            latches
        }
        Stmt::Call(var, callee, a, _) => {
            let tangled = scope.functions.get(*callee).is_some_and(|function| function.is_tangled(scope.functions));
            if tangled && !scope.is_fixed(apart) {
                *stmt = Stmt::Assign(*var, a.clone());
            }
            apart
        }
        _ => latches,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::{Hint, Wave};

    /// Two containers of `probes/lost-marks.hlsl`: with the wave operation in the loop, and with
    /// the same code after the loop.
    macro_rules! pair {
        ($shape:literal) => {
            (
                include_bytes!(concat!("../probes/lost-marks.", $shape, ".dxil")).as_slice(),
                include_bytes!(concat!("../probes/lost-marks.", $shape, ".behind.dxil")).as_slice(),
            )
        };
    }

    /// DXC compiles two sources with different meanings to identical containers: in one, lanes that
    /// leave the loop in different iterations run the wave operation apart, in the other together.
    #[test]
    fn dxc_compiles_wave_operations_before_break_and_after_the_loop_to_the_same_bytes() {
        for (before, after) in [pair!("branch"), pair!("loop"), pair!("call")] {
            assert!(before == after);
        }
        let (before, after) = pair!("block");
        assert!(before != after, "in the block of `break` itself the mark is kept");
    }

    /// Whether a wave operation before a `break` is kept, with another statement between the two.
    fn stays_in_front_of(between: Option<Stmt>, functions: &[Function]) -> bool {
        let wave = Stmt::Wave(1, 0, Wave::Sum, Expr::Lane);
        let then: Vec<Stmt> = [wave.clone()].into_iter().chain(between).chain([Stmt::Break]).collect();
        let leave = Stmt::If(Hint::None, Cond::Compare(Compare::Eq, Expr::Lane, Expr::Const(1)), then, Vec::new());
        let mut body = [Stmt::Endless(0, 3, vec![leave, wave.clone()])];
        replace_undetermined(&mut body, functions);
        let [Stmt::Endless(_, _, rounds)] = &body else { panic!("{body:?}") };
        let [Stmt::If(_, _, then, _), last] = rounds.as_slice() else { panic!("{body:?}") };
        assert_eq!(*last, wave, "a wave operation that reaches the latch is kept");
        then[0] == wave
    }

    #[test]
    fn a_wave_operation_stays_in_the_block_of_break_only() {
        let plain = Stmt::Trace(2, Expr::Lane);
        let functions = [Function { body: vec![plain.clone()], noinline: false }];
        assert!(stays_in_front_of(None, &functions));
        assert!(stays_in_front_of(Some(plain.clone()), &functions));
        let condition = Cond::Compare(Compare::Eq, Expr::Lane, Expr::Const(2));
        for between in [
            Stmt::If(Hint::None, condition, vec![plain.clone()], Vec::new()),
            Stmt::Endless(1, 3, vec![plain.clone()]),
            Stmt::Switch(Expr::Lane, vec![(vec![crate::ast::Label::Default], vec![plain.clone()])]),
            Stmt::Call(0, 0, Expr::Lane, Expr::Lane),
        ] {
            assert!(!stays_in_front_of(Some(between.clone()), &functions), "{between:?}");
        }
    }
}
