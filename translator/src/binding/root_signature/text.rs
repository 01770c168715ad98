//! Reads HLSL root signature text.
//!
//! In: text. Out: [`RootSignature`]. What must hold: the grammar is that of the compilers
//! ("Specifying Root Signatures in HLSL"): names in letters of either case, register letters in
//! small ones; each argument at most once, in any order. An error names the line and the column,
//! and the rule that is broken. What `print` writes reads back to an equal signature, so three
//! things are accepted that compilers refuse: a table without ranges, `inf` and `-inf`, and filters
//! and comparison functions that a compiler may not know yet.

use super::build::{APPEND, Builder, PartPlaces, ShaderRegister, TableBuilder, UnresolvedRange};
use super::lex::{Lexer, Token};
use super::{
    RootSignature, RootVersion, StaticSampler, Visibility, descriptor_flags, flags, names, range_flags, sampler_flags,
};
use crate::ops::consts::ResourceClass;
use dxil_base::error::{Error, Place, Result};

impl RootSignature {
    /// Reads HLSL root signature text. The text does not state its version: with `None` it is 1.1,
    /// as compilers take it, or 1.2 if a static sampler has flags.
    ///
    /// # Errors
    /// `Malformed`, with line and column: a text that is not of the grammar, or a rule of D3D12
    /// that the signature breaks. `Limit`: too many parameters, ranges or samplers.
    pub fn parse_text(text: &str, version: Option<RootVersion>) -> Result<Self> {
        let mut lexer = Lexer::new(text.strip_prefix('\u{feff}').unwrap_or(text));
        let (place, token) = lexer.next()?;
        let builder = Builder::new(version.unwrap_or(RootVersion::V1_1));
        Parser { lexer, place, token, builder, may_raise: version.is_none() }.signature()
    }
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    /// The next token, and its place.
    place: Place,
    token: Token<'a>,
    builder: Builder,
    /// Whether flags of a static sampler make the signature one of version 1.2.
    may_raise: bool,
}

/// An argument that is given at most once.
struct Once<T> {
    what: &'static str,
    value: Option<T>,
}

impl<T> Once<T> {
    fn new(what: &'static str) -> Self {
        Self { what, value: None }
    }

    fn set(&mut self, place: Place, value: T) -> Result<()> {
        match self.value.replace(value) {
            None => Ok(()),
            Some(_) => Err(malformed!(place, "{} is given twice; each argument is given at most once", self.what)),
        }
    }
}

/// The arguments that several elements have.
struct ElementArguments {
    register: Once<u32>,
    space: Once<u32>,
    visibility: Once<Visibility>,
    flags: Once<(Place, u32)>,
}

impl ElementArguments {
    fn new() -> Self {
        Self {
            register: Once::new("the register"),
            space: Once::new("space"),
            visibility: Once::new("visibility"),
            flags: Once::new("flags"),
        }
    }

    /// The register, which must be given.
    fn at(&self, place: Place, element: &str, letter: char) -> Result<ShaderRegister> {
        let missing = || malformed!(place, "{element} has no register; expected an argument such as `{letter}0`");
        Ok(ShaderRegister { register: self.register.value.ok_or_else(missing)?, space: self.space.value.unwrap_or(0) })
    }

    fn places(&self, place: Place) -> PartPlaces {
        PartPlaces { flags: self.flags.value.map_or(place, |(place, _)| place), ..PartPlaces::all(place) }
    }
}

impl<'a> Parser<'a> {
    fn signature(mut self) -> Result<RootSignature> {
        let start = self.place;
        let mut has_flags = false;
        while self.token != Token::End {
            self.element(&mut has_flags)?;
            if self.token != Token::End {
                self.sign(',', "between the elements of a root signature")?;
            }
        }
        self.builder.finish(start)
    }

    /// Goes to the next token, and returns the one before it with its place.
    fn take(&mut self) -> Result<(Place, Token<'a>)> {
        let taken = (self.place, self.token);
        (self.place, self.token) = self.lexer.next()?;
        Ok(taken)
    }

    fn expected(&self, what: &str) -> Error {
        malformed!(self.place, "expected {what}, found {}", self.token.quoted())
    }

    /// Takes a sign that must come next.
    fn sign(&mut self, sign: char, what: &str) -> Result<()> {
        if self.token != Token::Sign(sign) {
            return Err(self.expected(&format!("`{sign}` {what}")));
        }
        self.take().map(drop)
    }

    /// The next word, if the next token is one of these words. Letters of either case are equal.
    fn is_word(&self, word: &str) -> bool {
        matches!(self.token, Token::Word(found) if found.eq_ignore_ascii_case(word))
    }

    fn element(&mut self, has_flags: &mut bool) -> Result<()> {
        const ELEMENTS: &str = "an element: RootFlags, RootConstants, CBV, SRV, UAV, DescriptorTable or StaticSampler";
        let Token::Word(word) = self.token else { return Err(self.expected(ELEMENTS)) };
        let place = self.place;
        let class = names::class(word).filter(|class| *class != ResourceClass::Sampler);
        if word.eq_ignore_ascii_case("RootFlags") {
            if std::mem::replace(has_flags, true) {
                return Err(malformed!(place, "RootFlags is given twice; a root signature has one at most"));
            }
            self.take()?;
            self.sign('(', "after RootFlags")?;
            let (place, value) = self.flags("root signature flag", &flags::ALL)?;
            self.builder.flags(place, value)?;
            self.sign(')', "after the flags")
        } else if word.eq_ignore_ascii_case("RootConstants") {
            self.constants(place)
        } else if word.eq_ignore_ascii_case("DescriptorTable") {
            self.table(place)
        } else if word.eq_ignore_ascii_case("StaticSampler") {
            self.static_sampler(place)
        } else if let Some(class) = class {
            self.descriptor(place, class)
        } else {
            Err(self.expected(ELEMENTS))
        }
    }

    /// Takes the arguments of an element, from its name to the closing parenthesis. `argument`
    /// takes one argument, and returns false if it does not know the next token.
    fn arguments(
        &mut self,
        element: &str,
        expected: &str,
        mut argument: impl FnMut(&mut Self) -> Result<bool>,
    ) -> Result<()> {
        self.take()?;
        self.sign('(', &format!("after {element}"))?;
        if self.token == Token::Sign(')') {
            return self.take().map(drop);
        }
        loop {
            if !argument(self)? {
                return Err(self.expected(&format!("an argument of {element}: {expected}")));
            }
            if self.token == Token::Sign(')') {
                return self.take().map(drop);
            }
            self.sign(',', &format!("or `)` after an argument of {element}"))?;
        }
    }

    /// Takes a register as an argument, if the next token is one.
    fn register(&mut self, element: &str, letter: char, into: &mut Once<u32>) -> Result<bool> {
        let Token::Register(found, digits) = self.token else { return Ok(false) };
        let quoted = self.token.quoted();
        if found != letter {
            return Err(malformed!(self.place, "{element} needs a register of the kind {letter}#, found {quoted}"));
        }
        let number = digits.parse();
        let number = number.map_err(|_| {
            malformed!(self.place, "the register {quoted} is beyond the last one, {letter}{}", u32::MAX)
        })?;
        into.set(self.place, number)?;
        self.take()?;
        Ok(true)
    }

    /// Takes the name of an argument and `=`, if the next token is this name.
    fn name(&mut self, name: &str) -> Result<bool> {
        if !self.is_word(name) {
            return Ok(false);
        }
        self.take()?;
        self.sign('=', &format!("after {name}"))?;
        Ok(true)
    }

    /// Takes `space=…` or `visibility=…`, if the next token is one of them.
    fn common(&mut self, common: &mut ElementArguments, with_visibility: bool) -> Result<bool> {
        let place = self.place;
        if self.name("space")? {
            common.space.set(place, self.uint("a register space")?)?;
            return Ok(true);
        }
        if !with_visibility || !self.name("visibility")? {
            return Ok(false);
        }
        common.visibility.set(place, self.visibility()?)?;
        Ok(true)
    }

    fn visibility(&mut self) -> Result<Visibility> {
        let Token::Word(word) = self.token else { return Err(self.expected("a value such as SHADER_VISIBILITY_ALL")) };
        let found = Visibility::ALL.into_iter().find(|v| names::visibility_name(*v).eq_ignore_ascii_case(word));
        let found = found.ok_or_else(|| self.expected("a value such as SHADER_VISIBILITY_ALL"))?;
        self.take()?;
        Ok(found)
    }

    /// Takes `0`, or flags that are joined by `|`. The place is that of the first.
    fn flags(&mut self, what: &str, names: &[(u32, &str)]) -> Result<(Place, u32)> {
        let place = self.place;
        if self.token == Token::Number("0") {
            self.take()?;
            return Ok((place, 0));
        }
        let mut value = 0;
        loop {
            let flag = match self.token {
                Token::Word(word) => names::number(names, "", word),
                _ => None,
            };
            value |= flag.ok_or_else(|| {
                let all: Vec<&str> = names.iter().map(|(_, name)| *name).collect();
                self.expected(&format!("0 or a {what} ({})", all.join(", ")))
            })?;
            self.take()?;
            if self.token != Token::Sign('|') {
                return Ok((place, value));
            }
            self.take()?;
        }
    }

    /// Takes `flags=…` of a descriptor or range, which version 1.0 does not have.
    fn data_flags(&mut self, common: &mut ElementArguments, what: &str, names: &[(u32, &str)]) -> Result<bool> {
        let place = self.place;
        if !self.name("flags")? {
            return Ok(false);
        }
        if !self.builder.version().has_data_flags() {
            return Err(malformed!(place, "root signature version 1.0 has no {what}s; version 1.1 has them"));
        }
        let value = self.flags(what, names)?;
        common.flags.set(place, value)?;
        Ok(true)
    }

    /// Takes an unsigned 32-bit number.
    fn uint(&mut self, what: &str) -> Result<u32> {
        let wrong = |parser: &Self| parser.expected(&format!("{what}, a whole number up to {}", u32::MAX));
        let Token::Number(text) = self.token else { return Err(wrong(self)) };
        let digits = text.strip_prefix('+').unwrap_or(text);
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
        let number = digits.parse().ok().filter(|_| plain).ok_or_else(|| wrong(self))?;
        self.take()?;
        Ok(number)
    }

    /// Takes a number as the bits of an f32. As compilers do, it is read as a double first, and
    /// must be in the range of f32 then.
    fn float(&mut self) -> Result<u32> {
        let text = match self.token {
            Token::Number(text) => text,
            Token::Word(word) if word.eq_ignore_ascii_case("inf") => word,
            _ => return Err(self.expected("a number")),
        };
        // `inf` ends with the letter that marks a float.
        let infinite = text.to_ascii_lowercase().ends_with("inf");
        let digits = text.strip_suffix(['f', 'F']).filter(|_| !infinite).unwrap_or(text);
        let value: f64 = digits.parse().map_err(|_| self.expected("a number"))?;
        if value.is_nan() || (value.is_finite() && value.abs() > f64::from(f32::MAX)) {
            return Err(self.expected("a number in the range of a 32-bit float"));
        }
        self.take()?;
        Ok((value as f32).to_bits())
    }

    /// Takes one of a list of names with a common prefix.
    fn named(&mut self, names: &[(u32, &str)], prefix: &str) -> Result<u32> {
        let found = match self.token {
            Token::Word(word) => names::number(names, prefix, word),
            _ => None,
        };
        let found = found.ok_or_else(|| {
            let all: Vec<String> = names.iter().map(|(_, name)| format!("{prefix}{name}")).collect();
            self.expected(&format!("one of {}", all.join(", ")))
        })?;
        self.take()?;
        Ok(found)
    }

    fn constants(&mut self, place: Place) -> Result<()> {
        let mut common = ElementArguments::new();
        let mut count = Once::new("num32BitConstants");
        self.arguments("RootConstants", "num32BitConstants, b#, space or visibility", |parser| {
            let place = parser.place;
            if parser.name("num32BitConstants")? {
                count.set(place, parser.uint("a number of constants")?)?;
                return Ok(true);
            }
            Ok(parser.register("RootConstants", 'b', &mut common.register)? || parser.common(&mut common, true)?)
        })?;
        let at = common.at(place, "RootConstants", 'b')?;
        let count = count.value.ok_or_else(|| malformed!(place, "RootConstants has no argument num32BitConstants"))?;
        self.builder.constants(place, common.visibility.value.unwrap_or(Visibility::All), at, count)
    }

    fn descriptor(&mut self, place: Place, class: ResourceClass) -> Result<()> {
        let (element, letter) = names::clause(class);
        let mut common = ElementArguments::new();
        self.arguments(element, &format!("{letter}#, space, visibility or flags"), |parser| {
            Ok(parser.register(element, letter, &mut common.register)?
                || parser.common(&mut common, true)?
                || parser.data_flags(&mut common, "root descriptor flag", &descriptor_flags::ALL)?)
        })?;
        let at = common.at(place, element, letter)?;
        let visibility = common.visibility.value.unwrap_or(Visibility::All);
        let flags = common.flags.value.map(|(_, flags)| flags);
        self.builder.descriptor(common.places(place), visibility, class, at, flags)
    }

    fn table(&mut self, place: Place) -> Result<()> {
        let mut common = ElementArguments::new();
        let mut table = TableBuilder::new();
        self.arguments("DescriptorTable", "CBV, SRV, UAV, Sampler or visibility", |parser| {
            let place = parser.place;
            if parser.name("visibility")? {
                common.visibility.set(place, parser.visibility()?)?;
                return Ok(true);
            }
            let class = match parser.token {
                Token::Word(word) => names::class(word),
                _ => None,
            };
            match class {
                Some(class) => parser.range(place, class, &mut table).map(|()| true),
                None => Ok(false),
            }
        })?;
        self.builder.table(place, common.visibility.value.unwrap_or(Visibility::All), table)
    }

    fn range(&mut self, place: Place, class: ResourceClass, table: &mut TableBuilder) -> Result<()> {
        let (element, letter) = names::clause(class);
        let mut common = ElementArguments::new();
        let (mut count, mut offset) = (Once::new("numDescriptors"), Once::new("offset"));
        let expected = format!("{letter}#, numDescriptors, space, offset or flags");
        self.arguments(element, &expected, |parser| {
            let place = parser.place;
            if parser.name("numDescriptors")? {
                let value = match parser.is_word("unbounded") {
                    true => parser.take().map(|_| u32::MAX)?,
                    false => parser.uint("`unbounded` or a number of descriptors")?,
                };
                count.set(place, value)?;
                return Ok(true);
            }
            if parser.name("offset")? {
                let value = match parser.is_word("DESCRIPTOR_RANGE_OFFSET_APPEND") {
                    true => parser.take().map(|_| APPEND)?,
                    false => parser.uint("DESCRIPTOR_RANGE_OFFSET_APPEND or an offset in descriptors")?,
                };
                offset.set(place, (place, value))?;
                return Ok(true);
            }
            Ok(parser.register(element, letter, &mut common.register)?
                || parser.common(&mut common, false)?
                || parser.data_flags(&mut common, "descriptor range flag", &range_flags::ALL)?)
        })?;
        let at = common.at(place, element, letter)?;
        let (offset_place, offset) = offset.value.unwrap_or((place, APPEND));
        let flags = common.flags.value.map(|(_, flags)| flags);
        self.builder.expect_ranges(place, 1)?;
        let places = PartPlaces { offset: offset_place, ..common.places(place) };
        self.builder.range(table, places, UnresolvedRange { class, count: count.value.unwrap_or(1), at, flags, offset })
    }

    fn static_sampler(&mut self, place: Place) -> Result<()> {
        const EXPECTED: &str = "s#, filter, addressU, addressV, addressW, mipLODBias, maxAnisotropy, comparisonFunc, \
                                borderColor, minLOD, maxLOD, space, visibility or flags";
        let mut common = ElementArguments::new();
        let mut fields: [Once<u32>; 10] = FIELDS.map(|(name, _)| Once::new(name));
        self.arguments("StaticSampler", EXPECTED, |parser| {
            let place = parser.place;
            for (field, (name, _)) in fields.iter_mut().zip(FIELDS) {
                if parser.name(name)? {
                    field.set(place, parser.sampler_field(name)?)?;
                    return Ok(true);
                }
            }
            if parser.name("flags")? {
                if parser.may_raise {
                    parser.builder.raise_to_1_2();
                }
                let value = parser.flags("sampler flag", &sampler_flags::ALL)?;
                common.flags.set(place, value)?;
                return Ok(true);
            }
            Ok(parser.register("StaticSampler", 's', &mut common.register)? || parser.common(&mut common, true)?)
        })?;
        let ShaderRegister { register, space } = common.at(place, "StaticSampler", 's')?;
        let value = |index: usize| {
            let given = fields.get(index).and_then(|field| field.value);
            given.or_else(|| FIELDS.get(index).map(|(_, default)| *default)).unwrap_or_default()
        };
        let sampler = StaticSampler {
            filter: value(0),
            address: [value(1), value(2), value(3)],
            mip_lod_bias: value(4),
            max_anisotropy: value(5),
            comparison: value(6),
            border_color: value(7),
            min_lod: value(8),
            max_lod: value(9),
            register,
            space,
            visibility: common.visibility.value.unwrap_or(Visibility::All),
            flags: common.flags.value.map_or(0, |(_, flags)| flags),
        };
        self.builder.static_sampler(common.places(place), sampler)
    }

    /// Takes the value of an argument of a static sampler.
    fn sampler_field(&mut self, name: &str) -> Result<u32> {
        match name {
            "filter" => {
                let found = match self.token {
                    Token::Word(word) => names::filter(word),
                    _ => None,
                };
                let found = found.ok_or_else(|| self.expected("a filter such as FILTER_MIN_MAG_MIP_LINEAR"))?;
                self.take()?;
                Ok(found)
            }
            "mipLODBias" | "minLOD" | "maxLOD" => self.float(),
            "maxAnisotropy" => self.uint("a maximum anisotropy"),
            "comparisonFunc" => self.named(&names::COMPARISONS, "COMPARISON_"),
            "borderColor" => self.named(&names::BORDER_COLORS, "STATIC_BORDER_COLOR_"),
            _ => self.named(&names::ADDRESS_MODES, "TEXTURE_ADDRESS_"),
        }
    }
}

/// The fields of a static sampler with their defaults.
const FIELDS: [(&str, u32); 10] = [
    ("filter", 0x55),
    ("addressU", 1),
    ("addressV", 1),
    ("addressW", 1),
    ("mipLODBias", 0),
    ("maxAnisotropy", 16),
    ("comparisonFunc", 4),
    ("borderColor", 2),
    ("minLOD", 0),
    ("maxLOD", f32::MAX.to_bits()),
];
