"""What the plan shows, and how people edit it."""

import json
import math
import time
import unittest

from page_test import PageTest, octets_of
from world_fixture import WorldServer


class Showing(PageTest):
    def test_shows_the_world_and_its_time(self):
        page = self.opened()
        self.assertEqual(page.page.locator("#device-choice option").count(), 7)
        self.assertGreater(page.colours("#plan"), 20)
        before = page.run("return world.t")
        page.until(lambda: page.run("return world.t") > before + 0.5, "time goes on")
        page.shoot("light-nothing-selected")

    def test_shows_what_a_device_s_app_sees(self):
        page = self.ranging()
        page.until(lambda: "m" in page.text("#told-distance"), "a distance is shown")
        page.until(lambda: page.colours("#radar") > 5, "the radar is drawn")
        page.until(lambda: page.colours("#plot-distance") > 5, "the distance is plotted")
        self.assertIn("±", page.text("#fact-distance"))
        self.assertRegex(page.text("#true-distance"), r"^\d+\.\d\d m$")
        self.assertTrue(page.page.is_visible("#convergence"))
        page.wait(3)
        page.shoot("light-selected")

    def test_shows_the_calls_of_the_delegate(self):
        page = self.ranging()
        page.page.click("#tab-timeline")
        page.page.check("#show-updates")
        page.until(lambda: page.page.locator("#calls li b").count() > 5, "calls are listed")
        self.assertGreater(page.colours("#timeline"), 5)
        page.page.uncheck("#show-updates")
        page.page.uncheck("#foreground")
        page.until(lambda: "sessionWasSuspended" in page.text("#calls"), "the suspension is listed")
        page.page.check("#foreground")
        page.until(lambda: "sessionSuspensionEnded" in page.text("#calls"), "its end is listed")
        page.shoot("calls")

    def test_adds_a_device(self):
        page = self.opened()
        page.page.click("#tab-world")
        page.page.fill("#add-name", "gus")
        page.page.select_option("#add-kind", "watch")
        page.page.click("#add-device button")
        page.until(lambda: page.run("return world.devices.size") == 7, "the device is there")
        page.page.fill("#device-filter", "gu")
        self.assertEqual(page.page.locator("#device-list .row").count(), 1)
        page.shoot("world-panel")
        page.page.click("#device-list .row")
        self.assertEqual(page.run("return world.selectedDevice.name"), "gus")

    def test_says_why_an_order_was_not_followed(self):
        page = self.opened()
        page.run("orders.send({ do: 'addWall', from: [0, 0], to: [1, 0], top: 3, material: 'cheese' })")
        page.until(lambda: "cheese" in page.text("#toast"), "the reason is shown")

    def test_saves_the_scenario(self):
        page = self.opened()
        with page.page.expect_download() as waiting:
            page.page.click("#save")
        text = octets_of(waiting.value).decode()
        self.assertIn("ada", text)
        self.assertTrue(waiting.value.suggested_filename.endswith(".json"))


class Moving(PageTest):
    def test_drag_moves_a_device_there_and_on_other_pages(self):
        page = self.ranging()
        other = self.opened()
        before = page.link("bo", "ada")["d"]
        start = page.device("bo")["p"]
        page.drag(page.spot(*start[:2]), page.spot(start[0] + 0.5, start[1] + 1))
        page.wait(0.2)
        orders = page.sent("place")
        self.assertGreater(len(orders), 1)
        self.assertAlmostEqual(orders[-1]["p"][0], start[0] + 0.5, delta=0.05)
        self.assertAlmostEqual(orders[-1]["p"][1], start[1] + 1, delta=0.05)
        self.assertEqual(orders[-1]["p"][2], start[2])
        for one in (page, other):
            one.until(lambda: abs(one.device("bo")["p"][1] - start[1] - 1) < 0.05, "the server has the new position")
            one.until(lambda: abs(one.link("bo", "ada")["d"] - before) > 0.3, "the distance has changed")
        true = math.dist(page.device("bo")["p"], page.device("ada")["p"])
        page.until(lambda: page.text("#true-distance") == f"{true:.2f} m", "the panel shows the new distance")

    @unittest.skipUnless(WorldServer.is_real, "the double has no processes")
    def test_drag_is_seen_by_both_processes(self):
        page = self.ranging()
        start = page.device("bo")["p"]
        page.drag(page.spot(*start[:2]), page.spot(start[0] + 1, start[1] + 2))
        page.until(lambda: abs(page.device("bo")["p"][1] - start[1] - 2) < 0.05, "the server has the new position")
        true = math.dist(page.device("bo")["p"], page.device("ada")["p"])

        def told(lines):
            distances = [json.loads(line).get("distance") for line in lines[-5:]]
            return any(distance and abs(distance - true) < 0.3 for distance in distances)

        for lines in page.printed:
            page.until(lambda: told(lines), "the process has the new distance")

    def test_orders_while_dragging_keep_to_their_rate(self):
        page = self.opened()
        start = page.device("cy")["p"]
        began = time.monotonic()
        page.drag(page.spot(*start[:2]), page.spot(start[0] + 1, start[1]), steps=120)
        page.wait(0.2)
        self.assertLess(len(page.sent("place")), (time.monotonic() - began) * 20 + 3)
        self.assertAlmostEqual(page.sent("place")[-1]["p"][0], start[0] + 1, delta=0.05)

    def test_handle_turns_a_device(self):
        page = self.opened()
        page.select("cy")
        page.wait(0.3)
        x, y, _ = page.device("cy")["p"]
        handle = page.run(
            "const box = plan.canvas.getBoundingClientRect(); const { handlePlace } = await import('/marks.js');"
            "const [x, y] = handlePlace(plan.view, plan.shown(world.selectedDevice));"
            "return [box.left + x, box.top + y]")
        page.drag(handle, page.spot(x - 3, y))
        self.assertAlmostEqual(page.sent("turn")[-1]["heading"] % 360, 270, delta=3)
        page.until(lambda: abs(page.device("cy")["heading"] % 360 - 270) < 3, "the device faces west")

    def test_sliders_raise_and_tilt(self):
        page = self.opened()
        page.select("cy")
        page.page.locator("#height").fill("2")
        page.page.locator("#pitch").fill("30")
        page.until(lambda: abs(page.device("cy")["p"][2] - 2) < 0.01, "the device is higher")
        page.until(lambda: abs(page.device("cy")["pitch"] - 30) < 0.5, "the device is pitched up")

    def test_pan_zoom_and_fit(self):
        page = self.opened()
        scale = page.run("return plan.view.scale")
        x, y = page.spot(7, 7.4)
        page.mouse.move(x, y)
        page.mouse.wheel(0, -300)
        page.until(lambda: page.run("return plan.view.scale") > scale * 1.3, "it zooms in")
        after = page.spot(7, 7.4)
        self.assertLess(math.dist(after, (x, y)), 1.5, "distance of the point that should stay under the pointer")
        centre = page.run("return plan.view.centre[0]")
        page.drag(page.spot(7, 7.4), (page.spot(7, 7.4)[0] + 120, y))
        self.assertLess(page.run("return plan.view.centre[0]"), centre - 0.5)
        page.page.click("#zoom-fit")
        self.assertAlmostEqual(page.run("return plan.view.scale"), scale, delta=scale * 0.05)


class Walling(PageTest):
    def test_wall_drawn_takes_the_line_of_sight_and_deleted_gives_it_back(self):
        page = self.ranging()
        self.assertTrue(page.link("bo", "ada")["los"])
        count = page.run("return world.walls.length")
        page.page.click("#wall-tool")
        page.page.select_option("#wall-material", "brick")
        page.page.fill("#wall-height", "2.5")
        page.drag(page.spot(1.6, 3.8), page.spot(3.8, 1.6))
        order = page.until(lambda: page.sent("addWall"), "the wall is ordered")[-1]
        self.assertEqual((order["material"], order["top"]), ("brick", 2.5))
        self.assertEqual((order["from"], order["to"]), ([1.6, 3.8], [3.8, 1.6]))
        page.until(lambda: page.run("return world.walls.length") == count + 1, "the wall is there")
        page.until(lambda: not page.link("bo", "ada")["los"], "the line of sight is gone")
        page.until(lambda: page.text("#true-los") == "no", "the panel shows it")
        page.shoot("wall-built")
        page.page.click("#wall-done")
        page.mouse.click(*page.spot(2.0, 3.4))
        page.until(lambda: page.page.is_visible("#wall-selected"), "the wall is selected")
        page.shoot("wall-selected")
        page.page.click("#wall-delete")
        page.until(lambda: page.run("return world.walls.length") == count, "the wall is gone")
        page.until(lambda: page.link("bo", "ada")["los"], "the line of sight is back")

    def test_wall_deleted_from_the_list(self):
        page = self.opened()
        count = page.run("return world.walls.length")
        page.page.click("#tab-world")
        page.page.locator("#wall-list button.quiet").first.click()
        page.until(lambda: page.run("return world.walls.length") == count - 1, "the wall is gone")
        self.assertEqual(page.page.locator("#wall-list li").count(), count - 1)
