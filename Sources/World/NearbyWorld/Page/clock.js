// Controls of the world's clock: pause, step, speed.

import { element, formatTime, keepForNow, setText } from "./dom.js";

export class Clock {
  constructor(world, orders, announce) {
    Object.assign(this, { world, orders, announce });
    this.time = document.getElementById("time");
    this.button = document.getElementById("pause");
    this.speed = document.getElementById("speed");
    this.stepSize = document.getElementById("step-size");
    this.button.addEventListener("click", () => this.toggle());
    document.getElementById("step").addEventListener("click", () => this.step());
    this.speed.addEventListener("change", () => this.#setSpeed());
    world.on("state", () => this.#show());
  }

  get isPaused() { return this.world.rate === 0; }

  toggle() {
    const value = this.isPaused ? Number(this.speed.value) : 0;
    if (!this.orders.send({ do: "rate", value })) return;
    this.announce(value === 0 ? "World paused" : "World resumed");
  }

  step() {
    const seconds = Number(this.stepSize.value);
    if (this.orders.send({ do: "step", seconds })) this.announce(`Advanced by ${seconds} s`);
  }

  /** Sets the speed. A paused world stays paused and uses the new speed once it is resumed. */
  #setSpeed() {
    if (this.isPaused) return;
    this.orders.send({ do: "rate", value: Number(this.speed.value) });
    keepForNow(this.speed);
  }

  #show() {
    setText(this.time, formatTime(this.world.t));
    if (this.shownRate === this.world.rate) return;
    this.shownRate = this.world.rate;
    const { isPaused } = this;
    this.button.classList.toggle("is-paused", isPaused);
    const label = isPaused ? "Resume" : "Pause";
    this.button.setAttribute("aria-label", label);
    this.button.title = `${label} (k)`;
    this.time.classList.toggle("is-paused", isPaused);
    if (!isPaused) this.#showSpeed();
  }

  #showSpeed() {
    const value = String(this.world.rate);
    if (this.speed.dataset.busy) {
      this.shownRate = null;
      return;
    }
    // Another viewer may have set a speed that is not in the list.
    if (![...this.speed.options].some((option) => option.value === value)) {
      this.speed.append(element("option", { value, text: `× ${value}` }));
    }
    this.speed.value = value;
  }
}
