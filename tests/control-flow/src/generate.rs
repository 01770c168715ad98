//! Makes a program from a seed.

use crate::ast::{Binary, Compare, Cond, Expr, Function, Hint, Label, Program, Stmt, VARIABLES, Vote, Wave, walk};
use crate::interpret;
use crate::latches;
use crate::{INPUTS, STEPS, THREADS};
use dxil_test_support::Random;

/// The deepest nesting of statements.
const DEEPEST: usize = 5;
/// A loop nest is unrolled into at most this many copies of its body.
const MOST_COPIES: u32 = 9;
/// The most counters of a function.
const MOST_COUNTERS: usize = 40;

struct Maker {
    random: Random,
    tangled: bool,
    functions: Vec<Function>,
    site: u32,
    /// The number of statements that may still be added to this function.
    budget: i32,
    counters: usize,
}

/// The context of a statement.
#[derive(Clone, Default)]
struct Scope {
    depth: usize,
    /// Whether the statement is in a loop or switch, which `break` can leave.
    breakable: bool,
    /// Whether the statement is in a loop, so that it may be `continue`.
    continuable: bool,
    /// The counters that can be read.
    counters: Vec<usize>,
    /// The number of copies that the enclosing unrolled loops make of the statement, at least 1.
    copies: u32,
    /// The number of enclosing loops of all kinds.
    loops: usize,
}

/// The program of a seed. The same seed gives the same program.
#[must_use]
pub fn generate(seed: u32) -> Program {
    let mut random = Random::new(u64::from(seed));
    let tangled = random.chance(45);
    loop {
        let mut maker = Maker {
            random: Random::new(random.bits()),
            tangled,
            functions: Vec::new(),
            site: 0,
            budget: 0,
            counters: 0,
        };
        let program = maker.program(seed);
        let shapes = program.shapes();
        let structured = ["loop", "unrolled", "switch"].iter().any(|shape| shapes.contains(shape));
        if structured
            && program.is_tangled() == tangled
            && interpret::outputs(&program, &inputs(seed), 8, STEPS).is_ok()
            && interpret::outputs(&program, &inputs(seed), crate::GROUP, 2 * STEPS).is_ok()
        {
            return program;
        }
    }
}

/// The input words of a program's threads: the pattern `random_u32` of docs/testing.md.
#[must_use]
pub fn inputs(seed: u32) -> Vec<u32> {
    let pattern = dxil_tests::spec::Pattern::RandomU32(seed);
    (0..(THREADS * INPUTS) as u64).map(|index| pattern.word(index)).collect()
}

impl Maker {
    fn program(&mut self, seed: u32) -> Program {
        for _ in 0..self.random.pick(&[0, 0, 1, 1, 1, 2]) {
            self.budget = 3 + self.random.below(6);
            let mut body = self.function();
            latches::replace_undetermined(&mut body, &self.functions);
            let noinline = self.random.chance(60);
            self.functions.push(Function { body, noinline });
        }
        self.budget = 6 + self.random.below(14);
        let mut body = self.function();
        latches::replace_undetermined(&mut body, &self.functions);
        self.drop_unused(&body);
        Program { seed, functions: std::mem::take(&mut self.functions), body, joined: self.random.chance(50) }
    }

    /// Drops functions at the end of the list that are never called. The numbers of the others
    /// stay.
    fn drop_unused(&mut self, body: &[Stmt]) {
        let mut most = None;
        walk(body, &mut |stmt| {
            if let Stmt::Call(_, callee, ..) = stmt {
                most = most.max(Some(*callee));
            }
        });
        self.functions.truncate(most.map_or(0, |most| most + 1));
    }

    fn function(&mut self) -> Vec<Stmt> {
        self.counters = 0;
        let scope = Scope { copies: 1, ..Scope::default() };
        let mut body = Vec::new();
        while self.budget > 0 {
            self.stmt(&scope, &mut body);
        }
        let last = self.simple(&scope);
        body.push(last);
        body
    }

    fn site(&mut self) -> u32 {
        self.site += 1;
        self.site
    }

    fn counter(&mut self) -> usize {
        self.counters += 1;
        self.counters - 1
    }

    /// The statements of an arm or a loop's body, one level deeper than `scope`.
    fn list(&mut self, scope: &Scope, exits: u32) -> Vec<Stmt> {
        let mut out = Vec::new();
        let mut scope = Scope { depth: scope.depth + 1, ..scope.clone() };
        for _ in 0..1 + self.random.below(3) {
            let before = self.counters;
            self.stmt(&scope, &mut out);
            // The following statements can read a flag that is declared at this level.
            scope.counters.extend(
                (before..self.counters).filter(|n| out.iter().any(|s| matches!(s, Stmt::Declare(c, _) if c == n))),
            );
        }
        if self.random.chance(exits) {
            out.extend(self.exit(&scope));
        }
        out
    }

    fn exit(&mut self, scope: &Scope) -> Option<Stmt> {
        match self.random.below(10) {
            0..=4 if scope.breakable => Some(Stmt::Break),
            5..=7 if scope.continuable => Some(Stmt::Continue),
            8 => Some(Stmt::Return),
            _ => None,
        }
    }

    fn stmt(&mut self, scope: &Scope, out: &mut Vec<Stmt>) {
        self.budget -= 1;
        if scope.depth >= DEEPEST || self.budget <= 0 || self.counters + 4 > MOST_COUNTERS {
            out.push(self.simple(scope));
            return;
        }
        match self.random.below(100) {
            0..=34 => out.push(self.simple(scope)),
            35..=61 => out.push(self.branch(scope)),
            62..=81 if scope.loops < 3 => self.repeat(scope, out),
            82..=88 => out.push(self.switch(scope)),
            89..=95 if !self.functions.is_empty() => {
                let callee = self.random.below(self.functions.len() as u32) as usize;
                let (a, b) = (self.expr(scope, 1), self.expr(scope, 1));
                out.push(Stmt::Call(self.variable(), callee, a, b));
            }
            96..=99 if scope.loops < 2 => self.leave_two(scope, out),
            _ => out.push(self.simple(scope)),
        }
    }

    fn variable(&mut self) -> usize {
        self.random.below(VARIABLES as u32) as usize
    }

    fn simple(&mut self, scope: &Scope) -> Stmt {
        let e = self.expr(scope, 2);
        match self.random.below(10) {
            0..=2 => Stmt::Assign(self.variable(), e),
            3..=4 => Stmt::Mark(self.site(), e),
            5..=6 if self.tangled => self.wave(e),
            _ => Stmt::Trace(self.site(), e),
        }
    }

    fn wave(&mut self, e: Expr) -> Stmt {
        let all = [
            Wave::Sum,
            Wave::Sum,
            Wave::Min,
            Wave::Max,
            Wave::And,
            Wave::Or,
            Wave::Xor,
            Wave::Count,
            Wave::Ballot,
            Wave::ReadFirst,
            Wave::PrefixSum,
            Wave::PrefixCount,
        ];
        let site = self.site();
        // The site makes the operand unique. DXC may merge two wave operations with the same
        // operand, because LLVM does not know that lanes may have left between them.
        let e = Expr::Binary(Binary::Add, Box::new(e), Box::new(Expr::Const(site)));
        Stmt::Wave(site, self.variable(), self.random.pick(&all), e)
    }

    fn branch(&mut self, scope: &Scope) -> Stmt {
        let cond = if self.tangled && self.random.chance(15) { self.vote(scope) } else { self.cond(scope, 1) };
        // Conditional exits make graphs hard to structure, so there are many of them.
        if (scope.breakable || scope.depth > 0) && self.random.chance(30) {
            let mut then = if self.random.chance(50) { vec![self.simple(scope)] } else { Vec::new() };
            then.extend(self.exit(scope));
            if !then.is_empty() {
                self.notice(&cond, &mut then);
                return Stmt::If(Hint::None, cond, then, Vec::new());
            }
        }
        let mut then = self.list(scope, 20);
        self.notice(&cond, &mut then);
        let other = if self.random.chance(45) { self.list(scope, 20) } else { Vec::new() };
        let assigns = |list: &[Stmt]| list.iter().all(|stmt| matches!(stmt, Stmt::Assign(..)));
        let hint = match self.random.below(10) {
            0 => Hint::Branch,
            1..=3 if assigns(&then) && assigns(&other) => Hint::Flatten,
            _ => Hint::None,
        };
        Stmt::If(hint, cond, then, other)
    }

    /// A comparison with a unique operand, so that the compiler does not merge it with another one.
    fn odd(&mut self, scope: &Scope) -> Cond {
        let site = self.site();
        let odd = Expr::Binary(Binary::Add, Box::new(self.leaf(scope)), Box::new(Expr::Const(site)));
        let odd = Expr::Binary(Binary::And, Box::new(odd), Box::new(Expr::Const(7)));
        Cond::Compare(self.random.pick(&[Compare::Eq, Compare::Ge, Compare::Lt]), odd, Expr::Const(3))
    }

    /// A condition that depends on other lanes.
    fn vote(&mut self, scope: &Scope) -> Cond {
        let inner = Box::new(self.odd(scope));
        match self.random.below(5) {
            0..=1 => Cond::Vote(Vote::Any, inner),
            2..=3 => Cond::Vote(Vote::All, inner),
            _ => Cond::First,
        }
    }

    /// Adds a trace to the arm of a vote. The compiler would remove a vote without an effect, and
    /// the number of votes would then be unknown.
    fn notice(&mut self, cond: &Cond, then: &mut Vec<Stmt>) {
        if cond.is_wave() {
            then.insert(0, Stmt::Trace(self.site(), Expr::Const(1)));
        }
    }

    /// The condition under which a loop continues, in addition to its limit.
    fn again(&mut self, scope: &Scope, counter: usize, limit: u32) -> Cond {
        if !self.tangled || !self.random.chance(30) {
            return self.cond(scope, 1);
        }
        let below = Cond::Compare(Compare::Lt, Expr::Counter(counter), Expr::Const(limit));
        let both = Cond::And(Box::new(below), Box::new(self.odd(scope)));
        Cond::Vote(self.random.pick(&[Vote::Any, Vote::All]), Box::new(both))
    }

    fn looped(scope: &Scope, counter: usize, copies: u32) -> Scope {
        let mut inner = scope.clone();
        inner.breakable = true;
        inner.continuable = true;
        inner.counters.push(counter);
        inner.loops += 1;
        inner.copies *= copies;
        inner
    }

    fn repeat(&mut self, scope: &Scope, out: &mut Vec<Stmt>) {
        let counter = self.counter();
        let limit = 2 + self.random.below(4);
        let rolled = Self::looped(scope, counter, 1);
        out.push(match self.random.below(10) {
            0..=2 if scope.copies * limit.min(3) <= MOST_COPIES => {
                let limit = limit.min(3);
                let inner = Self::looped(scope, counter, limit);
                Stmt::For(Hint::Unroll, counter, Expr::Const(limit), self.list(&inner, 8))
            }
            0..=4 => {
                let bound = if self.random.chance(50) {
                    Expr::Const(limit)
                } else {
                    let few = Expr::Binary(Binary::And, Box::new(self.leaf(scope)), Box::new(Expr::Const(3)));
                    Expr::Binary(Binary::Add, Box::new(few), Box::new(Expr::Const(self.random.below(3))))
                };
                let hint = self.random.pick(&[Hint::None, Hint::Loop]);
                Stmt::For(hint, counter, bound, self.list(&rolled, 8))
            }
            5..=6 => Stmt::While(counter, limit, self.again(scope, counter, limit), self.list(&rolled, 8)),
            7 => Stmt::DoWhile(counter, limit, self.again(&rolled, counter, limit), self.list(&rolled, 8)),
            _ => {
                let mut body = self.list(&rolled, 8);
                let leave = self.cond(&rolled, 1);
                let at = self.random.below(body.len() as u32 + 1) as usize;
                // If the list ends with an exit, the statement goes before it.
                let at = if matches!(body.last(), Some(Stmt::Break | Stmt::Continue | Stmt::Return)) {
                    at.min(body.len() - 1)
                } else {
                    at
                };
                let then =
                    if self.random.chance(50) { vec![self.simple(&rolled), Stmt::Break] } else { vec![Stmt::Break] };
                body.insert(at, Stmt::If(Hint::None, leave, then, Vec::new()));
                Stmt::Endless(counter, limit + 1, body)
            }
        });
    }

    /// Two nested loops. The inner one leaves both through a flag.
    fn leave_two(&mut self, scope: &Scope, out: &mut Vec<Stmt>) {
        let (flag, outer, inner) = (self.counter(), self.counter(), self.counter());
        out.push(Stmt::Declare(flag, Expr::Const(0)));
        let mut around = Self::looped(scope, outer, 1);
        around.counters.push(flag);
        let within = Self::looped(&around, inner, 1);
        let mut body = self.list(&Scope { depth: scope.depth + 1, ..within.clone() }, 0);
        let leave =
            Stmt::If(Hint::None, self.cond(&within, 1), vec![Stmt::Set(flag, Expr::Const(1)), Stmt::Break], Vec::new());
        body.insert(self.random.below(body.len() as u32 + 1) as usize, leave);
        let (few, some) = (2 + self.random.below(2), 2 + self.random.below(3));
        let mut rounds = vec![Stmt::For(Hint::None, inner, Expr::Const(some), body)];
        let left = Cond::Compare(Compare::Ne, Expr::Counter(flag), Expr::Const(0));
        rounds.push(Stmt::If(Hint::None, left, vec![Stmt::Break], Vec::new()));
        rounds.push(self.simple(&around));
        out.push(Stmt::For(Hint::None, outer, Expr::Const(few), rounds));
    }

    fn switch(&mut self, scope: &Scope) -> Stmt {
        let mut inner = scope.clone();
        inner.breakable = true;
        let count = 2 + self.random.below(4);
        let wide = self.random.chance(15);
        let mut labels: Vec<_> = (0..count).map(|n| Label::Case(if wide { n * 0x1000 + 5 } else { n })).collect();
        if self.random.chance(70) {
            labels.insert(self.random.below(count + 1) as usize, Label::Default);
        }
        let mut arms: Vec<(Vec<Label>, Vec<Stmt>)> = Vec::new();
        let mut shared = Vec::new();
        let last = labels.len() - 1;
        for (index, label) in labels.into_iter().enumerate() {
            shared.push(label);
            // HLSL allows fall-through from empty cases only.
            if index == last || self.random.chance(75) {
                let body = self.list(&inner, 30);
                arms.push((std::mem::take(&mut shared), body));
            }
        }
        let mask = if count > 4 { 7 } else { 3 };
        let mut e = Expr::Binary(Binary::And, Box::new(self.leaf(scope)), Box::new(Expr::Const(mask)));
        if wide {
            e = Expr::Binary(Binary::Mul, Box::new(e), Box::new(Expr::Const(0x1000)));
            e = Expr::Binary(Binary::Add, Box::new(e), Box::new(Expr::Const(5)));
        }
        Stmt::Switch(e, arms)
    }

    fn leaf(&mut self, scope: &Scope) -> Expr {
        match self.random.below(10) {
            0..=1 if !scope.counters.is_empty() => Expr::Counter(self.random.pick(&scope.counters)),
            2 => Expr::Shr(Box::new(Expr::Input(self.random.below(INPUTS as u32) as usize)), self.random.below(29)),
            3 if self.tangled => Expr::Lane,
            _ => Expr::Var(self.variable()),
        }
    }

    fn expr(&mut self, scope: &Scope, depth: u32) -> Expr {
        if depth == 0 || self.random.chance(35) {
            return self.leaf(scope);
        }
        let op = self.random.pick(&[
            Binary::Add,
            Binary::Add,
            Binary::Sub,
            Binary::Mul,
            Binary::Xor,
            Binary::And,
            Binary::Or,
            Binary::Min,
            Binary::Max,
        ]);
        let other =
            if self.random.chance(40) { Expr::Const(self.random.below(40)) } else { self.expr(scope, depth - 1) };
        Expr::Binary(op, Box::new(self.expr(scope, depth - 1)), Box::new(other))
    }

    fn cond(&mut self, scope: &Scope, depth: u32) -> Cond {
        match self.random.below(10) {
            0 if depth > 0 => Cond::Not(Box::new(self.cond(scope, depth - 1))),
            1 if depth > 0 => Cond::And(Box::new(self.cond(scope, depth - 1)), Box::new(self.cond(scope, depth - 1))),
            2 if depth > 0 => Cond::Or(Box::new(self.cond(scope, depth - 1)), Box::new(self.cond(scope, depth - 1))),
            3 => Cond::Compare(Compare::Lt, self.leaf(scope), self.leaf(scope)),
            4..=5 if !scope.counters.is_empty() => {
                let counter = Expr::Counter(self.random.pick(&scope.counters));
                let few = Expr::Binary(Binary::And, Box::new(self.leaf(scope)), Box::new(Expr::Const(3)));
                Cond::Compare(self.random.pick(&[Compare::Eq, Compare::Lt, Compare::Ge]), counter, few)
            }
            _ => {
                let mask = self.random.pick(&[1, 3, 3, 7]);
                let few = Expr::Binary(Binary::And, Box::new(self.leaf(scope)), Box::new(Expr::Const(mask)));
                let op = self.random.pick(&[Compare::Eq, Compare::Ne, Compare::Lt, Compare::Ge]);
                Cond::Compare(
                    op,
                    few,
                    Expr::Const(self.random.below(mask) + u32::from(matches!(op, Compare::Lt | Compare::Ge))),
                )
            }
        }
    }
}
