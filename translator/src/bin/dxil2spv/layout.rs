//! `dxil2spv layout`: the places of a pipeline's resources, the pipeline layout to declare, and the
//! shader groups of a ray-tracing pipeline.

use std::fmt::Write;
use std::path::Path;

use dxil_translator::ir::members::{BufferMembers, write_members};
use dxil_translator::{
    Error, PipelineReport, PipelineStage, PlanInputs, ShaderGroup, ShaderTable, binding, pipeline_report, plan,
};
use serde::Serialize;

use crate::arguments::LayoutArguments;
use crate::failure::Failure;
use crate::files;
use crate::pipeline;

/// The document of `layout --json`.
#[derive(Serialize)]
struct LayoutDocument<'a> {
    /// The profile that the plans are for, as the command line names it.
    profile: String,
    shaders: Vec<ShaderPlan>,
    #[serde(flatten)]
    report: &'a PipelineReport<'a>,
}

/// The plan of one shader, as text in the form that `--bindings` reads.
#[derive(Serialize)]
struct ShaderPlan {
    file: String,
    stage: String,
    entry: String,
    /// The local root signature that was chosen of several.
    #[serde(skip_serializing_if = "Option::is_none")]
    local_root_signature: Option<String>,
    plan: String,
}

/// Prints one plan per shader of a pipeline, each in the form that `--bindings` reads, and the
/// pipeline layout that an application has to declare for all of them, as comments; or all of it as
/// JSON.
pub fn layout(arguments: &LayoutArguments) -> Result<(), Failure> {
    let common = &arguments.common;
    let profile = files::profile(&common.profile)?;
    let shaders = pipeline::shaders(&arguments.files, common)?;
    let named = pipeline::named_stages(&shaders, &arguments.entry)?;
    pipeline::check(&named)?;
    let stages: Vec<PipelineStage<'_>> = named.iter().map(|named| named.stage).collect();
    pipeline::check_interface(&named, &stages)?;
    // An error of planning concerns the whole pipeline. Its message names the resource and the
    // stages, so any file will do.
    let first = arguments.files.first().map_or(Path::new(files::STREAM), |file| file);
    let refused = |error: Error| Failure::translator(first, &error);
    let root_signature = files::root_signature(common.root_signature.as_deref())?;
    let map = files::map(common)?;
    let inputs = PlanInputs::new(&profile).with_options(common.binding()).with_map(map.as_ref());
    let inputs = inputs.with_root_signature(root_signature.as_ref());
    let plan = plan(&stages, &inputs).map_err(refused)?;
    let plans = named.iter().zip(&plan.stages).filter_map(|(named, plan)| {
        let entry = named.stage.shader.entry(named.stage.entry)?;
        Some(ShaderPlan {
            file: named.path.display().to_string(),
            stage: entry.stage.to_string(),
            entry: entry.name.to_string(),
            local_root_signature: named.local.map(str::to_owned),
            plan: plan.to_string(),
        })
    });
    let plans: Vec<ShaderPlan> = plans.collect();
    if arguments.plan {
        return files::write(Path::new(files::STREAM), plan_text(&plans).as_bytes());
    }
    let report = pipeline_report(&stages, &inputs, &plan).map_err(refused)?;
    let profile = common.profile.display().to_string();
    let text = if arguments.json {
        let document = LayoutDocument { profile, shaders: plans, report: &report };
        serde_json::to_string_pretty(&document).map_err(|error| Failure::usage(first, error))? + "\n"
    } else {
        let resources = stages.iter().map(PipelineStage::resources).collect::<Result<Vec<_>, _>>().map_err(refused)?;
        let layout = binding::layout_text(&resources, root_signature.as_ref(), &plan).map_err(refused)?;
        let mut text = plan_text(&plans);
        // Writing to a string does not fail.
        let _ = writeln!(text, "# the pipeline layout to declare, for the profile {profile}");
        comments(&mut text, layout.lines());
        comments(&mut text, group_lines(&report).iter());
        comments(&mut text, member_text(&report.constant_buffers).lines());
        comments(&mut text, report.unread.iter().map(|item| format!("no shader reads {item}")));
        let unmatched =
            report.unmatched.iter().map(|entry| format!("{entry} of the map matches no resource of these shaders"));
        comments(&mut text, unmatched);
        text
    };
    files::write(Path::new(files::STREAM), text.as_bytes())
}

fn plan_text(plans: &[ShaderPlan]) -> String {
    let mut text = String::new();
    for ShaderPlan { file, stage, entry, local_root_signature, plan } in plans {
        // Writing to a string does not fail.
        let _ = write!(text, "# {file}: {stage} `{}`", entry.escape_debug());
        if let Some(local) = local_root_signature {
            let _ = write!(text, ", with the local root signature `{}`", local.escape_debug());
        }
        let _ = write!(text, "\n{plan}");
    }
    text
}

/// Adds lines as comments.
fn comments(text: &mut String, lines: impl Iterator<Item = impl std::fmt::Display>) {
    for line in lines {
        // Writing to a string does not fail.
        let _ = writeln!(text, "# {line}");
    }
}

fn member_text(buffers: &[BufferMembers]) -> String {
    let mut text = String::new();
    for BufferMembers { resource, members, .. } in buffers {
        // Writing to a string does not fail.
        let _ = writeln!(text, "members of {resource}");
        let _ = write_members(&mut text, members, 2);
    }
    text
}

/// The shader groups, and the strides of the tables that have their records.
fn group_lines(PipelineReport { shader_groups, shader_tables, .. }: &PipelineReport<'_>) -> Vec<String> {
    let of_group = |group: &ShaderGroup<'_>| {
        let (table, name, bytes) = (group.table.name(), group.name.escape_debug(), group.record_bytes);
        let shaders: Vec<String> = group.shaders.iter().map(|shader| format!("`{}`", shader.escape_debug())).collect();
        let shaders = match group.table {
            ShaderTable::Hit => format!(" of {}", shaders.join(", ")),
            _ => String::new(),
        };
        format!("{table} group `{name}`{shaders}: records of {bytes} bytes")
    };
    let strides =
        shader_tables.iter().map(|table| format!("{} table: stride {} bytes", table.table.name(), table.stride));
    shader_groups.iter().map(of_group).chain(strides).collect()
}
