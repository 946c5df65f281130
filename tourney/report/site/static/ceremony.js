// Steps through a ceremony by keys. They press the links and buttons of the page, which work without this script.
"use strict";
const KEYS = { ArrowRight: "step", PageDown: "step", " ": "step", ArrowLeft: "undo", PageUp: "undo" };
let isLeaving = false;

addEventListener("keydown", (event) => {
  const name = KEYS[event.key];
  const isTyped = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.repeat;
  const isPressed = event.key === " " && event.target.closest("a, button, summary");
  if (!name || isTyped || isPressed) return;
  event.preventDefault();
  const controls = [...document.querySelectorAll(`[data-key="${name}"]`)];
  const control = controls.find((each) => each.getClientRects().length);
  if (!control || isLeaving) return;
  isLeaving = !control.matches("a[href^='#']");
  control.click();
});
addEventListener("pageshow", () => { isLeaving = false; });
