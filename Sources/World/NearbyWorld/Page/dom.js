// Helpers for building and updating the document.

/** `element("li", { class: "row", text: "…", type: "button" }, …children)` */
export function element(tag, { class: name, text, ...attributes } = {}, ...children) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** Sets the text only if it differs, which avoids needless layout. */
export function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

export function setHidden(target, isHidden) {
  if (target.hidden !== isHidden) target.hidden = isHidden;
}

/** Sets a control's value unless the user is editing it. */
export function setValue(control, value) {
  if (document.activeElement === control && control.matches("input[type=number], input[type=text]")) return;
  if (control.dataset.busy) return;
  if (control.value !== String(value)) control.value = value;
}

export function setChecked(control, isChecked) {
  if (!control.dataset.busy && control.checked !== isChecked) control.checked = isChecked;
}

/**
 * Keeps the user's setting of a control for a moment, until the server has had time to apply it. Otherwise a
 * switch would flip back for the duration of a round trip.
 */
export function keepForNow(control) {
  clearTimeout(Number(control.dataset.busy || 0));
  control.dataset.busy = String(setTimeout(() => { delete control.dataset.busy; }, 350));
}

/** Formats a number with a typographic minus and without "-0". */
export function formatNumber(value, digits) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const text = value.toFixed(digits);
  if (Number(text) === 0) return text.replace("-", "");
  return text.replace("-", "−");
}

/** Formats a time of the world, seconds, as minutes and seconds with tenths. */
export function formatTime(t) {
  const whole = Math.floor(t / 60);
  const seconds = t - whole * 60;
  return `${whole}:${seconds.toFixed(1).padStart(4, "0")}`;
}

/** Starts the download of a file. */
export function download(name, type, content) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Tabs following the ARIA pattern: arrow keys move between them. */
export class Tabs {
  constructor(list, shown = () => {}) {
    this.tabs = [...list.querySelectorAll("[role=tab]")];
    this.shown = shown;
    for (const tab of this.tabs) {
      tab.addEventListener("click", () => this.show(tab.id));
      tab.addEventListener("keydown", (event) => this.#key(event));
    }
  }

  get current() { return this.tabs.find((tab) => tab.getAttribute("aria-selected") === "true")?.id; }

  show(id) {
    for (const tab of this.tabs) {
      const isCurrent = tab.id === id;
      tab.setAttribute("aria-selected", String(isCurrent));
      tab.tabIndex = isCurrent ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !isCurrent;
    }
    this.shown(id);
  }

  #key(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined) return;
    const index = this.tabs.indexOf(event.currentTarget);
    const next = this.tabs[(index + step + this.tabs.length) % this.tabs.length];
    this.show(next.id);
    next.focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
