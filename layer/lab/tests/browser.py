#!/usr/bin/env python3
"""Looks at a page of `dxil-lab report` in Chromium, as a person with a mouse would.

    python3 layer/lab/tests/browser.py PAGE [--screenshots DIR]

The page must have two drivers, a comparison, and an item with a bundle. ChromeDriver speaks WebDriver
over HTTP, so Python's own library is enough. Without chromium and chromedriver (Debian: packages
chromium and chromium-driver) the test is skipped and says so. Each check is a `test … ok` line, and the
last line has the counts, as those of cargo.
"""
import argparse
import base64
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
         "--disable-background-networking", "--disable-component-update", "--window-size=1400,1000"]


class Browser:
    """A session of ChromeDriver."""

    def __init__(self, chromium, chromedriver, profile, scripts=True):
        self.driver = subprocess.Popen([chromedriver, "--port=0"], stdout=subprocess.PIPE, text=True)
        for line in self.driver.stdout:
            if found := re.search(r"started successfully on port (\d+)", line):
                self.base = f"http://127.0.0.1:{found[1]}"
                break
        else:
            raise RuntimeError("chromedriver ended without a port")
        options = {"binary": chromium, "args": [*FLAGS, f"--user-data-dir={profile}"]}
        if not scripts:
            options["prefs"] = {"profile.managed_default_content_settings.javascript": 2}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        answer = self.ask("/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = f"/session/{answer['sessionId']}"

    def ask(self, path, body):
        request = urllib.request.Request(self.base + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def do(self, command, **body):
        return self.ask(f"{self.session}/{command}", body)

    def js(self, script, *arguments):
        return self.do("execute/sync", script=script, args=list(arguments))

    def cdp(self, command, **parameters):
        return self.do("goog/cdp/execute", cmd=command, params=parameters)

    def element(self, selector):
        return next(iter(self.do("element", using="css selector", value=selector).values()))

    def click(self, selector):
        self.do(f"element/{self.element(selector)}/click")

    def type(self, selector, text):
        self.do(f"element/{self.element(selector)}/value", text=text)

    def choose(self, name, value):
        """Chooses an option by clicking it."""
        self.click(f'select[name="{name}"] option[value="{value}"]')

    def width(self, width, height=800):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def screenshot(self, path, width, height):
        self.width(width, height)
        request = urllib.request.urlopen(f"{self.base}{self.session}/screenshot", timeout=120)
        path.write_bytes(base64.b64decode(json.load(request)["value"]))
        self.cdp("Emulation.clearDeviceMetricsOverride")

    def end(self):
        try:
            self.ask(f"{self.session}/window/rect", {"x": 0, "y": 0})
            urllib.request.urlopen(urllib.request.Request(self.base + self.session, method="DELETE"), timeout=60)
        finally:
            self.driver.terminate()
            self.driver.wait()


# The texts of a column in the rows that are seen, from top to bottom.
COLUMN = """return [...document.querySelectorAll('#table tbody tr')].filter((row) => row.getClientRects().length)
    .map((row) => row.cells[arguments[0]].textContent.trim())"""
HEADS = "return [...document.querySelectorAll('#table thead tr:last-child th')].map((head) => head.textContent)"
# The contrast of an element's text, by the formula of WCAG 2.1. Grounds of the page are opaque.
CONTRAST = """
const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
const light = (text) => { const [r, g, b] = rgb(text).map((c) => { c /= 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
const of = (element) => { let ground = element; const color = light(getComputedStyle(element).color);
    while (rgb(getComputedStyle(ground).backgroundColor)[3] === 0) ground = ground.parentElement;
    const back = light(getComputedStyle(ground).backgroundColor);
    return (Math.max(color, back) + 0.05) / (Math.min(color, back) + 0.05); };
return Math.min(...['body', 'td.bad', 'td.odd', 'caption', 'code', '#table a', '#table thead th']
    .flatMap((it) => [...document.querySelectorAll(it)].slice(0, 1)).map(of));
"""

# Elements whose content is cut off or sticks out, but for those that scroll.
CLIPPED = """
const scrolls = (it) => ['auto', 'scroll'].includes(getComputedStyle(it).overflowX);
const inside = (it) => { for (; it; it = it.parentElement) if (scrolls(it)) return true; return false; };
return [...document.body.querySelectorAll('*')].filter((it) => !['OPTION', 'SCRIPT'].includes(it.tagName)
    && !inside(it) && (it.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5
    || it.getBoundingClientRect().left < 0 || (getComputedStyle(it).overflowX !== 'visible' && it.scrollWidth > it.clientWidth + 1)))
    .map((it) => `${it.tagName}.${it.className}: ${it.textContent.slice(0, 60)}`);
"""


class Checks:
    """The checks, in the order in which they stand."""

    def __init__(self, browser, page, screenshots):
        self.browser, self.page, self.screenshots = browser, page, screenshots

    def column(self, index):
        return self.browser.js(COLUMN, index)

    def reset(self):
        self.browser.do("url", url=self.page)

    def every_column_sorts_in_both_directions(self):
        def numbers(cells):
            try:
                return [float(cell) for cell in cells]
            except ValueError:
                return None

        heads = self.browser.js(HEADS)
        assert len(heads) >= 12, heads
        before = sorted(self.column(0))
        for index in range(len(heads)):
            for direction in ["ascending", "descending"]:
                self.browser.click(f"#table thead tr:last-child th:nth-child({index + 1}) button")
                sort = self.browser.js(
                    f"return document.querySelectorAll('#table thead tr:last-child th')[{index}].ariaSort")
                assert sort == direction, (heads[index], sort)
                cells = self.column(index)
                filled = [cell for cell in cells if cell]
                assert cells[:len(filled)] == filled, f"{heads[index]}: something empty is not last"
                if values := numbers(filled):
                    assert values == sorted(values, reverse=direction == "descending"), heads[index]
                elif direction == "ascending":
                    rising = filled
                else:
                    assert [it.lower() for it in filled] == sorted((it.lower() for it in filled), reverse=True) \
                        or filled[0] == rising[-1], heads[index]
            assert sorted(self.column(0)) == before, "a row was lost"

    def outcomes_filter_and_one_driver_stands_alone(self):
        self.reset()
        heads = self.browser.js(HEADS)
        drivers = self.browser.js("return [...document.querySelectorAll('[name=driver] option')].map((it) => it.value)")[1:]
        outcomes = self.browser.js("return [...document.querySelectorAll('[name=outcome] option')].map((it) => it.value)")[1:]
        places = [index for index, head in enumerate(heads) if head == "outcome"]
        assert len(places) == len(drivers) >= 2, (places, drivers)
        total = len(self.column(0))
        for driver, place in zip(drivers, places):
            self.browser.choose("driver", driver)
            seen = self.browser.js("""return [...document.querySelectorAll('#table thead tr:last-child th[data-set]')]
                .filter((head) => head.getClientRects().length).map((head) => head.dataset.set)""")
            assert set(seen) == {driver}, seen
            parts = 0
            for outcome in outcomes:
                self.browser.choose("outcome", outcome)
                cells = self.column(place)
                assert set(cells) <= {outcome}, (driver, outcome, set(cells))
                parts += len(cells)
            self.browser.choose("outcome", "")
            missing = self.column(place).count("no result")
            assert parts + missing == total, (driver, parts, missing, total)

    def verdicts_filter_and_the_counts_are_those_of_the_totals(self):
        self.reset()
        totals = dict(self.browser.js("""return [...document.querySelectorAll('#verdicts tbody tr')]
            .map((row) => [row.cells[0].textContent, Number(row.cells[1].textContent)])"""))
        assert totals
        for verdict, count in totals.items():
            self.browser.choose("verdict", verdict)
            assert len(self.column(0)) == count, verdict
            said = self.browser.js("return document.querySelector('#filters output').textContent")
            assert said.startswith(f"{count} of "), said

    def stages_and_text_filter(self):
        self.reset()
        stages = self.browser.js("return [...document.querySelectorAll('[name=stage] option')].map((it) => it.value)")[1:]
        for stage in stages:
            self.browser.choose("stage", stage)
            cells = self.column(1)
            assert cells and all(stage in cell.split(", ") for cell in cells), stage
        self.reset()
        every = self.column(0)
        searched = every[len(every) // 2].split("/")[0]
        self.browser.type("[name=text]", searched.upper())
        assert self.column(0) == [it for it in every if searched.lower() in it.lower()] != every

    def only_items_filter(self):
        self.reset()
        self.browser.click("[name=items]")
        items = self.browser.js("return document.querySelectorAll('#items details.item').length")
        assert len(self.column(0)) == items > 0

    def a_link_opens_its_item_with_code_side_by_side(self):
        self.reset()
        self.browser.click("#table tbody a")
        opened = "document.querySelector('details.item[open]')"
        anchor = self.browser.js("return document.querySelector('#table tbody a').getAttribute('href').slice(1)")
        assert self.browser.js(f"return {opened}.id") == anchor
        names = self.browser.js(f"return [...{opened}.querySelectorAll('h6')].map((it) => it.textContent)")
        assert names[:2] == ["DXIL", "Tree of the control flow"] and names[2].startswith("SPIR-V"), names
        tops = self.browser.js(f"""return [...{opened}.querySelectorAll('.columns')].at(-1)
            .querySelectorAll('h6').values().map((it) => it.getBoundingClientRect().top).toArray()""")
        assert len(tops) > 1 and len(set(tops)) == 1, tops

    def the_bundle_of_a_failure_opens(self):
        self.reset()
        bundle = "document.querySelector('details.bundle')"
        anchor = self.browser.js(f"return {bundle}.closest('details.item').id")
        self.browser.click(f'#table a[href="#{anchor}"]')
        assert not self.browser.js(f"return {bundle}.open")
        self.browser.click(f"#{anchor} details.bundle > summary")
        text = self.browser.js(f"return {bundle}.innerText")
        assert "OpEntryPoint" in text and "dxil-lab" in text and "run" in text, text[:500]

    def texts_contrast(self):
        self.reset()
        contrast = self.browser.js(CONTRAST)
        assert contrast >= 4.5, contrast

    def a_difference_and_a_fault_have_a_command_that_reduces_them(self):
        self.reset()
        commands = self.browser.js("return [...document.querySelectorAll('pre.reduce')].map((it) => it.textContent)")
        assert any("--inject" in it and "--against" not in it for it in commands), commands
        assert any("--against lavapipe" in it and "--seed 0" in it for it in commands), commands
        assert all(it.startswith("dxil-lab reduce ") for it in commands), commands

    def nothing_is_clipped_at_the_width_of_a_telephone(self):
        self.reset()
        self.browser.width(390)
        self.browser.js("document.querySelectorAll('details').forEach((it) => { it.open = true; })")
        inside, all_of_it = self.browser.js(
            "return [document.documentElement.clientWidth, document.documentElement.scrollWidth]")
        assert all_of_it == inside <= 390, (inside, all_of_it)
        clipped = self.browser.js(CLIPPED)
        self.browser.cdp("Emulation.clearDeviceMetricsOverride")
        assert clipped == [], clipped[:5]

    def nothing_is_loaded_and_nothing_complains(self):
        self.reset()
        loaded = self.browser.js("return performance.getEntriesByType('resource').map((it) => it.name)")
        assert loaded == [], loaded
        log = self.browser.do("se/log", type="browser")
        assert log == [], log

    def screenshots_are_made(self):
        self.reset()
        self.browser.screenshot(self.screenshots / "report.png", 1400, 800)
        self.browser.js("document.getElementById('pipelines').scrollIntoView()")
        self.browser.screenshot(self.screenshots / "report-table.png", 1400, 420)
        # The gravest item with its code, below the table.
        self.browser.click("details.item > summary")
        self.browser.js("document.querySelector('details.item').scrollIntoView()")
        self.browser.screenshot(self.screenshots / "report-item.png", 1400, 800)


def without_scripts(browser, page):
    """The page is whole where scripts do not run."""
    browser.do("url", url=page)
    # WebDriver's own commands work where the page's scripts do not.
    rows = browser.do("elements", using="css selector", value="#table tbody tr")
    links = browser.do("elements", using="css selector", value="#table tbody a")
    items = browser.do("elements", using="css selector", value="details.item")
    assert len(rows) > 0 and len(items) == len(links) > 0, (len(rows), len(links), len(items))
    buttons = browser.do("elements", using="css selector", value="#table thead button")
    assert buttons == [], "a script ran"
    text = urllib.request.urlopen(f"{browser.base}{browser.session}/element/{browser.element('#filters')}/displayed")
    assert json.load(text)["value"] is False, "filters that do nothing are shown"
    browser.click("details.item > summary")
    browser.element("details.item[open]")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--screenshots", type=pathlib.Path, help="write report.png, report-table.png and report-item.png there")
    arguments = parser.parse_args()
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not chromedriver:
        print("skipped: no chromium and chromedriver in PATH (scripts/setup.sh --slow installs them)")
        print("test result: ok. 0 passed; 0 failed; 1 ignored")
        return 0
    page = arguments.page.resolve().as_uri()
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory() as profiles:
        def check(name, body):
            nonlocal passed, failed
            try:
                body()
                passed += 1
                print(f"test {name} ... ok", flush=True)
            except Exception as error:  # one check that fails does not end the others
                failed += 1
                print(f"test {name} ... FAILED: {type(error).__name__}: {error}", flush=True)

        browser = Browser(chromium, chromedriver, f"{profiles}/with")
        try:
            checks = Checks(browser, page, arguments.screenshots)
            browser.do("url", url=page)
            for name, body in vars(Checks).items():
                if name.startswith("_") or name in ("column", "reset"):
                    continue
                if name == "screenshots_are_made" and not arguments.screenshots:
                    continue
                check(name, lambda body=body: body(checks))
        finally:
            browser.end()
        browser = Browser(chromium, chromedriver, f"{profiles}/without", scripts=False)
        try:
            check("the_page_is_whole_without_its_script", lambda: without_scripts(browser, page))
        finally:
            browser.end()
    print(f"test result: {'FAILED' if failed else 'ok'}. {passed} passed; {failed} failed; 0 ignored")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
