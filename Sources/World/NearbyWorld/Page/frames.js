// Draws in the browser's own rhythm, and only what changed.

const waiting = new Set();
let isScheduled = false;

/** `drawable.draw(now)` is called in the next frame, once however often it was asked for. */
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
  // Says true who wants the next frame too.
  for (const drawable of turn) if (drawable.draw(now)) requestDraw(drawable);
}

/** Makes a canvas as sharp as the screen; returns its context and its size in CSS pixels. */
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
