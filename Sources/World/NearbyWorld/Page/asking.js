// Open permission questions and accessory pickers of all devices, with controls that answer them.

import { element, setHidden } from "./dom.js";
import { pickerControls, pickerKey, pickerTitle } from "./picking.js";

/** Maximum number of questions shown at once; the others follow as these are answered. */
const mostShown = 3;

const wishes = {
  nearby: "use nearby interactions", camera: "use the camera", bluetooth: "use Bluetooth",
  location: "know its location while it is in use", locationAlways: "know its location at any time",
};
const answers = [["denied", "Don’t allow"], ["allowedOnce", "Allow once"], ["allowed", "Allow"]];

export class Asking {
  constructor(world, orders, devices, announce) {
    Object.assign(this, { world, orders, devices, announce });
    this.banner = document.getElementById("asking");
    /** Keys of the questions in the banner, and of those that were announced. */
    this.shown = "";
    this.announced = new Set();
    /** Rows by their keys, so that a row in which a person types stays as it is. */
    this.rows = new Map();
    for (const name of ["state", "layout"]) world.on(name, () => this.#show());
  }

  #questions() {
    const found = [];
    for (const device of this.world.devices.values()) {
      for (const question of device.asks) {
        found.push({ device, question, key: `${device.id} ${device.name} ${question}` });
      }
      const { picker } = device;
      if (picker) found.push({ device, picker, key: `${device.id} ${device.name} ${pickerKey(picker)}` });
    }
    return found;
  }

  #show() {
    const open = this.#questions();
    const key = open.map((entry) => entry.key).join("\n");
    if (key === this.shown) return;
    this.shown = key;
    const shown = open.slice(0, mostShown);
    const made = new Map(shown.map((entry) => [entry.key, this.rows.get(entry.key) ?? this.#row(entry)]));
    for (const [known, row] of this.rows) if (!made.has(known)) row.remove();
    this.rows = made;
    const rows = [...made.values()];
    if (open.length > mostShown) {
      rows.push(element("p", { class: "more", text: `and ${open.length - mostShown} more questions` }));
    }
    this.#arrange(rows);
    setHidden(this.banner, open.length === 0);
    const fresh = open.filter((entry) => !this.announced.has(entry.key));
    this.announced = new Set(open.map((entry) => entry.key));
    if (fresh.length > 0) this.announce(fresh.map(title).join(" "));
  }

  /** Brings the rows into the banner in their order, without moving those in place: moving one loses the focus. */
  #arrange(rows) {
    for (const child of [...this.banner.children]) if (!rows.includes(child)) child.remove();
    rows.forEach((row, index) => {
      if (this.banner.children[index] !== row) this.banner.insertBefore(row, this.banner.children[index] ?? null);
    });
  }

  #row({ device, question, picker }) {
    const { id, name } = device;
    const text = title({ device, question, picker });
    const controls = picker
      ? pickerControls(picker, (reply) => this.orders.send({ do: "pick", device: id, picker: picker.number, ...reply }))
      : this.#answers(id, question);
    const show = element("button", { class: "quiet", type: "button", text: "Show", "aria-label": `Show ${name}` });
    show.addEventListener("click", () => this.devices.choose(id));
    const row = element(
      "div", { class: "question", role: "group", "aria-label": text },
      element("p", { text, title: name }), element("div", { class: "buttons" }, ...controls, show));
    row.dataset.question = question ?? "accessory";
    row.dataset.device = name;
    return row;
  }

  #answers(id, question) {
    // Bluetooth has no "allow once".
    const offered = answers.filter(([value]) => question !== "bluetooth" || value !== "allowedOnce");
    return offered.map(([value, label]) => {
      const button = element("button", { type: "button", text: label });
      button.dataset.answer = value;
      button.addEventListener("click", () => this.orders.send({ do: "answer", device: id, question, value }));
      return button;
    });
  }
}

function title({ device, question, picker }) {
  if (picker) return pickerTitle(device, picker);
  return `The app on ${device.name} asks to ${wishes[question] ?? question}.`;
}
