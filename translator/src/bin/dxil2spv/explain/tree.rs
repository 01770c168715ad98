//! The structured control flow: `dxil2spv --emit tree`, with the block of each line.

use dxil_base::entity::Entity as _;
use dxil_base::limits::Fuel;
use dxil_translator::analysis::program::Program;
use dxil_translator::ir::Block;
use dxil_translator::lower;

use super::line::Line;

/// The lines of all functions.
///
/// # Errors
/// `Limit` if the budget does not suffice.
pub fn lines(program: &Program, fuel: &Fuel) -> dxil_translator::Result<Vec<Line>> {
    let text = lower::tree_text(&program.module, fuel)?;
    let mut functions = program.module.functions.keys();
    let mut func = None;
    let line = |text: &str| {
        if text.starts_with("function ") {
            func = functions.next();
            return Line { heading: true, ..Line::new(text) };
        }
        // A statement names its block last.
        let block = text.rsplit(' ').next().and_then(|word| word.strip_prefix('b')?.parse().ok());
        Line { block: func.zip(block.map(Block::new)), ..Line::new(text) }
    };
    Ok(text.lines().map(line).collect())
}
