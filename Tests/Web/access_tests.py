"""Accessibility: the keyboard, a phone's screen, dark mode."""

import math

from page_test import PageTest


class Typing(PageTest):
    """Tests that use only the keyboard."""

    def test_the_keyboard_is_enough(self):
        page = self.opened()
        press = page.keyboard.press
        focused = "return document.activeElement.id"
        press("Tab")
        press("Enter")
        for _ in range(20):
            if page.run(focused) == "plan":
                break
            press("Tab")
        self.assertEqual(page.run(focused), "plan")
        # The page may have selected a device that ranges.
        press("Escape")
        for _ in range(3):
            press("n")
        self.assertEqual(page.run("return world.selectedDevice.name"), "cy")
        start = page.device("cy")
        press("ArrowRight")
        press("Shift+ArrowUp")
        press("e")
        press("PageUp")
        page.until(lambda: abs(page.device("cy")["p"][0] - start["p"][0] - 0.1) < 1e-3, "10 cm to the east")
        page.until(lambda: abs(page.device("cy")["p"][1] - start["p"][1] - 1) < 1e-3, "1 m to the north")
        page.until(lambda: abs(page.device("cy")["p"][2] - start["p"][2] - 0.1) < 1e-3, "10 cm up")
        page.until(
            lambda: abs((page.device("cy")["heading"] - start["heading"] + 175) % 360 - 180) < 0.2, "5° turned")
        page.until(lambda: "cy:" in page.text("#announcer"), "the change is announced to screen readers")
        press("b")
        page.until(lambda: not page.device("cy")["fg"], "the device is in the background")
        press("b")
        page.until(lambda: page.device("cy")["fg"], "the device is in the foreground again")

    def test_walls_by_keys(self):
        page = self.opened()
        press = page.keyboard.press
        count = page.run("return world.walls.length")
        press("g")
        press("w")
        press("Enter")
        press("Enter")
        for _ in range(2):
            press("Shift+ArrowRight")
        press("Enter")
        page.until(lambda: page.run("return world.walls.length") == count + 1, "a wall is built")
        wall = page.run("return world.walls.at(-1)")
        self.assertAlmostEqual(math.dist(wall["from"], wall["to"]), 2, delta=0.01)
        press("Escape")
        self.assertEqual(page.page.get_attribute("#wall-tool", "aria-pressed"), "false")
        page.run("world.selectWall(world.walls.at(-1).id)")
        press("Delete")
        page.until(lambda: page.run("return world.walls.length") == count, "and deleted")

    def test_clock_tabs_and_help_by_keys(self):
        page = self.opened()
        press = page.keyboard.press
        press("k")
        page.until(lambda: page.run("return world.rate") == 0, "paused")
        before = page.run("return world.t")
        press(".")
        page.until(lambda: page.run("return world.t") > before + 0.9, "a step")
        press("k")
        press("3")
        self.assertTrue(page.page.is_visible("#panel-uci"))
        page.page.focus("#tab-uci")
        press("ArrowLeft")
        self.assertEqual(page.run("return document.activeElement.id"), "tab-timeline")
        self.assertTrue(page.page.is_visible("#panel-timeline"))
        press("?")
        self.assertTrue(page.page.is_visible("#help-dialog"))
        page.shoot("help")
        press("Escape")
        self.assertFalse(page.page.is_visible("#help-dialog"))

    def test_keys_in_a_field_are_only_typed(self):
        page = self.opened()
        page.page.click("#tab-world")
        page.page.click("#add-name")
        page.keyboard.type("kbw.n")
        page.wait(0.2)
        self.assertEqual(page.page.input_value("#add-name"), "kbw.n")
        self.assertEqual([order for order in page.orders if order["do"] != "watch"], [])

    def test_every_control_has_a_name(self):
        page = self.opened()
        page.select("cy")
        page.page.click("#tab-uci")
        nameless = page.page.evaluate(
            "() => [...document.querySelectorAll('button, input, select, canvas, [role=tabpanel]')].filter((e) =>"
            " !(e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.labels?.length"
            " || e.textContent.trim())).map((e) => e.outerHTML)")
        self.assertEqual(nameless, [])
        doubled = page.page.evaluate(
            "() => { const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);"
            " return ids.filter((id, index) => ids.indexOf(id) !== index); }")
        self.assertEqual(doubled, [])


class Looking(PageTest):
    pairs = [
        ("text", "panel"), ("text-weak", "panel"), ("text-weak", "page"), ("accent", "panel"), ("bad", "bad-back"),
        ("good", "good-back"), ("warn", "warn-back"), ("on-accent", "accent"), ("nlos", "plan"), ("text", "plan"),
    ]

    def luminance(self, colour):
        parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [v / 12.92 if v <= 0.03928 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    def check_contrast(self, page):
        values = page.page.evaluate(
            "(pairs) => { const s = getComputedStyle(document.documentElement);"
            " return pairs.map((pair) => pair.map((name) => s.getPropertyValue('--' + name).trim())); }", self.pairs)
        for names, (front, back) in zip(self.pairs, values):
            high, low = sorted([self.luminance(front), self.luminance(back)], reverse=True)
            self.assertGreaterEqual((high + 0.05) / (low + 0.05), 4.5, f"{names}: {front} on {back}")

    def test_light_has_contrast(self):
        self.check_contrast(self.opened())

    def test_dark_follows_the_system_and_the_switch(self):
        page = self.opened(color_scheme="dark")
        background = "return getComputedStyle(document.body).backgroundColor"
        dark = page.run(background)
        self.assertLess(sum(int(v) for v in dark[4:-1].split(",")), 150)
        self.check_contrast(page)
        page.select("bo")
        page.wait(3)
        page.shoot("dark")
        page.page.click("#theme")
        self.assertNotEqual(page.run(background), dark)
        self.assertEqual(page.page.get_attribute("html", "data-theme"), "light")
        page.page.reload()
        page.ready()
        self.assertNotEqual(page.run(background), dark, "the choice lasts")
        page.page.click("#theme")
        self.assertEqual(page.run(background), dark)

    def test_a_phone_shows_all_of_it(self):
        page = self.opened(
            viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, device_scale_factor=2)
        wide = page.page.evaluate("() => document.documentElement.scrollWidth")
        self.assertLessEqual(wide, 390, "nothing is wider than the screen")
        page.select("bo")
        page.wait(2.5)
        page.shoot("phone")
        page.shoot("phone-whole", whole=True)
        self.assertLessEqual(page.page.evaluate("() => document.documentElement.scrollWidth"), 390)
        small = page.page.evaluate(
            "() => [...document.querySelectorAll('button, select')].filter((e) => e.offsetParent"
            " && e.getBoundingClientRect().height < 36).map((e) => e.id || e.outerHTML)")
        self.assertEqual(small, [], "controls that are too small for a finger")

    def test_fingers_drag_and_pinch(self):
        page = self.opened(
            viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, device_scale_factor=2)
        touch = page.context.new_cdp_session(page.page)

        def fingers(kind, *points):
            touch.send("Input.dispatchTouchEvent", {
                "type": kind, "touchPoints": [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]})

        start = page.device("cy")["p"]
        x, y = page.spot(*start[:2])
        fingers("touchStart", (x, y))
        for step in range(1, 9):
            fingers("touchMove", (x, y + 5 * step))
            page.wait(0.02)
        fingers("touchEnd")
        page.until(lambda: page.device("cy")["p"][1] < start[1] - 0.5, "the finger moved the device")
        scale = page.run("return plan.view.scale")
        x, y = page.spot(7, 6)
        fingers("touchStart", (x - 30, y), (x + 30, y))
        for step in range(1, 9):
            fingers("touchMove", (x - 30 - 8 * step, y), (x + 30 + 8 * step, y))
            page.wait(0.02)
        fingers("touchEnd")
        self.assertGreater(page.run("return plan.view.scale"), scale * 1.8)

    def test_a_narrow_window_shows_all_of_it(self):
        page = self.opened(viewport={"width": 900, "height": 700})
        page.select("bo")
        page.wait(1)
        self.assertLessEqual(page.page.evaluate("() => document.documentElement.scrollWidth"), 900)
        page.shoot("narrow")
