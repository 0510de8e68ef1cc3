"""The worlds, chips and peers of the chaos run, and their recorded state."""

import asyncio
import json
import pathlib
import signal
import statistics
import subprocess
import time

from programs import Program
from strangers import Page

SCENARIO = {
    "seed": 5,
    "duration": 86400,
    "walls": [{"from": [-4, 6], "to": [4, 6], "material": "drywall"}],
    "devices": [
        {"name": "Anna", "motion": {"stand": [0, 0, 1.2]}},
        {"name": "Ben", "motion": {"stand": [0, 3, 1.2]}},
        {"name": "Phone", "motion": {"stand": [10, 0, 1.2]}},
        {"name": "Speaker", "kind": "accessory", "motion": {"stand": [10, 2, 1]}},
    ],
}
PLACES = {device["name"]: device["motion"]["stand"] for device in SCENARIO["devices"]}
TOKEN = "chaos"


class World:
    """A served world with its programs. A restart keeps its ports."""

    def __init__(self, name, nearby, folder, descriptors=None):
        self.name = name
        self.nearby = nearby
        self.state = folder / f"{name}.state"
        scenario = folder / f"{name}.json"
        scenario.write_text(json.dumps(SCENARIO))
        self.scenario = scenario
        self.ports = {"listen": 0, "http": 0, "uci": 0}
        self.descriptors = descriptors
        self.program = None
        self.faults = []
        self.updates = {}
        self.joined = []

    async def start(self):
        options = [f"--{name}=127.0.0.1:{port}" for name, port in self.ports.items()]
        earlier = self.program.faults if self.program else []
        self.program = Program(
            f"world {self.name}",
            [self.nearby, "world", self.scenario, *options, "--token", TOKEN, "--state", self.state],
            descriptors=self.descriptors)
        self.program.faults = earlier
        await self.program.start()
        for name, pattern in (("listen", r"^listening on .*:(\d+)$"), ("uci", r"UCI on .*:(\d+)$"),
                              ("http", r"page: http://[^/]*:(\d+)/")):
            self.ports[name] = int((await self.program.printed(pattern)).group(1))

    def address(self, name):
        return ("127.0.0.1", self.ports[name])

    def environment(self, device, port=None):
        return {
            "NEARBY_WORLD": f"127.0.0.1:{port or self.ports['listen']}", "NEARBY_DEVICE": device,
            "NEARBY_TOKEN": TOKEN}

    def add_program(self, device, arguments, port=None):
        self.updates[device] = (0, None)

        def note(line):
            try:
                record = json.loads(line)
            except ValueError:
                return
            self.updates[device] = (time.monotonic(), record)
        program = Program(
            f"{device} in {self.name}", [self.nearby, *arguments], self.environment(device, port), note)
        self.joined.append(program)
        return program

    def is_ranging(self, device, within=2.0):
        at, record = self.updates[device]
        if time.monotonic() - at > within or record is None:
            return False
        if "distance" in record:
            return record.get("state") == "near" and record["distance"] is not None
        return bool(record.get("line"))

    async def page(self):
        page = Page(self.address("http"), TOKEN)
        await page.open()
        return page

    async def device_names(self):
        """The names in the world's layout; empty if its page does not answer."""
        try:
            page = await self.page()
            await page.read_until(lambda page: page.layout is not None)
            page.writer.close()
            return {device["name"] for device in page.layout["devices"]}
        except (OSError, asyncio.TimeoutError, asyncio.IncompleteReadError):
            return set()

    async def put_right(self):
        """Undoes the changes of pages. Returns None, or why the page did not answer."""
        try:
            await self._put_right()
        except (OSError, asyncio.TimeoutError, asyncio.IncompleteReadError) as error:
            return repr(error)
        return None

    async def _put_right(self):
        page = await self.page()
        await page.read_until(lambda page: page.layout is not None)
        page.send({"do": "rate", "value": 1})
        for device in page.layout["devices"]:
            number = device["id"]
            for order in (
                    {"do": "radio", "value": True}, {"do": "bluetooth", "value": True}, {"do": "loss", "value": 0},
                    {"do": "foreground", "value": True}, {"do": "standingAnswer", "value": "allowed"},
                    {"do": "answer", "question": "nearby", "value": "allowed"}):
                page.send({**order, "device": number})
            if device["name"] in PLACES:
                page.send({"do": "place", "device": number, "p": PLACES[device["name"]]})
        for wall in page.layout["walls"]:
            if wall["material"] is not None:
                page.send({"do": "removeWall", "id": wall["id"]})
        await page.read_until(lambda page: page.messages > 40)
        page.writer.close()


class Relay:
    """Passes octets between programs and a world, and cuts, stalls or slows them on demand."""

    def __init__(self, random):
        self.random = random
        self.target = None
        self.pairs = set()
        self.cuts = 0

    async def start(self, target):
        self.target = target
        self.server = await asyncio.start_server(self._accepted, "127.0.0.1", 0)
        self.port = self.server.sockets[0].getsockname()[1]

    async def _accepted(self, reader, writer):
        try:
            far_reader, far_writer = await asyncio.open_connection(*self.target)
        except OSError:
            writer.close()
            return
        pair = (writer, far_writer)
        self.pairs.add(pair)
        try:
            await asyncio.gather(self._pass(reader, far_writer), self._pass(far_reader, writer))
        except asyncio.CancelledError:
            pass
        self.pairs.discard(pair)

    async def _pass(self, reader, writer):
        try:
            while octets := await reader.read(65536):
                writer.write(octets)
                await writer.drain()
        except (OSError, asyncio.CancelledError):
            pass
        writer.close()

    def cut(self):
        """Ends one connection, half of the time with an RST in the middle of a transfer."""
        if not self.pairs:
            return
        pair = self.random.choice(sorted(self.pairs, key=id))
        self.cuts += 1
        for writer in pair:
            if self.random.random() < 0.5:
                writer.transport.abort()
            else:
                writer.close()


class Chats:
    """Two peers that exchange numbered lines while their sockets are cut and their processes stopped."""

    def __init__(self, nearby, folder):
        self.heard = {"Ann": [], "Bob": []}
        self.said = {"Ann": 0, "Bob": 0}
        self.programs = {}
        for name, other in (("Ann", "Bob"), ("Bob", "Ann")):
            self.programs[name] = Program(
                f"chat {name}", [nearby, "peer", "chat", "--type", "chaos", "--name", name, "--json"],
                {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder / name)}, self._listener(name), stdin=True)

    def _listener(self, name):
        def note(line):
            record = json.loads(line)
            if record.get("event") == "received":
                self.heard[name].append(record["text"])
        return note

    async def start(self):
        for program in self.programs.values():
            await program.start()

    def say(self, name):
        self.said[name] += 1
        self.programs[name].write_line(f"{name} {self.said[name]}")

    def kill_sockets(self):
        """Lets the kernel end the established TCP connections of both; returns False if it can't."""
        killed = False
        for program in self.programs.values():
            found = subprocess.run(
                ["ss", "-tnpH", "state", "established"], capture_output=True, text=True, check=False).stdout
            for line in found.splitlines():
                if f"pid={program.process.pid}," in line:
                    source, destination = line.split()[2:4]
                    done = subprocess.run(
                        ["ss", "-K", "-t", "src", source, "dst", destination], capture_output=True, check=False)
                    killed = killed or done.returncode == 0
        return killed

    def missing(self):
        """Lines that did not arrive exactly once and in order, as text; empty if all did."""
        wrong = []
        for name, other in (("Ann", "Bob"), ("Bob", "Ann")):
            expected = [f"{name} {number}" for number in range(1, self.said[name] + 1)]
            heard = self.heard[other]
            if heard != expected:
                wrong.append(
                    f"{other} heard {len(heard)} of {len(expected)} lines of {name}, "
                    f"{len(heard) - len(set(heard))} twice, {len(set(expected) - set(heard))} never")
        return wrong


class Gauge:
    """Memory and descriptors of a process that runs through the whole test."""

    def __init__(self, program):
        self.program = program
        self.samples = []

    def sample(self, at):
        memory, descriptors = self.program.memory(), self.program.descriptors()
        if memory is not None and descriptors is not None:
            self.samples.append((at, memory, descriptors))

    def between(self, start, end):
        chosen = [sample for sample in self.samples if start <= sample[0] <= end]
        if not chosen:
            return None
        return (statistics.median(sample[1] for sample in chosen), min(sample[2] for sample in chosen))
