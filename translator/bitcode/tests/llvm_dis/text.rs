//! Splits LLVM assembly into tokens, sorted by the item that they describe.
//!
//! In: the text that LLVM prints. Out: [`Assembly`]. Comments, debug locations and the order
//! of numbered items are left out.

use std::collections::BTreeMap;

/// A module in tokens.
#[derive(Debug, Default)]
pub struct Assembly {
    pub triple: String,
    pub data_layout: String,
    /// Definitions of named types, by `%name`.
    pub types: BTreeMap<String, Vec<String>>,
    /// Global variables and aliases, in order.
    pub globals: Vec<Vec<String>>,
    /// Functions, in order.
    pub functions: Vec<Function>,
    /// Attribute groups, by `#number`.
    pub attributes: BTreeMap<String, Vec<String>>,
    /// Named metadata, in order, from the name on.
    pub named_metadata: Vec<Vec<String>>,
    /// Nodes, by `!number`.
    pub nodes: BTreeMap<String, Vec<String>>,
}

/// A function in tokens.
#[derive(Debug, Default)]
pub struct Function {
    pub header: Vec<String>,
    /// Labels (`label`, name) and instructions.
    pub lines: Vec<Vec<String>>,
}

/// Splits one line. Quoted names and strings are one token each, without quotes and escapes, so
/// that the way of quoting does not matter.
pub fn tokens(line: &str) -> Vec<String> {
    let chars: Vec<char> = line.chars().collect();
    let word = |c: char| c.is_ascii_alphanumeric() || "-._$+".contains(c);
    let (mut all, mut at) = (Vec::new(), 0);
    while at < chars.len() {
        let mut token = String::new();
        match chars[at] {
            c if c.is_whitespace() => {
                at += 1;
                continue;
            }
            ';' => break,
            c @ ('%' | '@' | '!' | '#') => {
                token.push(c);
                at += 1;
            }
            'c' if chars.get(at + 1) == Some(&'"') => {
                token.push_str("c ");
                at += 1;
            }
            '"' => token.push('"'),
            c if !word(c) => {
                token.push(c);
                at += 1;
                all.push(token);
                continue;
            }
            _ => {}
        }
        if chars.get(at) == Some(&'"') {
            at += 1;
            while chars[at] != '"' {
                if chars[at] == '\\' && chars[at + 1] == '\\' {
                    token.push('\\');
                    at += 2;
                } else if chars[at] == '\\' {
                    let hex: String = chars[at + 1..at + 3].iter().collect();
                    token.push(char::from(u8::from_str_radix(&hex, 16).expect("an escape")));
                    at += 3;
                } else {
                    token.push(chars[at]);
                    at += 1;
                }
            }
            at += 1;
        } else {
            while at < chars.len() && word(chars[at]) {
                token.push(chars[at]);
                at += 1;
            }
        }
        all.push(token);
    }
    all
}

/// Removes `, !dbg !5` and ` !dbg !5`, because this crate does not read debug locations.
fn without_debug_locations(mut tokens: Vec<String>) -> Vec<String> {
    while let Some(at) = tokens.iter().position(|t| t == "!dbg") {
        let from = if at > 0 && tokens[at - 1] == "," { at - 1 } else { at };
        tokens.drain(from..(at + 2).min(tokens.len()));
    }
    tokens
}

/// The quoted text of a `target` line.
fn quoted(tokens: &[String]) -> String {
    tokens.last().map(|t| t.trim_start_matches('"').to_owned()).unwrap_or_default()
}

pub fn parse(text: &str) -> Assembly {
    let mut assembly = Assembly::default();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let tokens = without_debug_locations(tokens(line));
        let words: Vec<&str> = tokens.iter().map(String::as_str).collect();
        match words.as_slice() {
            [] | ["source_filename", ..] => {}
            ["target", "triple", ..] => assembly.triple = quoted(&tokens),
            ["target", "datalayout", ..] => assembly.data_layout = quoted(&tokens),
            [name, "=", "type", def @ ..] => {
                assembly.types.insert((*name).into(), def.iter().map(|t| (*t).into()).collect());
            }
            ["attributes", group, "=", "{", inner @ .., "}"] => {
                assembly.attributes.insert((*group).into(), inner.iter().map(|t| (*t).into()).collect());
            }
            ["declare", ..] => assembly.functions.push(Function { header: tokens, lines: Vec::new() }),
            ["define", .., "{"] => {
                let mut function = Function { header: tokens, lines: Vec::new() };
                function.header.pop();
                let mut open: Option<Vec<String>> = None;
                for line in lines.by_ref() {
                    if line == "}" {
                        break;
                    }
                    let tokens = without_debug_locations(self::tokens(line));
                    // A switch extends to the line with its closing bracket.
                    if let Some(mut switch) = open.take() {
                        let end = tokens.first().is_some_and(|t| t == "]");
                        switch.extend(tokens);
                        if end {
                            function.lines.push(switch)
                        } else {
                            open = Some(switch)
                        }
                        continue;
                    }
                    match tokens.as_slice() {
                        [] => {}
                        [name, colon] if colon == ":" && !line.starts_with(' ') => {
                            let name = name.trim_start_matches('"');
                            function.lines.push(vec!["label".into(), format!("%{name}")]);
                        }
                        [first, .., last] if first == "switch" && last == "[" => open = Some(tokens),
                        _ => function.lines.push(tokens),
                    }
                }
                assembly.functions.push(function);
            }
            [name, "=", ..] if name.starts_with('@') => assembly.globals.push(tokens),
            [node, "=", def @ ..] if node.starts_with('!') => {
                let def = def.iter().map(|t| (*t).to_owned()).collect();
                if node[1..].bytes().all(|b| b.is_ascii_digit()) {
                    assembly.nodes.insert((*node).into(), def);
                } else {
                    assembly.named_metadata.push(tokens);
                }
            }
            _ => panic!("a line of a kind that the test does not know: {line}"),
        }
    }
    assembly
}
