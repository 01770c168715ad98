//! Paths among the tokens of a macro, which the parser leaves alone.
//!
//! A macro's arguments need not be Rust, so this reads them as a reader would: names joined by `::`
//! are a path, a name after a dot is a field or a method, a name before `!` is a macro. A single
//! name counts where it looks like a type or is called; any other is most likely a variable.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use crate::contents::{How, Path, Reference, Tokens};

/// The segment that stands for a macro's own variable: `args::$name` is `args`, then this.
const VARIABLE: &str = "$";

/// Everything found among `tokens`, groups included.
pub fn scan(tokens: TokenStream) -> Tokens {
    let mut found = Tokens::default();
    let outermost = tokens.clone().into_iter().filter_map(|token| match token {
        TokenTree::Ident(ident) => Some(ident.to_string()),
        _ => None,
    });
    found.outermost = outermost.filter(|name| is_capital(name)).collect();
    stream(tokens, &mut found);
    found
}

/// The only token, where that is an identifier.
pub fn single_word(tokens: TokenStream) -> Option<String> {
    let mut tokens = tokens.into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Ident(word)), None) => Some(word.to_string()),
        _ => None,
    }
}

/// Whether the name is written as types, variants and constants are.
pub fn is_capital(name: &str) -> bool {
    name.chars().next().is_some_and(char::is_uppercase)
}

fn stream(tokens: TokenStream, found: &mut Tokens) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at = match token {
            TokenTree::Group(group) => {
                stream(group.stream(), found);
                at + 1
            }
            TokenTree::Ident(ident) => word(&tokens, at, ident, found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => at + 1,
        };
    }
}

/// Reads what begins with the identifier at `at`, and gives the index after it.
fn word(tokens: &[TokenTree], at: usize, ident: &Ident, found: &mut Tokens) -> usize {
    let line = ident.span().start().line;
    declared(tokens, at, &ident.to_string(), found);
    if is(tokens, at.wrapping_sub(1), '.') && !is(tokens, at.wrapping_sub(2), '.') {
        if is_call(tokens, at + 1) {
            found.methods.push((ident.to_string(), line));
        }
        return at + 1;
    }
    let (path, next) = path_at(tokens, at, found);
    let skipped = path.is_empty()
        || is(tokens, at.wrapping_sub(1), '\'')
        || is(tokens, at.wrapping_sub(1), ':') && is(tokens, at.wrapping_sub(2), ':')
        || path.first().is_some_and(|first| first == VARIABLE);
    if !skipped {
        reference(tokens, next, path, line, found);
    }
    next
}

/// Adds a path that ends before `next`, by what follows it.
fn reference(tokens: &[TokenTree], next: usize, path: Path, line: usize, found: &mut Tokens) {
    if is(tokens, next, '!') && matches!(tokens.get(next + 1), Some(TokenTree::Group(_))) {
        found.calls.push(path);
        return;
    }
    let counts = path.len() > 1 || is_call(tokens, next) || path.last().is_some_and(|name| is_capital(name));
    if counts {
        found.references.push(Reference { path, line, how: How::Macro });
    }
}

/// Adds the item that `word` declares, if it is a keyword that declares one.
fn declared(tokens: &[TokenTree], at: usize, word: &str, found: &mut Tokens) {
    if !matches!(word, "const" | "enum" | "fn" | "mod" | "static" | "struct" | "trait" | "type") {
        return;
    }
    match tokens.get(at + 1) {
        Some(TokenTree::Ident(name)) => found.declared.push(name.to_string()),
        Some(TokenTree::Punct(punct)) if punct.as_char() == '$' => found.named_by_arguments |= word != "mod",
        _ => {}
    }
}

/// The path that begins at `at`, and the index after it. The members of a group (`a::{b, c}`) are
/// added on the way; the path is then empty.
fn path_at(tokens: &[TokenTree], at: usize, found: &mut Tokens) -> (Path, usize) {
    let mut path = Path::new();
    let mut at = at;
    loop {
        match tokens.get(at) {
            Some(TokenTree::Ident(ident)) => {
                let own = is(tokens, at.wrapping_sub(1), '$') && ident != "crate";
                path.push(if own { VARIABLE.to_owned() } else { ident.to_string() });
                at += 1;
            }
            Some(TokenTree::Punct(punct)) if punct.as_char() == '$' => {
                at += 1;
                continue;
            }
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Brace && !path.is_empty() => {
                group_of(&path, group.stream(), found);
                return (Path::new(), at + 1);
            }
            _ => return (path, at),
        }
        if is(tokens, at, ':') && is(tokens, at + 1, ':') {
            at += 2;
        } else {
            return (path, at);
        }
    }
}

/// The members of `prefix::{…}`.
fn group_of(prefix: &Path, tokens: TokenStream, found: &mut Tokens) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    let mut fresh = true;
    while let Some(token) = tokens.get(at) {
        match token {
            TokenTree::Ident(ident) if fresh => {
                let line = ident.span().start().line;
                let known = found.references.len();
                let (tail, next) = path_at(&tokens, at, found);
                // What the path added of an inner group lacks this group's prefix.
                for inner in &mut found.references[known..] {
                    inner.path.splice(0..0, prefix.iter().cloned());
                }
                if !tail.is_empty() {
                    let tail = tail.into_iter().filter(|segment| segment != "self");
                    let path = prefix.iter().cloned().chain(tail).collect();
                    found.references.push(Reference { path, line, how: How::Macro });
                }
                fresh = false;
                at = next;
            }
            TokenTree::Punct(punct) if punct.as_char() == ',' => {
                fresh = true;
                at += 1;
            }
            _ => at += 1,
        }
    }
}

/// Whether the arguments of a call stand at `at`.
fn is_call(tokens: &[TokenTree], at: usize) -> bool {
    matches!(tokens.get(at), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis)
}

fn is(tokens: &[TokenTree], at: usize, wanted: char) -> bool {
    matches!(tokens.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}
