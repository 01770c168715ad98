//! The files of the source.

use dxil_base::entity::Entity as _;
use dxil_translator::analysis::program::Program;

use super::line::{Line, source_id};

/// The lines of all files that the container has, each file after its name.
pub fn lines(program: &Program) -> Vec<Line> {
    let mut lines = Vec::new();
    for (id, file) in program.module.debug.iter().flat_map(|info| info.files.iter()) {
        lines.push(Line { heading: true, ..Line::new(&*file.name) });
        match &file.text {
            None => {
                lines.push(Line { heading: true, ..Line::new("The container does not have the text of this file.") })
            }
            Some(text) => {
                let numbered = (1..).zip(text.lines());
                lines.extend(
                    numbered
                        .map(|(number, text)| Line { id: Some(source_id((id.index(), number))), ..Line::new(text) }),
                );
            }
        }
    }
    lines
}
