// Shows the progress of a check while its page is visible. Without this script the page has a link.
"use strict";
const box = document.querySelector("[data-events]");
const place = document.querySelector("[data-place]");
const list = document.querySelector("[data-lines]");
let stream = null;

function show(event) {
  const job = JSON.parse(event.data);
  const wait = job.wait ? `, ${job.wait} left` : "";
  const text = job.place ? `Place ${job.place} in the queue${wait}.`
    : job.state === "running" ? "Checking." : "Waiting.";
  if (place.textContent !== text) place.textContent = text;
  list.replaceChildren(...job.lines.map((line) => {
    const item = document.createElement("li");
    item.textContent = line;
    return item;
  }));
}

function close() {
  if (stream) stream.close();
  stream = null;
}

function later() { // the stream was refused: reload as without a script
  if (stream && stream.readyState === EventSource.CLOSED)
    setTimeout(() => { if (!document.hidden) location.reload(); }, 15000);
}

function follow() {
  close();
  if (document.hidden) return; // a browser allows few streams for all of its tabs
  stream = new EventSource(box.dataset.events);
  stream.addEventListener("message", show);
  stream.addEventListener("over", () => { close(); location.reload(); });
  stream.addEventListener("error", later);
}

document.addEventListener("visibilitychange", follow);
addEventListener("pagehide", close);
follow();
