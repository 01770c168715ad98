//! The files of the source.

use dxil_base::entity::Entity as _;
use dxil_translator::Shader;
use dxil_translator::analysis::program::Program;

use super::line::{Line, source_id};

/// The lines of all files that the container or its PDB has, each file after its name.
pub fn lines(shader: &Shader, program: &Program) -> Vec<Line> {
    let mut lines = Vec::new();
    let Some(info) = &program.module.debug else {
        for (index, file) in shader.source_files().iter().enumerate() {
            add(&mut lines, index, &file.name, Some(&file.text));
        }
        return lines;
    };
    for (id, file) in info.files.iter() {
        add(&mut lines, id.index(), &file.name, file.text.as_deref());
    }
    lines
}

fn add(lines: &mut Vec<Line>, index: usize, name: &str, text: Option<&str>) {
    lines.push(Line { heading: true, ..Line::new(name) });
    let Some(text) = text else {
        return lines.push(Line { heading: true, ..Line::new("The container does not have the text of this file.") });
    };
    let numbered = (1..).zip(text.lines());
    lines.extend(numbered.map(|(number, text)| Line { id: Some(source_id((index, number))), ..Line::new(text) }));
}
