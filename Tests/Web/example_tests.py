"""Plays the examples through the page alone: a treasure hunt, and a speaker that plays hands-free."""

import json

from page_test import PageTest

LIMIT = 60


class Hunting(PageTest):
    scenario = "treasures.json"
    programs = ("Seeker=nearby example radar --json",)

    def hunt(self, page, treasure):
        """Walks to a treasure with the keyboard and moves the phone around it, as people do, until the app finds it."""
        x, y = page.run("return [...world.beacons.values()].find((b) => b.name === argument).p", treasure)[:2]
        found = lambda: f"★ {treasure}" in page.text("#app-items")
        page.page.focus("#plan")
        self.walk(page, x, y - 0.1)
        page.shoot(f"radar-at-{treasure.lower()}")
        for turn in range(LIMIT):
            for key in ("ArrowUp", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowUp", "ArrowRight"):
                if found():
                    return
                page.keyboard.press(key)
                page.wait(0.25)
        self.fail(f"{treasure} was not found: {page.text('#app-line')}, {self.server.printed[-3:]}")

    def walk(self, page, x, y):
        here = page.device("Seeker")["p"]
        for axis, target, keys in ((0, x, ("ArrowLeft", "ArrowRight")), (1, y, ("ArrowDown", "ArrowUp"))):
            way = round((target - here[axis]) * 10)
            key = keys[way > 0]
            for _ in range(abs(way) // 10):
                page.keyboard.press(f"Shift+{key}")
                page.wait(0.2)
            for _ in range(abs(way) % 10):
                page.keyboard.press(key)
                page.wait(0.05)
        page.until(lambda: abs(page.device("Seeker")["p"][0] - x) < 0.06
                   and abs(page.device("Seeker")["p"][1] - y) < 0.06, "the server has it there")

    def test_treasures_are_hunted_by_the_keys(self):
        page = self.opened()
        page.select("Seeker")
        page.until(lambda: page.page.is_visible("#app-radar"), "the app shows its radar", limit=30)
        page.until(lambda: "Amber" in page.text("#app-line"), "the hunt for the first treasure begins", limit=30)
        page.page.click("#tab-world")
        rows = page.page.locator("#beacon-list .name")
        self.assertEqual(rows.all_inner_texts(), ["Amber", "Jade", "Coral"])
        page.page.click("#tab-device")
        # The ray rotates at the app's rate, which is at least once per second even far from treasures.
        far = page.run("return world.detail.display.radar")
        self.assertLess(far["sweeps"], 3.1)
        self.assertGreater(page.colours("#app-radar"), 3)
        rounds = page.run("const { display } = await import('/main.js'); return display.rounds")
        page.wait(3)
        swept = page.run("const { display } = await import('/main.js'); return display.rounds") - rounds
        self.assertGreaterEqual(swept, 2)
        page.shoot("radar-far")
        brightest = []
        for treasure in ("Amber", "Jade", "Coral"):
            self.hunt(page, treasure)
            told = [json.loads(line.split(": ", 1)[1]) for line in self.server.printed if '"line"' in line]
            brightest.append(max(entry["brightness"] for entry in told if entry["line"].startswith(treasure)))
        page.until(lambda: "All 3 treasures" in page.text("#app-line"), "all treasures are found")
        # The radar was brighter near the treasures than far away; its rate depends on the brightness.
        self.assertGreater(max(brightest), far["brightness"] + 0.1)
        page.wait(0.5)
        page.shoot("radar-finished")

    def test_a_beacon_is_moved_and_switched(self):
        page = self.opened()
        page.drag(page.spot(6, 8), page.spot(4, 6))
        place = "return [...world.beacons.values()].find((b) => b.name === 'Amber')"
        page.until(lambda: abs(page.run(place)["p"][0] - 4) < 0.2, "the server has it there")
        page.page.click("#tab-world")
        control = page.page.locator("#beacon-list input").first
        page.until(control.is_checked, "the beacon is on")
        control.uncheck()
        page.until(lambda: not page.run(place)["on"], "it has no power")
        self.assertEqual(page.sent("beacon")[-1], {"do": "beacon", "beacon": 0, "value": False})
        page.shoot("beacons")


class Homecoming(PageTest):
    scenario = "homecoming.json"
    programs = ("Phone=nearby example speaker-app --json", "Speaker=nearby example speaker --json")

    def says(self, page, name):
        return page.run("return [...world.devices.values()].find((d) => d.name === argument).says", name) or ""

    def test_music_starts_when_the_owner_walks_in_with_the_app_in_the_background(self):
        page = self.opened()
        page.select("Phone")
        page.until(lambda: "Speaker at" in self.says(page, "Phone"), "the app ranges", limit=30)
        page.page.uncheck("#foreground")
        page.until(lambda: not page.device("Phone")["fg"], "the app is in the background")
        page.drag(page.spot(*page.device("Phone")["p"][:2]), page.spot(0, -2.4))
        page.page.focus("#plan")
        for _ in range(20):
            page.keyboard.press("Shift+ArrowDown")
            page.wait(0.1)
        page.until(lambda: self.says(page, "Speaker") == "silent", "no music while the owner is away", limit=30)
        shown = self.says(page, "Phone")
        # Move to 1.4 m from it.
        for _ in range(23):
            page.keyboard.press("Shift+ArrowUp")
            page.wait(0.2)
        page.until(lambda: "playing music" in self.says(page, "Speaker"), "music plays", limit=LIMIT)
        self.assertEqual(self.says(page, "Phone"), shown, "the app got no updates in the background")
        page.keyboard.press("f")
        page.wait(0.3)
        page.page.locator("#app-display").scroll_into_view_if_needed()
        page.shoot("homecoming")
        page.page.check("#foreground")
        page.until(lambda: self.says(page, "Phone") != shown, "the app gets updates again", limit=30)

    def test_without_bluetooth_the_app_loses_its_speaker(self):
        page = self.opened()
        page.select("Phone")
        page.until(lambda: "Speaker at" in self.says(page, "Phone"), "the app ranges", limit=30)
        page.page.uncheck("#bluetooth")
        page.until(lambda: "Bluetooth off" in page.text("#device-tags"), "the page shows that Bluetooth is off")
        page.until(lambda: "link lost" in page.text("#app-items"), "the app shows the lost link", limit=LIMIT)
        page.page.check("#bluetooth")
        page.until(lambda: "accessory started ranging" in page.text("#app-items").splitlines()[-1], "a new session has started", limit=LIMIT)
        page.until(lambda: "Speaker at" in self.says(page, "Phone"), "the app shows a distance again", limit=LIMIT)


class MuseumFloor(PageTest):
    scenario = "museum-floor.json"
    programs = ("Visitor=nearby example floor --json",)

    def anchor(self, page, name):
        return page.run("return [...world.anchors.values()].find((a) => a.name === argument)", name)

    def believed(self, page):
        """Distance on the floor between the visitor and where its app believes that it is, or None."""
        return page.run(
            "const d = [...world.devices.values()].find((d) => d.name === 'Visitor');"
            "return d.believes && Math.hypot(d.believes.p[0] - d.p[0], d.believes.p[1] - d.p[1])")

    def test_the_plan_shows_where_the_visitor_s_app_believes_to_be(self):
        page = self.opened()
        page.select("Visitor")
        page.until(lambda: page.text("#app-line") in ("hall", "gallery", "workshop"), "the app names the room", limit=30)
        errors = []
        for _ in range(40):
            page.wait(0.25)
            errors.append(self.believed(page))
        known = sorted(error for error in errors if error is not None)
        self.assertGreater(len(known), 30)
        self.assertLess(known[len(known) // 2], 0.6, known)
        self.assertTrue(page.page.is_visible("#legend-anchor"))
        page.shoot("floor")

    def test_an_anchor_is_dragged_switched_and_misconfigured(self):
        page = self.opened()
        start = self.anchor(page, "hall west")["p"]
        page.drag(page.spot(*start[:2]), page.spot(3, 7))
        page.until(lambda: abs(self.anchor(page, "hall west")["p"][0] - 3) < 0.2, "the server has it there")
        moved = self.anchor(page, "hall west")
        self.assertAlmostEqual(moved["p"][1], 7, delta=0.2)
        self.assertEqual(moved["p"][2], start[2])
        self.assertEqual(moved["says"], start)
        page.page.click("#tab-world")
        self.assertEqual(page.text("#anchor-count"), "15")
        control = page.page.get_by_label("Power of hall southwest")
        page.until(control.is_checked, "the anchor is on")
        control.uncheck()
        page.until(lambda: not self.anchor(page, "hall southwest")["on"], "it is off")
        self.assertEqual(page.sent("anchor")[-1], {"do": "anchor", "anchor": 1, "value": False})
        page.page.get_by_label("Faults of hall northwest").select_option("lateStamps")
        page.until(lambda: self.anchor(page, "hall northwest")["faults"] == {"lateStamps": 2.5}, "its stamps are late")
        page.page.get_by_label("Faults of hall northwest").select_option("missedPolls")
        page.until(lambda: self.anchor(page, "hall northwest")["faults"] == {"missedPolls": 1}, "one fault replaces another")
        page.page.get_by_label("Faults of hall northwest").select_option("")
        page.until(lambda: self.anchor(page, "hall northwest")["faults"] == {}, "it works again")
        page.shoot("anchors")

    def test_an_anchor_is_added_or_the_page_says_why_not(self):
        page = self.opened()
        page.page.click("#tab-world")
        page.page.fill("#anchor-name", "column")
        page.page.click("#anchor-form button")
        added = page.until(lambda: self.anchor(page, "column"), "the anchor is there")
        self.assertEqual(added["network"], 1914)
        self.assertEqual(len(added["answers"]), 1)
        page.until(lambda: self.anchor(page, "column")["hops"] in (1, 2), "it hears its initiator")
        page.page.fill("#anchor-name", "column")
        page.page.click("#anchor-form button")
        page.until(lambda: "already is an anchor" in page.text("#toast"), "the reason is shown")
        self.assertEqual(page.run("return world.anchors.size"), 16)

    def test_the_layer_shows_the_expected_error(self):
        page = self.opened()
        before = page.colours("#plan")
        page.page.click("#toggle-expected")
        page.until(lambda: page.page.is_visible("#legend-expected"), "the legend names the layer")
        text = page.until(lambda: "median" in page.text("#legend-expected") and page.text("#legend-expected"), "the layer is there")
        self.assertRegex(text, r"median 0\.\d\d m")
        self.assertGreater(page.colours("#plan"), before + 10)
        whole = page.run("const { expected } = await import('/main.js'); return expected.grid.sigma")
        page.page.click("#tab-world")
        for name in ("hall west", "hall southwest", "hall southeast"):
            page.page.get_by_label(f"Power of {name}").uncheck()

        def worse():
            fewer = page.run("const { expected } = await import('/main.js'); return expected.grid.sigma")
            known = [value for value in fewer if value is not None]
            return len(known) < len(fewer) or sum(known) > sum(value for value in whole if value is not None) * 1.05

        page.until(worse, "the layer follows the anchors")
        page.shoot("expected-error")
        page.page.click("#toggle-expected")
        self.assertFalse(page.page.is_visible("#legend-expected"))
