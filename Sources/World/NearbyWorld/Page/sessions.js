// The sessions of the selected device's app: a choice of session, and its values next to the truth.

import { element, formatNumber, setHidden, setText } from "./dom.js";
import { angles, compass, degrees } from "./geometry.js";
import { Radar } from "./radar.js";

const verticals = {
  unknown: "unknown", same: "same height", above: "above", below: "below", aboveOrBelow: "above or below",
};

const byId = (id) => document.getElementById(id);

export class Sessions {
  constructor(world) {
    this.world = world;
    this.choice = byId("session-choice");
    /** Number of the session to show, or `null` to pick one. */
    this.chosen = null;
    this.radar = new Radar(byId("radar"), world, () => this.current);
    this.choice.addEventListener("change", () => {
      this.chosen = Number(this.choice.value);
      this.show();
    });
    world.on("device", () => this.show());
    world.on("selection", () => { this.chosen = null; });
  }

  get sessions() { return this.world.detail?.sessions ?? []; }

  get current() {
    const { sessions } = this;
    const chosen = sessions.find((session) => session.number === this.chosen);
    if (chosen) return chosen;
    const open = sessions.filter((session) => session.phase !== "ended");
    const first = open.find((session) => session.distance !== null) ?? open[0] ?? sessions.at(-1);
    // Stay with this session while it exists, so that the display does not jump.
    if (first?.distance != null) this.chosen = first.number;
    return first;
  }

  show() {
    const { current } = this;
    this.#fillChoice(current);
    setHidden(byId("session-none"), current !== undefined);
    setHidden(byId("session-body"), current === undefined);
    setHidden(this.choice, current === undefined);
    if (!current) return;
    this.#showHead(current);
    this.#showTold(current);
    this.#showTruth(current.truth ?? {});
    this.#showConvergence(current.reasons);
  }

  name(session) {
    const peer = this.world.devices.get(session.peer)?.name;
    return peer ? `Session ${session.number} · ${peer}` : `Session ${session.number}`;
  }

  #fillChoice(current) {
    const names = this.sessions.map((session) => `${session.number} ${this.name(session)}`).join("\n");
    if (names !== this.listed) {
      this.listed = names;
      this.choice.replaceChildren(...this.sessions.map((session) =>
        element("option", { value: String(session.number), text: this.name(session) })));
    }
    if (current && this.choice.value !== String(current.number)) this.choice.value = String(current.number);
  }

  #showHead(session) {
    setText(byId("told-distance"), session.distance === null ? "–" : `${formatNumber(session.distance, 2)} m`);
    const phase = byId("session-phase");
    setText(phase, session.phase);
    phase.dataset.phase = session.phase;
    const azimuth = session.direction ? angles(session.direction).azimuth : session.horizontalAngle;
    const arrow = byId("told-arrow");
    setText(arrow, azimuth === null ? "" : "↑");
    arrow.style.setProperty("transform", `rotate(${Math.round(azimuth ?? 0)}deg)`);
  }

  #showTold(session) {
    const { distance, distanceSigma, direction, directionSigma, horizontalAngle, vertical, place } = session;
    setText(byId("fact-distance"), withSigma(distance, distanceSigma, 2, " m"));
    const told = direction ? angles(direction) : null;
    setText(byId("fact-azimuth"), withSigma(told?.azimuth, directionSigma, 0, "°"));
    setText(byId("fact-elevation"), withSigma(told?.elevation, directionSigma, 0, "°"));
    setText(byId("fact-horizontal"), withSigma(horizontalAngle, null, 0, "°"));
    setText(byId("fact-vertical"), verticals[vertical] ?? "–");
    setText(byId("fact-place"), placeText(place, session.hypotheses?.length ?? 0));
    const azimuth = told ? told.azimuth : horizontalAngle;
    this.radar.canvas.setAttribute("aria-label", spoken(distance, azimuth));
  }

  #showTruth(truth) {
    setText(byId("true-distance"), withSigma(truth.distance, null, 2, " m"));
    setText(byId("true-azimuth"), withSigma(truth.azimuth, null, 0, "°"));
    setText(byId("true-elevation"), withSigma(truth.elevation, null, 0, "°"));
    setText(byId("true-los"), truth.los === undefined ? "–" : truth.los ? "yes" : "no");
    byId("true-los").dataset.los = String(truth.los);
    setText(byId("true-rssi"), withSigma(truth.rssi, null, 0, " dBm"));
    const rise = typeof truth.elevation === "number"
      ? truth.distance * Math.sin(truth.elevation / degrees) : null;
    setText(byId("true-vertical"), rise === null ? "–" : riseText(rise, truth, this.world, this.current));
    const peer = this.world.devices.get(this.current?.peer);
    setText(byId("true-place"), peer?.isPlaced ? coordinates(peer.p) : "–");
  }

  #showConvergence(reasons) {
    const state = reasons === null || reasons === undefined ? "none" : reasons.length === 0 ? "yes" : "no";
    const tag = byId("convergence");
    tag.dataset.converged = state;
    setText(tag, { none: "no convergence info", yes: "converged", no: "not converged" }[state]);
    setText(byId("reasons"), state === "no" ? reasons.map(words).join(", ") : "");
  }
}

/** Describes how much higher the peer is in the world, because the device may be tilted. */
function riseText(rise, truth, world, session) {
  const own = world.selectedDevice;
  const peer = world.devices.get(session?.peer);
  const metres = own?.isPlaced && peer?.isPlaced ? peer.p[2] - own.p[2] : rise;
  if (Math.abs(metres) < 0.005) return "same height";
  return `${formatNumber(Math.abs(metres), 2)} m ${metres > 0 ? "above" : "below"}`;
}

function withSigma(value, sigma, digits, unit) {
  if (value === null || value === undefined) return "–";
  const spread = sigma === null || sigma === undefined ? "" : ` ± ${formatNumber(sigma, digits)}`;
  return `${formatNumber(value, digits)}${spread}${unit}`;
}

function coordinates(p) { return p.map((value) => formatNumber(value, 1)).join(", "); }

function placeText(place, hypotheses) {
  if (place) return coordinates(place);
  return hypotheses > 0 ? `${hypotheses} hypotheses` : "–";
}

/** Turns `insufficientMovement` into "insufficient movement". */
function words(name) { return name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`); }

function spoken(distance, azimuth) {
  if (distance === null) return "Radar: no information about the peer";
  const where = azimuth === null ? "direction unknown"
    : `${compass(Math.abs(azimuth))} degrees to the ${azimuth < 0 ? "left" : "right"}`;
  return `Radar: peer at ${distance.toFixed(1)} metres, ${where}`;
}
