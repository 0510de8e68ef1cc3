// Open permission questions of all devices, with buttons that answer them.

import { element, setHidden } from "./dom.js";

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
    for (const name of ["state", "layout"]) world.on(name, () => this.#show());
  }

  #questions() {
    const found = [];
    for (const device of this.world.devices.values()) {
      for (const question of device.asks) {
        found.push({ device, question, key: `${device.id} ${device.name} ${question}` });
      }
    }
    return found;
  }

  #show() {
    const open = this.#questions();
    const key = open.map((entry) => entry.key).join("\n");
    if (key === this.shown) return;
    this.shown = key;
    const rows = open.slice(0, mostShown).map((entry) => this.#row(entry));
    if (open.length > mostShown) {
      rows.push(element("p", { class: "more", text: `and ${open.length - mostShown} more questions` }));
    }
    this.banner.replaceChildren(...rows);
    setHidden(this.banner, open.length === 0);
    const fresh = open.filter((entry) => !this.announced.has(entry.key));
    this.announced = new Set(open.map((entry) => entry.key));
    if (fresh.length > 0) this.announce(fresh.map(title).join(" "));
  }

  #row({ device, question }) {
    const { id, name } = device;
    const text = title({ device, question });
    // Bluetooth has no "allow once".
    const offered = answers.filter(([value]) => question !== "bluetooth" || value !== "allowedOnce");
    const buttons = offered.map(([value, label]) => {
      const button = element("button", { type: "button", text: label });
      button.dataset.answer = value;
      button.addEventListener("click", () => this.orders.send({ do: "answer", device: id, question, value }));
      return button;
    });
    const show = element("button", { class: "quiet", type: "button", text: "Show", "aria-label": `Show ${name}` });
    show.addEventListener("click", () => this.devices.choose(id));
    const row = element(
      "div", { class: "question", role: "group", "aria-label": text },
      element("p", { text, title: name }), element("div", { class: "buttons" }, ...buttons, show));
    row.dataset.question = question;
    row.dataset.device = name;
    return row;
  }
}

function title({ device, question }) {
  return `The app on ${device.name} asks to ${wishes[question] ?? question}.`;
}
