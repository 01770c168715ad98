
"use strict";
// Everything is on the page already; this links lines of the panes with each other.
(() => {
  const PANES = ["source", "dxil", "tree", "spirv"];
  const NAMES = { source: "source", dxil: "DXIL", tree: "tree", spirv: "SPIR-V" };
  const element = (id) => document.getElementById(id);
  const rowsOf = (pane) => [...element(pane).querySelectorAll("li:not(.head)")];
  const list = (row, name) => (row.dataset[name] ?? "").split(" ").filter(Boolean);
  const add = (map, key, row) => map.get(key)?.push(row) ?? map.set(key, [row]);

  // Lines of DXIL by lines of the source and by blocks; what belongs to a line of DXIL; what stands for a block.
  const [bySource, byBlock, byLine, blocks] = [new Map(), new Map(), new Map(), new Map()];
  for (const row of rowsOf("dxil")) {
    list(row, "s").forEach((id) => add(bySource, id, row));
    list(row, "b").forEach((key) => add(byBlock, key, row));
  }
  document.querySelectorAll("[data-d]").forEach((row) => list(row, "d").forEach((id) => add(byLine, id, row)));
  // A jump leads to its block, and does not stand for it.
  const isJump = (row) => /^\s*(exit|continue) /.test(row.textContent);
  document.querySelectorAll("#tree [data-b], svg [data-b]").forEach((row) => isJump(row) || add(blocks, row.dataset.b, row));

  const paneOf = (row) => row.closest(".pane")?.id;
  // The lines of DXIL that a row stands for.
  const dxilOf = (row) => {
    if (paneOf(row) === "source") return bySource.get(row.id) ?? [];
    if (paneOf(row) === "dxil") return [row];
    if (row.dataset.d) return list(row, "d").map(element).filter(Boolean);
    return byBlock.get(row.dataset.b) ?? [];
  };
  // All rows that belong to a row, with the row itself.
  const linked = (row) => {
    const found = new Set([row]);
    for (const line of dxilOf(row)) {
      found.add(line);
      (byLine.get(line.id) ?? []).forEach((it) => found.add(it));
      (blocks.get(line.dataset.b) ?? []).forEach((it) => found.add(it));
      if (paneOf(row) !== "source") list(line, "s").map(element).forEach((it) => it && found.add(it));
    }
    return found;
  };

  let [hit, pin] = [new Set(), new Set()];
  const mark = (old, rows, name) => {
    old.forEach((row) => row.classList.remove(name));
    rows.forEach((row) => row.classList.add(name));
    return rows;
  };
  const point = (row) => { hit = mark(hit, row ? linked(row) : new Set(), "hit"); };
  const output = document.querySelector("output");
  const inPane = (rows, pane) => [...rows].filter((row) => paneOf(row) === pane);
  const first = (rows, pane) => rowsOf(pane).find((row) => rows.has(row));
  const show = (row) => {
    const box = row.closest("ol");
    if (box) box.scrollTop = row.offsetTop - box.clientHeight / 3;
  };
  const keep = (row) => {
    pin = mark(pin, row ? linked(row) : new Set(), "pin");
    const counts = PANES.map((pane) => [pane, inPane(pin, pane).length]);
    counts.forEach(([pane, count], n) => { tabs[n].querySelector("span").textContent = pin.size ? `(${count})` : ""; });
    output.textContent = pin.size
      ? `Lines that belong together: ${counts.map(([pane, count]) => `${count} of ${NAMES[pane]}`).join(", ")}.` : "";
    for (const pane of PANES) {
      const other = row && pane !== paneOf(row) && first(pin, pane);
      if (other) show(other);
    }
  };

  // Tabs, where there is space for one pane only.
  const tabs = [...document.querySelectorAll("#tabs button")];
  const open = (pane) => {
    PANES.forEach((id, n) => {
      element(id).classList.toggle("shown", id === pane);
      tabs[n].setAttribute("aria-selected", String(id === pane));
      tabs[n].tabIndex = id === pane ? 0 : -1;
    });
    const kept = first(pin, pane);
    if (kept) show(kept);
  };
  tabs.forEach((tab, n) => {
    tab.addEventListener("click", () => open(PANES[n]));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = (n + step + PANES.length) % PANES.length;
      open(PANES[next]);
      tabs[next].focus();
    });
  });

  // Rows with the mouse.
  const ROWS = ".pane li:not(.head), tr[data-d], svg [data-b]";
  const main = document.querySelector("main");
  main.addEventListener("pointerover", (event) => point(event.target.closest(ROWS)));
  main.addEventListener("pointerleave", () => point(null));
  main.addEventListener("click", (event) => {
    const row = event.target.closest(ROWS);
    if (!row || getSelection().type === "Range") return;
    event.preventDefault();
    keep(row);
    if (!paneOf(row)) element("code").scrollIntoView({ block: "nearest" });
    else focus(row, false);
  });

  // And with the keyboard: one row of each pane is in the order of the tabulator.
  const focus = (row, moves = true) => {
    const box = row.closest("ol");
    box?.querySelectorAll("[tabindex='0']").forEach((it) => { it.tabIndex = -1; });
    row.tabIndex = 0;
    row.focus({ preventScroll: !moves });
  };
  const moved = (row, key) => {
    const rows = rowsOf(paneOf(row));
    const at = rows.indexOf(row);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1, PageDown: at + 20, PageUp: at - 20 }[key];
    if (to !== undefined) return rows[Math.max(0, Math.min(rows.length - 1, to))];
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    for (let n = PANES.indexOf(paneOf(row)) + (step ?? NaN); PANES[n]; n += step) {
      const other = first(linked(row), PANES[n]);
      if (other) {
        open(PANES[n]);
        return other;
      }
    }
    return undefined;
  };
  main.addEventListener("keydown", (event) => {
    const row = event.target.closest(ROWS);
    if (event.key === "Escape") keep(null);
    if (!row) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      keep(row);
    } else if (paneOf(row) && !event.ctrlKey && !event.altKey && !event.metaKey) {
      const to = moved(row, event.key);
      if (to) {
        event.preventDefault();
        focus(to);
      }
    }
  });
  main.addEventListener("focusin", (event) => point(event.target.closest(ROWS)));

  document.documentElement.classList.add("js");
  for (const pane of PANES) {
    const rows = rowsOf(pane);
    if (rows[0]) rows[0].tabIndex = 0;
    rows.filter((row) => row.dataset.d || row.dataset.b || row.dataset.s || bySource.has(row.id) || byLine.has(row.id))
      .forEach((row) => row.classList.add("live"));
  }
  document.querySelectorAll("tr[data-d]").forEach((row) => {
    row.tabIndex = 0;
    row.classList.add("live");
  });
  ["help", "tabs"].forEach((id) => { element(id).hidden = false; });
  open(rowsOf("source").length ? "source" : "dxil");
})();
