//! Writes a module that this crate read as tokens of LLVM assembly.
//!
//! In: a [`Module`]. Out: lines of [`Token`]s. Numbered items of the assembly (unnamed values and
//! blocks, metadata nodes, attribute groups) have token kinds of their own, so that the comparison
//! can match numbers instead of comparing them.

use dxil_base::entity::Entity;
use dxil_bitcode::{
    Attribute, AttributeListId, AttributeSlot, BlockId, Body, Constant, DebugCode, Function, Inst, InstId, Instruction,
    Linkage, MemoryOperand, Metadata, MetadataId, MetadataOperand, Module, OptimizationFlags, Ordering, Str, TailKind,
    Type, TypeId, ValueDef, ValueId,
};

use crate::text::tokens;

#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// This text.
    Text(String),
    /// `%N`
    Value(ValueId),
    /// `%N`
    Block(BlockId),
    /// `!N`
    Metadata(MetadataId),
    /// `#N`
    Attributes(AttributeListId),
    /// Any single token. LLVM 14 fills it in where the record of LLVM 3.7 gives nothing.
    Any,
    /// `!Kind(…)`: a debug node written in place, whose fields are not read.
    Inline(&'static str),
}

pub type Line = Vec<Token>;

/// Specialised nodes by the codes of their records.
pub fn debug_kind(code: DebugCode) -> &'static str {
    match code.0 {
        7 => "!DILocation",
        12 => "!GenericDINode",
        13 => "!DISubrange",
        14 => "!DIEnumerator",
        15 => "!DIBasicType",
        16 => "!DIFile",
        17 => "!DIDerivedType",
        18 => "!DICompositeType",
        19 => "!DISubroutineType",
        20 => "!DICompileUnit",
        21 => "!DISubprogram",
        22 => "!DILexicalBlock",
        23 => "!DILexicalBlockFile",
        24 => "!DINamespace",
        25 => "!DITemplateTypeParameter",
        26 => "!DITemplateValueParameter",
        27 => "!DIGlobalVariable",
        28 => "!DILocalVariable",
        29 => "!DIExpression",
        30 => "!DIObjCProperty",
        31 => "!DIImportedEntity",
        _ => panic!("debug record {code:?}"),
    }
}

/// Writes one line.
pub struct Writer<'m> {
    pub module: &'m Module,
    pub body: Option<&'m Body>,
    pub line: Line,
}

impl<'m> Writer<'m> {
    pub fn new(module: &'m Module, body: Option<&'m Body>) -> Self {
        Self { module, body, line: Vec::new() }
    }
    pub fn text(&mut self, text: impl AsRef<str>) -> &mut Self {
        self.line.extend(tokens(text.as_ref()).into_iter().map(Token::Text));
        self
    }
    /// A name or string as one token.
    fn name(&mut self, sigil: &str, s: Str) -> &mut Self {
        let bytes = self.module.bytes(s).iter().map(|&b| char::from(b));
        self.line.push(Token::Text(sigil.chars().chain(bytes).collect()));
        self
    }
    fn token(&mut self, token: Token) -> &mut Self {
        self.line.push(token);
        self
    }
    pub fn ty(&mut self, ty: TypeId) -> &mut Self {
        self.text(self.module.type_text(ty).to_string())
    }
    fn type_of(&self, id: ValueId) -> TypeId {
        self.module.value(self.body, id).expect("a value in range").ty
    }
    fn kind_of(&self, id: ValueId) -> Type {
        self.module.types[self.type_of(id)]
    }
    /// Whether the result of an instruction is a structure.
    pub fn gives_structure(&self, inst: &Instruction) -> bool {
        inst.result.is_some_and(|result| matches!(self.kind_of(result), Type::Struct { .. }))
    }
    /// A value with its type.
    fn typed(&mut self, id: ValueId) -> &mut Self {
        let value = self.module.value(self.body, id).expect("a value in range");
        if let ValueDef::Metadata(m) = value.def {
            return self.text("metadata").metadata_argument(m);
        }
        self.ty(value.ty).plain(id)
    }
    fn list(&mut self, values: &[ValueId]) -> &mut Self {
        for (i, &value) in values.iter().enumerate() {
            if i != 0 {
                self.text(",");
            }
            self.typed(value);
        }
        self
    }
    /// A value without its type.
    pub fn plain(&mut self, id: ValueId) -> &mut Self {
        let value = self.module.value(self.body, id).expect("a value in range");
        match value.def {
            ValueDef::Global(g) => self.name("@", self.module.globals[g].name),
            ValueDef::Function(f) => {
                let name = self.module.functions[f].name;
                self.name("@", name);
                // LLVM 14 replaces these declarations by ones with the pointer's type in their
                // names.
                if LIFETIMES.contains(&self.module.bytes(name))
                    && let Some(Token::Text(text)) = self.line.last_mut()
                {
                    text.push_str(".p0i8");
                }
                self
            }
            ValueDef::Alias(a) => self.name("@", self.module.aliases[a].name),
            ValueDef::Constant(c) => self.constant(self.module.constants[c], value.ty),
            ValueDef::Argument(_) | ValueDef::Inst(_) => {
                let names = &self.body.expect("a local value in a body").value_names;
                match names.binary_search_by_key(&id, |n| n.0) {
                    Ok(i) => self.name("%", names[i].1),
                    Err(_) => self.token(Token::Value(id)),
                }
            }
            ValueDef::Metadata(_) => panic!("metadata without its type"),
        }
    }
    pub fn block(&mut self, id: BlockId) -> &mut Self {
        let names = &self.body.expect("a block in a body").block_names;
        match names.binary_search_by_key(&id, |n| n.0) {
            Ok(i) => self.name("%", names[i].1),
            Err(_) => self.token(Token::Block(id)),
        }
    }
    /// A branch target.
    fn label(&mut self, id: BlockId) -> &mut Self {
        self.text("label").block(id)
    }

    fn constant(&mut self, constant: Constant, ty: TypeId) -> &mut Self {
        let module = self.module;
        let kind = module.types[ty];
        match constant {
            Constant::Null => match kind {
                Type::Integer(_) | Type::Half | Type::Float | Type::Double => self.number(kind, 0),
                Type::Pointer { .. } => self.text("null"),
                _ => self.text("zeroinitializer"),
            },
            Constant::Undef => self.text("undef"),
            Constant::Poison => self.text("poison"),
            Constant::Int(bits) | Constant::Float(bits) => self.number(kind, bits),
            Constant::WideInt(words) => self.text(wide(kind, &module.constant_words[words])),
            Constant::WideFloat(_) => panic!("a float that DXIL does not have"),
            Constant::Aggregate(list) => {
                let (open, close) = brackets(kind);
                self.text(open).list(&module.constant_operands[list]).text(close)
            }
            Constant::Data(words) => {
                let words = &module.constant_words[words];
                let (Type::Array { element, .. } | Type::Vector { element, .. }) = kind else {
                    panic!("data that is not an array or vector");
                };
                if module.types[element] == Type::Integer(8) && matches!(kind, Type::Array { .. }) {
                    let chars = words.iter().map(|&w| char::from(w as u8));
                    return self.token(Token::Text("c ".chars().chain(chars).collect()));
                }
                let (open, close) = brackets(kind);
                self.text(open);
                for (i, &word) in words.iter().enumerate() {
                    self.text(if i == 0 { "" } else { "," }).ty(element).number(module.types[element], word);
                }
                self.text(close)
            }
            Constant::Binary { op, flags, lhs, rhs } => {
                self.text(op.name()).flags(flags).text("(").list(&[lhs, rhs]).text(")")
            }
            Constant::Cast { op, value } => self.text(op.name()).text("(").typed(value).text("to").ty(ty).text(")"),
            Constant::GetElementPtr { inbounds, base_ty, operands } => {
                self.text(if inbounds { "getelementptr inbounds (" } else { "getelementptr (" });
                self.ty(base_ty).text(",").list(&module.constant_operands[operands]).text(")")
            }
            Constant::Select { cond, if_true, if_false } => {
                self.text("select (").list(&[cond, if_true, if_false]).text(")")
            }
            Constant::Cmp { pred, lhs, rhs } => {
                self.text(if pred.is_float() { "fcmp" } else { "icmp" });
                self.text(pred.name()).text("(").list(&[lhs, rhs]).text(")")
            }
            Constant::ExtractElement { vector, index } => {
                self.text("extractelement (").list(&[vector, index]).text(")")
            }
            Constant::InsertElement { vector, element, index } => {
                self.text("insertelement (").list(&[vector, element, index]).text(")")
            }
            Constant::ShuffleVector { lhs, rhs, mask } => {
                self.text("shufflevector (").list(&[lhs, rhs, mask]).text(")")
            }
            Constant::BlockAddress { function, block } => self
                .text("blockaddress (")
                .plain(function)
                .text(",")
                .token(Token::Block(BlockId::new(block as usize)))
                .text(")"),
            Constant::InlineAsm { text, constraints } => {
                self.text("asm").token(Token::Any).name("\"", text).text(",").name("\"", constraints)
            }
        }
    }

    /// A number exactly as LLVM writes it (`WriteConstantInternal`).
    fn number(&mut self, ty: Type, bits: u64) -> &mut Self {
        match ty {
            Type::Integer(1) => self.text(if bits == 0 { "false" } else { "true" }),
            Type::Integer(width) => self.text(((bits << (64 - width)) as i64 >> (64 - width)).to_string()),
            Type::Half => self.text(format!("0xH{bits:04X}")),
            Type::Float => self.text(float(widen(bits as u32))),
            Type::Double => self.text(float(bits)),
            other => panic!("a number of type {other:?}"),
        }
    }

    fn flags(&mut self, flags: OptimizationFlags) -> &mut Self {
        self.text(flags.to_string())
    }

    /// LLVM's fastcc is 8: DXC gives it to functions that it does not inline.
    fn convention(&mut self, number: u32) -> &mut Self {
        match number {
            0 => self,
            8 => self.text("fastcc"),
            _ => panic!("the test does not write calling convention {number}"),
        }
    }

    /// Attributes of a parameter or result: first flags, then numbers, then texts.
    fn attributes_of(&mut self, list: Option<AttributeListId>, slot: AttributeSlot) -> &mut Self {
        let Some(list) = list else { return self };
        let items = &self.module.attribute_items[self.module.attributes[list]];
        let rank = |a: &Attribute| match a {
            Attribute::Flag(_) => 0,
            Attribute::Int(..) => 1,
            Attribute::Type(..) => 2,
            Attribute::Text(..) => 3,
        };
        let mut own: Vec<Attribute> = items.iter().filter(|i| i.0 == slot).map(|i| i.1).collect();
        own.sort_by_key(rank);
        for attribute in own {
            let tokens = attribute_tokens(self.module, attribute, " ");
            self.line.extend(tokens.into_iter().map(Token::Text));
        }
        self
    }
    /// `#N`, if the function or call has attributes of its own.
    fn attribute_group(&mut self, list: Option<AttributeListId>) -> &mut Self {
        if let Some(list) = list
            && self.module.attribute_items[self.module.attributes[list]].iter().any(|i| i.0 == AttributeSlot::Function)
        {
            self.token(Token::Attributes(list));
        }
        self
    }

    fn linkage(&mut self, linkage: Linkage, declaration: bool) -> &mut Self {
        match linkage {
            Linkage::External if declaration => self.text("external"),
            Linkage::External => self,
            other => self.text(other.name()),
        }
    }

    /// Metadata as an argument of a debug intrinsic.
    fn metadata_argument(&mut self, id: MetadataId) -> &mut Self {
        match self.module.metadata(self.body, id).expect("metadata in range") {
            Metadata::Value(value) => self.typed(value),
            Metadata::Debug { code, .. } if debug_kind(code) == "!DIExpression" => {
                self.token(Token::Inline("!DIExpression"))
            }
            Metadata::Node { .. } | Metadata::Debug { .. } => self.token(Token::Metadata(id)),
            Metadata::String(s) => self.name("!", s),
        }
    }
    /// The content of a node.
    pub fn node(&mut self, id: MetadataId) -> &mut Self {
        match self.module.metadata(self.body, id).expect("metadata in range") {
            Metadata::Node { distinct, operands } => {
                self.text(if distinct { "distinct ! {" } else { "! {" });
                for (i, &operand) in self.module.metadata_operands[operands].iter().enumerate() {
                    self.text(if i == 0 { "" } else { "," });
                    match operand {
                        MetadataOperand::Null => self.text("null"),
                        MetadataOperand::Value(value) => self.typed(value),
                        MetadataOperand::Id(id) => self.metadata_argument(id),
                    };
                }
                self.text("}")
            }
            Metadata::Debug { code, .. } => self.token(Token::Inline(debug_kind(code))),
            other => panic!("{other:?} is not a node"),
        }
    }

    fn indices(&mut self, indices: &[u32]) -> &mut Self {
        for index in indices {
            self.text(format!(", {index}"));
        }
        self
    }

    fn align(&mut self, align: u32) -> &mut Self {
        match align {
            0 => self,
            n => self.text(format!(", align {n}")),
        }
    }
    /// An alignment. LLVM 14 always writes one.
    fn known_align(&mut self, align: u32) -> &mut Self {
        match align {
            0 => self.text(", align").token(Token::Any),
            n => self.align(n),
        }
    }
    fn scope(&mut self, scope: u32) -> &mut Self {
        match scope {
            0 => self.text("syncscope").text("(").token(Token::Text("\"singlethread".into())).text(")"),
            1 => self,
            n => panic!("synchronisation scope {n}"),
        }
    }
    fn ordering(&mut self, access: MemoryOperand) -> &mut Self {
        if access.ordering != Ordering::NotAtomic {
            self.scope(access.scope).text(access.ordering.name());
        }
        self
    }
    fn how(&mut self, access: MemoryOperand) -> &mut Self {
        if access.ordering != Ordering::NotAtomic {
            self.text("atomic");
        }
        self.volatile(access)
    }
    fn volatile(&mut self, access: MemoryOperand) -> &mut Self {
        self.text(if access.volatile { "volatile" } else { "" })
    }

    /// An instruction with its attachments.
    pub fn instruction(&mut self, id: InstId) {
        self.operation(id);
        let (module, body) = (self.module, self.body.expect("a body"));
        for attachment in body.attachments.iter().filter(|a| a.at == id) {
            let kind = module.metadata_kinds[attachment.kind as usize];
            self.text(",").name("!", kind).token(Token::Metadata(attachment.node));
        }
    }

    fn operation(&mut self, id: InstId) -> &mut Self {
        let (module, body) = (self.module, self.body.expect("a body"));
        let inst = &body.insts[id];
        if let Some(result) = inst.result {
            self.plain(result).text("=");
        }
        let result = inst.result.map(|r| self.type_of(r));
        match inst.inst {
            Inst::Binary { op, flags, lhs, rhs } => {
                assert_eq!(result, Some(self.type_of(lhs)));
                self.text(op.name()).flags(flags).typed(lhs).text(",").plain(rhs)
            }
            Inst::FNeg { flags, value } => self.text("fneg").flags(flags).typed(value),
            Inst::Freeze { value } => self.text("freeze").typed(value),
            Inst::Cast { op, value } => self.text(op.name()).typed(value).text("to").ty(result.unwrap()),
            Inst::Cmp { pred, flags, lhs, rhs } => {
                self.text(if pred.is_float() { "fcmp" } else { "icmp" });
                self.flags(flags).text(pred.name()).typed(lhs).text(",").plain(rhs)
            }
            Inst::Select { flags, cond, if_true, if_false } => {
                self.text("select").flags(flags).list(&[cond, if_true, if_false])
            }
            Inst::ExtractElement { vector, index } => self.text("extractelement").list(&[vector, index]),
            Inst::InsertElement { vector, element, index } => {
                self.text("insertelement").list(&[vector, element, index])
            }
            Inst::ShuffleVector { lhs, rhs, mask } => self.text("shufflevector").list(&[lhs, rhs, mask]),
            Inst::ExtractValue { aggregate, indices } => {
                self.text("extractvalue").typed(aggregate);
                self.indices(&body.indices[indices])
            }
            Inst::InsertValue { aggregate, value, indices } => {
                self.text("insertvalue").list(&[aggregate, value]);
                self.indices(&body.indices[indices])
            }
            Inst::GetElementPtr { inbounds, base_ty, operands } => {
                self.text(if inbounds { "getelementptr inbounds" } else { "getelementptr" });
                self.ty(base_ty).text(",").list(&body.operands[operands])
            }
            Inst::Alloca { ty, count, align } => {
                self.text("alloca").ty(ty);
                let one = module.constant_int(Some(body), count) == Some(1) && self.kind_of(count) == Type::Integer(32);
                if !one {
                    self.text(",").typed(count);
                }
                self.known_align(align)
            }
            Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::Fence { .. }
            | Inst::CmpXchg { .. }
            | Inst::AtomicRmw { .. } => self.access(inst),
            Inst::Call { .. } => self.call(inst),
            Inst::Phi { flags, incoming } => {
                self.text("phi").flags(flags).ty(result.unwrap());
                for (i, edge) in body.incoming[incoming].iter().enumerate() {
                    self.text(if i == 0 { "[" } else { ", [" }).plain(edge.value).text(",").block(edge.block).text("]");
                }
                self
            }
            Inst::Br { target } => self.text("br").label(target),
            Inst::CondBr { cond, if_true, if_false } => {
                self.text("br").typed(cond).text(",").label(if_true).text(",").label(if_false)
            }
            Inst::Switch { cond, default, cases } => {
                self.text("switch").typed(cond).text(",").label(default).text("[");
                let ty = self.type_of(cond);
                for case in &body.cases[cases] {
                    self.ty(ty).number(module.types[ty], case.value).text(",").label(case.target);
                }
                self.text("]")
            }
            Inst::Ret { value: None } => self.text("ret void"),
            Inst::Ret { value: Some(value) } => self.text("ret").typed(value),
            Inst::Unreachable => self.text("unreachable"),
            Inst::Foreign { op, .. } => panic!("{op} is not written by this test"),
        }
    }

    fn access(&mut self, inst: &Instruction) -> &mut Self {
        match inst.inst {
            Inst::Load { ptr, access } => {
                let ty = self.type_of(inst.result.unwrap());
                self.text("load").how(access).ty(ty).text(",").typed(ptr);
                self.ordering(access).known_align(access.align)
            }
            Inst::Store { ptr, value, access } => {
                self.text("store").how(access).list(&[value, ptr]).ordering(access).known_align(access.align)
            }
            Inst::Fence { ordering, scope } => self.text("fence").scope(scope).text(ordering.name()),
            Inst::CmpXchg { ptr, expected, new, access, failure, weak } => {
                self.text(if weak { "cmpxchg weak" } else { "cmpxchg" }).volatile(access).list(&[ptr, expected, new]);
                self.scope(access.scope).text(access.ordering.name()).text(failure.name()).known_align(access.align)
            }
            Inst::AtomicRmw { op, ptr, value, access } => {
                self.text("atomicrmw").volatile(access).text(op.name()).list(&[ptr, value]);
                self.scope(access.scope).text(access.ordering.name()).known_align(access.align)
            }
            other => panic!("{other:?} accesses no memory"),
        }
    }

    fn call(&mut self, inst: &Instruction) -> &mut Self {
        let (module, body) = (self.module, self.body.expect("a body"));
        let Inst::Call { callee, ty, args, attributes, calling_convention, tail, flags } = inst.inst else {
            panic!("{inst:?} is no call")
        };
        if tail != TailKind::None {
            self.text(tail.name());
        }
        self.text("call").flags(flags).convention(calling_convention).attributes_of(attributes, AttributeSlot::Return);
        let Type::Function { ret, vararg, .. } = module.types[ty] else { panic!("a call of no function") };
        self.ty(if vararg { ty } else { ret }).plain(callee).text("(");
        let args = &body.operands[args];
        // LLVM 14 removes the offset operand that llvm.dbg.value had.
        let old_debug_value = args.len() == 4 && function_name(module, callee) == b"llvm.dbg.value";
        for (i, &arg) in args.iter().enumerate().filter(|(i, _)| !(old_debug_value && *i == 1)) {
            if i != 0 {
                self.text(",");
            }
            if let ValueDef::Metadata(_) = module.value(Some(body), arg).unwrap().def {
                self.typed(arg);
                continue;
            }
            let ty = self.type_of(arg);
            self.ty(ty).attributes_of(attributes, AttributeSlot::Param(i as u32)).plain(arg);
        }
        self.text(")").attribute_group(attributes)
    }
}

pub fn function_name(module: &Module, callee: ValueId) -> &[u8] {
    match module.values.get(callee).map(|v| v.def) {
        Some(ValueDef::Function(f)) => module.bytes(module.functions[f].name),
        _ => b"",
    }
}

/// The intrinsics for lifetimes, as LLVM 3.7 names them.
pub const LIFETIMES: [&[u8]; 2] = [b"llvm.lifetime.start", b"llvm.lifetime.end"];

/// The first line of a function.
pub fn header(module: &Module, function: &Function) -> Line {
    let mut w = Writer::new(module, function.body.as_ref());
    w.text(if function.body.is_some() { "define" } else { "declare" });
    if function.linkage != Linkage::External {
        w.linkage(function.linkage, false);
    }
    w.convention(function.calling_convention);
    let Type::Function { ret, params, vararg } = module.types[function.ty] else { panic!("a function of no type") };
    w.attributes_of(function.attributes, AttributeSlot::Return).ty(ret).plain(function.value).text("(");
    for (i, &param) in module.type_lists[params].iter().enumerate() {
        if i != 0 {
            w.text(",");
        }
        w.ty(param).attributes_of(function.attributes, AttributeSlot::Param(i as u32));
        if let Some(body) = &function.body {
            w.plain(ValueId::new(body.first_value as usize + i));
        }
    }
    if vararg {
        w.text(if params.is_empty() { "..." } else { ", ..." });
    }
    w.text(")");
    if function.unnamed_addr {
        w.text("unnamed_addr");
    }
    w.attribute_group(function.attributes);
    for attachment in function.body.iter().flat_map(|body| &body.function_attachments) {
        let kind = module.metadata_kinds[attachment.kind as usize];
        if module.bytes(kind) != b"dbg" {
            w.name("!", kind).token(Token::Metadata(attachment.node));
        }
    }
    w.line
}

/// Global variables and aliases, as LLVM writes them.
pub fn globals(module: &Module) -> Vec<Line> {
    let mut lines = Vec::new();
    for global in module.globals.values() {
        let mut w = Writer::new(module, None);
        w.plain(global.value).text("=").linkage(global.linkage, global.initializer.is_none());
        if global.thread_local {
            w.text("thread_local");
        }
        if global.unnamed_addr {
            w.text("unnamed_addr");
        }
        if global.address_space != 0 {
            w.text(format!("addrspace({})", global.address_space));
        }
        if global.externally_initialized {
            w.text("externally_initialized");
        }
        w.text(if global.constant { "constant" } else { "global" }).ty(global.ty);
        if let Some(initializer) = global.initializer {
            w.plain(initializer);
        }
        if global.section != 0 {
            w.text(", section").name("\"", module.sections[global.section as usize - 1]);
        }
        w.align(global.align);
        lines.push(w.line);
    }
    for alias in module.aliases.values() {
        let mut w = Writer::new(module, None);
        w.plain(alias.value).text("=").linkage(alias.linkage, false).text("alias").ty(alias.ty_of_target(module));
        w.text(",");
        // The text of an expression contains its type.
        match module.values[alias.target].def {
            ValueDef::Constant(_) => w.plain(alias.target),
            _ => w.typed(alias.target),
        };
        lines.push(w.line);
    }
    lines
}

trait AliasType {
    fn ty_of_target(&self, module: &Module) -> TypeId;
}
impl AliasType for dxil_bitcode::Alias {
    fn ty_of_target(&self, module: &Module) -> TypeId {
        match module.types[self.ty] {
            Type::Pointer { pointee, .. } => pointee,
            _ => self.ty,
        }
    }
}

/// The definition of a named type.
pub fn type_definition(module: &Module, ty: Type) -> Option<(String, Line)> {
    let mut w = Writer::new(module, None);
    let name = match ty {
        Type::Opaque { name } => {
            w.text("opaque");
            name
        }
        Type::Struct { name: Some(name), packed, fields } => {
            w.text(if packed { "< {" } else { "{" });
            for (i, &field) in module.type_lists[fields].iter().enumerate() {
                w.text(if i == 0 { "" } else { "," }).ty(field);
            }
            w.text(if packed { "} >" } else { "}" });
            name
        }
        _ => return None,
    };
    let name: String = "%".chars().chain(module.bytes(name).iter().map(|&b| char::from(b))).collect();
    Some((name, w.line))
}

/// An attribute in tokens. `separator` is written between key and number.
pub fn attribute_tokens(module: &Module, attribute: Attribute, separator: &str) -> Vec<String> {
    let string = |s: Str| -> String { "\"".chars().chain(module.bytes(s).iter().map(|&b| char::from(b))).collect() };
    let name = |kind| dxil_bitcode::attributes::attribute_name(kind).expect("an attribute of LLVM 3.7's age");
    match attribute {
        Attribute::Flag(kind) => vec![name(kind).into()],
        Attribute::Int(kind, n) if name(kind) == "align" => tokens(&format!("align{separator}{n}")),
        Attribute::Int(kind, n) if name(kind) == "alignstack" && separator == "=" => tokens(&format!("alignstack={n}")),
        Attribute::Int(kind, n) => tokens(&format!("{}({n})", name(kind))),
        Attribute::Type(kind, Some(ty)) => tokens(&format!("{}({})", name(kind), module.type_text(ty))),
        Attribute::Type(kind, None) => vec![name(kind).into()],
        Attribute::Text(key, None) => vec![string(key)],
        Attribute::Text(key, Some(value)) => vec![string(key), "=".into(), string(value)],
    }
}

fn brackets(ty: Type) -> (&'static str, &'static str) {
    match ty {
        Type::Array { .. } => ("[", "]"),
        Type::Vector { .. } => ("<", ">"),
        Type::Struct { packed: true, .. } => ("< {", "} >"),
        _ => ("{", "}"),
    }
}

/// The bits of a float converted to double, which keeps the payload of a NaN.
fn widen(bits: u32) -> u64 {
    let value = f32::from_bits(bits);
    if value.is_nan() {
        let (sign, payload) = (u64::from(bits >> 31), u64::from(bits & 0x7f_ffff));
        return sign << 63 | 0x7ff << 52 | payload << 29;
    }
    f64::from(value).to_bits()
}

/// Six digits if they represent the number exactly, or else the bits.
fn float(bits: u64) -> String {
    let value = f64::from_bits(bits);
    if value.is_finite() {
        let text = format!("{value:.5e}");
        if text.parse::<f64>().unwrap().to_bits() == bits {
            let (digits, exponent) = text.split_once('e').unwrap();
            let exponent: i32 = exponent.parse().unwrap();
            return format!("{digits}0e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs());
        }
    }
    format!("0x{bits:X}")
}

/// An integer of more than 64 bits in decimal.
fn wide(ty: Type, words: &[u64]) -> String {
    let Type::Integer(width) = ty else { panic!("a wide integer of no integer type") };
    let bit = |i: u32| words.get(i as usize / 64).is_some_and(|w| w >> (i % 64) & 1 != 0);
    let negative = bit(width - 1);
    // Digits of the magnitude, least significant first, doubled for each bit from the top.
    let magnitude: Vec<bool> = if negative {
        // The magnitude of a negative number is its complement plus one.
        let mut carry = true;
        (0..width)
            .map(|i| {
                let b = !bit(i) ^ carry;
                carry &= !bit(i);
                b
            })
            .collect()
    } else {
        (0..width).map(bit).collect()
    };
    let mut digits = vec![0u8];
    for &b in magnitude.iter().rev() {
        let mut carry = u8::from(b);
        for d in &mut digits {
            let n = *d * 2 + carry;
            *d = n % 10;
            carry = n / 10;
        }
        if carry != 0 {
            digits.push(carry);
        }
    }
    let text: String = digits.iter().rev().map(|d| char::from(b'0' + d)).collect();
    if negative { format!("-{text}") } else { text }
}
