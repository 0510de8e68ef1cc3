"""Sends orders to the guest, and reads the output of the guest's programs.

Orders are files in the folder that the guest shares (`guest/test` executes them, one after another). The programs'
output comes back through the same folder.
"""

import asyncio
import json
import os

from air import say

# The longest wait in seconds. It is long because an emulated machine on a busy one is slow.
PATIENCE = float(os.environ.get("BLUETOOTH_PATIENCE", 150))


async def patiently(what, awaitable, seconds=PATIENCE):
    try:
        return await asyncio.wait_for(awaitable, seconds)
    except asyncio.TimeoutError:
        raise AssertionError(f"waited {seconds} s for {what}") from None


class Director:
    def __init__(self, folder):
        self.folder = folder
        self.orders = 0

    def order(self, *words):
        """Sends an order to the guest, which executes orders one after another."""
        self.orders += 1
        say("order", self.orders, *words)
        path = os.path.join(self.folder, f"order.{self.orders}")
        with open(path + ".draft", "w") as file:
            file.write(" ".join(map(str, words)) + "\n")
        os.rename(path + ".draft", path)

    async def done(self):
        """Waits until the guest has executed the last order."""
        path = os.path.join(self.folder, f"done.{self.orders}")

        async def look():
            while not os.path.exists(path):
                await asyncio.sleep(0.05)

        await patiently(f"the end of order {self.orders}", look())

    def output(self, name):
        return Output(os.path.join(self.folder, name))


class Output:
    """The output of a program in the guest: JSON objects, one per line. Other lines are returned as text."""

    def __init__(self, path):
        self.path = path
        self.position = 0
        self.waiting = []

    def _read(self):
        try:
            with open(self.path, "rb") as file:
                file.seek(self.position)
                octets = file.read()
        except FileNotFoundError:
            return
        end = octets.rfind(b"\n") + 1
        self.position += end
        for line in octets[:end].decode(errors="replace").splitlines():
            try:
                value = json.loads(line)
            except ValueError:
                value = line
            self.waiting.append(value if isinstance(value, dict) else {"text": line})

    def skip(self):
        """Skips all output so far."""
        self._read()
        passed, self.waiting = self.waiting, []
        return passed

    async def next(self, what, pick, seconds=PATIENCE):
        """Returns the first line that `pick` accepts, and skips those before it."""

        async def look():
            while True:
                while self.waiting:
                    value = self.waiting.pop(0)
                    if pick(value):
                        return value
                await asyncio.sleep(0.05)
                self._read()

        return await patiently(f"{what} from {os.path.basename(self.path)}", look(), seconds)

    async def event(self, name, **fields):
        """Returns the next event with this name and these fields."""
        wanted = dict(fields, event=name)
        return await self.next(f"{wanted}", lambda value: all(value.get(k) == v for k, v in wanted.items()))
