//! Rows as a table of comma-separated values (RFC 4180).

use std::collections::BTreeMap;

use dxil_capture::Digest;

use super::row::Row;

/// The table: a line of names, and a line for each row, in the order of the pipelines' names.
pub fn table<'a>(rows: impl Iterator<Item = &'a Row>, labels: &BTreeMap<Digest, String>) -> String {
    let mut text = "pipeline,label,outcome,detail,call,validation,words,layer_us,driver_us,memory_kib\r\n".to_owned();
    for row in rows {
        let words: usize = row.modules.iter().map(|(_, words)| words).sum();
        let fields = [
            row.pipeline.to_string(),
            labels.get(&row.pipeline).cloned().unwrap_or_default(),
            row.outcome.name().to_owned(),
            row.detail.clone(),
            row.call.clone().unwrap_or_default(),
            row.validation.join("\n"),
            words.to_string(),
            row.layer_us.to_string(),
            row.driver_us.to_string(),
            row.memory_kib.to_string(),
        ];
        text += &fields.map(|field| quoted(&field)).join(",");
        text += "\r\n";
    }
    text
}

/// A field, in quotes where it has a separator.
fn quoted(field: &str) -> String {
    if field.contains(['"', ',', '\r', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::Outcome;

    #[test]
    fn separators_are_quoted() {
        let pipeline = Digest([0; 32]);
        let row = Row::new(pipeline, Outcome::Rejected, "a, \"b\"".to_owned());
        let text = table([row].iter(), &BTreeMap::from([(pipeline, "label".to_owned())]));
        let line = text.lines().nth(1).unwrap();
        assert_eq!(line, format!("{pipeline},label,rejected by the driver,\"a, \"\"b\"\"\",,,0,0,0,0"));
    }
}
