// Calls listeners in the order in which they were added.

export class Emitter {
  #listeners = new Map();

  on(name, listener) {
    const listeners = this.#listeners.get(name);
    if (listeners) listeners.push(listener); else this.#listeners.set(name, [listener]);
  }

  emit(name, value) {
    for (const listener of this.#listeners.get(name) ?? []) listener(value);
  }
}
