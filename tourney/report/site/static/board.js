// Sorts the board by a column, and shows only the rows that are looked for or of one group. All rows
// stand on the page; without this it reads as it stands, and the tools that need it stay hidden.
"use strict";
(() => {
  const table = document.getElementById("board");
  if (!table) return;
  const body = table.tBodies[0];
  const find = document.getElementById("find");
  const group = document.getElementById("group"); // of boards with groups
  const found = document.getElementById("found");
  const headers = () => [...table.tHead.rows[0].cells];
  let rows = [...body.rows];
  let sorted = null; // the column and the order that were asked for

  const value = (row, column) => {
    const text = row.cells[column].dataset.v ?? "";
    if (text === "") return null;
    const number = Number(text);
    return Number.isNaN(number) ? text : number;
  };
  const compare = (a, b) =>
    typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));

  const sort = () => {
    const { column, order } = sorted;
    headers().forEach((each) => each.removeAttribute("aria-sort"));
    headers()[column].setAttribute("aria-sort", order);
    const sign = order === "ascending" ? 1 : -1;
    body.append(...[...rows].sort((one, other) => {
      const a = value(one, column), b = value(other, column);
      if (a === null || b === null) return (a === null) - (b === null);
      return sign * compare(a, b);
    }));
  };
  table.tHead.addEventListener("click", (event) => {
    const header = event.target.closest("button")?.closest("th");
    if (!header) return;
    const column = headers().indexOf(header);
    const isText = !header.classList.contains("n") || column === 0;
    const before = header.getAttribute("aria-sort");
    // Figures begin with the greatest, words and places with the first.
    const order = before ? (before === "ascending" ? "descending" : "ascending")
      : isText ? "ascending" : "descending";
    sorted = { column, order };
    sort();
  });

  // Only now is it known whether all columns fit; without scripts the width of the screen decides.
  const region = table.closest(".scroll");
  new ResizeObserver(() => {
    const isWide = region.scrollWidth > region.clientWidth;
    region.classList.toggle("overflows", isWide);
    region.classList.toggle("fits", !isWide);
  }).observe(table);

  // Words only: digits of figures would bring up whoever has them somewhere.
  const textsOf = () => rows.map((row) =>
    [...row.cells].filter((cell) => !cell.matches(".n, .line")).map((cell) => cell.textContent).join(" ").toLocaleLowerCase());
  let texts = textsOf();
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
  document.addEventListener("board", () => { // other rows stand there by now
    rows = [...body.rows];
    texts = textsOf();
    if (sorted && headers()[sorted.column]) sort();
    choose();
  });
  document.getElementById("tools").hidden = false;
  choose(); // what the browser has kept of an earlier visit
})();
