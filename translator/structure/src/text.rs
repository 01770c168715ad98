//! Writes and parses the text form of a graph and of the options.
//!
//! One line per block, in order: `b0: if b1 b2 ; tangled`, `b1: jump b3`,
//! `b2: switch 0:b4 1:b5 default:b6`, `b3: ret`, `b4: unreachable`. A side that is never taken is
//! written `if b1 never b2`. Flags follow a `;`: `tangled`, `cheap`, `size=12`.
//!
//! Options are words on one line: `terminals=copy tangled_switch=chain …`. A step that is not named
//! has its default.

use std::fmt;
use std::str::FromStr;

use crate::graph::{Block, BlockData, Graph, Side, Terminator};
use crate::{ExitRegions, Fallthrough, Guards, Irreducible, Leaving, Options, TangledSwitch, Terminals};
use dxil_base::entity::Entity;
use dxil_base::error::{Error, Place, Result};
use dxil_base::limits;

impl fmt::Display for Terminator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Jump(to) => write!(f, "jump {to}"),
            Self::Branch { then, els, never } => {
                let mark = |side| if *never == Some(side) { "never " } else { "" };
                write!(f, "if {}{then} {}{els}", mark(Side::Then), mark(Side::Else))
            }
            Self::Switch { cases, default } => {
                write!(f, "switch ")?;
                cases.iter().try_for_each(|(value, to)| write!(f, "{value}:{to} "))?;
                write!(f, "default:{default}")
            }
            Self::Return => write!(f, "ret"),
            Self::Unreachable => write!(f, "unreachable"),
        }
    }
}

impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (block, data) in self.blocks.iter() {
            write!(f, "{block}: {}", data.terminator)?;
            let size = format!("size={}", data.size);
            let flags = [(data.tangled, "tangled"), (data.cheap, "cheap"), (data.size != 0, size.as_str())];
            let mut separator = " ; ";
            for (_, flag) in flags.iter().filter(|flag| flag.0) {
                write!(f, "{separator}{flag}")?;
                separator = " ";
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl FromStr for Graph {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut graph = Self::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() {
                continue;
            }
            limits::check(Place::Line(number), "blocks in one function", graph.blocks.len() + 1, limits::BLOCKS)?;
            let data = parse_line(line, graph.blocks.next_key()).ok_or_else(|| {
                malformed!(
                    Place::Line(number),
                    "expected `{}: ` and a terminator (jump, if, switch, ret or unreachable), found {line:?}",
                    graph.blocks.next_key()
                )
            })?;
            graph.blocks.push(data);
        }
        graph.check()?;
        Ok(graph)
    }
}

fn parse_line(line: &str, expected: Block) -> Option<BlockData> {
    let (name, rest) = line.split_once(':')?;
    if parse_block(name)? != expected {
        return None;
    }
    let (terminator, flags) = rest.split_once(';').unwrap_or((rest, ""));
    let mut words = terminator.split_whitespace();
    let terminator = match words.next()? {
        "jump" => Terminator::Jump(parse_block(words.next()?)?),
        "if" => {
            let mut never = None;
            let mut side = |side| match words.next()? {
                "never" if never.is_none() => {
                    never = Some(side);
                    parse_block(words.next()?)
                }
                word => parse_block(word),
            };
            let (then, els) = (side(Side::Then)?, side(Side::Else)?);
            Terminator::Branch { then, els, never }
        }
        "switch" => {
            let mut cases = Vec::new();
            let default = loop {
                let (value, to) = words.next()?.split_once(':')?;
                let to = parse_block(to)?;
                match value {
                    "default" => break to,
                    _ => cases.push((value.parse().ok()?, to)),
                }
            };
            Terminator::Switch { cases, default }
        }
        "ret" => Terminator::Return,
        "unreachable" => Terminator::Unreachable,
        _ => return None,
    };
    if words.next().is_some() {
        return None;
    }
    let mut data = BlockData::from(terminator);
    for flag in flags.split_whitespace() {
        match flag {
            "tangled" => data.tangled = true,
            "cheap" => data.cheap = true,
            _ => data.size = flag.strip_prefix("size=")?.parse().ok()?,
        }
    }
    Some(data)
}

fn parse_block(word: &str) -> Option<Block> {
    let index: u32 = word.strip_prefix('b')?.parse().ok()?;
    (index < u32::MAX).then(|| Block::new(index as usize))
}

/// The steps with the words for their choices.
macro_rules! steps {
    ($($field:ident: $step:ident { $($choice:ident = $word:literal),+ })+) => {
        impl fmt::Display for Options {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut separator = "";
                $(
                    let word = match self.$field { $($step::$choice => $word),+ };
                    write!(f, "{separator}{}={word}", stringify!($field))?;
                    separator = " ";
                )+
                let _ = separator;
                Ok(())
            }
        }

        impl FromStr for Options {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self> {
                let mut options = Self::default();
                for word in text.split_whitespace() {
                    match word.split_once('=') {
                        $($(Some((stringify!($field), $word)) => options.$field = $step::$choice,)+)+
                        _ => return Err(malformed!(Place::Input, "unknown structuring option {word:?}; expected words such as `guards=plain`, as in `{}`", Self::default())),
                    }
                }
                Ok(options)
            }
        }
    };
}

steps! {
    terminals: Terminals { Copy = "copy", Share = "share" }
    tangled_switch: TangledSwitch { Chain = "chain", Switch = "switch" }
    exit_regions: ExitRegions { Inline = "inline", After = "after" }
    fallthrough: Fallthrough { Native = "native", Selector = "selector" }
    guards: Guards { Fold = "fold", Plain = "plain" }
    leaving: Leaving { Direct = "direct", Selection = "selection" }
    irreducible: Irreducible { Dispatch = "dispatch", Refuse = "refuse" }
}
