//! Inputs that are no container, by name.
//!
//! In: bytes that begin neither as a container nor as bitcode. Out: an error that says what they
//! are and how the user gets a container. What must hold: only the beginning of the input is read.

use dxil_base::error::{Error, Place};

/// The magic number of SPIR-V's words, in memory as little and as big endian.
const SPIRV: [[u8; 4]; 2] = [[0x03, 0x02, 0x23, 0x07], [0x07, 0x23, 0x02, 0x03]];
/// How a program database begins: Microsoft's multi-stream file.
const MSF: &[u8] = b"Microsoft C/C++ ";
/// Bytes of a text that are looked at.
const LOOKED_AT: usize = 4096;

/// The error for an input that is no container.
pub(super) fn refusal(input: &[u8]) -> Error {
    let place = Place::Byte(0);
    if input.is_empty() {
        return malformed!(place, "the input is empty; expected a DXIL container (`DXBC`) or LLVM bitcode");
    }
    if SPIRV.iter().any(|magic| input.starts_with(magic)) {
        return malformed!(place, "this is already SPIR-V; expected a DXIL container (`DXBC`) or LLVM bitcode");
    }
    if input.starts_with(MSF) {
        return malformed!(
            place,
            "this is a program database (PDB), which has debug information; give the container that dxc writes with `-Fo`"
        );
    }
    if let Some(text) = text(input) {
        return malformed!(place, "{}", describe_text(text));
    }
    let found = input.get(..4).unwrap_or(input).escape_ascii();
    malformed!(place, "expected a DXIL container (`DXBC`) or LLVM bitcode, found `{found}`")
}

/// The beginning of an input that is text.
fn text(input: &[u8]) -> Option<&str> {
    let beginning = input.get(..LOOKED_AT).unwrap_or(input);
    let text = match std::str::from_utf8(beginning) {
        Ok(text) => text,
        // The end may cut a character in two.
        Err(error) if error.error_len().is_none() && input.len() > LOOKED_AT => {
            std::str::from_utf8(beginning.get(..error.valid_up_to())?).ok()?
        }
        Err(_) => return None,
    };
    let plain = |c: char| !c.is_control() || matches!(c, '\t' | '\n' | '\r' | '\x0c');
    text.chars().all(plain).then_some(text)
}

/// What a text is, by what its first lines say.
fn describe_text(text: &str) -> &'static str {
    let has = |word: &str| text.lines().any(|line| line.trim_start().starts_with(word));
    if has("; SPIR-V") || has("OpCapability ") {
        "this is already SPIR-V, as text; expected a DXIL container (`DXBC`) or LLVM bitcode"
    } else if has("target datalayout") || has("define ") || text.starts_with(';') {
        "this is the text of a disassembler; give the container that it was made from, or LLVM bitcode"
    } else if has("request =") {
        "this is the text of a request; give it with `--request`"
    } else {
        "this is text and no shader container; if it is HLSL, compile it with dxc, for example with \
         `dxc -T ps_6_0 -E main shader.hlsl -Fo shader.dxil`"
    }
}

#[cfg(test)]
mod tests {
    use super::super::Container;

    #[track_caller]
    fn refused(input: &[u8], expected: &str) {
        assert_eq!(Container::parse(input).unwrap_err().to_string(), format!("malformed at byte 0: {expected}"));
    }

    #[test]
    fn inputs_that_are_no_container_are_refused_by_name() {
        refused(b"", "the input is empty; expected a DXIL container (`DXBC`) or LLVM bitcode");
        let spirv = "this is already SPIR-V; expected a DXIL container (`DXBC`) or LLVM bitcode";
        refused(&[3, 2, 0x23, 7, 0, 0, 1, 0], spirv);
        refused(&[7, 0x23, 2, 3, 0, 1, 0, 0], spirv);
        refused(
            b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0",
            "this is a program database (PDB), which has debug information; give the container that dxc writes with `-Fo`",
        );
        refused(
            b"\x01\x02\x03\x04\x05",
            "expected a DXIL container (`DXBC`) or LLVM bitcode, found `\\x01\\x02\\x03\\x04`",
        );
        refused(b"\x01\x02", "expected a DXIL container (`DXBC`) or LLVM bitcode, found `\\x01\\x02`");
    }

    #[test]
    fn texts_are_refused_by_name() {
        let hlsl = "this is text and no shader container; if it is HLSL, compile it with dxc, for example with \
                    `dxc -T ps_6_0 -E main shader.hlsl -Fo shader.dxil`";
        refused(b"float4 main() : SV_Target { return 1; }", hlsl);
        refused("\u{feff}// Gr\u{fc}n\nfloat4 main();".as_bytes(), hlsl);
        // The last character of what is looked at may be cut in two.
        let long = "x".to_owned() + &"\u{fc}".repeat(4096);
        refused(long.as_bytes(), hlsl);
        refused(
            b"; SPIR-V\n; Version: 1.3\n",
            "this is already SPIR-V, as text; expected a DXIL container (`DXBC`) or LLVM bitcode",
        );
        refused(
            b";\n; Input signature:\n;\n",
            "this is the text of a disassembler; give the container that it was made from, or LLVM bitcode",
        );
        refused(b"# made by the layer\nrequest = 1\n", "this is the text of a request; give it with `--request`");
    }
}
