"""What a newcomer needs: a selection, the line that starts a program, open questions, readable names, documentation."""

from page_test import PageTest
from world_fixture import WorldServer


class Arriving(PageTest):
    def test_the_first_device_that_ranges_is_selected(self):
        self.server.join("bo", "ada")
        page = self.opened()
        name = page.until(lambda: page.run("return world.selectedDevice?.name"), "a device is selected", limit=20)
        self.assertIn(name, ("ada", "bo"))
        page.until(lambda: page.page.is_visible("#plots"), "its plots are visible")
        page.until(lambda: page.page.is_visible("#radar"), "its radar is visible")
        page.keyboard.press("Escape")
        page.wait(1)
        self.assertIsNone(page.run("return world.selected"), "a cleared selection stays cleared")
        page.page.click("#tab-world")
        self.assertTrue(page.page.is_visible("#panel-world"))

    def test_an_idle_device_shows_how_to_start_it(self):
        page = self.opened()
        page.page.click("#tab-world")
        page.page.fill("#add-name", "Ann's phone")
        page.page.click("#add-device button")
        page.until(lambda: page.run("return world.devices.size") == 7, "the device exists")
        page.page.click("#tab-device")
        page.select("Ann's phone")
        page.until(lambda: page.page.is_visible("#join"), "the command line to join is visible")
        self.assertTrue(page.text("#join-line").endswith("NEARBY_DEVICE='Ann'\\''s phone' ./app"))
        page.shoot("idle-device")

    def test_the_documentation_is_linked_and_served(self):
        page = self.opened()
        with page.context.expect_page() as waiting:
            page.page.click("a[href='/docs.html']:visible")
        documentation = waiting.value
        documentation.wait_for_load_state()
        self.assertIn("NEARBY_WORLD", documentation.inner_text("body"))
        self.assertNotIn("token=", documentation.url)
        page.page.click("#help")
        self.assertTrue(page.page.is_visible("#help-dialog a[href='/docs.html']"))


class ArrivingInAnEmptyWorld(PageTest):
    devices = 0

    def test_the_line_that_starts_a_program_can_be_copied(self):
        page = self.open()
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.until(lambda: page.page.is_visible("#join"), "the command line to join is visible")
        self.assertTrue(page.page.is_visible("#stage-empty"))
        port = self.server.joining_port if WorldServer.is_real else 7100
        line = f"NEARBY_WORLD=127.0.0.1:{port} NEARBY_TOKEN={self.server.token} NEARBY_DEVICE=Anna ./app"
        self.assertEqual(page.text("#join-line"), line)
        page.shoot("empty-world")
        page.page.click("#join-copy")
        page.until(lambda: "Copied" in page.text("#toast"), "the page confirms it")
        self.assertEqual(page.page.evaluate("() => navigator.clipboard.readText()"), line)


class BeingAsked(PageTest):
    asks = True

    def asking_page(self):
        page = self.opened()
        # Only ada's question stays open.
        page.run("""
          const { id } = [...world.devices.values()].find(({ name }) => name === "bo");
          orders.send({ do: "answer", device: id, question: "nearby", value: "allowed" });""")
        self.server.join("ada", "bo")
        page.until(lambda: page.page.is_visible("#asking [data-device=ada]"), "the banner asks", limit=20)
        return page

    def test_a_question_is_visible_without_selecting_its_device(self):
        page = self.asking_page()
        page.keyboard.press("Escape")
        self.assertIn("ada", page.text("#asking"))
        page.until(lambda: "The app on ada asks" in page.text("#announcer"), "the question is announced")
        self.assertEqual(page.page.get_attribute("#announcer", "aria-live"), "polite")
        # Until the plan has been drawn with the question, at the place the device has by then.
        page.until(lambda: page.run("""
          const device = [...world.devices.values()].find(({ name }) => name === "ada");
          const { markSize } = await import("/marks.js");
          const size = markSize(plan.view);
          const { x, y } = plan.shown(device);
          const at = [plan.view.x(x) - size - 5, plan.view.y(y) - size].map((v) => Math.round(v * devicePixelRatio));
          return [...plan.canvas.getContext("2d").getImageData(...at, 1, 1).data.slice(0, 3)];"""
        ) == [0x96, 0x61, 0x0A], "the plan has a badge")
        page.page.click("#tab-world")
        page.until(lambda: page.page.is_visible("#device-list .asks"), "the list has a badge")
        self.assertEqual(page.page.locator("#device-list .asks:visible").count(), 1)
        page.shoot("asking")

    def test_a_question_is_answered_in_the_banner(self):
        page = self.asking_page()
        page.page.click("#asking [data-device=ada] [aria-label='Show ada']")
        self.assertEqual(page.run("return world.selectedDevice.name"), "ada")
        page.page.click("#asking [data-device=ada] [data-answer=denied]")
        page.until(lambda: page.page.is_hidden("#asking"), "the banner is gone")
        self.assertEqual(page.sent("answer")[-1]["value"], "denied")
        page.until(lambda: page.page.input_value("#permission") == "denied", "the setting has the answer")


class Naming(PageTest):
    long = "A phone whose owner gave it a name of nearly sixty octets"

    def test_a_long_name_is_cut_and_whole_in_its_tooltip(self):
        page = self.opened()
        page.run("""
          window.drawn = new Set();
          const { fillText } = CanvasRenderingContext2D.prototype;
          CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
            window.drawn.add(text);
            return fillText.call(this, text, ...rest);
          };
          orders.send({ do: "addDevice", name: argument, kind: "phone", p: [7, 4, 1] });""", self.long)
        page.until(lambda: page.run("return world.devices.size") == 7, "the device exists")
        page.select(self.long)
        cut = "A phone whose owner gav…"
        page.until(lambda: cut in page.run("return [...window.drawn]"), "the plan cuts the name")
        self.assertNotIn(self.long, page.run("return [...window.drawn]"))
        page.mouse.move(*page.spot(7, 4))
        page.until(lambda: page.page.get_attribute("#plan", "title") == self.long, "the tooltip has the whole name")
        page.page.click("#tab-world")
        self.assertEqual(page.page.locator("#device-list .name").last.get_attribute("title"), self.long)
        self.assertLessEqual(page.page.evaluate("() => document.documentElement.scrollWidth"), 1360)

    def test_the_label_of_a_short_line_lies_beside_it(self):
        page = self.opened()
        for to in ([330, 300], [300, 330], [320, 320], [320, 280], [280, 300], [300, 270], [304, 300]):
            label = page.run("""
              const { Labels } = await import("/marks.js");
              const { distanceToSegment } = await import("/geometry.js");
              const context = document.createElement("canvas").getContext("2d");
              const labels = new Labels(context, 800, 600);
              labels.addOnLine("measured 0.52 m, true 0.50 m", [300, 300], argument, {});
              const [[left, top, right, bottom]] = labels.taken;
              let nearest = Infinity;
              for (let x = left; x <= right; x += 1) for (let y = top; y <= bottom; y += 1)
                nearest = Math.min(nearest, distanceToSegment(x, y, [300, 300], argument));
              return nearest;""", to)
            self.assertGreater(label, 2, to)
            self.assertLess(label, 12, to)

    def test_the_legend_names_people_where_there_are_any(self):
        page = self.opened()
        page.run("connection.socket.onmessage = null; world.people = []; world.emit('state')")
        self.assertTrue(page.page.is_hidden("#legend-person"))
        page.run("world.people = [[1, 1, 0]]; world.emit('state')")
        self.assertTrue(page.page.is_visible("#legend-person"))


class Hitting(PageTest):
    def test_targets_are_at_least_24_pixels_high(self):
        page = self.opened()
        page.select("cy")
        tabs = ["#tab-device", "#tab-world", "#tab-plots", "#tab-timeline", "#tab-uci"]
        for tab in tabs:
            page.page.click(tab)
            small = page.page.evaluate(
                "() => [...document.querySelectorAll('button, input, select, a.button')]"
                ".filter((e) => e.offsetParent && e.getBoundingClientRect().height < 24).map((e) => e.outerHTML)")
            self.assertEqual(small, [], tab)


class Remembering(PageTest):
    def test_plots_keep_a_link_that_ended_until_it_leaves_the_window(self):
        page = self.ranging()
        page.until(lambda: page.run("return plots.series().length") > 0, "its distance is plotted")
        page.wait(1)
        self.server.stop()
        page.until(lambda: page.phase() == "lost", "no further states arrive")

        def later(seconds):
            page.run("""
              const devices = [...world.devices.values()].map(({ id, p, q, on, fg }) => ({ id, p, q, on, fg }));
              world.receive({ type: "state", t: world.t + argument, rate: 1, devices, links: [], people: [] });
              plots.refresh();""", seconds)

        later(20)
        self.assertTrue(page.page.is_visible("#plots"))
        self.assertIn("ada", page.text("#plot-legend"))
        page.page.select_option("#window", "120")
        later(70)
        self.assertTrue(page.page.is_visible("#plots"))
        page.page.select_option("#window", "30")
        later(0)
        self.assertFalse(page.page.is_visible("#plots"))
        self.assertIn("No ranges", page.text("#plots-none"))

    def test_lanes_have_the_phases_of_the_server(self):
        page = self.opened()
        spans = page.run("""
          const { phaseSpans } = await import("/timeline.js");
          const kinds = ["run", "didUpdate", "sessionWasSuspended", "sessionSuspensionEnded", "run", "left",
            "run", "invalidate"];
          const spans = phaseSpans(kinds.map((kind, t) => ({ t, kind })), 9);
          return spans.map(({ phase, since, until }) => [phase, since, until]);""")
        self.assertEqual(spans, [
            ["running", 0, 2], ["suspended", 2, 3], ["paused", 3, 4], ["running", 4, 5],
            ["running", 6, 7], ["ended", 7, 9]])

    def test_scrolling_to_the_end_follows_the_packets_again(self):
        page = self.ranging()
        page.page.click("#tab-uci")
        rows = page.page.locator("#uci-table tbody tr")
        page.until(lambda: rows.count() > 40, "packets are listed", limit=20)
        page.page.hover("#uci-scroll")
        page.mouse.wheel(0, -200)
        page.until(lambda: not page.page.is_checked("#uci-follow"), "scrolling up stops following")
        before = rows.count()
        page.wait(1)
        self.assertEqual(rows.count(), before)
        page.mouse.wheel(0, 4000)
        page.until(lambda: page.page.is_checked("#uci-follow"), "scrolling down to the end resumes")
        page.until(lambda: rows.count() != before, "packets are added")

    def test_the_selected_wall_is_kept_by_its_number(self):
        page = self.opened()
        build = "orders.send({ do: 'addWall', from: [6, 6], to: [8, 6], top: 3, material: 'brick' })"
        count = page.run("return world.walls.length")
        page.run(f"{build}; {build}")
        page.until(lambda: page.run("return world.walls.length") == count + 2, "both walls stand")
        page.run("world.selectWall(world.walls.at(-1).id)")
        page.run("orders.send({ do: 'removeWall', id: world.walls.at(-2).id })")
        page.until(lambda: page.run("return world.walls.length") == count + 1, "the other one is gone")
        self.assertEqual(page.run("return world.selectedWall"), page.run("return world.walls.at(-1).id"))
        page.run("orders.send({ do: 'addWall', from: [6, 6], to: [8, 6], top: 3, material: 'brick' })")
        page.until(lambda: page.run("return world.walls.length") == count + 2, "its like stands again")
        page.run("orders.send({ do: 'removeWall', id: world.selectedWall })")
        page.until(lambda: page.run("return world.walls.length") == count + 1, "the selected one is gone")
        self.assertIsNone(page.run("return world.selectedWall"), "its like is not selected in its place")
