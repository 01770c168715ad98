//! Writes `docs/ops.md`: the list of operations, what the translation makes of each, and the
//! fixtures that execute it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::{Lowering, OpCode, Overload, ScalarKind};

/// The fixtures that execute each operation, by the letter of the overload. An operation without
/// overloads has the letter `v`.
pub type Executed = BTreeMap<(OpCode, char), BTreeSet<String>>;

/// The maximum number of fixtures that a row names.
const NAMED: usize = 3;

/// Overloads in DXIL's own tables that lowered operations refuse because no valid program has them,
/// each with the reason.
const REFUSED: &[(OpCode, char, &str)] =
    &[(OpCode::TextureGatherCmp, 'w', COMPARED), (OpCode::TextureGatherCmp, 'i', COMPARED)];
const COMPARED: &str =
    "formats of integers do not support comparison (D3D11.3 functional specification, format support)";

/// The letters of an operation's scalar overloads in DXIL's own tables, without i8: only immediates
/// have that type (DXIL.rst, validation rule TYPES.I8), and the verifier refuses it.
fn letters(op: OpCode) -> Vec<char> {
    use ScalarKind as K;
    let kinds =
        [(K::F16, 'h'), (K::F32, 'f'), (K::F64, 'd'), (K::I1, '1'), (K::I16, 'w'), (K::I32, 'i'), (K::I64, 'l')];
    let overloads = op.info().overloads;
    let mut letters: Vec<char> = kinds
        .iter()
        .filter(|(kind, _)| overloads.contains(Overload::Scalar(*kind)))
        .map(|&(_, letter)| letter)
        .collect();
    if overloads.contains(Overload::Void) {
        letters.push('v');
    }
    letters
}

/// The pairs of a lowered operation and one of its overloads that no fixture executes.
pub fn without_fixture(executed: &Executed) -> Vec<(OpCode, char)> {
    let lowered = OpCode::all().filter(|op| op.info().lowering.is_done());
    lowered
        .flat_map(|op| letters(op).into_iter().map(move |letter| (op, letter)))
        .filter(|pair| !executed.contains_key(pair) && !REFUSED.iter().any(|&(op, letter, _)| *pair == (op, letter)))
        .collect()
}

fn named(executed: &Executed, op: OpCode) -> String {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for (_, fixtures) in executed.range((op, char::MIN)..=(op, char::MAX)) {
        names.extend(fixtures.iter().map(String::as_str));
    }
    names.into_iter().take(NAMED).collect::<Vec<_>>().join(", ")
}

/// The text of `docs/ops.md`. `unrun` are the fixtures that no driver of the tests can run, by
/// operation and overload.
pub fn coverage_markdown(executed: &Executed, unrun: &Executed) -> String {
    let mut groups: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let (mut done, mut refused, mut all) = (0, 0, 0);
    for op in OpCode::all().filter(|op| !op.is_vendors()) {
        let lowered = usize::from(op.info().lowering.is_done());
        let (group_done, group_all) = groups.entry(op.info().group).or_default();
        *group_done += lowered;
        *group_all += 1;
        done += lowered;
        refused += usize::from(matches!(op.info().lowering, Lowering::Refused(_)));
        all += 1;
    }
    let mut text = format!(
        "# DXIL operations\n\n\
         `BLESS=1 cargo test -p dxil-translator --test integration ops_doc` writes this document from the table in\n\
         `translator/src/ops/table.rs`.\n\n\
         {done} of {all} operations are lowered. A shader that uses another one is refused, and the error names\n\
         the operation. Vulkan has no form of {refused} of the others, for which\n\
         [differences.md](differences.md#not-supported) has the reason.\n\n\
         | group | lowered | of |\n|---|---:|---:|\n"
    );
    for (group, (done, all)) in &groups {
        _ = writeln!(text, "| {group} | {done} | {all} |");
    }
    text.push_str(
        "\nThe column \"becomes\" says what the translation makes of the operation: one SPIR-V instruction\n\
         (`OpX`), one instruction of GLSL.std.450 (`GLSL X`), one built-in variable (`BuiltIn X`), a\n\
         function of `translator/src/lower` (`file::function`), other operations that a pass writes\n\
         (`pass X`), nothing because Vulkan has no form of it (`refused`), or nothing yet (`todo`). The\n\
         operations of the group `vendor` have no opcode: passes write them for vendor intrinsics and for\n\
         rays with a reordering. The column \"executed by\" lists the first three fixtures of\n\
         `tests/fixtures`, in alphabetical order, that execute the operation.\n\n\
         | opcode | operation | group | shader model | stages | becomes | executed by |\n|---:|---|---|---|---|---|---|\n",
    );
    for op in OpCode::all() {
        let info = op.info();
        let (major, minor) = info.shader_model;
        let number = if op.is_vendors() { "–".to_owned() } else { (op as u32).to_string() };
        _ = writeln!(
            text,
            "| {number} | {} | {} | {major}.{minor} | {} | {} | {} |",
            info.name,
            info.group,
            info.stages,
            info.lowering,
            named(executed, op)
        );
    }
    text.push_str(
        "\n## Refused overloads\n\
         DXIL's table gives lowered operations these overloads, but no valid program uses them. A shader\n\
         that does is refused, and the error names the operation.\n\n\
         - i8 of every operation: only immediates have that type (DXIL.rst, validation rule TYPES.I8)\n",
    );
    for (op, letter, why) in REFUSED {
        _ = writeln!(text, "- {} {letter}: {why}", op.info().name);
    }
    text.push_str(
        "\n## Lowered but not executed\n\
         These overloads of lowered operations are not executed by any fixture. The letter `v` stands for an\n\
         operation without overloads.\n\n",
    );
    for (op, letter) in without_fixture(executed) {
        let written = unrun.get(&(op, letter)).into_iter().flatten().cloned().collect::<Vec<_>>().join(", ");
        let drivers =
            if written.is_empty() { String::new() } else { format!(": no driver of the tests runs {written}") };
        _ = writeln!(text, "- {} {letter}{drivers}", op.info().name);
    }
    text
}
