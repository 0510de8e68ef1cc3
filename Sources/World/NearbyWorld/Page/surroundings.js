// The plan's still parts: grid, floors, walls, people, scale.

import { roundStep } from "./geometry.js";
import { colours } from "./theme.js";

export function drawGrid(context, view) {
  const step = roundStep(28 / view.scale);
  const strong = step * 5;
  drawLines(context, view, step, colours.grid);
  drawLines(context, view, strong, colours["grid-strong"]);
}

function drawLines(context, view, step, colour) {
  context.beginPath();
  for (let x = Math.ceil(view.worldX(0) / step) * step; view.x(x) < view.width; x += step) {
    const at = Math.round(view.x(x)) + 0.5;
    context.moveTo(at, 0);
    context.lineTo(at, view.height);
  }
  for (let y = Math.ceil(view.worldY(view.height) / step) * step; view.y(y) > 0; y += step) {
    const at = Math.round(view.y(y)) + 0.5;
    context.moveTo(0, at);
    context.lineTo(view.width, at);
  }
  context.strokeStyle = colour;
  context.lineWidth = 1;
  context.stroke();
}

export function drawFloors(context, view, floors) {
  context.fillStyle = colours.floor;
  for (const { from, to } of floors) {
    const x = view.x(Math.min(from[0], to[0]));
    const y = view.y(Math.max(from[1], to[1]));
    context.fillRect(x, y, Math.abs(to[0] - from[0]) * view.scale, Math.abs(to[1] - from[1]) * view.scale);
  }
}

const wallColours = { glass: "wall-glass", wood: "wall-wood", cardboard: "wall-wood", metal: "wall-metal" };
const thickness = { concrete: 0.2, brick: 0.18, glass: 0.06, drywall: 0.1, metal: 0.08 };

export function wallWidth(view, material) {
  return Math.max(2, Math.min(9, (thickness[material] ?? 0.1) * view.scale));
}

export function drawWalls(context, view, walls, selected) {
  context.lineCap = "round";
  for (const wall of walls) {
    if (wall.id === selected) drawWall(context, view, wall, colours.halo, wallWidth(view, wall.material) + 8);
    drawWall(
      context, view, wall, colours[wallColours[wall.material] ?? "wall"], wallWidth(view, wall.material));
  }
}

function drawWall(context, view, { from, to }, colour, width) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  context.moveTo(view.x(from[0]), view.y(from[1]));
  context.lineTo(view.x(to[0]), view.y(to[1]));
  context.stroke();
}

/** Draws people as upright figures, unlike the ellipses of estimates; a small triangle points where each one faces. */
export function drawPeople(context, view, people) {
  const size = Math.max(5, Math.min(11, 0.25 * view.scale));
  context.fillStyle = colours.person;
  for (const [x, y, heading] of people) {
    const [px, py] = [view.x(x), view.y(y)];
    context.beginPath();
    context.arc(px, py - size * 0.45, size * 0.42, 0, 2 * Math.PI);
    context.fill();
    context.beginPath();
    context.moveTo(px - size * 0.8, py + size);
    context.arc(px, py + size * 0.9, size * 0.8, Math.PI, 2 * Math.PI);
    context.lineTo(px + size * 0.8, py + size);
    context.closePath();
    context.fill();
    const angle = heading * Math.PI / 180;
    context.beginPath();
    for (const [turn, reach] of [[0, 2], [0.25, 1.5], [-0.25, 1.5]]) {
      context.lineTo(
        px + Math.sin(angle + turn) * size * reach, py - Math.cos(angle + turn) * size * reach);
    }
    context.fill();
  }
}

/** Draws the scale bar and the north arrow. */
export function drawScale(context, view) {
  const metres = roundStep(70 / view.scale);
  const length = metres * view.scale;
  const x = 16.5;
  const y = view.height - 18.5;
  context.strokeStyle = colours["text-weak"];
  context.fillStyle = colours["text-weak"];
  context.lineWidth = 1.5;
  context.lineCap = "butt";
  context.beginPath();
  context.moveTo(x, y - 5);
  context.lineTo(x, y);
  context.lineTo(x + length, y);
  context.lineTo(x + length, y - 5);
  context.stroke();
  context.font = "11px system-ui, sans-serif";
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
  context.fillText(metres < 1 ? `${Math.round(metres * 100)} cm` : `${metres} m`, x + 5, y - 6);
  drawNorth(context, x + length + 26, y - 6);
}

function drawNorth(context, x, y) {
  context.beginPath();
  context.moveTo(x, y - 12);
  context.lineTo(x + 5, y + 5);
  context.lineTo(x, y + 1);
  context.lineTo(x - 5, y + 5);
  context.closePath();
  context.fill();
  context.fillText("N", x + 9, y + 4);
}
