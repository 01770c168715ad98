//! The list of what was made: which files are in which pipeline, what was chosen freely, and what
//! was refused.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dxil_capture::Digest;
use serde::{Deserialize, Serialize};

use crate::files::{At as _, FileError, write_whole};

/// The name of the list in the folder of the capture.
pub const LIST: &str = "synth.json";

/// What `dxil-lab synth` made and what it could not use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct List {
    /// The version of the form.
    pub format: u32,
    /// The pipelines, by label.
    pub pipelines: Vec<Listed>,
    /// What is in no pipeline.
    pub refused: Vec<Refused>,
    /// What is there already under another name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub duplicates: Vec<Duplicate>,
}

/// Files that add nothing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Duplicate {
    /// The files.
    pub files: Vec<String>,
    /// The file with the same bytes, or the label of the same pipeline.
    pub of: String,
}

/// A pipeline.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Listed {
    /// A name for people, made of those of the files.
    pub label: String,
    /// The name of the record.
    pub pipeline: Digest,
    /// The binding model of docs/bindings.md.
    pub model: String,
    /// The DXIL stages.
    pub stages: Vec<StageOf>,
    /// What the shaders do not decide.
    pub chosen: Vec<String>,
}

/// A stage of a pipeline.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StageOf {
    /// The container's file.
    pub file: String,
    /// The stage.
    pub stage: String,
    /// The entry point.
    pub entry: String,
}

/// Shaders that are in no pipeline.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Refused {
    /// The files.
    pub files: Vec<String>,
    /// Why.
    pub error: String,
}

impl List {
    pub(super) fn new(refused: Vec<Refused>, duplicates: Vec<Duplicate>) -> Self {
        Self { format: 1, pipelines: Vec::new(), refused, duplicates }
    }

    /// Adds the list that the capture has already.
    pub(super) fn add(&mut self, before: Self) {
        self.pipelines.extend(before.pipelines);
        self.refused.extend(before.refused);
        self.duplicates.extend(before.duplicates);
    }

    /// Brings the list into an order that the content alone decides. Two drafts may be the same
    /// pipeline.
    pub(super) fn finish(&mut self) {
        self.pipelines.sort();
        let (mut labels, mut duplicates) = (BTreeMap::new(), BTreeSet::new());
        self.pipelines.dedup();
        self.pipelines.retain(|listed| match labels.entry(listed.pipeline) {
            Entry::Vacant(free) => {
                free.insert(listed.label.clone());
                true
            }
            Entry::Occupied(known) => {
                let files = listed.stages.iter().map(|stage| stage.file.clone()).collect();
                duplicates.insert(Duplicate { files, of: known.get().clone() });
                false
            }
        });
        duplicates.extend(self.duplicates.drain(..));
        self.duplicates.extend(duplicates);
        self.refused.sort();
        self.refused.dedup();
    }

    pub(super) fn write(&self, out: &Path) -> Result<(), FileError> {
        let path = out.join(LIST);
        let text = serde_json::to_string_pretty(self).at(&path)? + "\n";
        write_whole(&path, text.as_bytes())
    }

    /// The labels of the pipelines.
    pub fn labels(&self) -> BTreeMap<Digest, String> {
        self.pipelines.iter().map(|it| (it.pipeline, it.label.clone())).collect()
    }

    /// The list of a capture; `None` for one that an application made.
    pub fn read(capture: &Path) -> Option<Self> {
        serde_json::from_slice(&std::fs::read(capture.join(LIST)).ok()?).ok()
    }
}
