//! Ray queries: which are refused, and what the others become. Fixtures (`tests/fixtures/query`)
//! execute those that are translated.

use dxil_test_support::read;
use dxil_translator::{
    BindingOptions, Error, ErrorKind, Model, Options, PipelineStage, PlanInputs, RegisterShifts, Shader, lavapipe,
    plan, translate,
};

fn translated(name: &str) -> Result<Vec<u32>, Error> {
    let shader = Shader::parse(&read(format!("tests/shaders/queries/{name}.dxil")))?;
    let entry = shader.find_entry(None)?;
    let profile = lavapipe();
    let shifts = RegisterShifts { b: 0, t: 100, u: 200, s: 300, c: 1000 };
    let options = BindingOptions::new(Model::Register, shifts);
    let plan = plan(&[PipelineStage::new(&shader, entry)], &PlanInputs::new(&profile).with_options(options))?;
    Ok(translate(&shader, entry, &plan.stages[0], &Options::new(profile))?.words)
}

#[track_caller]
fn refused(name: &str, kind: ErrorKind, message: &str) {
    match translated(name) {
        Ok(_) => panic!("{name} was translated"),
        Err(error) => assert_eq!((error.kind(), error.message()), (kind, message), "{name}"),
    }
}

/// One AllocateRayQuery operation is one query, so the next round of a loop takes the same one.
#[test]
fn queries_that_outlive_a_round_of_their_loop_are_refused() {
    let message = "a ray query that is allocated in a loop and may still be used in a later round; declare it, or the \
                   array of queries, outside of the loop";
    refused("previous", ErrorKind::Unsupported, message);
    refused("stored", ErrorKind::Unsupported, message);
    translated("round").unwrap();
    translated("once").unwrap();
}

#[test]
fn operations_without_a_query_or_structure_are_malformed() {
    refused(
        "no_query",
        ErrorKind::Malformed,
        "RayQuery_TraceRayInline on a ray query that no AllocateRayQuery operation makes",
    );
    refused(
        "not_a_structure",
        ErrorKind::Malformed,
        "t1 space0 ByteAddressBuffer is traced; expected a RaytracingAccelerationStructure",
    );
}

/// Devices without micromaps ignore the flag of a query, in any shader model.
#[test]
fn opacity_micromaps_are_ignored() {
    translated("micromaps").unwrap();
}
