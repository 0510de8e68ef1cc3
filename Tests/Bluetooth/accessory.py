"""Both sides of Apple's accessory protocol, implemented independently of the code that is tested.

`phone` plays phones for the guest's accessory, `accessory` an accessory for the guest's phone. The chips are in the
guest: one belongs to the tested program, the others to plain UCI hosts, which orders configure and start.
"""

import asyncio
import statistics
import struct

from bumble import hci
from bumble.core import AdvertisingData, ProtocolError, UUID
from bumble.device import Peer
from bumble.gatt import Characteristic, CharacteristicValue, Service

from air import say, stack
from director import patiently

CHANNEL = UUID("6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
RECEIVE = UUID("6E400002-B5A3-F393-E0A9-E50E24DCCA9E")
TRANSMIT = UUID("6E400003-B5A3-F393-E0A9-E50E24DCCA9E")
NEARBY_INTERACTION = UUID("48FE3E40-0817-4BB2-8633-3073689C2DBA")
CONFIGURATION = UUID("95E8D9D5-D8EF-4721-9A4E-807375F53328")
CONFIGURATION_DATA, DID_START, DID_STOP = 0x01, 0x02, 0x03
INITIALIZE, CONFIGURE_AND_START, STOP = 0x0A, 0x0B, 0x0C

# Metres between neighbouring chips (guest/test), and the largest error of a median of 15 rounds.
TRUTH, TOLERANCE = 3.5, 0.15
ROUNDS = 15


# The messages, little-endian.

def accessory_data(address, *, role=0, rate=20, drift=100):
    """Configuration data of an accessory: version 1.0 with UWB 1.1."""
    inner = struct.pack("<HHIII B H H", 1, 1, 0x1032, 0x3046, 7, role, address, drift)
    return struct.pack("<HHB10xB", 1, 0, rate, len(inner)) + inner


def parse_accessory_data(octets):
    major, minor, rate, length = struct.unpack_from("<HHB10xB", octets)
    assert (major, minor) == (1, 0) and rate in (0, 10, 20), f"accessory protocol {major}.{minor}, rate {rate}"
    assert octets[5:15] == bytes(10), "reserved octets are not zero"
    inner = octets[16:]
    assert len(inner) == length == 21, f"the UWB part has {len(inner)} octets; its length field says {length}"
    major, minor, _, _, _, role, address, drift = struct.unpack("<HHIIIBHH", inner)
    assert (major, minor) == (1, 1), f"UWB {major}.{minor}"
    assert role == 0 and 0 < address < 0xFFFF and 0 < drift <= 100, f"role {role}, address {address}, {drift} ppm"
    return address


def shareable(session, address, vector, interval=198):
    """A phone's shareable data, UWB 1.1, with the schedule of a recorded phone. `milliseconds` is the interval."""
    tail = struct.pack("<2sIBBHHHB6sHH", b"US", session, 11, 9, 6, 3600, interval, 3, vector, address, 100)
    return struct.pack("<HHB", 1, 1, len(tail)) + tail


def parse_shareable(octets):
    """Parses a phone's shareable data and checks each field."""
    major, minor, length = struct.unpack_from("<HHB", octets)
    assert (major, minor) == (1, 1), f"shareable data of {major}.{minor}"
    assert length == 25 and len(octets) == 30, f"{len(octets)} octets; the length field says {length}"
    country, session, preamble, channel, slots, slot, interval, control, vector, address, drift = struct.unpack(
        "<2sIBBHHHB6sHH", octets[5:])
    assert country.isalpha() and country.isupper(), f"country {country}"
    assert session != 0 and 0 < address < 0xFFFF, f"session {session}, address {address}"
    assert 9 <= preamble <= 12 and channel in (5, 6, 8, 9, 10, 12, 13, 14), f"preamble {preamble}, channel {channel}"
    assert slots >= 6 and slot % 1200 == 0 and slots * slot <= interval * 1200, (
        f"{slots} slots of {slot} RSTU do not fit into {interval} ms")
    assert control in (3, 6) and drift <= 100, f"round control {control}, {drift} ppm"
    return dict(session=session, preamble=preamble, channel=channel, slots=slots, slot=slot, interval=interval,
                iv=vector.hex(), phone=address)


def chip_order(name, role, own, peer, *, session, preamble, channel, slots, slot, interval, iv):
    """An order to another chip, with Apple's vendor id in wire order."""
    return ["chip", name, "--role", role, "--address", own, "--peer", peer, "--session", session, "--channel", channel,
            "--preamble", preamble, "--slots", slots, "--slot", slot, "--interval", interval,
            "--vendor-id", "4c00", "--iv", iv]


async def distances(output, what, truth=TRUTH, **of):
    """Waits for some rounds, and compares their median with the truth."""
    values = []
    while len(values) < ROUNDS:
        event = await output.event("measured", **of)
        if event.get("distance") is not None:
            values.append(event["distance"])
    median = statistics.median(values)
    say(f"{what}: median of {len(values)} distances {median:.3f} m, the true distance is {truth} m;",
        f"{min(values):.3f} to {max(values):.3f} m")
    assert abs(median - truth) < TOLERANCE, f"{what}: {median} m; the true distance is {truth} m"


def cut(air):
    """Loses every link without a disconnection, as after a supervision timeout."""
    for controller in air.controllers:
        for connection in list(controller.le_connections.values()):
            controller.on_le_disconnected(connection, hci.HCI_CONNECTION_TIMEOUT_ERROR)


# A phone, for the guest's accessory.

class Phone:
    def __init__(self, director, name, connection, peer):
        self.director = director
        self.chip = name.replace(" ", "-")
        self.connection = connection
        self.peer = peer
        self.messages = asyncio.Queue()

    @classmethod
    async def meet(cls, air, director, name, address):
        """Finds the accessory by its data channel's service, and connects."""
        device = await stack(air, name, address)
        found = asyncio.get_running_loop().create_future()

        def heard(advertisement):
            lists = advertisement.data.get(AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS) or []
            if CHANNEL in lists and not found.done():
                found.set_result(advertisement.address)

        device.on("advertisement", heard)
        await device.start_scanning()
        where = await patiently("the accessory's advertisement", found)
        await device.stop_scanning()
        connection = await patiently("a connection", device.connect(where))
        say(name, "connected with", where)
        peer = Peer(connection)
        await peer.request_mtu(185)
        await peer.discover_services()
        await peer.discover_characteristics()
        return cls(director, name, connection, peer)

    def of(self, uuid):
        return self.peer.get_characteristics_by_uuid(uuid)[0]

    async def pair(self):
        """Checks that the Nearby Interaction service is readable only after pairing."""
        try:
            await self.of(CONFIGURATION).read_value()
            raise AssertionError("the configuration data was read without encryption")
        except ProtocolError as error:
            say("refused, as expected:", str(error).splitlines()[0])
        await patiently("the pairing", self.connection.pair())
        assert self.connection.is_encrypted, "the link is not encrypted"
        data = bytes(await self.of(CONFIGURATION).read_value())
        say("read over the encrypted link:", data.hex())
        return data

    async def listen(self):
        await self.of(TRANSMIT).subscribe(self.messages.put_nowait)

    async def send(self, message, payload=b""):
        await self.of(RECEIVE).write_value(bytes([message]) + payload, with_response=True)

    async def expect(self, message):
        octets = bytes(await patiently(f"message {message}", self.messages.get()))
        assert octets[0] == message, f"{octets.hex()}, expected message {message}"
        return octets[1:]

    async def range(self, session, address, told, interval=198):
        """Exchanges messages, and starts a chip that ranges with the shared parameters."""
        await self.send(INITIALIZE)
        data = await self.expect(CONFIGURATION_DATA)
        assert data == told, f"the channel says {data.hex()}"
        vector = bytes(range(session, session + 6))
        self.director.order(*chip_order(
            self.chip, "initiator", address, parse_accessory_data(data), session=session, preamble=11, channel=9,
            slots=6, slot=3600, interval=interval, iv=vector.hex()))
        await self.send(CONFIGURE_AND_START, shareable(session, address, vector, interval))
        assert await self.expect(DID_START) == b"", "did start has a payload"

    def end_chip(self):
        self.director.order("chip-off", self.chip)


async def phone(air, controller, director):
    """Four phones: the first is lost while ranging, the second when bluetoothd ends, and two range at the same time."""
    output = director.output("accessory")
    told = bytes.fromhex((await output.event("ready"))["data"])

    async def meet(name, address):
        phone = await Phone.meet(air, director, name, address)
        assert await phone.pair() == told, "the service's data differs from the accessory's"
        await phone.listen()
        return phone

    async def stop(phone, number):
        await phone.send(STOP)
        await phone.expect(DID_STOP)
        await output.event("stopped", phone=f"phone {number}", reason="byPhone")
        phone.end_chip()

    first = await meet("first phone", "F0:F1:F2:F3:F4:F6")
    await first.range(21, 0x7570, told)
    await distances(output, "first phone")
    await stop(first, 1)
    # Range again, until the link is lost.
    await first.range(22, 0x7571, told)
    await distances(output, "first phone again")
    cut(air)
    await output.event("stopped", phone="phone 1", reason="disconnected")
    await output.event("disconnected", phone="phone 1")
    first.end_chip()

    # The accessory must serve the next phone, which first violates the protocol.
    second = await meet("second phone", "F0:F1:F2:F3:F4:F7")
    await second.send(CONFIGURE_AND_START, shareable(23, 0x7572, bytes(6)))
    await second.expect(DID_STOP)
    await output.event("refused", reason="notInitialised")
    await second.send(0x55, b"nonsense")
    reason = (await output.event("refused"))["reason"]
    assert reason.startswith("malformed"), f"invalid octets were refused as {reason}"
    await second.range(24, 0x7572, told)
    await distances(output, "second phone")
    # The daemon ends, and its links with it. After its restart the accessory must advertise again.
    director.order("restart")
    await output.event("stopped", phone="phone 2", reason="disconnected")
    await output.event("disconnected", phone="phone 2")
    await director.done()
    second.end_chip()

    # A connected phone must not hide the accessory from another.
    third = await meet("third phone", "F0:F1:F2:F3:F4:F8")
    await third.range(25, 0x7573, told)
    await distances(output, "third phone", phone="phone 3")
    fourth = await meet("fourth phone", "F0:F1:F2:F3:F4:F9")
    # Another interval, so that the rounds of the two sessions do not collide for long.
    await fourth.range(26, 0x7574, told, interval=230)
    await distances(output, "fourth phone", 2 * TRUTH, phone="phone 4")
    await distances(output, "third phone beside it", phone="phone 3")
    await stop(fourth, 4)
    await distances(output, "third phone alone again", phone="phone 3")
    # The notification was meant for the fourth phone: see README.md.
    strays = [third.messages.get_nowait()[:1].hex() for _ in range(third.messages.qsize())]
    say("messages for other phones that the third phone received:", strays)
    await stop(third, 3)
    for phone, number in ((third, 3), (fourth, 4)):
        await phone.connection.disconnect()
        await output.event("disconnected", phone=f"phone {number}")


# An accessory, for the guest's phone.

async def accessory(air, controller, director):
    """Serves the guest's phone: it reads after pairing, ranges, loses the link, and ranges again."""
    output = director.output("phone")
    device = await stack(air, "Gate", "F0:F1:F2:F3:F4:F5")
    address = 0x0A5D
    data = accessory_data(address)
    kinds = Characteristic.Properties
    messages = asyncio.Queue()
    # How often the configuration data were read on each connection.
    links = []

    def read(connection):
        say("read on link", len(links), "encrypted" if connection.is_encrypted else "open")
        assert connection.is_encrypted, "the data was read without encryption"
        links[-1].set()
        return data

    device.on("connection", lambda connection: links.append(asyncio.Event()))

    transmit = Characteristic(TRANSMIT, kinds.NOTIFY, 0, b"")
    device.add_service(Service(CHANNEL, [
        Characteristic(RECEIVE, kinds.WRITE | kinds.WRITE_WITHOUT_RESPONSE, Characteristic.WRITEABLE,
                       CharacteristicValue(write=lambda _, value: messages.put_nowait(bytes(value)))),
        transmit,
    ]))
    device.add_service(Service(NEARBY_INTERACTION, [
        Characteristic(CONFIGURATION, kinds.READ,
                       Characteristic.READABLE | Characteristic.READ_REQUIRES_ENCRYPTION,
                       CharacteristicValue(read=read)),
    ]))
    advertisement = AdvertisingData([
        (AdvertisingData.FLAGS, b"\x06"),
        (AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, bytes(CHANNEL)),
    ])
    await device.start_advertising(advertising_data=bytes(advertisement), auto_restart=True,
                                   advertising_interval_min=100, advertising_interval_max=100)

    async def tell(message, payload=b""):
        for connection in list(device.connections.values()):
            await device.notify_subscriber(connection, transmit, bytes([message]) + payload)

    sessions = []
    stopped = asyncio.Event()

    async def serve():
        """Answers every message, however often it comes. On a slow machine a chip may be late, and the phone then
        starts over."""
        while True:
            octets = await messages.get()
            say("from the phone:", octets.hex())
            if octets[0] == INITIALIZE:
                assert len(octets) == 1, "initialize has a payload"
                await tell(CONFIGURATION_DATA, data)
            elif octets[0] == CONFIGURE_AND_START:
                terms = parse_shareable(octets[1:])
                say("terms:", terms)
                assert terms["session"] not in sessions, "a session number was used twice"
                sessions.append(terms["session"])
                director.order(*chip_order("accessory", "responder", address, terms.pop("phone"), **terms))
                await tell(DID_START)
            elif octets[0] == STOP:
                assert len(octets) == 1, "stop has a payload"
                stopped.set()
                director.order("chip-off", "accessory")
                await tell(DID_STOP)
            else:
                raise AssertionError(f"not a valid message of a phone: {octets.hex()}")

    serving = asyncio.create_task(serve())

    async def meanwhile(awaitable):
        """Waits for the event, or fails if the phone sends something wrong first."""
        task = asyncio.ensure_future(awaitable)
        await asyncio.wait({task, serving}, return_when=asyncio.FIRST_COMPLETED)
        if serving.done():
            serving.result()
        return task.result()

    assert (await meanwhile(output.event("read")))["data"] == data.hex(), "the phone read different data"
    paired = len(links)
    assert links[-1].is_set(), "the app was notified before the data was read"
    # The phone's system reads the service for the hands-free session, with the existing bond.
    await meanwhile(output.event("note", text="accessory started ranging"))
    await meanwhile(distances(output, "phone"))
    assert len(links) > paired, "the app did not connect"
    await meanwhile(patiently("the system's look at the service", links[-1].wait()))
    # The link is lost without a disconnection. The phone must reconnect on its own and start over.
    before = len(links)
    cut(air)
    director.order("chip-off", "accessory")
    await meanwhile(output.event("note", text="link lost"))
    await meanwhile(output.event("note", text="accessory started ranging"))
    # From here on, measurements belong to another session.
    assert len(links) > before and len(sessions) > 1, "ranging did not restart"
    await meanwhile(distances(output, "phone again"))
    await meanwhile(patiently("the system's look at the service again", links[-1].wait()))
    stopped.clear()
    director.order("tell", "end")
    await meanwhile(patiently("the phone's stop", stopped.wait()))
    await meanwhile(output.event("ended"))
    serving.cancel()
