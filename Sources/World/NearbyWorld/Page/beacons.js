// Beacons: their marks on the plan, and their list.

import { element, keepForNow, setChecked, setHidden, setText } from "./dom.js";
import { colours } from "./theme.js";

const byId = (id) => document.getElementById(id);

/** One beacon: its identity, its last known position, and the position it is being dragged to. */
export class Beacon {
  constructor(id) {
    Object.assign(this, { id, p: [0, 0, 0], on: true, isPlaced: false, held: null });
  }

  describe({ name, uuid, major, minor, power }) { Object.assign(this, { name, uuid, major, minor, power }); }

  take({ p, on }, now) {
    Object.assign(this, { p, on, isPlaced: true });
    if (this.held && now >= this.held.until) this.held = null;
  }

  /** Its position on the plan: where it is being dragged to, or else its last known position. */
  get place() { return this.held?.p ?? this.p; }
}

/** Radius of a beacon's mark, pixels. */
export function beaconSize(view) { return Math.max(6, Math.min(10, 0.16 * view.scale)); }

export function drawBeacon(context, view, beacon) {
  const [x, y] = [view.x(beacon.place[0]), view.y(beacon.place[1])];
  const size = beaconSize(view);
  context.strokeStyle = beacon.on ? colours.beacon : colours["device-off"];
  context.fillStyle = beacon.on ? colours.beacon : colours.plan;
  context.lineWidth = 2;
  context.beginPath();
  context.arc(x, y, size * 0.6, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
  if (!beacon.on) return;
  for (const side of [0, Math.PI]) {
    context.beginPath();
    context.arc(x, y, size * 1.35, side - 0.7, side + 0.7);
    context.stroke();
  }
}

/** The list of beacons by name, each with a power switch. */
export class BeaconList {
  constructor(world, orders, plan) {
    Object.assign(this, { world, orders, plan });
    this.list = byId("beacon-list");
    world.on("layout", () => this.#fill());
    world.on("state", () => this.#showStates());
  }

  #fill() {
    const beacons = [...this.world.beacons.values()];
    setHidden(byId("beacons-card"), beacons.length === 0);
    setHidden(byId("legend-beacon"), beacons.length === 0);
    setText(byId("beacon-count"), String(beacons.length));
    const key = beacons.map(({ id, name }) => `${id} ${name}`).join("\n");
    if (key === this.listed) return;
    this.listed = key;
    this.list.replaceChildren(...beacons.map((beacon) => this.#row(beacon)));
  }

  #row({ id, name, uuid, major, minor, power, on }) {
    const choose = element(
      "button", { class: "row", type: "button", title: `${name}: ${uuid}, ${power} dBm at 1 m` },
      element("span", { class: "name", text: name }),
      element("span", { class: "kind", text: `${major} · ${minor}` }));
    choose.addEventListener("click", () => {
      const beacon = this.world.beacons.get(id);
      if (beacon && this.plan.view.reveal(beacon.place[0], beacon.place[1])) this.plan.redraw();
    });
    const control = element("input", { type: "checkbox", role: "switch", "aria-label": `Power of ${name}` });
    control.checked = on;
    control.addEventListener("change", () => {
      if (this.orders.send({ do: "beacon", beacon: id, value: control.checked })) keepForNow(control);
    });
    const row = element("li", {}, choose, element("label", { class: "switch small" }, control));
    row.dataset.beacon = id;
    return row;
  }

  #showStates() {
    if (this.list.offsetParent === null) return;
    for (const row of this.list.children) {
      const beacon = this.world.beacons.get(Number(row.dataset.beacon));
      if (beacon) setChecked(row.querySelector("input"), beacon.on);
    }
  }
}
