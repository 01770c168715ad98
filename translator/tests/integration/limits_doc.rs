//! Checks that `docs/limits.md` has every named limit, with the largest figure of the committed
//! containers. `BLESS=1` writes the document again.
//!
//! A figure that is not the document's fails only if it is larger, so that a smaller corpus does
//! not make the document wrong.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use dxil_base::limits;
use dxil_base::limits::Fuel;
use dxil_bitcode as bitcode;
use dxil_test_support::{containers, golden, repository};
use dxil_translator::container::Container;
use dxil_translator::lower::lower_with_fuel;
use dxil_translator::{Budget, Options, PipelineStage, PlanInputs, Shader, lavapipe, plan};

/// The largest figures, by the name of the limit.
#[derive(Default)]
struct Figures(BTreeMap<&'static str, u64>);

impl Figures {
    fn record(&mut self, name: &'static str, figure: usize) {
        let known = self.0.entry(name).or_default();
        *known = (*known).max(figure as u64);
    }

    fn container(&mut self, bytes: &[u8]) {
        self.record("INPUT_BYTES", bytes.len());
        let Ok(container) = Container::parse(bytes) else { return };
        self.record("CONTAINER_PARTS", container.parts().len());
        if let Ok(module) = container.program().and_then(|program| bitcode::read(program.bitcode)) {
            self.module(&module);
        }
        let fuel = Fuel::new(Budget::default(), bytes.len());
        let Ok(shader) = Shader::parse_with_fuel(bytes, &fuel) else { return };
        self.record("BUDGET_BYTES", fuel.spent().bytes as usize);
        self.record("BUDGET_STEPS", fuel.spent().steps as usize);
        self.shader(&shader);
    }

    fn module(&mut self, module: &bitcode::Module) {
        self.record("TYPES", module.types.len());
        self.record("TYPE_FIELDS", module.type_lists.items().len());
        self.record("CONSTANTS", module.constants.len());
        self.record("CONSTANT_WORDS", module.constant_words.items().len() + module.constant_operands.items().len());
        self.record("MODULE_VALUES", module.values.len());
        self.record("METADATA", module.metadata.len());
        self.record("METADATA_OPERANDS", module.metadata_operands.items().len());
        self.record("METADATA_KINDS", module.metadata_kinds.len());
        self.record("STRING_BYTES", module.strings.items().len());
        self.record("ATTRIBUTES", module.attributes.values().map(|list| list.len()).sum());
        let bodies: Vec<_> = module.functions.values().filter_map(|function| function.body.as_ref()).collect();
        self.record("FUNCTIONS", bodies.len());
        for body in bodies {
            self.record("BLOCKS", body.blocks.len());
            self.record("INSTRUCTIONS", body.insts.len());
        }
    }

    fn shader(&mut self, shader: &Shader) {
        let program = shader.program();
        self.record("RESOURCES", program.resources.len());
        self.record("NAME_BYTES", program.resources.values().map(|resource| resource.name.len()).max().unwrap_or(0));
        self.record("SUBOBJECTS", shader.subobjects().iter().len());
        let (mut reached, mut rows) = (0, 0);
        let options = Options::new(lavapipe());
        for (id, entry) in shader.entries() {
            self.record("NAME_BYTES", entry.name.len());
            reached += entry.reachable.functions.len();
            for signature in [&entry.inputs, &entry.outputs, &entry.patch_constants] {
                self.record("SIGNATURE_ELEMENTS", signature.elements.len());
                rows += signature.elements.iter().map(|element| element.rows as usize).sum::<usize>();
            }
            let inputs = PlanInputs::new(&options.profile);
            let Ok(planned) = plan(&[PipelineStage::new(shader, id)], &inputs) else { continue };
            if let Ok((words, _, spent)) = lower_with_fuel(program, entry, &planned.stages[0], &options) {
                self.record("BUDGET_BYTES", spent.bytes as usize);
                self.record("BUDGET_STEPS", spent.steps as usize);
                self.words(&words);
            }
        }
        self.record("REACHED_FUNCTIONS", reached);
        self.record("SIGNATURE_ROWS_OF_ALL", rows);
    }

    fn words(&mut self, words: &[u32]) {
        self.record("OUTPUT_WORDS", words.len());
        self.record("SPIRV_IDS", words.get(3).map_or(0, |&bound| bound as usize));
        let (mut globals, mut locals, mut parameters) = (0, 0, 0);
        let mut at = 5;
        while let Some(&first) = words.get(at) {
            let (count, op) = ((first >> 16) as usize, first & 0xffff);
            self.record("SPIRV_INSTRUCTION_WORDS", count);
            match op {
                // OpTypeStruct, OpConstantComposite, OpFunction, OpFunctionParameter, OpVariable,
                // OpPhi, OpSwitch. Labels of 64 bits would count as one case and a half; no switch
                // here has them.
                30 => self.record("SPIRV_STRUCTURE_MEMBERS", count - 2),
                44 => self.record("SPIRV_CONSTITUENTS", count - 3),
                54 => (locals, parameters) = (0, 0),
                55 => parameters += 1,
                59 if words.get(at + 3) == Some(&7) => locals += 1,
                59 => globals += 1,
                245 => self.record("SPIRV_PHI_PREDECESSORS", (count - 3) / 2),
                251 => self.record("SPIRV_SWITCH_CASES", (count - 3) / 2),
                _ => {}
            }
            self.record("SPIRV_LOCAL_VARIABLES", locals);
            self.record("SPIRV_FUNCTION_PARAMETERS", parameters);
            at += count.max(1);
        }
        self.record("SPIRV_GLOBAL_VARIABLES", globals);
    }
}

/// A number with a comma between groups of three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

const HEAD: &str = "\
# Limits

The translator checks every count of its input against a named limit before it allocates memory, so
that an input that nobody's compiler wrote costs a bounded time and memory. An input beyond a limit
is refused with an error of kind `Limit`, which names the limit and what was found.

The limits on counts bound each count alone. The *budget* (`Budget`) bounds their products, such as
the values of all phis, for one parse and for one translation: its steps and bytes are the last two
rows. `Shader::parse_within` and `Options::budget` take another budget, and so does the option
`--budget N` of `dxil2spv`, which multiplies the default. The error says which part used the budget
up, and how large the input is.

The last column has the largest figure of the containers in this repository: the fixtures, the
programs, and the inputs of tests. For the budget it is the cost of the dearest parse or translation.
A dash stands for a limit without a figure: its text names the rule that it comes from, or what
compilers write. `translator/tests/integration/limits_doc.rs` writes this document (`BLESS=1`).

| limit | value | of what | largest figure |
|---|---|---|---|
";

#[test]
fn the_document_has_every_limit() {
    let mut paths = containers(repository().join("tests"));
    paths.extend(containers(repository().join("translator/tests")));
    assert!(paths.len() > 1000, "only {} containers", paths.len());
    let mut figures = Figures::default();
    for path in &paths {
        figures.container(&fs::read(path).expect("a container"));
    }
    let known: Vec<&str> = limits::ALL.iter().map(|limit| limit.name).collect();
    for name in figures.0.keys() {
        assert!(known.contains(name), "a figure for {name}, which is not a limit");
    }
    for limit in limits::ALL {
        let figure = figures.0.get(limit.name).copied().unwrap_or(0);
        assert!(figure <= limit.value, "{}: {figure} is beyond the limit", limit.name);
    }
    let file = repository().join("docs/limits.md");
    let row = |limit: &limits::NamedLimit, figure: Option<u64>| {
        let text: Vec<&str> = limit.text.iter().map(|line| line.trim()).collect();
        let text = text.join(" ").replace('|', "\\|");
        let figure = figure.map_or_else(|| "–".to_owned(), grouped);
        format!("| `{}` | {} | {text} | {figure} |\n", limit.name, grouped(limit.value))
    };
    if golden::is_blessing() {
        let mut text = HEAD.to_owned();
        for limit in limits::ALL {
            text.push_str(&row(limit, figures.0.get(limit.name).copied()));
        }
        return golden::check("docs/limits.md", &text);
    }
    let document = fs::read_to_string(&file).expect("docs/limits.md");
    let mut faults = String::new();
    for limit in limits::ALL {
        let start = row(limit, None);
        let start = start.trim_end().trim_end_matches("– |");
        let figure = document.lines().find_map(|line| line.strip_prefix(start)?.strip_suffix(" |"));
        let listed = figure.map(|figure| figure.replace(',', "").parse().unwrap_or(0));
        match (listed, figures.0.get(limit.name).copied().unwrap_or(0)) {
            (None, _) => _ = writeln!(faults, "no row {start}"),
            (Some(listed), found) if listed < found => {
                _ = writeln!(faults, "{}: a container has {found}", limit.name);
            }
            _ => {}
        }
    }
    let rows = document.lines().filter(|line| line.starts_with("| `")).count();
    if rows != limits::ALL.len() {
        _ = writeln!(faults, "{rows} rows for {} limits", limits::ALL.len());
    }
    assert!(faults.is_empty(), "docs/limits.md is not up to date; write it with BLESS=1:\n{faults}");
}
