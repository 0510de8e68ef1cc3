"""A page of the world in a real browser, and queries for the tests."""

import json
import os
import pathlib
import time

from playwright.sync_api import sync_playwright

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
ROOT = pathlib.Path(__file__).resolve().parents[2]
SHOTS = ROOT / ".build" / "web-screenshots"


class Browser:
    """The browser, which all tests share."""

    def __init__(self):
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.playwright = sync_playwright().start()
        self.chromium = self.playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])

    def open(self, address, **options):
        options.setdefault("viewport", {"width": 1360, "height": 860})
        context = self.chromium.new_context(accept_downloads=True, **options)
        return WorldPage(context, address)

    def close(self):
        self.chromium.close()
        self.playwright.stop()


class WorldPage:
    """One tab with the page, in its own profile."""

    def __init__(self, context, address):
        self.context = context
        self.page = context.new_page()
        self.orders = []
        self.faults = []
        self.page.on("websocket", self._websocket)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._console)
        self.page.goto(address)
        self.mouse = self.page.mouse
        self.keyboard = self.page.keyboard

    def _websocket(self, socket):
        socket.on("framesent", lambda text: self.orders.append(json.loads(text)))

    def _console(self, message):
        # Some tests stop the server.
        if message.type == "error" and "ERR_CONNECTION" not in message.text and "WebSocket" not in message.text:
            self.faults.append(message.text)

    def ready(self):
        self.until(lambda: self.phase() == "open", "the page is connected")
        self.until(lambda: self.run("return world.devices.size > 0 && world.t > 0"), "the page has received the world")
        return self

    def run(self, body, argument=None):
        """Runs JavaScript with access to the page's parts: `world`, `plan`, `uci`, …, and `argument`."""
        return self.page.evaluate(
            "async (argument) => { const { world, plan, orders, connection, moves, walls, uci, plots, sessions }"
            " = await import('/main.js');" + body + "}", argument)

    def until(self, test, what, limit=8):
        end = time.monotonic() + limit
        while True:
            found = test()
            if found:
                return found
            if time.monotonic() > end:
                raise AssertionError(f"not within {limit} s: {what}")
            self.page.wait_for_timeout(40)

    def wait(self, seconds):
        self.page.wait_for_timeout(seconds * 1000)

    def phase(self):
        return self.page.get_attribute("#connection", "data-phase")

    def text(self, selector):
        return self.page.inner_text(selector)

    def sent(self, name):
        return [order for order in self.orders if order["do"] == name]

    def device(self, name):
        """A device in the state that the server sent last."""
        return self.run(
            "const d = [...world.devices.values()].find((d) => d.name === argument);"
            "return { id: d.id, p: d.p, heading: d.heading, pitch: d.pitch, on: d.on, fg: d.fg }", name)

    def select(self, name):
        self.page.select_option("#device-choice", label=name)
        # Until then its switches don't show its state, and a test that turns one off would find it off.
        self.until(lambda: self.run("return world.detail !== null"), f"the page shows the details of {name}")

    def show_session(self, peer):
        options = self.page.locator("#session-choice option")

        def labels():
            return [text for text in options.all_inner_texts() if text.endswith(f"· {peer}")]

        self.until(labels, "the session is listed")
        self.page.select_option("#session-choice", label=labels()[-1])

    def link(self, a, b):
        return self.run(
            "const id = (name) => [...world.devices.values()].find((d) => d.name === name).id;"
            "return world.links.findLast((l) => l.a === id(argument[0]) && l.b === id(argument[1])) ?? null", [a, b])

    def spot(self, x, y):
        """The position of a point of the world on the screen."""
        return self.run(
            "const box = plan.canvas.getBoundingClientRect();"
            "return [box.left + plan.view.x(argument[0]), box.top + plan.view.y(argument[1])]", [x, y])

    def drag(self, start, end, steps=8):
        self.mouse.move(*start)
        self.mouse.down()
        for step in range(1, steps + 1):
            self.mouse.move(*[start[axis] + (end[axis] - start[axis]) * step / steps for axis in range(2)])
            self.page.wait_for_timeout(15)
        self.mouse.up()

    def colours(self, selector):
        """How many different colours a canvas shows; an empty one has one."""
        return self.page.evaluate(
            "(selector) => { const c = document.querySelector(selector);"
            " const data = new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer);"
            " return new Set(data).size; }", selector)

    def frame_times(self, seconds):
        """Milliseconds between the browser's frames while the world runs."""
        return self.page.evaluate(
            "(length) => new Promise((done) => { const times = []; let last = performance.now();"
            " const end = last + length; const frame = () => { const now = performance.now();"
            " times.push(now - last); last = now;"
            " if (now < end) requestAnimationFrame(frame); else done(times.slice(1)); };"
            " requestAnimationFrame(frame); })", seconds * 1000)

    def shoot(self, name, whole=False):
        self.page.screenshot(path=SHOTS / f"{name}.png", full_page=whole)

    def close(self):
        self.context.close()
