// Steps through the ceremony by keys. Each step loads the page again, so it works without this script.
"use strict";
const KEYS = { ArrowRight: "step", PageDown: "step", " ": "step", ArrowLeft: "undo", PageUp: "undo" };
let isLeaving = false;

addEventListener("keydown", (event) => {
  const name = KEYS[event.key];
  const isTyped = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.repeat;
  const isPressed = event.key === " " && event.target.closest("a, button, summary");
  if (!name || isTyped || isPressed) return;
  event.preventDefault();
  const control = document.getElementById(name);
  if (!control || isLeaving) return;
  isLeaving = true;
  if (control.requestSubmit) control.requestSubmit();
  else control.click();
});
addEventListener("pageshow", () => { isLeaving = false; });
