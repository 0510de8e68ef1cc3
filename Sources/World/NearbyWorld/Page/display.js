// What the selected device's app reports that it shows its user: a line, a list, a sweeping radar.

import { element, setHidden, setText } from "./dom.js";
import { prepareCanvas, requestDraw } from "./frames.js";
import { colours, onColours } from "./theme.js";

/** Length of the glow behind the ray, radians. */
const trail = 2;

const byId = (id) => document.getElementById(id);

export class AppDisplay {
  constructor(world) {
    this.world = world;
    this.canvas = byId("app-radar");
    /** Angle of the ray, radians clockwise from up, and its full turns since the app was selected. */
    this.angle = 0;
    this.rounds = 0;
    this.drawnAt = null;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    world.on("device", () => this.show());
    world.on("selection", () => {
      Object.assign(this, { angle: 0, rounds: 0, drawnAt: null });
      this.show();
    });
    onColours(() => requestDraw(this));
    this.show();
  }

  get shown() { return this.world.detail?.display ?? null; }

  show() {
    const { shown } = this;
    setHidden(byId("app-display"), shown === null);
    if (!shown) return;
    setText(byId("app-line"), shown.line);
    setHidden(this.canvas, shown.radar === null);
    const key = shown.items.join("\n");
    if (key !== this.listed) {
      this.listed = key;
      byId("app-items").replaceChildren(...shown.items.map((text) => element("li", { text })));
    }
    if (!shown.radar) return;
    const brightness = `${Math.round(shown.radar.brightness * 100)} % bright`;
    this.canvas.setAttribute("aria-label", `Radar, ${brightness}, ${shown.radar.sweeps} sweeps per second`);
    requestDraw(this);
  }

  /** Draws one frame and advances the ray at the app's speed. */
  draw(now) {
    const radar = this.shown?.radar;
    if (!radar || this.canvas.clientWidth === 0) {
      this.drawnAt = null;
      return false;
    }
    this.#turn(now, radar.sweeps);
    const { context, width, height } = prepareCanvas(this.canvas);
    const middle = { x: width / 2, y: height / 2, radius: Math.min(width, height) / 2 - 6 };
    drawRings(context, middle);
    drawGlow(context, middle, this.angle, radar.brightness);
    drawRay(context, middle, this.angle, radar.brightness);
    return !this.still.matches;
  }

  #turn(now, sweeps) {
    const passed = this.drawnAt === null ? 0 : Math.min(0.1, (now - this.drawnAt) / 1000);
    this.drawnAt = now;
    if (this.still.matches) return;
    this.angle += 2 * Math.PI * sweeps * passed;
    this.rounds += Math.floor(this.angle / (2 * Math.PI));
    this.angle %= 2 * Math.PI;
  }
}

function drawRings(context, { x, y, radius }) {
  context.strokeStyle = colours["grid-strong"];
  context.lineWidth = 1;
  for (const part of [0.33, 0.66, 1]) {
    context.beginPath();
    context.arc(x, y, radius * part, 0, 2 * Math.PI);
    context.stroke();
  }
}

/** The app knows the peer's distance but not its direction: a brighter glow is closer to the centre. */
function drawGlow(context, { x, y, radius }, angle, brightness) {
  if (brightness <= 0) return;
  const up = angle - Math.PI / 2;
  const steps = 24;
  context.strokeStyle = colours.beacon;
  context.lineWidth = 4 + 8 * brightness;
  context.lineCap = "butt";
  for (let step = 0; step < steps; step += 1) {
    const from = up - trail * (step + 1) / steps;
    context.globalAlpha = brightness * (1 - step / steps);
    context.beginPath();
    context.arc(x, y, Math.max(6, radius * (1 - brightness)), from, from + trail / steps + 0.01);
    context.stroke();
  }
  context.globalAlpha = 1;
}

function drawRay(context, { x, y, radius }, angle, brightness) {
  context.strokeStyle = colours.beacon;
  context.fillStyle = colours.device;
  context.globalAlpha = 0.35 + 0.65 * brightness;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + radius * Math.sin(angle), y - radius * Math.cos(angle));
  context.stroke();
  context.globalAlpha = 1;
  context.beginPath();
  context.arc(x, y, 5, 0, 2 * Math.PI);
  context.fill();
}
