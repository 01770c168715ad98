//! Which instructions must stay in a module whose results are compared.
//!
//! In: a module, and smaller ones. Out: whether a smaller one may give results that Vulkan leaves
//! undefined where the first gave defined ones. What must hold: a module that this file accepts is
//! no less defined than the first. It also refuses modules that are.
//!
//! - Barriers stay as long as there is memory of the workgroup.
//! - A variable that is read has all of its stores, to the same elements, and what is read of it
//!   are elements that the first module reads. So has an output.
//! - Outputs that Vulkan gives a meaning, as the position, stay, and those of a fragment shader.
//! - Operands by which an instruction may be undefined, infinite or no number (divisors, shifts,
//!   what is converted to an integer, arguments of logarithms and roots) are computed as in the
//!   first module, as far as a few instructions back, and do not become constant. So are indexes
//!   and coordinates, unless they are zero.
//! - A loop that had an end has one.

use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{Hash as _, Hasher as _};

use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, ExecutionModel, GlslStd450Op, Op, StorageClass};

use super::code::{Code, Id, InstNode};
use super::error::Unreadable;

/// How far back an operand is compared: far enough for `divisor == 0 ? 1 : divisor`.
const DEPTH: u32 = 3;

/// What a module has of the above.
#[derive(Default, Debug)]
pub struct Defined {
    barriers: usize,
    has_shared_memory: bool,
    /// What happens to each variable that a shader must write before it reads.
    variables: BTreeMap<Id, Accesses>,
    fixed_outputs: BTreeSet<Id>,
    /// How delicate operands are computed, and whether of nothing but constants.
    operands: BTreeSet<(u64, bool)>,
    /// The loops without an end, or whose end a constant decides, by their merge blocks.
    endless: BTreeSet<Id>,
}

/// The accesses to a variable, by the hashes of their indexes.
#[derive(Default, Debug)]
struct Accesses {
    /// How many stores there are to each place.
    stores: BTreeMap<u64, usize>,
    /// The places that are read, and whether each has no index but zero.
    reads: BTreeSet<(u64, bool)>,
    /// A store has an index that is no constant.
    has_varying_store: bool,
    /// Who comes after the shader reads all of it.
    is_output: bool,
}

impl Accesses {
    /// Whether those of a smaller module read nothing that was not stored.
    fn keeps(&self, smaller: &Self) -> bool {
        let is_read = smaller.is_output || !smaller.reads.is_empty();
        // The threads of a group, or the steps of a loop, store the first element with others.
        let mut new_reads = smaller.reads.difference(&self.reads);
        !is_read || self.stores == smaller.stores && new_reads.all(|(_, is_first)| *is_first && self.has_varying_store)
    }
}

impl Defined {
    /// Reads a module.
    ///
    /// # Errors
    /// The words are no module.
    pub fn read(words: &[u32]) -> Result<Self, Unreadable> {
        let code = Code::read(words)?;
        let by_id: HashMap<Id, &InstNode> =
            code.nodes.iter().filter_map(|node| Some((node.inst.result_id?, node))).collect();
        let mut found = Self::default();
        let mut builtins: BTreeSet<Id> = BTreeSet::new();
        let mut is_fragment = false;
        for node in &code.nodes {
            let model = node.inst.operands.first();
            is_fragment |= model == Some(&Operand::ExecutionModel(ExecutionModel::Fragment));
            let is_builtin = node.inst.operands.contains(&Operand::Decoration(Decoration::BuiltIn));
            if matches!(node.op(), Op::Decorate | Op::MemberDecorate) && is_builtin {
                builtins.extend(node.id(0));
            }
            if node.op() == Op::Variable {
                found.variable(node, is_fragment, &builtins, &by_id);
            }
        }
        let varying = varying(&code);
        // A constant itself is seen by what computes it.
        let is_folded = |node: &&InstNode| !varying.contains(&node.inst.result_id.unwrap_or(0));
        let computed = code.nodes.iter().skip(code.functions_at()).filter(is_folded);
        let folded: BTreeSet<Id> = computed.filter_map(|node| node.inst.result_id).collect();
        let merges = code.nodes.iter().filter(|node| node.op() == Op::LoopMerge);
        let loop_ends: BTreeSet<Id> = merges.filter_map(|node| node.id(0)).collect();
        for pair in code.nodes.windows(2) {
            if let [label, end] = pair
                && end.op() == Op::Unreachable
            {
                found.endless.extend(label.inst.result_id.filter(|label| loop_ends.contains(label)));
            }
        }
        for node in code.nodes.iter().skip(code.functions_at()) {
            found.barriers += usize::from(node.op() == Op::ControlBarrier);
            found.accesses(node, &by_id);
            found.operands.extend(delicate(node).filter_map(|(id, may_be_zero)| {
                let is_zero = by_id.get(&id).is_some_and(|node| is_zero(node));
                (!may_be_zero || !is_zero).then(|| (expression(id, DEPTH, &by_id), folded.contains(&id)))
            }));
            if node.op() == Op::BranchConditional && !node.id(0).is_some_and(|id| varying.contains(&id)) {
                found.endless.extend(node.uses().filter(|label| loop_ends.contains(label)));
            }
        }
        Ok(found)
    }

    /// Records what an instruction stores and reads.
    fn accesses(&mut self, node: &InstNode, by_id: &HashMap<Id, &InstNode>) {
        // A chain is no reading; what uses it is.
        if is_chain(node.op()) {
            return;
        }
        let pointers = node.inst.operands.iter().enumerate();
        let pointers = pointers.filter_map(|(at, operand)| Some((at, pointee(operand.id_ref_any()?, by_id)?)));
        for (at, place) in pointers {
            let Some(accesses) = self.variables.get_mut(&place.variable) else { continue };
            if node.op() == Op::Store && at == 0 {
                *accesses.stores.entry(place.indexes).or_default() += 1;
                accesses.has_varying_store |= !place.is_constant;
            } else {
                accesses.reads.insert((place.indexes, place.is_first));
            }
        }
    }

    fn variable(
        &mut self,
        node: &InstNode,
        is_fragment: bool,
        builtins: &BTreeSet<Id>,
        by_id: &HashMap<Id, &InstNode>,
    ) {
        let (Some(id), Some(&Operand::StorageClass(class))) = (node.inst.result_id, node.inst.operands.first()) else {
            return;
        };
        let is_output = class == StorageClass::Output;
        self.has_shared_memory |= class == StorageClass::Workgroup;
        let is_memory = matches!(class, StorageClass::Function | StorageClass::Private | StorageClass::Workgroup);
        // All of it has a value from the beginning.
        let has_initializer = node.inst.operands.len() > 1;
        if (is_memory || is_output) && !has_initializer {
            self.variables.insert(id, Accesses { is_output, ..Accesses::default() });
        }
        // A block of them has the decorations at its members.
        let mut ty = node.inst.result_type.and_then(|pointer| by_id.get(&pointer)?.id(1));
        while let Some(array) = ty.and_then(|id| by_id.get(&id)).filter(|node| node.op() == Op::TypeArray) {
            ty = array.id(0);
        }
        let has_meaning = is_fragment || builtins.contains(&id) || ty.is_some_and(|ty| builtins.contains(&ty));
        if is_output && has_meaning {
            self.fixed_outputs.insert(id);
        }
    }

    /// Whether a smaller module is no less defined than this one.
    pub fn keeps(&self, smaller: &Self) -> bool {
        let barriers = !smaller.has_shared_memory || smaller.barriers == self.barriers;
        let mut variables = smaller.variables.iter();
        barriers
            && variables.all(|(id, accesses)| self.variables.get(id).is_none_or(|before| before.keeps(accesses)))
            && smaller.fixed_outputs == self.fixed_outputs
            && smaller.operands.is_subset(&self.operands)
            && smaller.endless.is_subset(&self.endless)
    }
}

/// The operands of an instruction that must be as they were, and whether zero is always in range.
fn delicate(node: &InstNode) -> impl Iterator<Item = (Id, bool)> + '_ {
    let (skipped, taken, may_be_zero) = match node.op() {
        Op::UDiv | Op::SDiv | Op::UMod | Op::SMod | Op::SRem | Op::FDiv | Op::FMod | Op::FRem => (1, 1, false),
        Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic => (1, 1, true),
        Op::ConvertFToS | Op::ConvertFToU => (0, 1, true),
        Op::AccessChain | Op::InBoundsAccessChain => (1, usize::MAX, true),
        Op::ImageFetch | Op::ImageRead | Op::ImageWrite | Op::ImageTexelPointer => (1, 1, true),
        Op::ExtInst if is_partial(node) => (2, usize::MAX, false),
        _ => (0, 0, false),
    };
    let operands = node.inst.operands.iter().skip(skipped).take(taken);
    operands.filter_map(Operand::id_ref_any).map(move |id| (id, may_be_zero))
}

/// Whether an instruction of GLSL.std.450 has arguments for which it is infinite or no number.
fn is_partial(node: &InstNode) -> bool {
    const PARTIAL: [GlslStd450Op; 14] = [
        GlslStd450Op::Asin,
        GlslStd450Op::Acos,
        GlslStd450Op::Atan2,
        GlslStd450Op::Acosh,
        GlslStd450Op::Atanh,
        GlslStd450Op::Tan,
        GlslStd450Op::Pow,
        GlslStd450Op::Exp,
        GlslStd450Op::Exp2,
        GlslStd450Op::Log,
        GlslStd450Op::Log2,
        GlslStd450Op::Sqrt,
        GlslStd450Op::InverseSqrt,
        GlslStd450Op::Normalize,
    ];
    match node.inst.operands.get(1) {
        Some(Operand::LiteralExtInstInteger(number)) => PARTIAL.iter().any(|op| *op as u32 == *number),
        _ => false,
    }
}

fn is_zero(node: &InstNode) -> bool {
    let is_number = node.op() == Op::Constant;
    let zeros = [Operand::LiteralBit32(0), Operand::LiteralBit64(0)];
    node.op() == Op::ConstantNull || is_number && node.inst.operands.iter().all(|it| zeros.contains(it))
}

/// The values in functions that are not computed of constants alone.
fn varying(code: &Code) -> BTreeSet<Id> {
    let mut varying = BTreeSet::new();
    for node in code.nodes.iter().skip(code.functions_at()) {
        let Some(id) = node.inst.result_id else { continue };
        // What is computed of operands alone has a type and is no access to memory. What is not
        // known here varies.
        let is_pure =
            matches!(node.op(), Op::ExtInst | Op::Select | Op::VectorShuffle | Op::Bitcast) || is_arithmetic(node.op());
        if !is_pure || node.uses().any(|operand| varying.contains(&operand)) {
            varying.insert(id);
        }
    }
    varying
}

/// Whether an opcode is in SPIR-V's sections on conversion, composites, arithmetic, bits, relations
/// and logic.
fn is_arithmetic(op: Op) -> bool {
    let number = op as u32;
    let within = |first: Op, last: Op| (first as u32..=last as u32).contains(&number);
    within(Op::VectorExtractDynamic, Op::Transpose)
        || within(Op::ConvertFToU, Op::Bitcast)
        || within(Op::SNegate, Op::SMulExtended)
        || within(Op::Any, Op::FUnordGreaterThanEqual)
        || within(Op::ShiftRightLogical, Op::BitCount)
}

fn is_chain(op: Op) -> bool {
    matches!(op, Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject)
}

/// What a pointer points to.
struct Pointee {
    variable: Id,
    /// A hash of the indexes.
    indexes: u64,
    /// All of them are zero.
    is_first: bool,
    /// All of them are constants.
    is_constant: bool,
}

/// What a pointer points to, if that is a variable or a part of one.
fn pointee(mut id: Id, by_id: &HashMap<Id, &InstNode>) -> Option<Pointee> {
    let mut hasher = DefaultHasher::new();
    let (mut is_first, mut is_constant) = (true, true);
    loop {
        let node = by_id.get(&id)?;
        match node.op() {
            Op::Variable => return Some(Pointee { variable: id, indexes: hasher.finish(), is_first, is_constant }),
            op if is_chain(op) => id = node.id(0)?,
            _ => return None,
        }
        for index in node.inst.operands.iter().skip(1).filter_map(Operand::id_ref_any) {
            expression(index, DEPTH, by_id).hash(&mut hasher);
            let index = by_id.get(&index)?;
            is_first &= is_zero(index);
            is_constant &= matches!(index.op(), Op::Constant | Op::ConstantNull);
        }
    }
}

/// A hash of how a value is computed, without the names of what it is computed of.
fn expression(id: Id, depth: u32, by_id: &HashMap<Id, &InstNode>) -> u64 {
    let mut hasher = DefaultHasher::new();
    // There are two forms of zero.
    if let Some(node) = by_id.get(&id).filter(|node| !is_zero(node)) {
        (node.op() as u32).hash(&mut hasher);
        // A phi may have hundreds, and the depth multiplies them.
        for operand in node.inst.operands.iter().take(8) {
            match operand.id_ref_any() {
                Some(part) if depth > 0 => expression(part, depth - 1, by_id).hash(&mut hasher),
                Some(_) => {}
                None => operand.hash(&mut hasher),
            }
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use spirv_tools::assembler::{self, Assembler as _};

    use super::*;

    fn defined(body: &str) -> Defined {
        let text = format!(
            "OpCapability Shader
            OpMemoryModel Logical GLSL450
            OpEntryPoint GLCompute %main \"main\"
            OpExecutionMode %main LocalSize 1 1 1
            %void = OpTypeVoid
            %bool = OpTypeBool
            %uint = OpTypeInt 32 0
            %to_shared = OpTypePointer Workgroup %uint
            %to_local = OpTypePointer Function %uint
            %function = OpTypeFunction %void
            %zero = OpConstant %uint 0
            %one = OpConstant %uint 1
            %two = OpConstant %uint 2
            %eight = OpConstant %uint 264
            %shared = OpVariable %to_shared Workgroup
            %pair_type = OpTypeArray %uint %two
            %to_pair = OpTypePointer Function %pair_type
            %main = OpFunction %void None %function
            %entry = OpLabel
            %local = OpVariable %to_local Function
            %pair = OpVariable %to_pair Function
            {body}
            OpReturn
            OpFunctionEnd"
        );
        let assembler = assembler::create(Some(spirv_tools::TargetEnv::Vulkan_1_3));
        let words = assembler.assemble(&text, Default::default()).unwrap();
        Defined::read(words.as_ref()).unwrap()
    }

    #[test]
    fn barriers_stay_beside_shared_memory() {
        let first = defined("OpControlBarrier %two %two %eight");
        assert!(first.keeps(&first));
        assert!(!first.keeps(&defined("")));
    }

    #[test]
    fn a_loop_keeps_its_end() {
        let with = |condition: &str, end: &str| {
            defined(&format!(
                "%some = OpLoad %uint %shared
                %ends = OpIEqual %bool %some %zero
                %always = OpIEqual %bool %one %zero
                OpBranch %head
                %head = OpLabel
                OpLoopMerge %done %step None
                OpBranchConditional {condition} %done %step
                %step = OpLabel
                OpBranch %head
                %done = OpLabel
                {end}"
            ))
        };
        let first = with("%ends", "");
        assert!(first.keeps(&first));
        assert!(!first.keeps(&with("%always", "")));
        assert!(!first.keeps(&with("%ends", "OpUnreachable\n%behind = OpLabel")));
        let straight = "OpBranch %done\n%done = OpLabel";
        assert!(first.keeps(&defined(straight)));
    }

    #[test]
    fn what_is_read_keeps_its_stores() {
        let first = defined("OpStore %local %one\n%value = OpLoad %uint %local");
        assert!(first.keeps(&defined("OpStore %local %zero\n%value = OpLoad %uint %local")));
        assert!(!first.keeps(&defined("%value = OpLoad %uint %local")));
        assert!(first.keeps(&defined("OpStore %local %one")));
        assert!(first.keeps(&defined("")));
    }

    #[test]
    fn an_element_that_is_read_is_one_that_is_stored() {
        let with = |stored: &str, read: &str| {
            defined(&format!(
                "%first = OpAccessChain %to_local %pair %zero
                %second = OpAccessChain %to_local %pair %one
                OpStore %first %two
                OpStore {stored} %two
                %value = OpLoad %uint {read}"
            ))
        };
        let first = with("%second", "%second");
        assert!(first.keeps(&with("%second", "%second")));
        // The second element has no value any more.
        assert!(!first.keeps(&with("%first", "%second")));
        assert!(!first.keeps(&with("%second", "%first")));
    }

    #[test]
    fn a_divisor_stays_guarded() {
        let load = "%value = OpLoad %uint %shared\n";
        let guard = "%none = OpIEqual %bool %value %zero\n%divisor = OpSelect %uint %none %one %value\n";
        let first = defined(&format!("{load}{guard}%part = OpUDiv %uint %two %divisor"));
        assert!(first.keeps(&defined(&format!("{load}{guard}%part = OpUDiv %uint %one %divisor"))));
        assert!(!first.keeps(&defined(&format!("{load}%part = OpUDiv %uint %two %value"))));
        assert!(!first.keeps(&defined("%part = OpUDiv %uint %two %zero")));
        assert!(first.keeps(&defined("")));
    }
}
