//! `dxil2spv explain`: a page that shows a shader's source, DXIL, structured control flow and
//! SPIR-V side by side, linked line by line.
//!
//! In: a container, and where its resources live. Out: one HTML file without external parts. What
//! must hold: the same input gives the same bytes; what comes from the container is text; the page
//! is of bounded size and says what it leaves out; a shader that is not translated has a page too,
//! which says why.
//!
//! How lines are linked: a line of DXIL has the places of the source that debug information gives
//! it. A line of SPIR-V has the line of DXIL that it was made for, because a copy of the program is
//! translated whose debug information names the listing as its source. The script derives the rest
//! from these two.
//!
//! | file | subject |
//! |---|---|
//! | `line` | a line of any pane, and what links it |
//! | `dxil` | the listing of DXIL, and the copy of the program that has it as its source |
//! | `source` | the files of the source |
//! | `tree` | the structured control flow |
//! | `spirv` | the listing of SPIR-V |
//! | `translated` | the plan and the words |
//! | `bindings` | the table of resources |
//! | `flow` | the places of a control-flow graph's blocks and edges |
//! | `graphs` | the pictures of the functions |
//! | `page` | the page, with `style.css` and `script.js` |

mod bindings;
mod dxil;
mod flow;
mod graphs;
mod line;
mod page;
mod source;
mod spirv;
mod translated;
mod tree;

use std::path::Path;

use dxil_base::limits::Fuel;
use dxil_translator::container::Container;
use dxil_translator::{Budget, Error};

use crate::arguments::ExplainArguments;
use crate::failure::Failure;
use crate::{files, pdb};

/// Writes the page. A translation that is refused is on the page, and is the failure afterwards.
pub fn explain(arguments: &ExplainArguments) -> Result<(), Failure> {
    let (file, common) = (arguments.file.as_path(), &arguments.common);
    let refused = |error: Error| Failure::translator(file, &error);
    let input = files::read_container(file)?;
    if !common.any_digest {
        Container::parse(&input).and_then(|container| container.check_digest()).map_err(refused)?;
    }
    let shader = pdb::parse(&input, Budget::default(), file, common.pdb_path.as_deref()).map_err(refused)?;
    let shader = shader.with_source_names();
    let entries = match &arguments.entry {
        Some(name) => vec![shader.find_entry(Some(name)).map_err(refused)?],
        None => shader.entries().map(|(id, _)| id).collect(),
    };
    let profile = files::profile(&common.profile)?;
    let fuel = Fuel::new(Budget::default(), input.len());
    let program = shader.debug_program().unwrap_or(shader.program());
    let listing = dxil::Listing::new(program, &fuel).map_err(refused)?;
    let translated = translated::translate(file, &shader, &entries, profile, common);
    let spirv = match (&translated.words, &translated.planned) {
        (Some(words), Some(planned)) => {
            let numbered = translated::numbered(program, &listing, &entries, planned, &translated.options);
            spirv::lines(words, numbered.as_deref(), &listing.at_bindings(planned), &fuel).map_err(refused)?
        }
        _ => Vec::new(),
    };
    let page = page::Page {
        name: match file.file_name().filter(|_| file != Path::new(files::STREAM)) {
            Some(name) => name.to_string_lossy(),
            None => "standard input".into(),
        },
        shader: &shader,
        program,
        source: source::lines(&shader, program),
        missing: shader.debug_warning(),
        // Errors number functions as they are without debug information.
        tree: tree::lines(shader.program(), &fuel).map_err(refused)?,
        spirv,
        bindings: bindings::rows(&shader, &entries, translated.planned.as_ref(), &listing),
        graphs: graphs::graphs(program, &listing),
        listing: &listing,
        entries: &entries,
        profile: common.profile.display().to_string(),
        model: translated.model.as_deref(),
        failure: translated.failure.as_ref(),
    };
    let output = arguments.output.as_deref().unwrap_or(Path::new(files::STREAM));
    files::write(output, page.write().as_bytes())?;
    translated.failure.map_or(Ok(()), Err)
}
