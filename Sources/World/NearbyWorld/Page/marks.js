// The plan's moving parts: devices, cones, trails, links, and the peers' positions as estimated by an app.

import { colours } from "./theme.js";

/** Length of a cone on the plan, metres: it shows the direction, not the range. */
const coneLength = 2.5;

export function drawTrail(context, view, trail, t, colour) {
  const { ring } = trail;
  if (ring.length < 2) return;
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.lineCap = "round";
  context.lineJoin = "round";
  // Older parts are fainter, in three strokes instead of one per point.
  for (const [oldest, newest, alpha] of [[20, 12, 0.12], [12, 5, 0.25], [5, 0, 0.45]]) {
    context.beginPath();
    let isOpen = false;
    for (let row = 0; row < ring.length; row += 1) {
      const age = t - ring.get(row, 0);
      if (age > oldest) continue;
      const x = view.x(ring.get(row, 1));
      const y = view.y(ring.get(row, 2));
      if (isOpen) context.lineTo(x, y); else context.moveTo(x, y);
      isOpen = true;
      if (age < newest) break;
    }
    context.globalAlpha = alpha;
    context.stroke();
  }
  context.globalAlpha = 1;
}

export function drawCone(context, view, device, shown, isSelected) {
  if (!(device.fieldOfView > 0)) return;
  const level = Math.max(0.15, Math.cos(device.pitch * Math.PI / 180));
  const radius = coneLength * level * view.scale;
  const middle = (shown.heading - 90) * Math.PI / 180;
  const half = Math.min(device.fieldOfView, 179) * Math.PI / 180;
  context.globalAlpha = isSelected ? 0.22 : 0.09;
  context.fillStyle = isSelected ? colours.accent : colours.device;
  context.beginPath();
  context.moveTo(view.x(shown.x), view.y(shown.y));
  context.arc(view.x(shown.x), view.y(shown.y), radius, middle - half, middle + half);
  context.closePath();
  context.fill();
  context.globalAlpha = 1;
}

/** Merges the links of both directions, so that there is one line per pair of devices. */
export function mergedLinks(links) {
  const merged = new Map();
  for (const link of links) {
    const key = link.a < link.b ? `${link.a} ${link.b}` : `${link.b} ${link.a}`;
    const known = merged.get(key);
    if (!known) merged.set(key, link); else if (known.m === null && link.m !== null) merged.set(key, link);
  }
  return merged.values();
}

export function drawLinkLines(context, view, lines) {
  for (const isDirect of [true, false]) {
    context.beginPath();
    for (const { link, from, to, isStrong } of lines) {
      if (link.los !== isDirect || isStrong) continue;
      context.moveTo(view.x(from.x), view.y(from.y));
      context.lineTo(view.x(to.x), view.y(to.y));
    }
    strokeLink(context, isDirect, 1.5);
  }
  for (const { link, from, to, isStrong } of lines) {
    if (!isStrong) continue;
    context.beginPath();
    context.moveTo(view.x(from.x), view.y(from.y));
    context.lineTo(view.x(to.x), view.y(to.y));
    strokeLink(context, link.los, 3);
  }
}

function strokeLink(context, isDirect, width) {
  context.strokeStyle = isDirect ? colours.los : colours.nlos;
  context.lineWidth = width;
  context.lineCap = "butt";
  context.setLineDash(isDirect ? [] : [7, 5]);
  context.stroke();
  context.setLineDash([]);
}

const halfHeight = 9;
/** Length of a line's ends that its devices' marks cover, pixels. */
const lineMargin = 14;
/** Space between a line and the label beside it, pixels. */
const gap = 5;

/** Labels on a background. One that would overlap an earlier label is omitted. */
export class Labels {
  constructor(context, width, height) {
    this.context = context;
    this.width = width;
    this.height = height;
    this.taken = [];
    /** Boxes of devices' marks, which labels beside lines avoid. */
    this.marks = [];
    context.textAlign = "center";
    context.textBaseline = "middle";
  }

  /** With `isNeeded`, the label is drawn even if it overlaps others. Returns whether it was drawn. */
  add(text, x, y, { colour = colours.text, isNeeded = false, isBold = false, avoidsMarks = false } = {}) {
    if (x < -60 || y < -20 || x > this.width + 60 || y > this.height + 20) return false;
    const { context } = this;
    const half = this.halfWidth(text, isBold);
    const box = [x - half, y - halfHeight, x + half, y + halfHeight];
    const others = avoidsMarks ? [...this.taken, ...this.marks] : this.taken;
    if (!isNeeded && others.some((other) => overlap(box, other))) return false;
    this.taken.push(box);
    context.globalAlpha = 0.82;
    context.fillStyle = colours.plan;
    context.beginPath();
    context.roundRect(box[0], box[1], box[2] - box[0], 2 * halfHeight, 5);
    context.fill();
    context.globalAlpha = 1;
    context.fillStyle = colour;
    context.fillText(text, x, y + 0.5);
    return true;
  }

  /** Half the width of a label, pixels; also sets the font in which it is drawn. */
  halfWidth(text, isBold) {
    this.context.font = `${isBold ? 600 : 500} 12px system-ui, sans-serif`;
    return this.context.measureText(text).width / 2 + 5;
  }

  addMark(x, y, size) { this.marks.push([x - size, y - size, x + size, y + size]); }

  /**
   * Adds a line's label on its middle if that is free and leaves enough of the line to see, and otherwise beside
   * it, on the side that is free.
   */
  addOnLine(text, from, to, options) {
    const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (length < 1) return;
    const [wide, high] = [Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1])];
    const half = this.halfWidth(text, options.isBold);
    const covered = 2 * length * Math.min(half / Math.max(wide, 1e-6), halfHeight / Math.max(high, 1e-6));
    if (covered < length * 0.6 - 2 * lineMargin && this.add(text, x, y, options)) return;
    const right = Math.min(halfHeight * wide / Math.max(high, 1e-6), wide / 2) + half + gap;
    const down = Math.min(half * high / Math.max(wide, 1e-6), high / 2) + halfHeight + gap;
    const sides = [[right, 0], [-right, 0], [0, -down], [0, down]];
    if (wide > high) sides.push(...sides.splice(0, 2));
    for (const avoidsMarks of [true, false]) {
      for (const [dx, dy] of sides) if (this.add(text, x + dx, y + dy, { ...options, avoidsMarks })) return;
    }
  }
}

function overlap(a, b) { return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]; }

/** Radius of a device's mark, pixels. */
export function markSize(view) { return Math.max(5, Math.min(13, 0.22 * view.scale)); }

export function drawDevice(context, view, device, shown, { isSelected, isSimple }) {
  const x = view.x(shown.x);
  const y = view.y(shown.y);
  const size = isSimple ? Math.min(5, markSize(view)) : markSize(view);
  if (isSelected) drawHalo(context, x, y, size);
  context.save();
  context.translate(x, y);
  context.rotate(shown.heading * Math.PI / 180);
  outline(context, isSimple ? "simple" : device.kind, size);
  context.fillStyle = device.on ? (device.fg ? colours.device : colours["background-app"]) : colours.plan;
  context.fill();
  context.strokeStyle = device.on ? colours.plan : colours["device-off"];
  context.lineWidth = device.on ? 1.5 : 2;
  context.stroke();
  if (!isSimple && device.fieldOfView > 0) drawNose(context, size, device);
  context.restore();
  if (!isSimple && device.on && !device.fg) drawPausedBadge(context, x + size, y - size);
  if (device.isAsking) drawQuestionBadge(context, x - size, y - size);
}

function outline(context, kind, size) {
  context.beginPath();
  switch (kind) {
    case "phone":
      // A phone held upright, seen from above: wide across, thin along its viewing direction.
      context.roundRect(-size, -size * 0.62, size * 2, size * 1.24, size * 0.35);
      break;
    case "accessory":
      context.moveTo(0, -size);
      context.lineTo(size, 0);
      context.lineTo(0, size);
      context.lineTo(-size, 0);
      context.closePath();
      break;
    default:
      context.arc(0, 0, size * 0.85, 0, 2 * Math.PI);
  }
}

function drawNose(context, size, device) {
  context.beginPath();
  const base = device.kind === "phone" ? size * 0.78 : size;
  context.moveTo(-size * 0.45, -base);
  context.lineTo(0, -base - size * 0.6);
  context.lineTo(size * 0.45, -base);
  context.closePath();
  context.fillStyle = device.on ? colours.device : colours["device-off"];
  context.fill();
}

function drawHalo(context, x, y, size) {
  context.beginPath();
  context.arc(x, y, size + 8, 0, 2 * Math.PI);
  context.fillStyle = colours.halo;
  context.fill();
  context.strokeStyle = colours.accent;
  context.lineWidth = 2;
  context.stroke();
}

/** Two bars show that the app is not in the foreground. */
function drawPausedBadge(context, x, y) {
  context.beginPath();
  context.arc(x, y, 6.5, 0, 2 * Math.PI);
  context.fillStyle = colours["background-app"];
  context.fill();
  context.fillStyle = colours.plan;
  context.fillRect(x - 2.8, y - 3, 2, 6);
  context.fillRect(x + 0.8, y - 3, 2, 6);
}

/** A question mark shows that the app waits for an answer. */
function drawQuestionBadge(context, x, y) {
  context.beginPath();
  context.arc(x, y, 8, 0, 2 * Math.PI);
  context.fillStyle = colours.warn;
  context.fill();
  context.strokeStyle = colours.plan;
  context.lineWidth = 1.5;
  context.stroke();
  context.fillStyle = colours.plan;
  context.font = "700 12px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText("?", x, y + 0.5);
}

/** Position of the handle that turns the selected device, pixels. */
export function handlePlace(view, shown) {
  const angle = shown.heading * Math.PI / 180;
  const reach = markSize(view) + 30;
  return [view.x(shown.x) + Math.sin(angle) * reach, view.y(shown.y) - Math.cos(angle) * reach];
}

export function drawHandle(context, view, shown) {
  const [x, y] = handlePlace(view, shown);
  const angle = shown.heading * Math.PI / 180;
  const rim = markSize(view) + 8;
  context.strokeStyle = colours.accent;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(view.x(shown.x) + Math.sin(angle) * rim, view.y(shown.y) - Math.cos(angle) * rim);
  context.lineTo(x, y);
  context.stroke();
  context.beginPath();
  context.arc(x, y, 7, 0, 2 * Math.PI);
  context.fillStyle = colours.plan;
  context.fill();
  context.stroke();
}

/** An app's estimates of its peers' positions: one-sigma ellipses, more opaque with more weight. */
export function drawBeliefs(context, view, sessions) {
  for (const session of sessions) {
    for (const { p, weight, ellipse } of session.hypotheses ?? []) drawEllipse(context, view, p, weight, ellipse);
    if (session.place) drawCross(context, view.x(session.place[0]), view.y(session.place[1]));
  }
}

function drawEllipse(context, view, p, weight, [major, minor, heading]) {
  context.beginPath();
  context.ellipse(
    view.x(p[0]), view.y(p[1]), Math.max(2, major * view.scale), Math.max(2, minor * view.scale),
    (heading - 90) * Math.PI / 180, 0, 2 * Math.PI);
  context.fillStyle = colours.sigma;
  context.strokeStyle = colours.sigma;
  context.globalAlpha = 0.06 + 0.22 * weight;
  context.fill();
  context.globalAlpha = 0.35 + 0.65 * weight;
  context.lineWidth = 1.5;
  context.stroke();
  context.globalAlpha = 1;
}

export function drawCross(context, x, y) {
  context.strokeStyle = colours.sigma;
  context.lineWidth = 2.5;
  context.beginPath();
  context.moveTo(x - 6, y - 6);
  context.lineTo(x + 6, y + 6);
  context.moveTo(x + 6, y - 6);
  context.lineTo(x - 6, y + 6);
  context.stroke();
}
