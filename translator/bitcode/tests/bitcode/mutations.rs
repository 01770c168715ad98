//! Compilers' bitcode, truncated and changed at random. Reading it must quickly give a module or an
//! error with its place.

use std::time::{Duration, Instant};

use dxil_base::error::Place;
use dxil_bitcode as bitcode;
use dxil_test_support::{Random, bitcode_parts, fixture};

/// Bitcode of different sizes and kinds: small, unoptimised, with debug information, of a library.
fn samples() -> Vec<Vec<u8>> {
    let names =
        ["heap.cs_6_6", "compute_mix.cs_6_8.Od", "rays.lib_6_6", "vectors69.cs_6_9", "compute_mix.cs_6_8.debug"];
    let sample = |name| {
        let container = fixture(&format!("newer-dxc/{name}.dxil"));
        bitcode_parts(&container).last().expect("a program").1.to_vec()
    };
    names.map(sample).to_vec()
}

/// Reads the bytes and, if that succeeds, prints the module. Returns whether it succeeded.
fn try_read(bytes: &[u8], what: &str) -> bool {
    let start = Instant::now();
    let ok = match bitcode::read(bytes) {
        Ok(module) => !module.to_string().is_empty(),
        Err(e) => {
            assert!(matches!(e.place(), Place::Bit(bit) if bit <= bytes.len() as u64 * 8), "{what}: {e}");
            assert!(!e.message().is_empty());
            false
        }
    };
    assert!(start.elapsed() < Duration::from_secs(5), "{what} took {:?}", start.elapsed());
    ok
}

#[test]
fn every_truncation() {
    let mut refused = 0;
    for (i, sample) in samples().iter().enumerate() {
        assert!(try_read(sample, "sample"));
        for len in 0..sample.len() {
            let ok = try_read(&sample[..len], &format!("sample {i} cut to {len}"));
            // The module is the last block, so a truncated file is never a module.
            assert!(!ok, "sample {i} cut to {len} is a module");
            refused += 1;
        }
    }
    println!("{refused} truncations refused");
}

#[test]
fn random_changes() {
    let samples = samples();
    let (mut read, mut refused) = (0, 0);
    // DXIL_MUTATION_ROUNDS sets the number of rounds, and is also a seed of the random numbers.
    let more = std::env::var("DXIL_MUTATION_ROUNDS").ok().and_then(|n| n.parse().ok());
    let mut random = Random::new(more.unwrap_or(0));
    for round in 0..more.unwrap_or(20_000) {
        let mut bytes = samples[random.below(samples.len())].clone();
        for _ in 0..1 + random.below(3) {
            let at = random.below(bytes.len());
            match random.below(5) {
                0 => bytes[at] ^= 1 << random.below(8),
                1 => bytes[at] = random.bits() as u8,
                // A whole word at a word boundary: this hits block lengths, blobs and alignments.
                2 => {
                    let at = at & !3;
                    let word = random.bits() as u32 >> random.below(32);
                    bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
                }
                3 => {
                    let from = random.below(bytes.len());
                    let len = (1 + random.below(16)).min(bytes.len() - at.max(from));
                    bytes.copy_within(from..from + len, at);
                }
                _ => {
                    let end = (at + 1 + random.below(8)).min(bytes.len());
                    bytes[at..end].fill(if random.below(2) == 0 { 0 } else { 0xff });
                }
            }
        }
        if try_read(&bytes, &format!("round {round}")) { read += 1 } else { refused += 1 }
    }
    println!("{read} changed modules were read, {refused} refused");
    assert!(read > 0 && refused > 0);
}
