//! Statistics on how the translator structures compiled programs, for a summary.

use dxil_structure::{Options, structure};
use dxil_translator::Shader;
use dxil_translator::lower;

/// Counts over compiled programs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Survey {
    /// The number of containers that were read and structured.
    pub modules: usize,
    /// How many of them have a selector, that is, a variable that carries an exit for which SPIR-V
    /// has no branch.
    pub with_selectors: usize,
    /// The number of basic blocks in all entry points and functions.
    pub blocks: usize,
}

impl Survey {
    /// Counts one container. A container that the translator refuses is not counted; the run of the
    /// same container reports the reason.
    pub fn add(&mut self, bytes: &[u8]) {
        let Ok(shader) = Shader::parse(bytes) else { return };
        let module = &shader.program().module;
        let mut selectors = 0;
        for function in module.functions.values().filter(|function| !function.blocks.is_empty()) {
            let Ok(structured) = structure(&lower::graph(module, function, true), &Options::default()) else { return };
            self.blocks += function.blocks.len();
            selectors += structured.layout.selectors.len();
        }
        self.modules += 1;
        self.with_selectors += usize::from(selectors > 0);
    }
}
