// The wall tool: draws walls by pointer or keyboard, and lists and deletes them.

import { element, formatNumber } from "./dom.js";
import { colours } from "./theme.js";

/** Distance within which walls' ends snap to others, pixels; elsewhere they snap to multiples of 10 cm. */
const attraction = 12;
const raster = 0.1;
const shortest = 0.1;

export class Walls {
  constructor(plan, world, orders, announce) {
    Object.assign(this, { plan, world, orders, announce });
    this.isOn = false;
    this.from = null;
    this.to = null;
    /** Position of the keyboard's cross, or `null` until a key is used. */
    this.cross = null;
    this.button = document.getElementById("wall-tool");
    this.bar = document.getElementById("wall-bar");
    this.material = document.getElementById("wall-material");
    this.height = document.getElementById("wall-height");
    this.list = document.getElementById("wall-list");
    this.button.addEventListener("click", () => this.toggle());
    document.getElementById("wall-done").addEventListener("click", () => this.toggle(false));
    document.getElementById("wall-delete").addEventListener("click", () => this.removeSelected());
    world.on("welcome", () => this.#fillMaterials());
    world.on("layout", () => this.#fillList());
    world.on("wall", () => this.#showSelection());
    world.on("layout", () => this.#showSelection());
    world.on("selection", () => this.#showSelection());
  }

  toggle(isOn = !this.isOn) {
    this.isOn = isOn;
    this.cancelDrawing();
    this.cross = null;
    this.button.setAttribute("aria-pressed", String(isOn));
    this.bar.hidden = !isOn;
    this.plan.overlay = isOn ? this : null;
    this.plan.canvas.dataset.cursor = isOn ? "draw" : "pan";
    this.announce(isOn ? "Wall tool on. Drag on the plan, or use the arrow keys and Enter." : "Wall tool off.");
    this.plan.redraw();
  }

  begin(x, y) {
    this.cross = null;
    this.from = this.#snapped(x, y);
    this.to = this.from;
    this.plan.redraw();
  }

  stretch(x, y, isStraight) {
    this.to = isStraight ? this.#straight(x, y) : this.#snapped(x, y);
    this.plan.redraw();
  }

  hover(x, y) {
    this.pointer = this.#snapped(x, y);
    this.plan.redraw();
  }

  end() {
    const { from, to } = this;
    this.cancelDrawing();
    if (!from || Math.hypot(to[0] - from[0], to[1] - from[1]) < shortest) return;
    const top = Number(this.height.value);
    const order = { do: "addWall", from, to, top: top > 0 ? top : 3, material: this.material.value };
    if (this.orders.send(order)) {
      this.announce(`Added a wall: ${this.material.value}, ${this.#length(from, to)}.`);
    }
  }

  cancelDrawing() {
    this.from = null;
    this.to = null;
    this.plan.redraw();
  }

  /** Moves the cross with the arrow keys, by 10 cm or 1 m. */
  moveCross(dx, dy) {
    const { view } = this.plan;
    const start = this.cross ?? this.pointer ?? [view.centre[0], view.centre[1]];
    this.cross = [onRaster(start[0] + dx), onRaster(start[1] + dy)];
    if (this.from) this.to = this.cross;
    view.reveal(this.cross[0], this.cross[1]);
    this.announce(`${formatNumber(this.cross[0], 1)}, ${formatNumber(this.cross[1], 1)} metres`);
    this.plan.redraw();
  }

  /** Enter sets one end of the wall, then the other. */
  putCross() {
    if (!this.cross) {
      this.moveCross(0, 0);
      return;
    }
    if (!this.from) {
      this.from = this.cross;
      this.to = this.cross;
      this.announce("First end set. Move with the arrow keys, then press Enter for the other end.");
    } else {
      this.end();
    }
    this.plan.redraw();
  }

  remove(id) {
    // Ignore a second click until the list is updated; it could hit a different wall.
    if (this.removed === this.world.walls || !this.orders.send({ do: "removeWall", id })) return;
    this.removed = this.world.walls;
    this.announce("Wall deleted.");
    if (this.world.selectedWall === id) this.world.selectWall(null);
  }

  removeSelected() {
    if (this.world.selectedWall !== null) this.remove(this.world.selectedWall);
  }

  draw(context, view) {
    const mark = this.cross ?? (this.from ? this.to : this.pointer);
    if (this.from) {
      context.strokeStyle = colours.accent;
      context.lineWidth = 5;
      context.lineCap = "round";
      context.beginPath();
      context.moveTo(view.x(this.from[0]), view.y(this.from[1]));
      context.lineTo(view.x(this.to[0]), view.y(this.to[1]));
      context.stroke();
      context.font = "600 13px system-ui, sans-serif";
      context.fillStyle = colours.text;
      context.textAlign = "center";
      context.fillText(
        this.#length(this.from, this.to), (view.x(this.from[0]) + view.x(this.to[0])) / 2,
        (view.y(this.from[1]) + view.y(this.to[1])) / 2 - 14);
    }
    if (mark) drawCross(context, view.x(mark[0]), view.y(mark[1]));
  }

  #length(from, to) { return `${Math.hypot(to[0] - from[0], to[1] - from[1]).toFixed(1)} m`; }

  #snapped(x, y) {
    const { view } = this.plan;
    for (const { from, to } of this.world.walls) {
      for (const [wx, wy] of [from, to]) {
        if (Math.hypot(view.x(wx) - x, view.y(wy) - y) < attraction) return [wx, wy];
      }
    }
    return [onRaster(view.worldX(x)), onRaster(view.worldY(y))];
  }

  /** Snaps the direction from the first end to multiples of 15°. */
  #straight(x, y) {
    const { view } = this.plan;
    const dx = view.worldX(x) - this.from[0];
    const dy = view.worldY(y) - this.from[1];
    const angle = Math.round(Math.atan2(dy, dx) / (Math.PI / 12)) * (Math.PI / 12);
    const length = onRaster(Math.hypot(dx, dy));
    return [this.from[0] + length * Math.cos(angle), this.from[1] + length * Math.sin(angle)];
  }

  #fillMaterials() {
    const chosen = this.material.value || "brick";
    this.material.replaceChildren(
      ...this.world.materials.map((name) => element("option", { value: name, text: name })));
    if (this.world.materials.includes(chosen)) this.material.value = chosen;
  }

  #fillList() {
    document.getElementById("wall-count").textContent = String(this.world.walls.length);
    const key = JSON.stringify(this.world.walls);
    if (key === this.listed) return;
    this.listed = key;
    this.list.replaceChildren(...this.world.walls.map((wall) => this.#row(wall)));
    if (this.world.walls.length === 0) this.list.append(element("li", { class: "empty", text: "No walls." }));
  }

  #row(wall) {
    const name = `${wall.material ?? "custom material"}, ${this.#length(wall.from, wall.to)}`;
    const choose = element("button", { class: "row", type: "button", text: name });
    choose.addEventListener("click", () => {
      this.world.select(null);
      this.world.selectWall(wall.id);
      const middle = [(wall.from[0] + wall.to[0]) / 2, (wall.from[1] + wall.to[1]) / 2];
      if (this.plan.view.reveal(...middle)) this.plan.redraw();
    });
    const remove = element("button", { class: "quiet", type: "button", text: "Delete" });
    remove.setAttribute("aria-label", `Delete wall ${name}`);
    remove.addEventListener("click", () => this.remove(wall.id));
    const row = element("li", {}, choose, remove);
    row.dataset.wall = wall.id;
    return row;
  }

  #showSelection() {
    const id = this.world.selectedWall;
    const wall = this.world.walls.find((candidate) => candidate.id === id);
    const bar = document.getElementById("wall-selected");
    bar.hidden = !wall;
    if (wall) {
      document.getElementById("wall-selected-text").textContent =
        `Wall: ${wall.material ?? "custom material"}, ${this.#length(wall.from, wall.to)}`;
    }
    for (const row of this.list.children) {
      row.classList.toggle("is-selected", wall !== undefined && row.dataset.wall === String(id));
    }
  }
}

function onRaster(value) { return Math.round(Math.round(value / raster) * raster * 1000) / 1000; }

function drawCross(context, x, y) {
  context.strokeStyle = colours.accent;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x - 11, y);
  context.lineTo(x + 11, y);
  context.moveTo(x, y - 11);
  context.lineTo(x, y + 11);
  context.stroke();
}
