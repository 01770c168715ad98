//! Emission of one function. Its graph is structured, the paths of its values are planned, and its
//! blocks are written in order.
//!
//! In: an IR function. Out: an OpFunction. What must hold: every value that a block reads is
//! defined on every path to the block, or comes through a phi that [`flow`] planned; [`structure`]
//! decides control flow, and this file only emits it.

use rspirv::spirv::FunctionControl;

use super::emitter::Emitter;
use super::{emitter, flow, llvm, vectors};
use crate::analysis::entry::{Interlock, graph, ir_block};
use crate::ir;
use crate::ir::{Inst, InstData, Type};
use crate::lower::cx::{Call, Code, Components, EntryCx, FunctionCx, FunctionIds, Inputs, Lowered, precision};
use crate::lower::dispatch;
use crate::lower::source::code::SourceCode;
use crate::lower::stages::{amplification, demote, interlock, outputs, point};
use crate::lower::waves::lanes;
use dxil_base::entity::Entity;
use dxil_base::error::{Error, Place, Result};
use dxil_base::quirks::Quirk;
use dxil_spirv_builder::{Id, Module, Terminated};
use dxil_structure as structure;
use dxil_structure::{Exit, Structured};

/// Lowers one function, with a state of its own.
pub fn lower_function<'a>(
    entry: &mut EntryCx<'a>,
    module: &mut Module<'_>,
    func: ir::Func,
    ids: FunctionIds,
) -> Result<()> {
    let function: &'a ir::Function = &entry.input.program.module.functions[func];
    entry.place = Place::Function(function.number);
    let cx = &mut FunctionCx::new(entry, func);
    module.reserve(function.insts.len());
    let structured = structured(cx, module)?;
    let layout = &structured.layout;
    let spills = module.caps.has_quirk(Quirk::LoopsLoseValues) && !cx.analysis.handles.has_non_uniform();
    let mut flow = flow::plan(cx, function, &structured, &module.fuel, spills)?;
    cx.locals.set_dominance(flow.dominance.clone());
    cx.components = Components { are_shared: !spills, taken_by_phis: std::mem::take(&mut flow.taken_by_phis) };
    let labels = layout.nodes.keys().map(|_| (module.fresh(), None)).collect();
    let loops = excludes_helpers(cx).then(|| flow::Loops::new(layout));
    let mut source = SourceCode::new(cx);
    let mut point = module.function(ids.id, ids.ty, FunctionControl::NONE);
    parameters(cx, &mut point)?;
    let mut emitter = Emitter::new(function, layout, &flow, labels);
    let critical_section = match cx.analysis.interlock {
        Some(Interlock::Run(first, last)) => Some((first, last)),
        _ => None,
    };
    let mut is_first = true;
    for (node, data) in layout.nodes.iter() {
        let mut code = point.open(emitter.label(cx, node)?);
        cx.node = node;
        cx.repeats = loops.as_ref().is_none_or(|loops| loops.contain(node));
        share_values(cx, &mut code, &flow, spills);
        emitter.head(cx, &mut code, node)?;
        if std::mem::take(&mut is_first) {
            if let Some(source) = &source {
                source.begin(cx, &mut code, ids.id);
            }
            prologue(cx, &mut code)?;
        }
        if let Some(block) = data.origin.map(ir_block) {
            let is_observed = critical_section.is_some() || source.is_some();
            let mut rest = function.blocks[block].insts.as_slice();
            while let Some((&inst, after)) = rest.split_first() {
                rest = after;
                if is_observed {
                    if critical_section.is_some_and(|(first, _)| first == inst) {
                        interlock::begin(&mut code);
                    }
                    if let Some(source) = &mut source {
                        source.before(cx, &mut code, inst)?;
                    }
                }
                let data = &function.insts[inst];
                if !vectors::lower(cx, &mut code, inst, data, after)? {
                    instruction(cx, &mut code, function, inst, data)?;
                }
                if is_observed && critical_section.is_some_and(|(_, last)| last == inst) {
                    interlock::end(&mut code);
                }
            }
            if let Some(source) = &mut source {
                source.end(cx, &mut code, block)?;
            }
        }
        cx.entry.place = Place::Function(function.number);
        outputs::flush(cx, &mut code)?;
        if !matches!(data.exit, Exit::Return(_)) {
            amplification::flush(cx, &mut code);
        }
        emitter.end(node, code.label());
        point = emitter.exit(cx, code, data)?;
    }
    emitter.patch(cx, &mut point)?;
    point.end();
    cx.locals.set_dominance(None);
    flow.recycle();
    structured.recycle();
    Ok(())
}

/// Whether the function is that of a pixel shader that excludes helper lanes from wave operations.
fn excludes_helpers(cx: &FunctionCx<'_, '_>) -> bool {
    cx.func == cx.input.entry.func && cx.input.analysis.tangles.wave && !lanes::counts_helpers(cx.input)
}

/// Shares equal values among the nodes that dominate each other; in one node alone where a driver
/// loses values that leave loops. None are shared where some are RelaxedPrecision.
fn share_values(cx: &FunctionCx<'_, '_>, code: &mut Code<'_, '_>, flow: &flow::Flow, spills: bool) {
    let own = cx.node.index() as u32 + 1;
    let region = match &flow.dominance {
        Some(dominance) if !spills => dominance.places(cx.node),
        _ => own..=own,
    };
    if !cx.input.analysis.widens {
        code.share_values(region);
    }
}

/// The structured graph of a function.
fn structured(cx: &FunctionCx<'_, '_>, module: &Module<'_>) -> Result<Structured> {
    let Inputs { program, entry, analysis, .. } = cx.input;
    let may_tangle = analysis.tangles.any() || program.reached[entry.reachable.functions].len() > 1;
    let mut graph = graph(&program.module, cx.function, may_tangle);
    if matches!(cx.analysis.interlock, Some(Interlock::Run(..))) {
        // Instructions of a critical section must not be duplicated, so only empty blocks may be.
        graph.blocks.values_mut().for_each(|block| block.cheap &= block.size == 0);
    }
    let structured = structure::structure_with_fuel(&graph, &structure::Options::default(), &module.fuel);
    structured.map_err(|e| Error::new(e.kind(), cx.entry.place, format!("{}: {}", e.place(), e.message())))
}

/// Declares the parameters of a function.
fn parameters(cx: &mut FunctionCx<'_, '_>, point: &mut Terminated<'_, '_>) -> Result<()> {
    for &arg in &cx.function.args {
        if cx.func == cx.input.entry.func {
            // The arguments of an entry point are variables (`memory::payloads`).
            cx.locals.set(arg, Lowered::Virtual, cx.node);
            continue;
        }
        let ty = arg_type(cx, point, cx.type_of(arg))?;
        cx.locals.set(arg, Lowered::Id(point.parameter(ty)), cx.node);
    }
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

/// Emits what runs before a function's own instructions.
fn prologue(cx: &mut FunctionCx<'_, '_>, code: &mut Code<'_, '_>) -> Result<()> {
    if cx.func == cx.input.entry.func {
        point::prologue(cx, code)?;
    }
    if cx.analysis.interlock == Some(Interlock::Whole) {
        interlock::begin(code);
    }
    Ok(())
}

/// Lowers one instruction and stores its result.
fn instruction(
    cx: &mut FunctionCx<'_, '_>,
    code: &mut Code<'_, '_>,
    function: &ir::Function,
    inst: Inst,
    data: &InstData,
) -> Result<()> {
    cx.entry.place = Place::Inst { func: function.number, inst: inst.index() as u32 };
    code.set_place(cx.entry.place);
    let (first, pooled) = (code.bound(), cx.locals.pooled());
    if !cx.pending.stores.is_empty() {
        outputs::flush_before(cx, code, data)?;
    }
    let result = function.result(inst);
    let ty = result.and_then(|result| function.locals.get(result.as_local()?)).map(|local| local.ty);
    let lowered = match *data {
        InstData::Op { op, precise, args } => {
            op.info().check_stage(cx.input.entry.stage, cx.entry.place)?;
            let call = Call { op, inst, precise, args: function.list(args), ty, place: cx.entry.place };
            // A view of a descriptor heap has no register to be found at.
            let place = cx.entry.place;
            demote::guarded(cx, code, &call, |cx, code| dispatch::operation(cx, code, &call))
                .map_err(|error| error.or_at(place))?
        }
        _ => llvm::instruction(cx, code, function, data, ty)?,
    };
    if cx.locals.pooled() != pooled {
        emitter::charge_leaves(cx.entry.place, code, cx.locals.pooled() - pooled)?;
    }
    if let (Some(result), Some(ty)) = (result, ty) {
        let lowered = match lowered {
            Lowered::Component(component) => cx.defined(code, result, component, cx.entry.widened[ty]),
            _ => lowered,
        };
        let lowered = precision::finished(cx.entry, code, data, ty, lowered, first);
        cx.locals.set(result, lowered, cx.node);
    }
    // A block may have as many instructions as a function, so its end is too late.
    code.check_size()
}
