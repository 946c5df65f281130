// Draws curves with uPlot in the colours of the page, light or dark, and again if they change.
"use strict";
const Curves = (() => {
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const faint = (name, part) => `color-mix(in srgb, ${colour(name)} ${part}%, transparent)`;
  const drawn = [];
  const font = "12px system-ui, sans-serif";
  const whole = [0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((power) => [1, 2, 5].map((digit) => digit * 10 ** power));

  const axis = () => ({
    stroke: () => colour("soft"), font, grid: { stroke: () => colour("rule"), width: 1 },
    ticks: { show: false }, size: 58,
  });

  const draw = (place, data, series, options = {}) => {
    const make = () => {
      place.replaceChildren();
      return new uPlot({
        width: place.clientWidth, height: place.clientHeight,
        legend: { show: false }, cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
        scales: { x: { time: false } },
        axes: [{ ...axis(), size: 32, incrs: whole }, axis()],
        series: [{}, ...series()],
        ...options.more?.(),
      }, data, place);
    };
    const entry = { make, plot: make(), place };
    drawn.push(entry);
    sizes.observe(place);
    return entry;
  };

  const again = () => drawn.forEach((each) => { each.plot.destroy(); each.plot = each.make(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  // Before the next paint, so that no picture of the page has a chart of another width.
  const sizes = new ResizeObserver((changes) => changes.forEach(({ target }) => {
    const { plot } = drawn.find((each) => each.place === target);
    const width = target.clientWidth, height = target.clientHeight;
    if (width && (width !== plot.width || height !== plot.height)) plot.setSize({ width, height });
  }));

  const fan = (place, told, start) => {
    const q = told.quantiles;
    const data = [told.rounds, q["95"], q["75"], q["50"], q["25"], q["5"], told.rounds.map(() => start)];
    const none = { width: 0, points: { show: false } };
    const series = () => [
      { ...none, stroke: faint("accent", 30) }, { ...none, stroke: faint("accent", 30) },
      { stroke: colour("accent"), width: 2, points: { show: false } },
      { ...none, stroke: faint("accent", 30) }, { ...none, stroke: faint("accent", 30) },
      { stroke: colour("soft"), width: 1, dash: [4, 4], points: { show: false } },
    ];
    const more = () => ({ bands: [
      { series: [1, 5], fill: faint("accent", 14) }, { series: [2, 4], fill: faint("accent", 26) },
    ] });
    draw(place, data, series, { more });
  };

  const ordered = (place, values, start) => {
    const xs = values.map((_, number) => number + 1);
    const data = start ? [xs, values, xs.map(() => start)] : [xs, values];
    const series = () => [
      { stroke: colour("accent"), width: 2, points: { show: values.length < 40, size: 5 } },
      ...(start ? [{ stroke: colour("soft"), width: 1, dash: [4, 4], points: { show: false } }] : []),
    ];
    draw(place, data, series);
  };

  const path = (place, xs, values, choose) => {
    const series = () => [{ stroke: colour("accent"), width: 1.5, points: { show: false } }];
    let at = xs[0];
    const more = () => ({
      hooks: {
        draw: [(plot) => {
          const x = plot.valToPos(at, "x", true), { top, height } = plot.bbox, pen = plot.ctx;
          pen.save(); pen.strokeStyle = colour("down"); pen.lineWidth = 2;
          pen.beginPath(); pen.moveTo(x, top); pen.lineTo(x, top + height); pen.stroke(); pen.restore();
        }],
        ready: [(plot) => plot.over.addEventListener("click", (event) =>
          choose(Math.round(plot.posToVal(event.offsetX, "x"))))],
      },
    });
    const entry = draw(place, [xs, values], series, { more });
    return (round) => { at = round; entry.plot.redraw(false); };
  };
  return { fan, ordered, path };
})();

(() => {
  const source = document.getElementById("chart-data");
  if (!source) return;
  const told = JSON.parse(source.textContent);
  const fan = document.getElementById("fan"), results = document.getElementById("results");
  if (fan && told.fan) Curves.fan(fan, told.fan, told.start);
  if (results && told.results.length) Curves.ordered(results, told.results, told.start);
})();
