// Shows each new frame of a board as it comes, and one's own row above it. The stream is closed while
// the tab is hidden: a browser opens six at most, so that the seventh tab would wait for ever.
"use strict";
(() => {
  const table = document.getElementById("board");
  if (!table) return;
  const own = document.getElementById("own");
  const SOON = 5000; // milliseconds within which one's own row is asked for
  let stream = null;
  let asking = null;

  // Headings sort by a script; without one there is nothing to press.
  const begin = () => table.tHead.querySelectorAll("button").forEach((each) => { each.disabled = false; });
  const showOwn = async () => {
    if (!table.dataset.own) return;
    const answer = await fetch(table.dataset.own, { headers: { accept: "application/json" } });
    if (!answer.ok) return;
    const { row } = await answer.json();
    own.hidden = !row;
    own.replaceChildren("You: ");
    const titles = [...table.tHead.rows[0].cells].map((each) => each.textContent.trim());
    (row ?? []).forEach((text, at) => {
      if (!text) return;
      const fact = document.createElement("span"), title = document.createElement("span");
      fact.className = "fact";
      title.textContent = titles[at] ?? "";
      fact.append(title, ` ${text}`);
      own.append(own.children.length ? " · " : "", fact);
    });
  };
  const show = (event) => {
    const frame = JSON.parse(event.data);
    document.getElementById("state").innerHTML = frame.state;
    table.tHead.innerHTML = frame.head;
    begin();
    table.tBodies[0].innerHTML = frame.rows;
    document.dispatchEvent(new Event("board"));
    // A class does not ask all at once, nor anybody twice before it was answered.
    asking ??= setTimeout(() => { asking = null; showOwn(); }, SOON * Math.random());
  };
  const later = () => { // no room for one more stream: look again as if there were no script
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
  begin();
  if (!table.dataset.live) return; // a part of it, as it was
  document.addEventListener("visibilitychange", follow);
  addEventListener("pagehide", () => { stream?.close(); stream = null; });
  addEventListener("pageshow", follow);
  follow();
})();
