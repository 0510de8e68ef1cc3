"""The connection to the server: lost, silent, refused, restored."""

from page_test import PageTest


class Connecting(PageTest):
    def test_says_that_the_connection_is_lost_and_takes_it_up_again(self):
        page = self.opened()
        page.select("cy")
        page.until(lambda: page.run("return world.detail !== null"), "the device is watched")
        page.mouse.move(*page.spot(7, 7))
        page.mouse.wheel(0, -200)
        view = page.run("return [plan.view.scale, plan.view.centre]")
        self.server.stop()
        page.until(lambda: page.page.is_visible("#banner"), "the page shows that the connection is lost", limit=2)
        self.assertIn("lost", page.text("#banner"))
        self.assertEqual(page.text("#connection"), "connection lost")
        page.wait(2.5)
        page.shoot("connection-lost")
        page.keyboard.press("k")
        page.until(lambda: "Not sent" in page.text("#toast"), "the page says that the order was not sent")
        self.server.start()
        page.until(lambda: page.phase() == "open", "the page is connected again", limit=4)
        page.until(lambda: not page.page.is_visible("#banner"), "the banner is gone")
        self.assertEqual(page.run("return world.selectedDevice.name"), "cy")
        self.assertEqual(page.run("return [plan.view.scale, plan.view.centre]"), view)
        page.until(lambda: page.run("return world.detail?.id === world.selected"), "the device is watched again")
        page.page.click("#pause")
        page.until(lambda: page.run("return world.rate") == 0, "orders are followed again")

    def test_a_restart_brings_programs_and_links_back(self):
        page = self.ranging()
        page.until(lambda: page.link("bo", "ada")["m"] is not None, "a distance is reported")
        self.server.stop()
        printed = [len(lines) for lines in page.printed]
        page.until(lambda: page.phase() == "lost", "the page has lost the server")
        self.server.start()
        page.until(lambda: page.phase() == "open", "the page is connected again")
        page.until(lambda: (page.link("bo", "ada") or {}).get("m") is not None, "the devices range again", limit=20)
        self.assertEqual(page.run("return world.selectedDevice.name"), "bo")
        for lines, before in zip(page.printed, printed):
            page.until(lambda: len(lines) > before, "the process receives distances again", limit=20)

    def test_attempts_are_at_most_two_seconds_apart(self):
        page = self.opened()
        self.server.stop()
        delays = page.page.evaluate(
            "async () => { const { connection } = await import('/main.js'); const found = [];"
            " connection.on('status', ({ phase, retryAt, reason }) => {"
            "   if (phase === 'lost') found.push(retryAt - performance.now()); });"
            " await new Promise((done) => setTimeout(done, 6000)); return found; }")
        self.assertGreater(len(delays), 3)
        self.assertLessEqual(max(delays), 2001)

    def test_a_silent_server_counts_as_lost(self):
        page = self.opened()
        self.server.process.send_signal(19)
        try:
            page.until(lambda: page.phase() == "lost", "silence is noticed", limit=7)
        finally:
            self.server.process.send_signal(18)
        page.until(lambda: page.phase() == "open", "the page is connected again", limit=6)

    def test_a_wrong_token_is_named(self):
        page = self.open(self.server.address.replace(self.server.token, "wrong"))
        page.until(lambda: "token" in page.text("#banner"), "the reason is named")
        page.faults.clear()

    def test_reload_keeps_the_selection(self):
        page = self.opened()
        page.select("eva")
        page.page.reload()
        page.ready()
        page.until(lambda: page.run("return world.selectedDevice?.name") == "eva", "eva is selected")
        page.until(lambda: page.run("return world.detail !== null"), "and watched")
