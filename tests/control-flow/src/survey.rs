//! What the translator makes of compiled programs, counted for a summary.

use dxil_translator::Shader;
use dxil_translator::internals::lower;
use dxil_translator::internals::structure::{Options, structure};

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
        let module = &shader.program().module;
        let mut selectors = 0;
        for function in module.functions.values().filter(|function| !function.blocks.is_empty()) {
            let Ok(structured) = structure(&lower::graph(module, function), &Options::default()) else { return };
            self.blocks += function.blocks.len();
            selectors += structured.layout.selectors.len();
        }
        self.modules += 1;
        self.with_selectors += usize::from(selectors > 0);
    }
}
