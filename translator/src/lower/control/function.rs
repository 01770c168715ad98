//! Emission of one function. Its graph is structured, the paths of its values are planned, and its
//! blocks are written in order.
//!
//! In: an IR function. Out: an OpFunction. What must hold: every value that a block reads is
//! defined on every path to the block, or comes through a phi that [`flow`] planned; [`structure`]
//! decides control flow, and this file only emits it.

use foldhash::HashMap;
use rspirv::spirv::{FunctionControl, LoopControl, Op, SelectionControl};

use super::flow::{Flow, Given, Role};
use super::{flow, llvm};
use crate::analysis::entry::{Interlock, graph, ir_block};
use crate::ir;
use crate::ir::{Block, Inst, InstData, Terminator, Type, Value};
use crate::lower::cx::{Call, Code, EntryCx, FunctionCx, FunctionIds, Lowered, precision};
use crate::lower::dispatch;
use crate::lower::numbers::operators;
use crate::lower::stages::{amplification, demote, interlock, point};
use crate::ops::OpCode;
use crate::ops::consts::ShaderStage;
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};
use dxil_base::quirks::Quirk;
use dxil_spirv_builder as spirv;
use dxil_spirv_builder::{Id, Module, OpenBlock, Terminated};
use dxil_structure as structure;
use dxil_structure::ssa;
use dxil_structure::ssa::Source;
use dxil_structure::{Condition, Exit, Layout, Merge, Node, Operand, Selector, SelectorType, SelectorValue};

/// A phi whose operands are filled in when all values have been written.
struct Pending {
    phi: spirv::Phi,
    entries: Vec<(Node, Source<Given>)>,
    ty: Id,
}

/// Lowers one function, with a state of its own.
pub fn lower_function<'a>(
    module_cx: &mut EntryCx<'a>,
    module: &mut Module<'_>,
    func: ir::Func,
    ids: FunctionIds,
) -> Result<()> {
    let function: &'a ir::Function = &module_cx.input.program.module.functions[func];
    module_cx.place = Place::Function(function.number);
    let cx = &mut FunctionCx::new(module_cx, func);
    let mut graph = graph(&cx.input.program.module, function);
    if matches!(cx.analysis.interlock, Some(Interlock::Run(..))) {
        // Instructions of a critical section must not be duplicated, so only empty blocks may be.
        graph.blocks.values_mut().for_each(|block| block.cheap &= block.size == 0);
    }
    let structured =
        structure::structure_with_fuel(&graph, &structure::Options::default(), &module.fuel).map_err(|e| {
            dxil_base::error::Error::new(e.kind(), cx.entry.place, format!("{}: {}", e.place(), e.message()))
        })?;
    let layout = structured.layout;
    let keeps = module.caps.has_quirk(Quirk::LoopsLoseValues) && !cx.analysis.handles.has_non_uniform();
    let flow = flow::plan(cx, function, &layout, &module.fuel, keeps)?;
    let labels = layout.nodes.keys().map(|_| module.fresh()).collect();
    let mut point = module.function(ids.id, ids.ty, FunctionControl::NONE);
    for &arg in &function.args {
        if func == cx.input.entry.func {
            // The arguments of an entry point are variables (`memory::payloads`).
            cx.locals.set(arg, Lowered::Virtual);
            continue;
        }
        let ty = cx.type_of(arg);
        let spirv_ty = arg_type(cx, &mut point, ty)?;
        cx.locals.set(arg, Lowered::Id(point.parameter(spirv_ty)));
    }
    let mut emitter = Emitter {
        function,
        layout: &layout,
        flow,
        labels,
        pending: Vec::new(),
        phi_ids: HashMap::default(),
        end_labels: vec![None; layout.nodes.len()],
        selectors: HashMap::default(),
        negated: HashMap::default(),
        wholes: HashMap::default(),
        kept: HashMap::default(),
        reloaded: HashMap::default(),
        negated_loads: HashMap::default(),
        unrolling: unrolling(function, &layout),
    };
    let mut is_first = true;
    for (node, data) in layout.nodes.iter() {
        let mut code = point.open(emitter.label(cx, node)?);
        cx.node = node;
        emitter.head(cx, &mut code, node)?;
        if std::mem::take(&mut is_first) {
            if func == cx.input.entry.func {
                point::prologue(cx, &mut code)?;
            }
            if cx.analysis.interlock == Some(Interlock::Whole) {
                interlock::begin(&mut code);
            }
        }
        if let Some(block) = data.origin {
            for &inst in &function.blocks[ir_block(block)].insts {
                match cx.analysis.interlock {
                    Some(Interlock::Run(first, last)) if inst == first || inst == last => {
                        if inst == first {
                            interlock::begin(&mut code);
                        }
                        instruction(cx, &mut code, function, inst)?;
                        if inst == last {
                            interlock::end(&mut code);
                        }
                    }
                    _ => instruction(cx, &mut code, function, inst)?,
                }
            }
        }
        cx.entry.place = Place::Function(function.number);
        if !matches!(data.exit, Exit::Return(_)) {
            amplification::flush(cx, &mut code);
        }
        emitter.end_labels[node.index()] = Some(code.label());
        point = emitter.exit(cx, code, data)?;
    }
    emitter.patch(cx, &mut point)?;
    point.end();
    Ok(())
}

fn arg_type(cx: &mut FunctionCx<'_, '_>, point: &mut Terminated<'_, '_>, ty: ir::TypeId) -> Result<Id> {
    match *cx.input.ir_type(ty) {
        Type::Int(_) | Type::Float(_) | Type::Vector { .. } => cx.entry.ty(point, ty),
        _ => {
            Err(unsupported!(cx.entry.place, "a function has a parameter that is not a number or a vector of numbers"))
        }
    }
}

/// What is charged for structures that instructions copy.
const STRUCTURES: &str = "members of structures that are copied";
/// Bytes that a member of a structure takes at most: a list that grows has room for as many again, and
/// is copied when it does.
const LEAF_BYTES: usize = 4 * size_of::<Id>();

/// Lowers one instruction and stores its result.
fn instruction(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    function: &ir::Function,
    inst: Inst,
) -> Result<()> {
    cx.entry.place = Place::Inst { func: function.number, inst: inst.index() as u32 };
    code.set_place(cx.entry.place);
    let (first, pooled) = (code.bound(), cx.locals.pooled());
    let lowered = match function.insts[inst] {
        InstData::Op { op, precise, args } => {
            op.info().check_stage(cx.input.entry.stage, cx.entry.place)?;
            let ty = function.result(inst).map(|v| cx.type_of(v));
            let call = Call { op, inst, precise, args: function.list(args), ty, place: cx.entry.place };
            // A view of a descriptor heap has no register to be found at.
            let place = cx.entry.place;
            demote::guarded(cx, code, &call, |cx, code| dispatch::operation(cx, code, &call))
                .map_err(|error| error.or_at(place))?
        }
        ref data => llvm::instruction(cx, code, function, inst, data)?,
    };
    code.fuel.bytes(cx.entry.place, STRUCTURES, (cx.locals.pooled() - pooled) * LEAF_BYTES)?;
    if let Some(result) = function.result(inst) {
        let lowered = precision::finished(cx.entry, code, &function.insts[inst], cx.type_of(result), lowered, first);
        cx.locals.set(result, lowered);
    }
    // A block may have as many instructions as a function, so its end is too late.
    code.check_size()
}

/// Emits the nodes of a structured function.
struct Emitter<'f> {
    function: &'f ir::Function,
    layout: &'f Layout,
    flow: Flow,
    labels: Vec<Id>,
    pending: Vec<Pending>,
    phi_ids: HashMap<ssa::Phi, Id>,
    end_labels: Vec<Option<Id>>,
    /// The value of each selector at the nodes that test it.
    selectors: HashMap<(Selector, Node), Id>,
    /// Negations of branch conditions that arcs assign to selectors, by block and the node that the
    /// arc leaves.
    negated: HashMap<(Block, Node), Id>,
    /// Structures combined into one SPIR-V value, by the node at whose end they are combined.
    wholes: HashMap<(Value, Node), Id>,
    /// The variables of values that leave a loop.
    kept: HashMap<Value, Id>,
    /// Values loaded from these variables, by the node that loads them.
    reloaded: HashMap<(Value, Node), Id>,
    /// The negations of those that are booleans.
    negated_loads: HashMap<(Value, Node), Id>,
    /// The unroll hints of loops, by header.
    unrolling: HashMap<Block, LoopControl>,
}

/// The unroll hint of each loop, by header. A hint is metadata of a branch back to the header. Only
/// branches whose target dominates them count: after unrolling, branches between the copies of a
/// loop body still carry the hint, and they may enter another loop to which it does not apply.
fn unrolling(function: &ir::Function, layout: &Layout) -> HashMap<Block, LoopControl> {
    let mut controls = HashMap::default();
    let hinted = |block: &ir::BlockData| block.hints.unroll || block.hints.no_unroll;
    if !function.blocks.values().any(hinted) {
        return controls;
    }
    let dominance = ssa::dominance(layout);
    let nodes = layout.nodes.iter().filter_map(|(node, data)| Some((ir_block(data.origin?), node)));
    let node_of: HashMap<Block, Node> = nodes.collect();
    for (from, block) in function.blocks.iter().filter(|(_, block)| hinted(block)) {
        for target in block.terminator.targets() {
            let (Some(&header), Some(&latch)) = (node_of.get(&target.block), node_of.get(&from)) else { continue };
            if dominance.dominates(header, latch) {
                let control = if block.hints.no_unroll { LoopControl::DONT_UNROLL } else { LoopControl::UNROLL };
                controls.entry(target.block).or_insert(control);
            }
        }
    }
    controls
}

impl Emitter<'_> {
    fn label(&self, cx: &FunctionCx<'_, '_>, node: Node) -> Result<Id> {
        self.labels.get(node.index()).copied().ok_or_else(|| bug!(cx.entry.place, "{node} has no label"))
    }

    /// The SPIR-V type of a variable's values.
    fn role_type(&self, cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, role: Role) -> Result<Id> {
        match role {
            Role::Param(value) | Role::Repair(value) => {
                let ty = cx.type_of(value);
                cx.entry.ty(code, ty)
            }
            Role::Selector(selector) => Ok(match self.layout.selectors.get(selector) {
                Some(SelectorType::Bool) => code.type_bool(),
                _ => code.type_u32(),
            }),
        }
    }

    /// Emits the phis of a node, and sets the values that are read at its head.
    fn head(&mut self, cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, node: Node) -> Result<()> {
        for (role, phi) in std::mem::take(&mut self.flow.phis[node]) {
            let ty = self.role_type(cx, code, role)?;
            let entries = self.flow.solution.phis[phi].entries.clone();
            let written = code.phi_later(ty, entries.len() as u32);
            self.phi_ids.insert(phi, written.id);
            self.pending.push(Pending { phi: written, entries, ty });
            code.check_size()?;
        }
        for value in std::mem::take(&mut self.flow.reloads[node]) {
            let Some(&variable) = self.kept.get(&value) else {
                return Err(bug!(cx.entry.place, "a value is loaded before it is stored"));
            };
            let id = code.load(variable);
            cx.locals.repair(value, node, id);
            self.reloaded.insert((value, node), id);
            if *cx.input.ir_type(cx.type_of(value)) == Type::Int(1) {
                let ty = code.type_bool();
                let id = code.unary(Op::LogicalNot, ty, id);
                self.negated_loads.insert((value, node), id);
            }
        }
        for (role, source) in std::mem::take(&mut self.flow.reads[node]) {
            let ty = self.role_type(cx, code, role)?;
            let id = self.source(cx, code, source, node, ty)?;
            match role {
                Role::Param(value) if cx.input.is_aggregate(cx.type_of(value)) => {
                    let mut leaves = Vec::new();
                    let ty = cx.type_of(value);
                    cx.entry.explode(code, id, ty, &mut leaves)?;
                    code.fuel.bytes(cx.entry.place, STRUCTURES, leaves.len() * LEAF_BYTES)?;
                    let parts = cx.locals.parts(&leaves);
                    cx.locals.set(value, parts);
                    code.check_size()?;
                }
                Role::Param(value) => cx.locals.set(value, Lowered::Id(id)),
                Role::Repair(value) => {
                    cx.locals.repair(value, node, id);
                }
                Role::Selector(selector) => {
                    self.selectors.insert((selector, node), id);
                }
            }
        }
        Ok(())
    }

    fn source(
        &self,
        cx: &mut FunctionCx<'_, '_>,
        module: &mut Module<'_>,
        source: Source<Given>,
        at: Node,
        ty: Id,
    ) -> Result<Id> {
        match source {
            Source::Definition(Given::Value(value, _)) => {
                if let Some(&id) = self.reloaded.get(&(value, at)) {
                    return Ok(id);
                }
            }
            Source::Definition(Given::Condition(block, negated, _)) => {
                let value = self.condition_value(cx, block)?;
                let loaded = if negated { &self.negated_loads } else { &self.reloaded };
                if let Some(&id) = loaded.get(&(value, at)) {
                    return Ok(id);
                }
            }
            _ => {}
        }
        match source {
            // A path without a definition reads zero, as `undef` does in `EntryCx::constant`,
            // because the value may reach a branch condition.
            Source::Undef => Ok(module.const_null(ty)),
            Source::Phi(phi) => match self.phi_ids.get(&phi) {
                Some(&id) => Ok(id),
                None => Err(bug!(cx.entry.place, "a phi is read before it is emitted")),
            },
            Source::Definition(given) => self.given(cx, module, given),
        }
    }

    /// The value of a definition that has been emitted.
    fn given(&self, cx: &mut FunctionCx<'_, '_>, module: &mut Module<'_>, given: Given) -> Result<Id> {
        match given {
            Given::Value(value, node) => {
                if let Some(&whole) = self.wholes.get(&(value, node)) {
                    return Ok(whole);
                }
                let here = std::mem::replace(&mut cx.node, node);
                let id = cx.value(module, value);
                cx.node = here;
                id
            }
            Given::Selected(selector, n) => Ok(match self.layout.selectors.get(selector) {
                Some(SelectorType::Bool) => module.const_bool(n != 0),
                _ => module.const_u32(n),
            }),
            Given::Condition(block, true, node) => match self.negated.get(&(block, node)) {
                Some(&id) => Ok(id),
                None => Err(bug!(cx.entry.place, "the negation of a branch condition was not computed")),
            },
            Given::Condition(block, false, node) => {
                let condition = self.condition_value(cx, block)?;
                let here = std::mem::replace(&mut cx.node, node);
                let id = self.decider(cx, module, condition);
                cx.node = here;
                id
            }
        }
    }

    fn condition_value(&self, cx: &FunctionCx<'_, '_>, block: Block) -> Result<Value> {
        match &self.function.blocks[block].terminator {
            Terminator::Branch { condition, .. } => Ok(*condition),
            Terminator::Switch { selector, .. } => Ok(*selector),
            _ => Err(bug!(cx.entry.place, "{block} has no condition")),
        }
    }

    /// The value that decides a branch or switch. An `undef` becomes zero.
    fn decider(&self, cx: &mut FunctionCx<'_, '_>, module: &mut Module<'_>, value: Value) -> Result<Id> {
        if cx.input.is_undef(value) {
            let ty = cx.type_of(value);
            let ty = cx.entry.ty(module, ty)?;
            return Ok(module.const_null(ty));
        }
        cx.value(module, value)
    }

    fn selector(&self, cx: &FunctionCx<'_, '_>, selector: Selector) -> Result<Id> {
        let id = self.selectors.get(&(selector, cx.node)).copied();
        id.ok_or_else(|| bug!(cx.entry.place, "selector {selector} has no value in this node"))
    }

    /// Stores a value that a later node loads. The value is copied from a second variable
    /// ([`Quirk::LoopsLoseValues`]).
    fn keep(&mut self, cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>, value: Value) -> Result<()> {
        let id = match self.wholes.get(&(value, cx.node)) {
            Some(&whole) => whole,
            None => cx.value(code, value)?,
        };
        let ty = cx.type_of(value);
        let ty = cx.entry.ty(code, ty)?;
        let null = code.const_null(ty);
        let (variable, passing) = (code.local(ty, Some(null)), code.local(ty, None));
        code.store(passing, id);
        code.stmt(Op::CopyMemory, &[variable, passing]);
        self.kept.insert(value, variable);
        Ok(())
    }

    /// Emits the merge instruction and the terminator of a node.
    fn exit<'m, 'p>(
        &mut self,
        cx: &mut FunctionCx<'_, '_>,
        mut code: OpenBlock<'m, 'p>,
        data: &structure::NodeData,
    ) -> Result<Terminated<'m, 'p>> {
        self.negate(cx, &mut code, data)?;
        for value in std::mem::take(&mut self.flow.wholes[cx.node]) {
            let whole = cx.whole(&mut code, value)?;
            self.wholes.insert((value, cx.node), whole);
            code.check_size()?;
        }
        for value in std::mem::take(&mut self.flow.kept[cx.node]) {
            self.keep(cx, &mut code, value)?;
        }
        let hints = data.origin.map(|b| self.function.blocks[ir_block(b)].hints).unwrap_or_default();
        let merge = match data.merge {
            Merge::None => spirv::Merge::None,
            Merge::Selection(to) => {
                let control = match (hints.branch, hints.flatten) {
                    (true, false) => SelectionControl::DONT_FLATTEN,
                    (false, true) => SelectionControl::FLATTEN,
                    _ => SelectionControl::NONE,
                };
                spirv::Merge::Selection { merge: self.label(cx, to)?, control }
            }
            Merge::Loop { merge, continuing, header } => spirv::Merge::Loop {
                merge: self.label(cx, merge)?,
                continue_target: self.label(cx, continuing)?,
                control: header
                    .and_then(|header| self.unrolling.get(&ir_block(header)).copied())
                    .unwrap_or(LoopControl::NONE),
            },
        };
        match &data.exit {
            Exit::Jump(arc) => {
                let to = self.label(cx, arc.to)?;
                match data.merge {
                    Merge::None => code.branch(to),
                    _ => code.branch_merging(to, merge),
                }
            }
            Exit::Branch { condition, then, els } => {
                let test = match condition {
                    Condition::Branch(block) => {
                        let value = self.condition_value(cx, ir_block(*block))?;
                        self.decider(cx, &mut code, value)?
                    }
                    Condition::Operand { block, values } => {
                        let value = self.condition_value(cx, ir_block(*block))?;
                        let operand = self.decider(cx, &mut code, value)?;
                        operators::equals_any(cx, &mut code, operand, value, values)?
                    }
                    Condition::Selector(selector) => self.selector(cx, *selector)?,
                    Condition::SelectorIs(selector, n) => {
                        let (value, n) = (self.selector(cx, *selector)?, code.const_u32(*n));
                        let bool_ty = code.type_bool();
                        code.binary(Op::IEqual, bool_ty, value, n)
                    }
                };
                code.branch_conditional(test, self.label(cx, then.to)?, self.label(cx, els.to)?, merge)
            }
            Exit::Switch { operand, arms, default } => {
                let on = match operand {
                    Operand::Switch(block) => {
                        let value = self.condition_value(cx, ir_block(*block))?;
                        self.decider(cx, &mut code, value)?
                    }
                    Operand::Selector(selector) => self.selector(cx, *selector)?,
                };
                let mut cases = Vec::new();
                for (values, arc) in arms {
                    let to = self.label(cx, arc.to)?;
                    cases.extend(values.iter().map(|&value| (value, to)));
                }
                code.switch(on, self.label(cx, default.to)?, &cases, merge)
            }
            Exit::Return(_) if cx.analysis.interlock == Some(Interlock::Whole) => {
                interlock::end(&mut code);
                demote::end(cx, &mut code)?;
                code.ret()
            }
            Exit::Return(block) => match self.function.blocks[ir_block(*block)].terminator {
                Terminator::Return(Some(value)) => {
                    let value = cx.value(&mut code, value)?;
                    code.ret_value(value)
                }
                _ if cx.input.entry.stage == ShaderStage::Amplification && cx.func == cx.input.entry.func => {
                    amplification::end(cx, code)
                }
                _ => {
                    demote::end(cx, &mut code)?;
                    code.ret()
                }
            },
            Exit::Unreachable => match self.last_operation(data) {
                Some(OpCode::IgnoreHit) => code.ignore_intersection(),
                Some(OpCode::AcceptHitAndEndSearch) => code.terminate_ray(),
                _ => code.unreachable(),
            },
        }
    }

    /// The operation that ends a node's block, if the block's last instruction is one.
    fn last_operation(&self, data: &structure::NodeData) -> Option<OpCode> {
        let block = self.function.blocks.get(ir_block(data.origin?))?;
        match self.function.insts[*block.insts.last()?] {
            InstData::Op { op, .. } => Some(op),
            _ => None,
        }
    }

    /// Computes the negated conditions that the node's arcs assign to selectors.
    fn negate(
        &mut self,
        cx: &mut FunctionCx<'_, '_>,
        code: &mut Code<'_, '_>,
        data: &structure::NodeData,
    ) -> Result<()> {
        for arc in data.exit.arcs() {
            for &(_, value) in &arc.sets {
                if let SelectorValue::Condition { block, negated: true } = value {
                    let block = ir_block(block);
                    let condition = self.condition_value(cx, block)?;
                    let (condition, ty) = (self.decider(cx, code, condition)?, code.type_bool());
                    let id = code.unary(Op::LogicalNot, ty, condition);
                    self.negated.insert((block, cx.node), id);
                }
            }
        }
        Ok(())
    }

    /// Fills in the operands of the phis, after every value has been emitted.
    fn patch(&mut self, cx: &mut FunctionCx<'_, '_>, module: &mut Module<'_>) -> Result<()> {
        for pending in std::mem::take(&mut self.pending) {
            for (i, &(predecessor, source)) in pending.entries.iter().enumerate() {
                let value = self.source(cx, module, source, predecessor, pending.ty)?;
                let Some(label) = self.end_labels.get(predecessor.index()).copied().flatten() else {
                    return Err(bug!(cx.entry.place, "a phi has the predecessor {predecessor}, which was not emitted"));
                };
                module.patch_phi(pending.phi, i as u32, value, label);
            }
        }
        Ok(())
    }
}
