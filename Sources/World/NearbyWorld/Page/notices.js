// Messages to the user: the connection's state, results, errors.

import { setHidden, setText } from "./dom.js";

const byId = (id) => document.getElementById(id);

/** Announces a text to screen readers; with `isShown` it also appears on the screen for a while. */
export function announce(text, isShown = false) {
  // Screen readers skip unchanged text, so make it differ.
  byId("announcer").textContent = byId("announcer").textContent === text ? `${text}\u00a0` : text;
  if (isShown) toast(text);
}

let toastTimer;

export function toast(text) {
  const place = byId("toast");
  place.textContent = text;
  place.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { place.hidden = true; }, 5000);
}

const reasons = {
  refused: "The server refused this page. Its token may have changed: open the address that it printed.",
};

/** The banner and the indicator in the bar. */
export class ConnectionNotice {
  constructor(connection) {
    this.connection = connection;
    this.wasOpen = false;
    connection.on("status", (status) => this.#show(status));
  }

  #show(status) {
    const { phase } = status;
    const pill = byId("connection");
    const words = { connecting: "connecting", open: "connected", lost: "connection lost" };
    pill.dataset.phase = phase;
    setText(pill, words[phase]);
    document.body.dataset.connection = phase;
    const isLost = phase === "lost";
    setHidden(byId("banner"), !isLost);
    if (isLost) {
      const lost = this.wasOpen
        ? "Connection lost. You're seeing the last known state; changes won't be sent."
        : "Can't reach the server.";
      setText(byId("banner-text"), reasons[status.reason] ?? lost);
      this.#countDown();
    } else if (phase === "open") {
      if (this.wasOpen) announce("Reconnected.");
      this.wasOpen = true;
    }
  }

  #countDown() {
    clearTimeout(this.timer);
    const { phase, retryAt } = this.connection.status;
    if (phase !== "lost") return;
    const left = Math.max(0, retryAt - performance.now());
    setText(byId("banner-detail"), left > 50 ? `Retrying in ${(left / 1000).toFixed(1)} s.` : "Retrying…");
    this.timer = setTimeout(() => this.#countDown(), 100);
  }
}
