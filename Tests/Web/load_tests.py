"""Many devices, and long runs."""

import statistics

from page_test import PageTest


class Bounded(PageTest):
    def test_histories_do_not_grow(self):
        page = self.opened()
        page.select("bo")
        page.page.click("#tab-uci")
        page.until(lambda: page.run("return world.detail !== null"), "it is watched")
        sizes = page.run("""
          const id = world.selected;
          connection.send({ do: "watch", device: null, uci: false });
          for (let turn = 0; turn < 3000; turn += 1) {
            const t = 1000 + turn / 10;
            world.receive({ type: "uci", device: id, packets: Array.from({ length: 3 }, () => (
              { t, host: false, hex: "62000000", name: "SESSION_INFO_NTF", text: "" })) });
            world.receive({ type: "events", events: [
              { t, device: id, session: 1, kind: "didUpdate", text: "" },
              { t, device: id, session: 1, kind: "didRemove", text: "" }] });
            world.receive({ type: "state", t, rate: 1, people: [],
              devices: [{ id, p: [turn, 0, 1], q: [0, 0, 0, 1], on: true, fg: true }],
              links: [{ a: id, b: 0, d: 1, los: true, rssi: -60, m: 1, s: 0.1 }] });
          }
          uci.rebuild();
          const device = world.selectedDevice;
          return { packets: world.packets.length, events: device.events.length, updates: device.updates.length, trail: device.trail.ring.length,
            samples: world.history.of(id, 0).length, rows: document.querySelectorAll("#uci-table tbody tr").length };
        """)
        self.assertEqual((sizes["packets"], sizes["events"], sizes["updates"]), (3000, 300, 1200))
        self.assertLessEqual(sizes["trail"], 160)
        self.assertLessEqual(sizes["samples"], 1200)
        self.assertLessEqual(sizes["rows"], 250)

    def test_nothing_is_drawn_while_nothing_changes(self):
        page = self.opened()
        self.server.stop()
        page.until(lambda: page.phase() == "lost", "the page has lost the server")
        page.wait(0.3)
        before = page.run("return plan.statistics.frames")
        page.wait(1)
        self.assertEqual(page.run("return plan.statistics.frames"), before)


class Crowd(PageTest):
    """Other work on the machine causes stutter, so the best of several windows shows what the page itself does."""

    def measure(self, page, label, windows=6, seconds=3):
        best = None
        for _ in range(windows):
            page.run("plan.statistics.longest = 0")
            figures = self.figures(page.frame_times(seconds))
            figures["drawing"] = page.run("return plan.statistics.longest")
            if best is None or figures["worst"] < best["worst"]:
                best = figures
            if best["worst"] <= 50:
                break
        self.say(label, best)
        return best

    def figures(self, times):
        return {
            "frames": len(times), "median": statistics.median(times), "p95": sorted(times)[int(len(times) * 0.95)],
            "worst": max(times)}

    def say(self, label, figures):
        print(f"\n{label}: " + ", ".join(
            f"{key} {value:.1f} ms" if key != "frames" else f"{value} frames" for key, value in figures.items()),
            flush=True)

    def empty_page(self, seconds=6):
        """Measures the machine's stutter with a page that draws nothing."""
        page = self.opened()
        page.page.goto(self.server.address.replace("/?", "/favicon.svg?"))
        figures = self.figures(page.frame_times(seconds))
        self.say("an empty page", figures)
        return figures


class Fifty(Crowd):
    devices = 50

    def test_fifty_devices_are_smooth(self):
        page = self.opened()
        page.select("device-24")
        page.wait(3)
        page.shoot("fifty")
        figures = self.measure(page, "50 devices")
        if figures["worst"] > 50:
            # Acceptable only if the machine also stutters with a page without a world.
            self.assertLessEqual(figures["worst"], self.empty_page()["worst"])


class FiveHundred(Crowd):
    devices = 500

    def test_five_hundred_devices_are_usable(self):
        page = self.opened()
        page.select("device-250")
        page.wait(2)
        page.shoot("five-hundred")
        figures = self.measure(page, "500 devices")
        self.assertLessEqual(figures["median"], 50)
        self.assertLessEqual(figures["p95"], 150)
        start = page.device("device-250")["p"]
        page.run("plan.view.zoom(6, plan.view.x(argument[0]), plan.view.y(argument[1])); plan.redraw()", start)
        page.wait(0.3)
        page.shoot("five-hundred-near")
        x, y = page.run(
            "const box = plan.canvas.getBoundingClientRect(); const s = plan.shown(world.selectedDevice);"
            "return [box.left + plan.view.x(s.x), box.top + plan.view.y(s.y)]")
        page.drag((x, y), (x + 60, y))
        page.until(lambda: page.sent("place"), "a device can be dragged")
