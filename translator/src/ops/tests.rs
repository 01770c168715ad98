use super::*;
use crate::ir::Value;
use crate::ir::args::{self, Args};
use crate::ops::consts::ShaderStage;
use dxil_base::error::{ErrorKind, Place};

#[test]
fn rows_are_ordered_and_found_by_number() {
    assert_eq!(OpCode::all().filter(|op| !op.is_vendors()).count(), 280);
    assert!(OpCode::all().zip(OpCode::all().skip(1)).all(|(a, b)| a < b));
    for op in OpCode::all() {
        assert_eq!(OpCode::from_u32(op as u32), Some(op));
        assert_eq!(op.info().opcode, op as u32);
    }
    // Reserved numbers, the end of the table, and beyond any table.
    for number in [226, 237, 259, 290, 312, 322, 323, u32::MAX] {
        assert_eq!(OpCode::from_u32(number), None, "{number}");
    }
}

#[test]
fn letters_are_overloads() {
    use Overload::{Scalar, Type, Vector, Void};
    use ScalarKind::{F16, F32, I1, I32, I64};
    let has = |op: OpCode, overload| op.info().overloads.contains(overload);
    assert!(has(OpCode::FAbs, Scalar(F32)) && has(OpCode::FAbs, Vector(F16)));
    assert!(!has(OpCode::FAbs, Scalar(I32)) && !has(OpCode::FAbs, Void));
    assert!(has(OpCode::FDot, Vector(F32)) && !has(OpCode::FDot, Scalar(F32)) && !has(OpCode::Dot2, Vector(F32)));
    assert!(has(OpCode::CBufferLoadLegacy, Scalar(I64)) && !has(OpCode::CBufferLoadLegacy, Scalar(I1)));
    assert!(has(OpCode::TraceRay, Type) && has(OpCode::Barrier, Void) && !has(OpCode::Barrier, Type));
}

#[test]
fn operands_are_counted_and_constants_checked() {
    let info = OpCode::WaveActiveOp.info();
    assert!(info.check_arity(3, Place::Input).is_ok());
    let error = info.check_arity(4, Place::Input).unwrap_err();
    assert_eq!(error.message(), "operation WaveActiveOp (119) has 4 operands after the opcode, not 3");
    let [value, op, sign] = info.operands else { panic!("three operands") };
    assert!(!value.kind.is_immediate() && op.kind.is_immediate() && sign.kind.is_immediate());
    assert!(info.check_immediate(op, true, Some(3), Place::Input).is_ok());
    let error = info.check_immediate(op, true, Some(4), Place::Input).unwrap_err();
    assert_eq!(error.message(), "operand op of WaveActiveOp (119) is 4, which is not a valid WaveOpKind");
    let error = info.check_immediate(sign, false, None, Place::Input).unwrap_err();
    assert_eq!(error.message(), "operand sop of WaveActiveOp (119) must be a constant");
    assert_eq!(error.kind(), ErrorKind::Malformed);
}

/// The positions of a row are those of its operands.
#[test]
fn operands_are_where_the_row_has_them() {
    for op in OpCode::all() {
        let info = op.info();
        let all = |is: &dyn Fn(&Operand) -> bool| -> Vec<usize> {
            (0..).zip(info.operands).filter(|(_, operand)| is(operand)).map(|(at, _)| at).collect()
        };
        for Operand { role, .. } in info.operands {
            assert_eq!(info.operand(*role), all(&|operand| operand.role == *role).first().copied(), "{op} {role:?}");
        }
        assert_eq!(info.handles().collect::<Vec<_>>(), all(&|operand| operand.ty == OpType::Handle), "{op}");
        assert_eq!(info.overload_operand(), all(&|operand| operand.ty == OpType::Overload).first().copied(), "{op}");
        let immediates = all(&|operand| operand.kind.is_immediate());
        assert_eq!(info.immediates(), immediates.iter().fold(0, |bits, at| bits | 1 << at), "{op}");
        let passed = all(&|operand| matches!(operand.role, Role::Payload | Role::Parameter | Role::Attributes));
        assert_eq!(info.passed_pointer(), passed.first().copied(), "{op}");
    }
    let absent = [OpCode::FAbs, OpCode::CBufferLoadLegacy].map(|op| op.info().operand(Role::Payload));
    assert_eq!(absent, [None; 2]);
}

#[test]
fn stages_are_checked() {
    let check = |stage| OpCode::Discard.info().check_stage(stage, Place::Input).map_err(|e| e.message().to_string());
    assert_eq!(check(ShaderStage::Pixel), Ok(()));
    assert_eq!(check(ShaderStage::Compute), Err("operation Discard (82) is not allowed in a compute shader".into()));
}

#[test]
fn views_name_the_operands_in_order() {
    let values: Vec<Value> = (0..4).map(Value::local).collect();
    let bfi = args::Bfi::view(&values).expect("four operands");
    assert_eq!([bfi.width, bfi.offset, bfi.value, bfi.replaced_value], values[..]);
    assert!(args::Bfi::view(&values[..3]).is_none());
    assert!(args::RenderTargetGetSampleCount::view(&[]).is_some());
    assert_eq!(args::Bfi::OPCODE, OpCode::Bfi);
}

/// The counts in `docs/ops.md`: of all operations, and of each group.
#[test]
fn the_document_counts_operations() {
    let text = coverage_markdown(&Executed::new(), &Executed::new());
    let is_done = |op: &OpCode| op.info().lowering.is_done();
    let dxil = || OpCode::all().filter(|op| !op.is_vendors());
    let count = |group: Option<&str>| {
        let of_group: Vec<OpCode> = dxil().filter(|op| group.is_none_or(|group| op.info().group == group)).collect();
        (of_group.iter().filter(|op| is_done(op)).count(), of_group.len())
    };
    let (done, all) = count(None);
    assert!(done < all && all == 280, "{done} of {all}");
    assert!(text.contains(&format!("\n{done} of {all} operations are lowered.")), "{text}");
    for group in ["arith", "ray_tracing", "work_graph"] {
        let (done, all) = count(Some(group));
        assert!(all > 0 && text.contains(&format!("\n| {group} | {done} | {all} |\n")), "{group}\n{text}");
    }
}

/// The first fixtures of an operation are in its row, and the overloads that no fixture executes
/// are in a list, without those that are refused.
#[test]
fn the_document_names_fixtures() {
    let fixtures = ["d", "b", "a", "c"].map(str::to_owned);
    let one = |number: usize| fixtures[number..=number].iter().cloned().collect();
    let executed = Executed::from([
        ((OpCode::FAbs, 'f'), fixtures[..2].iter().cloned().collect()),
        ((OpCode::FAbs, 'h'), fixtures[2..].iter().cloned().collect()),
        ((OpCode::Saturate, 'f'), one(0)),
    ]);
    let missing = without_fixture(&executed);
    for (pair, is_missing) in [
        ((OpCode::FAbs, 'h'), false),
        ((OpCode::FAbs, 'f'), false),
        ((OpCode::FAbs, 'd'), true),
        ((OpCode::Saturate, 'h'), true),
        ((OpCode::TextureGatherCmp, 'f'), true),
        ((OpCode::TextureGatherCmp, 'w'), false),
    ] {
        assert_eq!(missing.contains(&pair), is_missing, "{pair:?}");
    }
    let unrun = Executed::from([((OpCode::FAbs, 'd'), one(1))]);
    let text = coverage_markdown(&executed, &unrun);
    let row = |op: OpCode| text.lines().find(|line| line.starts_with(&format!("| {} | ", op as u32)));
    for (op, fixtures) in [(OpCode::FAbs, " | a, b, c |"), (OpCode::Saturate, " | d |"), (OpCode::IsNaN, " |  |")] {
        assert!(row(op).is_some_and(|row| row.ends_with(fixtures)), "{:?}", row(op));
    }
    assert!(text.contains("\n- FAbs d: no driver of the tests runs b\n"), "{text}");
    assert!(text.contains("\n- Saturate h\n"), "{text}");
    assert!(!text.contains("\n- FAbs h"), "{text}");
}

/// Only what writes the memory of a resource does, not what writes outputs, queries or payloads.
#[test]
fn writes_of_resources_are_told_apart() {
    use OpCode as O;
    for op in [O::TextureStore, O::BufferStore, O::RawBufferStore, O::AtomicBinOp, O::BufferUpdateCounter] {
        assert!(op.info().writes_resource(), "{op}");
    }
    for op in [O::StoreOutput, O::Discard, O::TraceRay, O::CallShader, O::RayQuery_TraceRayInline, O::BufferLoad] {
        assert!(!op.info().writes_resource(), "{op}");
    }
}

/// The operations whose rows break a rule about accesses and roles.
fn breaking(rule: impl Fn(&OpInfo) -> bool) -> Vec<&'static str> {
    OpCode::all().map(OpCode::info).filter(|info| !rule(info)).map(|info| info.name).collect()
}

#[test]
fn handles_have_roles_and_their_operations_an_access() {
    let of_handles = [Role::Resource, Role::Sampler, Role::AccelerationStructure];
    let agrees = |operand: &Operand| (operand.ty == OpType::Handle) == of_handles.contains(&operand.role);
    assert_eq!(breaking(|info| info.operands.iter().all(agrees)), [""; 0]);
    // A barrier orders accesses to the resource and makes none.
    let barrier = |info: &OpInfo| info.tangle == Tangle::Barrier;
    let takes = |info: &OpInfo| info.operands.iter().any(|operand| operand.ty == OpType::Handle);
    assert_eq!(breaking(|info| !takes(info) || info.access != Access::None || barrier(info)), [""; 0]);
    assert_eq!(breaking(|info| (info.result == OpType::Handle) == (info.access == Access::Handle)), [""; 0]);
}

#[test]
fn accesses_agree_with_effects_and_have_their_operands() {
    let has = |info: &OpInfo, roles: &[Role]| roles.iter().all(|&role| info.operand(role).is_some());
    let complete = |info: &OpInfo| match info.access {
        Access::Load(Memory::Buffer | Memory::Words) => has(info, &[Role::Resource, Role::Index, Role::Offset]),
        Access::Load(Memory::Constants) => has(info, &[Role::Resource, Role::Index]),
        Access::Load(Memory::Texels) => has(info, &[Role::Resource, Role::Coordinate]),
        Access::Store(Memory::Buffer | Memory::Words) => {
            has(info, &[Role::Resource, Role::Index, Role::Offset, Role::Value])
        }
        Access::Store(Memory::Texels) => has(info, &[Role::Resource, Role::Coordinate, Role::Value, Role::Mask]),
        Access::Atomic => has(info, &[Role::Resource, Role::Index, Role::Offset, Role::Value]),
        Access::Sample => has(info, &[Role::Resource, Role::Sampler, Role::Coordinate]),
        Access::Load(Memory::Input | Memory::Output) | Access::Evaluate => {
            has(info, &[Role::Element, Role::Row, Role::Column])
        }
        Access::Store(Memory::Output) => has(info, &[Role::Element, Role::Row, Role::Column, Role::Value]),
        Access::Trace => has(info, &[Role::AccelerationStructure]),
        Access::RayQuery(_) => has(info, &[Role::RayQuery]),
        Access::AllocateQuery => has(info, &[Role::RayFlags]),
        Access::Properties | Access::Counter | Access::Feedback => has(info, &[Role::Resource]),
        Access::None | Access::Handle | Access::Payload | Access::Emit | Access::Load(_) | Access::Store(_) => true,
        Access::TargetSamples | Access::SampleIndex | Access::Coverage => info.stages == StageSet::PIXEL,
    };
    assert_eq!(breaking(complete), [""; 0]);
    let writes =
        |info: &OpInfo| matches!(info.access, Access::Store(_) | Access::Atomic | Access::Counter | Access::Emit);
    assert_eq!(breaking(|info| !writes(info) || info.effect == MemoryEffect::Write), [""; 0]);
    let reads = |info: &OpInfo| matches!(info.access, Access::Load(_) | Access::Sample | Access::Properties);
    assert_eq!(breaking(|info| !reads(info) || info.effect != MemoryEffect::Write), [""; 0]);
    assert_eq!(
        breaking(|info| info.access == Access::None || !info.lowering.is_done() || info.group != "arith"),
        [""; 0]
    );
}

/// DirectX-Specs, "Barrier": memory is ordered for the scope that the flags name, and for none
/// without one. A wider scope includes the narrower one.
#[test]
fn flags_of_barriers_are_those_of_the_older_operation() {
    use crate::ops::consts::{BarrierMode as Mode, BarrierSemanticFlags as Semantics, MemoryTypeFlags as Memory};
    let (uav, shared) = (Memory::UAV.bits(), Memory::GROUP_SHARED.bits());
    let [sync, group, device] =
        [Semantics::GROUP_SYNC, Semantics::GROUP_SCOPE, Semantics::DEVICE_SCOPE].map(Semantics::bits);
    let [waits, global, of_group, of_shared] =
        [Mode::SYNC_THREAD_GROUP, Mode::UAV_FENCE_GLOBAL, Mode::UAV_FENCE_THREAD_GROUP, Mode::TGSM_FENCE]
            .map(Mode::bits);
    for (memory, semantics, wanted) in [
        (uav | shared, sync | group, waits | of_group | of_shared),
        (uav | shared, sync | device, waits | global | of_shared),
        (uav | shared, group | device, global | of_shared),
        (uav, group, of_group),
        (uav, device, global),
        (shared, group, of_shared),
        (shared, sync | group, waits | of_shared),
        (uav | shared, sync, waits),
        (uav | shared, 0, 0),
        (0, sync | group | device, waits),
    ] {
        let values = [memory, semantics];
        let mode = OpCode::BarrierByMemoryType.info().barrier_mode(|at| values.get(at).copied());
        assert_eq!(mode.map(Mode::bits), Some(wanted), "{memory:#x} {semantics:#x}");
        if memory == uav {
            let mode = OpCode::BarrierByMemoryHandle.info().barrier_mode(|at| (at == 1).then_some(semantics));
            assert_eq!(mode.map(Mode::bits), Some(wanted), "{semantics:#x}");
        }
    }
    let older = OpCode::Barrier.info();
    assert_eq!(older.barrier_mode(|_| Some(waits | global)).map(Mode::bits), Some(waits | global));
    assert!(older.barrier_mode(|_| None).is_none() && OpCode::Sin.info().barrier_mode(|_| Some(0)).is_none());
}
