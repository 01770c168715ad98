//! Keeps wave operations where DXIL can say which lanes run them.
//!
//! DXIL is a bare graph: a block belongs to a loop if it can reach the loop's latch. DXC marks `break` with `dx.break` so that
//! what precedes a `break` stays in the loop; there is no such mark for `return`. A wave operation in a loop from which every path
//! returns is outside of the loop in DXIL, and lanes that leave in different rounds may run it together. No translator can
//! know better, so the generator puts a plain statement there.

use crate::ast::{Cond, Function, Stmt, is_tangled};

/// A set of enclosing loops whose latch can be reached, by depth.
type Reach = u64;

struct Scope<'f> {
    /// Functions that may be called.
    functions: &'f [Function],
    /// All enclosing loops.
    loops: Reach,
    /// What `break` and `continue` reach.
    breaks: Reach,
    continues: Reach,
    depth: u32,
}

/// Takes wave operations out of a function's body where DXIL does not fix their lanes.
pub fn settle(body: &mut [Stmt], functions: &[Function]) {
    list(body, 0, &Scope { functions, loops: 0, breaks: 0, continues: 0, depth: 0 });
}

/// Settles a list whose end reaches `reach`; what its beginning reaches.
fn list(list: &mut [Stmt], reach: Reach, scope: &Scope<'_>) -> Reach {
    list.iter_mut().rev().fold(reach, |reach, one| stmt(one, reach, scope))
}

fn stmt(stmt: &mut Stmt, reach: Reach, scope: &Scope<'_>) -> Reach {
    match stmt {
        Stmt::Break => scope.breaks,
        Stmt::Continue => scope.continues,
        Stmt::Return => 0,
        Stmt::If(_, cond, then, other) => {
            let reach = list(then, reach, scope) | list(other, reach, scope);
            if reach != scope.loops {
                match cond {
                    Cond::Vote(_, inner) => *cond = (**inner).clone(),
                    Cond::First => {
                        *cond =
                            Cond::Compare(crate::ast::Compare::Ne, crate::ast::Expr::Var(0), crate::ast::Expr::Const(0))
                    }
                    _ => {}
                }
            }
            reach
        }
        Stmt::For(.., body) | Stmt::While(.., body) | Stmt::DoWhile(.., body) | Stmt::Endless(.., body) => {
            let own = 1 << scope.depth;
            let again = own | reach;
            let inner = Scope {
                functions: scope.functions,
                loops: scope.loops | own,
                breaks: again,
                continues: again,
                depth: scope.depth + 1,
            };
            (list(body, again, &inner) & !own) | reach
        }
        Stmt::Switch(_, arms) => {
            let inner = Scope { breaks: reach, ..*scope };
            arms.iter_mut().fold(reach, |all, (_, body)| all | list(body, reach, &inner))
        }
        Stmt::Wave(site, _, _, e) => {
            if reach != scope.loops {
                *stmt = Stmt::Trace(*site, e.clone());
            }
            reach
        }
        Stmt::Call(var, callee, a, _) => {
            let tangled = scope.functions.get(*callee).is_some_and(|callee| is_tangled(&callee.body, scope.functions));
            if tangled && reach != scope.loops {
                *stmt = Stmt::Assign(*var, a.clone());
            }
            reach
        }
        _ => reach,
    }
}
