//! Records and constants that describe far more than they contain, or that lead far: each input is
//! refused for a limit or translated, and ends no process.

use dxil_base::limits::Fuel;
use dxil_robustness::Corpus;
use dxil_robustness::bitstream::{Block, Item, Record};
use dxil_robustness::compose::{Composer, I32, Operand, VOID, Value};
use dxil_robustness::families::Kernel;
use dxil_robustness::memory;
use dxil_translator::{Budget, EmbedOptions, Error, ErrorKind, Shader, embed};

/// Checks that parsing is refused with an error of kind `Limit` that has this text.
fn limited(input: &[u8], text: &str) {
    let Err(error) = cost(text, input).0 else { panic!("expected {text:?}") };
    assert!(error.kind() == ErrorKind::Limit && error.message().contains(text), "expected {text:?}, got {error}");
}

/// Parses an input. Prints what that costs, and gives the largest memory.
fn cost(what: &str, input: &[u8]) -> (Result<Shader, Error>, usize) {
    let before = memory::thread_time();
    let (result, peak) = memory::peak(|| Shader::parse(input));
    let time = (memory::thread_time() - before).as_secs_f64() * 1e3;
    println!("{what:60} {:9} bytes: {:8} KiB, {time:8.1} ms", input.len(), peak >> 10);
    (result, peak)
}

/// A switch in the form with ranges: a single label, then the range of all 64-bit numbers. Together
/// they are more labels than fit in 64 bits.
#[test]
fn a_range_of_all_labels() {
    let mut kernel = Kernel::new("cs");
    let wide = kernel.module.ty(7, &[64]);
    let label = kernel.module.constant(wide, 4, vec![2.into()]);
    // The signs of the labels are in their lowest bits.
    let (single, range) = ([1, 2], [0, 0, 3]);
    let mut operands = vec![(0x4b5 << 16).into(), wide.into(), label.into(), 1.into(), 1.into(), 2.into()];
    operands.extend(single.into_iter().chain(range).map(Operand::Number));
    operands.push(1.into());
    kernel.body.end(12, operands);
    kernel.body.ret(None);
    limited(&kernel.finish(), "labels, which is the limit");
}

/// Parses a shader that loads a global whose initial value is the address of the next one, and so
/// on.
fn chain_of_globals(count: usize) -> Result<Shader, Error> {
    let mut module = Composer::new("cs");
    // The type is a pointer to itself.
    let number = module.ty(8, &[6, 0]);
    assert_eq!(number, 6);
    for next in 1..=count {
        let global = module.table(number, Value::Global(next % count));
        assert_eq!(global, Value::Global(next - 1));
    }
    let main = module.signature(VOID, &[]);
    let (function, mut body) = module.define("main", main, 0);
    body.value(20, vec![Value::Global(0).into(), number.into(), 0.into(), 0.into()]);
    body.ret(None);
    module.body(body);
    let properties = module.compute();
    let entry = module.entry(function, "main", None, None, Some(properties));
    module.name("dx.entryPoints", vec![entry]);
    Shader::parse(&module.finish())
}

/// Initial values that lead from global to global do not need more stack than one.
#[test]
fn globals_that_refer_to_globals() {
    let parse = || chain_of_globals(60_000).map(|_| ()).map_err(|error| error.to_string());
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(parse).expect("a thread");
    assert_eq!(thread.join().expect("the thread ends"), chain_of_globals(1).map(|_| ()).map_err(|e| e.to_string()));
}

/// Phis of one block, each of which has a value for another block only. One block branches to
/// theirs: the phis before or after the one that has a value for it have none.
#[test]
fn phis_of_different_edges() {
    const COUNT: u64 = 4_000;
    for (first, wanted) in [
        (0, "a phi without a value for this edge"),
        (1, "a phi of block 1 has a value for block 0, but a phi before it has none"),
    ] {
        let mut kernel = Kernel::new("cs");
        kernel.body.jump(1);
        for number in 0..COUNT {
            kernel.body.phi(I32, &[(kernel.input, (number + first) % COUNT)]);
        }
        (0..COUNT).for_each(|_| kernel.body.ret(None));
        let (result, peak) = cost("phis of different edges", &kernel.finish());
        let Err(error) = result else { panic!("a phi has no value for the edge") };
        assert_eq!(error.message(), wanted);
        assert!(peak < 16 << 20, "{peak} bytes");
    }
}

/// Writes bits, the least significant one first.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    len: usize,
}

impl Bits {
    fn fixed(&mut self, value: u64, width: usize) {
        for bit in 0..width {
            if self.len.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((value >> bit & 1) as u8) << (self.len % 8);
            }
            self.len += 1;
        }
    }
    fn variable(&mut self, mut value: u64, width: usize) {
        let low = (1 << (width - 1)) - 1;
        while value > low {
            self.fixed(value & low | (low + 1), width);
            value >>= width - 1;
        }
        self.fixed(value, width);
    }
    fn align(&mut self) {
        self.fixed(0, self.len.next_multiple_of(32) - self.len);
    }
}

/// An abbreviation with as many operands as fit into the input.
#[test]
fn an_abbreviation_of_many_operands() {
    const COUNT: usize = 8 << 20;
    let mut bits = Bits::default();
    bits.fixed(0xdec0_4342, 32);
    bits.fixed(2, 2);
    bits.variable(COUNT as u64, 5);
    // Each operand is a character of six bits, which is encoding 4.
    (0..COUNT).for_each(|_| bits.fixed(4 << 1, 4));
    bits.align();
    let (result, peak) = cost("an abbreviation of many operands", &bits.bytes);
    let Err(error) = result else { panic!("no limit") };
    assert!(error.message().contains("operands of abbreviations, the limit is"), "{error}");
    assert!(peak < 16 << 20, "{peak} bytes");
}

/// Records of `BLOCKINFO`, which are not charged because nothing is made of them.
#[test]
fn records_of_blockinfo() {
    let with = |records: usize, operands: u64| {
        let mut bits = Bits::default();
        bits.fixed(0xdec0_4342, 32);
        // A block with id 0 and abbreviation ids of two bits.
        bits.fixed(1, 2);
        bits.variable(0, 8);
        bits.variable(2, 4);
        bits.align();
        let size_at = bits.bytes.len();
        bits.fixed(0, 32);
        for _ in 0..records {
            bits.fixed(3, 2);
            bits.variable(2, 6);
            bits.variable(operands, 6);
            (0..operands).for_each(|_| bits.variable(1, 6));
        }
        bits.fixed(0, 2);
        bits.align();
        let words = (bits.bytes.len() - size_at - 4) / 4;
        bits.bytes[size_at..size_at + 4].copy_from_slice(&(words as u32).to_le_bytes());
        let mut kernel = Kernel::new("cs");
        kernel.body.ret(None);
        bits.bytes.extend(&kernel.finish()[4..]);
        bits.bytes
    };
    Shader::parse(&with(1_000, 10)).unwrap_or_else(|error| panic!("{error}"));
    for (records, operands) in [(1_100_000, 0), (1_000, 1_100)] {
        limited(&with(records, operands), "records and operands in BLOCKINFO, the limit is 1048576");
    }
}

/// Operands that come later are charged: a call has as many as its function has parameters.
#[test]
fn operands_that_come_later() {
    const COUNT: usize = 1_000;
    let spent = |later: bool| {
        let mut kernel = Kernel::new("cs");
        let ty = kernel.module.signature(VOID, &[I32; COUNT]);
        let function = kernel.module.declare("f", ty);
        kernel.body.jump(2);
        let argument = if later { kernel.body.next() } else { kernel.input };
        kernel.body.call_void(function, &[argument; COUNT]);
        kernel.body.ret(None);
        kernel.some(1);
        kernel.body.jump(1);
        let input = kernel.finish();
        let fuel = Fuel::new(Budget::default(), input.len());
        let Err(error) = Shader::parse_with_fuel(&input, &fuel) else { panic!("a call of nothing") };
        assert!(error.message().contains("a call of `f`, which has no body"), "{error}");
        fuel.spent().bytes
    };
    let charged = spent(true) - spent(false);
    assert!(charged >= 48 * COUNT as u64, "{charged} bytes");
}

/// Space for instructions is reserved by the size of a body, which a part may fill that is skipped.
#[test]
fn bodies_without_instructions() {
    const BODIES: usize = 16;
    let mut kernel = Kernel::new("cs");
    let (ty, record) = (kernel.module.signature(VOID, &[]), Record { code: 1, operands: vec![0; 900_000] });
    kernel.body.ret(None);
    for i in 0..BODIES {
        let (_, mut body) = kernel.module.define(&format!("f{i}"), ty, 0);
        body.ret(None);
        body.item(Item::Block(Block { id: 99, items: vec![record.clone().into()] }));
        kernel.module.body(std::mem::replace(&mut kernel.body, body));
    }
    let (result, peak) = cost("bodies without instructions", &kernel.finish());
    result.unwrap_or_else(|error| panic!("{error}"));
    assert!(peak < 40 << 20, "{peak} bytes");
}

/// Address arithmetic has no more indexes than types nest.
#[test]
fn indexes_of_an_address() {
    let mut kernel = Kernel::new("cs");
    let (pointer, one) = (kernel.module.pointer(I32), kernel.module.int(1));
    let variable = kernel.body.variable(pointer, one);
    // The record has the type of each operand that comes later.
    let later = (0..100_000).flat_map(|i| [kernel.body.ahead(i + 5).into(), Operand::from(I32)]);
    let operands = [1.into(), I32.into(), variable.into()].into_iter().chain(later).collect();
    kernel.body.value(43, operands);
    kernel.body.ret(None);
    limited(&kernel.finish(), "operands of address arithmetic, the limit is 66");
}

/// A container of many bytes, embedded in a module: no part of the work holds more than the texts
/// and the words, which are as long as base64 makes them.
#[test]
fn an_embedded_container() {
    let mut container = Corpus::fixtures(64 << 10).named("newer-dxc/heap.cs_6_6").bytes.clone();
    container.resize(8 << 20, 7);
    let (words, peak) = memory::peak(|| embed(&container, &EmbedOptions::default()));
    let words = words.unwrap_or_else(|error| panic!("{error}"));
    println!("{} bytes: {} words, {} KiB", container.len(), words.len(), peak >> 10);
    assert!(peak < 3 * container.len(), "{peak} bytes for {}", container.len());
}
