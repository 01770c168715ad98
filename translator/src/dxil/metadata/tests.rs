//! Tests of signatures that no compiler writes.

use super::*;

/// A signature element of one row, by its semantic, its stream, and its place: the row, the first
/// component and how many there are.
fn element(semantic: SemanticKind, stream: u32, place: Option<(u32, u8, u8)>) -> SignatureElement {
    let (row, start_col, cols) = place.map_or((None, 0, 1), |(row, start, cols)| (Some(row), start, cols));
    SignatureElement {
        id: 0,
        name: semantic.to_string().into(),
        semantic,
        indices: [0].into(),
        component: ComponentType::F32,
        interpolation: InterpolationMode::Undefined,
        rows: 1,
        cols,
        start_row: row,
        start_col,
        stream,
        usage_mask: 0xf,
        dynamic_index_mask: 0,
    }
}

fn refused(elements: &[SignatureElement]) -> Option<String> {
    check_packing(elements).err().map(|error| error.message().to_owned())
}

/// Components become locations, which must not overlap.
#[test]
fn components_belong_to_one_element() {
    let arbitrary = |stream, place| element(SemanticKind::Arbitrary, stream, Some(place));
    assert_eq!(refused(&[arbitrary(0, (0, 0, 2)), arbitrary(0, (0, 2, 2)), arbitrary(0, (1, 0, 4))]), None);
    let overlap = |row: u32| {
        Some(format!("signature element `{}` overlaps another element in row {row}", SemanticKind::Arbitrary))
    };
    assert_eq!(refused(&[arbitrary(0, (0, 0, 3)), arbitrary(0, (0, 2, 2))]), overlap(0));
    // The second of two rows.
    let rows = SignatureElement { rows: 2, ..arbitrary(0, (3, 0, 1)) };
    assert_eq!(refused(&[rows, arbitrary(0, (4, 0, 1))]), overlap(4));
    // Each stream has components of its own.
    assert_eq!(refused(&[arbitrary(0, (0, 0, 4)), arbitrary(1, (0, 0, 4))]), None);
}

/// A system value that becomes a builtin is one variable, so two elements cannot both be it.
#[test]
fn system_values_occur_once() {
    use SemanticKind as S;
    let builtins = [
        S::VertexId,
        S::InstanceId,
        S::Position,
        S::RenderTargetArrayIndex,
        S::ViewPortArrayIndex,
        S::PrimitiveId,
        S::SampleIndex,
        S::IsFrontFace,
        S::Coverage,
        S::InnerCoverage,
        S::Depth,
        S::StencilRef,
        S::ShadingRate,
        S::CullPrimitive,
    ];
    let twice =
        |name: S| Some(format!("signature element `{name}` has a system value that another element has already"));
    for system in builtins {
        assert_eq!(refused(&[element(system, 0, None)]), None);
        assert_eq!(refused(&[element(system, 0, None), element(system, 0, None)]), twice(system));
        assert_eq!(refused(&[element(system, 0, None), element(system, 1, None)]), None);
    }
    // Three semantics stand for the depth.
    for other in [S::DepthLessEqual, S::DepthGreaterEqual] {
        assert_eq!(refused(&[element(S::Depth, 0, None), element(other, 0, None)]), twice(other));
    }
    // Clip distances and tessellation factors take several elements.
    for several in [S::ClipDistance, S::CullDistance, S::TessFactor, S::Target, S::Arbitrary] {
        assert_eq!(refused(&[element(several, 0, None), element(several, 0, None)]), None);
    }
}
