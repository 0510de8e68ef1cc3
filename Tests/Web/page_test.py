"""What all tests of the page share."""

import atexit
import unittest

from browser import Browser
from world_fixture import WorldServer


def octets_of(download):
    with open(download.path(), "rb") as file:
        return file.read()


class PageTest(unittest.TestCase):
    """Each test has a server and pages of its own; a fault in a page's console fails it."""

    browser = None
    devices = 6
    asks = False
    scenario = None
    programs = ()

    @classmethod
    def setUpClass(cls):
        if PageTest.browser is None:
            PageTest.browser = Browser()
            atexit.register(PageTest.browser.close)

    def setUp(self):
        if self.scenario and not WorldServer.is_real:
            self.skipTest("the mock server has no programs")
        self.server = WorldServer(self.devices, self.asks, self.scenario, self.programs)
        self.addCleanup(self.server.end)
        self.pages = []

    def tearDown(self):
        for page in self.pages:
            page.shoot(f"last-{self.id().rsplit('.', 1)[-1]}")
            self.assertEqual(page.faults, [], "faults in the page's console")
            page.close()

    def open(self, address=None, **options):
        page = self.browser.open(address or self.server.address, **options)
        self.pages.append(page)
        return page

    def ranging(self, **options):
        """A page of a world in which bo and ada range; bo is selected, and its session with ada."""
        printed = self.server.join("bo", "ada")
        page = self.opened(**options)
        page.printed = printed
        page.select("bo")
        page.until(lambda: page.link("bo", "ada"), "bo ranges with ada", limit=20)
        page.show_session("ada")
        return page

    def opened(self, **options):
        return self.open(**options).ready()
