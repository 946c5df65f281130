// Shows each new frame of a board, with the user's own row above it. A hidden tab closes its stream:
// a browser opens six at most, so a seventh tab would wait for ever.
"use strict";
(() => {
  const table = document.getElementById("board");
  if (!table) return;
  const own = document.getElementById("own");
  const alias = document.getElementById("alias");
  const SOON = 5000; // milliseconds within which the user's own row is requested
  let stream = null;
  let asking = null;

  // Headings sort only with a script, so they are disabled without one.
  const mark = () => [...table.tBodies[0].rows].forEach((row) => {
    const isOwn = Boolean(table.dataset.me) && row.dataset.entrant === table.dataset.me;
    row.classList.toggle("own", isOwn);
    if (isOwn) row.setAttribute("aria-current", "true");
    else row.removeAttribute("aria-current");
  });
  const begin = (head) => head.querySelectorAll("button").forEach((each) => { each.disabled = false; });
  const showOwn = async () => {
    if (!table.dataset.own) return;
    const answer = await fetch(table.dataset.own, { headers: { accept: "application/json" } });
    if (!answer.ok) return;
    const { row, pseudonym } = await answer.json();
    alias.hidden = !pseudonym;
    alias.querySelector("strong").textContent = pseudonym;
    if (pseudonym) table.dataset.me = pseudonym;
    mark();
    own.hidden = !row;
    own.replaceChildren("You: ");
    const heads = [...table.tHead.rows[0].cells];
    (row ?? []).forEach((text, at) => {
      if (!text || !heads[at]?.hasAttribute("data-key")) return;
      const shown = heads[at].classList.contains("n") ? text.replaceAll("-", "\u2212") : text;
      const fact = document.createElement("span"), title = document.createElement("span");
      fact.className = "fact";
      title.textContent = heads[at].textContent.trim();
      fact.append(title, ` ${shown}`);
      own.append(own.children.length ? " · " : "", fact);
    });
  };
  const show = (event) => {
    const frame = JSON.parse(event.data);
    document.getElementById("state").innerHTML = frame.state;
    const head = document.createElement("thead");
    head.innerHTML = frame.head;
    begin(head);
    // A heading that stays keeps the focus of the keyboard.
    if (head.innerHTML !== table.tHead.innerHTML) table.tHead.innerHTML = head.innerHTML;
    table.tBodies[0].innerHTML = frame.rows;
    mark();
    document.dispatchEvent(new Event("board"));
    // Spreads the requests of a class, and sends no second one before the answer.
    asking ??= setTimeout(() => { asking = null; showOwn(); }, SOON * Math.random());
  };
  const later = () => { // the stream was refused: reload as without a script
    if (stream?.readyState !== EventSource.CLOSED) return;
    setTimeout(() => { if (!document.hidden) location.reload(); }, 15000);
  };
  const follow = () => {
    if (document.hidden) {
      stream?.close();
      stream = null;
    } else if (!stream) {
      stream = new EventSource(table.dataset.live);
      stream.addEventListener("board", show);
      stream.addEventListener("error", later);
    }
  };
  begin(table.tHead);
  if (!table.dataset.live) return; // the board of one section does not update
  document.addEventListener("visibilitychange", follow);
  addEventListener("pagehide", () => { stream?.close(); stream = null; });
  addEventListener("pageshow", follow);
  follow();
})();
