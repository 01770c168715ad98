//! The inputs in `tests/robustness/inputs`, each of which once broke a promise: that an error has a
//! place and is not of kind `Bug`, that a module is valid. scripts/fuzz.sh found them. The ending of a
//! file's name says what it is: `dxil`, or a kind of `dxil_robustness::handed`.

use std::path::Path;

use dxil_robustness::handed::{Handed, Kind};
use dxil_validate::promises::Checker;

#[test]
fn inputs_keep_the_promises() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../robustness/inputs");
    let (handed, mut checker, mut faults) = (Handed::new(), Checker::new(), Vec::new());
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("the folder of inputs") {
        let path = entry.expect("an input").path();
        let input = std::fs::read(&path).expect("an input");
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let verdict = match Kind::named(ending) {
            Some(kind) => checker.handed(&handed, kind, &input),
            None => checker.whole(&input),
        };
        println!("{}: {}", path.display(), verdict.kind);
        faults.extend(verdict.fault.map(|fault| format!("{}: {fault}", path.display())));
        count += 1;
    }
    assert!(count > 0, "no inputs in {}", folder.display());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
