//! A SPIR-V module as a list of instructions that can be removed.
//!
//! In: words. Out: words. What must hold: an instruction keeps its key for as long as it is there,
//! so that a change can name it; nothing depends on the order of a hash map.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use rspirv::binary::Assemble as _;
use rspirv::dr::{Instruction, ModuleHeader, Operand};
use rspirv::spirv::{Op, StorageClass};

use super::error::Unreadable;
use crate::words::load;

/// A result id.
pub type Id = u32;

/// An instruction, and a number by which changes name it.
#[derive(Clone)]
pub struct InstNode {
    /// The number.
    pub key: u32,
    /// The instruction.
    pub inst: Rc<Instruction>,
}

impl InstNode {
    /// Its opcode.
    pub fn op(&self) -> Op {
        self.inst.class.opcode
    }

    /// The ids that it uses: its type, and its operands.
    pub fn uses(&self) -> impl Iterator<Item = Id> + '_ {
        self.inst.result_type.into_iter().chain(self.inst.operands.iter().filter_map(Operand::id_ref_any))
    }

    /// The operand at this place, if it is an id.
    pub fn id(&self, at: usize) -> Option<Id> {
        self.inst.operands.get(at)?.id_ref_any()
    }

    /// Whether it ends a block.
    pub fn ends_block(&self) -> bool {
        ends_block(self.op())
    }

    /// Whether it only annotates another instruction.
    pub fn is_remark(&self) -> bool {
        matches!(
            self.op(),
            Op::Name
                | Op::MemberName
                | Op::Decorate
                | Op::DecorateId
                | Op::DecorateString
                | Op::MemberDecorate
                | Op::MemberDecorateString
                | Op::ExecutionMode
                | Op::ExecutionModeId
        )
    }
}

/// Whether an instruction ends a block.
pub fn ends_block(op: Op) -> bool {
    matches!(
        op,
        Op::Branch
            | Op::BranchConditional
            | Op::Switch
            | Op::Return
            | Op::ReturnValue
            | Op::Kill
            | Op::Unreachable
            | Op::TerminateInvocation
            | Op::IgnoreIntersectionKHR
            | Op::TerminateRayKHR
            | Op::EmitMeshTasksEXT
    )
}

/// An instruction without a result.
pub fn instruction(op: Op, operands: Vec<Operand>) -> Instruction {
    Instruction::new(op, None, None, operands)
}

/// A block: the places of its instructions in the list, without its label.
#[derive(Clone, Debug)]
pub struct BasicBlock {
    /// Its label.
    pub label: Id,
    /// The place of the label.
    pub start: usize,
    /// The place of the last instruction.
    pub end: usize,
    /// Whether it is the first of its function.
    pub first: bool,
}

/// A module.
#[derive(Clone)]
pub struct Code {
    header: ModuleHeader,
    /// The instructions, in the order of the module.
    pub nodes: Vec<InstNode>,
    next_key: u32,
}

impl Code {
    /// Reads a module.
    ///
    /// # Errors
    /// The words are no module, or have an unknown instruction.
    pub fn read(words: &[u32]) -> Result<Self, Unreadable> {
        let module = load(words).map_err(Unreadable::Instruction)?;
        let header = module.header.clone().ok_or(Unreadable::NoHeader)?;
        let nodes: Vec<InstNode> = (0..)
            .zip(module.all_inst_iter())
            .map(|(key, inst)| InstNode { key, inst: Rc::new(inst.clone()) })
            .collect();
        let next_key = nodes.len() as u32;
        Ok(Self { header, nodes, next_key })
    }

    /// The module's words.
    pub fn words(&self) -> Vec<u32> {
        let mut words = Vec::new();
        self.header.assemble_into(&mut words);
        self.nodes.iter().for_each(|node| node.inst.assemble_into(&mut words));
        words
    }

    /// The size: instructions in functions, instructions, words.
    pub fn size(&self) -> (usize, usize, usize) {
        let words = self.nodes.iter().map(|node| {
            let inst = &node.inst;
            1 + usize::from(inst.result_type.is_some()) + usize::from(inst.result_id.is_some()) + inst.operands.len()
        });
        (self.nodes.len() - self.functions_at(), self.nodes.len(), words.sum())
    }

    /// The place of the first function.
    pub fn functions_at(&self) -> usize {
        self.nodes.iter().position(|node| node.op() == Op::Function).unwrap_or(self.nodes.len())
    }

    /// The place of the instruction with this key.
    pub fn find(&self, key: u32) -> Option<usize> {
        self.nodes.iter().position(|node| node.key == key)
    }

    /// Replaces an instruction.
    pub fn set(&mut self, at: usize, inst: Instruction) {
        if let Some(node) = self.nodes.get_mut(at) {
            node.inst = Rc::new(inst);
        }
    }

    /// Changes the operands of the instructions for which `of` gives others.
    pub fn rewrite(&mut self, mut of: impl FnMut(Id) -> Option<Id>) {
        for node in &mut self.nodes {
            if node.inst.operands.iter().filter_map(Operand::id_ref_any).any(|id| of(id).is_some()) {
                let inst = Rc::make_mut(&mut node.inst);
                for id in inst.operands.iter_mut().filter_map(Operand::id_ref_any_mut) {
                    *id = of(*id).unwrap_or(*id);
                }
            }
        }
    }

    /// The blocks of all functions, in their order.
    pub fn blocks(&self) -> Vec<BasicBlock> {
        let mut blocks: Vec<BasicBlock> = Vec::new();
        let mut first = false;
        let mut open: Option<BasicBlock> = None;
        for (at, node) in self.nodes.iter().enumerate() {
            match (node.op(), node.inst.result_id) {
                (Op::Function, _) => first = true,
                (Op::Label, Some(label)) => {
                    open = Some(BasicBlock { label, start: at, end: at, first });
                    first = false;
                }
                _ if node.ends_block() => blocks.extend(open.take().map(|block| BasicBlock { end: at, ..block })),
                _ => {}
            }
        }
        blocks
    }

    /// The labels to which the instruction at this place branches, each once.
    pub fn successors(&self, at: usize) -> Vec<Id> {
        let Some(node) = self.nodes.get(at) else { return Vec::new() };
        let skipped = match node.op() {
            Op::Branch => 0,
            Op::BranchConditional | Op::Switch => 1,
            _ => return Vec::new(),
        };
        let mut labels: Vec<Id> = node.inst.operands.iter().skip(skipped).filter_map(Operand::id_ref_any).collect();
        let mut seen = HashSet::new();
        labels.retain(|label| seen.insert(*label));
        labels
    }

    /// The merge instruction of a block: its place.
    pub fn merge(&self, block: &BasicBlock) -> Option<usize> {
        let at = block.end.checked_sub(1).filter(|at| *at > block.start)?;
        matches!(self.nodes.get(at)?.op(), Op::SelectionMerge | Op::LoopMerge).then_some(at)
    }

    /// Adds an instruction at the end of what stands before the functions.
    pub fn add_global(&mut self, inst: Instruction) {
        let (key, at) = (self.next_key, self.functions_at());
        self.next_key += 1;
        self.nodes.insert(at, InstNode { key, inst: Rc::new(inst) });
    }

    /// A new id.
    pub fn new_id(&mut self) -> Id {
        let id = self.header.bound;
        self.header.bound += 1;
        id
    }

    /// The null constant of a type that has one.
    pub fn null(&mut self, ty: Id, types: &Types) -> Option<Id> {
        if !types.nullable.contains(&ty) {
            return None;
        }
        let is_type = |node: &InstNode| node.inst.result_id == Some(ty);
        self.nodes.iter().find(|node| is_type(node))?;
        let is_null = |node: &&InstNode| node.op() == Op::ConstantNull && node.inst.result_type == Some(ty);
        if let Some(found) = self.nodes.iter().find(is_null) {
            return found.inst.result_id;
        }
        let id = self.new_id();
        self.add_global(Instruction::new(Op::ConstantNull, Some(ty), Some(id), Vec::new()));
        Some(id)
    }
}

/// The types of a module's values.
pub struct Types {
    /// The type of each value.
    pub of: HashMap<Id, Id>,
    /// The types that have a null constant.
    pub nullable: HashSet<Id>,
}

impl Types {
    /// The types of a module.
    pub fn new(code: &Code) -> Self {
        let mut types = Self { of: HashMap::new(), nullable: HashSet::new() };
        for node in &code.nodes {
            let Some(id) = node.inst.result_id else { continue };
            if let Some(ty) = node.inst.result_type {
                types.of.insert(id, ty);
            }
            // OpConstantNull (SPIR-V 3.3.7): scalars, vectors, matrices, and composites of these. A
            // pointer has one where addresses are numbers.
            let nullable = |at: usize| node.id(at).is_some_and(|part| types.nullable.contains(&part));
            let has_null = match node.op() {
                Op::TypeBool | Op::TypeInt | Op::TypeFloat => true,
                Op::TypeVector | Op::TypeMatrix | Op::TypeArray => nullable(0),
                Op::TypeStruct => (0..node.inst.operands.len()).all(nullable),
                Op::TypePointer => {
                    node.inst.operands.first() == Some(&Operand::StorageClass(StorageClass::PhysicalStorageBuffer))
                }
                _ => false,
            };
            if has_null {
                types.nullable.insert(id);
            }
        }
        types
    }
}
