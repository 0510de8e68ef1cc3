// Mouse, pen and touch input on the plan.

import { anchorSize } from "./anchors.js";
import { beaconSize } from "./beacons.js";
import { degrees, distanceToSegment } from "./geometry.js";
import { handlePlace, markSize } from "./marks.js";
import { wallWidth } from "./surroundings.js";

/** Maximum movement of a click, pixels. */
const slack = 4;

export class Gestures {
  constructor(plan, world, moves, walls) {
    Object.assign(this, { plan, world, moves, walls });
    /** Positions of the pointers that are down, by id. */
    this.pointers = new Map();
    /** The current gesture: `{ kind, … }`. */
    this.action = null;
    const { canvas } = plan;
    canvas.addEventListener("pointerdown", (event) => this.#down(event));
    canvas.addEventListener("pointermove", (event) => this.#move(event));
    canvas.addEventListener("pointerup", (event) => this.#up(event));
    canvas.addEventListener("pointercancel", (event) => this.#up(event));
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener("dblclick", (event) => {
      const [x, y] = this.#point(event);
      if (!this.walls.isOn && !this.deviceAt(x, y, 16) && !this.wallAt(x, y, 5)) plan.fit();
    });
    canvas.addEventListener("pointerleave", () => this.#hover(null));
  }

  #point(event) {
    const box = this.plan.canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** The device under a point; `reach`, pixels, is larger for touch. */
  deviceAt(x, y, reach) {
    const { view } = this.plan;
    let best = null;
    let nearest = markSize(view) + reach;
    for (const device of this.world.devices.values()) {
      if (!device.isPlaced) continue;
      const shown = this.plan.shown(device);
      const distance = Math.hypot(view.x(shown.x) - x, view.y(shown.y) - y);
      // Prefer the selected device when several overlap.
      const preferred = device.id === this.world.selected ? distance - 6 : distance;
      if (preferred < nearest) [best, nearest] = [device, preferred];
    }
    return best;
  }

  beaconAt(x, y, reach) {
    const { view } = this.plan;
    let best = null;
    let nearest = beaconSize(view) + reach;
    for (const beacon of this.world.beacons.values()) {
      if (!beacon.isPlaced) continue;
      const distance = Math.hypot(view.x(beacon.place[0]) - x, view.y(beacon.place[1]) - y);
      if (distance < nearest) [best, nearest] = [beacon, distance];
    }
    return best;
  }

  anchorAt(x, y, reach) {
    const { view } = this.plan;
    let best = null;
    let nearest = anchorSize(view) + reach;
    for (const anchor of this.world.anchors.values()) {
      if (!anchor.isPlaced) continue;
      const distance = Math.hypot(view.x(anchor.place[0]) - x, view.y(anchor.place[1]) - y);
      if (distance < nearest) [best, nearest] = [anchor, distance];
    }
    return best;
  }

  wallAt(x, y, reach) {
    const { view } = this.plan;
    const [wx, wy] = [view.worldX(x), view.worldY(y)];
    let best = null;
    let nearest = Infinity;
    for (const wall of this.world.walls) {
      const distance = distanceToSegment(wx, wy, wall.from, wall.to) * view.scale;
      if (distance < wallWidth(view, wall.material) / 2 + reach && distance < nearest) {
        [best, nearest] = [wall, distance];
      }
    }
    return best;
  }

  #isOnHandle(x, y, reach) {
    const device = this.world.selectedDevice;
    if (!device?.isPlaced) return false;
    const [hx, hy] = handlePlace(this.plan.view, this.plan.shown(device));
    return Math.hypot(hx - x, hy - y) < 9 + reach;
  }

  #down(event) {
    const { canvas } = this.plan;
    const [x, y] = this.#point(event);
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, [x, y]);
    if (this.pointers.size === 2) {
      this.walls.cancelDrawing();
      this.action = { kind: "pinch", ...this.#pinch() };
    } else if (this.pointers.size === 1) {
      this.action = this.#begin(event, x, y);
    }
    event.preventDefault();
  }

  #begin(event, x, y) {
    const reach = event.pointerType === "touch" ? 16 : 5;
    const start = { x, y, hasMoved: false };
    if (event.button === 1) return { kind: "pan", ...start };
    if (this.walls.isOn) {
      this.walls.begin(x, y);
      return { kind: "wall", ...start };
    }
    const onHandle = this.#isOnHandle(x, y, reach);
    const device = onHandle ? this.world.selectedDevice : this.deviceAt(x, y, reach);
    if (device) {
      this.world.select(device.id);
      const [px, py] = this.moves.place(device);
      const { view } = this.plan;
      return {
        kind: onHandle ? "turn" : "drag", device: device.id, ...start,
        grip: [px - view.worldX(x), py - view.worldY(y)],
      };
    }
    const beacon = this.beaconAt(x, y, reach);
    if (beacon) return { kind: "beacon", beacon: beacon.id, ...start };
    const anchor = this.anchorAt(x, y, reach);
    if (anchor) return { kind: "anchor", anchor: anchor.id, ...start };
    return { kind: "pan", ...start, wall: this.wallAt(x, y, reach) };
  }

  #pinch() {
    const [[ax, ay], [bx, by]] = [...this.pointers.values()];
    return { middle: [(ax + bx) / 2, (ay + by) / 2], spread: Math.max(20, Math.hypot(ax - bx, ay - by)) };
  }

  #move(event) {
    const [x, y] = this.#point(event);
    if (!this.pointers.has(event.pointerId)) {
      this.#hover(event.pointerType === "mouse" ? [x, y] : null);
      return;
    }
    const [lastX, lastY] = this.pointers.get(event.pointerId);
    this.pointers.set(event.pointerId, [x, y]);
    const { action, plan } = this;
    if (!action) return;
    if (action.kind === "pinch") {
      this.#movePinch();
      return;
    }
    if (!action.hasMoved && Math.hypot(x - action.x, y - action.y) < slack) return;
    action.hasMoved = true;
    switch (action.kind) {
      case "pan":
        plan.view.pan(x - lastX, y - lastY);
        plan.redraw();
        break;
      case "drag": this.#drag(action, x, y); break;
      case "beacon": this.#dragBeacon(action, x, y); break;
      case "anchor": this.#dragAnchor(action, x, y); break;
      case "turn": this.#turn(action, x, y, event.shiftKey); break;
      case "wall": this.walls.stretch(x, y, event.shiftKey); break;
      default: break;
    }
  }

  #movePinch() {
    if (this.pointers.size < 2) return;
    const { action, plan } = this;
    const next = this.#pinch();
    plan.view.pan(next.middle[0] - action.middle[0], next.middle[1] - action.middle[1]);
    plan.view.zoom(next.spread / action.spread, next.middle[0], next.middle[1]);
    this.action = { kind: "pinch", ...next };
    plan.redraw();
  }

  #drag(action, x, y) {
    const device = this.world.devices.get(action.device);
    if (!device) return;
    const { view } = this.plan;
    this.moves.moveTo(device, view.worldX(x) + action.grip[0], view.worldY(y) + action.grip[1]);
  }

  #dragBeacon(action, x, y) {
    const beacon = this.world.beacons.get(action.beacon);
    const { view } = this.plan;
    if (beacon) this.moves.moveBeacon(beacon, view.worldX(x), view.worldY(y));
  }

  #dragAnchor(action, x, y) {
    const anchor = this.world.anchors.get(action.anchor);
    const { view } = this.plan;
    if (anchor) this.moves.moveAnchor(anchor, view.worldX(x), view.worldY(y));
  }

  #turn(action, x, y, inSteps) {
    const device = this.world.devices.get(action.device);
    if (!device) return;
    const { view } = this.plan;
    const [px, py] = this.moves.place(device);
    const heading = Math.atan2(x - view.x(px), view.y(py) - y) * degrees;
    this.moves.turnTo(device, { heading: inSteps ? Math.round(heading / 15) * 15 : heading });
  }

  #up(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    const { action } = this;
    if (action?.kind === "pinch") {
      // The remaining finger continues with a pan.
      const [rest] = this.pointers.values();
      this.action = rest ? { kind: "pan", x: rest[0], y: rest[1], hasMoved: true } : null;
      return;
    }
    this.action = null;
    if (!action) return;
    if (action.kind === "wall") {
      if (event.type === "pointercancel") this.walls.cancelDrawing(); else this.walls.end();
    } else if (action.kind === "pan" && !action.hasMoved) {
      this.#click(action.wall);
    }
  }

  #click(wall) {
    if (wall) {
      this.world.select(null);
      this.world.selectWall(wall.id);
    } else if (this.world.selectedWall !== null) {
      this.world.selectWall(null);
    }
  }

  #hover(point) {
    const { plan, world, walls } = this;
    const device = point && !walls.isOn ? this.deviceAt(point[0], point[1], 5) : null;
    const id = device?.id ?? null;
    if (point && walls.isOn) walls.hover(point[0], point[1]);
    const isHandle = point && !walls.isOn && this.#isOnHandle(point[0], point[1], 4);
    const isWall = point && !device && !walls.isOn && this.wallAt(point[0], point[1], 4) !== null;
    const isBeacon = point && !walls.isOn && this.beaconAt(point[0], point[1], 4) !== null;
    const isAnchor = point && !walls.isOn && this.anchorAt(point[0], point[1], 4) !== null;
    plan.canvas.dataset.cursor =
      walls.isOn ? "draw" : isHandle || device || isBeacon || isAnchor ? "grab" : isWall ? "pick" : "pan";
    if (id === plan.hovered) return;
    plan.hovered = id;
    // The plan cuts long names and lines, so the tooltip has them whole.
    plan.canvas.title = device ? [device.name, device.says].filter(Boolean).join(": ") : "";
    if (world.devices.size > 0) plan.redraw();
  }

  #wheel(event) {
    event.preventDefault();
    const [x, y] = this.#point(event);
    // Convert lines and pages to pixels.
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    const speed = event.ctrlKey ? 0.01 : 0.0018;
    this.plan.view.zoom(Math.exp(-Math.max(-400, Math.min(400, event.deltaY * unit)) * speed), x, y);
    this.plan.redraw();
  }
}
