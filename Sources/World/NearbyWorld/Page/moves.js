// Moves and turns devices: shown at once, sent often, and finally replaced by the server's state.

import { clamp, wrapped } from "./geometry.js";

const lowest = -20;
const highest = 100;

export class Moves {
  constructor(world, orders) {
    this.world = world;
    this.orders = orders;
  }

  /** A device's position: where it is being dragged to, or else its last known position. */
  place(device) { return device.held?.p ?? device.p; }

  heading(device) { return device.held?.heading ?? device.heading; }

  /** Rejects moves without a connection, because only this page would show them. */
  #isPossible() {
    const { isOpen } = this.orders.connection;
    if (!isOpen) this.orders.refuse();
    return isOpen;
  }

  moveTo(device, x, y, z = this.place(device)[2]) {
    if (!this.#isPossible()) return;
    const p = [round(x), round(y), round(clamp(z, lowest, highest))];
    this.world.hold(device.id, { p });
    this.orders.sendOften({ do: "place", device: device.id, p });
  }

  moveBeacon(beacon, x, y) {
    if (!this.#isPossible()) return;
    const p = [round(x), round(y), beacon.place[2]];
    this.world.holdBeacon(beacon.id, p);
    this.orders.sendOften({ do: "placeBeacon", beacon: beacon.id, p });
  }

  moveAnchor(anchor, x, y) {
    if (!this.#isPossible()) return;
    const p = [round(x), round(y), anchor.place[2]];
    this.world.holdAnchor(anchor.id, p);
    this.orders.sendOften({ do: "placeAnchor", anchor: anchor.id, p });
  }

  moveBy(device, dx, dy, dz = 0) {
    const [x, y, z] = this.place(device);
    this.moveTo(device, x + dx, y + dy, z + dz);
  }

  turnTo(device, change) {
    if (!this.#isPossible()) return;
    const held = device.held ?? {};
    const heading = change.heading ?? held.heading ?? device.heading;
    const pitch = clamp(change.pitch ?? held.pitch ?? device.pitch, -90, 90);
    const roll = wrapped(change.roll ?? held.roll ?? device.roll);
    const turned = { heading: Math.round(wrapped(heading) * 10) / 10, pitch, roll };
    this.world.hold(device.id, turned);
    this.orders.sendOften({ do: "turn", device: device.id, ...turned });
  }

  turnBy(device, degrees) { this.turnTo(device, { heading: this.heading(device) + degrees }); }
}

/** Rounds to millimetres. */
function round(metres) { return Math.round(metres * 1000) / 1000; }
