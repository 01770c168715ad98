//! Programs as HLSL: a function for each, instead of data that a shader interprets.

use std::fmt::Write as _;

use crate::Program;

/// How a shader reads the attributes of a candidate, by their numbers in programs from 1 on.
const ATTRIBUTES: [&str; 8] = [
    "(uint)Q.CandidateType()",
    "Q.CandidateInstanceIndex()",
    "Q.CandidateInstanceID()",
    "Q.CandidateInstanceContributionToHitGroupIndex()",
    "Q.CandidateGeometryIndex()",
    "Q.CandidatePrimitiveIndex()",
    "(!box && Q.CandidateTriangleFrontFace() ? 1u : 0u)",
    "(box && Q.CandidateProceduralPrimitiveNonOpaque() ? 1u : 0u)",
];

/// Code as an expression.
fn expression(code: &[u32]) -> String {
    let mut stack: Vec<String> = Vec::new();
    for &word in code {
        let number = (word & 0xff) as usize;
        let text = match number {
            0 => format!("{}u", word >> 8),
            1..=8 => ATTRIBUTES[number - 1].to_owned(),
            15 => format!("({} == 0 ? 1u : 0u)", stack.pop().unwrap_or_default()),
            _ => {
                let (b, a) = (stack.pop().unwrap_or_default(), stack.pop().unwrap_or_default());
                match ["&", "|", "^", "+", "==", "<"][number - 9] {
                    operator @ ("==" | "<") => format!("({a} {operator} {b} ? 1u : 0u)"),
                    operator => format!("({a} {operator} {b})"),
                }
            }
        };
        stack.push(text);
    }
    stack.pop().unwrap_or_default()
}

/// A shader whose thread n runs program n.
#[must_use]
pub fn hlsl(programs: &[Program]) -> String {
    let mut text = String::from("#define PARTS\n#include \"programs.hlsl\"\n\n");
    let mut cases = String::new();
    for (n, program) in programs.iter().enumerate() {
        for (name, code) in [("COMMITS", &program.commits), ("ABORTS", &program.aborts)] {
            let _ = writeln!(text, "#define {name}_{n}(Q, P, RESULT) RESULT = {} != 0;", expression(code));
        }
        let _ = writeln!(
            text,
            "void program_{n}() {{\n    RayQuery<{:#x}> query;\n    TRACE(query, {n})\n    uint seen = 0;\n    while \
             (query.Proceed())\n        CANDIDATE(query, {n}, seen, COMMITS_{n}, ABORTS_{n})\n    FINISH(query, {n}, \
             seen)\n}}",
            program.all_flags()
        );
        let _ = writeln!(cases, "    case {n}: program_{n}(); break;");
    }
    let _ = write!(
        text,
        "\n[numthreads({}, 1, 1)]\nvoid main(uint i : SV_DispatchThreadID) {{\n    switch (i) {{\n{cases}    }}\n}}\n",
        programs.len()
    );
    text
}
