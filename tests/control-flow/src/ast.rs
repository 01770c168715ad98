//! Structured programs over a few `uint` variables.
//!
//! A function has [`VARIABLES`] variables (the first [`PARAMETERS`] are its parameters) and local counters, each declared by a
//! loop or a flag. Expressions have no side effect and are total, so it does not matter that HLSL evaluates both sides of `&&`.

/// Variables of every function: `v0`, `v1`, ….
pub const VARIABLES: usize = 4;
/// How many of them are parameters (of functions other than the program's body).
pub const PARAMETERS: usize = 2;

/// A two-operand function of uints.
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
    /// The smaller.
    Min,
    /// The larger.
    Max,
}

/// A uint.
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
    /// Two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
}

/// A comparison of uints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compare {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Less.
    Lt,
    /// Not less.
    Ge,
}

/// A wave operation that gives the same answer to all active lanes of a wave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vote {
    /// True where any active lane's condition is.
    Any,
    /// True where every active lane's condition is.
    All,
}

/// A condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cond {
    /// A comparison.
    Compare(Compare, Expr, Expr),
    /// Not.
    Not(Box<Cond>),
    /// Both.
    And(Box<Cond>, Box<Cond>),
    /// Either.
    Or(Box<Cond>, Box<Cond>),
    /// A vote; only as the whole condition of an `if` or loop. In a loop's the limit is in the operand: the compiler would leave out a vote beside
    /// a limit that it knows to be reached, and then nobody could say how many votes there are.
    Vote(Vote, Box<Cond>),
    /// True for the first active lane; only as the whole condition of an `if`.
    First,
}

/// A wave operation on a uint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wave {
    /// The sum over the active lanes.
    Sum,
    /// The smallest.
    Min,
    /// The largest.
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

/// What a `switch` label is.
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
    /// None.
    None,
    /// `[unroll]`, where the number of rounds is a constant.
    Unroll,
    /// `[loop]`.
    Loop,
    /// `[branch]`.
    Branch,
    /// `[flatten]`; only where the arms are assignments.
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
    /// Puts the site and a value into the thread's ring of traces: a side effect that no compiler can move.
    Trace(u32, Expr),
    /// A wave operation into a variable, then a trace of it. The site makes each one different, so that none is merged with another.
    Wave(u32, usize, Wave, Expr),
    /// `if`.
    If(Hint, Cond, Vec<Stmt>, Vec<Stmt>),
    /// `for (uint cN = 0; cN < e; ++cN)`; the bound is evaluated in each round and has a bound of its own.
    For(Hint, usize, Expr, Vec<Stmt>),
    /// `while (cN < limit && cond)` over a counter that counts rounds.
    While(usize, u32, Cond, Vec<Stmt>),
    /// `do … while (cN < limit && cond)`.
    DoWhile(usize, u32, Cond, Vec<Stmt>),
    /// `for (;;)` with a guard of its own on top.
    Endless(usize, u32, Vec<Stmt>),
    /// `switch`; every arm ends by leaving, the printer adds the `break`.
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

/// A function: two uints in, its variable 0 out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Function {
    /// The statements.
    pub body: Vec<Stmt>,
    /// `[noinline]`: it stays a function in DXIL.
    pub noinline: bool,
}

/// A program.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Program {
    /// The seed that it was made from.
    pub seed: u32,
    /// Called by later ones and by the body.
    pub functions: Vec<Function>,
    /// What every thread runs.
    pub body: Vec<Stmt>,
    /// The body is a function of its own: its returns join before the thread writes its last words. Otherwise each return is
    /// one of the entry point.
    pub joined: bool,
}

/// Calls `f` on every statement of a list and all within.
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
    /// Whether other lanes have a say in it.
    #[must_use]
    pub fn is_wave(&self) -> bool {
        matches!(self, Self::Vote(..) | Self::First)
    }
}

impl Stmt {
    /// Whether the statement itself, without those within, is a wave operation.
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
    /// Whether there is a wave operation in it, or in what it calls.
    #[must_use]
    pub fn is_tangled(&self, functions: &[Self]) -> bool {
        is_tangled(&self.body, functions)
    }
}

/// Whether there is a wave operation in a list, or in what it calls.
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

/// Whether a loop of a list, or of what it calls, has a wave operation.
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
    /// Whether there is a wave operation in a loop.
    #[must_use]
    pub fn loops_over_waves(&self) -> bool {
        loops_over_waves(&self.body, &self.functions)
    }

    /// Whether the program has wave operations: then what it does depends on which lanes run together.
    #[must_use]
    pub fn is_tangled(&self) -> bool {
        is_tangled(&self.body, &self.functions)
    }

    /// The names of the kinds of statement in the program, for a summary.
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
