//! The operations of the preview of shader model 6.10, which have names here and nothing else.
//!
//! In: an opcode. Out: the operation's name. What must hold: the numbers are those of DXC's table
//! of experimental operations (`DxilConstants.h`). Their opcodes have the table's number, 0x8000,
//! in the upper half (HLSL proposal 0052), so they are none of the core table.

/// The table's number, in the upper half of an opcode.
const TABLE: u64 = 0x8000_0000;

/// The operations by their numbers in the table.
const NAMES: [&str; 33] = [
    "ExperimentalNop",
    "GetGroupWaveIndex",
    "GetGroupWaveCount",
    "ClusterID",
    "RayQuery_CandidateClusterID",
    "RayQuery_CommittedClusterID",
    "HitObject_ClusterID",
    "TriangleObjectPosition",
    "RayQuery_CandidateTriangleObjectPosition",
    "RayQuery_CommittedTriangleObjectPosition",
    "HitObject_TriangleObjectPosition",
    "LinAlgMatrixReserved0",
    "LinAlgFillMatrix",
    "LinAlgCopyConvertMatrix",
    "LinAlgMatrixLoadFromDescriptor",
    "LinAlgMatrixLoadFromMemory",
    "LinAlgMatrixLength",
    "LinAlgMatrixGetCoordinate",
    "LinAlgMatrixGetElement",
    "LinAlgMatrixSetElement",
    "LinAlgMatrixStoreToDescriptor",
    "LinAlgMatrixStoreToMemory",
    "LinAlgMatrixQueryAccumulatorLayout",
    "LinAlgMatrixMulOp",
    "LinAlgMatrixAccumulate",
    "LinAlgMatVecMul",
    "LinAlgMatVecMulAdd",
    "LinAlgMatrixAccumulateToDescriptor",
    "LinAlgMatrixAccumulateToMemory",
    "LinAlgMatrixOuterProduct",
    "LinAlgMatrixReserved1",
    "LinAlgMatrixReserved2",
    "LinAlgMatrixReserved3",
];

/// The name of an operation of the preview.
pub fn preview_name(opcode: u64) -> Option<&'static str> {
    let number = usize::try_from(opcode.checked_sub(TABLE)?).ok()?;
    NAMES.get(number).copied()
}

#[cfg(test)]
mod tests {
    use super::preview_name;
    use crate::ops::OpCode;

    #[test]
    fn the_preview_is_none_of_the_core_table() {
        assert_eq!(preview_name(0x8000_0001), Some("GetGroupWaveIndex"));
        assert_eq!(preview_name(0x8000_001d), Some("LinAlgMatrixOuterProduct"));
        assert_eq!([1, 0x7fff_ffff, 0x8000_0021, u64::MAX].map(preview_name), [None; 4]);
        assert!((0x8000_0000..0x8000_0021).all(|opcode| OpCode::from_u32(opcode).is_none()));
    }
}
