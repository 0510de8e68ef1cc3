"""The other side of the air: a virtual controller for the guest's kernel, and a Bluetooth stack that shares nothing
with BlueZ (PyPI's bumble) beside it on the same link.

Usage: radio.py beacon|shy|listener|peripheral|central SOCKET VERDICT. SOCKET is where the guest's HCI comes out (H4). What
the stack finds out goes into the file VERDICT: `ok`, or what is wrong.
"""

import asyncio
import os
import sys

from bumble import hci
from bumble.controller import Controller, LegacyAdvertiser
from bumble.core import AdvertisingData, ProtocolError, UUID
from bumble.device import Device, Peer
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.host import Host
from bumble.link import LocalLink
from bumble.ll import AdvInd
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport.common import AsyncPipeSink
from bumble.transport.unix import open_unix_client_transport

SERVICE = UUID("6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
WRITABLE = UUID("6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
NOTIFYING = UUID("6E400003-B5A3-F393-E0A9-E50E24DCCA9E")
SECRET = UUID("95E8D9D5-D8EF-4721-9A4E-807375F53328")
OPEN = UUID("48FE3E41-0817-4BB2-8633-3073689C2DBA")
BEACON = bytes.fromhex("E2C56DB5DFFB48D2B060D0F5A71096E0")
# So long a packet is on its way: with no delay at all BlueZ loses a read that it repeats behind a pairing.
DELAY = 0.008


def say(*words):
    print(*words, flush=True)


class Air(LocalLink):
    """Delivers as a radio does: later, and from the address that the connection was made with. bumble's own link
    names the sender by its random address, which is not the one of a Linux host's connection."""

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        receiver = self.find_le_controller(destination_address)
        if receiver is None:
            return
        own = [c.self_address for c in sender_controller.le_connections.values()
               if c.peer_address == destination_address]
        source = own[0] if own else sender_controller.random_address
        asyncio.get_running_loop().call_later(DELAY, receiver.on_link_acl_data, source, transport, data)


class Advertiser(LegacyAdvertiser):
    """Sends what can't be connected to as well, and takes its interval in the unit that it is given in."""

    def _on_timer_fired(self):
        if self.enabled:
            self.controller.send_advertising_pdu(
                AdvInd(advertiser_address=self.address, data=self.advertising_data))
        self.timer_handle = asyncio.get_running_loop().call_later(
            max(0.02, self.advertising_interval_min * 0.625e-3), self._on_timer_fired)


class GuestController(Controller):
    """The controller that the guest's kernel has."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.le_legacy_advertiser = Advertiser(self)
        self.reported = False
        # Who is asked for more than it sends is silent.
        self.is_shy = False

    def on_hci_le_set_scan_enable_command(self, command):
        # A filter of duplicates begins anew with each scan.
        self.reported = False
        say("scan", "on" if command.le_scan_enable else "off", "filter", command.filter_duplicates,
            "active" if self.le_scan_type else "passive")
        return super().on_hci_le_set_scan_enable_command(command)

    def report(self, octets, rssi):
        """One advertisement that nobody can connect to; not told twice where the kernel asks for that."""
        if not self.le_scan_enable or (self.is_shy and self.le_scan_type) or (self.filter_duplicates and self.reported):
            return
        self.reported = True
        kind = hci.HCI_LE_Advertising_Report_Event
        self.send_hci_packet(kind([kind.Report(
            event_type=kind.EventType.ADV_NONCONN_IND, address_type=hci.Address.RANDOM_DEVICE_ADDRESS,
            address=hci.Address("C4:11:22:33:44:55"), data=octets, rssi=rssi)]))


async def guest(air, path):
    while True:
        try:
            transport = await open_unix_client_transport(path)
            break
        except OSError:
            await asyncio.sleep(0.05)
    controller = GuestController(
        "guest", host_source=transport.source, host_sink=transport.sink, link=air,
        public_address="C0:00:00:00:00:01")
    return transport, controller


async def stack(air, name, address):
    controller = Controller(name, link=air, public_address=address)
    device = Device(name=name, address=hci.Address(address), host=Host(controller, AsyncPipeSink(controller)))
    device.pairing_config_factory = lambda connection: PairingConfig(
        sc=True, mitm=False, bonding=True,
        delegate=PairingDelegate(PairingDelegate.IoCapability.NO_OUTPUT_NO_INPUT))
    await device.power_on()
    return device


async def beacon(air, controller):
    """Ten advertisements a second, each 1 dB stronger than the one before."""
    octets = bytes.fromhex("0201061AFF4C000215") + BEACON + bytes.fromhex("00010007C5")
    loop = asyncio.get_running_loop()
    start, count = loop.time(), 0
    while True:
        controller.report(octets, -90 + count % 50)
        count += 1
        await asyncio.sleep(max(0, start + count * 0.1 - loop.time()))


async def shy(air, controller):
    """The same, but only for those who scan passively."""
    controller.is_shy = True
    await beacon(air, controller)


async def listener(air, controller):
    """Waits for the guest's beacon, octet by octet."""
    device = await stack(air, "listener", "F0:F1:F2:F3:F4:F5")
    heard = asyncio.Queue()
    device.on("advertisement", heard.put_nowait)
    await device.start_scanning(filter_duplicates=False)
    wanted = bytes.fromhex("4C000215") + BEACON + bytes.fromhex("123400FFC3")
    times = []
    while len(times) < 20:
        advertisement = await heard.get()
        data = advertisement.data.get(AdvertisingData.MANUFACTURER_SPECIFIC_DATA, raw=True)
        if data is None:
            continue
        say("heard", advertisement.address, bytes(data).hex())
        assert bytes(data) == wanted, f"other octets: {bytes(data).hex()}"
        times.append(asyncio.get_running_loop().time())
    gaps = sorted(b - a for a, b in zip(times, times[1:]) if b - a > 0.01)
    say("interval", gaps[len(gaps) // 2])
    assert gaps[len(gaps) // 2] < 0.5, f"an interval of {gaps[len(gaps) // 2]} s"


async def peripheral(air, controller):
    """Serves the guest's central until that is gone."""
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


async def central(air, controller):
    """Uses the guest's server: reads, is refused, pairs, reads, hears, writes."""
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
    assert await of(OPEN).read_value() == b"open", "the open value"
    try:
        await of(SECRET).read_value()
        assert False, "a secret read without encryption"
    except ProtocolError as error:
        say("refused as it should be:", error)
    await connection.pair()
    assert connection.is_encrypted, "not encrypted"
    assert await of(SECRET).read_value() == b"secret", "the secret value"
    values = asyncio.Queue()
    await of(NOTIFYING).subscribe(values.put_nowait)
    for length in (3, 20, 150):
        value = bytes(range(length))
        await of(WRITABLE).write_value(value, with_response=True)
        echo = await values.get()
        assert bytes(echo) == value[::-1], f"an echo of {bytes(echo).hex()}"
    await of(WRITABLE).write_value(b"xyz", with_response=False)
    assert bytes(await values.get()) == b"zyx", "the echo of a write without response"
    await connection.disconnect()


async def main():
    mode, path, verdict = sys.argv[1:]
    air = Air()
    transport, controller = await guest(air, path)
    say("attached")
    try:
        await {"beacon": beacon, "shy": shy, "listener": listener, "peripheral": peripheral, "central": central}[mode](
            air, controller)
        text = "ok"
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
    say(text)
    with open(verdict + ".draft", "w") as file:
        file.write(text + "\n")
    os.rename(verdict + ".draft", verdict)
    # The guest ends in its own time, with its controller there.
    await asyncio.sleep(600)


asyncio.run(main())
