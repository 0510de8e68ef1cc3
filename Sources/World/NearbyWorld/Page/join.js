// The line that starts a program as a device, for an empty world and for a device without a program.

import { setHidden, setText } from "./dom.js";

const exampleName = "Anna";
const byId = (id) => document.getElementById(id);

export class JoinHint {
  constructor(world, token, announce) {
    Object.assign(this, { world, token, announce });
    byId("join-copy").addEventListener("click", () => this.#copy());
    for (const name of ["welcome", "layout", "state", "selection"]) world.on(name, () => this.show());
  }

  show() {
    const { world } = this;
    const device = world.selectedDevice;
    const isEmpty = world.hasLayout && world.devices.size === 0;
    const isIdle = device?.isPlaced === true && !device.on;
    setHidden(byId("stage-empty"), !isEmpty);
    setHidden(byId("device-none"), device !== undefined || isEmpty);
    setHidden(byId("join"), world.address === null || !(isEmpty || isIdle));
    if (!isEmpty && !isIdle) return;
    setText(byId("join-title"), isEmpty ? "No devices yet" : "Not running");
    setText(byId("join-text"), isEmpty
      ? "Start your program with this line; it becomes a device of this world. Choose any name:"
      : "No program runs this device. Start yours as this device with:");
    setText(byId("join-line"), this.line(device?.name ?? exampleName));
  }

  /** The line for a POSIX shell. */
  line(name) {
    const token = this.token === "" ? "" : ` NEARBY_TOKEN=${quoted(this.token)}`;
    return `NEARBY_WORLD=${quoted(reachable(this.world.address ?? ""))}${token} NEARBY_DEVICE=${quoted(name)} ./app`;
  }

  async #copy() {
    const code = byId("join-line");
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      // Browsers offer the clipboard only to secure pages; elsewhere, copy a selection.
      if (!copySelection(code)) {
        this.announce("Could not copy. The line is selected: copy it with Ctrl+C.", true);
        return;
      }
    }
    this.announce("Copied.", true);
  }
}

/** Replaces a wildcard address by the host that this page came from. */
function reachable(address) { return address.replace(/^(0\.0\.0\.0|\[::\])(?=:\d+$)/, location.hostname); }

function quoted(text) {
  return /^[\w.:@%+,/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function copySelection(target) {
  getSelection().selectAllChildren(target);
  return document.execCommand("copy");
}
