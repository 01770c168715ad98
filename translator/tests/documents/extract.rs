//! What a document has to run: fenced blocks with their language, commands of a block, and code
//! spans.

/// A fenced block.
pub struct Block {
    /// The line of its first fence, from 1.
    pub line: usize,
    /// The word after the fence.
    pub language: String,
    /// Its lines.
    pub text: String,
}

/// The blocks of a document, and its other lines with their numbers.
pub fn blocks(document: &str) -> (Vec<Block>, Vec<(usize, &str)>) {
    let (mut found, mut prose) = (Vec::new(), Vec::new());
    let mut open: Option<Block> = None;
    for (line, text) in (1..).zip(document.lines()) {
        match (text.strip_prefix("```"), &mut open) {
            (Some(language), None) => open = Some(Block { line, language: language.into(), text: String::new() }),
            (Some(_), Some(_)) => found.extend(open.take()),
            (None, Some(block)) => {
                block.text.push_str(text);
                block.text.push('\n');
            }
            (None, None) => prose.push((line, text)),
        }
    }
    assert!(open.is_none(), "a block has no end");
    (found, prose)
}

/// The commands of a block with their lines. A comment begins with `#`, after a command or in a
/// line of its own, because readers paste blocks into a shell. A line that ends in `\` goes on.
pub fn commands(block: &Block) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut unfinished = false;
    for (line, text) in (block.line + 1..).zip(block.text.lines()) {
        let command = text.split(" #").next().unwrap_or_default().trim();
        if command.is_empty() || command.starts_with('#') {
            continue;
        }
        let (command, goes_on) = match command.strip_suffix('\\') {
            Some(part) => (part.trim(), true),
            None => (command, false),
        };
        match found.last_mut() {
            Some((_, last)) if unfinished => *last = format!("{last} {command}"),
            _ => found.push((line, command.into())),
        }
        unfinished = goes_on;
    }
    found
}

/// The code spans that are commands, with the lines on which they begin. A span may go on in the
/// next line.
pub fn spans(prose: &[(usize, &str)]) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (line, text) in prose {
        // A span does not go beyond its paragraph.
        if text.trim().is_empty() {
            open = None;
        }
        for (index, part) in text.split('`').enumerate() {
            if index > 0 {
                match open.take() {
                    Some(span) => found.push(span),
                    None => open = Some((*line, String::new())),
                }
            }
            if let Some((_, span)) = &mut open {
                let between = if span.is_empty() || index > 0 { "" } else { " " };
                *span = format!("{span}{between}{}", part.trim_start_matches(|c| index == 0 && c == ' '));
            }
        }
    }
    // A program's name alone is no command, but that of a script is one.
    found.retain(|(_, span)| match span.split_once(' ') {
        Some((first, _)) => {
            let is_variable =
                first.split_once('=').is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_uppercase() || c == '_'));
            let programs = ["dxil2spv", "cargo", "dxc", "python3", "sudo"];
            is_variable
                || programs.contains(&first)
                || first.starts_with("scripts/")
                || first.starts_with("target/") && !first.contains('<')
        }
        None => {
            let is_program = span.strip_prefix("target/release/").is_some_and(|name| !name.contains(['/', '.']));
            is_program || span.starts_with("scripts/") && span.ends_with(".sh")
        }
    });
    found
}

/// Whether a command has places for a reader's own words, so that it cannot run as it stands: `…`,
/// a choice (`a|b`), a part in brackets, or a word of capitals that is no option (`FILE`).
pub fn is_synopsis(command: &str) -> bool {
    command.split(' ').any(|word| {
        let is_name = word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase());
        is_name || word.contains(['…', '|', '<', '>']) || word.starts_with('[')
    })
}
