// Adds the viewer's local time to times of the class, and keeps the time that is left up to date.
"use strict";
const LOCAL = new Intl.DateTimeFormat("en-GB", {
  weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23",
});
const UNITS = [[86400, "day"], [3600, "hour"], [60, "minute"]];

function clockOf(moment) { // as the viewer's clock shows it, in the form of data-clock
  const local = new Date(moment.getTime() - 60000 * moment.getTimezoneOffset());
  return local.toISOString().slice(0, 16);
}

function wordsFor(seconds) { // as `left_words` of personal_rules.py
  const counts = UNITS.map(([size, unit], at) => {
    const count = Math.floor((at ? seconds % UNITS[at - 1][0] : seconds) / size);
    return count ? `${count} ${unit}${count === 1 ? "" : "s"}` : "";
  });
  const first = counts.findIndex(Boolean);
  if (first < 0) return "less than a minute left";
  return `${counts.slice(first, first + 2).filter(Boolean).join(" ")} left`;
}

for (const each of document.querySelectorAll("time[data-clock]")) {
  const moment = new Date(each.dateTime);
  if (clockOf(moment) !== each.dataset.clock) each.append(` (${LOCAL.format(moment)} your time)`);
}
for (const each of document.querySelectorAll("[data-left]")) {
  const end = Date.now() + 1000 * Number(each.dataset.left);
  setInterval(() => {
    const seconds = Math.floor((end - Date.now()) / 1000);
    const words = seconds > 0 ? wordsFor(seconds) : "no time left; reload the page";
    if (each.textContent !== words) each.textContent = words;
  }, 1000);
}
