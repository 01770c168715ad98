//! The SPIR-V that this crate emits itself: the blob's hash in every module, and the placeholder.
//!
//! In: words. Out: words. What must hold: modules of different blobs differ, because a driver may
//! return equal handles for equal modules; the insertion preserves the order of SPIR-V's sections
//! (SPIR-V specification 2.4, "Logical Layout of a Module").

use crate::translator::BlobDigest;

const MAGIC: u32 = 0x0723_0203;
const HEADER_WORDS: usize = 5;
const BOUND: usize = 3;

/// Opcodes of sections 1 to 6, which precede the first debug instruction.
const BEFORE_DEBUG: [u32; 7] = [
    17,  // OpCapability
    10,  // OpExtension
    11,  // OpExtInstImport
    14,  // OpMemoryModel
    15,  // OpEntryPoint
    16,  // OpExecutionMode
    331, // OpExecutionModeId
];

/// An `OpString` with this text.
fn op_string(id: u32, text: &str) -> Vec<u32> {
    let mut words = vec![0, id];
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(text.len() / 4 * 4 + 4, 0);
    words.extend(bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])));
    words[0] = (words.len() as u32) << 16 | 7;
    words
}

/// Inserts the blob's full hash into a module, as an `OpString` before its first debug instruction,
/// and returns the index of that `OpString`. Words that are not a SPIR-V module are returned
/// unchanged.
pub fn name_after(mut words: Vec<u32>, blob: BlobDigest) -> (Vec<u32>, Option<usize>) {
    if words.len() < HEADER_WORDS || words[0] != MAGIC {
        return (words, None);
    }
    let mut at = HEADER_WORDS;
    while let Some(&first) = words.get(at)
        && BEFORE_DEBUG.contains(&(first & 0xffff))
        && first >> 16 != 0
    {
        at += (first >> 16) as usize;
    }
    let hex: String = blob.0.iter().map(|byte| format!("{byte:02x}")).collect();
    let string = op_string(words[BOUND], &format!("dxil {hex}"));
    words[BOUND] += 1;
    let at = at.min(words.len());
    words.splice(at..at, string);
    (words, Some(at))
}

/// The version word of a module, such as 0x00010600 for 1.6.
pub fn version(words: &[u32]) -> u32 {
    words.get(1).copied().unwrap_or(0)
}

/// Whether a module declares a capability of wave operations. All of them declare
/// `GroupNonUniform`, which is the first of a row.
pub fn has_waves(words: &[u32]) -> bool {
    const CAPABILITY: u32 = 2 << 16 | 17;
    let pairs = words.get(HEADER_WORDS..).unwrap_or_default().chunks_exact(2);
    pairs.take_while(|pair| pair[0] == CAPABILITY).any(|pair| (61..=68).contains(&pair[1]))
}

/// The module without the instruction that [`name_after`] inserted at this index.
pub fn without_name(words: &[u32], at: Option<usize>) -> Vec<u32> {
    let mut words = words.to_vec();
    if let Some(at) = at
        && let Some(first) = words.get(at)
    {
        let end = (at + (first >> 16) as usize).min(words.len());
        words.drain(at..end);
        if let Some(bound) = words.get_mut(BOUND) {
            *bound -= 1;
        }
    }
    words
}

/// Checks that a module has an entry point of this name with the same execution model as in a
/// translation.
///
/// # Errors
/// Describes the mismatch.
pub fn check_entry(words: &[u32], name: &str, translated: &[u32]) -> Result<(), String> {
    if words.len() < HEADER_WORDS || words[0] != MAGIC {
        return Err("it is not a SPIR-V module (it does not begin with 0x07230203)".into());
    }
    let found = execution_model(words, name).ok_or_else(|| format!("it has no entry point `{name}`"))?;
    let expected = execution_model(translated, name);
    if expected != Some(found) {
        let expected = expected.unwrap_or_default();
        return Err(format!("its entry point `{name}` has the execution model {found}, expected {expected}"));
    }
    Ok(())
}

/// The execution model of the entry point with this name.
fn execution_model(words: &[u32], name: &str) -> Option<u32> {
    const ENTRY_POINT: u32 = 15;
    let mut rest = words.get(HEADER_WORDS..)?;
    while let [first, ..] = rest {
        let (instruction, after) = rest.split_at_checked((first >> 16).max(1) as usize)?;
        if let [first, model, _, text @ ..] = instruction
            && first & 0xffff == ENTRY_POINT
        {
            let mut bytes = text.iter().flat_map(|word| word.to_le_bytes());
            if name.bytes().chain([0]).all(|byte| bytes.next() == Some(byte)) {
                return Some(*model);
            }
        }
        rest = after;
    }
    None
}

/// The smallest module with an entry point. It does nothing, and the layer replaces it in every
/// pipeline.
pub fn placeholder(blob: BlobDigest) -> Vec<u32> {
    let op = |code: u32, count: u32| count << 16 | code;
    let words = vec![
        MAGIC,
        0x0001_0000,
        0,
        5, // bound
        0,
        op(17, 2), // OpCapability Shader
        1,
        op(14, 3), // OpMemoryModel Logical GLSL450
        0,
        1,
        op(15, 5), // OpEntryPoint GLCompute %1 "main"
        5,
        1,
        u32::from_le_bytes(*b"main"),
        0,
        op(16, 6), // OpExecutionMode %1 LocalSize 1 1 1
        1,
        17,
        1,
        1,
        1,
        op(19, 2), // %2 = OpTypeVoid
        2,
        op(33, 3), // %3 = OpTypeFunction %2
        3,
        2,
        op(54, 5), // %1 = OpFunction %2 None %3
        2,
        1,
        0,
        3,
        op(248, 2), // %4 = OpLabel
        4,
        op(253, 1), // OpReturn
        op(56, 1),  // OpFunctionEnd
    ];
    name_after(words, blob).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_between_execution_modes_and_types() {
        let blob = BlobDigest([0xab; 32]);
        let words = placeholder(blob);
        let mut opcodes = Vec::new();
        let mut at = HEADER_WORDS;
        while at < words.len() {
            opcodes.push(words[at] & 0xffff);
            at += (words[at] >> 16) as usize;
        }
        assert_eq!(at, words.len());
        assert_eq!(opcodes, [17, 14, 15, 16, 7, 19, 33, 54, 248, 253, 56]);
        assert_eq!(words[BOUND], 6);
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let text = format!("dxil {}", "ab".repeat(32));
        assert!(bytes.windows(text.len()).any(|w| w == text.as_bytes()));
    }

    #[test]
    fn waves_are_found_among_the_capabilities() {
        let module = placeholder(BlobDigest([0; 32]));
        assert_eq!((version(&module), has_waves(&module), has_waves(&[])), (0x0001_0000, false, false));
        let mut waves = module.clone();
        waves.splice(HEADER_WORDS..HEADER_WORDS, [2 << 16 | 17, 64]);
        assert!(has_waves(&waves));
        // The same words behind the capabilities are something else.
        let mut other = module;
        other.extend([2 << 16 | 17, 64]);
        assert!(!has_waves(&other));
    }

    #[test]
    fn different_blobs_give_different_modules() {
        assert_ne!(placeholder(BlobDigest([1; 32])), placeholder(BlobDigest([2; 32])));
    }

    #[test]
    fn words_that_are_not_a_module_are_unchanged() {
        assert_eq!(name_after(vec![1, 2], BlobDigest([0; 32])), (vec![1, 2], None));
    }

    #[test]
    fn the_hash_can_be_removed() {
        let named = placeholder(BlobDigest([1; 32]));
        let (twice, at) = name_after(named.clone(), BlobDigest([2; 32]));
        assert_ne!(twice, named);
        assert_eq!(without_name(&twice, at), named);
        assert_eq!(without_name(&named, None), named);
    }

    #[test]
    fn another_module_must_have_the_entry_point_in_its_stage() {
        let module = placeholder(BlobDigest([1; 32]));
        assert_eq!(check_entry(&module, "main", &module), Ok(()));
        let missing = check_entry(&module, "mai", &module).unwrap_err();
        assert_eq!(missing, "it has no entry point `mai`");
        let mut fragment = module.clone();
        let at = fragment.windows(2).position(|w| w == [5 << 16 | 15, 5]).unwrap();
        fragment[at + 1] = 4;
        let wrong = check_entry(&fragment, "main", &module).unwrap_err();
        assert_eq!(wrong, "its entry point `main` has the execution model 4, expected 5");
        assert!(check_entry(&module[..7], "main", &module).is_err());
        assert!(check_entry(&[], "main", &module).is_err());
    }
}
