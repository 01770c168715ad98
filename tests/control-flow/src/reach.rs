//! Keeps wave operations where DXIL can say which lanes run them.
//!
//! DXIL is a bare graph: a block belongs to a loop if it can reach the loop's latch. DXC marks `break` with `dx.break` so that
//! what precedes a `break` stays in the loop; there is no such mark for `return`. A wave operation in a loop from which every path
//! returns is outside of the loop in DXIL, and lanes that leave in different rounds may run it together. Nor is there a mark for what is
//! in a loop within the loop, from which every path goes on to the outer loop's `break`: DXC marks that `break`, and loses the mark when it
//! optimises. Nor for a wave operation in a function that stays one: DXC sees a call, and of a call in front of `break` and one behind the loop
//! it makes the same bytes (`probes/called-break.hlsl`). No translator can know better, so the generator puts a plain statement there.

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
    /// Whether DXIL says which lanes run what reaches so far: the latches of all enclosing loops, of which a mark helps with the innermost only.
    fn is_fixed(&self, reach: Reach) -> bool {
        let innermost = 1 << self.depth >> 1;
        reach.marked == self.loops && reach.plain | innermost == self.loops | innermost
    }

    /// Whether DXIL says which lanes run the wave operations, if any, of a call that reaches so far. No mark helps where they are not inlined.
    fn is_fixed_call(&self, callee: usize, reach: Reach) -> bool {
        match self.functions.get(callee) {
            Some(function) if function.keeps_waves(self.functions) => reach.plain == self.loops,
            Some(function) if function.is_tangled(self.functions) => self.is_fixed(reach),
            _ => true,
        }
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

fn stmt(stmt: &mut Stmt, reach: Reach, scope: &Scope<'_>) -> Reach {
    match stmt {
        Stmt::Break => scope.breaks,
        Stmt::Continue => scope.continues,
        Stmt::Return => Reach::NONE,
        Stmt::If(_, cond, then, other) => {
            let reach = list(then, reach, scope).or(list(other, reach, scope));
            if !scope.is_fixed(reach) {
                alone(cond);
            }
            reach
        }
        // All lanes that are still in the loop evaluate its condition, those too that go on behind the loop.
        Stmt::While(.., cond, _) | Stmt::DoWhile(.., cond, _) if cond.is_wave() && !scope.is_fixed(reach) => {
            alone(cond);
            self::stmt(stmt, reach, scope)
        }
        Stmt::For(.., body) | Stmt::While(.., body) | Stmt::DoWhile(.., body) | Stmt::Endless(.., body) => {
            let own = 1 << scope.depth;
            let again = reach.with(own);
            let inner = Scope {
                functions: scope.functions,
                loops: scope.loops | own,
                breaks: Reach { marked: again.marked, plain: reach.plain },
                continues: again,
                depth: scope.depth + 1,
            };
            list(body, again, &inner).without(own).or(reach)
        }
        Stmt::Switch(_, arms) => {
            let inner = Scope { breaks: reach, ..*scope };
            arms.iter_mut().fold(reach, |all, (_, body)| all.or(list(body, reach, &inner)))
        }
        Stmt::Wave(site, _, _, e) => {
            if !scope.is_fixed(reach) {
                *stmt = Stmt::Trace(*site, e.clone());
            }
            reach
        }
        Stmt::Call(var, callee, a, _) => {
            if !scope.is_fixed_call(*callee, reach) {
                *stmt = Stmt::Assign(*var, a.clone());
            }
            reach
        }
        _ => reach,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::{Hint, Wave};

    /// Two sources of which each says something else (that rounds part lanes in front of the call, that they do not) and one container.
    #[test]
    fn the_compiler_makes_one_container_of_a_call_in_front_of_break_and_one_behind_the_loop() {
        let (in_front, behind) =
            (include_bytes!("../probes/called-break.dxil"), include_bytes!("../probes/called-break.behind.dxil"));
        assert!(in_front == behind);
        let shader = dxil_translator::Shader::parse(in_front).expect("a container");
        let program = shader.program(None).expect("a program");
        let text = program.to_string();
        assert!(text.contains("call fn1") && text.contains("WaveActiveOp"), "{text}");
    }

    #[test]
    fn a_call_in_front_of_break_stays_where_it_is_inlined() {
        let wave = Stmt::Wave(1, 0, Wave::Sum, Expr::Lane);
        for noinline in [false, true] {
            let functions = [
                Function { body: vec![wave.clone()], noinline },
                // What it keeps, its callers keep.
                Function { body: vec![Stmt::Call(0, 0, Expr::Lane, Expr::Lane)], noinline: false },
            ];
            for callee in 0..functions.len() {
                let call = Stmt::Call(0, callee, Expr::Lane, Expr::Lane);
                let leave = Stmt::If(Hint::None, Cond::First, vec![call.clone(), Stmt::Break], Vec::new());
                let mut body = [Stmt::Endless(0, 3, vec![leave, call.clone()])];
                settle(&mut body, &functions);
                let [Stmt::Endless(_, _, rounds)] = &body else { panic!("{body:?}") };
                let [Stmt::If(_, _, then, _), again] = rounds.as_slice() else { panic!("{body:?}") };
                assert_eq!(then[0] == call, !noinline, "{body:?}");
                assert_eq!(*again, call);
            }
        }
    }
}
