//! `docs/ops.md`: which operations there are, and what each becomes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Home, OpCode};

/// The text of `docs/ops.md`.
pub fn coverage_markdown() -> String {
    let mut groups: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let (mut done, mut all) = (0, 0);
    for op in OpCode::all() {
        let lowered = usize::from(op.info().home != Home::Todo);
        let (group_done, group_all) = groups.entry(op.info().group).or_default();
        *group_done += lowered;
        *group_all += 1;
        done += lowered;
        all += 1;
    }
    let mut text = format!(
        "# DXIL operations\n\n\
         Written by `BLESS=1 cargo test -p dxil-translator --test ops_doc` from the table in `translator/src/dxil/ops.rs`.\n\n\
         {done} of {all} operations are lowered. The others are refused by name.\n\n\
         | group | lowered | of |\n|---|---:|---:|\n"
    );
    for (group, (done, all)) in &groups {
        _ = writeln!(text, "| {group} | {done} | {all} |");
    }
    text.push_str(
        "\n\"Becomes\" is one SPIR-V instruction (`OpX`), one instruction of GLSL.std.450 (`GLSL X`), one built-in variable \
         (`BuiltIn X`), a function of `translator/src/lower` (`group::function`), or `todo`.\n\n\
         | opcode | operation | group | shader model | stages | becomes |\n|---:|---|---|---|---|---|\n",
    );
    for op in OpCode::all() {
        let info = op.info();
        let (number, (major, minor)) = (op as u32, info.shader_model);
        _ = writeln!(
            text,
            "| {number} | {} | {} | {major}.{minor} | {} | {} |",
            info.name, info.group, info.stages, info.home
        );
    }
    text
}
