//! Places and variables of the source in inlined code.

use foldhash::HashMap;

use super::copy::InlinedCopy;
use crate::ir::debug::{DebugInfo, FunctionDebug, LocationId, Point, VariableValue};
use crate::ir::{Block, Function, Inst};
use dxil_base::entity::Entity;

/// What was at the call before the copy took its place.
pub(super) struct Call {
    /// The block of the call, which ends there now.
    pub block: Block,
    /// The call.
    pub inst: Inst,
}

/// Copies the places and variables of the callee, and moves those of the caller that stood behind
/// the call.
pub(super) fn copy(
    copy: &InlinedCopy,
    caller: &mut Function,
    callee: &Function,
    Call { block, inst: call }: Call,
    info: Option<&mut DebugInfo>,
) {
    let (Some(info), Some(mut debug)) = (info, caller.debug.take()) else { return };
    let at = debug.insts[call];
    debug.terminators[copy.behind] = debug.terminators[block];
    debug.terminators[block] = at;
    for value in &mut debug.values {
        value.point = match value.point {
            Point::End(of) if of == block => Point::End(copy.behind),
            Point::Before(inst) if inst == call => Point::End(block),
            point => point,
        };
    }
    if let (Some(at), Some(own)) = (at, &callee.debug) {
        inlined(copy, &mut debug, own, callee, at, info);
    }
    caller.debug = Some(debug);
}

fn inlined(
    copy: &InlinedCopy,
    debug: &mut FunctionDebug,
    own: &FunctionDebug,
    callee: &Function,
    at: LocationId,
    info: &mut DebugInfo,
) {
    let mut known = HashMap::default();
    let mut place = |location: LocationId| *known.entry(location).or_insert_with(|| info.inlined(location, at));
    let inst_of = |inst: Inst| Inst::new(copy.first_inst + inst.index());
    for inst in callee.insts.keys() {
        debug.insts[inst_of(inst)] = own.insts[inst].and_then(&mut place);
    }
    for block in callee.blocks.keys() {
        debug.terminators[copy.block(block)] = own.terminators[block].and_then(&mut place);
    }
    for value in &own.values {
        let Some(location) = place(value.location) else { continue };
        let point = match value.point {
            Point::Before(inst) => Point::Before(inst_of(inst)),
            Point::End(block) => Point::End(copy.block(block)),
        };
        debug.values.push(VariableValue { point, location, value: copy.value(value.value), ..*value });
    }
}
