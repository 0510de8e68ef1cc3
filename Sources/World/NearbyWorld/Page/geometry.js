// Rotations and angles, in degrees. World: x east, y north, z up; headings are clockwise from north.

export const degrees = 180 / Math.PI;

/** Rotates `v` by the quaternion `q` (x, y, z, w). */
export function rotate(q, v) {
  const [x, y, z, w] = q;
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  return [
    v[0] + w * tx + y * tz - z * ty,
    v[1] + w * ty + z * tx - x * tz,
    v[2] + w * tz + x * ty - y * tx,
  ];
}

const right = [1, 0, 0];
const top = [0, 1, 0];
const out = [0, 0, -1];

/** Heading, pitch and roll as defined for scenario files, from the device's quaternion. */
export function attitude(q) {
  const look = rotate(q, out);
  const level = Math.hypot(look[0], look[1]);
  const rightInWorld = rotate(q, right);
  const heading = level > 1e-4
    ? Math.atan2(look[0], look[1])
    : Math.atan2(-rightInWorld[1], rightInWorld[0]);
  const pitch = Math.atan2(look[2], level);
  const topInWorld = rotate(q, top);
  const rightOfUpright = [Math.cos(heading), -Math.sin(heading), 0];
  const topOfUpright = [
    -Math.sin(pitch) * Math.sin(heading), -Math.sin(pitch) * Math.cos(heading), Math.cos(pitch),
  ];
  const roll = level > 1e-4 ? Math.atan2(dot(topInWorld, rightOfUpright), dot(topInWorld, topOfUpright)) : 0;
  return { heading: heading * degrees, pitch: pitch * degrees, roll: roll * degrees };
}

/** Azimuth (positive to the right) and elevation (positive up) of a direction in the device's frame. */
export function angles(direction) {
  const [x, y, z] = direction;
  return { azimuth: Math.atan2(x, -z) * degrees, elevation: Math.atan2(y, Math.hypot(x, z)) * degrees };
}

export function dot(a, b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/** Wraps an angle to -180 (exclusive) to 180 (inclusive). */
export function wrapped(angle) {
  const turned = ((angle % 360) + 360) % 360;
  return turned > 180 ? turned - 360 : turned;
}

/** Rounds an angle to a whole compass bearing, 0 to 359. */
export function compass(angle) { return ((Math.round(angle) % 360) + 360) % 360; }

export function clamp(value, low, high) { return Math.min(high, Math.max(low, value)); }

/** Distance from a point to the segment from `a` to `b`. */
export function distanceToSegment(px, py, a, b) {
  const dx = b[0] - a[0];
  const dy = b[1] - a[1];
  const length = dx * dx + dy * dy;
  const along = length > 0 ? clamp(((px - a[0]) * dx + (py - a[1]) * dy) / length, 0, 1) : 0;
  return Math.hypot(px - a[0] - along * dx, py - a[1] - along * dy);
}

/** The smallest value of 1, 2 or 5 times a power of ten that is at least `least`. */
export function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  for (const factor of [1, 2, 5]) if (factor * power >= least * 0.999) return factor * power;
  return 10 * power;
}
