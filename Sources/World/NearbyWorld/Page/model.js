// The last known state of the world, and the user's selection.

import { Anchor } from "./anchors.js";
import { Beacon } from "./beacons.js";
import { Emitter } from "./emitter.js";
import { attitude, wrapped } from "./geometry.js";
import { LinkHistory, Trail } from "./history.js";
import { Ring } from "./ring.js";

const eventsKept = 300;
/** Two minutes at ten per second; kept separately, because updates would push out other events. */
const updatesKept = 1200;
/** With more devices than this, only the selected device's updates are kept. */
const manyDevices = 60;
const packetsKept = 3000;
/** Milliseconds between two states, during which positions are interpolated. */
export const stateInterval = 50;

/** One device: its layout, its last two states, and the pose it is being dragged to. */
class Device {
  constructor(id) {
    this.id = id;
    this.p = [0, 0, 0];
    this.before = [0, 0, 0];
    this.heading = 0;
    this.headingBefore = 0;
    this.pitch = 0;
    this.roll = 0;
    this.q = null;
    this.on = false;
    this.fg = true;
    this.says = null;
    this.asks = [];
    this.picker = null;
    this.isPlaced = false;
    this.trail = new Trail();
    this.events = new Ring(eventsKept);
    this.updates = new Ring(updatesKept);
    /** The pose set by the user, shown until `until`: `{ p, heading, until }`. */
    this.held = null;
  }

  describe({ name, kind, fieldOfView, hasCamera }) {
    Object.assign(this, { name, kind, fieldOfView, hasCamera });
  }

  take(state, t, now) {
    if (!this.isPlaced) {
      this.before = [...state.p];
    } else {
      for (let axis = 0; axis < 3; axis += 1) this.before[axis] = this.p[axis];
    }
    this.p = state.p;
    if (!this.q || state.q.some((value, index) => value !== this.q[index])) {
      this.q = state.q;
      const { heading, pitch, roll } = attitude(state.q);
      this.headingBefore = this.isPlaced ? this.heading : heading;
      Object.assign(this, { heading, pitch, roll });
    } else {
      this.headingBefore = this.heading;
    }
    this.isPlaced = true;
    this.on = state.on;
    this.fg = state.fg;
    /** The line that its app shows, or `null` if it reports none. */
    this.says = state.says ?? null;
    /** Open permission questions, oldest first. */
    this.asks = state.asks ?? [];
    /** Where its app believes that it is: `{ p, ellipse }`, or `null`. */
    this.believes = state.believes ?? null;
    /** What its app's accessory picker asks, or `null`. */
    this.picker = state.picker ?? null;
    this.isMoving = this.heading !== this.headingBefore
      || this.p.some((value, axis) => Math.abs(value - this.before[axis]) > 1e-3);
    this.#release(now);
    this.trail.add(t, this.p[0], this.p[1]);
  }

  /** Whether its app waits for an answer of the person at the device. */
  get isAsking() { return this.asks.length > 0 || this.picker !== null; }

  /** Returns to the server's pose some time after the last order. */
  #release(now) {
    const { held } = this;
    if (!held || now < held.until) return;
    this.held = null;
  }

  /** The pose to draw: `fraction` of the way from the previous state to the last one. */
  shown(fraction) {
    const { held, before, p } = this;
    const place = held?.p;
    const x = place ? place[0] : before[0] + (p[0] - before[0]) * fraction;
    const y = place ? place[1] : before[1] + (p[1] - before[1]) * fraction;
    const turned = wrapped(this.heading - this.headingBefore);
    const heading = held?.heading ?? this.headingBefore + turned * fraction;
    return { x, y, heading };
  }
}

function isSameWall(a, b) {
  return a.from[0] === b.from[0] && a.from[1] === b.from[1] && a.to[0] === b.to[0] && a.to[1] === b.to[1]
    && a.bottom === b.bottom && a.top === b.top && a.material === b.material;
}

/**
 * Emits `welcome`, `layout`, `state`, `device`, `events`, `packets`, `saved`, `expected`, `fault`, `selection`, `reset`.
 */
export class World extends Emitter {
  constructor() {
    super();
    this.devices = new Map();
    this.beacons = new Map();
    this.anchors = new Map();
    this.walls = [];
    this.floors = [];
    this.links = [];
    this.people = [];
    this.kinds = [];
    this.materials = [];
    this.seed = null;
    /** Where programs join: `HOST:PORT`. */
    this.address = null;
    this.t = 0;
    this.rate = 1;
    this.stateAt = 0;
    this.history = new LinkHistory();
    this.packets = new Ring(packetsKept);
    this.selected = null;
    /** Kept by name, because IDs may change when the server restarts. */
    this.selectedName = null;
    /** Whether the user has selected or deselected anything, after which the page selects nothing by itself. */
    this.hasChosen = false;
    /** The last `device` message about the selected device. */
    this.detail = null;
    this.selectedWall = null;
    this.hasLayout = false;
  }

  get selectedDevice() { return this.devices.get(this.selected); }

  receive(message) {
    switch (message.type) {
      case "welcome": return this.#welcome(message);
      case "layout": return this.#layout(message);
      case "state": return this.#state(message);
      case "device": return this.#detail(message);
      case "events": return this.#events(message.events);
      case "uci": return this.#packets(message);
      case "saved": return this.emit("saved", message.scenario);
      case "expected": return this.emit("expected", message);
      case "error": return this.emit("fault", message.message);
      default: return undefined;
    }
  }

  select(id) {
    this.hasChosen = true;
    this.#setSelection(id);
  }

  #setSelection(id) {
    if (id === this.selected) return;
    this.selected = id;
    this.selectedName = this.devices.get(id)?.name ?? null;
    this.detail = null;
    this.packets.clear();
    if (id !== null) this.selectedWall = null;
    this.emit("selection", id);
  }

  selectWall(id) {
    this.hasChosen = true;
    this.selectedWall = id;
    this.emit("wall", id);
  }

  /** Selects the next (`step` 1) or the previous (-1) device, in the layout's order. */
  selectNext(step) {
    const ids = [...this.devices.keys()];
    if (ids.length === 0) return;
    const index = ids.indexOf(this.selected);
    const next = index < 0 ? (step > 0 ? 0 : ids.length - 1) : (index + step + ids.length) % ids.length;
    this.select(ids[next]);
  }

  /** Shows a device at the pose set by the user, until `duration` milliseconds after the last call. */
  hold(id, change, duration = 400) {
    const device = this.devices.get(id);
    if (!device) return;
    device.held = { ...device.held, ...change, until: performance.now() + duration };
    this.emit("held", id);
  }

  holdBeacon(id, p, duration = 400) {
    const beacon = this.beacons.get(id);
    if (!beacon) return;
    beacon.held = { p, until: performance.now() + duration };
    this.emit("held", null);
  }

  holdAnchor(id, p, duration = 400) {
    const anchor = this.anchors.get(id);
    if (!anchor) return;
    anchor.held = { p, until: performance.now() + duration };
    this.emit("held", null);
  }

  /** Progress of the interpolation between the last two states, 0 to 1. */
  fraction(now) {
    return Math.min(1, Math.max(0, (now - this.stateAt) / stateInterval));
  }

  #welcome({ version, seed, kinds, materials, world: address = null }) {
    const isOther = this.seed !== null && this.seed !== seed;
    Object.assign(this, { version, seed, kinds, materials, address });
    if (isOther) this.#forget();
    this.emit("welcome");
  }

  #layout({ devices, beacons = [], anchors = [], walls, floors }) {
    const old = this.devices;
    this.devices = new Map();
    for (const entry of devices) {
      const known = old.get(entry.id);
      const device = known && known.name === entry.name ? known : new Device(entry.id);
      device.describe(entry);
      this.devices.set(entry.id, device);
    }
    this.beacons = new Map(beacons.map((entry) => {
      const beacon = this.beacons.get(entry.id) ?? new Beacon(entry.id);
      beacon.describe(entry);
      return [entry.id, beacon];
    }));
    this.anchors = new Map(anchors.map((entry) => {
      const anchor = this.anchors.get(entry.id) ?? new Anchor(entry.id);
      anchor.describe(entry);
      return [entry.id, anchor];
    }));
    const stood = this.walls.find((wall) => wall.id === this.selectedWall);
    const stands = walls.find((wall) => wall.id === this.selectedWall);
    // Walls keep their IDs, but a restarted server may have assigned this one to another wall.
    if (!stood || !stands || !isSameWall(stood, stands)) this.selectedWall = null;
    this.walls = walls;
    this.floors = floors;
    this.#selectAgain();
    const isFirst = !this.hasLayout;
    this.hasLayout = true;
    this.emit("layout", { isFirst });
  }

  #selectAgain() {
    if (this.selectedName === null) return;
    const found = [...this.devices.values()].find((device) => device.name === this.selectedName);
    const id = found?.id ?? null;
    if (id === this.selected) return;
    this.selected = id;
    this.detail = null;
    if (id === null) this.selectedName = null;
    this.emit("selection", id);
  }

  #state({ t, rate, devices, beacons = [], anchors = [], links, people }) {
    if (t < this.t - 0.5) this.#forget();
    const now = performance.now();
    Object.assign(this, { t, rate, links, people, stateAt: now });
    this.isMoving = false;
    for (const state of devices) {
      const device = this.devices.get(state.id);
      if (!device) continue;
      device.take(state, t, now);
      this.isMoving ||= device.isMoving;
    }
    for (const state of beacons) this.beacons.get(state.id)?.take(state, now);
    for (const state of anchors) this.anchors.get(state.id)?.take(state, now);
    this.history.add(t, links);
    if (Math.floor(t) % 10 === 0) this.history.tidy(t);
    if (this.selected === null && !this.hasChosen) this.#selectRanging();
    this.emit("state");
  }

  /** Selects the first device that ranges, so that a newcomer sees its radar and plots at once. */
  #selectRanging() {
    const ranging = new Set(this.links.filter(({ m }) => m !== null).map(({ a }) => a));
    for (const id of this.devices.keys()) if (ranging.has(id)) return this.#setSelection(id);
    return undefined;
  }

  #detail(message) {
    if (message.id !== this.selected) return;
    this.detail = message;
    this.emit("device");
  }

  #events(events) {
    const keepsAll = this.devices.size <= manyDevices;
    for (const event of events) {
      const device = this.devices.get(event.device);
      if (event.kind !== "didUpdate") device?.events.push(event);
      else if (keepsAll || event.device === this.selected) device?.updates.push(event);
    }
    this.emit("events", events);
  }

  #packets({ device, packets }) {
    // Packets of the previously watched device may still be in flight.
    if (device !== this.selected) return;
    for (const packet of packets) this.packets.push(packet);
    this.emit("packets");
  }

  /** Clears the history after the world was restarted, because its times would lie in the future. */
  #forget() {
    this.history.clear();
    this.packets.clear();
    for (const device of this.devices.values()) {
      device.trail.clear();
      device.events.clear();
      device.updates.clear();
      device.isPlaced = false;
    }
    this.emit("reset");
  }
}
