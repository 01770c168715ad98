//! Rewrites choices between values that have no SPIR-V value into choices between their indexes.
//!
//! In: a [strict](crate::analysis::strict) function, and a description of what is chosen
//! ([`ChoiceValue`]): handles or addresses. Out: the same function, in which each choice that the
//! description covers is created from chosen indexes. What must hold: an operand's indexes dominate
//! it, because they are its operands, so they dominate its use in the choice as well. What else a
//! created value uses is a constant or the [base](ChoiceValue::base) of its group, and the base
//! dominates the place of every choice of the group; a group without that proof stays unchanged.
//!
//! A *choice* is a block parameter or `select`. A *group* is a set of choices that are operands of
//! one another.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::strict::{graph, positions};
use crate::ir::{Block, ConstKind, Consts, Def, Func, Function, Inst, InstData, Module, Terminator, TypeId, Value};
use dxil_base::entity::SecondaryMap;
use dxil_base::error;
use dxil_base::error::Result;
use dxil_base::limits::Fuel;
use dxil_structure::analysis::Dominators;

/// What the values of a group have in common: everything but some indexes.
pub(super) trait ChoiceValue: Sized {
    /// A value that is no choice: what it is created from.
    type Origin;

    /// Whether values of a type are chosen.
    fn is_chosen(module: &Module, ty: TypeId) -> bool;
    /// Follows an operand of a choice back to what it is created from.
    fn source(module: &Module, function: &Function, value: Value) -> Incoming<Self::Origin>;
    /// What the operands of these choices have in common; `None` if they differ in more than
    /// indexes.
    fn new(module: &Module, function: &Function, choices: &[&Choice<Self::Origin>]) -> Option<Self>;
    /// The value that every created value uses, besides constants and its indexes.
    fn base(&self) -> Option<Value>;
    /// The types of the indexes that differ within the group.
    fn varying(&self) -> impl Iterator<Item = TypeId>;
    /// The number of values in the list of an origin.
    fn listed(_: &Self::Origin) -> usize {
        0
    }
    /// The values of these indexes for one operand.
    fn indexes(&self, origin: &Self::Origin) -> impl Iterator<Item = Value>;
    /// The operation that creates a value of type `ty` at these indexes. The instructions that it
    /// needs are added to `before`.
    fn create(
        &self,
        consts: &mut Consts,
        function: &mut Function,
        ty: TypeId,
        indexes: &[Value],
        before: &mut Vec<Inst>,
    ) -> InstData;
}

/// One of the values that a choice chooses from.
pub(super) enum Incoming<O> {
    /// A created value.
    Origin(O),
    /// Another choice.
    Choice(Value),
    /// `undef`, which may become any value.
    Any,
    /// Any other value. A group with such a value is not rewritten.
    Other,
}

/// A block parameter or `select`.
pub(super) struct Choice<O> {
    /// The parameter or result.
    pub(super) value: Value,
    /// The condition of a `select`.
    pub(super) condition: Option<Value>,
    /// The operands, in the order of the branches to the block, or of the select's operands.
    pub(super) from: Vec<Incoming<O>>,
    place: ProgramPoint,
}

/// A block, and the number of its instructions up to and including the one meant; zero for the head
/// of the block.
type ProgramPoint = (Block, usize);

impl<O> Choice<O> {
    /// The choices among the operands.
    fn others(&self) -> impl Iterator<Item = Value> {
        self.from.iter().filter_map(|source| match source {
            Incoming::Choice(value) => Some(*value),
            _ => None,
        })
    }
}

/// A set of choices to rewrite.
pub(super) struct ChoiceGroup<C: ChoiceValue> {
    pub(super) choices: Vec<Choice<C::Origin>>,
    pub(super) common: C,
}

/// What is charged for choices.
const CHOICES: &str = "choices between handles or addresses";

/// The groups of a function that can be rewritten, ordered by their first choice.
///
/// # Errors
/// `Limit` if there are more choices than the budget allows.
pub(super) fn groups<C: ChoiceValue>(module: &Module, function: &Function, fuel: &Fuel) -> Result<Vec<ChoiceGroup<C>>> {
    let (choices, operands) = number_of_choices::<C>(module, function);
    if choices == 0 {
        return Ok(Vec::new());
    }
    let place = error::Place::Function(function.number);
    fuel.steps(place, CHOICES, operands)?;
    // A choice with its number and its neighbours, and an operand with the two neighbours that it
    // makes.
    fuel.items::<(Choice<C::Origin>, (Value, usize), Vec<usize>)>(place, CHOICES, choices)?;
    fuel.items::<(Incoming<C::Origin>, [usize; 2])>(place, CHOICES, operands)?;
    let choices = self::choices::<C>(module, function, fuel)?;
    let sets = connected(choices.iter().map(|choice| (choice.value, choice.others())));
    let mut choices: Vec<Option<Choice<C::Origin>>> = choices.into_iter().map(Some).collect();
    let dominance = LazyDominance::new(function);
    let mut groups = Vec::new();
    for numbers in sets {
        let set: Vec<&Choice<C::Origin>> = numbers.iter().filter_map(|&i| choices[i].as_ref()).collect();
        let Some(common) = C::new(module, function, &set) else { continue };
        if common.base().is_none_or(|base| set.iter().all(|choice| dominance.dominates(base, choice.place))) {
            let choices = numbers.iter().filter_map(|&i| choices[i].take()).collect();
            groups.push(ChoiceGroup { choices, common });
        }
    }
    Ok(groups)
}

/// The number of choices of a function and the number of their operands, which are known before
/// anything is stored of them.
fn number_of_choices<C: ChoiceValue>(module: &Module, function: &Function) -> (usize, usize) {
    let is_chosen = |value: Value| C::is_chosen(module, module.type_of(function, value));
    let mut params = SecondaryMap::filled(function.blocks.len(), 0);
    let mut selects = 0;
    for (block, data) in function.blocks.iter() {
        params[block] = data.params.iter().filter(|&&param| is_chosen(param)).count();
        let is_choice =
            |&&inst: &&Inst| matches!(function.insts[inst], InstData::Select { then, .. } if is_chosen(then));
        selects += data.insts.iter().filter(is_choice).count();
    }
    let targets = function.blocks.values().flat_map(|block| block.terminator.targets());
    let passed: usize = targets.map(|call| params[call.block]).sum();
    (params.values().sum::<usize>() + selects, passed + 2 * selects)
}

/// All choices of a function: parameters, then selects. A parameter to which no block branches has
/// no operands and is left out.
fn choices<C: ChoiceValue>(module: &Module, function: &Function, fuel: &Fuel) -> Result<Vec<Choice<C::Origin>>> {
    let is_chosen = |value: Value| C::is_chosen(module, module.type_of(function, value));
    let source = |value: Value| {
        let source = C::source(module, function, value);
        if let Incoming::Origin(origin) = &source {
            fuel.items::<Value>(error::Place::Function(function.number), CHOICES, C::listed(origin))?;
        }
        Ok(source)
    };
    let mut of_param: BTreeMap<Value, Choice<C::Origin>> = BTreeMap::new();
    let mut selects = Vec::new();
    for (id, block) in function.blocks.iter() {
        for call in block.terminator.targets() {
            for (&value, &arg) in function.blocks[call.block].params.iter().zip(function.list(call.args)) {
                if is_chosen(value) {
                    let choice = Choice { value, condition: None, from: Vec::new(), place: (call.block, 0) };
                    of_param.entry(value).or_insert(choice).from.push(source(arg)?);
                }
            }
        }
        for (number, &inst) in block.insts.iter().enumerate() {
            if let (&InstData::Select { condition, then, otherwise }, Some(value)) =
                (&function.insts[inst], function.result(inst))
                && is_chosen(value)
            {
                let from = vec![source(then)?, source(otherwise)?];
                selects.push(Choice { value, condition: Some(condition), from, place: (id, number + 1) });
            }
        }
    }
    Ok(of_param.into_values().chain(selects).collect())
}

/// The sets of choices that are operands of one another, as lists of their numbers, ordered by the
/// first number. An operand that is not among the choices is left out.
pub(super) fn connected<I: IntoIterator<Item = Value>>(choices: impl Iterator<Item = (Value, I)>) -> Vec<Vec<usize>> {
    let (values, operands): (Vec<Value>, Vec<I>) = choices.unzip();
    let number: BTreeMap<Value, usize> = values.iter().enumerate().map(|(i, &value)| (value, i)).collect();
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); values.len()];
    for (i, operands) in operands.into_iter().enumerate() {
        for other in operands.into_iter().filter_map(|value| number.get(&value).copied()) {
            near[i].push(other);
            near[other].push(i);
        }
    }
    let mut seen = vec![false; values.len()];
    let mut groups = Vec::new();
    for start in 0..values.len() {
        let (mut group, mut stack) = (Vec::new(), vec![start]);
        while let Some(i) = stack.pop() {
            if !std::mem::replace(&mut seen[i], true) {
                group.push(i);
                stack.extend(&near[i]);
            }
        }
        if !group.is_empty() {
            groups.push(group);
        }
    }
    groups
}

/// Where the instructions of a function are; `None` for those in no block.
type Places = SecondaryMap<Inst, Option<ProgramPoint>>;

/// The definitions and the dominators of a function, found when they are first asked for.
struct LazyDominance<'f> {
    function: &'f Function,
    found: OnceCell<(Places, Dominators<Block>)>,
}

impl<'f> LazyDominance<'f> {
    fn new(function: &'f Function) -> Self {
        Self { function, found: OnceCell::new() }
    }

    /// Whether the definition of a constant, an argument or an instruction's result dominates a
    /// place.
    fn dominates(&self, value: Value, place: ProgramPoint) -> bool {
        let def = value.as_local().and_then(|local| self.function.locals.get(local)).map(|local| local.def);
        let inst = match def {
            None | Some(Def::Arg(_)) => return true,
            Some(Def::Param(_)) => return false,
            Some(Def::Inst(inst)) => inst,
        };
        let find = || (positions(self.function), Dominators::new(&graph(self.function)));
        let (places, dominators) = self.found.get_or_init(find);
        match places[inst] {
            Some((block, number)) if block == place.0 => number < place.1,
            Some((block, _)) => dominators.dominates(block, place.0),
            None => false,
        }
    }
}

/// Replaces the choices of all groups by choices between their indexes.
///
/// # Errors
/// `Limit` if the result would be too much code.
pub(super) fn rewrite<C: ChoiceValue>(
    module: &mut Module,
    func: Func,
    groups: &[ChoiceGroup<C>],
    fuel: &Fuel,
) -> Result<()> {
    let Module { consts, functions, .. } = module;
    let mut rewriter = Rewriter {
        consts,
        function: &mut functions[func],
        indexes: BTreeMap::new(),
        params: BTreeMap::new(),
        heads: BTreeMap::new(),
        selects: BTreeMap::new(),
    };
    // First every choice becomes a value that is created at new indexes, whose operands are set
    // afterwards: choices may be operands of one another in a circle.
    for group in groups {
        for choice in &group.choices {
            let bytes = rewriter.function.bytes();
            rewriter.create(group, choice);
            rewriter.charge(bytes, fuel)?;
        }
    }
    rewriter.place();
    rewriter.select(groups);
    rewriter.pass(groups, fuel)
}

struct Rewriter<'a> {
    consts: &'a mut Consts,
    function: &'a mut Function,
    /// The new indexes of each choice.
    indexes: BTreeMap<Value, Vec<Value>>,
    /// The parameters of a block before, and the choices among them, in the order in which their
    /// indexes follow the other parameters.
    params: BTreeMap<Block, (Vec<Value>, Vec<Value>)>,
    /// The instructions that create the choices among a block's parameters.
    heads: BTreeMap<Block, Vec<Inst>>,
    /// The instructions before a `select` that is rewritten: first the selects of indexes.
    selects: BTreeMap<Inst, Vec<Inst>>,
}

impl Rewriter<'_> {
    /// Charges what the function has grown by since it had this many bytes.
    fn charge(&self, bytes: usize, fuel: &Fuel) -> Result<()> {
        let place = error::Place::Function(self.function.number);
        fuel.items::<u8>(place, CHOICES, self.function.bytes().saturating_sub(bytes))
    }

    /// Makes the indexes of a choice, and creates its value at them.
    fn create<C: ChoiceValue>(&mut self, group: &ChoiceGroup<C>, choice: &Choice<C::Origin>) {
        let local = choice.value.as_local().and_then(|local| self.function.locals.get(local)).copied();
        let Some(local) = local else { return };
        let (mut indexes, mut before) = (Vec::new(), Vec::new());
        for ty in group.common.varying() {
            match local.def {
                Def::Param(_) | Def::Arg(_) => indexes.push(self.function.make_local(ty, local.def)),
                Def::Inst(select) => {
                    let inst = self.function.make_inst(self.function.insts[select], Some(ty));
                    before.push(inst);
                    indexes.extend(self.function.result(inst));
                }
            }
        }
        let created = group.common.create(self.consts, self.function, local.ty, &indexes, &mut before);
        self.indexes.insert(choice.value, indexes);
        match local.def {
            Def::Param(block) => {
                before.push(self.function.define(choice.value, created));
                self.heads.entry(block).or_default().extend(before);
                let params = || (self.function.blocks[block].params.clone(), Vec::new());
                self.params.entry(block).or_insert_with(params).1.push(choice.value);
            }
            Def::Inst(inst) => {
                self.function.insts[inst] = created;
                self.selects.insert(inst, before);
            }
            Def::Arg(_) => {}
        }
    }

    /// Puts the new parameters and instructions into their blocks.
    fn place(&mut self) {
        for (&block, (_, choices)) in &self.params {
            let chosen: BTreeSet<Value> = choices.iter().copied().collect();
            let params = &mut self.function.blocks[block].params;
            params.retain(|param| !chosen.contains(param));
            params.extend(choices.iter().filter_map(|choice| self.indexes.get(choice)).flatten());
        }
        let blocks = self.function.blocks.keys();
        for (block, data) in blocks.zip(self.function.blocks.values_mut()) {
            let mut insts = self.heads.remove(&block).unwrap_or_default();
            for &inst in &data.insts {
                insts.extend(self.selects.get(&inst).into_iter().flatten());
                insts.push(inst);
            }
            data.insts = insts;
        }
    }

    /// Gives the selects of indexes their operands.
    fn select<C: ChoiceValue>(&mut self, groups: &[ChoiceGroup<C>]) {
        for ChoiceGroup { choices, common } in groups {
            for choice in choices {
                let (Some(condition), [then, otherwise]) = (choice.condition, &choice.from[..]) else { continue };
                let then = indexes_of(common, then, &self.indexes, self.consts);
                let otherwise = indexes_of(common, otherwise, &self.indexes, self.consts);
                let indexes = self.indexes.get(&choice.value).into_iter().flatten();
                for (&index, (then, otherwise)) in indexes.zip(then.into_iter().zip(otherwise)) {
                    if let Some((inst, _)) = self.function.def_inst(index) {
                        self.function.insts[inst] = InstData::Select { condition, then, otherwise };
                    }
                }
            }
        }
    }

    /// Passes indexes instead of values to the blocks whose parameters were choices.
    fn pass<C: ChoiceValue>(&mut self, groups: &[ChoiceGroup<C>], fuel: &Fuel) -> Result<()> {
        // The sources of a parameter are in the order of the branches.
        let mut sources = BTreeMap::new();
        for ChoiceGroup { choices, common } in groups {
            sources.extend(choices.iter().map(|choice| (choice.value, (common, choice.from.iter()))));
        }
        let blocks: Vec<Block> = self.function.blocks.keys().collect();
        for block in blocks {
            let terminator = &mut self.function.blocks[block].terminator;
            let mut terminator = std::mem::replace(terminator, Terminator::Unreachable);
            for call in terminator.targets_mut() {
                let Some((before, choices)) = self.params.get(&call.block) else { continue };
                let args = before.iter().zip(self.function.list(call.args));
                let others = args.filter(|(param, _)| !self.indexes.contains_key(param));
                let mut args: Vec<Value> = others.map(|(_, &arg)| arg).collect();
                for choice in choices {
                    let Some((common, sources)) = sources.get_mut(choice) else { continue };
                    let source = sources.next().unwrap_or(&Incoming::Any);
                    args.extend(indexes_of(*common, source, &self.indexes, self.consts));
                }
                let bytes = self.function.bytes();
                call.args = self.function.make_list(&args);
                self.charge(bytes, fuel)?;
            }
            self.function.blocks[block].terminator = terminator;
        }
        Ok(())
    }
}

/// The indexes at which an operand of a choice is created.
fn indexes_of<C: ChoiceValue>(
    common: &C,
    source: &Incoming<C::Origin>,
    of_choices: &BTreeMap<Value, Vec<Value>>,
    consts: &mut Consts,
) -> Vec<Value> {
    match source {
        Incoming::Origin(origin) => return common.indexes(origin).collect(),
        Incoming::Choice(choice) => {
            if let Some(indexes) = of_choices.get(choice) {
                return indexes.clone();
            }
        }
        Incoming::Any | Incoming::Other => {}
    }
    // An undefined value becomes a value at undefined indexes. A parameter to which no block
    // branches is as good as undefined.
    common.varying().map(|ty| consts.value(ty, ConstKind::Undef)).collect()
}
