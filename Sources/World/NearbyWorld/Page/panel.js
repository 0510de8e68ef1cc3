// The selected device: its pose, its app's life cycle, its user's answers, its radio and camera.

import { element, formatNumber, keepForNow, setChecked, setHidden, setText, setValue } from "./dom.js";
import { compass } from "./geometry.js";

const answers = [
  ["notDetermined", "Not determined"], ["allowedOnce", "Allowed once"], ["allowed", "Allowed"],
  ["denied", "Denied"],
];
const standing = [["", "Ask on this page"], ...answers.filter(([value]) => value !== "notDetermined")];

const byId = (id) => document.getElementById(id);

export class DevicePanel {
  constructor(world, orders, moves, announce) {
    Object.assign(this, { world, orders, moves, announce });
    this.#fillSelects();
    this.#connectSwitches();
    this.#connectPose();
    world.on("selection", () => this.show());
    world.on("layout", () => this.show());
    world.on("device", () => this.#showDetail());
    world.on("state", () => this.#showPose());
    world.on("held", () => this.#showPose());
    this.show();
  }

  show() {
    const device = this.world.selectedDevice;
    setHidden(byId("device-body"), device === undefined);
    if (!device) return;
    setHidden(byId("camera-conditions"), !device.hasCamera);
    this.#showPose();
    this.#showDetail();
  }

  /** Asks for confirmation, because removing the device ends its program. */
  remove() {
    const device = this.world.selectedDevice;
    if (!device) return;
    if (!confirm(`Remove ${device.name} from the world? Its program will end.`)) return;
    if (this.orders.send({ do: "removeDevice", device: device.id })) this.announce(`${device.name} removed.`);
  }

  toggleForeground() {
    const device = this.world.selectedDevice;
    if (!device) return;
    const value = !byId("foreground").checked;
    if (!this.orders.send({ do: "foreground", device: device.id, value })) return;
    byId("foreground").checked = value;
    keepForNow(byId("foreground"));
    this.announce(`${device.name}: app in the ${value ? "foreground" : "background"}`);
  }

  #fillSelects() {
    const options = (pairs) => pairs.map(([value, text]) => element("option", { value, text }));
    byId("permission").replaceChildren(...options(answers));
    byId("camera-permission").replaceChildren(...options(answers));
    byId("location-permission").replaceChildren(...options(answers));
    // Bluetooth has no "allow once".
    byId("bluetooth-permission").replaceChildren(
      ...options(answers.filter(([value]) => value !== "allowedOnce")));
    byId("standing-answer").replaceChildren(...options(standing));
  }

  #send(control, order) {
    const device = this.world.selected;
    if (device === null || !this.orders.send({ device, ...order })) {
      this.#showDetail();
      return;
    }
    keepForNow(control);
  }

  #connectSwitches() {
    byId("device-remove").addEventListener("click", () => this.remove());
    for (const name of ["foreground", "radio", "bluetooth", "features"]) {
      const control = byId(name);
      control.addEventListener("change", () => this.#send(control, { do: name, value: control.checked }));
    }
    for (const id of ["permission", "camera-permission", "bluetooth-permission", "location-permission"]) {
      const control = byId(id);
      control.addEventListener("change", () => this.#send(
        control, { do: "answer", question: control.dataset.question, value: control.value }));
    }
    const standingAnswer = byId("standing-answer");
    standingAnswer.addEventListener("change", () => this.#send(
      standingAnswer, { do: "standingAnswer", value: standingAnswer.value || null }));
    for (const name of ["light", "loss"]) {
      const control = byId(name);
      control.addEventListener("input", () => {
        keepForNow(control);
        this.#showConditionValues();
        const device = this.world.selected;
        if (device !== null) this.orders.sendOften({ do: name, device, value: Number(control.value) });
      });
    }
  }

  #connectPose() {
    const withDevice = (control, action) => control.addEventListener("input", () => {
      const device = this.world.selectedDevice;
      const value = Number(control.value);
      if (!device || control.value === "" || !Number.isFinite(value)) return;
      keepForNow(control);
      action(device, value);
    });
    withDevice(byId("place-x"), (device, x) => this.moves.moveTo(device, x, this.moves.place(device)[1]));
    withDevice(byId("place-y"), (device, y) => this.moves.moveTo(device, this.moves.place(device)[0], y));
    withDevice(byId("height"), (device, z) => {
      const [x, y] = this.moves.place(device);
      this.moves.moveTo(device, x, y, z);
    });
    for (const name of ["heading", "pitch", "roll"]) {
      withDevice(byId(name), (device, value) => this.moves.turnTo(device, { [name]: value }));
    }
  }

  #showPose() {
    const device = this.world.selectedDevice;
    if (!device?.isPlaced) return;
    const held = device.held ?? {};
    const [x, y, z] = held.p ?? device.p;
    const heading = compass(held.heading ?? device.heading);
    const pitch = Math.round(held.pitch ?? device.pitch);
    const roll = Math.round(held.roll ?? device.roll);
    setValue(byId("place-x"), x.toFixed(2));
    setValue(byId("place-y"), y.toFixed(2));
    const height = byId("height");
    const most = String(Math.max(3, Math.ceil(z)));
    const least = String(Math.min(0, Math.floor(z)));
    if (height.max !== most) height.max = most;
    if (height.min !== least) height.min = least;
    setValue(height, z.toFixed(2));
    setText(byId("height-value"), `${formatNumber(z, 2)} m`);
    setValue(byId("heading"), heading);
    setText(byId("heading-value"), `${heading}°`);
    setValue(byId("pitch"), pitch);
    setText(byId("pitch-value"), `${formatNumber(pitch, 0)}°`);
    setValue(byId("roll"), roll);
    setText(byId("roll-value"), `${formatNumber(roll, 0)}°`);
  }

  #showDetail() {
    const device = this.world.selectedDevice;
    const { detail } = this.world;
    if (!device) return;
    this.#showTags(device, detail);
    if (!detail) return;
    setChecked(byId("foreground"), detail.foreground);
    setValue(byId("permission"), detail.permission);
    setValue(byId("camera-permission"), detail.cameraPermission);
    setValue(byId("bluetooth-permission"), detail.bluetoothPermission);
    setValue(byId("location-permission"), detail.locationPermission);
    setValue(byId("standing-answer"), detail.standingAnswer ?? "");
    setChecked(byId("radio"), detail.radio);
    setChecked(byId("bluetooth"), detail.bluetooth);
    setChecked(byId("features"), detail.features);
    setValue(byId("light"), Math.round(detail.light));
    setValue(byId("loss"), detail.loss);
    this.#showConditionValues();
  }

  #showConditionValues() {
    setText(byId("light-value"), `${byId("light").value} lm`);
    setText(byId("loss-value"), `${Math.round(Number(byId("loss").value) * 100)} %`);
  }

  #showTags(device, detail) {
    const program = detail?.program;
    const tags = [
      [device.kind, ""],
      [program ? `program ${program}` : device.on ? "running" : "not running", device.on ? "good" : "weak"],
      [device.fg ? "foreground" : "background", device.fg ? "" : "warn"],
    ];
    if (detail && !detail.radio) tags.push(["radio off", "bad"]);
    if (detail && !detail.bluetooth) tags.push(["Bluetooth off", "bad"]);
    if (detail?.permission === "denied") tags.push(["not permitted", "bad"]);
    if (device.isAsking) tags.push(["question", "warn"]);
    const key = JSON.stringify(tags);
    if (key === this.tagged) return;
    this.tagged = key;
    byId("device-tags").replaceChildren(...tags.map(([text, tone]) => {
      const tag = element("span", { class: "tag", text, title: text });
      tag.dataset.tone = tone;
      return tag;
    }));
  }
}
