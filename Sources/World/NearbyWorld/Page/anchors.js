// Anchors: their marks on the plan, their list with a menu of faults, and the layer of the expected error.

import { element, formatNumber, keepForNow, setChecked, setHidden, setText } from "./dom.js";
import { colours } from "./theme.js";

const byId = (id) => document.getElementById(id);

/** Height of a phone in a hand, for which the layer is computed, metres. */
const phoneHeight = 1.2;
/** Least time between two computations of the layer, milliseconds. */
const layerInterval = 400;
/** Expected errors up to which a cell is good, and from which it is bad, metres. */
const [goodError, badError] = [0.15, 1.5];

/** Each fault: its words, and the value that choosing it sets. */
const faults = [
  ["localTime", "stamps in its own time", 1], ["missedPolls", "misses every poll", 1],
  ["lateStamps", "stamps 2.5 m late", 2.5], ["wildStamps", "a fifth of its stamps wild", 0.2],
  ["wrappedStamps", "a tenth of its stamps wrapped", 0.1], ["shortStamps", "stamps of 40 bits", 1],
  ["noReplyTimes", "no reply times", 1], ["weak", "20 dB too weak", 20], ["lostFrames", "half of its frames lost", 0.5],
  ["missingFinals", "half of its finals missing", 0.5], ["missingRounds", "half of its rounds missing", 0.5],
  ["wrongSurvey", "surveyed 2 m too far east", 2],
];

/** One anchor: its identity, its last known position, and the position it is being dragged to. */
export class Anchor {
  constructor(id) {
    Object.assign(this, { id, p: [0, 0, 0], on: true, hops: null, says: null, faults: {}, isPlaced: false, held: null });
  }

  describe({ name, network, address, begins, answers }) {
    Object.assign(this, { name, network, address, begins, answers });
  }

  take({ p, on, hops, says = null, faults: present }, now) {
    this.hasMoved = this.isPlaced && p.some((value, axis) => value !== this.p[axis]);
    Object.assign(this, { p, on, hops, says, faults: present, isPlaced: true });
    if (this.held && now >= this.held.until) this.held = null;
  }

  get place() { return this.held?.p ?? this.p; }
  get hasFault() { return Object.keys(this.faults).length > 0; }
}

/** Half the side of an anchor's mark, pixels. */
export function anchorSize(view) { return Math.max(6, Math.min(10, 0.16 * view.scale)); }

/** A triangle, filled while it is on, with a badge while something is wrong with it; a line leads to where it says it is. */
export function drawAnchor(context, view, anchor) {
  const [x, y] = [view.x(anchor.place[0]), view.y(anchor.place[1])];
  const size = anchorSize(view);
  context.strokeStyle = anchor.on ? colours.anchor : colours["device-off"];
  context.fillStyle = anchor.on ? colours.anchor : colours.plan;
  context.lineWidth = 2;
  if (anchor.says) {
    context.setLineDash([2, 3]);
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(view.x(anchor.says[0]), view.y(anchor.says[1]));
    context.stroke();
    context.setLineDash([]);
  }
  context.beginPath();
  context.moveTo(x, y - size);
  context.lineTo(x + size, y + size * 0.8);
  context.lineTo(x - size, y + size * 0.8);
  context.closePath();
  context.fill();
  context.stroke();
  if (!anchor.hasFault) return;
  context.beginPath();
  context.arc(x + size, y - size, 4.5, 0, 2 * Math.PI);
  context.fillStyle = colours.warn;
  context.fill();
}

/** Where an app believes that its device is: one standard deviation, a cross, and a line to the device. */
export function drawBelief(context, view, { p, ellipse: [major, minor, heading] }, shown) {
  const [x, y] = [view.x(p[0]), view.y(p[1])];
  context.strokeStyle = colours.sigma;
  context.fillStyle = colours.sigma;
  context.lineWidth = 1.5;
  context.beginPath();
  context.ellipse(
    x, y, Math.max(3, major * view.scale), Math.max(3, minor * view.scale), (heading - 90) * Math.PI / 180, 0,
    2 * Math.PI);
  context.globalAlpha = 0.2;
  context.fill();
  context.globalAlpha = 1;
  context.stroke();
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(view.x(shown.x), view.y(shown.y));
  context.moveTo(x - 5, y - 5);
  context.lineTo(x + 5, y + 5);
  context.moveTo(x + 5, y - 5);
  context.lineTo(x - 5, y + 5);
  context.stroke();
}

/** The error that the anchors of one network let expect, as coloured cells. */
export class ExpectedLayer {
  constructor(world, orders, plan) {
    Object.assign(this, { world, orders, plan, grid: null, isOn: false, askedAt: -Infinity, isStale: false });
    this.button = byId("toggle-expected");
    this.button.addEventListener("click", () => this.toggle());
    world.on("expected", (grid) => this.#take(grid));
    world.on("layout", () => {
      setHidden(this.button, world.anchors.size === 0);
      this.#expire();
    });
    world.on("state", () => this.#follow());
    world.on("reset", () => this.#expire());
  }

  toggle() {
    this.isOn = !this.isOn;
    this.button.setAttribute("aria-pressed", String(this.isOn));
    setHidden(byId("legend-expected"), !this.isOn);
    this.grid = null;
    this.#expire();
    this.#follow();
    this.plan.redraw();
  }

  #expire() { this.isStale = true; }

  /** Asks again after an anchor was moved, switched or changed, and when walls changed. */
  #follow() {
    const { world } = this;
    const key = [...world.anchors.values()].map(({ p, on, faults: present }) => `${p} ${on} ${present.weak ?? 0} ${present.lostFrames ?? 0}`)
      .join(" ");
    if (key !== this.key) this.#expire();
    this.key = key;
    const now = performance.now();
    if (!this.isOn || !this.isStale || now - this.askedAt < layerInterval) return;
    const network = [...world.anchors.values()][0]?.network;
    if (network === undefined || !this.orders.connection.isOpen) return;
    this.orders.connection.send({ do: "expected", network, height: phoneHeight });
    this.askedAt = now;
    this.isStale = false;
  }

  #take(grid) {
    if (!this.isOn) return;
    this.grid = grid;
    const known = grid.sigma.filter((value) => value !== null).sort((a, b) => a - b);
    const middle = known.length > 0 ? `${formatNumber(known[known.length >> 1], 2)} m` : "none";
    setText(byId("legend-expected-text"), `expected error, median ${middle}`);
    this.plan.redraw();
  }

  draw(context, view) {
    if (!this.isOn || !this.grid) return;
    const { low, step, columns, sigma } = this.grid;
    const side = step * view.scale + 0.5;
    context.globalAlpha = 0.35;
    for (let cell = 0; cell < sigma.length; cell += 1) {
      if (sigma[cell] === null) continue;
      const x = view.x(low[0] + (cell % columns) * step);
      const y = view.y(low[1] + (Math.floor(cell / columns) + 1) * step);
      context.fillStyle = errorColour(sigma[cell]);
      context.fillRect(x, y, side, side);
    }
    context.globalAlpha = 1;
  }
}

/** From green for a small error over yellow to red, by the logarithm. */
export function errorColour(metres) {
  const share = Math.log(metres / goodError) / Math.log(badError / goodError);
  return `hsl(${Math.round(130 * (1 - Math.max(0, Math.min(1, share))))} 75% 50%)`;
}

/** The list of anchors by name, each with a power switch and a menu of faults, and the form that adds one. */
export class AnchorList {
  constructor(world, orders, plan) {
    Object.assign(this, { world, orders, plan });
    this.list = byId("anchor-list");
    world.on("layout", () => this.#fill());
    world.on("state", () => this.#showStates());
    byId("anchor-form").addEventListener("submit", (event) => this.#add(event));
  }

  #fill() {
    const anchors = [...this.world.anchors.values()];
    setHidden(byId("legend-anchor"), anchors.length === 0);
    setText(byId("anchor-count"), String(anchors.length));
    const key = anchors.map(({ id, name, address }) => `${id} ${name} ${address}`).join("\n");
    if (key === this.listed) return;
    this.listed = key;
    if (anchors.length > 0) byId("anchor-network").value = anchors[0].network;
    this.list.replaceChildren(...anchors.map((anchor) => this.#row(anchor)));
  }

  #row({ id, name, network, address, begins, answers, on }) {
    const rounds = [begins === null ? "" : `begins ${begins}`, answers.length > 0 ? `answers ${answers.join(", ")}` : ""];
    const choose = element(
      "button", { class: "row", type: "button", title: `${name}: address ${address} of network ${network}` },
      element("span", { class: "name", text: name }),
      element("span", { class: "kind", text: rounds.filter(Boolean).join(" · ") }));
    choose.addEventListener("click", () => {
      const anchor = this.world.anchors.get(id);
      if (anchor && this.plan.view.reveal(anchor.place[0], anchor.place[1])) this.plan.redraw();
    });
    const control = element("input", { type: "checkbox", role: "switch", "aria-label": `Power of ${name}` });
    control.checked = on;
    control.addEventListener("change", () => {
      if (this.orders.send({ do: "anchor", anchor: id, value: control.checked })) keepForNow(control);
    });
    const row = element(
      "li", { class: "anchor" }, choose, this.#menu(id, name), element("label", { class: "switch small" }, control));
    row.dataset.anchor = id;
    return row;
  }

  #menu(id, name) {
    const menu = element("select", { class: "faults", "aria-label": `Faults of ${name}` });
    menu.append(
      element("option", { value: "", text: "works" }),
      ...faults.map(([fault, words]) => element("option", { value: fault, text: words })));
    menu.addEventListener("change", () => {
      const present = Object.keys(this.world.anchors.get(id)?.faults ?? {});
      for (const fault of present) this.orders.send({ do: "anchorFault", anchor: id, fault, value: 0 });
      const chosen = faults.find(([fault]) => fault === menu.value);
      if (chosen) this.orders.send({ do: "anchorFault", anchor: id, fault: chosen[0], value: chosen[2] });
      keepForNow(menu);
    });
    return menu;
  }

  #showStates() {
    if (this.list.offsetParent === null) return;
    for (const row of this.list.children) {
      const anchor = this.world.anchors.get(Number(row.dataset.anchor));
      if (!anchor) continue;
      setChecked(row.querySelector("input"), anchor.on);
      const menu = row.querySelector("select");
      const present = Object.keys(anchor.faults)[0] ?? "";
      if (!menu.dataset.busy && document.activeElement !== menu && menu.value !== present) menu.value = present;
    }
  }

  #add(event) {
    event.preventDefault();
    const name = byId("anchor-name");
    const { view } = this.plan;
    const p = [view.worldX(view.width / 2), view.worldY(view.height / 2)].map((value) => Math.round(value * 10) / 10);
    const isSent = this.orders.send(
      { do: "addAnchor", name: name.value, network: Number(byId("anchor-network").value), p: [...p, 2.5] });
    if (isSent) name.value = "";
  }
}
