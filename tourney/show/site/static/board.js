// Sorts the board by a column and finds entrants in it. Without it the board reads as it stands.
"use strict";
(() => {
  const table = document.getElementById("board");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = [...body.rows];
  const headers = [...table.tHead.rows[0].cells];
  const find = document.getElementById("find");
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

  const search = () => {
    const words = find.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLocaleLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      shown += !row.hidden;
    }
    found.textContent = words.length ? `${shown} of ${rows.length} shown` : "";
  };
  find.addEventListener("input", search);
  search();
})();
