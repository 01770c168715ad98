//! Writes HTML.
//!
//! In: names that the program has, and text from anywhere. Out: elements that are closed in order.
//! What must hold: text becomes markup nowhere, because names are `&'static str` and everything
//! else is escaped here.

use std::fmt::{self, Display, Write as _};

/// Attributes of an element.
pub type Attributes<'a> = &'a [(&'static str, &'a str)];

/// A document that grows.
#[derive(Debug, Default)]
pub struct Html {
    document: String,
}

impl Html {
    /// An element with what `content` writes.
    pub fn within(&mut self, tag: &'static str, attributes: Attributes<'_>, content: impl FnOnce(&mut Self)) {
        self.start(tag, attributes);
        self.document.push('>');
        content(self);
        self.end(tag);
    }

    /// An element with text.
    pub fn element(&mut self, tag: &'static str, attributes: Attributes<'_>, text: impl Display) {
        self.within(tag, attributes, |html| html.text(text));
    }

    /// An element without content or an end, as HTML has some and SVG writes all that are empty.
    pub fn void(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.start(tag, attributes);
        self.document.push_str("/>");
    }

    /// Text.
    pub fn text(&mut self, text: impl Display) {
        // Writing to a string does not fail.
        let _ = write!(Escaped(&mut self.document), "{text}");
    }

    /// Markup of the program itself.
    pub fn raw(&mut self, markup: &'static str) {
        self.document.push_str(markup);
    }

    /// The size so far, in bytes.
    pub fn bytes(&self) -> usize {
        self.document.len()
    }

    /// The document.
    pub fn finish(self) -> String {
        self.document
    }

    fn start(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.document.push('<');
        self.document.push_str(tag);
        for (name, value) in attributes {
            self.document.push(' ');
            self.document.push_str(name);
            self.document.push_str("=\"");
            self.text(value);
            self.document.push('"');
        }
    }

    fn end(&mut self, tag: &'static str) {
        self.document.push_str("</");
        self.document.push_str(tag);
        self.document.push('>');
    }
}

/// Escapes what is written.
struct Escaped<'a>(&'a mut String);

impl fmt::Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for c in text.chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' | '\t' => self.0.push(c),
                // HTML has no control characters (HTML, 13.2.3.5 "Preprocessing the input stream"),
                // and noncharacters are errors there too.
                c if c.is_control() || (c as u32) & 0xfffe == 0xfffe || ('\u{fdd0}'..='\u{fdef}').contains(&c) => {
                    self.0.push('\u{fffd}');
                }
                c => self.0.push(c),
            }
        }
        Ok(())
    }
}

/// The beginning of a text, and how many bytes are left out.
pub fn clipped(text: &str, most: usize) -> (&str, usize) {
    let most = most.min(text.len());
    let end = (0..=most).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.split_at_checked(end).map_or((text, 0), |(start, rest)| (start, rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_never_markup() {
        let mut html = Html::default();
        html.within("p", &[("title", "\"><script>")], |html| html.text("<b>&'\0\u{1b}[1m"));
        let expected = "<p title=\"&quot;&gt;&lt;script&gt;\">&lt;b&gt;&amp;&#39;\u{fffd}\u{fffd}[1m</p>";
        assert_eq!(html.finish(), expected);
    }

    #[test]
    fn a_clipped_text_ends_between_characters() {
        assert_eq!(clipped("äöü", 3), ("ä", 4));
        assert_eq!(clipped("abc", 3), ("abc", 0));
    }
}
