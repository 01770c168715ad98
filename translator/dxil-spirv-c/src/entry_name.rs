//! The name of the entry point in a module.
//!
//! In: words of a module with one entry point. Out: the same module, whose entry point has another
//! name. What must hold: no other instruction changes.

use std::iter;

/// The opcode of OpEntryPoint.
const ENTRY_POINT: u32 = 15;

/// Words of the header of a module.
const HEADER: usize = 5;

/// Gives the entry point of a module this name.
pub fn rename(words: &[u32], name: &str) -> Vec<u32> {
    let mut at = HEADER;
    while let Some(&first) = words.get(at) {
        let end = at + ((first >> 16) as usize).max(1);
        let Some(instruction) = words.get(at..end) else { break };
        if let [first, model, function, rest @ ..] = instruction
            && first & 0xffff == ENTRY_POINT
        {
            let old = rest.iter().take_while(|word| word.to_le_bytes()[3] != 0).count() + 1;
            let interface = rest.get(old..).unwrap_or_default();
            let bytes: Vec<u8> = name.bytes().chain(iter::repeat_n(0, 4 - name.len() % 4)).collect();
            let name = bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
            let length = 3 + name.len() + interface.len();
            let mut renamed = words[..at].to_vec();
            renamed.extend([(length as u32) << 16 | ENTRY_POINT, *model, *function]);
            renamed.extend(name.chain(interface.iter().copied()));
            renamed.extend_from_slice(&words[end..]);
            return renamed;
        }
        at = end;
    }
    words.to_vec()
}

#[cfg(test)]
mod tests {
    use super::rename;

    /// A module whose only instructions are OpEntryPoint of a name and OpNop.
    fn module(name: [u32; 2]) -> Vec<u32> {
        vec![0x0723_0203, 0x1_0600, 0, 9, 0, 6 << 16 | 15, 5, 1, name[0], name[1], 7, 1 << 16]
    }

    #[test]
    fn names_are_replaced() {
        let long = module([u32::from_le_bytes(*b"long"), u32::from_le_bytes(*b"est\0")]);
        let main = module([u32::from_le_bytes(*b"main"), 0]);
        assert_eq!(rename(&long, "main"), main);
        assert_eq!(rename(&main, "longest"), long);
        let shorter = rename(&main, "cs");
        assert_eq!(shorter.len(), main.len() - 1);
        assert_eq!(shorter[5], 5 << 16 | 15);
        assert_eq!(rename(&shorter, "main"), main);
    }

    #[test]
    fn other_words_stay() {
        for words in [vec![], vec![1], module([0, 0])[..5].to_vec(), vec![0, 0, 0, 0, 0, 0, 0xffff_000f]] {
            assert_eq!(rename(&words, "main"), words);
        }
    }
}
