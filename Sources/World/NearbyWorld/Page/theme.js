// The light, dark or system theme, and the style sheets' colours for use on canvases.

const choices = ["system", "light", "dark"];
const media = { system: "(prefers-color-scheme: dark)", light: "not all", dark: "all" };
const names = [
  "plan", "grid", "grid-strong", "text", "text-weak", "accent", "los", "nlos", "truth", "wall", "wall-glass",
  "wall-wood", "wall-metal", "floor", "person", "device", "device-off", "halo", "background-app", "sigma",
  "rssi", "suspended", "ended", "idle", "panel", "series-1", "series-2", "series-3", "series-4", "series-5",
  "series-6", "event-update", "event-remove", "event-convergence", "event-app", "beacon", "anchor", "warn",
];

/** Colours by their names in the style sheet: `colours["grid-strong"]`. */
export const colours = {};

const listeners = [];
export function onColours(listener) { listeners.push(listener); }

let choice = stored();

function stored() {
  try {
    const value = localStorage.getItem("theme");
    return choices.includes(value) ? value : "system";
  } catch {
    return "system";
  }
}

function read() {
  const style = getComputedStyle(document.documentElement);
  for (const name of names) colours[name] = style.getPropertyValue(`--${name}`).trim();
  for (const listener of listeners) listener();
}

function apply() {
  document.getElementById("dark-sheet").media = media[choice];
  document.documentElement.dataset.theme = choice;
  const button = document.getElementById("theme");
  button.setAttribute("aria-label", `Colours: ${choice}`);
  button.title = `Colours: ${choice}`;
  read();
}

/** Call once, after the document has loaded. */
export function startTheme() {
  document.getElementById("theme").addEventListener("click", () => {
    choice = choices[(choices.indexOf(choice) + 1) % choices.length];
    try {
      localStorage.setItem("theme", choice);
    } catch {
      // Without local storage, the choice lasts as long as the page.
    }
    apply();
  });
  matchMedia(media.system).addEventListener("change", read);
  apply();
}
