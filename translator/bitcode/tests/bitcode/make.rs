//! Makes modules for the tests, with a shared type table and some shared values.

use dxil_base::error::ErrorKind;
use dxil_bitcode as bitcode;
use dxil_bitcode::Module;

use dxil_test_support::bit_writer::BitWriter;

// Types of the shared table. 20 and 24 are pointers to the function types FN_INTS and FN_METADATA.
pub const VOID: u64 = 0;
pub const I1: u64 = 1;
pub const I8: u64 = 2;
pub const I32: u64 = 3;
pub const I64: u64 = 4;
pub const FLOAT: u64 = 5;
pub const I32_PTR: u64 = 6;
pub const FN_VOID: u64 = 7;
pub const I128: u64 = 8;
pub const VEC4: u64 = 9;
pub const ARRAY4: u64 = 10;
pub const PAIR: u64 = 11;
pub const FN_INTS: u64 = 12;
pub const METADATA: u64 = 13;
pub const LABEL: u64 = 14;
pub const HALF: u64 = 15;
pub const DOUBLE: u64 = 16;
pub const BYTES3: u64 = 17;
pub const IVEC4: u64 = 18;
pub const BVEC4: u64 = 19;
pub const ARRAY4_PTR: u64 = 21;
pub const FN_VOID_PTR: u64 = 22;
pub const FN_METADATA: u64 = 23;
pub const I128_PAIR: u64 = 25;

// Values of the shared module: a global, two functions, constants. The arguments of a body follow
// them.
pub const GLOBAL: u64 = 0;
pub const FUNCTION: u64 = 1;
pub const CALLEE: u64 = 2;
pub const ONE: u64 = 3;
pub const TWO: u64 = 4;
pub const FIVE64: u64 = 5;
pub const HALF_FLOAT: u64 = 6;
pub const TRUE: u64 = 7;
pub const FIRST_LOCAL: u64 = 8;

pub const MODULE_BLOCK: u64 = 8;
pub const PARAMATTR_BLOCK: u64 = 9;
pub const GROUP_BLOCK: u64 = 10;
pub const CONSTANTS_BLOCK: u64 = 11;
pub const FUNCTION_BLOCK: u64 = 12;
pub const IDENTIFICATION_BLOCK: u64 = 13;
pub const SYMTAB_BLOCK: u64 = 14;
pub const METADATA_BLOCK: u64 = 15;
pub const ATTACHMENT_BLOCK: u64 = 16;
pub const TYPE_BLOCK: u64 = 17;
pub const STRTAB_BLOCK: u64 = 23;

pub fn types(w: &mut BitWriter) {
    w.block(TYPE_BLOCK, 4, |w| {
        w.record(1, &[26]);
        w.record(2, &[]);
        w.record(7, &[1]);
        w.record(7, &[8]);
        w.record(7, &[32]);
        w.record(7, &[64]);
        w.record(3, &[]);
        w.record(8, &[I32, 0]);
        w.record(21, &[0, VOID]);
        w.record(7, &[128]);
        w.record(12, &[4, FLOAT]);
        w.record(11, &[4, I32]);
        w.record(18, &[0, I32, I1]);
        w.record(21, &[0, I32, I32, I32]);
        w.record(16, &[]);
        w.record(5, &[]);
        w.record(10, &[]);
        w.record(4, &[]);
        w.record(11, &[3, I8]);
        w.record(12, &[4, I32]);
        w.record(12, &[4, I1]);
        w.record(8, &[FN_INTS, 0]);
        w.record(8, &[ARRAY4, 0]);
        w.record(8, &[FN_VOID, 0]);
        w.record(21, &[0, VOID, METADATA]);
        w.record(8, &[FN_METADATA, 0]);
        w.record(18, &[1, I128, HALF]);
    });
}

/// Encodes a number with its sign in the lowest bit.
pub fn signed(n: i64) -> u64 {
    match n {
        i64::MIN => 1,
        n if n < 0 => n.unsigned_abs() << 1 | 1,
        n => (n as u64) << 1,
    }
}

/// A module of this version, with `content` in its module block.
pub fn raw_module(version: u64, content: impl FnOnce(&mut BitWriter)) -> Vec<u8> {
    let mut w = BitWriter::bitcode();
    w.block(MODULE_BLOCK, 3, |w| {
        w.record(1, &[version]);
        content(w);
    });
    w.finish()
}

/// The shared module, whose function has this type and body.
pub fn module(version: u64, ty: u64, more: impl FnOnce(&mut BitWriter), body: impl FnOnce(&mut Body<'_>)) -> Vec<u8> {
    raw_module(version, |w| {
        types(w);
        w.record(7, &[ARRAY4_PTR, 0, 0, 0, 3, 0]);
        w.record(8, &[ty, 0, 0, 0, 0, 0, 0]);
        w.record(8, &[FN_METADATA, 0, 1, 0, 0, 0, 0]);
        w.block(CONSTANTS_BLOCK, 4, |w| {
            w.record(1, &[I32]);
            w.record(4, &[signed(1)]);
            w.record(4, &[signed(2)]);
            w.record(1, &[I64]);
            w.record(4, &[signed(5)]);
            w.record(1, &[FLOAT]);
            w.record(6, &[0.5f32.to_bits().into()]);
            w.record(1, &[I1]);
            w.record(4, &[signed(1)]);
        });
        w.block(SYMTAB_BLOCK, 4, |w| {
            w.text_record(1, &[GLOBAL], "g");
            // This entry also has the offset of the body, which the reader does not need.
            w.text_record(3, &[FUNCTION, 99], "f");
            w.text_record(1, &[CALLEE], "callee");
        });
        more(w);
        w.block(FUNCTION_BLOCK, 4, |w| {
            let args = if ty == FN_INTS { 2 } else { 0 };
            let mut b = Body { w, next: FIRST_LOCAL + args, relative: version > 0 };
            body(&mut b);
        });
    })
}

/// Writes instructions and counts values.
pub struct Body<'w> {
    pub w: &'w mut BitWriter,
    pub next: u64,
    pub relative: bool,
}

impl Body<'_> {
    /// A value as an operand of the next instruction.
    pub fn v(&self, absolute: u64) -> u64 {
        if self.relative { u64::from((self.next as u32).wrapping_sub(absolute as u32)) } else { absolute }
    }
    /// A value as an operand of a phi, the next instruction.
    pub fn phi(&self, absolute: u64) -> u64 {
        if self.relative { signed(self.next as i64 - absolute as i64) } else { absolute }
    }
    /// Writes an instruction that defines a value. Returns the value's number.
    pub fn value(&mut self, code: u64, operands: &[u64]) -> u64 {
        self.w.record(code, operands);
        self.next += 1;
        self.next - 1
    }
    /// Writes an instruction that defines no value.
    pub fn act(&mut self, code: u64, operands: &[u64]) {
        self.w.record(code, operands);
    }
}

pub fn read(bytes: &[u8]) -> Module {
    bitcode::read(bytes).unwrap_or_else(|e| panic!("{e}"))
}

/// The lines of the first function's body, without indentation.
pub fn body_lines(module: &Module) -> Vec<String> {
    let text = module.to_string();
    let lines = text.lines().skip_while(|l| !l.starts_with("define")).skip(1).take_while(|l| *l != "}");
    lines.map(|l| l.trim().to_owned()).collect()
}

/// Checks that the text form has the line.
pub fn has_line(module: &Module, line: &str) {
    let text = module.to_string();
    assert!(text.lines().any(|l| l == line), "no line {line:?} in\n{text}");
}

/// Checks that reading the bytes gives an error of this kind, with a bit offset and with `about` in
/// its message.
pub fn refused(bytes: &[u8], kind: ErrorKind, about: &str) {
    match bitcode::read(bytes) {
        Ok(module) => panic!("not refused ({about}):\n{module}"),
        Err(e) => {
            assert!(e.kind() == kind && e.to_string().contains(about), "expected {kind:?} about {about:?}, got {e}");
            assert!(e.to_string().contains(" bit "), "no place: {e}");
        }
    }
}
