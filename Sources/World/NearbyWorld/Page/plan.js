// The plan view: the whole world from above.

import { anchorSize, drawAnchor, drawBelief } from "./anchors.js";
import { beaconSize, drawBeacon } from "./beacons.js";
import { prepareCanvas, requestDraw } from "./frames.js";
import * as marks from "./marks.js";
import * as surroundings from "./surroundings.js";
import { colours, onColours } from "./theme.js";
import { Viewport } from "./viewport.js";

/** With more devices than this, or fewer pixels per metre, only the selection is drawn in detail. */
const manyDevices = 120;
const fewPixels = 9;
/** With more devices than this, positions are not interpolated between states. */
const manyToSmooth = 150;
/** Mean frame time above which interpolation is suspended, and for how long, milliseconds. */
const slowFrame = 25;
const restAfterSlow = 5000;
/** Maximum lengths of a name and of an app's line on the plan, characters. */
const longestName = 24;
const longestLine = 40;

export class Plan {
  constructor(canvas, world) {
    this.canvas = canvas;
    this.world = world;
    this.view = new Viewport();
    this.options = { trails: true, cones: true, links: true, labels: true };
    /** A tool's overlay: an object with `draw(context, view)`. */
    this.overlay = null;
    /** Layer under everything that stands on the floor: an object with `draw(context, view)`. */
    this.layer = null;
    /** ID of the device under the pointer. */
    this.hovered = null;
    this.pace = { mean: 16, last: null, restsUntil: 0 };
    /** Statistics for tests: number of frames, and the longest drawing time, ms. */
    this.statistics = { frames: 0, longest: 0 };
    for (const name of ["state", "layout", "device", "selection", "held", "wall", "reset"]) {
      world.on(name, () => this.redraw());
    }
    world.on("layout", ({ isFirst }) => { if (isFirst) this.isWaitingToFit = true; });
    world.on("state", () => this.#fitFirst());
    onColours(() => this.redraw());
    new ResizeObserver(() => this.#resized()).observe(canvas);
  }

  redraw() { requestDraw(this); }

  setOption(name, value) {
    this.options[name] = value;
    this.redraw();
  }

  fit() {
    const points = [];
    for (const device of this.world.devices.values()) if (device.isPlaced) points.push(device.p);
    for (const beacon of this.world.beacons.values()) if (beacon.isPlaced) points.push(beacon.p);
    for (const anchor of this.world.anchors.values()) if (anchor.isPlaced) points.push(anchor.p);
    for (const { from, to } of this.world.walls) points.push(from, to);
    for (const { from, to } of this.world.floors) points.push(from, to);
    this.view.fit(points);
    this.redraw();
  }

  /** The pose at which a device is drawn now. */
  shown(device) { return device.shown(this.smoothing(performance.now())); }

  smoothing(now) {
    const isEasy = this.world.devices.size <= manyToSmooth && now > this.pace.restsUntil;
    return isEasy ? this.world.fraction(now) : 1;
  }

  /** Measures the time between consecutive frames to detect a machine that cannot keep up. */
  #keepPace(now, asksForMore) {
    const { pace } = this;
    if (pace.last !== null) {
      pace.mean += (now - pace.last - pace.mean) * 0.1;
      if (pace.mean > slowFrame) {
        pace.restsUntil = now + restAfterSlow;
        pace.mean = 16;
      }
    }
    pace.last = asksForMore ? now : null;
    return asksForMore;
  }

  get isCrowded() { return this.world.devices.size > manyDevices || this.view.scale < fewPixels; }

  draw(now) {
    const began = performance.now();
    const { world, view } = this;
    const { context, width, height } = prepareCanvas(this.canvas);
    view.width = width;
    view.height = height;
    const fraction = this.smoothing(now);
    const shown = new Map();
    for (const device of world.devices.values()) {
      if (device.isPlaced) shown.set(device.id, device.shown(fraction));
    }
    surroundings.drawGrid(context, view);
    surroundings.drawFloors(context, view, world.floors);
    this.layer?.draw(context, view);
    this.#drawUnderDevices(context, shown);
    surroundings.drawWalls(context, view, world.walls, world.selectedWall);
    surroundings.drawPeople(context, view, world.people);
    for (const beacon of world.beacons.values()) if (beacon.isPlaced) drawBeacon(context, view, beacon);
    for (const anchor of world.anchors.values()) if (anchor.isPlaced) drawAnchor(context, view, anchor);
    const lines = this.#drawLinks(context, shown);
    for (const { id, believes } of world.devices.values()) {
      if (believes && shown.has(id)) drawBelief(context, view, believes, shown.get(id));
    }
    if (world.detail) marks.drawBeliefs(context, view, world.detail.sessions);
    this.#drawDevices(context, shown);
    this.#drawLabels(context, shown, lines);
    this.overlay?.draw(context, view);
    surroundings.drawScale(context, view);
    this.statistics.frames += 1;
    this.statistics.longest = Math.max(this.statistics.longest, performance.now() - began);
    return this.#keepPace(now, fraction < 1 && world.isMoving);
  }

  #isInView({ x, y }, margin) {
    const { view } = this;
    const left = view.x(x);
    const top = view.y(y);
    return left > -margin && top > -margin && left < view.width + margin && top < view.height + margin;
  }

  #drawUnderDevices(context, shown) {
    const { world, view, options, isCrowded } = this;
    for (const device of world.devices.values()) {
      const place = shown.get(device.id);
      if (!place) continue;
      const isSelected = device.id === world.selected;
      if (isCrowded && !isSelected) continue;
      if (options.trails) {
        marks.drawTrail(context, view, device.trail, world.t, isSelected ? colours.accent : colours.device);
      }
      if (options.cones && this.#isInView(place, 3 * view.scale)) {
        marks.drawCone(context, view, device, place, isSelected);
      }
    }
  }

  #drawLinks(context, shown) {
    const { world, view, options } = this;
    const lines = [];
    if (!options.links) return lines;
    for (const link of marks.mergedLinks(world.links)) {
      const from = shown.get(link.a);
      const to = shown.get(link.b);
      if (!from || !to) continue;
      const isStrong = link.a === world.selected || link.b === world.selected;
      lines.push({ link, from, to, isStrong });
    }
    marks.drawLinkLines(context, view, lines);
    return lines;
  }

  #drawDevices(context, shown) {
    const { world, view, isCrowded } = this;
    for (const device of world.devices.values()) {
      const place = shown.get(device.id);
      if (!place || device.id === world.selected || !this.#isInView(place, 30)) continue;
      marks.drawDevice(context, view, device, place, { isSelected: false, isSimple: isCrowded });
    }
    const selected = world.selectedDevice;
    const place = selected && shown.get(selected.id);
    if (!place) return;
    marks.drawDevice(context, view, selected, place, { isSelected: true, isSimple: false });
    marks.drawHandle(context, view, place);
  }

  #drawLabels(context, shown, lines) {
    const { world, view, options, isCrowded } = this;
    const labels = new marks.Labels(context, view.width, view.height);
    const size = marks.markSize(view);
    const offset = size + 18;
    if (!isCrowded) {
      for (const place of shown.values()) labels.addMark(view.x(place.x), view.y(place.y), size);
    }
    const isNamed = (id) => id === world.selected || id === this.hovered;
    for (const id of [world.selected, this.hovered]) {
      const place = shown.get(id);
      if (!place) continue;
      const name = called(world.devices.get(id));
      labels.add(name, view.x(place.x), view.y(place.y) + offset, { isNeeded: true, isBold: true });
    }
    // Distances of the selected device take precedence over names of other devices.
    for (const line of lines) if (line.isStrong) this.#labelLink(labels, line);
    if (!options.labels || isCrowded) return;
    for (const [id, place] of shown) {
      if (isNamed(id)) continue;
      const device = world.devices.get(id);
      const colour = device.on ? colours.text : colours["text-weak"];
      labels.add(called(device), view.x(place.x), view.y(place.y) + offset, { colour });
    }
    for (const { name, place, isPlaced } of world.beacons.values()) {
      if (!isPlaced) continue;
      const y = view.y(place[1]) - beaconSize(view) - 14;
      labels.add(cut(name, longestName), view.x(place[0]), y, { colour: colours.beacon });
    }
    for (const { name, place, isPlaced } of world.anchors.values()) {
      if (!isPlaced) continue;
      const y = view.y(place[1]) - anchorSize(view) - 14;
      labels.add(cut(name, longestName), view.x(place[0]), y, { colour: colours.anchor });
    }
    for (const line of lines) if (!line.isStrong) this.#labelLink(labels, line);
  }

  #labelLink(labels, { link, from, to, isStrong }) {
    const { view } = this;
    const text = isStrong ? strongText(link) : `${link.d.toFixed(1)} m${link.los ? "" : " NLoS"}`;
    labels.addOnLine(
      text, [view.x(from.x), view.y(from.y)], [view.x(to.x), view.y(to.y)],
      { colour: link.los ? colours.text : colours.nlos, isBold: isStrong });
  }

  #fitFirst() {
    if (!this.isWaitingToFit || this.view.width < 2) return;
    this.isWaitingToFit = false;
    this.fit();
  }

  #resized() {
    const { view, canvas } = this;
    view.width = canvas.clientWidth;
    view.height = canvas.clientHeight;
    if (view.isUntouched) this.fit();
    this.redraw();
  }
}

/** The value that the app received, and the truth. */
function strongText({ d, m, los }) {
  const text = m === null ? `${d.toFixed(2)} m` : `measured ${m.toFixed(2)} m, true ${d.toFixed(2)} m`;
  return los ? text : `${text} (NLoS)`;
}

/** A device's name and the line that its app shows, both cut. */
function called({ name, says }) {
  return says ? `${cut(name, longestName)}: ${cut(says, longestLine)}` : cut(name, longestName);
}

/** Cuts by characters, not by UTF-16 units, which could split one. */
function cut(text, most) {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join("").trimEnd()}…` : text;
}
