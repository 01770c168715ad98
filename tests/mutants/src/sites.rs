//! Finds the places of a source file that can be changed, and how.
//!
//! In: the text of a file. Out: its mutants, in the order of the text. The changes are like those
//! of cargo-mutants: another operator, a negation removed, a match arm removed or its guard fixed,
//! a field of a struct expression with a base removed, a function that returns a fixed value. Code
//! in constants, in macros and of tests is left out.

use std::ops::Range;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// A place of a file, and a change of it.
#[derive(Clone, Debug)]
pub struct Site {
    /// What the change is, and of which function.
    pub name: String,
    /// The line and column.
    pub place: (usize, usize),
    pub change: Change,
}

/// How a change is written, in bytes of the file.
#[derive(Clone, Debug)]
pub enum Change {
    /// An expression in which another text replaces a part. With `apart`, what is left and right of
    /// the part are operands, which keep their parentheses.
    Expression { whole: Range<usize>, part: Range<usize>, text: String, apart: bool },
    /// A guard for a match arm that has none, after its pattern: the arm is skipped.
    Arm { at: usize },
    /// A function that begins with `return VALUE`.
    Value { at: usize, value: String },
}

/// The sites of a file.
///
/// # Errors
/// If the text is no Rust.
pub fn find(text: &str) -> syn::Result<Vec<Site>> {
    let file = syn::parse_file(text)?;
    let mut finder = Finder { found: Vec::new(), function: Vec::new() };
    finder.visit_file(&file);
    let mut found = finder.found;
    found.sort_by_key(|mutant| match &mutant.change {
        Change::Expression { whole, part, .. } => (part.start, whole.start),
        Change::Arm { at } | Change::Value { at, .. } => (*at, *at),
    });
    Ok(found)
}

struct Finder {
    found: Vec<Site>,
    function: Vec<String>,
}

fn bytes(of: &impl Spanned) -> Range<usize> {
    of.span().byte_range()
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = match &attribute.meta {
            syn::Meta::List(list) => list.tokens.to_string(),
            _ => String::new(),
        };
        attribute.path().is_ident("test") || attribute.path().is_ident("cfg") && text.contains("test")
    })
}

/// Whether an expression has a `let` of its own chain.
fn has_let(expression: &syn::Expr) -> bool {
    match expression {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        syn::Expr::Paren(inner) => has_let(&inner.expr),
        _ => false,
    }
}

/// What an operator becomes.
fn others(op: &syn::BinOp) -> (&'static str, &'static [&'static str]) {
    use syn::BinOp as B;
    match op {
        B::Add(_) => ("+", &["-", "*"]),
        B::Sub(_) => ("-", &["+", "/"]),
        B::Mul(_) => ("*", &["+", "/"]),
        B::Div(_) => ("/", &["%", "*"]),
        B::Rem(_) => ("%", &["/", "+"]),
        B::And(_) => ("&&", &["||"]),
        B::Or(_) => ("||", &["&&"]),
        B::BitXor(_) => ("^", &["|", "&"]),
        B::BitAnd(_) => ("&", &["|", "^"]),
        B::BitOr(_) => ("|", &["&", "^"]),
        B::Shl(_) => ("<<", &[">>"]),
        B::Shr(_) => (">>", &["<<"]),
        B::Eq(_) => ("==", &["!="]),
        B::Lt(_) => ("<", &["==", ">", "<="]),
        B::Le(_) => ("<=", &[">"]),
        B::Ne(_) => ("!=", &["=="]),
        B::Ge(_) => (">=", &["<"]),
        B::Gt(_) => (">", &["==", "<", ">="]),
        B::AddAssign(_) => ("+=", &["-=", "*="]),
        B::SubAssign(_) => ("-=", &["+=", "/="]),
        B::MulAssign(_) => ("*=", &["+=", "/="]),
        B::DivAssign(_) => ("/=", &["%=", "*="]),
        B::RemAssign(_) => ("%=", &["/=", "+="]),
        B::BitXorAssign(_) => ("^=", &["|=", "&="]),
        B::BitAndAssign(_) => ("&=", &["|=", "^="]),
        B::BitOrAssign(_) => ("|=", &["&=", "^="]),
        B::ShlAssign(_) => ("<<=", &[">>="]),
        B::ShrAssign(_) => (">>=", &["<<="]),
        _ => ("", &[]),
    }
}

/// Values that a function of this type can return. Those that do not compile are dropped later.
fn values(output: &syn::ReturnType) -> Vec<String> {
    match output {
        syn::ReturnType::Default => vec!["()".to_owned()],
        syn::ReturnType::Type(_, ty) => values_of(ty),
    }
}

fn values_of(ty: &syn::Type) -> Vec<String> {
    let of = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let within = |inner: Option<&syn::Type>, wrap: &str| -> Vec<String> {
        let inner = inner.map_or_else(|| of(&["Default::default()"]), values_of);
        inner.iter().map(|value| format!("{wrap}({value})")).collect()
    };
    match ty {
        syn::Type::Tuple(tuple) if tuple.elems.is_empty() => of(&["()"]),
        syn::Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return Vec::new() };
            let inner = match &last.arguments {
                syn::PathArguments::AngleBracketed(arguments) => {
                    arguments.args.iter().find_map(|argument| match argument {
                        syn::GenericArgument::Type(ty) => Some(ty),
                        _ => None,
                    })
                }
                _ => None,
            };
            match last.ident.to_string().as_str() {
                "bool" => of(&["true", "false"]),
                "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128" => {
                    of(&["0", "1"])
                }
                "String" => of(&["String::new()"]),
                "Vec" => of(&["Vec::new()"]),
                "Option" => [of(&["None"]), within(inner, "Some")].concat(),
                "Result" => within(inner, "Ok"),
                _ => of(&["Default::default()"]),
            }
        }
        _ => Vec::new(),
    }
}

impl Finder {
    fn add(&mut self, at: Span, what: String, change: Change) {
        let place = (at.start().line, at.start().column + 1);
        let function = self.function.last().map(|name| format!(" in {name}")).unwrap_or_default();
        self.found.push(Site { name: format!("{what}{function}"), place, change });
    }

    fn function(&mut self, signature: &syn::Signature, block: &syn::Block) {
        if signature.constness.is_some() {
            return;
        }
        self.function.push(signature.ident.to_string());
        if !block.stmts.is_empty() {
            for value in values(&signature.output) {
                let what = format!("replace the function by {value}");
                let at = block.brace_token.span.open().byte_range().end;
                self.add(signature.ident.span(), what, Change::Value { at, value });
            }
        }
        self.visit_block(block);
        self.function.pop();
    }
}

impl<'a> Visit<'a> for Finder {
    fn visit_item(&mut self, item: &'a syn::Item) {
        let attributes = match item {
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Mod(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            // Constants cannot ask which change is on.
            syn::Item::Const(_) | syn::Item::Static(_) | syn::Item::Macro(_) | syn::Item::Enum(_) => return,
            _ => return visit::visit_item(self, item),
        };
        if !is_test(attributes) {
            visit::visit_item(self, item);
        }
    }
    fn visit_item_fn(&mut self, item: &'a syn::ItemFn) {
        self.function(&item.sig, &item.block);
    }
    fn visit_impl_item_fn(&mut self, item: &'a syn::ImplItemFn) {
        if !is_test(&item.attrs) {
            self.function(&item.sig, &item.block);
        }
    }
    fn visit_trait_item_fn(&mut self, item: &'a syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block);
        }
    }
    fn visit_impl_item_const(&mut self, _: &'a syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'a syn::TraitItemConst) {}
    fn visit_type(&mut self, _: &'a syn::Type) {}
    fn visit_pat(&mut self, pattern: &'a syn::Pat) {
        if let syn::Pat::Guard(guarded) = pattern {
            self.visit_expr(&guarded.guard);
        }
    }
    fn visit_expr_const(&mut self, _: &'a syn::ExprConst) {}
    fn visit_expr_repeat(&mut self, expression: &'a syn::ExprRepeat) {
        self.visit_expr(&expression.expr);
    }

    fn visit_expr_binary(&mut self, expression: &'a syn::ExprBinary) {
        let (name, others) = others(&expression.op);
        let chain =
            matches!(expression.op, syn::BinOp::And(_)) && (has_let(&expression.left) || has_let(&expression.right));
        if !chain {
            for other in others {
                let change = Change::Expression {
                    whole: bytes(expression),
                    part: bytes(&expression.op),
                    text: (*other).to_owned(),
                    apart: true,
                };
                self.add(expression.op.span(), format!("replace {name} with {other}"), change);
            }
        }
        visit::visit_expr_binary(self, expression);
    }

    fn visit_expr_unary(&mut self, expression: &'a syn::ExprUnary) {
        let name = match expression.op {
            syn::UnOp::Not(_) => "!",
            syn::UnOp::Neg(_) => "-",
            _ => "",
        };
        if !name.is_empty() {
            let (whole, part) = (bytes(expression), bytes(&expression.op));
            let change = Change::Expression { whole, part, text: String::new(), apart: false };
            self.add(expression.op.span(), format!("delete {name}"), change);
        }
        visit::visit_expr_unary(self, expression);
    }

    fn visit_expr_match(&mut self, expression: &'a syn::ExprMatch) {
        let is_wild = |arm: &syn::Arm| matches!(arm.pat, syn::Pat::Wild(_));
        let wild = expression.arms.iter().any(is_wild);
        for arm in &expression.arms {
            match &arm.pat {
                syn::Pat::Guard(guarded) if !has_let(&guarded.guard) => {
                    let whole = bytes(&guarded.guard);
                    for text in ["true", "false"] {
                        let (whole, part) = (whole.clone(), whole.clone());
                        let change = Change::Expression { part, whole, text: text.to_owned(), apart: false };
                        self.add(guarded.guard.span(), format!("replace match guard with {text}"), change);
                    }
                }
                syn::Pat::Wild(_) | syn::Pat::Guard(_) => {}
                _ if wild => {
                    let at = bytes(&arm.pat).end;
                    self.add(arm.pat.span(), "delete match arm".to_owned(), Change::Arm { at });
                }
                _ => {}
            }
        }
        visit::visit_expr_match(self, expression);
    }

    fn visit_expr_struct(&mut self, expression: &'a syn::ExprStruct) {
        if expression.rest.is_some() {
            for pair in expression.fields.pairs() {
                let field = pair.value();
                let end = pair.punct().map_or(bytes(field).end, |comma| bytes(comma).end);
                let part = bytes(field).start..end;
                let change = Change::Expression { whole: bytes(expression), part, text: String::new(), apart: false };
                let syn::Member::Named(name) = &field.member else { continue };
                self.add(field.span(), format!("delete field {name}"), change);
            }
        }
        visit::visit_expr_struct(self, expression);
    }
}
