//! What the translator makes of compiled programs, counted for a summary.

use dxil_translator::structure::{Options, structure};
use dxil_translator::{Shader, lower};

/// Counts over compiled programs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Survey {
    /// Containers that were read and structured.
    pub modules: usize,
    /// Those with at least one selector: an exit that SPIR-V has no branch for.
    pub with_selectors: usize,
    /// Blocks of all entry points and functions.
    pub blocks: usize,
}

impl Survey {
    /// Counts one container. One that the translator refuses is not counted here: running it says why.
    pub fn add(&mut self, bytes: &[u8]) {
        let Ok(shader) = Shader::parse(bytes) else { return };
        for program in shader.programs() {
            let mut selectors = 0;
            for (_, function) in program.module.functions.iter() {
                if function.blocks.is_empty() {
                    continue;
                }
                let graph = lower::graph(&program.module, function);
                let Ok(structured) = structure(&graph, &Options::default()) else { return };
                self.blocks += function.blocks.len();
                selectors += structured.layout.selectors.len();
            }
            self.modules += 1;
            self.with_selectors += usize::from(selectors > 0);
        }
    }
}
