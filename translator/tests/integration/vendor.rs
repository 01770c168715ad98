//! Vendor intrinsics: which buffers are a vendor's, which intrinsics are refused, and how.

use dxil_test_support::fixture;
use dxil_translator::{EntryId, PipelineStage, PlanInputs, Shader, VULKAN_1_3_DESKTOP, plan};

/// The plan of a container with intrinsics, or the refusal.
fn planned(container: &str) -> Result<String, String> {
    let shader = Shader::parse(&fixture(&format!("libraries/vendor.{container}.dxil"))).unwrap();
    let mut inputs = PlanInputs::new(&VULKAN_1_3_DESKTOP);
    inputs.options.shifts.u = 10;
    match plan(&[PipelineStage::new(&shader, EntryId::FIRST)], &inputs) {
        Ok(plan) => Ok(plan.stages[0].to_string()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn intrinsics_without_a_form_are_refused_by_name() {
    for (container, names) in [
        ("centroid", "AMD GPU Services (AGS), of which some have no form in SPIR-V here: BaryCoord;"),
        (
            "loaded",
            "AMD GPU Services (AGS), of which some have no form in SPIR-V here: an access that is not an instruction;",
        ),
        ("footprint", "NVIDIA NVAPI, of which some have no form in SPIR-V here: FOOTPRINT;"),
        // The operation has one result, and the shader reads a second.
        ("half_second", "NVIDIA NVAPI, of which some have no form in SPIR-V here: FP16_ATOMIC;"),
        ("half_texture", "NVIDIA NVAPI, of which some have no form in SPIR-V here: FP16_ATOMIC;"),
        ("positions", "NVIDIA NVAPI, of which some have no form in SPIR-V here: RT_TRIANGLE_OBJECT_POSITIONS;"),
        (
            "swept",
            "NVIDIA NVAPI, of which some have no form in SPIR-V here: HIT_OBJECT_GET_LSS_OBJECT_POSITIONS_AND_RADII;",
        ),
        ("kept", "NVIDIA NVAPI, of which some have no form in SPIR-V here: HIT_OBJECT as a number;"),
        ("made", "NVIDIA NVAPI, of which some have no form in SPIR-V here: HIT_OBJECT_MAKE_HIT;"),
    ] {
        let refusal = planned(container).unwrap_err();
        assert!(refusal.contains(&format!("encodes the vendor intrinsics of {names}")), "{container}: {refusal}");
    }
}

#[test]
fn the_buffer_of_intrinsics_has_no_place() {
    for (container, register) in [("clock", "u1"), ("real_time", "u1"), ("half", "u2"), ("timer", "u2")] {
        let plan = planned(container).unwrap();
        let unused = plan.contains(&format!("\"{register} space0\" = \"unused\""));
        assert!(plan.contains("\"u0 space0\".descriptor") && unused, "{plan}");
    }
}

/// Elements of 256 bytes with a counter, and compare-exchanges, are memory unless all that is done
/// with them are instructions.
#[test]
fn buffers_that_look_alike_are_memory() {
    let plan = planned("elements").unwrap();
    let place = |register: &str| plan.contains(&format!("\"{register} space0\".descriptor"));
    assert!(["u0", "u1", "u2"].into_iter().all(place), "{plan}");
}
