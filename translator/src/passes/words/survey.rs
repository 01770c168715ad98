//! Finds the variables that must become words, and the sets that share an array.
//!
//! In: functions. Out: a [`Plan`]. What must hold: pointers that may point into the same variable
//! are in one set, and a decision applies to the whole set.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use foldhash::HashMap;

use super::plan::{ArrayOffset, NO_ARRAY, Plan, WordArray};
use crate::analysis::address::{Address, Reason, same_bits};
use crate::ir::data_layout::Sizes;
use crate::ir::{
    AddressSpace, Const, ConstKind, Def, Func, Function, Global, Inst, InstData, Module, Terminator, Type, TypeId,
    Value, ValueKind,
};
use dxil_base::entity::Entity;
use dxil_base::limits;

/// The address and the type of a load, store or atomic operation, and whether it is atomic.
fn accessed(module: &Module, function: &Function, inst: Inst, data: InstData) -> Option<(Value, TypeId, bool)> {
    let (ptr, value, atomic) = match data {
        InstData::Load { ptr, .. } => (ptr, function.result(inst)?, false),
        InstData::Store { ptr, value, .. } => (ptr, value, false),
        InstData::AtomicRmw { ptr, value, .. } | InstData::CmpXchg { ptr, new: value, .. } => (ptr, value, true),
        _ => return None,
    };
    Some((ptr, module.type_of(function, value), atomic)).filter(|&(_, ty, _)| !module.types.is_pointer(ty))
}

/// Whether an access of a type is not a single access path into a variable, given its address.
pub(in crate::passes) fn is_irregular(module: &Module, ty: TypeId, address: Result<&Address, &Reason>) -> bool {
    match address {
        Ok(address) => !same_bits(module, address.ty, ty),
        Err(Reason::Irregular(_)) => true,
        // Lowering reports the error.
        Err(Reason::Malformed(_)) => false,
    }
}

/// A load, store or atomic operation.
struct PointerAccess {
    node: usize,
    ty: TypeId,
    atomic: bool,
}

/// What is known of a set of pointers, stored at its root.
#[derive(Clone, Copy, Default)]
struct SetProperties {
    /// An access is not a single access path into one variable.
    irregular: bool,
    /// An address is used for something other than an access.
    escapes: bool,
}

/// All pointers of the functions, in sets of those that may be of the same variables.
pub(super) struct Survey<'m> {
    module: &'m Module,
    functions: &'m [Func],
    /// The node number of each function's first local. The module's variables follow the last
    /// local.
    first: BTreeMap<Func, usize>,
    first_global: usize,
    /// Union-find: a node's parent. A root is its own parent.
    parent: Vec<usize>,
    known: Vec<SetProperties>,
    accesses: Vec<PointerAccess>,
    /// By constant: the variable that it is an address in.
    constants: Vec<PointerNode>,
}

/// The node that a pointer belongs to.
#[derive(Clone, Copy)]
enum PointerNode {
    Node(usize),
    /// `undef` or null, which point into no variable.
    None,
    /// A value that is not an address in a variable.
    Other,
}

/// The origins of all constants. The node of the module's first variable is given.
fn origins(module: &Module, first_global: usize) -> Vec<PointerNode> {
    let mut origins: Vec<PointerNode> = Vec::with_capacity(module.consts.len());
    for (_, data) in module.consts.iter() {
        // A constant comes after those that it consists of.
        let at = |constant: Const| origins.get(constant.index()).copied().unwrap_or(PointerNode::Other);
        origins.push(match data.kind {
            ConstKind::GlobalAddr(global) => PointerNode::Node(first_global + global.index()),
            ConstKind::Gep { base, .. } => at(base),
            ConstKind::Cast { value, .. } if module.types.is_pointer(module.consts[value].ty) => at(value),
            ConstKind::Undef | ConstKind::Null => PointerNode::None,
            _ => PointerNode::Other,
        });
    }
    origins
}

impl<'m> Survey<'m> {
    pub(super) fn new(module: &'m Module, functions: &'m [Func]) -> Self {
        let (mut first, mut count) = (BTreeMap::new(), 0);
        for &func in functions {
            first.insert(func, count);
            count += module.functions[func].locals.len();
        }
        let nodes = count + module.globals.len();
        let mut survey = Self {
            module,
            functions,
            first,
            first_global: count,
            parent: (0..nodes).collect(),
            known: vec![SetProperties::default(); nodes],
            accesses: Vec::new(),
            constants: origins(module, count),
        };
        for &func in functions {
            survey.function(func, &module.functions[func]);
        }
        survey
    }

    fn root(&mut self, mut node: usize) -> usize {
        while self.parent[node] != node {
            self.parent[node] = self.parent[self.parent[node]];
            node = self.parent[node];
        }
        node
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        // The lower number becomes the root, so that the result does not depend on the order of
        // joins.
        let (low, high) = (a.min(b), a.max(b));
        self.parent[high] = low;
        let known = self.known[high];
        self.known[low].irregular |= known.irregular;
        self.known[low].escapes |= known.escapes;
    }

    fn mark(&mut self, node: usize, mark: impl FnOnce(&mut SetProperties)) {
        let root = self.root(node);
        mark(&mut self.known[root]);
    }

    fn origin(&self, func: Func, value: Value) -> PointerNode {
        match value.kind() {
            ValueKind::Local(local) => PointerNode::Node(self.first[&func] + local),
            ValueKind::Const(constant) => self.constants.get(constant.index()).copied().unwrap_or(PointerNode::Other),
        }
    }

    /// Records that a pointer is derived from, or may be, another pointer.
    fn follows(&mut self, func: Func, value: Value, from: Value) {
        let PointerNode::Node(node) = self.origin(func, value) else { return };
        match self.origin(func, from) {
            PointerNode::Node(other) => self.join(node, other),
            PointerNode::None => {}
            PointerNode::Other => self.mark(node, |known| known.escapes = true),
        }
    }

    /// Records that a pointer is used in a way that an offset cannot express.
    fn escapes(&mut self, func: Func, value: Value) {
        if let PointerNode::Node(node) = self.origin(func, value) {
            self.mark(node, |known| known.escapes = true);
        }
    }

    fn function(&mut self, func: Func, function: &Function) {
        let module = self.module;
        let is_pointer = |value| module.types.is_pointer(module.type_of(function, value));
        for &arg in function.args.iter().filter(|&&arg| is_pointer(arg)) {
            self.escapes(func, arg);
        }
        for block in function.blocks.values() {
            for &inst in &block.insts {
                let data = function.insts[inst];
                if let Some((ptr, ty, atomic)) = accessed(module, function, inst, data) {
                    self.access(func, function, ptr, ty, atomic);
                    continue;
                }
                match (data, function.result(inst).filter(|&result| is_pointer(result))) {
                    (InstData::Alloca { .. }, _) => {}
                    (InstData::Gep { base, .. }, Some(result)) => self.follows(func, result, base),
                    (InstData::Cast { value, .. }, Some(result)) if is_pointer(value) => {
                        self.follows(func, result, value)
                    }
                    (InstData::Select { then, otherwise, .. }, Some(result)) => {
                        self.follows(func, result, then);
                        self.follows(func, result, otherwise);
                        self.chosen(func, result);
                    }
                    (_, result) => {
                        if let Some(result) = result {
                            self.escapes(func, result);
                        }
                        function.for_each_operand(inst, |operand| {
                            if is_pointer(operand) {
                                self.escapes(func, operand);
                            }
                        });
                    }
                }
            }
            for call in block.terminator.targets() {
                for (&param, &arg) in function.blocks[call.block].params.iter().zip(function.list(call.args)) {
                    if is_pointer(param) {
                        self.follows(func, param, arg);
                        self.chosen(func, param);
                    }
                }
            }
            if let Terminator::Return(Some(value)) = block.terminator
                && is_pointer(value)
            {
                self.escapes(func, value);
            }
        }
    }

    fn chosen(&mut self, func: Func, value: Value) {
        if let PointerNode::Node(node) = self.origin(func, value) {
            self.mark(node, |known| known.irregular = true);
        }
    }

    fn access(&mut self, func: Func, function: &Function, ptr: Value, ty: TypeId, atomic: bool) {
        let PointerNode::Node(node) = self.origin(func, ptr) else { return };
        self.accesses.push(PointerAccess { node, ty, atomic });
        if is_irregular(self.module, ty, Address::resolve(self.module, function, ptr).as_ref()) {
            self.mark(node, |known| known.irregular = true);
        }
    }

    /// Plans an array for each set that needs one and can have one.
    pub(super) fn plan(&mut self, sizes: &Sizes) -> Plan {
        let module = self.module;
        // The accesses and the variables, each with the root of its set. There may be as many sets
        // as variables, so the members of all sets are in one list, and those of a set are next to
        // each other.
        let mut accesses = std::mem::take(&mut self.accesses);
        for access in &mut accesses {
            access.node = self.root(access.node);
        }
        let mut globals = Vec::new();
        for (global, _) in module.globals.iter() {
            let root = self.root(self.first_global + global.index());
            globals.push((root, global));
        }
        let mut allocas = Vec::new();
        for &func in self.functions {
            let function = &module.functions[func];
            for (index, local) in function.locals.iter().enumerate() {
                if let Def::Inst(inst) = local.def
                    && let InstData::Alloca { ty } = function.insts[inst]
                {
                    let root = self.root(self.first[&func] + index);
                    allocas.push((root, (func, Value::local(index), ty)));
                }
            }
        }
        let needs = |root: usize| self.known.get(root).is_some_and(|known| known.irregular && !known.escapes);
        accesses.retain(|access| needs(access.node));
        globals.retain(|&(root, _)| needs(root));
        allocas.retain(|&(root, _)| needs(root));
        accesses.sort_by_key(|access| access.node);
        globals.sort_by_key(|&(root, _)| root);
        allocas.sort_by_key(|&(root, _)| root);
        let mut plan =
            Plan { arrays: Vec::new(), pointers: BTreeMap::new(), allocas: BTreeMap::new(), globals: BTreeMap::new() };
        let mut array_of: HashMap<usize, u32> = HashMap::default();
        let mut leaves_of = LeavesByType::default();
        let (mut accesses, mut globals, mut allocas) = (&accesses[..], &globals[..], &allocas[..]);
        // A set without a variable has no array.
        while let Some(root) = globals.first().map(|of| of.0).into_iter().chain(allocas.first().map(|of| of.0)).min() {
            accesses = &accesses[accesses.partition_point(|access| access.node < root)..];
            let members = PointerSet {
                accesses: take(&mut accesses, |access| access.node == root),
                globals: take(&mut globals, |of| of.0 == root),
                allocas: take(&mut allocas, |of| of.0 == root),
            };
            let number = plan.arrays.len() as u32;
            if let Some(shared) = members.share(module, sizes, &mut leaves_of, &mut plan) {
                array_of.insert(root, number);
                plan.arrays.push(shared);
            }
        }
        for &func in self.functions {
            let function = &module.functions[func];
            let mut arrays = Vec::new();
            for (index, local) in function.locals.iter().enumerate() {
                if !module.types.is_pointer(local.ty) {
                    continue;
                }
                let root = self.root(self.first[&func] + index);
                if let Some(&array) = array_of.get(&root) {
                    if arrays.is_empty() {
                        arrays = vec![NO_ARRAY; function.locals.len()];
                    }
                    if let Some(slot) = arrays.get_mut(index) {
                        *slot = array;
                    }
                }
            }
            if !arrays.is_empty() {
                plan.pointers.insert(func, arrays.into());
            }
        }
        plan
    }
}

/// Takes the first items of a list, as far as a condition holds for them.
fn take<'a, T>(list: &mut &'a [T], condition: impl Fn(&T) -> bool) -> &'a [T] {
    let (first, rest) = list.split_at(list.iter().position(|item| !condition(item)).unwrap_or(list.len()));
    *list = rest;
    first
}

/// The members of one set, each of the variables with the set's root.
struct PointerSet<'a> {
    globals: &'a [(usize, Global)],
    allocas: &'a [(usize, (Func, Value, TypeId))],
    accesses: &'a [PointerAccess],
}

impl PointerSet<'_> {
    /// The array of the set, or `None` if it cannot have one. Enters the offsets of its variables
    /// into the plan.
    fn share(
        &self,
        module: &Module,
        sizes: &Sizes,
        leaves_of: &mut LeavesByType,
        plan: &mut Plan,
    ) -> Option<WordArray> {
        let spaces = self.globals.iter().map(|&(_, global)| module.globals[global].space);
        let mut spaces = spaces.chain(self.allocas.iter().map(|_| AddressSpace::Default));
        let space = spaces.next()?;
        if spaces.any(|other| other != space) || !matches!(space, AddressSpace::Default | AddressSpace::GroupShared) {
            return None;
        }
        let (word, bits) = self.word(module, leaves_of, space)?;
        let mut bytes = 0u64;
        let mut place = |ty: TypeId| -> Option<u64> {
            let start = bytes.next_multiple_of(8);
            bytes = start + sizes.stride(ty)?;
            (bytes <= limits::WORD_MEMORY).then_some(start)
        };
        let mut globals = Vec::with_capacity(self.globals.len());
        for &(_, global) in self.globals {
            globals.push((global, place(module.globals[global].ty)?));
        }
        let mut allocas = Vec::with_capacity(self.allocas.len());
        for &(_, (func, value, ty)) in self.allocas {
            allocas.push(((func, value), place(ty)?));
        }
        for &(global, _) in &globals {
            if let Some(init) = module.globals[global].init
                && !leaves_of.is_data(module, init)
            {
                return None;
            }
        }
        let owner = match (self.globals, self.allocas) {
            ([], [(_, first), rest @ ..]) if rest.iter().all(|(_, other)| other.0 == first.0) => Some(first.0),
            _ => None,
        };
        let array = plan.arrays.len();
        plan.globals.extend(globals.iter().map(|&(global, offset)| (global, ArrayOffset { array, offset })));
        plan.allocas.extend(allocas);
        Some(WordArray { space, word, bits, bytes, owner, globals })
    }

    /// The type and the width of the array's elements. If all accessed numbers have one type, it is
    /// that type; if they have one width, an integer of that width. Otherwise it is a 32-bit
    /// integer, and a 64-bit number takes two elements.
    fn word(&self, module: &Module, leaves_of: &mut LeavesByType, space: AddressSpace) -> Option<(Option<TypeId>, u8)> {
        let accessed: BTreeSet<TypeId> = self.accesses.iter().map(|access| access.ty).collect();
        let mut leaves = BTreeSet::new();
        for &ty in &accessed {
            leaves.extend(&leaves_of.get(module, ty)?.types);
        }
        let bits_of = |ty: TypeId| module.types.scalar_bits(ty);
        let first = *leaves.first()?;
        let one_width = leaves.iter().all(|&ty| bits_of(ty) == bits_of(first));
        let (word, bits) = match bits_of(first)? {
            bits @ (16 | 32 | 64) if one_width => (Some(first).filter(|_| leaves.len() == 1), bits),
            _ => (None, 32),
        };
        // Atomic operations must access whole words, in memory that other threads see.
        let mut atomics = self.accesses.iter().filter(|access| access.atomic).peekable();
        let shared = atomics.peek().is_none() || space == AddressSpace::GroupShared;
        (shared && atomics.all(|access| module.types[access.ty] == Type::Int(bits))).then_some((word, bits))
    }
}

/// What an object consists of.
#[derive(Clone)]
struct Leaves {
    /// How many numbers. An object without numbers, such as `{}`, counts as one.
    count: usize,
    /// The types of the numbers.
    types: BTreeSet<TypeId>,
}

/// What the types and constants that are asked for consist of, each found once.
#[derive(Default)]
struct LeavesByType {
    known: BTreeMap<TypeId, Option<Rc<Leaves>>>,
    /// Whether structures and arrays among the constants consist of numbers.
    data: BTreeMap<Const, bool>,
}

impl LeavesByType {
    /// What a type consists of. Returns `None` if it does not consist of numbers, or of too many.
    fn get(&mut self, module: &Module, ty: TypeId) -> Option<Rc<Leaves>> {
        if let Some(known) = self.known.get(&ty) {
            return known.clone();
        }
        let found = self.find(module, ty).map(Rc::new);
        self.known.insert(ty, found.clone());
        found
    }

    /// Whether a constant consists of numbers.
    fn is_data(&mut self, module: &Module, constant: Const) -> bool {
        match &module.consts[constant].kind {
            ConstKind::Int(_) | ConstKind::Float(_) | ConstKind::Null | ConstKind::Undef => true,
            ConstKind::Aggregate(parts) => match self.data.get(&constant) {
                Some(&known) => known,
                None => {
                    let found = parts.iter().all(|&part| self.is_data(module, part));
                    self.data.insert(constant, found);
                    found
                }
            },
            _ => false,
        }
    }

    fn find(&mut self, module: &Module, ty: TypeId) -> Option<Leaves> {
        let mut leaves = Leaves { count: 0, types: BTreeSet::new() };
        match &module.types[ty] {
            Type::Int(_) | Type::Float(_) => {
                leaves.types.insert(ty);
            }
            Type::Vector { element, len } | Type::Array { element, len } => {
                if *len != 0 {
                    leaves.add(&*self.get(module, *element)?, *len as usize)?;
                }
            }
            Type::Struct { fields, .. } => {
                for &field in fields {
                    leaves.add(&*self.get(module, field)?, 1)?;
                }
            }
            _ => return None,
        }
        leaves.count = leaves.count.max(1);
        Some(leaves)
    }
}

impl Leaves {
    /// Adds parts that are alike. Returns `None` if there are too many.
    fn add(&mut self, part: &Leaves, times: usize) -> Option<()> {
        self.count = self.count.saturating_add(part.count.saturating_mul(times));
        self.types.extend(&part.types);
        (self.count <= limits::VALUE_LEAVES).then_some(())
    }
}
