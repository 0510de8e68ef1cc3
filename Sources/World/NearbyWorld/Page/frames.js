// Draws in the browser's animation frames, and only what has changed.

const waiting = new Set();
let isScheduled = false;

/** Calls `drawable.draw(now)` in the next frame, once even if requested several times. */
export function requestDraw(drawable) {
  waiting.add(drawable);
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(drawAll);
}

function drawAll(now) {
  isScheduled = false;
  const turn = [...waiting];
  waiting.clear();
  // `draw` returns true to request another frame.
  for (const drawable of turn) if (drawable.draw(now)) requestDraw(drawable);
}

/** Matches a canvas to the screen's resolution; returns its context and its size in CSS pixels. */
export function prepareCanvas(canvas) {
  const ratio = Math.min(devicePixelRatio || 1, 2);
  const { clientWidth: width, clientHeight: height } = canvas;
  const wide = Math.max(1, Math.round(width * ratio));
  const high = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== wide || canvas.height !== high) {
    canvas.width = wide;
    canvas.height = high;
  }
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height };
}
