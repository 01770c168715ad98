//! The listing of DXIL: `dxil2spv --emit dxil`, with the block and the places of each line.
//!
//! In: a program. Out: its lines, and which of them each instruction, terminator and resource is.
//! What must hold: the text has one line for each of them, in the order of the program. Where it
//! has not, the rest has no links.

use std::collections::{BTreeMap, HashMap};

use dxil_base::entity::{Entity as _, SecondaryMap};
use dxil_base::limits;
use dxil_base::limits::Fuel;
use dxil_translator::PipelinePlan;
use dxil_translator::analysis::program::Program;
use dxil_translator::ir::debug::{
    DebugInfo, FunctionDebug, Location, LocationId, NESTING, Scope, SourceFile, SourceFunction,
};
use dxil_translator::ir::resources::ResourceId;
use dxil_translator::ir::{Block, Func, Inst};

use super::line::{Line, SourceLine, dxil_id};

/// The listing.
pub struct Listing {
    /// Its lines.
    pub lines: Vec<Line>,
    /// The line of each instruction and terminator.
    functions: SecondaryMap<Func, FunctionLines>,
    /// The line of each resource.
    resources: SecondaryMap<ResourceId, Option<usize>>,
}

/// The lines of a function.
#[derive(Clone, Default)]
struct FunctionLines {
    insts: Vec<(Inst, usize)>,
    terminators: Vec<(Block, usize)>,
}

impl Listing {
    /// Lists a program.
    ///
    /// # Errors
    /// `Limit` if the text is too long.
    pub fn new(program: &Program, fuel: &Fuel) -> dxil_translator::Result<Self> {
        let text = limits::text(fuel, program)?;
        let lines = text.lines().enumerate().map(|(number, text)| Line {
            id: Some(dxil_id(number)),
            dxil: vec![number],
            ..Line::new(text)
        });
        let mut listing =
            Self { lines: lines.collect(), functions: SecondaryMap::default(), resources: SecondaryMap::default() };
        let mut from = 0;
        for id in program.resources.keys() {
            let found = listing.find(from, &format!("resource {id} = "));
            listing.resources[id] = found;
            from = found.unwrap_or(from);
        }
        for func in program.module.functions.keys() {
            match listing.function(program, func, from) {
                Some(end) => from = end,
                None => break,
            }
        }
        Ok(listing)
    }

    /// The first line from another on that begins with this.
    fn find(&self, from: usize, start: &str) -> Option<usize> {
        let mut rest = self.lines.iter().skip(from);
        rest.position(|line| line.text.starts_with(start)).map(|n| from + n)
    }

    /// Finds the lines of a function. Gives the line after them.
    fn function(&mut self, program: &Program, func: Func, from: usize) -> Option<usize> {
        let function = program.module.functions.get(func)?;
        let (info, debug) = (program.module.debug.as_deref(), function.debug.as_deref());
        let places = |location: Option<LocationId>| info.map_or_else(Vec::new, |info| places(info, location));
        let mut at = self.find(from, &format!("function {func} `"))?;
        for (block, data) in function.blocks.iter() {
            at = self.find(at + 1, &block.to_string())?;
            self.lines.get_mut(at)?.block = Some((func, block));
            for &inst in &data.insts {
                at += 1;
                let line = self.lines.get_mut(at)?;
                line.block = Some((func, block));
                line.source = places(debug.and_then(|debug| debug.insts[inst]));
                self.functions[func].insts.push((inst, at));
            }
            at += 1;
            let line = self.lines.get_mut(at)?;
            line.block = Some((func, block));
            line.source = places(debug.and_then(|debug| debug.terminators[block]));
            self.functions[func].terminators.push((block, at));
        }
        self.name(func, debug);
        Some(at)
    }

    /// Adds the names of accesses to descriptor heaps, as comments.
    fn name(&mut self, func: Func, debug: Option<&FunctionDebug>) {
        let names: HashMap<Inst, &str> =
            debug.iter().flat_map(|debug| &debug.heap_accesses).map(|access| (access.inst, &*access.name)).collect();
        for &(inst, line) in &self.functions[func].insts {
            if let (Some(name), Some(line)) = (names.get(&inst), self.lines.get_mut(line)) {
                line.text += &format!("  ; {name}");
            }
        }
    }

    /// The line of a resource.
    pub fn resource(&self, id: ResourceId) -> Option<usize> {
        self.resources[id]
    }

    /// The lines of the resources at each binding, by set and binding.
    pub fn at_bindings(&self, planned: &PipelinePlan) -> BTreeMap<(u32, u32), Vec<usize>> {
        let mut found: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
        for (id, planned) in planned.stages.iter().flat_map(|plan| plan.resources.iter()) {
            if let (Some(descriptor), Some(line)) = (planned.location.descriptor(), self.resource(id)) {
                let lines = found.entry((descriptor.set, descriptor.binding)).or_default();
                if !lines.contains(&line) && lines.len() < MOST_RESOURCES {
                    lines.push(line);
                }
            }
        }
        found
    }

    /// The same program, whose source is the listing: the place of an instruction is its line
    /// there, counted from one.
    pub fn as_source(&self, program: &Program) -> Program {
        let mut program = program.clone();
        let mut info = DebugInfo::default();
        let file = info.files.push(SourceFile { name: "DXIL".into(), text: None });
        let function = SourceFunction { name: "".into(), linkage_name: "".into(), signature: Vec::new(), body_line: 1 };
        let scope = info.scopes.push(Scope { parent: None, file, line: 1, column: 0, function: Some(function) });
        let mut location = |line: usize| {
            let line = u32::try_from(line + 1).unwrap_or(0);
            Some(info.location(Location { line, column: 0, scope, inlined_at: None }))
        };
        let funcs: Vec<Func> = program.module.functions.keys().collect();
        for func in funcs {
            let mut debug = FunctionDebug::default();
            for &(inst, line) in &self.functions[func].insts {
                debug.insts[inst] = location(line);
            }
            for &(block, line) in &self.functions[func].terminators {
                debug.terminators[block] = location(line);
            }
            program.module.functions[func].debug = Some(Box::new(debug));
        }
        program.module.debug = Some(Box::new(info));
        program
    }
}

/// The most resources of a binding that are linked.
const MOST_RESOURCES: usize = 16;

/// The places of an instruction: its own, then those of the calls that it was inlined by.
fn places(info: &DebugInfo, location: Option<LocationId>) -> Vec<SourceLine> {
    let mut places: Vec<SourceLine> = Vec::new();
    let chain = std::iter::successors(location, |&at| info.locations.get(at)?.inlined_at);
    for location in chain.take(NESTING).filter_map(|at| info.locations.get(at)).filter(|at| at.line != 0) {
        let Some(scope) = info.scopes.get(location.scope) else { continue };
        let place = (scope.file.index(), location.line);
        if !places.contains(&place) {
            places.push(place);
        }
    }
    places
}
