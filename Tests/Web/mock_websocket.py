"""Just enough HTTP and WebSocket (RFC 6455) to stand in for the world's server."""

import asyncio
import base64
import hashlib
import pathlib
import urllib.parse

PAGE = pathlib.Path(__file__).resolve().parents[2] / "Sources" / "World" / "NearbyWorld" / "Page"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
SECURITY = (
    "Content-Security-Policy: default-src 'self'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cache-Control: no-cache\r\n"
)
MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
LARGEST_FRAME = 1 << 20


class Socket:
    """One WebSocket of a page."""

    def __init__(self, reader, writer):
        self.reader = reader
        self.writer = writer
        self.is_open = True

    def send(self, text, may_skip=False):
        if not self.is_open:
            return
        # A page that does not keep up misses states, so that its queue stays small.
        if may_skip and self.writer.transport.get_write_buffer_size() > 1 << 20:
            return
        self._write(1, text.encode())

    def _write(self, opcode, payload):
        length = len(payload)
        head = bytes([0x80 | opcode])
        if length < 126:
            head += bytes([length])
        elif length < 1 << 16:
            head += b"\x7e" + length.to_bytes(2, "big")
        else:
            head += b"\x7f" + length.to_bytes(8, "big")
        self.writer.write(head + payload)

    async def texts(self):
        """Yields the page's messages until it or the connection ends."""
        try:
            while self.is_open:
                opcode, payload = await self._frame()
                if opcode == 1:
                    yield payload.decode()
                elif opcode == 8:
                    self._write(8, payload[:2])
                    break
                elif opcode == 9:
                    self._write(10, payload)
        except (asyncio.IncompleteReadError, ConnectionError, ValueError):
            pass
        self.close()

    async def _frame(self):
        first, second = await self.reader.readexactly(2)
        length = second & 0x7F
        if length == 126:
            length = int.from_bytes(await self.reader.readexactly(2), "big")
        elif length == 127:
            length = int.from_bytes(await self.reader.readexactly(8), "big")
        if not second & 0x80 or not first & 0x80 or length > LARGEST_FRAME:
            raise ValueError("a frame that no browser sends here")
        mask = await self.reader.readexactly(4)
        octets = await self.reader.readexactly(length)
        return first & 15, bytes(octet ^ mask[index & 3] for index, octet in enumerate(octets))

    def close(self):
        self.is_open = False
        self.writer.close()


async def serve(reader, writer, token, connected):
    """Answers one request. If it becomes a WebSocket, `connected` gets the socket."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
        writer.close()
        return
    target = urllib.parse.urlsplit(head[0].split(" ")[1])
    headers = {}
    for line in head[1:]:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    if target.path != "/socket":
        _send_file(writer, target.path)
        return
    given = urllib.parse.parse_qs(target.query).get("token", [""])[0]
    if given != token or headers.get("origin") != f"http://{headers.get('host')}":
        _send(writer, "403 Forbidden", "text/plain", b"refused\n")
        return
    accept = base64.b64encode(hashlib.sha1((headers["sec-websocket-key"] + MAGIC).encode()).digest()).decode()
    writer.write((
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Accept: {accept}\r\nSec-WebSocket-Protocol: nearby-world\r\n\r\n").encode())
    await connected(Socket(reader, writer))


def _send_file(writer, path):
    name = "index.html" if path == "/" else path[1:]
    file = PAGE / name
    if "/" in name or file.suffix not in TYPES or not file.is_file():
        _send(writer, "404 Not Found", "text/plain", b"nothing here\n")
        return
    _send(writer, "200 OK", TYPES[file.suffix], file.read_bytes())


def _send(writer, status, kind, content):
    writer.write((
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(content)}\r\n"
        f"{SECURITY}Connection: close\r\n\r\n").encode() + content)
    writer.close()
