//! Keeps wave operations where DXIL can say which lanes run them.
//!
//! DXIL is a bare graph: a block belongs to a loop if it can reach the loop's latch. A wave operation in a loop from which no path comes to the
//! latch is outside of the loop in DXIL, and lanes that leave in different rounds may run it together. DXC marks `break` with `dx.break`,
//! which keeps the block in front of it in the loop; there is no such mark for `return`. When it optimises it keeps the mark for wave operations
//! in that very block only: of a wave operation in front of `break` with a branch, a loop or a call in between, or in these, and of the same
//! code behind the loop it makes the same bytes (`probes/lost-marks.hlsl`). No translator can know better, so the generator puts a plain
//! statement there.

use crate::ast::{Compare, Cond, Expr, Function, Stmt};

/// Sets of enclosing loops whose latch can be reached, by depth.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Reach {
    /// With the marks of `break`.
    marked: u64,
    /// Without them.
    plain: u64,
}

impl Reach {
    const NONE: Self = Self { marked: 0, plain: 0 };

    fn or(self, other: Self) -> Self {
        Self { marked: self.marked | other.marked, plain: self.plain | other.plain }
    }

    /// With a loop, or without it.
    fn with(self, own: u64) -> Self {
        Self { marked: self.marked | own, plain: self.plain | own }
    }

    fn without(self, own: u64) -> Self {
        Self { marked: self.marked & !own, plain: self.plain & !own }
    }

    /// In another block than the one in front of `break`.
    fn unmarked(self) -> Self {
        Self { marked: self.plain, ..self }
    }
}

struct Scope<'f> {
    /// Functions that may be called.
    functions: &'f [Function],
    /// All enclosing loops.
    loops: u64,
    /// What `break` and `continue` reach.
    breaks: Reach,
    continues: Reach,
    depth: u32,
}

impl Scope<'_> {
    /// Whether DXIL says which lanes run what reaches so far: the latches of all enclosing loops.
    fn is_fixed(&self, reach: Reach) -> bool {
        reach.marked == self.loops
    }
}

/// Takes wave operations out of a function's body where DXIL does not fix their lanes.
pub fn settle(body: &mut [Stmt], functions: &[Function]) {
    list(body, Reach::NONE, &Scope { functions, loops: 0, breaks: Reach::NONE, continues: Reach::NONE, depth: 0 });
}

/// Settles a list whose end reaches `reach`; what its beginning reaches.
fn list(list: &mut [Stmt], reach: Reach, scope: &Scope<'_>) -> Reach {
    list.iter_mut().rev().fold(reach, |reach, one| stmt(one, reach, scope))
}

/// Makes a condition one that each lane decides for itself.
fn alone(cond: &mut Cond) {
    match cond {
        Cond::Vote(_, inner) => *cond = (**inner).clone(),
        Cond::First => *cond = Cond::Compare(Compare::Ne, Expr::Var(0), Expr::Const(0)),
        _ => {}
    }
}

/// Settles a statement behind which `reach` is reached; what it reaches itself.
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
        // All lanes that are still in the loop evaluate its condition, those too that go on behind the loop.
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

    /// A container of `probes/lost-marks.hlsl` as it stands, and with the code behind the loop.
    macro_rules! pair {
        ($shape:literal) => {
            (
                include_bytes!(concat!("../probes/lost-marks.", $shape, ".dxil")).as_slice(),
                include_bytes!(concat!("../probes/lost-marks.", $shape, ".behind.dxil")).as_slice(),
            )
        };
    }

    /// Two sources of which each says something else (that rounds part lanes in front of a wave operation, that they do not) and one container.
    #[test]
    fn the_compiler_makes_one_container_of_wave_operations_in_front_of_break_and_behind_the_loop() {
        for (in_front, behind) in [pair!("branch"), pair!("loop"), pair!("call")] {
            assert!(in_front == behind);
        }
        let (in_front, behind) = pair!("block");
        assert!(in_front != behind, "in the block of `break` itself the mark is kept");
    }

    /// Whether a wave operation stays that stands in front of `break`, with another statement in between.
    fn stays_in_front_of(between: Option<Stmt>, functions: &[Function]) -> bool {
        let wave = Stmt::Wave(1, 0, Wave::Sum, Expr::Lane);
        let then: Vec<Stmt> = [wave.clone()].into_iter().chain(between).chain([Stmt::Break]).collect();
        let leave = Stmt::If(Hint::None, Cond::Compare(Compare::Eq, Expr::Lane, Expr::Const(1)), then, Vec::new());
        let mut body = [Stmt::Endless(0, 3, vec![leave, wave.clone()])];
        settle(&mut body, functions);
        let [Stmt::Endless(_, _, rounds)] = &body else { panic!("{body:?}") };
        let [Stmt::If(_, _, then, _), last] = rounds.as_slice() else { panic!("{body:?}") };
        assert_eq!(*last, wave, "what comes to the latch stays");
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
