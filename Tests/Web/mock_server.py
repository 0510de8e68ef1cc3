#!/usr/bin/env python3
"""A test double of `nearby world` for the page's tests: the contract of Docs/world-page.md over a toy world.

Usage: mock_server.py [--http 127.0.0.1:0] [--token TOKEN] [--devices 6] [--ask]
Prints `page: http://…` on standard error, as the real server does.
"""

import argparse
import asyncio
import json
import secrets
import signal
import sys
import time

import mock_websocket
from mock_world import KINDS, MATERIALS, MockWorld

STATES_A_SECOND = 20


class Page:
    """One connected page."""

    def __init__(self, socket):
        self.socket = socket
        self.device = None
        self.uci = False

    def say(self, message, may_skip=False):
        self.socket.send(json.dumps(message, separators=(",", ":")), may_skip)


class Server:
    def __init__(self, world):
        self.world = world
        self.pages = set()

    async def connected(self, socket):
        page = Page(socket)
        page.say({"type": "welcome", "version": 1, "seed": self.world.seed, "kinds": KINDS, "materials": MATERIALS,
                  "world": "127.0.0.1:7100"})
        page.say(self.world.layout())
        page.say(self.world.state())
        self.pages.add(page)
        async for text in socket.texts():
            self.follow(page, text)
        self.pages.discard(page)

    def follow(self, page, text):
        try:
            order = json.loads(text)
            if order.get("do") == "watch":
                page.device, page.uci = order["device"], order["uci"]
            elif order.get("do") == "save":
                page.say({"type": "saved", "scenario": self.world.scenario()})
            elif self.world.order(order):
                self.say(self.world.layout())
        except (ValueError, KeyError, TypeError) as error:
            page.say({"type": "error", "message": str(error)})

    def say(self, message, may_skip=False):
        text = json.dumps(message, separators=(",", ":"))
        for page in self.pages:
            page.socket.send(text, may_skip)

    async def run(self):
        last = time.monotonic()
        turn = 0
        while True:
            await asyncio.sleep(1 / STATES_A_SECOND)
            now = time.monotonic()
            is_round = self.world.advance((now - last) * self.world.rate) if self.world.rate > 0 else False
            last = now
            turn += 1
            if not self.pages:
                self.world.events = []
                continue
            self.say(self.world.state(), may_skip=True)
            self.say_events()
            for page in self.pages:
                self.say_detail(page, is_round, turn)

    def say_events(self):
        events, self.world.events = self.world.events, []
        for page in self.pages:
            wanted = [e for e in events if e["kind"] != "didUpdate" or e["device"] == page.device]
            if wanted:
                page.say({"type": "events", "events": wanted})

    def say_detail(self, page, is_round, turn):
        if page.device is None or not 0 <= page.device < len(self.world.devices):
            return
        device = self.world.devices[page.device]
        if turn % 2 == 0:
            page.say(self.world.detail(device))
        if page.uci and is_round:
            page.say({"type": "uci", "device": device.id, "packets": self.world.packets(device)})


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--http", default="127.0.0.1:0")
    parser.add_argument("--token", default=secrets.token_hex(8))
    parser.add_argument("--devices", type=int, default=6)
    parser.add_argument("--ask", action="store_true")
    options = parser.parse_args()
    host, _, port = options.http.rpartition(":")
    server = Server(MockWorld(options.devices, asks=options.ask))

    async def serve(reader, writer):
        await mock_websocket.serve(reader, writer, options.token, server.connected)

    listener = await asyncio.start_server(serve, host, int(port))
    port = listener.sockets[0].getsockname()[1]
    print(f"page: http://{host}:{port}/?token={options.token}", file=sys.stderr, flush=True)
    running = asyncio.create_task(server.run())
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    waiting = asyncio.create_task(ended.wait())
    await asyncio.wait([running, waiting], return_when=asyncio.FIRST_COMPLETED)
    if running.done():
        running.result()


asyncio.run(main())
