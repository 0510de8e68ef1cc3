// The connection to the server. It reports losses and reconnects automatically.

import { Emitter } from "./emitter.js";

const firstDelay = 250;
const longestDelay = 2000;
/** States arrive 20 times a second, so silence for this long, ms, means that the connection is lost. */
const silence = 4000;

/**
 * Emits `message` with an object, and `status` with `{ phase, retryAt, reason }`. `phase` is "connecting",
 * "open" or "lost"; `retryAt` is in terms of `performance.now()`.
 */
export class Connection extends Emitter {
  constructor(address) {
    super();
    this.address = address;
    this.status = { phase: "connecting", retryAt: null, reason: null };
    this.attempts = 0;
    this.lastHeard = 0;
    setInterval(() => this.#listen(), 1000);
    addEventListener("online", () => this.#tryNow());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.#tryNow(); });
  }

  get isOpen() { return this.status.phase === "open"; }

  open() {
    clearTimeout(this.timer);
    this.timer = undefined;
    const socket = new WebSocket(this.address, "nearby-world");
    this.socket = socket;
    this.lastHeard = performance.now();
    let wasOpen = false;
    socket.onopen = () => {
      wasOpen = true;
      this.lastHeard = performance.now();
    };
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      this.lastHeard = performance.now();
      this.#receive(event.data);
    };
    socket.onclose = () => {
      if (socket === this.socket) this.#lost(wasOpen);
    };
  }

  /** Returns whether the order was sent. Orders are not queued, because the world would have changed by then. */
  send(order) {
    if (!this.isOpen || this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(order));
    return true;
  }

  #receive(text) {
    let message;
    try {
      message = JSON.parse(text);
    } catch {
      return;
    }
    // The welcome marks the connection as open; a socket that closes before it counts as failed.
    if (!this.isOpen && message.type === "welcome") {
      this.attempts = 0;
      this.#setStatus({ phase: "open", retryAt: null, reason: null });
    }
    this.emit("message", message);
  }

  #lost(wasOpen) {
    const delay = Math.min(longestDelay, firstDelay * 2 ** this.attempts);
    this.attempts += 1;
    this.timer = setTimeout(() => this.open(), delay);
    this.#setStatus({ phase: "lost", retryAt: performance.now() + delay, reason: this.status.reason });
    if (!wasOpen) this.#askWhy();
  }

  /** Browsers hide why a socket was refused, so check whether the server still serves files. */
  async #askWhy() {
    let reason = "unreachable";
    try {
      const answer = await fetch("/favicon.svg", { cache: "no-store" });
      if (answer.ok) reason = "refused";
    } catch {
      reason = "unreachable";
    }
    if (this.status.phase === "lost") this.#setStatus({ ...this.status, reason });
  }

  #listen() {
    if (!this.isOpen || performance.now() - this.lastHeard < silence) return;
    const socket = this.socket;
    this.socket = undefined;
    socket.close();
    this.#lost(true);
  }

  #tryNow() {
    if (this.timer === undefined) return;
    this.open();
  }

  #setStatus(status) {
    this.status = status;
    this.emit("status", status);
  }
}
