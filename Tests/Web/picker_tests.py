"""Accessory pickers on the page: shown in the banner, answered by a click, named and dismissed."""

from page_test import PageTest

BANNER = "#asking [data-question=accessory]"


class Picking(PageTest):
    """Scripted pickers, which the server's own devices need not have."""

    def show(self, page, picker):
        """Puts a picker on bo's app into what the page receives."""
        page.run("""
          const bo = [...world.devices.values()].find(({ name }) => name === "bo");
          window.scripted = argument;
          // Of all devices, because a new layout may make them anew.
          const kind = Object.getPrototypeOf(bo);
          if (!kind.taken) {
            kind.taken = kind.take;
            kind.take = function (state, ...rest) {
              this.taken(this.name === "bo" ? { ...state, picker: window.scripted } : state, ...rest);
            };
          }""", picker)

    def offers(self, *names):
        return {"number": 5, "kind": "choose", "offers": [
            {"peer": f"{index:032x}", "name": name, "advertised": f"Tag {index}"} for index, name in enumerate(names)]}

    def test_every_kind_of_picker_is_shown_and_answered(self):
        page = self.opened()
        row = f"{BANNER}[data-device=bo]"
        self.show(page, self.offers())
        page.until(lambda: "Searching" in page.text(row), "the picker searches")
        page.until(lambda: "bo wants to set up" in page.text("#announcer"), "the picker is announced")
        self.show(page, self.offers(*[f"Lamp {number}" for number in range(8)]))
        page.until(lambda: page.page.locator(f"{row} [data-answer=choose]").count() == 6, "six offers have buttons")
        self.assertIn("Lamp 5 (Tag 5)", page.text(row))
        self.assertIn("and 2 more", page.text(row))
        page.page.click(f"{row} [data-answer=choose] >> nth=1")
        order = page.sent("pick")[-1]
        self.assertEqual((order["picker"], order["value"], order["peer"]), (5, "choose", f"{1:032x}"))
        self.show(page, {"number": 5, "kind": "pairing", "name": "Lamp 1"})
        page.until(lambda: "pairs with Lamp 1" in page.text(row), "the picker pairs")
        self.show(page, {"number": 5, "kind": "name", "name": "Lamp 1"})
        page.until(lambda: page.page.is_visible(f"{row} input"), "the picker asks for a name")
        page.page.fill(f"{row} input", "Desk")
        page.wait(0.3)
        self.assertEqual(page.page.input_value(f"{row} input"), "Desk", "what is typed stays")
        page.shoot("picker-name")
        page.keyboard.press("Enter")
        order = page.sent("pick")[-1]
        self.assertEqual((order["value"], order["name"]), ("name", "Desk"))
        self.show(page, {"number": 6, "kind": "migrate", "names": ["Keys", "Bag"]})
        page.until(lambda: "Keys, Bag" in page.text(row), "the picker migrates")
        page.page.click(f"{row} [data-answer=agree]")
        self.assertEqual(page.sent("pick")[-1]["value"], "agree")
        self.show(page, None)
        page.until(lambda: not page.page.is_visible(row), "the picker is gone")

    def test_a_picker_is_dismissed_and_badged(self):
        page = self.opened()
        self.show(page, self.offers("Keys"))
        row = f"{BANNER}[data-device=bo]"
        page.until(lambda: page.page.is_visible(row), "the picker is shown")
        page.page.click("#tab-world")
        page.until(lambda: page.run(
            "return [...document.querySelectorAll('#device-list .asks')].some((mark) => !mark.hidden)"), "the list has a badge")
        page.page.click(f"{row} [data-answer=cancel]")
        order = page.sent("pick")[-1]
        self.assertEqual((order["picker"], order["value"]), (5, "cancel"))


class Finding(PageTest):
    """The whole way: an app shows its picker, and the person at the page sets the accessory up."""

    scenario = "keys.json"
    programs = ("Keys=nearby accessory --ranging channel-sounding --json", "Phone=nearby example finder --json")

    def test_an_accessory_is_set_up_on_the_page_and_measured(self):
        page = self.opened()
        row = f"{BANNER}[data-device=Phone]"
        page.until(lambda: page.page.is_visible(f"{row} [data-answer=choose]"), "the picker offers the keys", limit=40)
        page.shoot("picker")
        page.page.click(f"{row} [data-answer=choose]")
        page.until(lambda: page.page.is_hidden("#asking"), "the picker is closed", limit=40)
        page.select("Phone")
        page.until(lambda: " m" in page.text("#app-line") and "Keys at" in page.text("#app-line"), "it measures", limit=40)

    def test_a_dismissed_picker_leaves_the_app_without_an_item(self):
        page = self.opened()
        row = f"{BANNER}[data-device=Phone]"
        page.until(lambda: page.page.is_visible(row), "the picker is shown", limit=40)
        page.page.click(f"{row} [data-answer=cancel]")
        page.select("Phone")
        page.until(lambda: "userCancelled" in page.text("#app-line"), "the app has its error", limit=40)
