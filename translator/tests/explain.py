#!/usr/bin/env python3
"""Looks at pages of `dxil2spv explain` in Chromium, as a person with a mouse or a keyboard would.

    python3 translator/tests/explain.py DXIL2SPV [--screenshots DIR]

The browser is driven as for the report of dxil-lab (layer/lab/tests/browser.py), and the test is
skipped without it. Each check is a `test … ok` line, and the last line has the counts, as those of
cargo.
"""
import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "layer/lab/tests"))
from browser import CONTRAST, Browser  # noqa: E402

CONTAINERS = {
    "optimised": ROOT / "tests/fixtures/debug/optimised.dxil",
    "plain": ROOT / "tests/fixtures/control/short_circuit.dxil",
    "library": ROOT / "tests/fixtures/libraries/entries.all.dxil",
    "hostile": ROOT / "translator/tests/shaders/hostile.dxil",
}
SIZES = [(390, 800), (1280, 900)]
KEPT = "return [...document.querySelectorAll(`#${arguments[0]} .pin`)].map((row) => row.textContent.trim())"
# Elements whose content is wider than they are and that do not scroll, and elements beyond the window.
CLIPPED = """return [...document.querySelectorAll('body *')].filter((it) => it.getClientRects().length)
    .filter((it) => !it.closest('.scroll, thead, svg'))
    .filter((it) => (it.scrollWidth > it.clientWidth + 1 && it.clientWidth && getComputedStyle(it).display !== 'inline')
        || it.getBoundingClientRect().right > innerWidth + 1).map((it) => it.outerHTML.slice(0, 80))"""


class Checks:
    def __init__(self, browser, pages):
        self.browser, self.pages = browser, pages

    def open(self, page, width=1280, height=900):
        self.browser.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                         mobile=False)
        self.browser.do("url", url=self.pages[page].as_uri())

    def key(self, key):
        with urllib.request.urlopen(f"{self.browser.base}{self.browser.session}/element/active") as answer:
            active = next(iter(json.load(answer)["value"].values()))
        self.browser.do(f"element/{active}/value", text=key)

    def pages_fit_and_contrast(self):
        for page in self.pages:
            for width, height in SIZES:
                for scheme in ["light", "dark"]:
                    self.open(page, width, height)
                    self.browser.scheme(scheme)
                    wide, clipped = self.browser.js("return document.documentElement.scrollWidth"), self.browser.js(CLIPPED)
                    assert wide <= width and not clipped, (page, width, wide, clipped)
                    contrast = self.browser.js(CONTRAST.replace("'td.bad'", "'li', '.note', 'td', 'h3', '#help'"))
                    assert contrast >= 4.5, (page, scheme, contrast)
        self.browser.scheme("light")

    def a_line_of_the_source_has_its_counterparts(self):
        self.open("optimised")
        assert self.browser.js("return getComputedStyle(document.getElementById('tabs')).display") == "none"
        self.browser.click("#s0\\.45")
        assert self.browser.js(KEPT, "source") == ["float3 normal = position.xyz + (float)i;"]
        assert len(self.browser.js(KEPT, "dxil")) == 4 and len(self.browser.js(KEPT, "spirv")) == 4
        # They are scrolled into view.
        seen = self.browser.js("""return ['dxil', 'spirv'].every((pane) => {
            const [row, box] = [`#${pane} .pin`, `#${pane} ol`].map((it) => document.querySelector(it).getBoundingClientRect());
            return row.top >= box.top && row.bottom <= box.bottom; })""")
        assert seen
        said = self.browser.js("return document.querySelector('output').textContent")
        assert said == "Lines that belong together: 1 of source, 4 of DXIL, 2 of tree, 4 of SPIR-V.", said

    def the_keyboard_moves_between_lines_and_panes(self):
        self.open("optimised")
        self.browser.click("#s0\\.44")
        self.key("\ue015")  # down
        assert self.browser.js("return document.activeElement.id") == "s0.45"
        self.key("\ue014")  # right
        assert self.browser.js("return document.activeElement.closest('.pane').id") == "dxil"
        self.key("\ue007")  # enter
        assert len(self.browser.js(KEPT, "dxil")) == 1
        self.key("\ue00c")  # escape
        assert self.browser.js(KEPT, "dxil") == []

    def blocks_of_the_picture_lead_to_their_code(self):
        self.open("plain")
        self.browser.js("document.querySelectorAll('svg a')[1].dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))")
        assert self.browser.js(KEPT, "dxil")[0].startswith("b1") and self.browser.js(KEPT, "tree")

    def small_screens_have_tabs(self):
        self.open("optimised", *SIZES[0])
        shown = "return [...document.querySelectorAll('.pane')].filter((it) => it.getClientRects().length).map((it) => it.id)"
        for pane in ["spirv", "tree", "dxil", "source"]:
            self.browser.click(f"#tabs [aria-controls={pane}]")
            assert self.browser.js(shown) == [pane], pane

    def nothing_is_loaded_and_no_text_runs(self):
        for page in self.pages:
            self.open(page)
            loaded = self.browser.js("return performance.getEntriesByType('resource').map((it) => it.name)")
            foreign = self.browser.js("return document.querySelectorAll('img, iframe, link, script[src]').length")
            title = self.browser.js("return document.title")
            assert (loaded, foreign) == ([], 0) and title.endswith(".dxil explained"), (page, loaded, foreign, title)
        log = self.browser.do("se/log", type="browser")
        assert log == [], log


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", type=pathlib.Path)
    parser.add_argument("--screenshots", type=pathlib.Path, help="write a picture of each page and size there")
    arguments = parser.parse_args()
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not chromedriver:
        print("skipped: no chromium and chromedriver in PATH (Debian: packages chromium and chromium-driver)")
        print("test result: ok. 0 passed; 0 failed; 1 ignored")
        return 0
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        pages = {name: pathlib.Path(folder, f"{name}.html") for name in CONTAINERS}
        for name, container in CONTAINERS.items():
            subprocess.run([arguments.tool, "explain", container, "-o", pages[name]], check=True)
        browser = Browser(chromium, chromedriver, f"{folder}/profile")
        try:
            checks = Checks(browser, pages)
            for name in [name for name in vars(Checks) if not name.startswith("_") and name not in ("open", "key")]:
                try:
                    getattr(checks, name)()
                    passed += 1
                    print(f"test {name} ... ok", flush=True)
                except Exception as error:  # one check that fails does not end the others
                    failed += 1
                    print(f"test {name} ... FAILED: {type(error).__name__}: {error}", flush=True)
            for name, (width, height) in [(name, size) for name in pages for size in SIZES if arguments.screenshots]:
                checks.open(name, width, height)
                browser.screenshot(arguments.screenshots / f"{name}-{width}.png", "light", width, height)
        finally:
            browser.end()
    print(f"test result: {'FAILED' if failed else 'ok'}. {passed} passed; {failed} failed; 0 ignored")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
