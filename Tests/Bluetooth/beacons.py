"""Beacons for the guest to receive, and a scanner for those that it sends."""

import asyncio
import statistics

from bumble.core import AdvertisingData

from air import BEACON, say, stack
from director import patiently

# An iBeacon with major 1 and minor 7, and a measured power of -59 dBm.
FRAME = bytes.fromhex("0201061AFF4C000215") + BEACON + bytes.fromhex("00010007C5")
SENT = bytes.fromhex("4C000215") + BEACON + bytes.fromhex("123400FFC3")


class Beacon:
    """Sends ten advertisements per second while it is on."""

    def __init__(self, controller, strength):
        self.controller = controller
        self.strength = strength
        self.is_on = True
        self.count = 0

    async def run(self):
        loop = asyncio.get_running_loop()
        start, ticks = loop.time(), 0
        while True:
            if self.is_on:
                self.controller.report(FRAME, self.strength(self.count))
                self.count += 1
            ticks += 1
            await asyncio.sleep(max(0, start + ticks * 0.1 - loop.time()))


async def beacon(air, controller, director):
    """Sends each advertisement 1 dB stronger than the one before."""
    await Beacon(controller, lambda count: -90 + count % 50).run()


async def shy(air, controller, director):
    """The same beacon, whose advertisements reach only a passive scan."""
    controller.is_shy = True
    await beacon(air, controller, director)


async def treasure(air, controller, director):
    """A beacon for three programs at once. The guest's Bluetooth is switched off and on, its daemon is restarted, and
    finally the beacon is switched off."""
    it = Beacon(controller, lambda count: -65)
    sending = asyncio.create_task(it.run())
    scan, monitor, location = (director.output(name) for name in ("scan", "monitor", "location"))

    async def heard(when, strength):
        """Checks that all programs receive it from now on, at a signal strength that it has not had before."""
        it.strength = lambda count: strength
        seen = await scan.next(
            f"the beacon {when}", lambda line: line.get("rssi") == strength and line["distance"])
        assert (seen["uuid"].replace("-", ""), seen["major"], seen["minor"]) == (BEACON.hex().upper(), 1, 7), seen
        ranged = await location.next(
            f"a ranged beacon {when}", lambda line: line.get("rssi") == strength and line["accuracy"] > 0)
        assert (ranged["major"], ranged["minor"]) == (1, 7), ranged
        say("received", when, seen, ranged)
        return seen["distance"], ranged["accuracy"]

    await monitor.event("entered", minor=7)
    await location.event("enter", region="treasure")
    for distance in await heard("at first", -65):
        # The measured power is -59 dBm.
        assert 0.5 < distance < 6, f"{distance} m"
    times = [(await location.event("ranged"))["t"] for _ in range(6)]
    pace = statistics.median(b - a for a, b in zip(times, times[1:]))
    say(f"one callback every {pace:.2f} s")
    assert 0.5 < pace < 3, f"one callback every {pace} s"

    # While Bluetooth is off, no exit may be reported.
    director.order("power", "off")
    await scan.next("a word about it", lambda line: "Bluetooth is off" in line.get("text", ""))
    director.order("power", "on")
    await director.done()
    await heard("after the adapter was off", -66)
    director.order("restart")
    await director.done()
    await heard("after bluetoothd was restarted", -67)
    left = [line for line in monitor.skip() if line.get("event") == "left"]
    assert not left, f"an exit was reported while the beacon was on: {left}"

    # It is gone: with --exit 5 the command reports it, and an app sees it turn unknown, then leave.
    it.is_on = False
    await location.next("an unknown beacon", lambda line: line.get("accuracy", 0) < 0)
    await location.event("ranged", count=0)
    await monitor.event("left")
    it.is_on = True
    await monitor.event("entered", minor=7)
    await heard("again", -68)
    sending.cancel()


async def listener(air, controller, director):
    """Waits for the guest's beacon, and checks every octet."""
    await listen(await ear(air))


async def hunter(air, controller, director):
    """The same beacon, sent by the command, which must resume after Bluetooth was off or restarted."""
    heard = await ear(air)
    await listen(heard)
    for orders in ((("power", "off"), ("power", "on")), (("restart",),)):
        begun = controller.advertisings
        for order in orders:
            director.order(*order)
            await director.done()
        await patiently("its advertising", controller.advertises_again(begun))
        # Skip advertisements in flight.
        while not heard.empty():
            heard.get_nowait()
        await listen(heard)


async def ear(air):
    device = await stack(air, "listener", "F0:F1:F2:F3:F4:F5")
    heard = asyncio.Queue()
    device.on("advertisement", heard.put_nowait)
    await device.start_scanning(filter_duplicates=False)
    return heard


async def listen(heard):
    times = []
    while len(times) < 20:
        advertisement = await patiently("an advertisement", heard.get())
        data = advertisement.data.get(AdvertisingData.MANUFACTURER_SPECIFIC_DATA, raw=True)
        if data is None:
            continue
        say("received", advertisement.address, bytes(data).hex())
        assert bytes(data) == SENT, f"unexpected octets: {bytes(data).hex()}"
        times.append(asyncio.get_running_loop().time())
    gaps = sorted(b - a for a, b in zip(times, times[1:]) if b - a > 0.01)
    say("interval", gaps[len(gaps) // 2])
    assert gaps[len(gaps) // 2] < 0.5, f"an interval of {gaps[len(gaps) // 2]} s"
