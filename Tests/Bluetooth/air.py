"""The parts that all tests share: a virtual controller for the guest's kernel, the link, and a Bluetooth stack that
shares no code with BlueZ (PyPI's bumble)."""

import asyncio

from bumble import hci
from bumble.controller import Controller, LegacyAdvertiser
from bumble.core import UUID
from bumble.device import Device
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
# Seconds that a packet takes. Without any delay BlueZ loses a read that it repeats after pairing.
DELAY = 0.008


def say(*words):
    print(*words, flush=True)


class Air(LocalLink):
    """Delivers as a radio does: with a delay, and from the address with which the connection was made. bumble's own
    link uses the sender's random address, but a Linux host connects with another one."""

    def send_acl_data(self, sender_controller, destination_address, transport, data):
        receiver = self.find_le_controller(destination_address)
        if receiver is None:
            return
        own = [c.self_address for c in sender_controller.le_connections.values()
               if c.peer_address == destination_address]
        source = own[0] if own else sender_controller.random_address
        asyncio.get_running_loop().call_later(DELAY, receiver.on_link_acl_data, source, transport, data)


class Advertiser(LegacyAdvertiser):
    """Also sends non-connectable advertisements, and interprets the interval in its actual unit."""

    def _on_timer_fired(self):
        if self.enabled:
            self.controller.send_advertising_pdu(
                AdvInd(advertiser_address=self.address, data=self.advertising_data))
        self.timer_handle = asyncio.get_running_loop().call_later(
            max(0.02, self.advertising_interval_min * 0.625e-3), self._on_timer_fired)


class GuestController(Controller):
    """The guest kernel's controller."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.le_legacy_advertiser = Advertiser(self)
        self.reported = False
        # Whether its advertisements reach only passive scans.
        self.is_shy = False
        # The device that it connected to last.
        self.youngest = None
        # How often the kernel enabled advertising.
        self.advertisings = 0

    def on_hci_le_set_extended_advertising_enable_command(self, command):
        say("advertising", "on" if command.enable else "off")
        self.advertisings += 1 if command.enable else 0
        return super().on_hci_le_set_extended_advertising_enable_command(command)

    async def advertises_again(self, begun):
        while self.advertisings == begun:
            await asyncio.sleep(0.05)

    def on_hci_le_set_scan_enable_command(self, command):
        # The duplicate filter starts empty with each scan.
        self.reported = False
        say("scan", "on" if command.le_scan_enable else "off", "filter", command.filter_duplicates,
            "active" if self.le_scan_type else "passive")
        return super().on_hci_le_set_scan_enable_command(command)

    def on_hci_le_create_connection_command(self, command):
        say("connecting with", command.peer_address)
        return super().on_hci_le_create_connection_command(command)

    def on_hci_le_extended_create_connection_command(self, command):
        say("connecting with", command.peer_address)
        return super().on_hci_le_extended_create_connection_command(command)

    def create_le_connection(self, peer_address):
        super().create_le_connection(peer_address)
        self.youngest = peer_address

    def lose(self, peer_address):
        """Reports to both ends that a link could not be established."""
        connection = self.le_connections.get(peer_address)
        if connection is None:
            return
        say("the link with", peer_address, "is dropped")
        other = self.link.find_le_controller(peer_address)
        self.on_le_disconnected(connection, hci.HCI_ErrorCode.CONNECTION_FAILED_TO_BE_ESTABLISHED_ERROR)
        for link in list(other.le_connections.values()) if other else []:
            if link.peer_address == connection.self_address:
                other.on_le_disconnected(link, hci.HCI_ErrorCode.CONNECTION_FAILED_TO_BE_ESTABLISHED_ERROR)

    def on_hci_le_create_connection_cancel_command(self, command):
        """Cancels the attempt. bumble's own controller continues to connect, which leaves the other side with a link
        that the kernel does not know, and without advertising."""
        pending, self.pending_le_connection = self.pending_le_connection, None
        say("connection attempt cancelled" if pending else "connection attempt cancelled too late")
        if pending is None:
            # The link has just come up. The kernel no longer knows it and would never end it.
            if self.youngest is not None:
                asyncio.get_running_loop().call_soon(self.lose, self.youngest)
            return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.COMMAND_DISALLOWED_ERROR)
        # After the command's own answer.
        asyncio.get_running_loop().call_soon(self.send_hci_packet, hci.HCI_LE_Connection_Complete_Event(
            status=hci.HCI_ErrorCode.UNKNOWN_CONNECTION_IDENTIFIER_ERROR, connection_handle=0,
            role=hci.Role.CENTRAL, peer_address_type=pending.peer_address.address_type,
            peer_address=pending.peer_address, connection_interval=0, peripheral_latency=0, supervision_timeout=0,
            central_clock_accuracy=0))
        return hci.HCI_StatusReturnParameters(hci.HCI_ErrorCode.SUCCESS)

    def report(self, octets, rssi):
        """Reports a non-connectable advertisement; only once if the kernel asked to filter duplicates."""
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


class PeerController(Controller):
    """The other stack's controller, which prints its commands and connections."""

    def on_hci_le_set_advertising_enable_command(self, command):
        say(self.name, "advertising", "on" if command.advertising_enable else "off")
        return super().on_hci_le_set_advertising_enable_command(command)

    def on_hci_le_set_extended_advertising_enable_command(self, command):
        say(self.name, "advertising", "on" if command.enable else "off")
        return super().on_hci_le_set_extended_advertising_enable_command(command)

    def on_le_connect_ind(self, packet):
        say(self.name, "received a connection request:", packet.initiator_address, "to", packet.advertiser_address)
        super().on_le_connect_ind(packet)

    def on_le_disconnected(self, connection, reason):
        say(self.name, "disconnected from", connection.peer_address, "reason", reason)
        super().on_le_disconnected(connection, reason)


async def stack(air, name, address):
    controller = PeerController(name, link=air, public_address=address)
    device = Device(name=name, address=hci.Address(address), host=Host(controller, AsyncPipeSink(controller)))
    device.pairing_config_factory = lambda connection: PairingConfig(
        sc=True, mitm=False, bonding=True,
        delegate=PairingDelegate(PairingDelegate.IoCapability.NO_OUTPUT_NO_INPUT))
    await device.power_on()
    return device
