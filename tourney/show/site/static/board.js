// Sorts the board by a column, and shows only the rows that are looked for or of one group. All rows
// stand on the page; without this it reads as it stands, and the tools that need it stay hidden.
"use strict";
(() => {
  const table = document.getElementById("board");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const headers = [...table.tHead.rows[0].cells];
  const find = document.getElementById("find");
  const group = document.getElementById("group"); // of boards with groups
  const found = document.getElementById("found");

  const value = (row, column) => {
    const text = row.cells[column].dataset.v ?? "";
    if (text === "") return null;
    const number = Number(text);
    return Number.isNaN(number) ? text : number;
  };
  const compare = (a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));

  headers.forEach((header, column) => {
    const button = header.querySelector("button");
    if (!button) return;
    button.addEventListener("click", () => {
      const isText = !header.classList.contains("n") || headers[0] === header;
      const before = header.getAttribute("aria-sort");
      // Figures begin with the greatest, words and places with the first.
      const order = before ? (before === "ascending" ? "descending" : "ascending")
        : isText ? "ascending" : "descending";
      headers.forEach((each) => each.removeAttribute("aria-sort"));
      header.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const sorted = [...rows].sort((one, other) => {
        const a = value(one, column), b = value(other, column);
        if (a === null || b === null) return (a === null) - (b === null);
        return sign * compare(a, b);
      });
      body.append(...sorted);
    });
  });

  // Words only: digits of figures would bring up whoever has them somewhere.
  const texts = rows.map((row) =>
    [...row.cells].filter((cell) => !cell.matches(".n, .line")).map((cell) => cell.textContent).join(" ").toLocaleLowerCase());
  const choose = () => {
    const words = find.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const wanted = group ? group.value : "";
    let shown = 0;
    rows.forEach((row, at) => {
      const isOfGroup = !wanted || (row.dataset.group ?? "").split("; ").includes(wanted);
      row.hidden = !isOfGroup || !words.every((word) => texts[at].includes(word));
      shown += !row.hidden;
    });
    found.textContent = words.length || wanted ? `${shown} of ${rows.length} shown` : "";
  };
  find.addEventListener("input", choose);
  group?.addEventListener("change", choose);
  document.getElementById("tools").hidden = false;
  choose(); // what the browser has kept of an earlier visit
})();
