// Distance, error, sigma and RSSI over time for all links of the selected device.

import { element, formatNumber, setHidden, setText } from "./dom.js";
import { prepareCanvas, requestDraw } from "./frames.js";
import { roundStep } from "./geometry.js";
import { column } from "./history.js";
import { colours, onColours } from "./theme.js";
import { drawTimeAxis } from "./timeline.js";

/** Maximum number of peers shown; more lines could not be told apart. */
const mostSeries = 6;
const rhythm = 100;
/** Longest interval, seconds, across which a line is drawn; a link that ended and came back leaves a gap. */
const longestGap = 1.5;
const area = { left: 42, right: 10, top: 8, bottom: 20 };

/** The charts, with the value that each one takes from a row of the history. */
const charts = [
  { id: "distance", digits: 2, value: (ring, row) => ring.get(row, column.told), truth: column.truth, least: 1 },
  {
    id: "error", digits: 2, zero: true, least: 0.1,
    value: (ring, row) => ring.get(row, column.told) - ring.get(row, column.truth),
  },
  { id: "sigma", digits: 3, value: (ring, row) => ring.get(row, column.sigma), fromZero: true, least: 0.05 },
  { id: "rssi", digits: 0, value: (ring, row) => ring.get(row, column.rssi), least: 6 },
];

export class Plots {
  constructor(world, isVisible, span) {
    Object.assign(this, { world, isVisible, span });
    this.canvases = charts.map(({ id }) => document.getElementById(`plot-${id}`));
    this.legend = document.getElementById("plot-legend");
    /** Position of the pointer: its canvas, and x in pixels. */
    this.pointer = null;
    this.drawnAt = 0;
    /** The number of each peer's colour, which it keeps while it is in the window. */
    this.places = new Map();
    world.on("state", () => this.#tick());
    world.on("selection", () => {
      this.places.clear();
      this.refresh();
    });
    world.on("reset", () => this.refresh());
    onColours(() => this.refresh());
    for (const canvas of this.canvases) {
      new ResizeObserver(() => requestDraw(this)).observe(canvas);
      canvas.addEventListener("pointermove", (event) => this.#point(canvas, event));
      canvas.addEventListener("pointerleave", () => this.#point(canvas, null));
    }
  }

  refresh() {
    this.legendKey = null;
    this.drawnAt = 0;
    this.#tick();
  }

  /** The selected device's links within the window, with the values that its own app received. */
  series() {
    const { world, places } = this;
    const peers = world.selected === null ? [] : world.history.peers(world.selected, world.t - this.span());
    for (const peer of places.keys()) if (!peers.includes(peer)) places.delete(peer);
    for (const peer of peers) {
      if (places.has(peer) || places.size === mostSeries) continue;
      const used = [...places.values()];
      places.set(peer, [1, 2, 3, 4, 5, 6].find((place) => !used.includes(place)));
    }
    return [...places].map(([peer, place]) => (
      { peer, ring: world.history.of(world.selected, peer), colour: colours[`series-${place}`] }));
  }

  #tick() {
    if (!this.isVisible()) return;
    const now = performance.now();
    if (now - this.drawnAt < rhythm) return;
    this.drawnAt = now;
    const series = this.series();
    const none = document.getElementById("plots-none");
    setHidden(none, series.length > 0);
    setText(none, this.world.selected === null ? "Select a device that is ranging to plot its distances."
      : "No ranges of this device within the window.");
    setHidden(document.getElementById("plots"), series.length === 0);
    setHidden(this.legend, series.length === 0);
    this.#fillLegend(series);
    requestDraw(this);
  }

  draw() {
    if (!this.isVisible() || this.canvases[0].clientWidth === 0) return;
    const series = this.series();
    charts.forEach((chart, index) => this.#drawChart(chart, this.canvases[index], series));
  }

  #fillLegend(series) {
    const key = series.map(({ peer, colour }) => `${peer} ${colour}`).join(" ");
    if (key === this.legendKey) return;
    this.legendKey = key;
    const rows = series.map(({ peer, colour }) => {
      const swatch = element("span", { class: "swatch" });
      swatch.style.setProperty("background", colour);
      const name = this.world.devices.get(peer)?.name ?? String(peer);
      return element("li", { title: name }, swatch, element("span", { class: "name", text: name }));
    });
    const truth = element("li", {}, element("span", { class: "swatch truth" }), "true value");
    this.legend.replaceChildren(...rows, truth);
  }

  #point(canvas, event) {
    this.pointer = event && {
      canvas, x: event.clientX - canvas.getBoundingClientRect().left,
    };
    requestDraw(this);
  }

  #drawChart(chart, canvas, series) {
    const { context, width, height } = prepareCanvas(canvas);
    const end = this.world.t;
    const span = this.span();
    const box = { left: area.left, right: width - area.right, top: area.top, bottom: height - area.bottom };
    const range = this.#range(chart, series, end - span);
    drawTimeAxis(context, { left: box.left, right: box.right, y: box.bottom, top: box.top, end, span });
    drawValueAxis(context, box, range, chart);
    const place = {
      x: (t) => box.right - (end - t) / span * (box.right - box.left),
      y: (value) => box.bottom - (value - range.low) / (range.high - range.low) * (box.bottom - box.top),
    };
    context.save();
    context.beginPath();
    context.rect(box.left, box.top - 2, box.right - box.left, box.bottom - box.top + 4);
    context.clip();
    for (const { ring, colour } of series) {
      if (chart.truth !== undefined) drawTruth(context, ring, chart, place, end - span);
      drawLine(context, ring, (row) => chart.value(ring, row), place, colour, end - span);
    }
    context.restore();
    if (this.pointer?.canvas === canvas && this.pointer.x > box.left) {
      const t = end - (box.right - this.pointer.x) / (box.right - box.left) * span;
      this.#drawReading(context, chart, series, box, t);
    }
  }

  #range(chart, series, since) {
    let low = Infinity;
    let high = -Infinity;
    for (const { ring } of series) {
      for (let row = firstRow(ring, since); row < ring.length; row += 1) {
        const truth = chart.truth === undefined ? NaN : ring.get(row, chart.truth);
        for (const value of [chart.value(ring, row), truth]) {
          if (value < low) low = value;
          if (value > high) high = value;
        }
      }
    }
    if (!(low <= high)) [low, high] = [0, chart.least];
    if (chart.fromZero) low = 0;
    if (chart.zero) [low, high] = [Math.min(low, 0), Math.max(high, 0)];
    const missing = Math.max(0, chart.least - (high - low)) / 2;
    const room = (high - low) * 0.06;
    low -= chart.fromZero ? 0 : missing + room;
    high += chart.fromZero ? 2 * missing + room : missing + room;
    return { low, high };
  }

  /** Draws the values under the pointer. */
  #drawReading(context, chart, series, box, t) {
    context.strokeStyle = colours["text-weak"];
    context.beginPath();
    context.moveTo(this.pointer.x + 0.5, box.top);
    context.lineTo(this.pointer.x + 0.5, box.bottom);
    context.stroke();
    context.font = "600 11px system-ui, sans-serif";
    context.textBaseline = "top";
    context.textAlign = this.pointer.x > (box.left + box.right) / 2 ? "right" : "left";
    const x = this.pointer.x + (context.textAlign === "right" ? -6 : 7);
    let y = box.top;
    for (const { ring, colour } of series) {
      const row = Math.min(firstRow(ring, t), ring.length - 1);
      if (row < 0) continue;
      const text = formatNumber(chart.value(ring, row), chart.digits);
      context.lineWidth = 4;
      context.strokeStyle = colours.panel;
      context.strokeText(text, x, y);
      context.fillStyle = colour;
      context.fillText(text, x, y);
      y += 14;
    }
    context.lineWidth = 1;
  }
}

/** Binary search for the first row at or after `since`. */
function firstRow(ring, since) {
  let low = 0;
  let high = ring.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ring.get(middle, column.t) < since) low = middle + 1; else high = middle;
  }
  return low;
}

function drawValueAxis(context, box, { low, high }, chart) {
  const step = roundStep((high - low) / Math.max(2, Math.floor((box.bottom - box.top) / 28)));
  const digits = Math.max(0, Math.min(3, Math.ceil(-Math.log10(step) - 1e-9)));
  context.strokeStyle = colours.grid;
  context.fillStyle = colours["text-weak"];
  context.font = "10px system-ui, sans-serif";
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (let value = Math.ceil(low / step) * step; value <= high + step * 1e-6; value += step) {
    const y = Math.round(box.bottom - (value - low) / (high - low) * (box.bottom - box.top)) + 0.5;
    const isZero = chart.zero && Math.abs(value) < step / 100;
    context.strokeStyle = isZero ? colours["text-weak"] : colours.grid;
    context.beginPath();
    context.moveTo(box.left, y);
    context.lineTo(box.right, y);
    context.stroke();
    context.fillText(formatNumber(value, digits), box.left - 6, y);
  }
}

function drawLine(context, ring, value, place, colour, since) {
  context.strokeStyle = colour;
  context.lineWidth = 1.75;
  context.lineJoin = "round";
  context.beginPath();
  let isOpen = false;
  let last = -Infinity;
  for (let row = Math.max(0, firstRow(ring, since) - 1); row < ring.length; row += 1) {
    const t = ring.get(row, column.t);
    const y = value(row);
    // Do not draw a line across a gap.
    if (Number.isNaN(y) || t - last > longestGap) isOpen = false;
    last = t;
    if (Number.isNaN(y)) continue;
    if (isOpen) context.lineTo(place.x(t), place.y(y)); else context.moveTo(place.x(t), place.y(y));
    isOpen = true;
  }
  context.stroke();
}

function drawTruth(context, ring, chart, place, since) {
  context.setLineDash([4, 4]);
  drawLine(context, ring, (row) => ring.get(row, chart.truth), place, colours.truth, since);
  context.setLineDash([]);
}
