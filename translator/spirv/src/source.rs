//! Places and variables of the source that a module was compiled from.
//!
//! Two forms exist. `OpLine` and `OpSource` are SPIR-V's own, and have files, texts and lines.
//! `NonSemantic.Shader.DebugInfo.100` also has scopes, inlined calls, types and variables; all its
//! operands are ids. Neither changes what the code computes.
//!
//! A line is set before the instructions that it belongs to ([`Module::set_line`]), and written
//! before the first of them, because it must not stand between the phis of a block, nor between a
//! merge instruction and its branch.

use rspirv::spirv::{NonsemanticShaderDebuginfo100Op as DebugOp, Op, SourceLanguage};

use super::lines::Line;
use super::module::Module;
use super::words::{Id, Operands, TEXT_BYTES, cut, instruction, string_instruction};

impl Module<'_> {
    /// OpString. Each call writes another one. A text is cut at a NUL, and at what an instruction
    /// can hold.
    pub fn string(&mut self, text: &str) -> Id {
        let id = self.fresh();
        string_instruction(&mut self.lines.strings, Op::String, &[id.word()], cut(text, TEXT_BYTES), ());
        id
    }

    /// OpSource for HLSL, with the text if there is one.
    pub fn source(&mut self, file: Id, text: Option<&str>) {
        /// Of HLSL's versions none is meant.
        const VERSION: u32 = 0;
        let head = [SourceLanguage::HLSL as u32, VERSION, file.word()];
        let mut pieces = pieces(text.unwrap_or_default());
        match pieces.next() {
            Some(first) => string_instruction(&mut self.lines.sources, Op::Source, &head, first, ()),
            None => instruction(&mut self.lines.sources, [Op::Source as u32, head[0], head[1], head[2]], ()),
        }
        for piece in pieces {
            string_instruction(&mut self.lines.sources, Op::SourceContinued, &[], piece, ());
        }
    }

    /// Whether instructions of `NonSemantic.Shader.DebugInfo.100` may be written. Imports the set.
    pub fn use_debug_info(&mut self) -> bool {
        if self.lines.set.is_none() && self.caps.use_non_semantic_info() {
            self.lines.set = Some(self.ext_inst_import("NonSemantic.Shader.DebugInfo.100"));
        }
        self.lines.set.is_some()
    }

    /// An instruction of the set outside of functions.
    pub fn debug_info(&mut self, op: DebugOp, operands: impl Operands) -> Id {
        let (ty, id) = (self.type_void(), self.fresh());
        let head = self.debug_head(op, ty, id);
        instruction(&mut self.globals, head, operands);
        id
    }

    fn debug_head(&mut self, op: DebugOp, ty: Id, id: Id) -> [u32; 5] {
        let Some(set) = self.lines.set else {
            self.fault("debug information is written before its instruction set is imported");
            return [0; 5];
        };
        [Op::ExtInst as u32, ty.word(), id.word(), set.word(), op as u32]
    }

    /// DebugSource, with the text if there is one.
    pub fn debug_source(&mut self, name: &str, text: Option<&str>) -> Id {
        let mut operands = vec![self.string(name)];
        let mut pieces = pieces(text.unwrap_or_default());
        operands.extend(pieces.next().map(|first| self.string(first)));
        let source = self.debug_info(DebugOp::DebugSource, &operands);
        for piece in pieces {
            let piece = self.string(piece);
            self.debug_info(DebugOp::DebugSourceContinued, &[piece]);
        }
        source
    }

    /// Sets the place of the instructions that follow, in all blocks.
    pub fn set_line(&mut self, line: Line) {
        self.lines.wanted = Some(line);
        self.line_is_due = self.lines.wanted != self.lines.written;
    }

    /// Begins a block or function, in which no line is written yet.
    pub(super) fn begin_lines(&mut self) {
        self.lines.written = None;
        self.line_is_due = self.lines.wanted.is_some();
    }

    /// Ends a function. The next one begins without a line.
    pub(super) fn end_lines(&mut self) {
        self.lines.wanted = None;
        self.begin_lines();
    }

    /// Writes the line that is due.
    #[cold]
    #[inline(never)]
    pub(super) fn write_line(&mut self) {
        self.line_is_due = false;
        let Some(wanted) = self.lines.wanted else { return };
        match (wanted, self.lines.written.replace(wanted)) {
            (Line::Plain { file, line, column }, _) => {
                instruction(&mut self.code, [Op::Line as u32, file.word(), line, column], ());
            }
            (Line::Scoped { scope, inlined, line: [source, line, column] }, written) => {
                if !matches!(written, Some(Line::Scoped { scope: s, inlined: i, .. }) if (s, i) == (scope, inlined)) {
                    self.debug_code(DebugOp::DebugScope, (&[scope], inlined.as_slice()));
                }
                self.debug_code(DebugOp::DebugLine, &[source, line, line, column, column]);
            }
        }
    }

    pub(super) fn debug_code(&mut self, op: DebugOp, operands: impl Operands) {
        let (ty, id) = (self.type_void(), self.fresh());
        let head = self.debug_head(op, ty, id);
        instruction(&mut self.code, head, operands);
    }
}

/// A text in pieces that fit into an instruction each. SPIR-V's strings cannot have a NUL.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.split('\0').next().unwrap_or_default();
    std::iter::from_fn(move || {
        let piece = cut(rest, TEXT_BYTES);
        rest = rest.get(piece.len()..).unwrap_or_default();
        (!piece.is_empty()).then_some(piece)
    })
}
