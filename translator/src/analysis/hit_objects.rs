//! Which hit objects of a function are one variable.
//!
//! In: a function. Out: a representative of each hit object. Hit objects have the same one if a phi
//! chooses among them, or if one is another with a new record. What must hold: SPIR-V copies no hit
//! object, so those of one representative are one only if at no place more than one of them is
//! still needed. A phi then needs no code: whichever operation ran last made the hit object that it
//! chooses. The others have no representative.

use foldhash::{HashMap, HashSet};

use crate::ir::{Block, Function, InstData, Module, TypeId, Value};
use crate::ops::OpCode;
use dxil_base::entity::SecondaryMap;
use dxil_base::error::{Place, Result};
use dxil_base::limits::Fuel;

/// The operations that make hit objects.
pub const MAKERS: [OpCode; 6] = [
    OpCode::HitObject_TraceRay,
    OpCode::HitObject_FromRayQuery,
    OpCode::HitObject_FromRayQueryWithAttrs,
    OpCode::HitObject_MakeMiss,
    OpCode::HitObject_MakeNop,
    OpCode::HitObject_SetShaderTableIndex,
];

/// Those of them that make a hit object of a ray query's hit, which has no record.
pub const OF_QUERIES: [OpCode; 2] = [OpCode::HitObject_FromRayQuery, OpCode::HitObject_FromRayQueryWithAttrs];

/// Whether an operation made this hit object without a ray.
pub fn is_empty(function: &Function, object: Value) -> bool {
    matches!(function.def_inst(object), Some((_, InstData::Op { op: OpCode::HitObject_MakeNop, .. })))
}

/// The representatives of the hit objects of a function.
#[derive(Debug, Default)]
pub struct HitObjects {
    /// The number of each hit object.
    numbers: HashMap<Value, usize>,
    /// By number: the hit object that a union of hit objects leads to; itself for a representative.
    leaders: Vec<(Value, usize)>,
    /// The representatives of hit objects that cannot be one variable.
    conflicts: HashSet<usize>,
}

impl HitObjects {
    /// The type of the hit objects that the operations of a function make.
    pub fn ty(module: &Module, function: &Function) -> Option<TypeId> {
        function.insts.iter().find_map(|(inst, data)| match data {
            InstData::Op { op, .. } if MAKERS.contains(op) => {
                function.result(inst).map(|object| module.type_of(function, object))
            }
            _ => None,
        })
    }

    /// Finds the representatives. For each hit object, its cost is linear in the blocks where it is
    /// needed.
    ///
    /// # Errors
    /// `Limit` if hit objects are needed in more blocks than the budget allows.
    pub fn find(module: &Module, function: &Function, fuel: &Fuel) -> Result<Self> {
        let Some(ty) = Self::ty(module, function) else { return Ok(Self::default()) };
        let mut objects = Self::default();
        let defined = objects.number(module, function, ty);
        objects.unite(function);
        let ends = Needs::find(function, &objects, &defined, fuel)?;
        for (id, block) in function.blocks.iter() {
            let mut live = Live { objects: &objects, by_leader: HashMap::default(), conflicts: Vec::new() };
            ends.at(id).iter().for_each(|&object| live.need(object));
            for &inst in block.insts.iter().rev() {
                if let Some(object) = function.result(inst).and_then(|result| objects.number_of(result)) {
                    // It takes the variable even if nothing needs it.
                    live.need(object);
                    live.by_leader.remove(&objects.leader(object));
                }
                function.for_each_operand(inst, |value| {
                    objects.number_of(value).into_iter().for_each(|object| live.need(object));
                });
            }
            let conflicts = live.conflicts;
            objects.conflicts.extend(conflicts);
        }
        Ok(objects)
    }

    /// The hit object that stands for `object` and all that are one variable with it. `None` if
    /// there is no such variable.
    pub fn representative(&self, object: Value) -> Option<Value> {
        let leader = self.leader(self.number_of(object)?);
        (!self.conflicts.contains(&leader)).then(|| self.leaders[leader].0)
    }

    fn number_of(&self, value: Value) -> Option<usize> {
        self.numbers.get(&value).copied()
    }

    fn leader(&self, number: usize) -> usize {
        self.leaders[number].1
    }

    /// Numbers the hit objects, and returns the block that defines each.
    fn number(&mut self, module: &Module, function: &Function, ty: TypeId) -> Vec<Block> {
        let mut defined = Vec::new();
        for (id, block) in function.blocks.iter() {
            let makes = |inst| matches!(function.insts[inst], InstData::Op { op, .. } if MAKERS.contains(&op));
            let results = block.insts.iter().filter(|&&inst| makes(inst)).filter_map(|&inst| function.result(inst));
            let params = block.params.iter().copied().filter(|&param| module.type_of(function, param) == ty);
            for object in params.chain(results) {
                self.numbers.insert(object, defined.len());
                self.leaders.push((object, defined.len()));
                defined.push(id);
            }
        }
        defined
    }

    /// Unites the hit objects that a phi or a new record makes one.
    fn unite(&mut self, function: &Function) {
        for block in function.blocks.values() {
            for &inst in &block.insts {
                if let InstData::Op { op: OpCode::HitObject_SetShaderTableIndex, args, .. } = function.insts[inst]
                    && let (Some(result), Some(&object)) = (function.result(inst), function.list(args).first())
                {
                    self.join(function, result, object);
                }
            }
            for call in block.terminator.targets() {
                let params = function.blocks.get(call.block).map_or(&[][..], |block| &block.params);
                for (&param, &arg) in params.iter().zip(function.list(call.args)) {
                    self.join(function, param, arg);
                }
            }
        }
        // Each leads to a lower number, which leads to its representative already.
        for number in 0..self.leaders.len() {
            self.leaders[number].1 = self.leaders[self.leaders[number].1].1;
        }
    }

    /// The representative until now, to which `number` leads on half as long a way afterwards.
    fn shortened(&mut self, mut number: usize) -> usize {
        while self.leaders[number].1 != number {
            self.leaders[number].1 = self.leaders[self.leaders[number].1].1;
            number = self.leaders[number].1;
        }
        number
    }

    /// Unites two hit objects, if the first one is a hit object.
    fn join(&mut self, function: &Function, object: Value, other: Value) {
        let Some(number) = self.number_of(object) else { return };
        let leader = self.shortened(number);
        // A constant is no hit object. One that a query gave has no record, which only its own uses
        // know.
        let has_variable =
            self.number_of(other).filter(|_| !is_param(function, object) || !is_of_query(function, other));
        match has_variable {
            Some(other) => {
                let other = self.shortened(other);
                self.leaders[leader.max(other)].1 = leader.min(other);
                if self.conflicts.contains(&leader) || self.conflicts.contains(&other) {
                    self.conflicts.insert(leader.min(other));
                }
            }
            None => {
                self.conflicts.insert(leader);
            }
        }
    }
}

fn is_param(function: &Function, value: Value) -> bool {
    function.def_inst(value).is_none()
}

fn is_of_query(function: &Function, value: Value) -> bool {
    matches!(function.def_inst(value), Some((_, InstData::Op { op, .. })) if OF_QUERIES.contains(op))
}

/// The hit objects that are needed after a place in a block.
struct Live<'a> {
    objects: &'a HitObjects,
    by_leader: HashMap<usize, usize>,
    conflicts: Vec<usize>,
}

impl Live<'_> {
    /// A hit object is needed. Another one of its variable must not be.
    fn need(&mut self, object: usize) {
        let leader = self.objects.leader(object);
        if *self.by_leader.entry(leader).or_insert(object) != object {
            self.conflicts.push(leader);
        }
    }
}

/// The hit objects that are needed behind each block.
struct Needs(SecondaryMap<Block, Vec<usize>>);

impl Needs {
    fn find(function: &Function, objects: &HitObjects, defined: &[Block], fuel: &Fuel) -> Result<Self> {
        let mut predecessors: SecondaryMap<Block, Vec<Block>> = SecondaryMap::filled(function.blocks.len(), Vec::new());
        for (id, block) in function.blocks.iter() {
            block.terminator.targets().for_each(|call| predecessors[call.block].push(id));
        }
        let mut needs = Self(SecondaryMap::filled(function.blocks.len(), Vec::new()));
        let mut seen: HashSet<(Block, usize)> = HashSet::default();
        // Blocks behind which a hit object is needed.
        let mut open: Vec<(Block, usize)> = Vec::new();
        for (id, block) in function.blocks.iter() {
            let mut needed = |object: usize| {
                if defined[object] != id {
                    open.extend(predecessors[id].iter().map(|&before| (before, object)));
                }
            };
            for &inst in &block.insts {
                function.for_each_operand(inst, |value| {
                    objects.number_of(value).into_iter().for_each(&mut needed);
                });
            }
            function.for_each_terminator_operand(&block.terminator, |value| {
                open.extend(objects.number_of(value).map(|object| (id, object)));
            });
            while let Some((block, object)) = open.pop() {
                if !seen.insert((block, object)) {
                    continue;
                }
                let place = Place::Function(function.number);
                fuel.items::<(Block, usize, usize)>(place, "hit objects in blocks", predecessors[block].len() + 1)?;
                needs.0[block].push(object);
                if defined[object] != block {
                    open.extend(predecessors[block].iter().map(|&before| (before, object)));
                }
            }
        }
        Ok(needs)
    }

    fn at(&self, block: Block) -> &[usize] {
        &self.0[block]
    }
}
