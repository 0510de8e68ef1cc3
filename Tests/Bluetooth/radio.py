"""The other side of each test: see the table in README.md.

Usage: radio.py MODE SOCKET VERDICT. SOCKET carries the guest's HCI (H4). The result is written to the file VERDICT: `ok`,
or what is wrong. The same folder has the orders that the guest executes, and the output of its programs
(`director.py`).
"""

import asyncio
import os
import sys
import traceback

from bumble.core import AdvertisingData, ProtocolError
from bumble.device import Peer
from bumble.gatt import Characteristic, CharacteristicValue, Service

import accessory
import beacons
from air import NOTIFYING, OPEN, SECRET, SERVICE, WRITABLE, Air, guest, say, stack
from director import Director


async def peripheral(air, controller, director):
    """Serves the guest's central until it disconnects."""
    device = await stack(air, "peripheral", "F0:F1:F2:F3:F4:F5")
    stored = [b"open"]
    kinds = Characteristic.Properties
    notifying = Characteristic(NOTIFYING, kinds.NOTIFY, 0, b"")
    device.add_service(Service(SERVICE, [
        Characteristic(OPEN, kinds.READ, Characteristic.READABLE, CharacteristicValue(read=lambda _: stored[0])),
        Characteristic(SECRET, kinds.READ, Characteristic.READABLE | Characteristic.READ_REQUIRES_ENCRYPTION,
                       b"secret"),
        Characteristic(WRITABLE, kinds.WRITE | kinds.WRITE_WITHOUT_RESPONSE, Characteristic.WRITEABLE,
                       CharacteristicValue(write=lambda _, value: stored.__setitem__(0, bytes(value)))),
        notifying,
    ]))
    gone = asyncio.Event()
    device.on("connection", lambda connection: connection.on("disconnection", lambda _: gone.set()))
    data = AdvertisingData([
        (AdvertisingData.FLAGS, b"\x06"),
        (AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, bytes(SERVICE)),
    ])
    await device.start_advertising(advertising_data=bytes(data), auto_restart=True,
                                   advertising_interval_min=100, advertising_interval_max=100)
    count = 0
    while not gone.is_set():
        await asyncio.sleep(0.02)
        for connection in list(device.connections.values()):
            await device.notify_subscriber(connection, notifying, count.to_bytes(2, "little") + bytes(18))
            count += 1
    say("left")


async def central(air, controller, director):
    """Uses the guest's server: a refused read, pairing, a read, notifications, writes."""
    device = await stack(air, "central", "F0:F1:F2:F3:F4:F6")
    found = asyncio.get_running_loop().create_future()

    def heard(advertisement):
        lists = advertisement.data.get(AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS) or []
        if SERVICE in lists and not found.done():
            found.set_result(advertisement.address)

    device.on("advertisement", heard)
    await device.start_scanning()
    address = await found
    await device.stop_scanning()
    connection = await device.connect(address)
    peer = Peer(connection)
    await peer.request_mtu(185)
    await peer.discover_services()
    await peer.discover_characteristics()
    of = lambda uuid: peer.get_characteristics_by_uuid(uuid)[0]
    assert await of(OPEN).read_value() == b"open", "the open value was not read"
    try:
        await of(SECRET).read_value()
        assert False, "the secret value was read without encryption"
    except ProtocolError as error:
        say("refused, as expected:", error)
    await connection.pair()
    assert connection.is_encrypted, "the link is not encrypted"
    assert await of(SECRET).read_value() == b"secret", "the secret value was not read"
    values = asyncio.Queue()
    await of(NOTIFYING).subscribe(values.put_nowait)
    for length in (3, 20, 150):
        value = bytes(range(length))
        await of(WRITABLE).write_value(value, with_response=True)
        echo = await values.get()
        assert bytes(echo) == value[::-1], f"unexpected echo {bytes(echo).hex()}"
    await of(WRITABLE).write_value(b"xyz", with_response=False)
    assert bytes(await values.get()) == b"zyx", "no echo of a write without response"
    await connection.disconnect()


MODES = {
    "beacon": beacons.beacon, "shy": beacons.shy, "listener": beacons.listener, "treasure": beacons.treasure,
    "hunter": beacons.hunter, "peripheral": peripheral, "central": central, "phone": accessory.phone,
    "accessory": accessory.accessory,
}


async def main():
    mode, path, verdict = sys.argv[1:]
    air = Air()
    transport, controller = await guest(air, path)
    say("attached")
    try:
        await MODES[mode](air, controller, Director(os.path.dirname(verdict)))
        text = "ok"
    except Exception as error:
        traceback.print_exc(file=sys.stdout)
        text = f"{type(error).__name__}: {error}"
    say(text)
    with open(verdict + ".draft", "w") as file:
        file.write(text + "\n")
    os.rename(verdict + ".draft", verdict)
    # Keep the controller until the guest has shut down.
    await asyncio.sleep(600)


asyncio.run(main())
