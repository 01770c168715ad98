//! The lines of `dxil2spv resources` about an entry point.

use dxil_translator::report::{EntryReport, InterfaceReport};

/// The lines about an entry point.
pub fn lines(entry: &EntryReport) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some([x, y, z]) = entry.thread_group {
        lines.push(format!("thread group: {x} x {y} x {z}"));
    }
    match entry.wave_size {
        Some([least, 0, _]) => lines.push(format!("wave size: {least} lanes")),
        Some([least, most, 0]) => lines.push(format!("wave size: {least} to {most} lanes")),
        Some([least, most, preferred]) => {
            lines.push(format!("wave size: {least} to {most} lanes, {preferred} preferred"));
        }
        None => {}
    }
    if !entry.descriptor_heaps.is_empty() {
        lines.push(format!("descriptor heaps: {}", entry.descriptor_heaps.join(", ")));
    }
    if let Some(error) = &entry.refused {
        lines.push(format!("not translated: {}", error.replace('\n', "; ")));
        return lines;
    }
    lines.extend(entry.interface.iter().map(interface_line));
    let names: Vec<&str> = entry.features.iter().map(|feature| feature.name()).collect();
    let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    lines.push(format!("features that Vulkan 1.3 does not guarantee: {names}"));
    lines
}

fn interface_line(variable: &InterfaceReport) -> String {
    let side = if variable.is_output { "output" } else { "input" };
    let Some(location) = variable.location else { return format!("{side} {}", variable.name) };
    let component = match variable.component {
        0 => String::new(),
        component => format!(" component {component}"),
    };
    let index = if variable.is_second_source { ", the second source of blending" } else { "" };
    format!("{side} {}: location {location}{component}{index}", variable.name.escape_debug())
}
