
"use strict";
// Everything is on the page already; this sorts, filters and opens it.
(() => {
  const table = document.getElementById("table");
  const form = document.getElementById("filters");
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[1].cells];
  const groups = [...table.tHead.rows[0].cells];
  const rows = [...body.rows].map((row) => ({ row, cells: [...row.cells].map((cell) => cell.textContent.trim()) }));

  // Sorting: by number where all that is there are numbers, and what is empty is last.
  const collator = new Intl.Collator("en", { numeric: true });
  const sort = (column, ascending) => {
    const isNumber = rows.every(({ cells }) => cells[column] === "" || Number.isFinite(Number(cells[column])));
    const order = (a, b) => {
      const [x, y] = [a.cells[column], b.cells[column]];
      if ((x === "") !== (y === "")) return x === "" ? 1 : -1;
      const by = isNumber ? Number(x) - Number(y) : collator.compare(x, y);
      return ascending ? by : -by;
    };
    rows.sort(order);
    body.append(...rows.map(({ row }) => row));
    heads.forEach((head, index) => {
      if (index === column) head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
  };
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(column, head.getAttribute("aria-sort") !== "ascending"));
  });

  // Filters.
  const columns = (test) => heads.flatMap((head, column) => (test(head.dataset) ? [column] : []));
  const value = (name) => form.elements[name].value;
  const filter = () => {
    const driver = value("driver");
    const outcomes = columns(({ kind, set }) => kind === "outcome" && (!driver || set === driver));
    const verdicts = columns(({ kind }) => kind === "verdict");
    const [outcome, verdict, stage] = ["outcome", "verdict", "stage"].map(value);
    const searched = value("text").toLowerCase();
    const onlyItems = form.elements.items.checked;
    let shown = 0;
    for (const { row, cells } of rows) {
      const fits =
        (!outcome || outcomes.some((column) => cells[column] === outcome)) &&
        (!verdict || verdicts.some((column) => cells[column] === verdict)) &&
        (!stage || cells[1].split(", ").includes(stage)) &&
        (!searched || cells[0].toLowerCase().includes(searched)) &&
        (!onlyItems || row.cells[0].querySelector("a") !== null);
      row.hidden = !fits;
      shown += fits;
    }
    // A driver that is chosen stands alone.
    const hidden = new Set(columns(({ set }) => driver && set !== undefined && set !== driver));
    for (const row of [table.tHead.rows[1], ...rows.map(({ row }) => row)]) {
      [...row.cells].forEach((cell, column) => { cell.hidden = hidden.has(column); });
    }
    groups.slice(1).forEach((group) => { group.hidden = Boolean(driver) && group.textContent !== driver; });
    form.querySelector("output").textContent = `${shown} of ${rows.length} pipelines`;
  };
  form.addEventListener("input", filter);
  form.addEventListener("change", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  filter();

  // A link opens what it leads to.
  const open = () => {
    const found = location.hash && document.getElementById(location.hash.slice(1));
    if (found instanceof HTMLDetailsElement) {
      found.open = true;
      found.scrollIntoView();
    }
  };
  window.addEventListener("hashchange", open);
  open();
})();
