//! Places and variables of the source, for debuggers.
//!
//! In: the module's [`DebugInfo`]. Out: `NonSemantic.Shader.DebugInfo.100`, or OpSource and OpLine
//! where the caller asks for lines only or the device has no non-semantic instructions. What must
//! hold: the rest of the module is as without; debug information that cannot be said is left out,
//! and is no error.
//!
//! [`declare`] writes what stands outside of functions, once for a module. [`code`] writes what
//! stands between instructions.

pub mod code;
mod parts;
mod types;

use self::types::Types;
use super::cx::{Inputs, ScopedIds, SourceIds};
use crate::ir::debug::{DebugInfo, GlobalVariable, Scope, SourceFunction};
use crate::ir::{Func, Global};
use crate::options::Debug;
use dxil_base::entity::{PrimaryMap, SecondaryMap};
use dxil_base::error::Result;
use dxil_spirv_builder::{DebugOp, Id, Module};

/// `FlagIsDefinition` and `FlagIsLocal` of the set.
const IS_DEFINITION: u32 = 1 << 3;
const IS_LOCAL: u32 = 1 << 2;

/// Declares the files, scopes and variables of a module's source.
///
/// # Errors
/// `Limit` if the texts are too long for the budget.
pub fn declare<'a>(module: &mut Module<'_>, info: &'a DebugInfo, debug: Debug) -> Result<Option<SourceIds<'a>>> {
    let has_scopes = match debug {
        Debug::None => return Ok(None),
        Debug::Lines => false,
        Debug::Full => module.use_debug_info(),
    };
    let mut files = PrimaryMap::new();
    for file in info.files.values() {
        let text = file.text.as_deref();
        files.push(match has_scopes {
            true => module.debug_source(&file.name, text),
            false => {
                let name = module.string(&file.name);
                module.source(name, text);
                name
            }
        });
        module.check_size()?;
    }
    let mut ids = SourceIds { info, files, scoped: None };
    if has_scopes && !ids.files.is_empty() {
        ids.scoped = Some(scoped(module, &ids)?);
    }
    Ok(Some(ids))
}

/// Declares the compilation unit, types, scopes, inlined calls and variables.
fn scoped(module: &mut Module<'_>, ids: &SourceIds<'_>) -> Result<ScopedIds> {
    /// The version of the instruction set, and of DWARF, whose terms it has.
    const VERSIONS: [u32; 2] = [1, 4];
    /// Among the operations of expressions ("Debug Operations").
    const DEREF: u32 = 0;
    /// HLSL among the source languages (SPIR-V, "Source Language").
    const HLSL: u32 = 5;
    let info = ids.info;
    let [version, dwarf, language] = [VERSIONS[0], VERSIONS[1], HLSL].map(|number| module.const_u32(number));
    let main = ids.files.values().next().copied();
    let main = main.ok_or_else(|| bug!(module.place(), "the source has no file"))?;
    let unit = module.debug_info(DebugOp::DebugCompilationUnit, &[version, dwarf, main, language]);
    let types = Types::declare(module, ids, unit)?;
    let mut scopes = PrimaryMap::new();
    for scope in info.scopes.values() {
        let parent = scope.parent.and_then(|parent| scopes.get(parent)).copied().unwrap_or(unit);
        let id = declare_scope(module, ids, &types, scope, parent);
        scopes.push(id);
        module.check_size()?;
    }
    let mut inlined: SecondaryMap<_, Option<Id>> = SecondaryMap::default();
    for location in info.locations.values() {
        // An outer call has a smaller number than what is inlined at it.
        let Some(at) = location.inlined_at.filter(|&at| inlined[at].is_none()) else { continue };
        let call = &info.locations[at];
        let operands = [module.const_u32(call.line), scopes[call.scope]];
        let outer = call.inlined_at.and_then(|outer| inlined[outer]);
        inlined[at] = Some(module.debug_info(DebugOp::DebugInlinedAt, (&operands, outer.as_slice())));
        module.check_size()?;
    }
    let depths = parts::depths(info);
    let mut variables = PrimaryMap::new();
    for variable in info.variables.values() {
        let mut of_parts = Vec::new();
        let all = variable.ty.map(|ty| parts::split(info, &depths, ty, (module.place(), &module.fuel)));
        for part in all.transpose()?.into_iter().flatten() {
            let (file, line) = variable.declared;
            let name = module.string(&format!("{}{}", variable.name, part.name));
            let [line, column, flags] = [line, 0, IS_LOCAL].map(|number| module.const_u32(number));
            let operands = [name, types.id(part.ty), ids.files[file], line, column, scopes[variable.scope], flags];
            let parameter = (variable.parameter != 0).then(|| module.const_u32(variable.parameter));
            let id = module.debug_info(DebugOp::DebugLocalVariable, (&operands, parameter.as_slice()));
            of_parts.push((part.path, id));
            module.check_size()?;
        }
        variables.push(of_parts);
    }
    let expression = module.debug_info(DebugOp::DebugExpression, ());
    let dereference = [module.const_u32(DEREF)];
    let dereference = module.debug_info(DebugOp::DebugOperation, &dereference);
    let pointed_to = module.debug_info(DebugOp::DebugExpression, &[dereference]);
    Ok(ScopedIds { unit, scopes, inlined, types: types.ids, variables, expression, pointed_to })
}

/// DebugFunction or DebugLexicalBlock.
fn declare_scope(module: &mut Module<'_>, ids: &SourceIds<'_>, types: &Types, scope: &Scope, parent: Id) -> Id {
    let [line, column] = [scope.line, scope.column].map(|number| module.const_u32(number));
    let file = ids.files[scope.file];
    let Some(SourceFunction { name, linkage_name, signature, body_line }) = &scope.function else {
        return module.debug_info(DebugOp::DebugLexicalBlock, &[file, line, column, parent]);
    };
    let ty = types.function(module, signature);
    let (name, linkage_name) = (module.string(name), module.string(linkage_name));
    let [flags, body_line] = [IS_DEFINITION, *body_line].map(|number| module.const_u32(number));
    let operands = [name, ty, file, line, column, parent, linkage_name, flags, body_line];
    module.debug_info(DebugOp::DebugFunction, &operands)
}

/// Declares which function of the source an entry point is, and how it was compiled.
pub fn entry(module: &mut Module<'_>, ids: &SourceIds<'_>, func: Func) {
    let (Some(scoped), Some(scope)) = (&ids.scoped, ids.info.functions[func]) else { return };
    let signature = module.string(&ids.info.producer);
    let arguments = module.string(&ids.info.arguments.join(" "));
    module.debug_info(DebugOp::DebugEntryPoint, &[scoped.scopes[scope], scoped.unit, signature, arguments]);
}

/// Declares which variable of the source a resource is, by its name.
pub fn resource(module: &mut Module<'_>, input: Inputs<'_>, variable: Id, name: &str) {
    global(module, input, variable, |global, _| *global.name == *name);
}

/// Declares which variable of the source a global variable is, if it is a number or an array of
/// numbers there as well. Returns its name in the source.
pub fn memory<'a>(module: &mut Module<'_>, input: Inputs<'a>, variable: Id, global_of_ir: Global) -> Option<&'a str> {
    let data = &input.program.module.globals[global_of_ir];
    global(module, input, variable, |global, info| {
        let is_it = *global.name == *data.name || *global.linkage_name == *data.name;
        is_it && code::is_like(input, info, data.ty, global.ty)
    })
}

/// Declares the first global variable of the source that is the one. Returns its name.
fn global<'a>(
    module: &mut Module<'_>,
    input: Inputs<'a>,
    variable: Id,
    is_it: impl Fn(&GlobalVariable, &DebugInfo) -> bool,
) -> Option<&'a str> {
    let (ids, scoped) = input.source.and_then(|ids| Some((ids, ids.scoped.as_ref()?)))?;
    let global = ids.info.globals.iter().find(|global| is_it(global, ids.info))?;
    let (file, line) = global.declared;
    let [name, linkage_name] = [&global.name, &global.linkage_name].map(|name| module.string(name));
    let [line, column, flags] = [line, 0, IS_DEFINITION].map(|number| module.const_u32(number));
    let ty = scoped.types[global.ty];
    let operands = [name, ty, ids.files[file], line, column, scoped.unit, linkage_name, variable, flags];
    module.debug_info(DebugOp::DebugGlobalVariable, &operands);
    Some(&global.name)
}
