use super::args::Args;
use super::*;
use crate::dxil::consts::ShaderStage;
use crate::dxil::ir::Value;
use crate::error::{ErrorKind, Place};

#[test]
fn rows_are_ordered_and_found_by_number() {
    assert_eq!(OpCode::all().len(), 280);
    assert!(OpCode::all().zip(OpCode::all().skip(1)).all(|(a, b)| a < b));
    for op in OpCode::all() {
        assert_eq!(OpCode::from_u32(op as u32), Some(op));
        assert_eq!(op.info().opcode, op);
    }
    // Reserved numbers, the end of the table, and beyond any table.
    for number in [226, 237, 259, 290, 312, 319, 320, u32::MAX] {
        assert_eq!(OpCode::from_u32(number), None, "{number}");
    }
}

#[test]
fn symbols_are_taken_apart() {
    let parse = |name| Symbol::parse(name).map(|s| (s.class, s.overload));
    assert_eq!(parse("dx.op.unary.f32"), Some(("unary", Overload::Scalar(ScalarKind::F32))));
    assert_eq!(parse("dx.op.createHandle"), Some(("createHandle", Overload::Void)));
    assert_eq!(parse("dx.op.wavePrefixOp.void"), Some(("wavePrefixOp", Overload::Void)));
    assert_eq!(parse("dx.op.binary.v16i64"), Some(("binary", Overload::Vector { len: 16, element: ScalarKind::I64 })));
    assert_eq!(parse("dx.op.traceRay.struct.v4f32"), Some(("traceRay", Overload::Type("struct.v4f32"))));
    assert_eq!(parse("dx.op.traceRay.v4f33"), Some(("traceRay", Overload::Type("v4f33"))));
    assert_eq!(parse("dx.op.traceRay.v99999999999f32"), Some(("traceRay", Overload::Type("v99999999999f32"))));
    for name in ["", "dx.op.", "dx.op..f32", "dx.ops.unary.f32", "llvm.fabs.f32"] {
        assert_eq!(parse(name), None, "{name}");
    }
}

fn check(op: OpCode, symbol: &str) -> Result<(), String> {
    let symbol = Symbol::parse(symbol).ok_or("no symbol")?;
    op.info().check_symbol(&symbol, Place::Input).map_err(|e| e.message().to_string())
}

#[test]
fn calls_must_have_class_and_overload() {
    assert_eq!(check(OpCode::FAbs, "dx.op.unary.f32"), Ok(()));
    assert_eq!(check(OpCode::FAbs, "dx.op.unary.v3f16"), Ok(()));
    assert_eq!(check(OpCode::CBufferLoadLegacy, "dx.op.cbufferLoadLegacy.i64"), Ok(()));
    assert_eq!(check(OpCode::GSInstanceID, "dx.op.gsInstanceID.i32"), Ok(()));
    assert_eq!(check(OpCode::TraceRay, "dx.op.traceRay.struct.Payload"), Ok(()));
    assert_eq!(check(OpCode::CreateHandleForLib, "dx.op.createHandleForLib.dx.types.Handle"), Ok(()));
    assert_eq!(check(OpCode::FDot, "dx.op.dot.v4f32"), Ok(()));
    for (op, symbol, message) in [
        (OpCode::FAbs, "dx.op.binary.f32", "operation FAbs (6) is called as dx.op.binary, not dx.op.unary"),
        (OpCode::FAbs, "dx.op.unary.i32", "operation FAbs (6) has no overload i32"),
        (OpCode::FAbs, "dx.op.unary", "operation FAbs (6) has no overload void"),
        (OpCode::FDot, "dx.op.dot.f32", "operation FDot (311) has no overload f32"),
        (OpCode::Dot2, "dx.op.dot2.v2f32", "operation Dot2 (54) has no overload v2f32"),
        (
            OpCode::WaveMatch,
            "dx.op.waveMatch.i8",
            "operation WaveMatch (165) of i8, which DXIL has for immediates only",
        ),
        (OpCode::Barrier, "dx.op.barrier.struct.T", "operation Barrier (80) has no overload struct.T"),
    ] {
        assert_eq!(check(op, symbol), Err(message.to_string()));
    }
}

#[test]
fn operands_are_counted_and_constants_checked() {
    let info = OpCode::WaveActiveOp.info();
    assert!(info.check_arity(3, Place::Input).is_ok());
    let error = info.check_arity(4, Place::Input).unwrap_err();
    assert_eq!(error.message(), "operation WaveActiveOp (119) has 4 operands after the opcode, not 3");
    let [value, op, sign] = info.operands else { panic!("three operands") };
    assert!(info.check_operand(value, false, None, Place::Input).is_ok());
    assert!(info.check_operand(op, true, Some(3), Place::Input).is_ok());
    let error = info.check_operand(op, true, Some(4), Place::Input).unwrap_err();
    assert_eq!(error.message(), "operand op of WaveActiveOp (119) is 4, which is no WaveOpKind");
    let error = info.check_operand(sign, false, None, Place::Input).unwrap_err();
    assert_eq!(error.message(), "operand sop of WaveActiveOp (119) must be a constant");
    assert_eq!(error.kind(), ErrorKind::Malformed);
}

#[test]
fn stage_and_shader_model_are_checked() {
    let available = |op: OpCode, stage, model| {
        op.info().check_available(stage, model, Place::Input).map_err(|e| e.message().to_string())
    };
    assert_eq!(available(OpCode::Discard, ShaderStage::Pixel, (6, 0)), Ok(()));
    assert_eq!(
        available(OpCode::Discard, ShaderStage::Compute, (6, 0)),
        Err("operation Discard (82) is not allowed in a compute shader".into())
    );
    assert_eq!(
        available(OpCode::RawBufferLoad, ShaderStage::Compute, (6, 1)),
        Err("operation RawBufferLoad (139) needs shader model 6.2, and this is 6.1".into())
    );
    assert_eq!(available(OpCode::RawBufferLoad, ShaderStage::Node, (6, 10)), Ok(()));
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
