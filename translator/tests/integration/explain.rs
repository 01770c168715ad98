//! The page of `dxil2spv explain`: its links against the listings that the tool prints, and what
//! comes from the container as text.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::tool::{Run, fixture, run, run_with, temporary};

/// A line of a pane.
struct Line {
    text: String,
    attributes: BTreeMap<String, String>,
}

impl Line {
    /// The parts of an attribute.
    fn list(&self, name: &str) -> Vec<&str> {
        self.attributes.get(name).into_iter().flat_map(|value| value.split(' ')).collect()
    }
}

/// A page that is read.
struct Page {
    text: String,
    panes: BTreeMap<&'static str, Vec<Line>>,
}

impl Page {
    fn read(text: &str) -> Self {
        let pane = |id: &'static str| {
            let start = text.find(&format!("<section class=\"pane\" id=\"{id}\">")).unwrap();
            let pane = &text[start..start + text[start..].find("</section>").unwrap()];
            (id, pane.split("<li").skip(1).map(line).collect())
        };
        Self { text: text.to_owned(), panes: ["source", "dxil", "tree", "spirv"].map(pane).into() }
    }

    fn ids(&self, pane: &str) -> BTreeSet<&str> {
        self.panes[pane].iter().flat_map(|line| line.list("id")).collect()
    }

    /// The content of the table of bindings.
    fn bindings(&self) -> Vec<Vec<String>> {
        let body = self.text.split("<tbody>").nth(1).unwrap().split("</tbody>").next().unwrap();
        let cell = |cell: &str| Some(plain(cell.rsplit_once('>')?.1));
        let cells = |row: &str| row.rsplit_once("</t").unwrap().0.split("</t").filter_map(cell).collect();
        body.split("</tr>").filter(|row| row.contains("<tr")).map(cells).collect()
    }
}

/// A line from behind `<li`.
fn line(html: &str) -> Line {
    let (tag, rest) = html.split_once('>').unwrap();
    let attributes = tag.split("\" ").filter_map(|attribute| {
        let (name, value) = attribute.trim().split_once("=\"")?;
        Some((name.to_owned(), value.trim_end_matches('"').to_owned()))
    });
    Line { attributes: attributes.collect(), text: plain(rest.split("</li>").next().unwrap()) }
}

/// Text that was escaped.
fn plain(html: &str) -> String {
    let plain = html.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'");
    plain.replace("&amp;", "&")
}

#[track_caller]
fn explained(arguments: &[&str]) -> Page {
    let run = run(&[&["explain"], arguments].concat());
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    Page::read(run.text())
}

/// The container of a test of its own.
fn own(name: &str) -> String {
    format!("{}/tests/shaders/{name}.dxil", env!("CARGO_MANIFEST_DIR"))
}

const SHIFTS: [&str; 2] = ["--shifts", "t=100,u=200,s=300"];

/// All links lead to lines of the page.
#[track_caller]
fn check_links(page: &Page) {
    let (source, dxil) = (page.ids("source"), page.ids("dxil"));
    let blocks: BTreeSet<&str> = page.panes["dxil"].iter().flat_map(|line| line.list("data-b")).collect();
    for line in page.panes.values().flatten() {
        assert!(line.list("data-s").iter().all(|id| source.contains(id)), "{}", line.text);
        assert!(line.list("data-d").iter().all(|id| dxil.contains(id)), "{}", line.text);
        assert!(line.list("data-b").iter().all(|block| blocks.contains(block)), "{}", line.text);
    }
    let drawn: BTreeSet<&str> = page.text.split("<a ").skip(1).filter_map(|a| a.split("data-b=\"").nth(1)).collect();
    assert!(!drawn.is_empty());
    assert!(drawn.iter().all(|a| blocks.contains(a.split('"').next().unwrap())));
}

/// The panes are what the tool prints, and each line of SPIR-V leads to the line of the source that
/// a translation with lines gives it.
#[test]
fn lines_lead_to_the_source() {
    for name in ["debug/optimised", "debug/unoptimised", "debug/lines"] {
        let file = fixture(name);
        let page = explained(&[&[&*file][..], &SHIFTS].concat());
        check_links(&page);
        let listed = |arguments: &[&str]| {
            let run = run(&[&["translate", &*file], &SHIFTS[..], arguments].concat());
            assert_eq!(run.code, 0, "{}", run.err);
            run.text().to_owned()
        };
        let texts = |pane: &str| page.panes[pane].iter().map(|line| line.text.clone()).collect::<Vec<_>>();
        let code = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(texts("spirv"), code(&listed(&["--emit", "asm", "--names"])), "{name}");
        assert_eq!(texts("tree"), code(&listed(&["--emit", "tree"])), "{name}");

        let sources: BTreeMap<&str, &Line> = page.panes["dxil"].iter().map(|line| (line.list("id")[0], line)).collect();
        let (mut expected, mut here, mut inside) = (Vec::new(), None, false);
        for text in listed(&["--emit", "asm", "--debug", "lines"]).lines() {
            let mut words = text.split_whitespace();
            if words.next() == Some("OpLine") {
                here = words.nth(1).map(str::to_owned);
            } else {
                inside |= text.contains("OpFunction ");
                if text.contains("OpLabel") || text == "OpFunctionEnd" {
                    here = None;
                }
                expected.extend(inside.then(|| here.clone()));
            }
        }
        let spirv = &page.panes["spirv"];
        let first = spirv.len() - expected.len();
        let (mut linked, mut all) = (0, 0);
        for (line, expected) in spirv[first..].iter().zip(&expected) {
            let Some(expected) = expected else { continue };
            all += 1;
            for id in line.list("data-d") {
                // Code of the compiler has no place of its own.
                let Some(own) = sources[id].list("data-s").first().copied() else { continue };
                assert_eq!(own.split_once('.').unwrap().1, expected, "{name}: {}", line.text);
                linked += 1;
            }
        }
        assert!(all > 20 && linked * 100 >= all * 95, "{name}: {linked} of {all} lines are linked");
    }
}

#[test]
fn code_is_linked_without_debug_information() {
    let page = explained(&[&fixture("control/short_circuit")]);
    check_links(&page);
    let why = "The source is not shown: the container has no debug information; compile with `-Zi -Qembed_debug`.";
    assert!(page.text.contains(why));
    assert_eq!(page.panes["source"].len(), 0);
    let spirv = &page.panes["spirv"];
    let code = spirv.iter().skip_while(|line| !line.text.contains("OpFunction ")).count();
    let linked = spirv.iter().rev().take(code).filter(|line| !line.list("data-d").is_empty()).count();
    assert!(code > 20 && linked * 2 > code, "{linked} of {code}");
}

#[test]
fn resources_have_names_and_places() {
    let file = fixture("debug/optimised");
    let page = explained(&[&[&*file][..], &SHIFTS].concat());
    let expected = [
        ["input", "t0 space0", "ByteAddressBuffer", "0", "100", "storage_buffer"],
        ["results", "u0 space0", "ByteAddressBuffer", "0", "200", "storage_buffer"],
        ["frame", "b0 space0", "ConstantBuffer, 96 bytes", "0", "0", "uniform_buffer"],
    ];
    assert_eq!(page.bindings(), expected);
    assert!(page.text.contains("for the profile <code>vulkan-1.3-desktop</code>"), "{}", page.text);
    assert!(page.text.contains("Binding model: register with the shifts b=0,t=100,u=200,s=300,c=1000."));
    // A variable is linked with its resource.
    let of_resource = |line: &&Line| line.text.contains("OpVariable") && !line.list("data-d").is_empty();
    assert_eq!(page.panes["spirv"].iter().filter(of_resource).count(), 3);

    // Without shifts the resources have no places, so shifts are assumed.
    let page = explained(&[&file]);
    assert!(page.text.contains("with the shifts b=0,t=1000,u=2000,s=3000,c=4000."));
    assert_eq!(page.bindings()[1][4], "2000");
    // A heap without a root signature has an assumed set.
    let page = explained(&[&own("typed_pairs.in_heap")]);
    assert!(
        page.bindings().iter().any(|row| row[0] == "ResourceDescriptorHeap" && row[3] == "5"),
        "{:?}",
        page.bindings()
    );
    // Shifts that the caller chose are kept.
    let refused = run(&["explain", &file, "--shifts", "t=0,c=7"]);
    assert_eq!(refused.code, 5, "{}", refused.err);
}

#[test]
fn libraries_have_all_entry_points_or_one() {
    let file = fixture("libraries/entries.all");
    let page = explained(&[&file]);
    check_links(&page);
    let entries = |page: &Page| page.panes["spirv"].iter().filter(|line| line.text.starts_with("OpEntryPoint")).count();
    assert!(entries(&page) > 1 && page.text.contains("Entry points</th>"));
    let name = page.panes["dxil"].iter().find_map(|line| line.text.strip_prefix("entry e0 ")).unwrap().to_owned();
    let one = explained(&[&file, "--entry", name.split('`').nth(1).unwrap()]);
    check_links(&one);
    assert_eq!(entries(&one), 1);
    assert!(!one.text.contains("Entry points</th>"));

    let functions = run(&["explain", &fixture("libraries/functions.only")]);
    assert_eq!(functions.code, 3, "{}", functions.err);
    assert!(!Page::read(functions.text()).panes["dxil"].is_empty());
}

#[test]
fn accesses_to_heaps_have_names() {
    let page = explained(&[&own("heap_names"), "--profile", "everything"]);
    check_links(&page);
    let named = |name: &str| {
        let is =
            |line: &&Line| line.text.contains("CreateHandleFromHeap") && line.text.ends_with(&format!("  ; {name}"));
        page.panes["dxil"].iter().filter(is).count()
    };
    assert_eq!(["albedo", "maps.normals", "by"].map(named), [1, 1, 1]);
}

/// What a container says is text, whatever it says.
#[test]
fn hostile_names_are_text() {
    let page = explained(&[&own("hostile")]);
    let (text, _) = page.text.split_once("<script>").unwrap();
    assert_eq!(page.text.matches("<script>").count(), 1);
    for markup in ["<img", "</style><", "</ol><script", "onerror=\""] {
        assert!(!text.split_once("<body>").unwrap().1.contains(markup), "{markup}");
    }
    let source: Vec<&str> = page.panes["source"].iter().map(|line| line.text.as_str()).collect();
    assert_eq!(source[0], "</script><img src=x onerror=alert(1)>.hlsl");
    assert_eq!(source[1..], include_str!("../shaders/hostile.hlsl").lines().collect::<Vec<_>>());

    // The name of the file is text too.
    let file = temporary("\"><img src=x>'&.dxil");
    std::fs::copy(own("hostile"), &file).unwrap();
    let page = explained(&[file.to_str().unwrap()]);
    assert!(page.text.contains("<h1>&quot;&gt;&lt;img src=x&gt;&#39;&amp;.dxil</h1>"));
}

#[test]
fn a_page_is_one_file_with_the_same_bytes() {
    let file = fixture("debug/optimised");
    let page = explained(&[&file]).text;
    for outside in ["http:", "https:", "src=\"", "<link", "url(", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let path: PathBuf = temporary("explained.html");
    let written = run(&["explain", &file, "-o", path.to_str().unwrap()]);
    assert_eq!((written.code, written.out.len()), (0, 0));
    assert_eq!(std::fs::read_to_string(path).unwrap(), page);
    let piped = run_with(&["explain", "-"], &std::fs::read(&file).unwrap());
    assert_eq!(piped.text(), page.replace("optimised.dxil", "standard input"));
}

/// A shader that is not translated has a page that says why, and the error's own exit code.
#[test]
fn refused_shaders_have_a_page() {
    let refused = |run: &Run, code: i32, message: &str| {
        assert_eq!(run.code, code, "{}", run.err);
        assert!(run.err.contains(message), "{}", run.err);
    };
    let doubles = run(&["explain", &fixture("debug/doubles"), "--profile", "vulkan-1.1-floor", SHIFTS[0], SHIFTS[1]]);
    refused(&doubles, 4, "missing feature shaderFloat64 at doubles.hlsl:");
    let page = Page::read(doubles.text());
    check_links(&page);
    assert!(page.panes["spirv"].is_empty());
    assert!(page.text.contains("Not translated: missing feature shaderFloat64 at doubles.hlsl:"));
    assert!(page.text.contains("With the option `--profile everything`"));

    let malformed = run_with(&["explain", "-"], b"DXBC");
    refused(&malformed, 1, "-: error: malformed at byte");
    assert_eq!(malformed.out, b"");
    refused(&run(&["explain", "no-such-file.dxil"]), 2, "the file cannot be read");
    let file = fixture("debug/lines");
    refused(&run(&["explain", &file, "-o", "/no/such/folder/out"]), 2, "the file cannot be written");
    refused(&run(&["explain", &file, "--profile", "nonsense"]), 2, "neither a file nor a built-in profile");
    refused(&run(&["explain", &file, "--entry", "nonsense"]), 3, "no entry point `nonsense`");
}

/// A PDB beside the container, or in the folder of an option, has the source.
#[test]
fn sources_are_in_pdbs() {
    let beside = explained(&[&[&*fixture("debug/in_pdb")][..], &SHIFTS].concat());
    check_links(&beside);
    let linked = beside.panes["dxil"].iter().filter(|line| !line.list("data-s").is_empty()).count();
    assert!(linked > 10 && beside.panes["source"].len() > 20, "{linked}");

    let alone = temporary("in_pdb_alone.dxil");
    std::fs::copy(fixture("debug/in_pdb"), &alone).unwrap();
    let alone = alone.to_str().unwrap();
    let translated =
        |arguments: &[&str]| run(&[&[alone, "--emit", "asm", "--debug", "lines"], &SHIFTS[..], arguments].concat());
    let without = translated(&[]);
    let warning = "in_pdb_alone.dxil: warning: the compiler wrote the debug information to the file `in_pdb.pdb`";
    assert!(without.code == 0 && without.err.contains(warning), "{}", without.err);
    let folder = format!("{}/debug", crate::tool::FIXTURES);
    let with = translated(&["--pdb-path", &folder]);
    assert_eq!((with.code, with.err.as_str()), (0, ""));
    assert!(with.text().contains("OpLine") && !without.text().contains("OpLine"));

    // Sources alone are shown.
    let page = explained(&[&[&*fixture("debug/sources_in_pdb")][..], &SHIFTS].concat());
    assert!(page.text.contains("The source is not linked: the PDB has sources and no debug information"));
    assert!(page.panes["source"].len() > 20);

    // What is not a PDB is ignored.
    std::fs::write(temporary("in_pdb.pdb"), b"no PDB").unwrap();
    let faulty = translated(&[]);
    assert!(
        faulty.code == 0 && faulty.err.contains("in_pdb.pdb: warning: the file is ignored: malformed at byte 0"),
        "{}",
        faulty.err
    );
    std::fs::remove_file(temporary("in_pdb.pdb")).unwrap();
}
