// Keyboard control of everything. Keys are ignored while a field has the focus.

import { element } from "./dom.js";

const step = 0.1;
const bigStep = 1;
const turn = 5;
const bigTurn = 45;
const panPixels = 60;

/** The keys as listed in the help. */
const described = [
  ["While the plan has the focus", [
    [["←", "↑", "→", "↓"], "move the selected device by 10 cm, with Shift by 1 m; without one, pan the view"],
    [["Q", "E"], "turn it by 5°, with Shift by 45°"],
    [["Page Up", "Page Down"], "move it up or down by 10 cm, with Shift by 1 m"],
    [["Enter"], "with the wall tool: set the first, then the second end of a wall"],
    [["Delete"], "delete the selected wall"],
  ]],
  ["Anywhere", [
    [["N", "P"], "select the next or the previous device"],
    [["B"], "move its app to the background or back to the foreground"],
    [["K"], "pause or resume the world"],
    [["."], "advance by one step"],
    [["W"], "wall tool"],
    [["F"], "fit everything in view"],
    [["+", "−"], "zoom"],
    [["1", "2", "3"], "show plots, calls or UCI packets"],
    [["G"], "focus the plan"],
    [["Esc"], "leave the tool, then clear the selection"],
    [["?"], "show this help"],
  ]],
];

const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class Keyboard {
  constructor(parts) {
    Object.assign(this, parts);
    this.help = document.getElementById("help-dialog");
    this.#fillHelp();
    document.getElementById("help").addEventListener("click", () => this.help.showModal());
    addEventListener("keydown", (event) => this.#key(event));
  }

  #key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    const { target } = event;
    if (event.key === "Escape") {
      this.#escape(target);
      return;
    }
    if (target.matches?.("input:not([type=checkbox]):not([type=range]), select, textarea")) return;
    const isOnPlan = target === this.plan.canvas;
    if ((isOnPlan && this.#planKey(event)) || this.#globalKey(event)) event.preventDefault();
  }

  #escape(target) {
    if (this.walls.from) this.walls.cancelDrawing();
    else if (this.walls.isOn) this.walls.toggle(false);
    else if (target.matches?.("input, select")) this.plan.canvas.focus();
    else if (this.world.selectedWall !== null) this.world.selectWall(null);
    else this.world.select(null);
  }

  #planKey(event) {
    const { key, shiftKey } = event;
    const arrow = arrows[key];
    if (arrow) {
      this.#arrow(arrow, shiftKey);
      return true;
    }
    if (key === "Enter" && this.walls.isOn) {
      this.walls.putCross();
      return true;
    }
    if (key === "Delete" || key === "Backspace") {
      this.walls.removeSelected();
      return true;
    }
    const device = this.world.selectedDevice;
    if (!device) return false;
    const angle = shiftKey ? bigTurn : turn;
    const height = shiftKey ? bigStep : step;
    switch (key) {
      case "q": case "Q": this.moves.turnBy(device, -angle); break;
      case "e": case "E": this.moves.turnBy(device, angle); break;
      case "PageUp": this.moves.moveBy(device, 0, 0, height); break;
      case "PageDown": this.moves.moveBy(device, 0, 0, -height); break;
      default: return false;
    }
    this.#announcePose(device);
    return true;
  }

  #arrow([dx, dy], isBig) {
    const length = isBig ? bigStep : step;
    const device = this.world.selectedDevice;
    if (this.walls.isOn) {
      this.walls.moveCross(dx * length, dy * length);
    } else if (device) {
      this.moves.moveBy(device, dx * length, dy * length);
      const [x, y] = this.moves.place(device);
      this.plan.view.reveal(x, y);
      this.#announcePose(device);
    } else {
      this.plan.view.pan(-dx * panPixels, dy * panPixels);
      this.plan.redraw();
    }
  }

  /** Announces a pose once no key was pressed for a moment, because a held key would flood the announcements. */
  #announcePose(device) {
    clearTimeout(this.poseTimer);
    this.poseTimer = setTimeout(() => {
      const [x, y, z] = this.moves.place(device);
      const heading = Math.round((this.moves.heading(device) + 360) % 360);
      this.announce(
        `${device.name}: ${x.toFixed(1)} east, ${y.toFixed(1)} north, ${z.toFixed(1)} high, heading ${heading}°`);
    }, 400);
  }

  #globalKey({ key }) {
    switch (key) {
      case "n": this.devices.step(1); break;
      case "p": this.devices.step(-1); break;
      case "b": this.panel.toggleForeground(); break;
      case "k": this.clock.toggle(); break;
      case ".": this.clock.step(); break;
      case "w": this.walls.toggle(); this.plan.canvas.focus(); break;
      case "f": this.plan.fit(); break;
      case "g": this.plan.canvas.focus(); break;
      case "+": case "=": this.#zoom(1.25); break;
      case "-": case "−": this.#zoom(0.8); break;
      case "1": this.dock.show("tab-plots"); break;
      case "2": this.dock.show("tab-timeline"); break;
      case "3": this.dock.show("tab-uci"); break;
      case "?": this.help.showModal(); break;
      default: return false;
    }
    return true;
  }

  #zoom(factor) {
    this.plan.view.zoom(factor);
    this.plan.redraw();
  }

  #fillHelp() {
    const groups = described.map(([title, rows]) => element(
      "section", {}, element("h3", { text: title }),
      element("dl", {}, ...rows.flatMap(([keys, text]) => [
        element("dt", {}, ...keys.map((key) => element("kbd", { text: key }))), element("dd", { text }),
      ]))));
    document.getElementById("keys").replaceChildren(...groups);
  }
}
