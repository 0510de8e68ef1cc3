// The list of devices: select, filter, add.

import { element, setHidden, setText } from "./dom.js";

/** Maximum number of rows; the filter finds the other devices. */
const shown = 60;

const byId = (id) => document.getElementById(id);

export class DeviceList {
  constructor(world, orders, plan, announce) {
    Object.assign(this, { world, orders, plan, announce });
    this.choice = byId("device-choice");
    this.list = byId("device-list");
    this.choice.addEventListener("change", () => {
      const { value } = this.choice;
      this.choose([...world.devices.keys()].find((id) => String(id) === value) ?? null);
    });
    byId("device-previous").addEventListener("click", () => this.step(-1));
    byId("device-next").addEventListener("click", () => this.step(1));
    byId("device-filter").addEventListener("input", () => this.#fillList());
    byId("add-device").addEventListener("submit", (event) => this.#add(event));
    world.on("welcome", () => this.#fillKinds());
    world.on("layout", () => this.#fill());
    world.on("selection", () => this.#showSelection());
    let last = 0;
    world.on("state", () => {
      const now = performance.now();
      if (now - last < 500) return;
      last = now;
      this.#showStates();
    });
  }

  /** Selects a device and scrolls the plan to it if necessary. */
  choose(id) {
    this.world.select(id);
    const device = this.world.selectedDevice;
    if (device?.isPlaced && this.plan.view.reveal(device.p[0], device.p[1])) this.plan.redraw();
  }

  step(direction) {
    this.world.selectNext(direction);
    this.choose(this.world.selected);
    const device = this.world.selectedDevice;
    if (device) this.announce(`${device.name} selected`);
  }

  #fill() {
    const devices = [...this.world.devices.values()];
    const key = devices.map(({ id, name, kind }) => `${id} ${name} ${kind}`).join("\n");
    if (key === this.listed) return;
    this.listed = key;
    this.choice.replaceChildren(
      element("option", { value: "", text: "No device selected" }),
      ...devices.map(({ id, name }) => element("option", { value: String(id), text: name })));
    setText(byId("device-count"), String(devices.length));
    this.#fillList();
  }

  #fillList() {
    const wanted = byId("device-filter").value.trim().toLowerCase();
    const found = [...this.world.devices.values()].filter(({ name }) => name.toLowerCase().includes(wanted));
    const rows = found.slice(0, shown).map((device) => this.#row(device));
    if (found.length > shown) {
      rows.push(element("li", { class: "empty", text: `and ${found.length - shown} more; type above to find one` }));
    }
    if (found.length === 0) {
      rows.push(element("li", { class: "empty", text: wanted === "" ? "No devices." : "No matches." }));
    }
    this.list.replaceChildren(...rows);
    this.#showSelection();
    this.#showStates();
  }

  #row(device) {
    const asks = element(
      "span", { class: "asks", text: "question", title: "Its app waits for an answer to a question" });
    setHidden(asks, !device.isAsking);
    const button = element(
      "button", { class: "row", type: "button" }, element("span", { class: "state" }),
      element("span", { class: "name", text: device.name, title: device.name }),
      asks, element("span", { class: "kind", text: device.kind }));
    button.addEventListener("click", () => this.choose(device.id));
    const row = element("li", {}, button);
    row.dataset.device = device.id;
    return row;
  }

  #showSelection() {
    const { selected } = this.world;
    const value = selected === null ? "" : String(selected);
    if (this.choice.value !== value) this.choice.value = value;
    for (const row of this.list.children) {
      const isSelected = row.dataset.device === value && value !== "";
      row.classList.toggle("is-selected", isSelected);
      row.querySelector("button")?.setAttribute("aria-pressed", String(isSelected));
    }
  }

  #showStates() {
    if (this.list.offsetParent === null) return;
    const devices = new Map([...this.world.devices.values()].map((device) => [String(device.id), device]));
    for (const row of this.list.children) {
      const device = devices.get(row.dataset.device);
      if (!device) continue;
      setHidden(row.querySelector(".asks"), !device.isAsking);
      const state = !device.on ? "off" : device.fg ? "on" : "background";
      const dot = row.querySelector(".state");
      if (dot.dataset.state === state) continue;
      dot.dataset.state = state;
      dot.title = { off: "not running", on: "in the foreground", background: "in the background" }[state];
    }
  }

  #fillKinds() {
    byId("add-kind").replaceChildren(
      ...this.world.kinds.map((kind) => element("option", { value: kind, text: kind })));
  }

  #add(event) {
    event.preventDefault();
    const field = byId("add-name");
    const name = field.value.trim();
    if (name === "") return;
    if ([...this.world.devices.values()].some((device) => device.name === name)) {
      this.announce(`A device named ${name} already exists.`, true);
      return;
    }
    const [x, y] = this.plan.view.centre.map((value) => Math.round(value * 10) / 10);
    if (!this.orders.send({ do: "addDevice", name, kind: byId("add-kind").value, p: [x, y, 1.2] })) return;
    field.value = "";
    this.announce(`${name} added.`);
  }
}
