// Draws a site: its plan once, then its tags as they move. The plan's y axis points up; the picture's points down.

const SVG = "http://www.w3.org/2000/svg";
const element = (id) => document.getElementById(id);
const plan = element("plan");
let site = null;
let state = { tags: [], fences: [] };
const marks = new Map();

function shape(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

const floor = () => Number(element("floor").value || 0);
const points = (outline) => outline.map(([x, y]) => `${x},${-y}`).join(" ");

function middle(outline) {
  const sum = outline.reduce(([a, b], [x, y]) => [a + x, b + y], [0, 0]);
  return [sum[0] / outline.length, -sum[1] / outline.length];
}

function drawPlan() {
  plan.replaceChildren();
  marks.clear();
  const all = [...site.rooms, ...site.fences].flatMap((area) => area.outline).concat(site.receivers.map((one) => one.at));
  const xs = all.map(([x]) => x);
  const ys = all.map(([, y]) => -y);
  const margin = 1.5;
  const [left, top] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  const [width, height] = [Math.max(...xs) - left + margin, Math.max(...ys) - top + margin];
  plan.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
  const size = Math.max(width, height) / 60;
  plan.dataset.size = size;
  for (const room of site.rooms.filter((one) => one.floor === floor())) {
    plan.append(shape("polygon", { points: points(room.outline), class: "room" }));
    const [x, y] = middle(room.outline);
    plan.append(shape("text", { x, y, "font-size": size, "text-anchor": "middle", class: "weak" }, room.name));
  }
  for (const fence of site.fences.filter((one) => one.floor === floor())) {
    plan.append(shape("polygon", { points: points(fence.outline), class: "fence" }, undefined));
  }
  for (const receiver of site.receivers.filter((one) => one.floor === floor())) {
    const [x, y] = [receiver.at[0], -receiver.at[1]];
    const mark = shape("path", { d: `M${x} ${y - size * .5}l${size * .5} ${size}h${-size}z`, class: "receiver" });
    mark.append(shape("title", {}, receiver.name));
    plan.append(mark);
  }
}

function drawTag(tag) {
  const size = Number(plan.dataset.size);
  let mark = marks.get(tag.tag);
  if (!mark) {
    mark = shape("g", { "data-tag": tag.tag });
    mark.append(
      shape("circle", { class: "accuracy" }), shape("circle", { class: "tag", r: size * .4 }),
      shape("text", { x: size * .6, y: size * .3, "font-size": size * .8 }, site.tags[tag.tag]));
    plan.append(mark);
    marks.set(tag.tag, mark);
  }
  mark.setAttribute("transform", `translate(${tag.at[0]} ${-tag.at[1]})`);
  mark.firstChild.setAttribute("r", tag.accuracy);
}

function row(cells) {
  const made = document.createElement("tr");
  for (const cell of cells) {
    const data = document.createElement("td");
    data.textContent = cell;
    made.append(data);
  }
  return made;
}

function drawState() {
  const here = state.tags.filter((tag) => tag.at && tag.floor === floor());
  const shown = new Set(here.map((tag) => tag.tag));
  for (const [tag, mark] of marks) {
    if (shown.has(tag)) continue;
    mark.remove();
    marks.delete(tag);
  }
  here.forEach(drawTag);
  element("count").textContent = `Tags: ${state.tags.length} of ${site.tags.length} heard`;
  element("tags").replaceChildren(...state.tags.map((tag) => row([
    site.tags[tag.tag], tag.room ?? "–",
    tag.at ? `${tag.at[0].toFixed(1)}, ${tag.at[1].toFixed(1)}` : `${tag.distance} m of ${tag.receiver}`,
    tag.at ? `${tag.accuracy.toFixed(2)} m` : "",
  ])));
  element("fences").replaceChildren(...site.fences.map((fence, index) => row([fence.name, state.fences[index]])));
}

function receivePlan(message) {
  site = message;
  element("site").textContent = `Site ${site.site}`;
  document.title = `Site ${site.site}`;
  const floors = [...new Set([...site.rooms, ...site.receivers].map((one) => one.floor))].sort((a, b) => a - b);
  const chosen = floor();
  element("floor").replaceChildren(...floors.map((number) => new Option(String(number), String(number))));
  element("floor").value = String(floors.includes(chosen) ? chosen : floors[0]);
  drawPlan();
}

element("floor").addEventListener("change", () => {
  drawPlan();
  drawState();
});

function connect(pause) {
  const token = new URLSearchParams(location.search).get("token");
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const query = token ? `?token=${encodeURIComponent(token)}` : "";
  const socket = new WebSocket(`${scheme}://${location.host}/socket${query}`, "nearby-world");
  socket.addEventListener("open", () => {
    element("state").textContent = "connected";
    pause = 500;
  });
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(data);
    if (message.kind === "plan") receivePlan(message);
    if (message.kind === "state" && site) {
      state = message;
      drawState();
    }
  });
  socket.addEventListener("close", () => {
    element("state").textContent = "disconnected; trying again";
    setTimeout(() => connect(Math.min(pause * 2, 8000)), pause);
  });
}

connect(500);
