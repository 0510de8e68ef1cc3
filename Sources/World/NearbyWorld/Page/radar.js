// A session's view of its peer around the device, including what the app does not know.

import { angles, degrees } from "./geometry.js";
import { prepareCanvas, requestDraw } from "./frames.js";
import { drawCross } from "./marks.js";
import { colours, onColours } from "./theme.js";

export class Radar {
  constructor(canvas, world, session) {
    Object.assign(this, { canvas, world, session });
    world.on("device", () => requestDraw(this));
    world.on("selection", () => requestDraw(this));
    onColours(() => requestDraw(this));
    new ResizeObserver(() => requestDraw(this)).observe(canvas);
  }

  draw() {
    if (this.canvas.clientWidth === 0) return;
    const { context, width, height } = prepareCanvas(this.canvas);
    const session = this.session();
    if (!session) return;
    const gauge = 46;
    const radius = Math.min((width - gauge) / 2 - 8, height / 2 - 14);
    const middle = { x: (width - gauge) / 2, y: height / 2, radius, reach: this.#reach(session) };
    this.#drawRings(context, middle);
    this.#drawView(context, middle);
    this.#drawHypotheses(context, middle, session);
    this.#drawTruth(context, middle, session);
    this.#drawTold(context, middle, session);
    this.#drawGauge(context, { x: width - gauge + 6, y: height / 2, half: radius }, session);
  }

  /** Distance at the rim, metres. It grows at once but shrinks with hysteresis, to avoid flicker. */
  #reach(session) {
    const farthest = Math.max(session.distance ?? 0, session.truth?.distance ?? 0, 0.8);
    const wanted = rimFor(farthest * 1.1);
    if (!this.rim || wanted > this.rim || farthest * 1.6 < this.rim) this.rim = wanted;
    return this.rim;
  }

  #drawRings(context, { x, y, radius, reach }) {
    context.strokeStyle = colours["grid-strong"];
    context.fillStyle = colours["text-weak"];
    context.lineWidth = 1;
    context.font = "10px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const part of [0.5, 1]) {
      context.beginPath();
      context.arc(x, y, radius * part, 0, 2 * Math.PI);
      context.stroke();
      const inset = (radius * part - 9) * Math.SQRT1_2;
      context.fillText(`${Number((reach * part).toPrecision(2))} m`, x - inset, y + inset);
    }
    context.beginPath();
    context.moveTo(x, y - radius);
    context.lineTo(x, y + radius);
    context.moveTo(x - radius, y);
    context.lineTo(x + radius, y);
    context.globalAlpha = 0.5;
    context.stroke();
    context.globalAlpha = 1;
    context.fillStyle = colours.accent;
    context.beginPath();
    context.moveTo(x, y - 8);
    context.lineTo(x + 6, y + 6);
    context.lineTo(x, y + 3);
    context.lineTo(x - 6, y + 6);
    context.closePath();
    context.fill();
  }

  #drawView(context, { x, y, radius }) {
    const half = Math.min(this.world.selectedDevice?.fieldOfView ?? 0, 179) / degrees;
    if (half <= 0) return;
    context.beginPath();
    context.moveTo(x, y);
    context.arc(x, y, radius, -Math.PI / 2 - half, -Math.PI / 2 + half);
    context.closePath();
    context.fillStyle = colours.accent;
    context.globalAlpha = 0.08;
    context.fill();
    context.globalAlpha = 1;
  }

  /** Maps a point of the world to the radar, pixels. */
  #around(middle, p) {
    const device = this.world.selectedDevice;
    if (!device) return null;
    const east = p[0] - device.p[0];
    const north = p[1] - device.p[1];
    const heading = device.heading / degrees;
    const scale = middle.radius / middle.reach;
    return [
      middle.x + (east * Math.cos(heading) - north * Math.sin(heading)) * scale,
      middle.y - (east * Math.sin(heading) + north * Math.cos(heading)) * scale,
    ];
  }

  #drawHypotheses(context, middle, session) {
    const device = this.world.selectedDevice;
    if (!device) return;
    const scale = middle.radius / middle.reach;
    context.save();
    context.beginPath();
    context.arc(middle.x, middle.y, middle.radius, 0, 2 * Math.PI);
    context.clip();
    for (const { p, weight, ellipse } of session.hypotheses ?? []) {
      const [x, y] = this.#around(middle, p);
      context.beginPath();
      context.ellipse(
        x, y, Math.max(2, ellipse[0] * scale), Math.max(2, ellipse[1] * scale),
        (ellipse[2] - device.heading - 90) / degrees, 0, 2 * Math.PI);
      context.fillStyle = colours.sigma;
      context.strokeStyle = colours.sigma;
      context.globalAlpha = 0.06 + 0.22 * weight;
      context.fill();
      context.globalAlpha = 0.35 + 0.65 * weight;
      context.lineWidth = 1.5;
      context.stroke();
      context.globalAlpha = 1;
    }
    if (session.place) drawCross(context, ...this.#around(middle, session.place));
    context.restore();
  }

  #drawTruth(context, { x, y, radius, reach }, { truth }) {
    if (!truth || truth.azimuth === null || truth.azimuth === undefined) return;
    const angle = truth.azimuth / degrees - Math.PI / 2;
    const level = truth.distance * Math.cos((truth.elevation ?? 0) / degrees) / reach * radius;
    context.beginPath();
    context.arc(x + Math.cos(angle) * level, y + Math.sin(angle) * level, 7, 0, 2 * Math.PI);
    context.strokeStyle = colours.truth;
    context.lineWidth = 2;
    context.setLineDash(truth.los ? [] : [3, 3]);
    context.stroke();
    context.setLineDash([]);
  }

  #drawTold(context, middle, session) {
    const { x, y, radius, reach } = middle;
    const { distance, direction, horizontalAngle } = session;
    const azimuth = direction ? angles(direction).azimuth : horizontalAngle;
    context.fillStyle = colours.accent;
    context.strokeStyle = colours.accent;
    if (distance === null && azimuth === null) return;
    if (azimuth === null) {
      // The direction is unknown, so the peer is somewhere on this ring.
      context.lineWidth = Math.max(2, 2 * (session.distanceSigma ?? 0) / reach * radius);
      context.globalAlpha = 0.55;
      context.beginPath();
      context.arc(x, y, Math.min(1, distance / reach) * radius, 0, 2 * Math.PI);
      context.stroke();
      context.globalAlpha = 1;
      return;
    }
    const angle = azimuth / degrees - Math.PI / 2;
    const level = direction ? Math.cos(angles(direction).elevation / degrees) : 1;
    const at = distance === null ? radius : Math.min(1, distance * level / reach) * radius;
    this.#drawUncertainty(context, middle, session, angle, at);
    context.lineWidth = 2;
    context.setLineDash(direction ? [] : [4, 4]);
    context.beginPath();
    context.moveTo(x + Math.cos(angle) * 10, y + Math.sin(angle) * 10);
    context.lineTo(x + Math.cos(angle) * at, y + Math.sin(angle) * at);
    context.stroke();
    context.setLineDash([]);
    context.beginPath();
    context.arc(x + Math.cos(angle) * at, y + Math.sin(angle) * at, 5, 0, 2 * Math.PI);
    context.fill();
  }

  #drawUncertainty(context, { x, y, radius, reach }, session, angle, at) {
    const spread = (session.directionSigma ?? 0) / degrees;
    const depth = Math.max(2, (session.distanceSigma ?? 0) / reach * radius);
    if (!(spread > 0)) return;
    context.globalAlpha = 0.3;
    context.beginPath();
    context.arc(x, y, at + depth, angle - spread, angle + spread);
    context.arc(x, y, Math.max(0, at - depth), angle + spread, angle - spread, true);
    context.closePath();
    context.fill();
    context.globalAlpha = 1;
  }

  /** Elevation: the app's value as a dot or, if unknown, just above or below; the truth as a ring. */
  #drawGauge(context, { x, y, half }, session) {
    context.strokeStyle = colours["grid-strong"];
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, y - half);
    context.lineTo(x, y + half);
    context.moveTo(x - 5, y);
    context.lineTo(x + 5, y);
    context.stroke();
    context.font = "10px system-ui, sans-serif";
    context.fillStyle = colours["text-weak"];
    context.textAlign = "left";
    context.textBaseline = "middle";
    for (const angle of [90, 45, -45, -90]) {
      context.fillText(`${angle < 0 ? "−" : "+"}${Math.abs(angle)}°`, x + 9, y - angle / 90 * half);
    }
    const { truth, direction, vertical } = session;
    if (typeof truth?.elevation === "number") {
      context.beginPath();
      context.arc(x, y - truth.elevation / 90 * half, 6, 0, 2 * Math.PI);
      context.strokeStyle = colours.truth;
      context.lineWidth = 2;
      context.stroke();
    }
    context.fillStyle = colours.accent;
    if (direction) {
      context.beginPath();
      context.arc(x, y - angles(direction).elevation / 90 * half, 4, 0, 2 * Math.PI);
      context.fill();
    } else {
      drawVertical(context, x, y, half, vertical);
    }
  }
}

/** The smallest round value that is at least `least`. */
function rimFor(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 1.5, 2, 3, 4, 6, 8, 10].find((factor) => factor * power >= least * 0.999) * power;
}

function drawVertical(context, x, y, half, vertical) {
  const isAbove = vertical === "above" || vertical === "aboveOrBelow";
  const isBelow = vertical === "below" || vertical === "aboveOrBelow";
  for (const [isShown, sign] of [[isAbove, -1], [isBelow, 1]]) {
    if (!isShown) continue;
    const tip = y + sign * half * 0.6;
    context.beginPath();
    context.moveTo(x, tip);
    context.lineTo(x + 6, tip - sign * 10);
    context.lineTo(x - 6, tip - sign * 10);
    context.closePath();
    context.fill();
  }
  if (vertical === "same") context.fillRect(x - 7, y - 2, 14, 4);
}
