// UCI traffic between the watched device's host and chip: a table with a filter, and a download.

import { download, element, formatNumber, setHidden, setText } from "./dom.js";
import { fromHex, pcapng } from "./pcapng.js";

/** Maximum number of rows in the table; the download contains all stored packets. */
const shownRows = 250;
const least = 150;

export class UCITable {
  constructor(world, isVisible) {
    this.world = world;
    this.isVisible = isVisible;
    this.body = document.querySelector("#uci-table tbody");
    this.scroll = document.getElementById("uci-scroll");
    this.filterField = document.getElementById("uci-filter");
    this.kind = document.getElementById("uci-kind");
    this.follow = document.getElementById("uci-follow");
    /** Number of packets that the table has processed. */
    this.seen = 0;
    this.wakeAt = 0;
    this.filterField.addEventListener("input", () => this.rebuild());
    this.kind.addEventListener("change", () => this.rebuild());
    this.follow.addEventListener("change", () => this.#update());
    document.getElementById("uci-clear").addEventListener("click", () => {
      world.packets.clear();
      this.rebuild();
    });
    document.getElementById("uci-download").addEventListener("click", () => this.#download());
    this.body.addEventListener("click", (event) => this.#toggle(event.target.closest("tr")));
    this.body.addEventListener("keydown", (event) => this.#key(event));
    // Scrolling up stops following new packets; scrolling down to the end resumes.
    this.scrolledTo = 0;
    this.scroll.addEventListener("wheel", (event) => {
      if (event.deltaY < 0) this.follow.checked = false; else this.#resumeAtEnd();
    }, { passive: true });
    this.scroll.addEventListener("scroll", () => {
      const { scrollTop } = this.scroll;
      if (scrollTop > this.scrolledTo) this.#resumeAtEnd();
      this.scrolledTo = scrollTop;
    }, { passive: true });
    world.on("packets", () => this.#schedule());
    world.on("selection", () => this.rebuild());
    world.on("reset", () => this.rebuild());
  }

  /** Follows new packets again if the end is in view, but not while a packet is open: it would scroll away. */
  #resumeAtEnd() {
    const { scrollTop, clientHeight, scrollHeight } = this.scroll;
    if (this.follow.checked || scrollTop + clientHeight < scrollHeight - 2) return;
    if (this.body.querySelector(".detail")) return;
    this.follow.checked = true;
    this.#update();
  }

  rebuild() {
    const isNone = this.world.selected === null;
    setHidden(document.getElementById("uci-none"), !isNone);
    setHidden(document.getElementById("uci-body"), isNone);
    this.body.replaceChildren();
    this.seen = 0;
    this.matches = 0;
    this.test = matcher(this.filterField.value, this.kind.value);
    this.#update();
  }

  #schedule() {
    if (this.timer !== undefined || !this.isVisible()) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.#update();
    }, least);
  }

  #update() {
    if (!this.isVisible() || !this.follow.checked) {
      this.#count();
      return;
    }
    const { packets } = this.world;
    const fresh = Math.min(packets.total - this.seen, packets.length);
    const rows = [];
    for (let index = packets.length - fresh; index < packets.length; index += 1) {
      const packet = packets.at(index);
      if (!this.test(packet)) continue;
      this.matches += 1;
      rows.push(packet);
    }
    this.seen = packets.total;
    this.body.append(...rows.slice(-shownRows).map(row));
    while (this.body.children.length > shownRows) this.body.firstElementChild.remove();
    if (rows.length > 0) this.scroll.scrollTop = this.scroll.scrollHeight;
    if (!this.body.querySelector("[tabindex='0']")) this.body.firstElementChild?.setAttribute("tabindex", "0");
    this.#count();
  }

  #count() {
    const { packets } = this.world;
    const dropped = packets.total - packets.length;
    const text = `${packets.length} packets${dropped > 0 ? `, ${dropped} older ones dropped` : ""}`;
    setText(document.getElementById("uci-count"), text);
  }

  #toggle(target) {
    if (!target?.dataset.hex) return;
    const next = target.nextElementSibling;
    if (next?.classList.contains("detail")) {
      next.remove();
      target.setAttribute("aria-expanded", "false");
      return;
    }
    const text = `${target.dataset.text}\n${dump(target.dataset.hex)}`.trim();
    const cell = element("td", { colspan: "5" }, element("pre", { text }));
    target.after(element("tr", { class: "detail" }, cell));
    target.setAttribute("aria-expanded", "true");
    this.follow.checked = false;
  }

  /** Only one row is in the tab order; arrow keys move between rows. */
  #key(event) {
    const target = event.target.closest("tr");
    if (event.key === "Enter" || event.key === " ") {
      this.#toggle(target);
      event.preventDefault();
      return;
    }
    let next = { ArrowUp: "previousElementSibling", ArrowDown: "nextElementSibling" }[event.key];
    if (!next || !target) return;
    this.follow.checked = false;
    next = target[next];
    if (next?.classList.contains("detail")) {
      next = event.key === "ArrowUp" ? next.previousElementSibling : next.nextElementSibling;
    }
    if (next) {
      for (const other of this.body.querySelectorAll("[tabindex='0']")) other.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #download() {
    const { world } = this;
    const test = matcher(this.filterField.value, this.kind.value);
    const name = world.selectedDevice?.name ?? "device";
    download(`${name}.pcapng`, "application/octet-stream", pcapng(name, world.packets.filter(test)));
  }
}

/** Removes module names. */
function readable(text) { return text.replace(/\bUCI\.(?:UCI)?(?=[A-Z])/g, ""); }

function row(packet) {
  const octets = packet.hex.length >> 1;
  const text = readable(packet.text);
  const made = element(
    "tr", { tabindex: "-1", "aria-expanded": "false", class: packet.host ? "from-host" : "from-chip" },
    element("td", { class: "number", text: formatNumber(packet.t, 3) }),
    element("td", { text: packet.host ? "host" : "chip" }),
    element("td", { class: "name", text: packet.name }),
    element("td", { class: "content", text }),
    element("td", { class: "number", text: String(octets) }));
  made.dataset.hex = packet.hex;
  made.dataset.text = text;
  return made;
}

/** Matches packets that contain all words, and none prefixed by a minus; `kind` is the message type. */
export function matcher(text, kind) {
  const words = text.toLowerCase().replaceAll("−", "-").split(/\s+/).filter((word) => !["", "-"].includes(word));
  const wanted = words.filter((word) => !word.startsWith("-"));
  const unwanted = words.filter((word) => word.startsWith("-")).map((word) => word.slice(1));
  return (packet) => {
    if (kind !== "" && parseInt(packet.hex.slice(0, 2), 16) >> 5 !== Number(kind)) return false;
    if (words.length === 0) return true;
    const where = `${packet.host ? "host" : "chip"} ${packet.name} ${packet.text} ${packet.hex}`.toLowerCase();
    return wanted.every((word) => where.includes(word)) && !unwanted.some((word) => where.includes(word));
  };
}

/** Formats sixteen octets per line, each line with its offset. */
function dump(hex) {
  const octets = [...fromHex(hex)].map((octet) => octet.toString(16).padStart(2, "0"));
  const lines = [];
  for (let at = 0; at < octets.length; at += 16) {
    lines.push(`${at.toString(16).padStart(4, "0")}  ${octets.slice(at, at + 16).join(" ")}`);
  }
  return lines.join("\n");
}
