//! From the syntax tree of a file to the [`Contents`] of its modules.

use proc_macro2::Span;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, Item, Meta, Type, UseTree};

use crate::contents::{Contents, How, Impl, Import, Kind, MacroCall, MacroRules, Path, Reference, Visibility};
use crate::syntax::{item_attributes, line, only_tests, path_attribute, segments, visibility};
use crate::{contents, tokens};

/// A module that a file declares.
pub struct Declared {
    /// Its name.
    pub name: String,
    /// The value of its `#[path]` attribute.
    pub path: Option<String>,
    /// What it says, where it is written inline; else it has a file of its own.
    pub inline: Option<Collected>,
}

/// What one module of a file says, and the modules that it declares.
#[derive(Default)]
pub struct Collected {
    /// The module's names and references.
    pub contents: Contents,
    /// The modules that it declares.
    pub children: Vec<Declared>,
}

/// Reads the items of a file or an inline module, without those that only tests have.
pub fn module(items: &[Item]) -> Collected {
    let mut collected = Collected::default();
    let mut visitor = Collector { contents: Contents::default(), depth: 0 };
    for item in items {
        match item {
            Item::Mod(child) if !only_tests(&child.attrs) => collected.children.push(Declared {
                name: child.ident.to_string(),
                path: child.attrs.iter().find_map(path_attribute),
                inline: child.content.as_ref().map(|(_, items)| module(items)),
            }),
            Item::Mod(_) => {}
            other => visitor.visit_item(other),
        }
    }
    collected.contents = visitor.contents;
    collected
}

struct Collector {
    contents: Contents,
    /// How many functions and blocks the visitor is inside of.
    depth: usize,
}

impl Collector {
    fn declare(&mut self, ident: &syn::Ident, kind: Kind) {
        self.declare_with(ident, kind, 0);
    }

    fn declare_with(&mut self, ident: &syn::Ident, kind: Kind, fields: usize) {
        if self.depth == 0 {
            self.contents.items.push(contents::Item { name: ident.to_string(), kind, fields });
        }
    }

    fn refer(&mut self, path: &syn::Path) {
        let Some(first) = path.segments.first() else { return };
        let line = line(first.ident.span());
        self.contents.references.push(Reference { path: segments(path), line, how: How::Code });
    }

    fn call_macro(&mut self, mac: &syn::Macro, declares: bool) {
        let line = mac.path.segments.first().map_or(0, |first| line(first.ident.span()));
        let tokens = tokens::scan(mac.tokens.clone());
        let callback = tokens::single_word(mac.tokens.clone());
        self.contents.macro_calls.push(MacroCall { path: segments(&mac.path), line, tokens, callback, declares });
    }

    fn import(&mut self, tree: &UseTree, prefix: &mut Path, vis: Visibility) {
        let mut push = |path: Path, name: Option<String>, span: Span| {
            let list = if self.depth > 0 { &mut self.contents.local_imports } else { &mut self.contents.imports };
            list.push(Import { path, name, visibility: vis, line: line(span) });
        };
        // `a::{self}` names `a`.
        let full = |ident: &syn::Ident, prefix: &Path| {
            let own = ident == "self" && !prefix.is_empty();
            prefix.iter().cloned().chain((!own).then(|| ident.to_string())).collect::<Path>()
        };
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.import(&path.tree, prefix, vis);
                prefix.pop();
            }
            UseTree::Name(name) => {
                let path = full(&name.ident, prefix);
                let last = path.last().cloned();
                push(path, last, name.ident.span());
            }
            UseTree::Rename(name) => {
                push(full(&name.ident, prefix), Some(name.rename.to_string()), name.ident.span());
            }
            UseTree::Glob(glob) => push(prefix.clone(), None, glob.star_token.spans[0]),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, prefix, vis)),
        }
    }
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_item(&mut self, item: &'ast Item) {
        if only_tests(item_attributes(item)) {
            return;
        }
        match item {
            Item::Const(item) => self.declare(&item.ident, Kind::Const),
            Item::Enum(item) => self.declare(&item.ident, Kind::Enum),
            Item::Fn(item) => self.declare(&item.sig.ident, Kind::Fn),
            Item::Static(item) => self.declare(&item.ident, Kind::Static),
            Item::Struct(item) => self.declare_with(&item.ident, Kind::Struct, item.fields.len()),
            Item::Trait(item) => self.declare(&item.ident, Kind::Trait),
            Item::Type(item) => self.declare(&item.ident, Kind::Type),
            Item::Union(item) => self.declare(&item.ident, Kind::Union),
            Item::Use(item) => {
                let mut prefix = if item.leading_colon.is_some() { vec![String::new()] } else { Path::new() };
                self.import(&item.tree, &mut prefix, visibility(&item.vis));
                return;
            }
            Item::Macro(item) => {
                match &item.ident {
                    Some(name) => {
                        self.declare(name, Kind::Macro);
                        let tokens = tokens::scan(item.mac.tokens.clone());
                        self.contents.macros.push(MacroRules { name: name.to_string(), tokens });
                    }
                    None => self.call_macro(&item.mac, true),
                }
                return;
            }
            Item::Impl(item) => {
                if let Type::Path(of) = &*item.self_ty {
                    let function = |item: &syn::ImplItem| match item {
                        syn::ImplItem::Fn(item) if !only_tests(&item.attrs) => Some(item.sig.ident.to_string()),
                        syn::ImplItem::Const(item) if !only_tests(&item.attrs) => Some(item.ident.to_string()),
                        _ => None,
                    };
                    self.contents.impls.push(Impl {
                        of: segments(&of.path),
                        of_trait: item.trait_.is_some(),
                        line: line(item.impl_token.span),
                        functions: item.items.iter().filter_map(function).collect(),
                    });
                }
            }
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.depth += 1;
        visit::visit_block(self, block);
        self.depth -= 1;
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        let attributes = match item {
            syn::ImplItem::Const(item) => &item.attrs,
            syn::ImplItem::Fn(item) => &item.attrs,
            syn::ImplItem::Type(item) => &item.attrs,
            syn::ImplItem::Macro(item) => &item.attrs,
            _ => return visit::visit_impl_item(self, item),
        };
        if !only_tests(attributes) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        if !only_tests(&variant.attrs) {
            visit::visit_variant(self, variant);
        }
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        if !only_tests(&field.attrs) {
            visit::visit_field(self, field);
        }
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if !only_tests(&arm.attrs) {
            visit::visit_arm(self, arm);
        }
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if !only_tests(&local.attrs) {
            visit::visit_local(self, local);
        }
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        // The conditions of `cfg` and the words of `doc` are not paths.
        if let Meta::List(list) = &attribute.meta
            && !["cfg", "cfg_attr", "doc"].iter().any(|name| list.path.is_ident(name))
        {
            let found = tokens::scan(list.tokens.clone());
            self.contents.references.extend(found.references);
        }
    }

    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {
        // `pub(super)` and `pub(in crate::a)` name modules without depending on them.
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.refer(path);
        visit::visit_path(self, path);
    }

    fn visit_type_path(&mut self, ty: &'ast syn::TypePath) {
        self.qualified(ty.qself.as_ref(), &ty.path);
    }

    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        // A single small word is a variable more often than an item.
        let small = path.path.get_ident().is_some_and(|name| !tokens::is_capital(&name.to_string()));
        if !small {
            self.qualified(path.qself.as_ref(), &path.path);
        }
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        match &*call.func {
            Expr::Path(path) => self.qualified(path.qself.as_ref(), &path.path),
            other => self.visit_expr(other),
        }
        call.args.iter().for_each(|argument| self.visit_expr(argument));
    }

    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        if tokens::is_capital(&pat.ident.to_string()) {
            let path = vec![pat.ident.to_string()];
            self.contents.references.push(Reference { path, line: line(pat.ident.span()), how: How::Code });
        }
        visit::visit_pat_ident(self, pat);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.contents.methods.push((call.method.to_string(), line(call.method.span())));
        visit::visit_expr_method_call(self, call);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        self.call_macro(mac, false);
    }
}

impl Collector {
    /// `<T as a::Trait>::Item` refers to `T` and `a::Trait`; its last segments are the trait's own.
    fn qualified(&mut self, qself: Option<&syn::QSelf>, path: &syn::Path) {
        let Some(qself) = qself else { return self.visit_path(path) };
        self.visit_type(&qself.ty);
        let named: Path = segments(path).into_iter().take(qself.position).collect();
        if !named.is_empty() {
            self.contents.references.push(Reference {
                path: named,
                line: line(qself.lt_token.spans[0]),
                how: How::Code,
            });
        }
        path.segments.iter().for_each(|segment| self.visit_path_segment(segment));
    }
}
