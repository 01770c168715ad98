//! Vendor intrinsics: which buffers are a vendor's, which intrinsics are refused, and how.

use dxil_test_support::fixture;
use dxil_translator::{EntryId, PipelineStage, PlanInputs, Shader, VULKAN_1_3_DESKTOP, plan};

/// The plan of a container with intrinsics, or the refusal.
fn planned(container: &str) -> Result<String, String> {
    let shader = Shader::parse(&fixture(&format!("libraries/{container}.dxil"))).unwrap();
    let mut inputs = PlanInputs::new(&VULKAN_1_3_DESKTOP);
    inputs.options.shifts.u = 10;
    match plan(&[PipelineStage::new(&shader, EntryId::FIRST)], &inputs) {
        Ok(plan) => Ok(plan.stages[0].to_string()),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn intrinsics_without_a_form_are_refused_by_name() {
    let amd = "AMD GPU Services (AGS)";
    let nvidia = "NVIDIA NVAPI";
    for (container, vendor, names) in [
        ("vendor.centroid", amd, "BaryCoord"),
        ("vendor.loaded", amd, "an access that is not an instruction"),
        ("vendor.footprint", nvidia, "FOOTPRINT"),
        // The operation has one result, and the shader reads a second.
        ("vendor.half_second", nvidia, "FP16_ATOMIC"),
        ("vendor.half_texture", nvidia, "FP16_ATOMIC"),
        ("vendor.positions", nvidia, "RT_TRIANGLE_OBJECT_POSITIONS"),
        ("vendor.swept", nvidia, "HIT_OBJECT_GET_LSS_OBJECT_POSITIONS_AND_RADII"),
        ("vendor.kept", nvidia, "HIT_OBJECT as a number"),
        ("vendor.made", nvidia, "HIT_OBJECT_MAKE_HIT"),
        // Functions of AMD's published header.
        ("ags.linear_centroid", amd, "BaryCoord"),
        ("ags.linear_sample", amd, "BaryCoord"),
        ("ags.persp_centroid", amd, "BaryCoord"),
        ("ags.persp_sample", amd, "BaryCoord"),
        ("ags.pull_model", amd, "BaryCoord"),
        ("ags.vertex_parameter", amd, "VtxParam"),
        ("ags.vertex_component", amd, "VtxParam"),
        ("ags.load_dword", amd, "LoadDwAtAddr"),
        ("ags.load_dwords", amd, "LoadDwAtAddr"),
        ("ags.scan", amd, "WaveScan"),
    ] {
        let refusal = planned(container).unwrap_err();
        let expected =
            format!("encodes the vendor intrinsics of {vendor}, of which some have no form in SPIR-V here: {names};");
        assert!(refusal.contains(&expected), "{container}: {refusal}");
    }
    // A lane that the shader computes is no instruction, so that the buffer's space alone tells
    // whose it is.
    let refusal = planned("ags.lane").unwrap_err();
    assert!(refusal.contains(&format!("encodes the vendor intrinsics of {amd} in a way that is not")), "{refusal}");
}

#[test]
fn the_buffer_of_intrinsics_has_no_place() {
    for (container, register) in
        [("vendor.clock", "u1"), ("vendor.real_time", "u1"), ("vendor.half", "u2"), ("vendor.timer", "u2")]
    {
        let plan = planned(container).unwrap();
        let unused = plan.contains(&format!("\"{register} space0\" = \"unused\""));
        assert!(plan.contains("\"u0 space0\".descriptor") && unused, "{plan}");
    }
}

/// Elements of 256 bytes with a counter, and compare-exchanges, are memory unless all that is done
/// with them are instructions.
#[test]
fn buffers_that_look_alike_are_memory() {
    let plan = planned("vendor.elements").unwrap();
    let place = |register: &str| plan.contains(&format!("\"{register} space0\".descriptor"));
    assert!(["u0", "u1", "u2"].into_iter().all(place), "{plan}");
}
