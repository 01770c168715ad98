//! Reads the nodes of debug information (LLVM 3.7 Language Reference, "Specialized Metadata
//! Nodes").
//!
//! In: a [`bitcode::Module`] that was read with debug information. Out: [`DebugInfo`]. What must
//! hold: nodes come from the input and may lack, repeat or contain each other in any way. What
//! cannot be read is left out, and nothing of it is an error. Only fuel may run out.

use foldhash::HashMap;

use crate::ir::debug::*;
use dxil_base::entity::Entity;
use dxil_base::error::{Place, Result};
use dxil_base::limits::Fuel;
use dxil_base::names::unmarked;
use dxil_bitcode as bitcode;
use dxil_bitcode::{DebugCode, DebugLocation, Metadata, MetadataId, MetadataView};

/// What is charged for debug information.
const DEBUG: &str = "debug information";

/// Tags of DWARF 4 (7.5.4) that types have.
mod tag {
    pub const ARRAY: u64 = 0x01;
    pub const MEMBER: u64 = 0x0d;
}

/// Operations of DWARF 4 (7.7.1) that the compiler writes into expressions.
mod operation {
    pub const DEREF: u64 = 0x06;
    /// The first bit and the number of bits of the variable that the value is.
    pub const BIT_PIECE: u64 = 0x9d;
}

/// Most members of a structure, dimensions of an array or parameters of a function that are read.
const MEMBERS: usize = 256;

/// Reads debug information, on demand: a node is read when code refers to it.
pub(super) struct DebugReader<'a> {
    input: &'a bitcode::Module,
    fuel: &'a Fuel,
    pub info: Box<DebugInfo>,
    files: HashMap<MetadataId, Option<FileId>>,
    /// The files by their [`plain`] names.
    by_name: HashMap<String, FileId>,
    scopes: HashMap<MetadataId, Option<ScopeId>>,
    types: HashMap<MetadataId, Option<SourceTypeId>>,
    variables: HashMap<MetadataId, Option<VariableId>>,
    places: HashMap<MetadataId, Option<LocationId>>,
    /// The place that was read last, which the next instruction often has as well.
    last: Option<(DebugLocation, Option<LocationId>)>,
    depth: usize,
}

/// What an expression says of a variable's value.
pub(super) struct Expression {
    pub piece: Option<(u32, u32)>,
    pub in_memory: bool,
}

impl<'a> DebugReader<'a> {
    /// Reads the files. `None` if the module has no debug information.
    pub fn new(input: &'a bitcode::Module, fuel: &'a Fuel) -> Result<Option<Self>> {
        if input.debug_operands.items().is_empty() {
            return Ok(None);
        }
        let mut reader = Self {
            input,
            fuel,
            info: Box::default(),
            files: HashMap::default(),
            by_name: HashMap::default(),
            scopes: HashMap::default(),
            types: HashMap::default(),
            variables: HashMap::default(),
            places: HashMap::default(),
            last: None,
            depth: 0,
        };
        reader.sources()?;
        Ok(Some(reader))
    }

    /// The strings in the nodes of a named list.
    fn strings(&self, list: &str) -> Result<Vec<Vec<&'a str>>> {
        let input = self.input;
        let Some(named) = input.named_metadata(list) else { return Ok(Vec::new()) };
        let strings = |&id: &MetadataId| match input.metadata_view(None, bitcode::MetadataOperand::Id(id)) {
            MetadataView::Node(_, operands) => {
                // A list may have one node many times.
                self.fuel.items::<&str>(Place::Input, DEBUG, operands.len())?;
                let strings = operands.iter().filter_map(|&operand| match input.metadata_view(None, operand) {
                    MetadataView::String(bytes) => std::str::from_utf8(bytes).ok(),
                    _ => None,
                });
                Ok(strings.collect())
            }
            _ => Ok(Vec::new()),
        };
        named.iter().map(strings).collect()
    }

    /// Reads `dx.source.contents`, `dx.source.mainFileName` and `dx.source.args` (DXC,
    /// DxilMetadataHelper.h), and the compiler's name.
    fn sources(&mut self) -> Result<()> {
        let main = self.strings("dx.source.mainFileName")?.into_iter().flatten().next();
        let mut contents = self.strings("dx.source.contents")?;
        // The main file comes first.
        contents.sort_by_key(|node| node.first().copied() != main);
        for node in contents {
            let [name, text] = node[..] else { continue };
            // In a PDB the texts are beside the module (part SRCI), and what is here is empty.
            if name.is_empty() {
                continue;
            }
            self.fuel.items::<u8>(Place::Input, DEBUG, name.len() + text.len())?;
            let file = self.info.files.push(SourceFile { name: name.into(), text: Some(text.into()) });
            self.by_name.entry(plain(name)).or_insert(file);
        }
        for argument in self.strings("dx.source.args")?.into_iter().flatten() {
            self.fuel.items::<u8>(Place::Input, DEBUG, argument.len() + size_of::<Box<str>>())?;
            self.info.arguments.push(argument.into());
        }
        if let Some(unit) = self.input.named_metadata("llvm.dbg.cu").and_then(|list| list.first())
            && let Some((DebugCode::COMPILE_UNIT, operands)) = self.node(*unit)
        {
            self.info.producer = self.text(operands, 3)?;
        }
        Ok(())
    }

    /// Reads the variables outside of functions, which compilation units list.
    pub fn globals(&mut self) -> Result<()> {
        let units = self.input.named_metadata("llvm.dbg.cu").unwrap_or_default();
        for &unit in units {
            let Some((DebugCode::COMPILE_UNIT, operands)) = self.node(unit) else { continue };
            for global in self.list(operands, 12).flatten() {
                let Some((DebugCode::GLOBAL_VARIABLE, operands)) = self.node(global) else { continue };
                let file = self.file(Self::reference(operands, 4))?;
                let ty = Self::reference(operands, 6).map_or(Ok(None), |ty| self.ty(ty))?;
                let (Some(file), Some(ty)) = (file, ty) else { continue };
                self.fuel.items::<GlobalVariable>(Place::Input, DEBUG, 1)?;
                let (name, linkage_name) = (self.text(operands, 2)?, self.text(operands, 3)?);
                let declared = (file, Self::number(operands, 5));
                self.info.globals.push(GlobalVariable { name, linkage_name, declared, ty });
            }
        }
        Ok(())
    }

    /// The code and the operands of a debug node.
    fn node(&self, id: MetadataId) -> Option<(DebugCode, &'a [u64])> {
        match *self.input.metadata.get(id)? {
            Metadata::Debug { code, operands } => Some((code, &self.input.debug_operands[operands])),
            _ => None,
        }
    }

    /// The node that an operand refers to. Such operands are numbers of nodes plus one.
    fn reference(operands: &[u64], index: usize) -> Option<MetadataId> {
        let number = operands.get(index)?.checked_sub(1)?;
        u32::try_from(number).ok().filter(|&number| number < u32::MAX).map(|number| MetadataId::new(number as usize))
    }

    /// The operand as a number; the largest one if it is too large, and zero if there is none.
    fn number(operands: &[u64], index: usize) -> u32 {
        operands.get(index).map_or(0, |&number| u32::try_from(number).unwrap_or(u32::MAX))
    }

    /// The string that an operand refers to; empty for none.
    fn text(&self, operands: &[u64], index: usize) -> Result<Box<str>> {
        let string = match Self::reference(operands, index).and_then(|id| self.input.metadata.get(id)) {
            Some(&Metadata::String(string)) => string,
            _ => return Ok("".into()),
        };
        let text = self.input.text(string);
        self.fuel.items::<u8>(Place::Input, DEBUG, text.len())?;
        Ok(unmarked(&text).into())
    }

    /// The nodes of a list (`elements: !{…}`) that an operand refers to.
    fn list(&self, operands: &[u64], index: usize) -> impl Iterator<Item = Option<MetadataId>> + use<'a> {
        let input = self.input;
        let list = Self::reference(operands, index).and_then(|id| match *input.metadata.get(id)? {
            Metadata::Node { operands, .. } => Some(&input.metadata_operands[operands]),
            _ => None,
        });
        list.unwrap_or_default().iter().take(MEMBERS).map(|&operand| match operand {
            bitcode::MetadataOperand::Id(id) => Some(id),
            _ => None,
        })
    }

    /// What a node is read as. It is read once. A node within itself, or too deep in others, is
    /// nothing.
    fn once<T: Copy>(
        &mut self,
        id: MetadataId,
        map: impl Fn(&mut Self) -> &mut HashMap<MetadataId, Option<T>>,
        read: impl FnOnce(&mut Self, DebugCode, &'a [u64]) -> Result<Option<T>>,
    ) -> Result<Option<T>> {
        if let Some(&known) = map(self).get(&id) {
            return Ok(known);
        }
        let Some((code, operands)) = self.node(id).filter(|_| self.depth < NESTING) else { return Ok(None) };
        self.fuel.items::<(SourceType, MetadataId)>(Place::Input, DEBUG, 1)?;
        map(self).insert(id, None);
        self.depth += 1;
        let made = read(self, code, operands);
        self.depth -= 1;
        let made = made?;
        map(self).insert(id, made);
        Ok(made)
    }

    /// `!DIFile(filename, directory)`
    fn file(&mut self, id: Option<MetadataId>) -> Result<Option<FileId>> {
        let Some(id) = id else { return Ok(None) };
        self.once(
            id,
            |reader| &mut reader.files,
            |reader, code, operands| {
                if code != DebugCode::FILE {
                    return Ok(None);
                }
                let name = reader.text(operands, 1)?;
                let Self { by_name, info, .. } = reader;
                let add = || info.files.push(SourceFile { name: name.clone(), text: None });
                Ok(Some(*by_name.entry(plain(&name)).or_insert_with(add)))
            },
        )
    }

    /// A function or block. Files and namespaces are no scopes.
    pub fn scope(&mut self, id: Option<MetadataId>) -> Result<Option<ScopeId>> {
        let Some(id) = id else { return Ok(None) };
        self.once(
            id,
            |reader| &mut reader.scopes,
            |reader, code, operands| {
                let at = |index| Self::reference(operands, index);
                let number = |index| Self::number(operands, index);
                let parent = reader.scope(at(1))?;
                let (file, line, column, function) = match code {
                    DebugCode::SUBPROGRAM => {
                        let function = SourceFunction {
                            name: reader.text(operands, 2)?,
                            linkage_name: reader.text(operands, 3)?,
                            signature: reader.signature(at(6))?,
                            body_line: number(9),
                        };
                        (at(4), number(5), 0, Some(function))
                    }
                    DebugCode::LEXICAL_BLOCK => (at(2), number(3), number(4), None),
                    // It says that a part of a scope is from another file.
                    DebugCode::LEXICAL_BLOCK_FILE => {
                        let Some(parent) = parent.map(|parent| &reader.info.scopes[parent]) else { return Ok(None) };
                        (at(2), parent.line, parent.column, None)
                    }
                    _ => return Ok(None),
                };
                let Some(file) = reader.file(file)? else { return Ok(None) };
                Ok(Some(reader.info.scopes.push(Scope { parent, file, line, column, function })))
            },
        )
    }

    /// `!DISubroutineType(types)`
    fn signature(&mut self, id: Option<MetadataId>) -> Result<Vec<Option<SourceTypeId>>> {
        match id.and_then(|id| self.node(id)) {
            Some((DebugCode::SUBROUTINE_TYPE, operands)) => {
                self.fuel.items::<Option<SourceTypeId>>(Place::Input, DEBUG, self.list(operands, 2).count())?;
                self.list(operands, 2).map(|ty| ty.map_or(Ok(None), |ty| self.ty(ty))).collect()
            }
            _ => Ok(Vec::new()),
        }
    }

    /// A type.
    fn ty(&mut self, id: MetadataId) -> Result<Option<SourceTypeId>> {
        self.once(
            id,
            |reader| &mut reader.types,
            |reader, code, operands| {
                let base = |reader: &mut Self| Self::reference(operands, 6).map_or(Ok(None), |base| reader.ty(base));
                let size = |index: usize| operands.get(index).copied().unwrap_or(0);
                let ty = match code {
                    DebugCode::BASIC_TYPE => {
                        // DWARF 4, 7.8.
                        let encoding = match size(5) {
                            2 => Encoding::Bool,
                            4 => Encoding::Float,
                            5 | 6 => Encoding::Signed,
                            _ => Encoding::Unsigned,
                        };
                        let name = reader.text(operands, 2)?;
                        SourceType { name, bits: size(3), kind: SourceTypeKind::Number(encoding) }
                    }
                    DebugCode::DERIVED_TYPE => {
                        let Some(base) = base(reader)? else { return Ok(None) };
                        let (name, bits) = (reader.text(operands, 2)?, reader.info.types[base].bits);
                        if name.is_empty() {
                            return Ok(Some(base));
                        }
                        SourceType { name, bits, kind: SourceTypeKind::Alias(base) }
                    }
                    DebugCode::COMPOSITE_TYPE if size(1) == tag::ARRAY => {
                        let Some(element) = base(reader)? else { return Ok(None) };
                        let ranges: Vec<_> = reader.list(operands, 11).flatten().collect();
                        let counts = ranges.into_iter().filter_map(|range| match reader.node(range)? {
                            (DebugCode::SUBRANGE, range) => Some(Self::number(range, 1)),
                            _ => None,
                        });
                        let kind = SourceTypeKind::Array { element, counts: counts.collect() };
                        SourceType { name: "".into(), bits: size(7), kind }
                    }
                    DebugCode::COMPOSITE_TYPE => {
                        let name = reader.text(operands, 2)?;
                        let members = reader.members(operands)?;
                        let kind = vector(&name, &members).unwrap_or(SourceTypeKind::Structure(members));
                        SourceType { name, bits: size(7), kind }
                    }
                    _ => return Ok(None),
                };
                Ok(Some(reader.info.types.push(ty)))
            },
        )
    }

    /// The members of a structure.
    fn members(&mut self, operands: &'a [u64]) -> Result<Vec<Member>> {
        let mut members = Vec::new();
        for member in self.list(operands, 11).flatten() {
            let Some((DebugCode::DERIVED_TYPE, operands)) = self.node(member) else { continue };
            if operands.get(1) != Some(&tag::MEMBER) {
                continue;
            }
            let ty = Self::reference(operands, 6).map_or(Ok(None), |ty| self.ty(ty))?;
            let file = self.file(Self::reference(operands, 3))?;
            let (Some(ty), Some(file)) = (ty, file) else { continue };
            self.fuel.items::<Member>(Place::Input, DEBUG, 1)?;
            members.push(Member {
                name: self.text(operands, 2)?,
                ty,
                offset: operands.get(9).copied().unwrap_or(0),
                bits: operands.get(7).copied().unwrap_or(0),
                declared: (file, Self::number(operands, 4)),
            });
        }
        Ok(members)
    }

    /// `!DILocalVariable`
    pub fn variable(&mut self, id: MetadataId) -> Result<Option<VariableId>> {
        self.once(
            id,
            |reader| &mut reader.variables,
            |reader, code, operands| {
                let at = |index| Self::reference(operands, index);
                if code != DebugCode::LOCAL_VARIABLE {
                    return Ok(None);
                }
                let (scope, file) = (reader.scope(at(2))?, reader.file(at(4))?);
                let Some(scope) = scope else { return Ok(None) };
                // One that the compiler made, such as `this`, has no file.
                let file = file.unwrap_or(reader.info.scopes[scope].file);
                let variable = Variable {
                    name: reader.text(operands, 3)?,
                    scope,
                    declared: (file, Self::number(operands, 5)),
                    ty: at(6).map_or(Ok(None), |ty| reader.ty(ty))?,
                    parameter: Self::number(operands, 7),
                };
                Ok(Some(reader.info.variables.push(variable)))
            },
        )
    }

    /// `!DIExpression`: the whole variable, a piece of it, or the memory that a pointer points to.
    /// `None` for other expressions.
    pub fn expression(&self, id: MetadataId) -> Option<Expression> {
        let Some((DebugCode::EXPRESSION, operands)) = self.node(id) else { return None };
        let (in_memory, rest) = match operands.get(1..)? {
            [operation::DEREF, rest @ ..] => (true, rest),
            rest => (false, rest),
        };
        match *rest {
            [] => Some(Expression { piece: None, in_memory }),
            [operation::BIT_PIECE, start, bits] => {
                let piece = Some((u32::try_from(start).ok()?, u32::try_from(bits).ok()?));
                Some(Expression { piece, in_memory })
            }
            _ => None,
        }
    }

    /// The place of an instruction.
    pub fn location(&mut self, location: DebugLocation) -> Result<Option<LocationId>> {
        if let Some((_, known)) = self.last.filter(|(last, _)| *last == location) {
            return Ok(known);
        }
        let DebugLocation { line, column, scope, inlined_at } = location;
        let made = self.place(line, column, scope, inlined_at)?;
        self.last = Some((location, made));
        Ok(made)
    }

    fn place(
        &mut self,
        line: u32,
        column: u32,
        scope: Option<MetadataId>,
        inlined_at: Option<MetadataId>,
    ) -> Result<Option<LocationId>> {
        let Some(scope) = self.scope(scope)? else { return Ok(None) };
        let inlined_at = inlined_at.map_or(Ok(None), |call| self.call(call))?;
        self.fuel.items::<[Location; 2]>(Place::Input, DEBUG, 1)?;
        Ok(Some(self.info.location(Location { line, column, scope, inlined_at })))
    }

    /// `!DILocation`, whose scope is the number of a node without the one.
    fn call(&mut self, id: MetadataId) -> Result<Option<LocationId>> {
        self.once(
            id,
            |reader| &mut reader.places,
            |reader, code, operands| match (code, operands) {
                (DebugCode::LOCATION, &[_, line, column, scope, _]) => {
                    let (line, column) = (line as u32, column as u32);
                    let scope = u32::try_from(scope).ok().map(|scope| MetadataId::new(scope as usize));
                    reader.place(line, column, scope, Self::reference(operands, 4))
                }
                _ => Ok(None),
            },
        )
    }

    /// The functions of the source, by the functions of the bitcode that they are.
    pub fn functions(&mut self) -> Result<Vec<(bitcode::FunctionId, ScopeId)>> {
        let mut functions = Vec::new();
        for id in self.input.metadata.keys() {
            let Some((DebugCode::SUBPROGRAM, operands)) = self.node(id) else { continue };
            let function = Self::reference(operands, 15).and_then(|value| match *self.input.metadata.get(value)? {
                Metadata::Value(value) => match self.input.values.get(value)?.def {
                    bitcode::ValueDef::Function(function) => Some(function),
                    _ => None,
                },
                _ => None,
            });
            if let (Some(function), Some(scope)) = (function, self.scope(Some(id))?) {
                functions.push((function, scope));
            }
        }
        Ok(functions)
    }
}

/// HLSL's vectors are classes `vector<T, n>` with a member for each component.
fn vector(name: &str, members: &[Member]) -> Option<SourceTypeKind> {
    let first = members.first().filter(|_| name.starts_with("vector<"))?;
    let alike = (0..).zip(members).all(|(n, member)| member.ty == first.ty && member.offset == n * first.bits);
    alike.then_some(SourceTypeKind::Vector { component: first.ty, count: members.len() as u32 })
}
