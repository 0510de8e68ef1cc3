// Bounded histories of links and devices, dropped together with their subjects.

import { NumberRing } from "./ring.js";

/** Two minutes at ten samples per second. */
const samples = 1200;
const apart = 0.09;
/** Longer than the longest window of the plots, so that a link that ended stays in them until it scrolls out. */
const forgottenAfter = 130;

export const column = { t: 0, told: 1, truth: 2, sigma: 3, rssi: 4, los: 5 };

/** Measured values of every link over time, by its two devices. */
export class LinkHistory {
  #rings = new Map();

  clear() { this.#rings.clear(); }

  /** The history of the values that `a`'s app received about `b`. */
  of(a, b) { return this.#rings.get(`${a} ${b}`)?.ring; }

  /** The peers of which `a`'s app received values at `since` or later, in the order of their first values. */
  peers(a, since) {
    const found = [];
    for (const { a: own, b, last } of this.#rings.values()) if (own === a && last >= since) found.push(b);
    return found;
  }

  add(t, links) {
    for (const link of links) {
      const key = `${link.a} ${link.b}`;
      let entry = this.#rings.get(key);
      if (!entry) {
        entry = { a: link.a, b: link.b, ring: new NumberRing(samples, 6), last: -Infinity };
        this.#rings.set(key, entry);
      }
      if (t - entry.last < apart) continue;
      entry.last = t;
      entry.ring.push(t, link.m ?? NaN, link.d ?? NaN, link.s ?? NaN, link.rssi ?? NaN, link.los ? 1 : 0);
    }
  }

  /** Drops links that ended a while ago. */
  tidy(t) {
    for (const [key, entry] of this.#rings) if (t - entry.last > forgottenAfter) this.#rings.delete(key);
  }
}

/** A device's recent path, as points that are a minimum distance apart. */
export class Trail {
  constructor() {
    this.ring = new NumberRing(160, 3);
  }

  add(t, x, y) {
    const { ring } = this;
    if (ring.length > 0) {
      const moved = Math.hypot(x - ring.last(1), y - ring.last(2));
      if (moved < 0.06 || (t - ring.last(0) < 0.15 && moved < 1)) return;
    }
    ring.push(t, x, y);
  }

  clear() { this.ring.clear(); }
}
