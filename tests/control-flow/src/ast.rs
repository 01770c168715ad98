//! The syntax tree of the random programs: structured code over a few `uint` variables.
//!
//! A function has [`VARIABLES`] variables (the first [`PARAMETERS`] are its parameters) and local
//! counters, each declared by a loop or a flag. Expressions are total and have no side effects, so
//! it does not matter that HLSL evaluates both sides of `&&`.

/// The number of variables of a function: `v0`, `v1`, ….
pub const VARIABLES: usize = 4;
/// The number of variables that are parameters, in functions other than the program's body.
pub const PARAMETERS: usize = 2;

/// A binary operator on `uint`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binary {
    /// Wrapping sum.
    Add,
    /// Wrapping difference.
    Sub,
    /// Wrapping product.
    Mul,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The smaller operand.
    Min,
    /// The larger operand.
    Max,
}

/// An expression of type `uint`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expr {
    /// A constant.
    Const(u32),
    /// A variable.
    Var(usize),
    /// A counter in scope.
    Counter(usize),
    /// A word of the thread's input.
    Input(usize),
    /// The lane's index in its wave.
    Lane,
    /// A shift to the right by a constant below 32.
    Shr(Box<Expr>, u32),
    /// A binary operation.
    Binary(Binary, Box<Expr>, Box<Expr>),
}

/// A comparison of two `uint` values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compare {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Greater or equal.
    Ge,
}

/// A wave operation that gives the same answer to all active lanes of a wave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vote {
    /// True if the operand is true in any active lane.
    Any,
    /// True if the operand is true in every active lane.
    All,
}

/// A condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cond {
    /// A comparison.
    Compare(Compare, Expr, Expr),
    /// The negation of a condition.
    Not(Box<Cond>),
    /// True if both conditions are true.
    And(Box<Cond>, Box<Cond>),
    /// True if at least one condition is true.
    Or(Box<Cond>, Box<Cond>),
    /// A vote. It is always the whole condition of an `if` or a loop. In a loop's condition the
    /// loop's limit is part of the operand: the compiler would remove a vote that is combined with
    /// a limit known to be reached, and the number of votes would then be unknown.
    Vote(Vote, Box<Cond>),
    /// True for the first active lane. It is always the whole condition of an `if`.
    First,
}

/// A wave operation on a `uint`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wave {
    /// The sum over the active lanes.
    Sum,
    /// The smallest operand of the active lanes.
    Min,
    /// The largest operand of the active lanes.
    Max,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The number of active lanes whose operand is odd.
    Count,
    /// The low word of the ballot over odd operands.
    Ballot,
    /// The value of the first active lane.
    ReadFirst,
    /// The sum over the active lanes before this one.
    PrefixSum,
    /// The number of active lanes before this one whose operand is odd.
    PrefixCount,
}

/// A label of a `switch` statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// `case N:`
    Case(u32),
    /// `default:`
    Default,
}

/// The attribute of a loop or branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hint {
    /// No attribute.
    None,
    /// `[unroll]`; only on loops whose number of iterations is a constant.
    Unroll,
    /// `[loop]`.
    Loop,
    /// `[branch]`.
    Branch,
    /// `[flatten]`; only if the arms are assignments.
    Flatten,
}

/// A statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stmt {
    /// `vN = e;`
    Assign(usize, Expr),
    /// A counter's declaration, `uint cN = e;`.
    Declare(usize, Expr),
    /// `cN = e;`
    Set(usize, Expr),
    /// Folds the site and a value into the thread's hash.
    Mark(u32, Expr),
    /// Stores the site and a value in the thread's ring of traces, a side effect that no compiler
    /// can move.
    Trace(u32, Expr),
    /// Assigns a wave operation to a variable and traces the result. The site keeps the compiler
    /// from merging two wave operations.
    Wave(u32, usize, Wave, Expr),
    /// `if`, with the statements of both arms.
    If(Hint, Cond, Vec<Stmt>, Vec<Stmt>),
    /// `for (uint cN = 0; cN < e; ++cN)`. The bound `e` is evaluated before each iteration; its
    /// value is always small.
    For(Hint, usize, Expr, Vec<Stmt>),
    /// `while (cN < limit && cond)`, with a counter that counts the iterations.
    While(usize, u32, Cond, Vec<Stmt>),
    /// `do … while (cN < limit && cond)`.
    DoWhile(usize, u32, Cond, Vec<Stmt>),
    /// `for (;;)`. Its body starts with a `break` after `limit` iterations.
    Endless(usize, u32, Vec<Stmt>),
    /// `switch`. No arm falls through: the printer adds a `break` if the arm does not end with an
    /// exit.
    Switch(Expr, Vec<(Vec<Label>, Vec<Stmt>)>),
    /// `break`, out of the innermost loop or switch.
    Break,
    /// `continue`.
    Continue,
    /// `return`.
    Return,
    /// `vN = fM(e, e);`
    Call(usize, usize, Expr, Expr),
}

/// A function that takes two `uint` parameters and returns its variable 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Function {
    /// The statements.
    pub body: Vec<Stmt>,
    /// Whether the function is `[noinline]`, so that it stays a function in DXIL.
    pub noinline: bool,
}

/// A program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Program {
    /// The seed that the program was made from.
    pub seed: u32,
    /// The functions. A function is called by later functions and by the body only.
    pub functions: Vec<Function>,
    /// The statements that every thread runs.
    pub body: Vec<Stmt>,
    /// Whether the body is a function of its own, whose returns join before the thread writes its
    /// last words. Otherwise each `return` of the body leaves the entry point.
    pub joined: bool,
}

/// Calls `f` on every statement of a list and on all nested statements.
pub fn walk(list: &[Stmt], f: &mut impl FnMut(&Stmt)) {
    for stmt in list {
        f(stmt);
        match stmt {
            Stmt::If(_, _, then, other) => {
                walk(then, f);
                walk(other, f);
            }
            Stmt::For(.., body) | Stmt::While(.., body) | Stmt::DoWhile(.., body) | Stmt::Endless(.., body) => {
                walk(body, f)
            }
            Stmt::Switch(_, arms) => arms.iter().for_each(|(_, body)| walk(body, f)),
            _ => {}
        }
    }
}

impl Cond {
    /// Whether the condition depends on other lanes.
    #[must_use]
    pub fn is_wave(&self) -> bool {
        matches!(self, Self::Vote(..) | Self::First)
    }
}

impl Stmt {
    /// Whether the statement itself, not counting nested ones, has a wave operation.
    #[must_use]
    pub fn is_wave(&self) -> bool {
        match self {
            Self::Wave(..) => true,
            Self::If(_, cond, ..) | Self::While(.., cond, _) | Self::DoWhile(.., cond, _) => cond.is_wave(),
            _ => false,
        }
    }
}

impl Function {
    /// Whether the function or one that it calls has a wave operation.
    #[must_use]
    pub fn is_tangled(&self, functions: &[Self]) -> bool {
        is_tangled(&self.body, functions)
    }
}

/// Whether a list of statements, or a function that it calls, has a wave operation.
fn is_tangled(list: &[Stmt], functions: &[Function]) -> bool {
    let mut found = false;
    walk(list, &mut |stmt| {
        found |= stmt.is_wave();
        if let Stmt::Call(_, callee, ..) = stmt {
            found |= functions.get(*callee).is_some_and(|function| function.is_tangled(functions));
        }
    });
    found
}

/// Whether a loop in a list of statements, or in a function that it calls, has a wave operation.
fn loops_over_waves(list: &[Stmt], functions: &[Function]) -> bool {
    let mut found = false;
    walk(list, &mut |stmt| {
        found |= match stmt {
            Stmt::For(.., body) | Stmt::While(.., body) | Stmt::DoWhile(.., body) | Stmt::Endless(.., body) => {
                stmt.is_wave() || is_tangled(body, functions)
            }
            Stmt::Call(_, callee, ..) => {
                functions.get(*callee).is_some_and(|function| loops_over_waves(&function.body, functions))
            }
            _ => false,
        };
    });
    found
}

impl Program {
    /// Whether the program has a wave operation in a loop.
    #[must_use]
    pub fn loops_over_waves(&self) -> bool {
        loops_over_waves(&self.body, &self.functions)
    }

    /// Whether the program has wave operations. What a tangled program computes depends on which
    /// lanes run together.
    #[must_use]
    pub fn is_tangled(&self) -> bool {
        is_tangled(&self.body, &self.functions)
    }

    /// The names of the kinds of statements in the program.
    #[must_use]
    pub fn shapes(&self) -> Vec<&'static str> {
        let mut shapes = Vec::new();
        let bodies = self.functions.iter().map(|function| &function.body).chain([&self.body]);
        for body in bodies {
            walk(body, &mut |stmt| {
                shapes.extend(match stmt {
                    Stmt::For(Hint::Unroll, ..) => Some("unrolled"),
                    Stmt::For(..) | Stmt::While(..) | Stmt::DoWhile(..) | Stmt::Endless(..) => Some("loop"),
                    Stmt::Switch(..) => Some("switch"),
                    Stmt::Break => Some("break"),
                    Stmt::Continue => Some("continue"),
                    Stmt::Return => Some("return"),
                    Stmt::Call(..) => Some("call"),
                    _ if stmt.is_wave() => Some("wave"),
                    _ => None,
                });
            });
        }
        shapes.sort_unstable();
        shapes.dedup();
        shapes
    }
}
