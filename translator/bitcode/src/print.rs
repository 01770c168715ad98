//! Prints modules as text for people. The text is close to LLVM's assembly language, with the value
//! numbers of the bitcode.
//!
//! In: a [`Module`]. Out: text by `Display`. What must hold: the same module prints the same text;
//! types and constants that nest too deeply are cut off, so the text has a bounded size.
//!
//! Why not `llvm-dis`: it reads a file anew with another reader and upgrades what LLVM has changed
//! since version 3.7. This text is what *this* reader read: it has the value numbers that errors
//! name, keeps old forms as they are, and is bounded for malformed input. Errors use it for types,
//! unit tests for modules, `dxil2spv --emit bitcode` on machines without LLVM. Whether the reader
//! is right is what `llvm-dis` judges, in `translator/tests/llvm_dis`, which does not use this
//! text.

use std::fmt::{self, Display, Formatter, Write};

use dxil_base::entity::Entity;
use dxil_base::integer::sign_extended;
use dxil_base::text::from_fn;

use super::attributes::{Attribute, AttributeSlot};
use super::body::{BlockId, Body, Case, Incoming, Inst, Instruction, MemoryOperand};
use super::metadata::{Metadata, MetadataOperand};
use super::module::{Function, Module};
use super::ops::{Linkage, OptimizationFlags, Ordering, TailKind};
use super::pool::Str;
use super::types::{Type, TypeId};
use super::values::{Constant, ValueDef, ValueId};

/// Nesting depth of types and constants in one text. Deeper ones are written as numbers.
const PARTS: u32 = 256;
const DEPTH: u32 = 12;
/// Largest number of elements written for one data constant.
const ELEMENTS: usize = 4096;

impl Module {
    /// A type as LLVM's assembly language writes it.
    pub fn type_text(&self, ty: TypeId) -> impl Display + '_ {
        from_fn(move |f| TypeWriter { module: self, parts: PARTS }.write(f, ty, DEPTH))
    }
    /// A value with its type as an operand: `i32 7`, `float %12`, `void ()* @main`.
    pub fn value_text<'m>(&'m self, body: Option<&'m Body>, value: ValueId) -> impl Display + 'm {
        from_fn(move |f| Printer { module: self, body }.typed(f, value))
    }
}

/// A name as LLVM writes it: in quotes and with escapes, unless it is a plain word.
fn name(f: &mut Formatter<'_>, sigil: char, bytes: &[u8]) -> fmt::Result {
    let word = |b: &u8| b.is_ascii_alphanumeric() || b"-$._".contains(b);
    f.write_char(sigil)?;
    if bytes.iter().all(word) && bytes.first().is_some_and(|b| !b.is_ascii_digit()) {
        return bytes.iter().try_for_each(|&b| f.write_char(b.into()));
    }
    quoted(f, bytes)
}

fn quoted(f: &mut Formatter<'_>, bytes: &[u8]) -> fmt::Result {
    f.write_char('"')?;
    for &b in bytes {
        match b {
            b'"' | b'\\' => write!(f, "\\{b:02X}")?,
            b' '..=b'~' => f.write_char(b.into())?,
            b => write!(f, "\\{b:02X}")?,
        }
    }
    f.write_char('"')
}

struct TypeWriter<'m> {
    module: &'m Module,
    parts: u32,
}

impl TypeWriter<'_> {
    fn write(&mut self, f: &mut Formatter<'_>, id: TypeId, depth: u32) -> fmt::Result {
        let Some(&ty) = self.module.types.get(id) else {
            return write!(f, "{id}");
        };
        let simple = match ty {
            Type::Void => "void",
            Type::Half => "half",
            Type::BFloat => "bfloat",
            Type::Float => "float",
            Type::Double => "double",
            Type::X86Fp80 => "x86_fp80",
            Type::Fp128 => "fp128",
            Type::PpcFp128 => "ppc_fp128",
            Type::X86Mmx => "x86_mmx",
            Type::X86Amx => "x86_amx",
            Type::Label => "label",
            Type::Metadata => "metadata",
            Type::Token => "token",
            Type::Integer(width) => return write!(f, "i{width}"),
            Type::Opaque { name: n } | Type::Struct { name: Some(n), .. } => return self.named(f, id, n),
            Type::OpaquePointer { address_space } => {
                f.write_str("ptr")?;
                return space(f, address_space);
            }
            Type::Pointer { .. }
            | Type::Array { .. }
            | Type::Vector { .. }
            | Type::Struct { .. }
            | Type::Function { .. } => "",
        };
        if !simple.is_empty() {
            return f.write_str(simple);
        }
        if depth == 0 || self.parts == 0 {
            return write!(f, "{id}");
        }
        self.parts -= 1;
        match ty {
            Type::Pointer { pointee, address_space } => {
                self.write(f, pointee, depth - 1)?;
                space(f, address_space)?;
                f.write_char('*')
            }
            Type::Array { len, element } => {
                write!(f, "[{len} x ")?;
                self.write(f, element, depth - 1)?;
                f.write_char(']')
            }
            Type::Vector { len, element, scalable } => {
                write!(f, "<{}{len} x ", if scalable { "vscale x " } else { "" })?;
                self.write(f, element, depth - 1)?;
                f.write_char('>')
            }
            Type::Struct { packed, fields, .. } => self.fields(f, packed, &self.module.type_lists[fields], depth),
            Type::Function { ret, params, vararg } => {
                self.write(f, ret, depth - 1)?;
                f.write_str(" (")?;
                let params = &self.module.type_lists[params];
                self.list(f, params, depth)?;
                match (vararg, params.is_empty()) {
                    (true, false) => f.write_str(", ...)"),
                    (true, true) => f.write_str("...)"),
                    (false, _) => f.write_char(')'),
                }
            }
            _ => Ok(()),
        }
    }
    fn named(&self, f: &mut Formatter<'_>, id: TypeId, text: Str) -> fmt::Result {
        match self.module.bytes(text) {
            [] => write!(f, "%{id}"),
            bytes => name(f, '%', bytes),
        }
    }
    fn fields(&mut self, f: &mut Formatter<'_>, packed: bool, fields: &[TypeId], depth: u32) -> fmt::Result {
        f.write_str(if packed { "<{" } else { "{" })?;
        if !fields.is_empty() {
            f.write_char(' ')?;
            self.list(f, fields, depth)?;
            f.write_char(' ')?;
        }
        f.write_str(if packed { "}>" } else { "}" })
    }
    fn list(&mut self, f: &mut Formatter<'_>, types: &[TypeId], depth: u32) -> fmt::Result {
        for (i, &ty) in types.iter().enumerate() {
            if i != 0 {
                f.write_str(", ")?;
            }
            self.write(f, ty, depth.saturating_sub(1))?;
        }
        Ok(())
    }
}

fn space(f: &mut Formatter<'_>, address_space: u32) -> fmt::Result {
    if address_space == 0 { Ok(()) } else { write!(f, " addrspace({address_space})") }
}

impl Display for OptimizationFlags {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        const NAMES: [(OptimizationFlags, &str); 10] = [
            (OptimizationFlags::NUW, "nuw"),
            (OptimizationFlags::NSW, "nsw"),
            (OptimizationFlags::EXACT, "exact"),
            (OptimizationFlags::REASSOC, "reassoc"),
            (OptimizationFlags::NNAN, "nnan"),
            (OptimizationFlags::NINF, "ninf"),
            (OptimizationFlags::NSZ, "nsz"),
            (OptimizationFlags::ARCP, "arcp"),
            (OptimizationFlags::CONTRACT, "contract"),
            (OptimizationFlags::AFN, "afn"),
        ];
        if self.contains(Self::FAST) {
            return f.write_str(" fast");
        }
        NAMES.iter().filter(|(flag, _)| self.contains(*flag)).try_for_each(|(_, name)| write!(f, " {name}"))
    }
}

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = |f: &mut Formatter<'_>, what: &str, s: Str| match self.bytes(s) {
            [] => Ok(()),
            bytes => {
                write!(f, "{what} = ")?;
                quoted(f, bytes)?;
                f.write_char('\n')
            }
        };
        text(f, "producer", self.producer.unwrap_or_default())?;
        text(f, "source", self.source_name)?;
        text(f, "datalayout", self.data_layout)?;
        text(f, "triple", self.triple)?;
        text(f, "asm", self.inline_asm)?;
        for (id, ty) in self.types.iter() {
            match *ty {
                Type::Struct { name: Some(_), packed, fields } => {
                    write!(f, "{} = type ", self.type_text(id))?;
                    let mut types = TypeWriter { module: self, parts: PARTS };
                    types.fields(f, packed, &self.type_lists[fields], DEPTH)?;
                    f.write_char('\n')?;
                }
                Type::Opaque { .. } => writeln!(f, "{} = type opaque", self.type_text(id))?,
                _ => {}
            }
        }
        let p = Printer { module: self, body: None };
        for global in self.globals.values() {
            p.plain(f, global.value)?;
            f.write_str(" =")?;
            if global.linkage != Linkage::External || global.initializer.is_none() {
                write!(f, " {}", global.linkage)?;
            }
            if global.thread_local {
                f.write_str(" thread_local")?;
            }
            if global.unnamed_addr {
                f.write_str(" unnamed_addr")?;
            }
            space(f, global.address_space)?;
            write!(f, " {} {}", if global.constant { "constant" } else { "global" }, self.type_text(global.ty))?;
            if let Some(value) = global.initializer {
                f.write_char(' ')?;
                p.plain(f, value)?;
            }
            align(f, global.align)?;
            f.write_char('\n')?;
        }
        for alias in self.aliases.values() {
            p.plain(f, alias.value)?;
            writeln!(f, " = {} alias {}", alias.linkage, self.value_text(None, alias.target))?;
        }
        for function in self.functions.values() {
            p.function(f, function)?;
        }
        for (id, list) in self.attributes.iter() {
            write!(f, "attributes #{} = {{", id.index())?;
            for (slot, attribute) in &self.attribute_items[*list] {
                p.attribute(f, *slot, *attribute)?;
            }
            f.write_str(" }\n")?;
        }
        for named in &self.named_metadata {
            name(f, '!', self.bytes(named.name))?;
            f.write_str(" = !{")?;
            for (i, node) in self.named_nodes[named.nodes].iter().enumerate() {
                write!(f, "{}!{}", if i == 0 { "" } else { ", " }, node.index())?;
            }
            f.write_str("}\n")?;
        }
        for (id, metadata) in self.metadata.iter() {
            write!(f, "!{} = ", id.index())?;
            p.metadata(f, *metadata)?;
            f.write_char('\n')?;
        }
        Ok(())
    }
}

fn align(f: &mut Formatter<'_>, align: u32) -> fmt::Result {
    if align == 0 { Ok(()) } else { write!(f, ", align {align}") }
}

struct Printer<'m> {
    module: &'m Module,
    body: Option<&'m Body>,
}

impl Printer<'_> {
    fn typed(&self, f: &mut Formatter<'_>, id: ValueId) -> fmt::Result {
        self.typed_at(f, id, &mut PARTS.clone(), DEPTH)
    }
    fn typed_at(&self, f: &mut Formatter<'_>, id: ValueId, parts: &mut u32, depth: u32) -> fmt::Result {
        if let Some(value) = self.module.value(self.body, id)
            && !matches!(value.def, ValueDef::Metadata(_))
        {
            write!(f, "{} ", self.module.type_text(value.ty))?;
        }
        self.plain_at(f, id, parts, depth)
    }
    /// A value without its type.
    fn plain(&self, f: &mut Formatter<'_>, id: ValueId) -> fmt::Result {
        self.plain_at(f, id, &mut PARTS.clone(), DEPTH)
    }
    fn plain_at(&self, f: &mut Formatter<'_>, id: ValueId, parts: &mut u32, depth: u32) -> fmt::Result {
        let Some(value) = self.module.value(self.body, id) else {
            return write!(f, "{id}");
        };
        let global = match value.def {
            ValueDef::Global(g) => self.module.globals[g].name,
            ValueDef::Function(g) => self.module.functions[g].name,
            ValueDef::Alias(a) => self.module.aliases[a].name,
            ValueDef::Constant(c) => {
                return self.constant(f, self.module.constants[c], value.ty, parts, depth);
            }
            ValueDef::Argument(_) | ValueDef::Inst(_) => return write!(f, "%{}", id.index()),
            ValueDef::Metadata(m) => return write!(f, "metadata !{}", m.index()),
        };
        match self.module.bytes(global) {
            [] => write!(f, "@{}", id.index()),
            bytes => name(f, '@', bytes),
        }
    }
    fn list(&self, f: &mut Formatter<'_>, values: &[ValueId], parts: &mut u32, depth: u32) -> fmt::Result {
        for (i, &value) in values.iter().enumerate() {
            if i != 0 {
                f.write_str(", ")?;
            }
            if *parts == 0 {
                return write!(f, "… {} more", values.len() - i);
            }
            *parts -= 1;
            self.typed_at(f, value, parts, depth.saturating_sub(1))?;
        }
        Ok(())
    }
    fn constant(&self, f: &mut Formatter<'_>, c: Constant, ty: TypeId, parts: &mut u32, depth: u32) -> fmt::Result {
        if depth == 0 {
            return f.write_char('…');
        }
        let kind = self.module.types[ty];
        match c {
            Constant::Null => f.write_str(match kind {
                Type::Integer(1) => "false",
                Type::Integer(_) => "0",
                Type::Pointer { .. } | Type::OpaquePointer { .. } => "null",
                kind if kind.is_float() => "0.0",
                _ => "zeroinitializer",
            }),
            Constant::Undef => f.write_str("undef"),
            Constant::Poison => f.write_str("poison"),
            Constant::Int(bits) => number(f, kind, bits),
            Constant::Float(bits) => number(f, kind, bits),
            Constant::WideInt(words) | Constant::WideFloat(words) => {
                f.write_str("0x")?;
                self.module.constant_words[words].iter().rev().try_for_each(|w| write!(f, "{w:016x}"))
            }
            Constant::Aggregate(list) => {
                let (open, close) = brackets(kind);
                f.write_str(open)?;
                self.list(f, &self.module.constant_operands[list], parts, depth)?;
                f.write_str(close)
            }
            Constant::Data(words) => self.data(f, kind, &self.module.constant_words[words]),
            Constant::Binary { op, flags, lhs, rhs } => {
                write!(f, "{op}{flags} (")?;
                self.list(f, &[lhs, rhs], parts, depth)?;
                f.write_char(')')
            }
            Constant::Cast { op, value } => {
                write!(f, "{op} (")?;
                self.list(f, &[value], parts, depth)?;
                write!(f, " to {})", self.module.type_text(ty))
            }
            Constant::GetElementPtr { inbounds, base_ty, operands } => {
                let inbounds = if inbounds { " inbounds" } else { "" };
                write!(f, "getelementptr{inbounds} ({}, ", self.module.type_text(base_ty))?;
                self.list(f, &self.module.constant_operands[operands], parts, depth)?;
                f.write_char(')')
            }
            Constant::Select { cond, if_true, if_false } => {
                self.expression(f, "select", &[cond, if_true, if_false], parts, depth)
            }
            Constant::Cmp { pred, lhs, rhs } => {
                write!(f, "{} {pred} (", if pred.is_float() { "fcmp" } else { "icmp" })?;
                self.list(f, &[lhs, rhs], parts, depth)?;
                f.write_char(')')
            }
            Constant::ExtractElement { vector, index } => {
                self.expression(f, "extractelement", &[vector, index], parts, depth)
            }
            Constant::InsertElement { vector, element, index } => {
                self.expression(f, "insertelement", &[vector, element, index], parts, depth)
            }
            Constant::ShuffleVector { lhs, rhs, mask } => {
                self.expression(f, "shufflevector", &[lhs, rhs, mask], parts, depth)
            }
            Constant::BlockAddress { function, block } => {
                f.write_str("blockaddress(")?;
                self.plain_at(f, function, parts, depth - 1)?;
                write!(f, ", %b{block})")
            }
            Constant::InlineAsm { text, constraints } => {
                f.write_str("asm ")?;
                quoted(f, self.module.bytes(text))?;
                f.write_str(", ")?;
                quoted(f, self.module.bytes(constraints))
            }
        }
    }
    /// The elements of an array or a vector of numbers.
    fn data(&self, f: &mut Formatter<'_>, kind: Type, words: &[u64]) -> fmt::Result {
        let (open, close) = brackets(kind);
        let element = match kind {
            Type::Array { element, .. } | Type::Vector { element, .. } => self.module.types[element],
            other => other,
        };
        f.write_str(open)?;
        for (i, &word) in words.iter().take(ELEMENTS).enumerate() {
            f.write_str(if i == 0 { "" } else { ", " })?;
            number(f, element, word)?;
        }
        match words.len().saturating_sub(ELEMENTS) {
            0 => f.write_str(close),
            more => write!(f, ", … {more} more{close}"),
        }
    }
    fn expression(
        &self,
        f: &mut Formatter<'_>,
        op: &str,
        values: &[ValueId],
        parts: &mut u32,
        depth: u32,
    ) -> fmt::Result {
        write!(f, "{op} (")?;
        self.list(f, values, parts, depth)?;
        f.write_char(')')
    }

    fn function(&self, f: &mut Formatter<'_>, function: &Function) -> fmt::Result {
        let Type::Function { ret, params, vararg } = self.module.types[function.ty] else {
            return Ok(());
        };
        f.write_str(if function.body.is_some() { "\ndefine " } else { "declare " })?;
        if function.linkage != Linkage::External {
            write!(f, "{} ", function.linkage)?;
        }
        write!(f, "{} ", self.module.type_text(ret))?;
        self.plain(f, function.value)?;
        f.write_char('(')?;
        for (i, &param) in self.module.type_lists[params].iter().enumerate() {
            write!(f, "{}{}", if i == 0 { "" } else { ", " }, self.module.type_text(param))?;
            if let Some(body) = &function.body {
                write!(f, " %{}", body.first_value as usize + i)?;
            }
        }
        if vararg {
            f.write_str(if params.is_empty() { "..." } else { ", ..." })?;
        }
        f.write_char(')')?;
        if let Some(list) = function.attributes {
            write!(f, " #{}", list.index())?;
        }
        let Some(body) = &function.body else {
            return f.write_char('\n');
        };
        f.write_str(" {\n")?;
        let p = Printer { module: self.module, body: Some(body) };
        let mut attachments = body.attachments.as_slice();
        for block in body.blocks.keys() {
            writeln!(f, "{block}:{}", from_fn(|f| p.block_name(f, body, block)))?;
            for (id, inst) in body.block_insts(block) {
                f.write_str("  ")?;
                p.instruction(f, inst)?;
                while let Some((attachment, rest)) = attachments.split_first().filter(|(a, _)| a.at <= id) {
                    let kind = self.module.metadata_kinds.get(attachment.kind as usize);
                    let kind = kind.map_or_else(|| attachment.kind.to_string().into(), |&k| self.module.text(k));
                    write!(f, ", !{kind} !{}", attachment.node.index())?;
                    attachments = rest;
                }
                f.write_char('\n')?;
            }
        }
        for (i, metadata) in body.metadata.iter().enumerate() {
            write!(f, "  !{} = ", self.module.metadata.len() + i)?;
            p.metadata(f, *metadata)?;
            f.write_char('\n')?;
        }
        f.write_str("}\n")
    }
    fn block_name(&self, f: &mut Formatter<'_>, body: &Body, block: BlockId) -> fmt::Result {
        match body.block_names.binary_search_by_key(&block, |n| n.0) {
            Ok(i) => name(f, ' ', self.module.bytes(body.block_names[i].1)),
            Err(_) => Ok(()),
        }
    }

    #[expect(clippy::too_many_lines, reason = "a flat table of forms")]
    fn instruction(&self, f: &mut Formatter<'_>, inst: &Instruction) -> fmt::Result {
        let Some(body) = self.body else { return Ok(()) };
        let ty = inst.result.and_then(|v| self.module.value(self.body, v)).map(|v| v.ty);
        if let Some(result) = inst.result {
            write!(f, "%{} = ", result.index())?;
        }
        let result_type = from_fn(|f| ty.map_or(Ok(()), |ty| write!(f, "{}", self.module.type_text(ty))));
        let operation = |f: &mut Formatter<'_>, head: fmt::Arguments<'_>, operands: &[ValueId]| {
            f.write_fmt(head)?;
            self.operands(f, operands)
        };
        match inst.inst {
            Inst::Binary { op, flags, lhs, rhs } => operation(f, format_args!("{op}{flags} "), &[lhs, rhs]),
            Inst::FNeg { flags, value } => operation(f, format_args!("fneg{flags} "), &[value]),
            Inst::Cast { op, value } => {
                operation(f, format_args!("{op} "), &[value])?;
                write!(f, " to {result_type}")
            }
            Inst::Cmp { pred, flags, lhs, rhs } => {
                let name = if pred.is_float() { "fcmp" } else { "icmp" };
                operation(f, format_args!("{name}{flags} {pred} "), &[lhs, rhs])
            }
            Inst::Select { flags, cond, if_true, if_false } => {
                operation(f, format_args!("select{flags} "), &[cond, if_true, if_false])
            }
            Inst::ExtractElement { vector, index } => operation(f, format_args!("extractelement "), &[vector, index]),
            Inst::InsertElement { vector, element, index } => {
                operation(f, format_args!("insertelement "), &[vector, element, index])
            }
            Inst::ShuffleVector { lhs, rhs, mask } => operation(f, format_args!("shufflevector "), &[lhs, rhs, mask]),
            Inst::ExtractValue { aggregate, indices } => {
                operation(f, format_args!("extractvalue "), &[aggregate])?;
                body.indices[indices].iter().try_for_each(|i| write!(f, ", {i}"))
            }
            Inst::InsertValue { aggregate, value, indices } => {
                operation(f, format_args!("insertvalue "), &[aggregate, value])?;
                body.indices[indices].iter().try_for_each(|i| write!(f, ", {i}"))
            }
            Inst::GetElementPtr { inbounds, base_ty, operands } => {
                let (inbounds, base) = (if inbounds { " inbounds" } else { "" }, self.module.type_text(base_ty));
                operation(f, format_args!("getelementptr{inbounds} {base}, "), &body.operands[operands])
            }
            Inst::Alloca { ty, count, align: bytes } => {
                operation(f, format_args!("alloca {}, ", self.module.type_text(ty)), &[count])?;
                align(f, bytes)
            }
            Inst::Load { ptr, access } => {
                operation(f, format_args!("load{} {result_type}, ", how(access)), &[ptr])?;
                order(f, access)
            }
            Inst::Store { ptr, value, access } => {
                operation(f, format_args!("store{} ", how(access)), &[value, ptr])?;
                order(f, access)
            }
            Inst::Fence { ordering, scope } => write!(f, "fence {} {ordering}", scope_text(scope)),
            Inst::CmpXchg { ptr, expected, new, access, failure, weak } => {
                write!(f, "cmpxchg{}{} ", if weak { " weak" } else { "" }, volatile(access))?;
                self.operands(f, &[ptr, expected, new])?;
                write!(f, " {} {} {failure}", scope_text(access.scope), access.ordering)?;
                align(f, access.align)
            }
            Inst::AtomicRmw { op, ptr, value, access } => {
                operation(f, format_args!("atomicrmw{} {op} ", volatile(access)), &[ptr, value])?;
                write!(f, " {} {}", scope_text(access.scope), access.ordering)?;
                align(f, access.align)
            }
            call @ Inst::Call { .. } => self.call(f, body, call, ty),
            Inst::Phi { flags, incoming } => {
                write!(f, "phi{flags} {result_type}")?;
                self.incoming(f, &body.incoming[incoming])
            }
            Inst::Br { target } => write!(f, "br {target}"),
            Inst::CondBr { cond, if_true, if_false } => {
                operation(f, format_args!("br "), &[cond])?;
                write!(f, ", {if_true}, {if_false}")
            }
            Inst::Switch { cond, default, cases } => {
                operation(f, format_args!("switch "), &[cond])?;
                write!(f, ", {default} [")?;
                self.cases(f, cond, &body.cases[cases])
            }
            Inst::Ret { value: None } => f.write_str("ret void"),
            Inst::Ret { value: Some(value) } => operation(f, format_args!("ret "), &[value]),
            Inst::Unreachable => f.write_str("unreachable"),
            Inst::Freeze { value } => operation(f, format_args!("freeze "), &[value]),
            Inst::Foreign { op, operands } => operation(f, format_args!("{op} "), &body.operands[operands]),
        }
    }

    /// A call whose result has this type.
    fn call(&self, f: &mut Formatter<'_>, body: &Body, call: Inst, ty: Option<TypeId>) -> fmt::Result {
        let Inst::Call { callee, args, attributes, calling_convention, tail, flags, .. } = call else {
            return Ok(());
        };
        if tail != TailKind::None {
            write!(f, "{tail} ")?;
        }
        write!(f, "call{flags} ")?;
        if calling_convention != 0 {
            write!(f, "cc{calling_convention} ")?;
        }
        match ty {
            Some(ty) => write!(f, "{} ", self.module.type_text(ty))?,
            None => f.write_str("void ")?,
        }
        self.plain(f, callee)?;
        f.write_char('(')?;
        self.operands(f, &body.operands[args])?;
        f.write_char(')')?;
        attributes.map_or(Ok(()), |list| write!(f, " #{}", list.index()))
    }

    /// All operands. Each is cut off on its own.
    fn operands(&self, f: &mut Formatter<'_>, operands: &[ValueId]) -> fmt::Result {
        for (i, &operand) in operands.iter().enumerate() {
            f.write_str(if i == 0 { "" } else { ", " })?;
            self.typed(f, operand)?;
        }
        Ok(())
    }

    fn incoming(&self, f: &mut Formatter<'_>, incoming: &[Incoming]) -> fmt::Result {
        for (i, edge) in incoming.iter().enumerate() {
            f.write_str(if i == 0 { " [ " } else { ", [ " })?;
            self.plain(f, edge.value)?;
            write!(f, ", {} ]", edge.block)?;
        }
        Ok(())
    }

    fn cases(&self, f: &mut Formatter<'_>, cond: ValueId, cases: &[Case]) -> fmt::Result {
        let kind = self.module.value(self.body, cond).map_or(Type::Void, |v| self.module.types[v.ty]);
        for case in cases {
            f.write_char(' ')?;
            number(f, kind, case.value)?;
            write!(f, ": {}", case.target)?;
        }
        f.write_str(" ]")
    }

    fn attribute(&self, f: &mut Formatter<'_>, slot: AttributeSlot, attribute: Attribute) -> fmt::Result {
        match slot {
            AttributeSlot::Function => f.write_char(' ')?,
            AttributeSlot::Return => f.write_str(" return:")?,
            AttributeSlot::Param(n) => write!(f, " {n}:")?,
        }
        match attribute {
            Attribute::Flag(kind) => write!(f, "{}", AttributeName(kind)),
            Attribute::Int(kind, value) => write!(f, "{}({value})", AttributeName(kind)),
            Attribute::Type(kind, None) => write!(f, "{}", AttributeName(kind)),
            Attribute::Type(kind, Some(ty)) => write!(f, "{}({})", AttributeName(kind), self.module.type_text(ty)),
            Attribute::Text(key, value) => {
                quoted(f, self.module.bytes(key))?;
                let Some(value) = value else { return Ok(()) };
                f.write_char('=')?;
                quoted(f, self.module.bytes(value))
            }
        }
    }

    fn metadata(&self, f: &mut Formatter<'_>, metadata: Metadata) -> fmt::Result {
        match metadata {
            Metadata::String(s) => {
                f.write_char('!')?;
                quoted(f, self.module.bytes(s))
            }
            Metadata::Value(value) => self.typed(f, value),
            Metadata::Debug { code, .. } => write!(f, "!DI({})", code.0),
            Metadata::Node { distinct, operands } => {
                f.write_str(if distinct { "distinct !{" } else { "!{" })?;
                for (i, &operand) in self.module.metadata_operands[operands].iter().enumerate() {
                    f.write_str(if i == 0 { "" } else { ", " })?;
                    self.metadata_operand(f, operand)?;
                }
                f.write_char('}')
            }
        }
    }
    /// Strings and values are written in place, other nodes by their number.
    fn metadata_operand(&self, f: &mut Formatter<'_>, operand: MetadataOperand) -> fmt::Result {
        match operand {
            MetadataOperand::Null => f.write_str("null"),
            MetadataOperand::Value(value) => self.typed(f, value),
            MetadataOperand::Id(id) => match self.module.metadata(self.body, id) {
                Some(m @ (Metadata::String(_) | Metadata::Value(_))) => self.metadata(f, m),
                _ => write!(f, "!{}", id.index()),
            },
        }
    }
}

/// An attribute by its name, or by its number if the name is not known.
struct AttributeName(u32);

impl Display for AttributeName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match super::attributes::attribute_name(self.0) {
            Some(name) => f.write_str(name),
            None => write!(f, "attribute{}", self.0),
        }
    }
}

fn brackets(ty: Type) -> (&'static str, &'static str) {
    match ty {
        Type::Array { .. } => ("[", "]"),
        Type::Vector { .. } => ("<", ">"),
        Type::Struct { packed: true, .. } => ("<{ ", " }>"),
        _ => ("{ ", " }"),
    }
}

/// The bits as a number of the type: integers are signed, floats have the fewest digits, and values
/// that are not finite are written as bits.
fn number(f: &mut Formatter<'_>, ty: Type, bits: u64) -> fmt::Result {
    match ty {
        Type::Integer(1) => write!(f, "{}", bits != 0),
        Type::Integer(width @ 2..=64) => write!(f, "{}", sign_extended(bits, width)),
        Type::Float if f32::from_bits(bits as u32).is_finite() => write!(f, "{:?}", f32::from_bits(bits as u32)),
        Type::Double if f64::from_bits(bits).is_finite() => write!(f, "{:?}", f64::from_bits(bits)),
        _ => write!(f, "{bits:#x}"),
    }
}

fn volatile(access: MemoryOperand) -> &'static str {
    if access.volatile { " volatile" } else { "" }
}
fn how(access: MemoryOperand) -> &'static str {
    match (access.ordering != Ordering::NotAtomic, access.volatile) {
        (false, false) => "",
        (false, true) => " volatile",
        (true, false) => " atomic",
        (true, true) => " atomic volatile",
    }
}
fn order(f: &mut Formatter<'_>, access: MemoryOperand) -> fmt::Result {
    if access.ordering != Ordering::NotAtomic {
        write!(f, " {} {}", scope_text(access.scope), access.ordering)?;
    }
    align(f, access.align)
}
fn scope_text(scope: u32) -> impl Display {
    from_fn(move |f| match scope {
        0 => f.write_str("singlethread"),
        1 => f.write_str("system"),
        n => write!(f, "scope{n}"),
    })
}
