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

/// The enclosing loops whose latch can be reached, as bit sets by depth.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Reach {
    /// The loops reached if the marks of `break` count as paths to the latch.
    marked: u64,
    /// The loops reached without those marks.
    plain: u64,
}

impl Reach {
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

    /// The reach of a block before this one: the mark of a `break` holds in its own block only.
    fn unmarked(self) -> Self {
        Self { marked: self.plain, ..self }
    }
}

struct Scope<'f> {
    /// The functions that may be called.
    functions: &'f [Function],
    /// All enclosing loops.
    loops: u64,
    /// The reach of a `break`.
    breaks: Reach,
    /// The reach of a `continue`.
    continues: Reach,
    depth: u32,
}

impl Scope<'_> {
    /// Whether DXIL determines which lanes run a statement with this reach: it must reach the
    /// latches of all enclosing loops.
    fn is_fixed(&self, reach: Reach) -> bool {
        reach.marked == self.loops
    }
}

/// Replaces the wave operations of a function's body whose lanes DXIL does not determine.
pub fn settle(body: &mut [Stmt], functions: &[Function]) {
    list(body, Reach::NONE, &Scope { functions, loops: 0, breaks: Reach::NONE, continues: Reach::NONE, depth: 0 });
}

/// Settles a list of statements whose end has the reach `reach`. Returns the reach of its
/// beginning.
fn list(list: &mut [Stmt], reach: Reach, scope: &Scope<'_>) -> Reach {
    list.iter_mut().rev().fold(reach, |reach, one| stmt(one, reach, scope))
}

/// Replaces a condition that depends on other lanes with one that each lane decides for itself.
fn alone(cond: &mut Cond) {
    match cond {
        Cond::Vote(_, inner) => *cond = (**inner).clone(),
        Cond::First => *cond = Cond::Compare(Compare::Ne, Expr::Var(0), Expr::Const(0)),
        _ => {}
    }
}

/// Settles a statement after which the reach is `reach`. Returns the reach of the statement itself.
fn stmt(stmt: &mut Stmt, reach: Reach, scope: &Scope<'_>) -> Reach {
    let apart = reach.unmarked();
    match stmt {
        Stmt::Break => scope.breaks,
        Stmt::Continue => scope.continues,
        Stmt::Return => Reach::NONE,
        Stmt::If(_, cond, then, other) => {
            let reach = list(then, apart, scope).or(list(other, apart, scope)).unmarked();
            if !scope.is_fixed(reach) {
                alone(cond);
            }
            reach
        }
        // All lanes that are still in the loop evaluate its condition, including those that then
        // leave the loop.
        Stmt::While(.., cond, _) | Stmt::DoWhile(.., cond, _) if cond.is_wave() && !scope.is_fixed(apart) => {
            alone(cond);
            self::stmt(stmt, reach, scope)
        }
        Stmt::For(.., body) | Stmt::While(.., body) | Stmt::DoWhile(.., body) | Stmt::Endless(.., body) => {
            let own = 1 << scope.depth;
            let again = apart.with(own);
            let inner = Scope {
                functions: scope.functions,
                loops: scope.loops | own,
                breaks: Reach { marked: again.marked, plain: apart.plain },
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
            if !scope.is_fixed(reach) {
                *stmt = Stmt::Trace(*site, e.clone());
            }
            reach
        }
        Stmt::Call(var, callee, a, _) => {
            let tangled = scope.functions.get(*callee).is_some_and(|function| function.is_tangled(scope.functions));
            if tangled && !scope.is_fixed(apart) {
                *stmt = Stmt::Assign(*var, a.clone());
            }
            apart
        }
        _ => reach,
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
        settle(&mut body, functions);
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
