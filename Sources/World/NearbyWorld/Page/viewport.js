// The part of the world that the plan shows; converts between metres and pixels.

import { clamp } from "./geometry.js";

const least = 0.5;
const most = 400;

export class Viewport {
  constructor() {
    this.scale = 40;
    this.centre = [0, 0];
    this.width = 1;
    this.height = 1;
    /** Whether the user has not panned or zoomed yet, so that the plan may still be fitted automatically. */
    this.isUntouched = true;
  }

  x(x) { return this.width / 2 + (x - this.centre[0]) * this.scale; }
  y(y) { return this.height / 2 - (y - this.centre[1]) * this.scale; }
  worldX(x) { return this.centre[0] + (x - this.width / 2) / this.scale; }
  worldY(y) { return this.centre[1] - (y - this.height / 2) / this.scale; }

  pan(dx, dy) {
    this.isUntouched = false;
    this.centre = [this.centre[0] - dx / this.scale, this.centre[1] + dy / this.scale];
  }

  /** Zooms around the point at (x, y), pixels. */
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    this.isUntouched = false;
    const before = [this.worldX(x), this.worldY(y)];
    this.scale = clamp(this.scale * factor, least, most);
    this.centre = [
      this.centre[0] + before[0] - this.worldX(x), this.centre[1] + before[1] - this.worldY(y),
    ];
  }

  /** Shows all of `points`, with a margin. */
  fit(points) {
    if (points.length === 0) return;
    let [left, low] = [Infinity, Infinity];
    let [right, high] = [-Infinity, -Infinity];
    for (const [x, y] of points) {
      left = Math.min(left, x);
      right = Math.max(right, x);
      low = Math.min(low, y);
      high = Math.max(high, y);
    }
    const wide = Math.max(right - left, 4);
    const high2 = Math.max(high - low, 4);
    const margin = Math.min(56, this.width / 10);
    this.scale = clamp(
      Math.min((this.width - 2 * margin) / wide, (this.height - 2 * margin) / high2), least, most);
    this.centre = [(left + right) / 2, (low + high) / 2];
    this.isUntouched = true;
  }

  /** Scrolls until a point is at least `margin` pixels inside; returns whether that was necessary. */
  reveal(x, y, margin = 40) {
    const dx = this.x(x) - clamp(this.x(x), margin, this.width - margin);
    const dy = this.y(y) - clamp(this.y(y), margin, this.height - margin);
    if (dx === 0 && dy === 0) return false;
    this.centre = [this.centre[0] + dx / this.scale, this.centre[1] - dy / this.scale];
    return true;
  }
}
