//! The inputs in `inputs/`, each of which once broke a promise: that an error has a place and is not
//! of kind `Bug`, that a module is valid. scripts/fuzz.sh found them.

use std::path::Path;

use dxil_robustness::pipeline::{self, Outcome};

#[test]
fn inputs_keep_the_promises() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("inputs");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder of inputs") {
        let path = entry.expect("an input").path();
        let input = std::fs::read(&path).expect("an input");
        if let Outcome::Refused(error) = pipeline::run(&input) {
            assert_eq!(pipeline::objection(&error), None, "{}", path.display());
        }
        count += 1;
    }
    assert!(count > 0, "no inputs in {}", folder.display());
}
