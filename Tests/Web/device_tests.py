"""One device: its app, its user, its radio, its packets."""

import struct
import unittest

from page_test import PageTest, octets_of
from world_fixture import WorldServer


class Living(PageTest):
    def test_background_and_foreground(self):
        page = self.opened()
        page.select("cy")
        page.until(lambda: page.page.is_checked("#foreground"), "the device is in the foreground")
        page.page.uncheck("#foreground")
        page.until(lambda: not page.device("cy")["fg"], "the device is in the background")
        page.until(lambda: "background" in page.text("#device-tags"), "the page shows the background")
        page.wait(0.6)
        page.shoot("background")
        page.page.check("#foreground")
        page.until(lambda: page.device("cy")["fg"], "the device is in the foreground again")
        self.assertEqual([order["value"] for order in page.sent("foreground")], [False, True])

    @unittest.skipUnless(WorldServer.is_real, "the double keeps its devices")
    def test_a_device_can_be_removed(self):
        page = self.opened()
        page.select("cy")
        page.page.once("dialog", lambda dialog: dialog.dismiss())
        page.page.click("#device-remove")
        self.assertEqual(page.sent("removeDevice"), [], "cancelling the question keeps the device")
        page.page.once("dialog", lambda dialog: dialog.accept())
        page.page.click("#device-remove")
        page.until(lambda: not page.run("return [...world.devices.values()].some((d) => d.name === 'cy')"), "it is gone")
        page.until(lambda: page.page.is_hidden("#device-body"), "no device is selected")

    def test_switches_and_sliders_reach_the_server(self):
        page = self.opened()
        page.select("cy")
        page.until(lambda: page.page.is_checked("#radio"), "the radio is on")
        page.page.uncheck("#radio")
        page.page.uncheck("#bluetooth")
        page.page.uncheck("#features")
        page.page.locator("#loss").fill("0.25")
        page.page.locator("#light").fill("50")
        page.page.select_option("#standing-answer", "denied")
        page.page.select_option("#camera-permission", "allowed")
        page.page.select_option("#bluetooth-permission", "denied")
        page.wait(1)
        detail = page.run("return world.detail")
        self.assertEqual((detail["radio"], detail["features"], detail["light"]), (False, False, 50))
        self.assertAlmostEqual(detail["loss"], 0.25)
        self.assertEqual((detail["standingAnswer"], detail["cameraPermission"]), ("denied", "allowed"))
        self.assertEqual((detail["bluetooth"], detail["bluetoothPermission"]), (False, "denied"))
        self.assertFalse(page.page.is_checked("#radio"))
        self.assertFalse(page.page.is_checked("#bluetooth"))
        page.page.locator("#light").scroll_into_view_if_needed()
        page.shoot("switches")

    def test_pause_step_and_speed(self):
        page = self.opened()
        page.page.click("#pause")
        page.until(lambda: page.run("return world.rate") == 0, "it stands still")
        page.wait(0.3)
        paused = page.run("return world.t")
        page.wait(0.4)
        self.assertEqual(page.run("return world.t"), paused)
        page.page.select_option("#step-size", "10")
        page.page.click("#step")
        page.until(lambda: page.run("return world.t") > paused + 9.5, "it goes on by a step")
        self.assertLess(page.run("return world.t"), paused + 10.5)
        page.page.select_option("#speed", "5")
        page.page.click("#pause")
        page.until(lambda: page.run("return world.rate") == 5, "it goes on, faster")
        before = page.run("return world.t")
        page.wait(1)
        self.assertGreater(page.run("return world.t") - before, 3)


class Asking(PageTest):
    asks = True

    def test_question_is_asked_and_answered(self):
        self.server.join("ada", "bo")
        page = self.opened()
        page.select("bo")
        page.page.select_option("#permission", "allowed")
        page.select("ada")
        page.until(lambda: page.page.is_visible("#asking [data-question=nearby] [data-answer=allowed]"), "the permission question is shown", limit=20)
        page.shoot("question")
        page.page.click("#asking [data-question=nearby] [data-answer=allowed]")
        page.until(lambda: page.page.is_hidden("#asking"), "the question is answered")
        page.until(lambda: page.page.input_value("#permission") == "allowed", "the setting shows the answer")
        page.until(lambda: "m" in page.text("#told-distance"), "a distance is shown", limit=20)
        page.page.select_option("#permission", "denied")
        page.until(lambda: "not permitted" in page.text("#device-tags"), "a revoked permission is shown")


class Reading(PageTest):
    def test_packets_are_decoded_filtered_and_opened(self):
        page = self.ranging()
        page.page.click("#tab-uci")
        rows = page.page.locator("#uci-table tbody tr")
        page.until(lambda: rows.count() > 5, "packets are listed")
        page.page.fill("#uci-filter", "session_info chip")
        page.until(lambda: rows.count() > 0, "filtered packets are listed")
        names = page.page.locator("#uci-table .name")
        self.assertEqual(set(names.all_inner_texts()), {"SESSION_INFO_NTF"})
        page.page.fill("#uci-filter", "-session_info")
        self.assertNotIn("SESSION_INFO_NTF", names.all_inner_texts())
        page.page.fill("#uci-filter", "")
        page.page.select_option("#uci-kind", "3")
        page.until(lambda: rows.count() > 5, "notifications are listed")
        rows.first.click()
        self.assertRegex(page.text("#uci-table pre"), r"(?m)^0000  6[0-9a-f] ")
        page.shoot("uci")

    def test_capture_is_a_correct_pcapng_file(self):
        page = self.ranging()
        page.page.click("#tab-uci")
        page.until(lambda: page.page.locator("#uci-table tbody tr").count() > 20, "packets are listed")
        with page.page.expect_download() as waiting:
            page.page.click("#uci-download")
        self.assertEqual(waiting.value.suggested_filename, "bo.pcapng")
        blocks = self.blocks(octets_of(waiting.value))
        self.assertEqual([kind for kind, _ in blocks[:2]], [0x0A0D0D0A, 1])
        self.assertEqual(struct.unpack_from("<IHH", blocks[0][1]), (0x1A2B3C4D, 1, 0))
        self.assertEqual(struct.unpack_from("<H", blocks[1][1])[0], 299)
        packets = blocks[2:]
        self.assertGreater(len(packets), 20)
        last = 0
        for kind, body in packets:
            self.assertEqual(kind, 6)
            interface, high, low, captured, original = struct.unpack_from("<IIIII", body)
            self.assertEqual((interface, captured), (0, original))
            self.assertGreaterEqual(high << 32 | low, last)
            last = high << 32 | low
            packet = body[20:20 + captured]
            self.assertEqual(packet[3], len(packet) - 4, "a UCI packet with its header")
            code, length, flags = struct.unpack_from("<HHI", body, 20 + (captured + 3) // 4 * 4)
            self.assertEqual((code, length), (2, 4))
            self.assertEqual(flags, 2 if packet[0] >> 5 == 1 else 1)
        self.assertAlmostEqual(last / 1e6, page.run("return world.t"), delta=2)

    def test_capture_of_any_size_is_whole(self):
        page = self.opened()
        for count in (0, 1, 7, 100, 3000):
            octets = page.run("""
              const { pcapng } = await import("/pcapng.js");
              const packets = Array.from({ length: argument }, (_, index) => ({
                t: 5000 + index, host: false, hex: "620000" + (index % 40).toString(16).padStart(2, "0")
                  + "ab".repeat(index % 40) }));
              return [...pcapng("a device", packets)];""", count)
            blocks = self.blocks(bytes(octets))
            self.assertEqual(len(blocks), count + 2)
            for index, (_, body) in enumerate(blocks[2:]):
                _, high, low, captured, _ = struct.unpack_from("<IIIII", body)
                self.assertEqual((high << 32 | low, captured), ((5000 + index) * 1_000_000, 4 + index % 40))

    def blocks(self, octets):
        found = []
        at = 0
        while at < len(octets):
            kind, length = struct.unpack_from("<II", octets, at)
            self.assertEqual(length % 4, 0)
            self.assertEqual(struct.unpack_from("<I", octets, at + length - 4)[0], length)
            found.append((kind, octets[at + 8:at + length - 4]))
            at += length
        self.assertEqual(at, len(octets))
        return found
