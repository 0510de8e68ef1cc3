// Creates and connects the parts of the page.

import { AnchorList, ExpectedLayer } from "./anchors.js";
import { Asking } from "./asking.js";
import { BeaconList } from "./beacons.js";
import { Clock } from "./clock.js";
import { DeviceList } from "./devices.js";
import { AppDisplay } from "./display.js";
import { download, setHidden, Tabs } from "./dom.js";
import { Gestures } from "./gestures.js";
import { JoinHint } from "./join.js";
import { Keyboard } from "./keyboard.js";
import { World } from "./model.js";
import { Moves } from "./moves.js";
import { announce, ConnectionNotice, toast } from "./notices.js";
import { Orders } from "./orders.js";
import { DevicePanel } from "./panel.js";
import { Plan } from "./plan.js";
import { Plots } from "./plots.js";
import { Sessions } from "./sessions.js";
import { Connection } from "./socket.js";
import { startTheme } from "./theme.js";
import { Timeline } from "./timeline.js";
import { UCITable } from "./uci.js";
import { Walls } from "./walls.js";

const byId = (id) => document.getElementById(id);
const version = 1;
const token = new URLSearchParams(location.search).get("token") ?? "";

export const world = new World();
export const connection = new Connection(socketAddress());
export const orders = new Orders(connection, (text) => announce(text, true));
export const plan = new Plan(byId("plan"), world);
export const moves = new Moves(world, orders);
export const walls = new Walls(plan, world, orders, announce);
export const gestures = new Gestures(plan, world, moves, walls);
const panel = new DevicePanel(world, orders, moves, announce);
const devices = new DeviceList(world, orders, plan, announce);
export const sessions = new Sessions(world);
export const display = new AppDisplay(world);
new BeaconList(world, orders, plan);
new AnchorList(world, orders, plan);
export const expected = new ExpectedLayer(world, orders, plan);
plan.layer = expected;
new Asking(world, orders, devices, announce);
new JoinHint(world, token, announce);
const clock = new Clock(world, orders, announce);

const dock = new Tabs(document.querySelector("#dock [role=tablist]"), refreshDock);
const side = new Tabs(document.querySelector("#side [role=tablist]"));
const span = () => Number(byId("window").value);
const isDockShown = (id) => dock.current === id && !byId("dock-body").hidden;
export const plots = new Plots(world, () => isDockShown("tab-plots"), span);
const timeline = new Timeline(byId("timeline"), world, () => isDockShown("tab-timeline"), span);
export const uci = new UCITable(world, () => isDockShown("tab-uci"));
new Keyboard({ world, plan, moves, walls, devices, panel, clock, dock, announce });
new ConnectionNotice(connection);

connection.on("message", (message) => world.receive(message));
world.on("welcome", checkVersion);
world.on("selection", (id) => {
  // A device that the page selects by itself must not take away a panel in use.
  const isInUse = !world.hasChosen && byId("panel-world").contains(document.activeElement);
  if (id !== null && !isInUse) side.show("tab-device");
  watch();
});
// After a reconnect, the server must be told again what this page watches.
world.on("layout", () => { if (connection.isOpen) watchAgain(); });
world.on("state", () => setHidden(byId("legend-person"), world.people.length === 0));
world.on("fault", (text) => announce(text, true));
world.on("saved", (scenario) => {
  download("world.json", "application/json", scenario);
  announce("Scenario saved.");
});
byId("save").addEventListener("click", () => orders.send({ do: "save" }));
byId("window").addEventListener("change", () => refreshDock());
byId("dock-toggle").addEventListener("click", toggleDock);
byId("zoom-in").addEventListener("click", () => zoom(1.25));
byId("zoom-out").addEventListener("click", () => zoom(0.8));
byId("zoom-fit").addEventListener("click", () => plan.fit());
for (const name of ["links", "cones", "trails", "labels"]) {
  const button = byId(`toggle-${name}`);
  button.addEventListener("click", () => {
    const isOn = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(isOn));
    plan.setOption(name, isOn);
  });
}
startTheme();
uci.rebuild();
timeline.refresh();
remember();
connection.open();

/** Keeps the selected device when the page is reloaded. */
function remember() {
  const key = "selected device";
  try {
    world.selectedName = sessionStorage.getItem(key);
    world.on("selection", () => {
      if (world.selectedName === null) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, world.selectedName);
    });
  } catch {
    // Without session storage, nothing is selected after a reload.
  }
}

function socketAddress() {
  const address = new URL("/socket", location.href);
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  address.search = new URLSearchParams({ token });
  return address.href;
}

function watch() {
  connection.send({ do: "watch", device: world.selected, uci: world.selected !== null });
  connection.watched = { socket: connection.socket, device: world.selected };
}

function watchAgain() {
  const { watched } = connection;
  if (watched?.socket !== connection.socket || watched?.device !== world.selected) watch();
}

function checkVersion() {
  if (world.version !== version) {
    toast(`The server uses version ${world.version} of the page's protocol, this page version ${version}. `
      + "Reload the page.");
  }
}

function refreshDock() {
  if (isDockShown("tab-plots")) plots.refresh();
  if (isDockShown("tab-timeline")) timeline.refresh();
  if (isDockShown("tab-uci")) uci.rebuild();
}

function toggleDock() {
  const body = byId("dock-body");
  body.hidden = !body.hidden;
  const button = byId("dock-toggle");
  button.setAttribute("aria-expanded", String(!body.hidden));
  document.body.classList.toggle("dock-folded", body.hidden);
  refreshDock();
}

function zoom(factor) {
  plan.view.zoom(factor);
  plan.redraw();
}
