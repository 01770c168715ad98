//! Writes a program as HLSL, with the directives of a fixture on top, so that `dxil-run-fixture`
//! can run it.

use std::fmt::Write;

use crate::ast::{Binary, Compare, Cond, Expr, Hint, Label, PARAMETERS, Program, Stmt, VARIABLES, Vote, Wave};
use crate::{GROUP, GROUPS, INPUTS, OUTPUTS, THREADS, TRACES};

/// The program's HLSL.
#[must_use]
pub fn hlsl(program: &Program) -> String {
    let mut out = String::new();
    let all = THREADS * 4;
    let (input, output, seed) = (all * INPUTS, all * OUTPUTS, program.seed);
    let (stride, first, ring) = (OUTPUTS * 4, 32, TRACES - 1);
    let _ = write!(
        out,
        "//! stage cs_6_0 main
//! dispatch {GROUPS} 1 1
//! resource t0 raw_buffer {input} random_u32 {seed}
//! resource u0 raw_buffer {output} out zero
//! judge expect
ByteAddressBuffer src : register(t0);
RWByteAddressBuffer dst : register(u0);
static uint hash, traces, base;
static uint4 inputs;
void mark(uint site, uint value) {{ hash = (hash ^ (value + site)) * 16777619u; }}
void trace(uint site, uint value) {{ dst.Store2(base + {first} + (traces & {ring}) * 8, uint2(site, value)); ++traces; }}
"
    );
    if program.functions.iter().any(|function| function.noinline) {
        // DXC has no SPIR-V for functions with the attribute `noinline`.
        out.push_str("#ifdef SPIRV\n#define NOINLINE\n#else\n#define NOINLINE [noinline]\n#endif\n");
    }
    let finish = "dst.Store2(base, uint2(hash, traces)); dst.Store4(base + 8, uint4(v0, v1, v2, v3));";
    for (index, function) in program.functions.iter().enumerate() {
        let parameters: Vec<_> = (0..PARAMETERS).map(|n| format!("uint v{n}")).collect();
        let attribute = if function.noinline { "NOINLINE " } else { "" };
        let _ = writeln!(out, "\n{attribute}uint f{index}({}) {{", parameters.join(", "));
        let locals: Vec<_> = (PARAMETERS..VARIABLES).map(|n| format!("v{n} = v{}", n - PARAMETERS)).collect();
        let _ = writeln!(out, "    uint {};", locals.join(", "));
        Printer { out: &mut out, leave: "return v0;", depth: 1 }.list(&function.body);
        out.push_str("    return v0;\n}\n");
    }
    // `traces` does not start at zero: DXC 1.6 at -Od removes a store of zero to a static as
    // redundant with the initial value, and then loses the initial value as well.
    let begin = format!(
        "hash = 2166136261u; traces = {TRACES}; base = id * {stride}; inputs = src.Load4(id * {});",
        INPUTS * 4
    );
    let locals = "uint v0 = inputs.x, v1 = inputs.y, v2 = inputs.z, v3 = inputs.w;";
    let leave = format!("{finish} return;");
    if program.joined {
        let _ = writeln!(out, "\nvoid body(inout uint v0, inout uint v1, inout uint v2, inout uint v3) {{");
        Printer { out: &mut out, leave: "return;", depth: 1 }.list(&program.body);
        out.push_str("}\n");
    }
    let _ = writeln!(
        out,
        "\n[numthreads({GROUP}, 1, 1)]\nvoid main(uint id : SV_DispatchThreadID) {{\n    {begin}\n    {locals}"
    );
    if program.joined {
        out.push_str("    body(v0, v1, v2, v3);\n");
    } else {
        Printer { out: &mut out, leave: &leave, depth: 1 }.list(&program.body);
    }
    let _ = writeln!(out, "    {finish}\n}}");
    out
}

struct Printer<'p> {
    out: &'p mut String,
    /// The statement that leaves the function.
    leave: &'p str,
    depth: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:1$}{text}", "", self.depth * 4);
    }

    fn within(&mut self, list: &[Stmt]) {
        self.depth += 1;
        self.list(list);
        self.depth -= 1;
    }

    fn list(&mut self, list: &[Stmt]) {
        list.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Assign(var, e) => self.line(&format!("v{var} = {};", expr(e))),
            Stmt::Declare(counter, e) => self.line(&format!("uint c{counter} = {};", expr(e))),
            Stmt::Set(counter, e) => self.line(&format!("c{counter} = {};", expr(e))),
            Stmt::Mark(site, e) => self.line(&format!("mark({site}, {});", expr(e))),
            Stmt::Trace(site, e) => self.line(&format!("trace({site}, {});", expr(e))),
            Stmt::Wave(site, var, op, e) => {
                self.line(&format!("v{var} = {}; trace({site}, v{var});", wave(*op, &expr(e))))
            }
            Stmt::If(hint, c, then, other) => {
                self.line(&format!("{}if ({}) {{", attribute(*hint), cond(c)));
                self.within(then);
                if !other.is_empty() {
                    self.line("} else {");
                    self.within(other);
                }
                self.line("}");
            }
            Stmt::For(hint, counter, bound, body) => {
                let head = format!("for (uint c{counter} = 0; c{counter} < {}; ++c{counter}) {{", expr(bound));
                self.line(&format!("{}{head}", attribute(*hint)));
                self.within(body);
                self.line("}");
            }
            Stmt::While(counter, limit, c, body) => {
                self.line(&format!("uint c{counter} = 0;"));
                self.line(&format!("while ({}) {{", limited(*counter, *limit, c)));
                self.line(&format!("    ++c{counter};"));
                self.within(body);
                self.line("}");
            }
            Stmt::DoWhile(counter, limit, c, body) => {
                self.line(&format!("uint c{counter} = 0;"));
                self.line("do {");
                self.line(&format!("    ++c{counter};"));
                self.within(body);
                self.line(&format!("}} while ({});", limited(*counter, *limit, c)));
            }
            Stmt::Endless(counter, limit, body) => {
                self.line(&format!("uint c{counter} = 0;"));
                self.line("for (;;) {");
                self.line(&format!("    if (++c{counter} > {limit}) break;"));
                self.within(body);
                self.line("}");
            }
            Stmt::Switch(e, arms) => {
                self.line(&format!("switch ({}) {{", expr(e)));
                for (labels, body) in arms {
                    let labels: Vec<_> = labels
                        .iter()
                        .map(|label| match label {
                            Label::Case(n) => format!("case {n}:"),
                            Label::Default => "default:".into(),
                        })
                        .collect();
                    // The braces are needed because a case must not jump over a declaration.
                    self.line(&format!("{} {{", labels.join(" ")));
                    self.within(body);
                    if !body.last().is_some_and(|last| matches!(last, Stmt::Break | Stmt::Continue | Stmt::Return)) {
                        self.line("    break;");
                    }
                    self.line("}");
                }
                self.line("}");
            }
            Stmt::Break => self.line("break;"),
            Stmt::Continue => self.line("continue;"),
            Stmt::Return => self.line(self.leave.to_owned().as_str()),
            Stmt::Call(var, callee, a, b) => self.line(&format!("v{var} = f{callee}({}, {});", expr(a), expr(b))),
        }
    }
}

/// The condition of a loop with its limit. The operand of a vote has the limit already.
fn limited(counter: usize, limit: u32, c: &Cond) -> String {
    if c.is_wave() { cond(c) } else { format!("c{counter} < {limit} && {}", cond(c)) }
}

fn attribute(hint: Hint) -> &'static str {
    match hint {
        Hint::None => "",
        Hint::Unroll => "[unroll] ",
        Hint::Loop => "[loop] ",
        Hint::Branch => "[branch] ",
        Hint::Flatten => "[flatten] ",
    }
}

fn expr(e: &Expr) -> String {
    match e {
        Expr::Const(n) => format!("{n}u"),
        Expr::Var(n) => format!("v{n}"),
        Expr::Counter(n) => format!("c{n}"),
        Expr::Input(n) => format!("inputs[{n}]"),
        Expr::Lane => "WaveGetLaneIndex()".into(),
        Expr::Shr(e, by) => format!("({} >> {by})", expr(e)),
        Expr::Binary(op, a, b) => {
            let (a, b) = (expr(a), expr(b));
            match op {
                Binary::Add => format!("({a} + {b})"),
                Binary::Sub => format!("({a} - {b})"),
                Binary::Mul => format!("({a} * {b})"),
                Binary::And => format!("({a} & {b})"),
                Binary::Or => format!("({a} | {b})"),
                Binary::Xor => format!("({a} ^ {b})"),
                Binary::Min => format!("min({a}, {b})"),
                Binary::Max => format!("max({a}, {b})"),
            }
        }
    }
}

fn cond(c: &Cond) -> String {
    match c {
        Cond::Compare(op, a, b) => {
            let op = match op {
                Compare::Eq => "==",
                Compare::Ne => "!=",
                Compare::Lt => "<",
                Compare::Ge => ">=",
            };
            format!("({} {op} {})", expr(a), expr(b))
        }
        Cond::Not(c) => format!("!{}", cond(c)),
        Cond::And(a, b) => format!("({} && {})", cond(a), cond(b)),
        Cond::Or(a, b) => format!("({} || {})", cond(a), cond(b)),
        Cond::Vote(Vote::Any, c) => format!("WaveActiveAnyTrue({})", cond(c)),
        Cond::Vote(Vote::All, c) => format!("WaveActiveAllTrue({})", cond(c)),
        Cond::First => "WaveIsFirstLane()".into(),
    }
}

fn wave(op: Wave, e: &str) -> String {
    match op {
        Wave::Sum => format!("WaveActiveSum({e})"),
        Wave::Min => format!("WaveActiveMin({e})"),
        Wave::Max => format!("WaveActiveMax({e})"),
        Wave::And => format!("WaveActiveBitAnd({e})"),
        Wave::Or => format!("WaveActiveBitOr({e})"),
        Wave::Xor => format!("WaveActiveBitXor({e})"),
        Wave::Count => format!("WaveActiveCountBits(({e} & 1u) != 0u)"),
        Wave::Ballot => format!("WaveActiveBallot(({e} & 1u) != 0u).x"),
        Wave::ReadFirst => format!("WaveReadLaneFirst({e})"),
        Wave::PrefixSum => format!("WavePrefixSum({e})"),
        Wave::PrefixCount => format!("WavePrefixCountBits(({e} & 1u) != 0u)"),
    }
}

/// The digest of a program's HLSL, by which the repository says of what its containers were
/// compiled.
#[must_use]
pub fn digest(program: &Program) -> String {
    blake3::hash(hlsl(program).as_bytes()).to_hex().as_str()[..32].to_owned()
}
