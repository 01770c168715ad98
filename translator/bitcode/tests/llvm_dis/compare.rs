//! Compares a module that this crate read with the assembly of the same bitcode.
//!
//! In: both. Out: the first difference, or counts of the items that agree. Numbers of unnamed items
//! are matched: each of our numbers must correspond to the same number of theirs everywhere, and no
//! two of ours to the same one.

use std::collections::{BTreeMap, BTreeSet};

use dxil_base::entity::Entity;
use dxil_bitcode::{AttributeListId, AttributeSlot, BlockId, Body, Inst, MetadataId, Module, ValueId};

use crate::ours::{self, Line, Token, Writer};
use crate::text::{Assembly, Function};

/// Counts of compared items.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub types: usize,
    pub globals: usize,
    pub functions: usize,
    pub blocks: usize,
    pub instructions: usize,
    pub named_metadata: usize,
    pub nodes: usize,
    pub debug_nodes: usize,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, o: Self) {
        self.types += o.types;
        self.globals += o.globals;
        self.functions += o.functions;
        self.blocks += o.blocks;
        self.instructions += o.instructions;
        self.named_metadata += o.named_metadata;
        self.nodes += o.nodes;
        self.debug_nodes += o.debug_nodes;
    }
}

/// A one-to-one mapping of our numbers and theirs.
#[derive(Debug)]
struct Matching<K> {
    forth: BTreeMap<K, String>,
    back: BTreeMap<String, K>,
}

impl<K: Ord + Copy> Matching<K> {
    fn new() -> Self {
        Self { forth: BTreeMap::new(), back: BTreeMap::new() }
    }
    /// Whether ours and theirs are matched, or can be. Matches them if they are new.
    fn unify(&mut self, ours: K, theirs: &str) -> bool {
        let forth = self.forth.entry(ours).or_insert_with(|| theirs.to_owned());
        let back = self.back.entry(theirs.to_owned()).or_insert(ours);
        forth == theirs && *back == ours
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Local {
    Value(ValueId),
    Block(BlockId),
}

struct Comparison<'a> {
    module: &'a Module,
    assembly: &'a Assembly,
    metadata: Matching<MetadataId>,
    /// Nodes that are matched and whose content is not compared yet.
    pending: Vec<(MetadataId, String)>,
    counts: Counts,
}

pub fn compare(module: &Module, assembly: &Assembly) -> Result<Counts, String> {
    let mut c =
        Comparison { module, assembly, metadata: Matching::new(), pending: Vec::new(), counts: Counts::default() };
    let text = |s| String::from_utf8_lossy(module.bytes(s)).into_owned();
    if text(module.triple) != assembly.triple || text(module.data_layout) != assembly.data_layout {
        return Err("triple or data layout differ".into());
    }
    c.types()?;
    c.globals()?;
    c.functions()?;
    c.named_metadata()?;
    c.nodes(None)?;
    Ok(c.counts)
}

impl Comparison<'_> {
    /// Compares types. LLVM writes only the types that are used; ours are all types of the table.
    fn types(&mut self) -> Result<(), String> {
        let ours: BTreeMap<String, Line> =
            self.module.types.values().filter_map(|&ty| ours::type_definition(self.module, ty)).collect();
        for (name, theirs) in &self.assembly.types {
            let Some(line) = ours.get(name) else { return Err(format!("type {name} is missing")) };
            self.line(&mut Matching::new(), line, theirs)?;
            self.counts.types += 1;
        }
        Ok(())
    }

    fn globals(&mut self) -> Result<(), String> {
        let ours = ours::globals(self.module);
        same_count("globals", ours.len(), self.assembly.globals.len())?;
        for (line, theirs) in ours.iter().zip(&self.assembly.globals) {
            self.line(&mut Matching::new(), line, theirs)?;
            self.counts.globals += 1;
        }
        Ok(())
    }

    /// Compares functions, without intrinsics for debugging and lifetimes, because LLVM 14 replaces
    /// their declarations.
    fn functions(&mut self) -> Result<(), String> {
        let (module, assembly) = (self.module, self.assembly);
        let replaced = |name: &[u8]| name.starts_with(b"llvm.dbg.") || name.starts_with(b"llvm.lifetime.");
        let ours: Vec<_> = module.functions.values().filter(|f| !replaced(module.bytes(f.name))).collect();
        let theirs: Vec<_> = assembly
            .functions
            .iter()
            .filter(|f| !f.header.iter().any(|t| t.strip_prefix('@').is_some_and(|n| replaced(n.as_bytes()))))
            .collect();
        same_count("functions", ours.len(), theirs.len())?;
        for (function, theirs) in ours.into_iter().zip(theirs) {
            let name = String::from_utf8_lossy(module.bytes(function.name)).into_owned();
            let mut locals = Matching::new();
            self.line(&mut locals, &ours::header(module, function), &theirs.header)?;
            if let Some(body) = &function.body {
                self.body(&mut locals, body, theirs).map_err(|e| format!("in {name}: {e}"))?;
                self.nodes(Some(body)).map_err(|e| format!("in {name}: {e}"))?;
            }
            self.counts.functions += 1;
        }
        Ok(())
    }

    fn body(&mut self, locals: &mut Matching<Local>, body: &Body, theirs: &Function) -> Result<(), String> {
        let mut lines = theirs.lines.iter().peekable();
        for (i, block) in body.blocks.keys().enumerate() {
            let mut w = Writer::new(self.module, Some(body));
            w.text("label").block(block);
            // The first block has a label only if it has a name.
            match lines.peek() {
                Some(theirs) if theirs[0] == "label" => {
                    self.line(locals, &w.line, theirs)?;
                    lines.next();
                }
                _ if i == 0 => {}
                other => return Err(format!("{block} is at {other:?}")),
            }
            for (id, inst) in body.block_insts(block) {
                let mut w = Writer::new(self.module, Some(body));
                w.instruction(id);
                let Some(theirs) = lines.next() else { return Err(format!("{id} is missing")) };
                if matches!(inst.inst, Inst::CmpXchg { .. }) && !w.gives_structure(inst) {
                    let Some(taken) = lines.next() else { return Err(format!("the old value of {id} is missing")) };
                    self.line(locals, &w.line, &with_old_value(theirs, taken)?)?;
                } else {
                    self.line(locals, &w.line, theirs)?;
                }
                self.counts.instructions += 1;
            }
            self.counts.blocks += 1;
        }
        match lines.next() {
            None => Ok(()),
            Some(line) => Err(format!("there is more: {line:?}")),
        }
    }

    fn named_metadata(&mut self) -> Result<(), String> {
        same_count("named metadata", self.module.named_metadata.len(), self.assembly.named_metadata.len())?;
        for (named, theirs) in self.module.named_metadata.iter().zip(&self.assembly.named_metadata) {
            let name: String =
                "!".chars().chain(self.module.bytes(named.name).iter().map(|&b| char::from(b))).collect();
            let mut line = vec![Token::Text(name)];
            line.extend(["=", "!", "{"].map(|t| Token::Text(t.into())));
            for (i, &node) in self.module.named_nodes[named.nodes].iter().enumerate() {
                if i != 0 {
                    line.push(Token::Text(",".into()));
                }
                line.push(Token::Metadata(node));
            }
            line.push(Token::Text("}".into()));
            self.line(&mut Matching::new(), &line, theirs)?;
            self.counts.named_metadata += 1;
        }
        Ok(())
    }

    /// Compares the matched nodes, and those that they refer to.
    fn nodes(&mut self, body: Option<&Body>) -> Result<(), String> {
        while let Some((ours, theirs)) = self.pending.pop() {
            let Some(def) = self.assembly.nodes.get(&theirs) else { return Err(format!("{theirs} is not defined")) };
            let mut w = Writer::new(self.module, body);
            w.node(ours);
            if let [Token::Inline(kind)] = w.line[..] {
                // The content of debug nodes is not read, so only their kind can be compared.
                let found = def.iter().find(|t| *t != "distinct");
                if found.is_none_or(|t| t != kind) {
                    return Err(format!("{ours} is {kind}, {theirs} is {def:?}"));
                }
                self.counts.debug_nodes += 1;
                continue;
            }
            self.line(&mut Matching::new(), &w.line, def).map_err(|e| format!("{ours}, {theirs}: {e}"))?;
            self.counts.nodes += 1;
        }
        // The next body uses the same numbers for other nodes.
        let shared = self.module.metadata.len();
        self.metadata.forth.retain(|id, _| id.index() < shared);
        Ok(())
    }

    fn line(&mut self, locals: &mut Matching<Local>, ours: &[Token], theirs: &[String]) -> Result<(), String> {
        let mut rest = theirs;
        for token in ours {
            let Some((found, after)) = rest.split_first() else { return Err(difference(ours, theirs, token)) };
            rest = after;
            let same = match token {
                Token::Text(text) => text == found,
                Token::Any => true,
                Token::Value(id) => found.starts_with('%') && locals.unify(Local::Value(*id), found),
                Token::Block(id) => found.starts_with('%') && locals.unify(Local::Block(*id), found),
                Token::Metadata(id) => {
                    if !self.metadata.forth.contains_key(id) {
                        self.pending.push((*id, found.clone()));
                    }
                    found.starts_with('!') && self.metadata.unify(*id, found)
                }
                Token::Attributes(list) => self.same_attributes(*list, found),
                Token::Inline(kind) => {
                    // Skips to the closing parenthesis. There are no parentheses inside.
                    match rest.iter().position(|t| t == ")") {
                        Some(end) => {
                            rest = &rest[end + 1..];
                            found == kind
                        }
                        None => false,
                    }
                }
            };
            if !same {
                return Err(difference(ours, theirs, token));
            }
        }
        if !rest.is_empty() {
            return Err(format!("ours ends before {rest:?}: {}", theirs.join(" ")));
        }
        Ok(())
    }

    fn same_attributes(&self, list: AttributeListId, theirs: &str) -> bool {
        let own =
            self.module.attribute_items[self.module.attributes[list]].iter().filter(|i| i.0 == AttributeSlot::Function);
        let ours: BTreeSet<String> = own.map(|i| ours::attribute_tokens(self.module, i.1, "=").concat()).collect();
        let mut found = BTreeSet::new();
        let mut group = self.assembly.attributes.get(theirs).map_or(&[][..], Vec::as_slice);
        while let Some((first, rest)) = group.split_first() {
            let (token, after) = match rest {
                [equals, value, after @ ..] if equals == "=" => (format!("{first}={value}"), after),
                [open, value, close, after @ ..] if open == "(" => (format!("{first}({value}{close}"), after),
                after => (first.clone(), after),
            };
            found.insert(token);
            group = after;
        }
        ours == found
    }
}

/// The line of an exchange of LLVM before 3.5, whose result is the old value. LLVM gives it a pair
/// as its result, and takes the old value out of it in the next line.
fn with_old_value(exchange: &[String], taken: &[String]) -> Result<Vec<String>, String> {
    let is_taken = matches!(taken, [_, equals, op, .., pair, comma, index]
        if equals == "=" && op == "extractvalue" && *pair == exchange[0] && comma == "," && index == "0");
    match is_taken {
        true => Ok(taken[..1].iter().chain(&exchange[1..]).cloned().collect()),
        false => Err(format!("{taken:?} does not take the old value of {exchange:?}")),
    }
}

fn same_count(what: &str, ours: usize, theirs: usize) -> Result<(), String> {
    if ours == theirs { Ok(()) } else { Err(format!("{ours} {what}, llvm-dis has {theirs}")) }
}

fn difference(ours: &[Token], theirs: &[String], at: &Token) -> String {
    let text: Vec<String> = ours
        .iter()
        .map(|t| match t {
            Token::Text(text) => text.clone(),
            Token::Value(id) => format!("%{}", id.index()),
            Token::Block(id) => format!("%{id}"),
            Token::Metadata(id) => format!("!{}", id.index()),
            Token::Attributes(id) => format!("#{}", id.index()),
            Token::Any => "…".into(),
            Token::Inline(kind) => format!("{kind}(…)"),
        })
        .collect();
    format!("at {at:?}\n  ours:   {}\n  theirs: {}", text.join(" "), theirs.join(" "))
}

/// The opcodes that no instruction of a text has.
pub fn opcodes_missing<'o>(text: &str, opcodes: &[&'o str]) -> Vec<&'o str> {
    let assembly = crate::text::parse(text);
    let words: BTreeSet<&str> = assembly
        .functions
        .iter()
        .flat_map(|f| &f.lines)
        .flat_map(|line| line.iter().take(4))
        .map(String::as_str)
        .collect();
    opcodes.iter().copied().filter(|o| !words.contains(o)).collect()
}
