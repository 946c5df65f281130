// Plays the bankroll race: shows the lines up to a round, with the order of the entrants. The page is
// complete without it. Readers who ask for less motion get a button that steps by a tenth of the race.
"use strict";
(() => {
  const source = document.getElementById("race-data");
  if (!source) return;
  const { rounds, runners } = JSON.parse(source.textContent);
  const button = document.getElementById("race-play");
  const slider = document.getElementById("race-round");
  const now = document.getElementById("race-now");
  const order = document.getElementById("race-order");
  const standing = document.getElementById("race-standing");
  const shown = document.getElementById("race-shown");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const left = 58, right = 590, seconds = 12;
  const last = rounds.length - 1;
  const step = Math.max(1, Math.ceil(last / 10));
  let frame = 0; // the next one that is asked for; 0 while the race stands still

  const show = (at) => {
    const part = rounds[at] / rounds[last];
    shown.setAttribute("width", left + part * (right - left) + (at === last ? 8 : 1));
    slider.value = at;
    now.textContent = `after ${rounds[at].toLocaleString("en")}`;
    const current = runners.map((each) => ({ name: each.name, chips: each.values[at] }));
    current.sort((one, other) => other.chips - one.chips);
    order.replaceChildren(...current.map((each) => {
      const line = document.createElement("li");
      line.textContent = `${each.name}: ${each.chips.toLocaleString("en")}`;
      return line;
    }));
    slider.setAttribute("aria-valuetext", `after ${rounds[at]} rounds, ${current[0].name} leads`);
  };
  const rest = () => {
    cancelAnimationFrame(frame);
    frame = 0;
    button.textContent = still.matches ? "Next step" : "Play";
  };
  const play = () => {
    const from = Number(slider.value) === last ? 0 : Number(slider.value);
    const begin = performance.now() - (from / last) * seconds * 1000;
    button.textContent = "Pause";
    const draw = (time) => {
      const at = Math.min(last, Math.max(from, Math.floor(((time - begin) / 1000 / seconds) * last)));
      show(at);
      if (at < last) frame = requestAnimationFrame(draw);
      else rest();
    };
    frame = requestAnimationFrame(draw);
  };
  button.addEventListener("click", () => {
    const at = Number(slider.value);
    if (still.matches) show(at === last ? 0 : Math.min(last, at + step));
    else if (frame) rest();
    else play();
  });
  slider.addEventListener("input", () => { rest(); show(Number(slider.value)); });
  still.addEventListener("change", rest);
  rest();
  show(last);
  document.getElementById("race-tools").hidden = false;
  standing.hidden = false;
})();
