"""Uninvited clients: hostile octets, connections and pages of every kind."""

import asyncio
import base64
import json
import os
import socket
import struct


def text(value):
    octets = value.encode()
    return struct.pack("<H", len(octets)) + octets


def world_frame(side, kind, payload, time_ns=0):
    """A frame in the layout of `Docs/world-protocol.md`, section 2."""
    return struct.pack("<IBBHQ", len(payload), side, kind, 0, time_ns) + payload


def hello(token, device, role=0):
    return world_frame(0, 0, struct.pack("<HB", 1, role) + text(token) + text(device) + text("chaos") + b"\0\0")


UCI_RESET = bytes.fromhex("2000000100")
UCI_DEVICE_INFO = bytes.fromhex("20020000")
UCI_CAPABILITIES = bytes.fromhex("20030000")


async def connect(address):
    return await asyncio.wait_for(asyncio.open_connection(*address), 5)


def reset(writer):
    """Closes with an RST, which discards everything queued on either side."""
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def leave(random, writer):
    way = random.randrange(3)
    if way == 0:
        reset(writer)
    elif way == 1:
        if writer.can_write_eof():
            writer.write_eof()
        await asyncio.sleep(random.uniform(0, 1))
        writer.close()
    else:
        writer.close()


async def send_garbage(random, address):
    _, writer = await connect(address)
    for _ in range(random.randrange(1, 6)):
        writer.write(random.randbytes(random.choice([1, 4, 16, 255, 4096, 65536])))
        await asyncio.sleep(random.uniform(0, 0.05))
    await leave(random, writer)


async def be_silent(random, address):
    _, writer = await connect(address)
    await asyncio.sleep(random.uniform(0.5, 20))
    await leave(random, writer)


async def connect_and_reset(random, address):
    for _ in range(random.randrange(1, 60)):
        _, writer = await connect(address)
        reset(writer)


async def speak_uci(random, address):
    _, writer = await connect(address)
    for _ in range(random.randrange(1, 30)):
        packet = random.choice([UCI_RESET, UCI_DEVICE_INFO, UCI_CAPABILITIES])
        if random.random() < 0.3:
            packet = bytearray(packet)
            packet[random.randrange(len(packet))] = random.randrange(256)
        writer.write(bytes(packet))
        await asyncio.sleep(random.uniform(0, 0.02))
    await leave(random, writer)


async def join_and_babble(random, address, token):
    """Joins as a new device, then sends frames with random kinds and payloads."""
    _, writer = await connect(address)
    name = random.choice(["stranger", "Überblick", "a\u202eb\x1b[2J", "x" * 255, ""])
    writer.write(hello(token if random.random() < 0.8 else "wrong", name, random.randrange(3)))
    for _ in range(random.randrange(40)):
        payload = random.randbytes(random.choice([0, 1, 4, 8, 30, 1024, 65536]))
        writer.write(world_frame(random.randrange(7), random.randrange(6), payload, random.getrandbits(64)))
        await asyncio.sleep(random.uniform(0, 0.02))
    await leave(random, writer)


REQUESTS = [
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET /../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.0\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://" + b"a" * 9000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n",
    b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 4000,
]


async def ask_by_http(random, address):
    reader, writer = await connect(address)
    for _ in range(random.randrange(1, 4)):
        writer.write(random.choice(REQUESTS))
    try:
        await asyncio.wait_for(reader.read(4096), 2)
    except asyncio.TimeoutError:
        pass
    await leave(random, writer)


class Page:
    """A WebSocket to a world's page."""

    def __init__(self, address, token):
        self.address = address
        self.token = token
        self.messages = 0
        self.layout = None
        self.state = None
        self.error = None

    async def open(self):
        self.reader, self.writer = await connect(self.address)
        key = base64.b64encode(os.urandom(16)).decode()
        host = f"{self.address[0]}:{self.address[1]}"
        self.writer.write((
            f"GET /socket?token={self.token} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Protocol: nearby-world\r\n\r\n").encode())
        head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), 10)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise ConnectionError(head.split(b"\r\n")[0].decode())

    def send(self, order):
        self.send_octets(json.dumps(order).encode())

    def send_octets(self, octets, opcode=1):
        mask = os.urandom(4)
        size = len(octets)
        head = bytes([0x80 | opcode])
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 65536:
            head += bytes([0x80 | 126]) + struct.pack(">H", size)
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", size)
        self.writer.write(head + mask + bytes(octet ^ mask[at % 4] for at, octet in enumerate(octets)))

    async def read(self):
        """Reads one message and keeps the last layout and state."""
        whole = b""
        while True:
            first, second = await self.reader.readexactly(2)
            size = second & 127
            if size == 126:
                size = struct.unpack(">H", await self.reader.readexactly(2))[0]
            elif size == 127:
                size = struct.unpack(">Q", await self.reader.readexactly(8))[0]
            whole += await self.reader.readexactly(size)
            if first & 15 == 8:
                raise ConnectionError("the page was closed")
            if first & 0x80:
                break
        self.messages += 1
        message = json.loads(whole) if first & 15 in (0, 1) else {}
        if message.get("type") == "layout":
            self.layout = message
        elif message.get("type") == "state":
            self.state = message
        elif message.get("type") == "error":
            self.error = message.get("message")

    async def read_until(self, condition, limit=10):
        async def loop():
            while not condition(self):
                await self.read()
        await asyncio.wait_for(loop(), limit)


async def give_bad_orders(random, address, token):
    """A page with the token whose orders make no sense."""
    page = Page(address, token)
    await page.open()
    values = [1e-300, -1, 1e308, 0, None, "x" * 5000, [], {"a": 1}, 2 ** 63, -(2 ** 63), True]
    orders = ["rate", "step", "addWall", "removeWall", "watch", "place", "turn", "loss", "light", "nothing"]
    for _ in range(random.randrange(1, 40)):
        order = {"do": random.choice(orders), "device": random.choice([0, 1, 99, -1, 2 ** 63])}
        for name in ("value", "p", "seconds", "from", "to", "heading", "id"):
            if random.random() < 0.5:
                order[name] = random.choice(values)
        # A world that is paused or runs fast is not a fault; the run restores its rate at the end.
        page.send(order)
    page.send_octets(random.randbytes(random.choice([10, 1000, 100_000])), random.choice([1, 2, 9, 10, 11]))
    await asyncio.sleep(random.uniform(0, 1))
    await leave(random, page.writer)
