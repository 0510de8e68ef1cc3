// The calls of an app's delegate over time: one lane per session, and a list of the latest calls.

import { element, formatNumber, formatTime, setHidden } from "./dom.js";
import { prepareCanvas, requestDraw } from "./frames.js";
import { colours, onColours } from "./theme.js";

const laneHeight = 34;
const left = 78;
const bottom = 22;
/** Maximum number of listed calls. */
const listed = 60;
const rhythm = 100;

/**
 * The phase of a session after a call, as the server has it; calls that do not change it are absent. A session
 * whose suspension ended is paused until its app runs it again.
 */
const phases = {
  run: "running", sessionDidStartRunning: "running", sessionSuspensionEnded: "paused", pause: "paused",
  sessionWasSuspended: "suspended", invalidate: "ended", didInvalidate: "ended",
};

/** The phases of a session over time, from its calls: `{ phase, since, until }`, oldest first. */
export function phaseSpans(events, end) {
  const spans = [];
  let open = null;
  for (const { t, kind } of events) {
    // A program that leaves takes its sessions along.
    const phase = kind === "left" ? null : phases[kind];
    if (phase === undefined || phase === (open?.phase ?? null)) continue;
    if (open) open.until = t;
    open = phase && { phase, since: t, until: end };
    if (open) spans.push(open);
  }
  return spans;
}

const phaseColours = { running: "los", paused: "idle", suspended: "suspended", ended: "ended" };
const kindColours = {
  didUpdate: "event-update", didRemove: "event-remove", didUpdateAlgorithmConvergence: "event-convergence",
  didInvalidate: "ended", sessionWasSuspended: "suspended",
};

export class Timeline {
  constructor(canvas, world, isVisible, span) {
    Object.assign(this, { canvas, world, isVisible, span });
    this.list = document.getElementById("calls");
    this.showUpdates = document.getElementById("show-updates");
    this.showUpdates.addEventListener("change", () => this.refresh());
    this.drawnAt = 0;
    world.on("state", () => this.#tick());
    world.on("events", () => { this.isStale = true; });
    world.on("selection", () => this.refresh());
    world.on("reset", () => this.refresh());
    onColours(() => this.refresh());
    new ResizeObserver(() => requestDraw(this)).observe(canvas);
  }

  refresh() {
    const isNone = this.world.selected === null;
    setHidden(document.getElementById("timeline-none"), !isNone);
    setHidden(document.getElementById("timeline-body"), isNone);
    this.isStale = true;
    this.drawnAt = 0;
    this.#tick();
  }

  #tick() {
    if (!this.isVisible()) return;
    const now = performance.now();
    if (now - this.drawnAt < rhythm) return;
    this.drawnAt = now;
    requestDraw(this);
    if (!this.isStale) return;
    this.isStale = false;
    this.#fillList();
  }

  draw() {
    const device = this.world.selectedDevice;
    if (!device || this.canvas.clientWidth === 0) return;
    const lanes = this.#lanes(device);
    const high = `${Math.max(120, lanes.size * laneHeight + bottom + 8)}px`;
    if (this.canvas.style.height !== high) this.canvas.style.height = high;
    const { context, width, height } = prepareCanvas(this.canvas);
    const end = this.world.t;
    const scale = (width - left - 10) / this.span();
    const x = (t) => width - 10 - (end - t) * scale;
    drawTimeAxis(context, { left, right: width - 10, y: height - bottom, top: 0, end, span: this.span() });
    let y = 6;
    for (const [session, events] of lanes) {
      this.#drawLane(context, { session, events, y, x, width, end });
      y += laneHeight;
    }
  }

  /** Events by lane: `null` for the app itself, then the sessions by number. */
  #lanes(device) {
    const lanes = new Map([[null, []]]);
    for (const session of this.world.detail?.sessions ?? []) lanes.set(session.number, []);
    // Updates come first, so that rarer calls are drawn on top.
    for (const ring of [device.updates, device.events]) {
      for (const event of ring) {
        const key = event.session ?? null;
        if (!lanes.has(key)) lanes.set(key, []);
        lanes.get(key).push(event);
        if (event.kind !== "left") continue;
        for (const [session, events] of lanes) if (session !== null) events.push(event);
      }
    }
    return new Map([...lanes].sort(([a], [b]) => (a ?? -1) - (b ?? -1)));
  }

  #drawLane(context, { session, events, y, x, width, end }) {
    const middle = y + laneHeight / 2 - 3;
    context.fillStyle = colours["text-weak"];
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.fillText(session === null ? "App" : `Session ${session}`, 8, middle);
    context.save();
    context.beginPath();
    context.rect(left, y, width - left - 8, laneHeight);
    context.clip();
    if (session !== null) this.#drawPhases(context, events, middle, x, end, session);
    for (const event of events) {
      if ((event.session ?? null) === session) drawEvent(context, event, x(event.t), middle);
    }
    context.restore();
  }

  #drawPhases(context, events, middle, x, end, session) {
    const spans = phaseSpans(events, end);
    // Without recorded calls, take the phase from the session itself.
    const phase = this.world.detail?.sessions.find(({ number }) => number === session)?.phase;
    if (spans.length === 0 && phase in phaseColours) spans.push({ phase, since: -Infinity, until: end });
    context.globalAlpha = 0.3;
    for (const span of spans) {
      context.fillStyle = colours[phaseColours[span.phase]];
      const from = Math.max(left, x(span.since));
      context.fillRect(from, middle - 5, Math.max(0, x(span.until) - from), 10);
    }
    context.globalAlpha = 1;
  }

  #fillList() {
    const device = this.world.selectedDevice;
    if (!device) return;
    const rows = newest(device.events);
    if (this.showUpdates.checked) rows.push(...newest(device.updates));
    rows.sort((a, b) => b.t - a.t);
    rows.splice(listed);
    const key = `${device.id} ${rows.length} ${rows.map(({ t }) => t).join(" ")}`;
    if (key === this.filled) return;
    this.filled = key;
    const { scrollTop } = this.list;
    this.list.replaceChildren(...rows.map(rowOf));
    if (rows.length === 0) this.list.append(element("li", { class: "empty", text: "No calls yet." }));
    this.list.scrollTop = scrollTop;
  }
}

/** Newest first, so that the later of two simultaneous calls stays on top. */
function newest(ring) {
  const found = [];
  for (let index = ring.length - 1; index >= 0 && found.length < listed; index -= 1) found.push(ring.at(index));
  return found;
}

function rowOf(event) {
  const mark = element("span", { class: "mark" });
  mark.style.setProperty("background", colours[kindColours[event.kind] ?? "event-app"]);
  return element(
    "li", { title: event.text ?? "" }, element("time", { text: formatTime(event.t) }), mark,
    element("b", { text: event.kind }),
    element("span", { text: `${event.session == null ? "" : `#${event.session} `}${event.text ?? ""}` }));
}

function drawEvent(context, event, x, y) {
  if (x < left - 10) return;
  context.fillStyle = colours[kindColours[event.kind] ?? "event-app"];
  if (event.kind === "didUpdate") {
    context.fillRect(x - 0.75, y - 5, 1.5, 10);
    return;
  }
  context.beginPath();
  context.arc(x, y, 5, 0, 2 * Math.PI);
  context.fill();
  context.strokeStyle = colours.panel;
  context.lineWidth = 1.5;
  context.stroke();
}

/** Draws the time axis of a chart whose right edge is `end`. */
export function drawTimeAxis(context, { left: from, right, y, top, end, span }) {
  const step = span <= 20 ? 5 : span <= 40 ? 10 : span <= 70 ? 15 : 30;
  const scale = (right - from) / span;
  context.strokeStyle = colours.grid;
  context.fillStyle = colours["text-weak"];
  context.lineWidth = 1;
  context.font = "10px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "top";
  context.beginPath();
  for (let t = Math.ceil((end - span) / step) * step; t <= end; t += step) {
    const x = Math.round(right - (end - t) * scale) + 0.5;
    context.moveTo(x, top);
    context.lineTo(x, y);
    if (t >= 0 && x > from + 8 && x < right - 12) context.fillText(`${formatNumber(t, 0)} s`, x, y + 4);
  }
  context.moveTo(from, y + 0.5);
  context.lineTo(right, y + 0.5);
  context.stroke();
}
