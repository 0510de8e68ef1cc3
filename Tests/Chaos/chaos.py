"""Runs served worlds, programs, chips, peers, pages and an accessory on the loopback, and attacks them all.

Connections are cut, processes are stopped and killed, descriptors and disk run out, and strangers connect to every port.
At the end everything is restored, and each promise of SECURITY.md that such a run can test is checked. The last line is
`N passed, N failed`; the exit code is 1 if a promise was broken.

Usage: chaos.py [--seconds N] [--seed N] [--nearby PATH] [--folder PATH]
"""

import argparse
import asyncio
import logging
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import strangers
from programs import LOG_LIMIT_PER_MINUTE, ROOT, Program
from stage import TOKEN, Chats, Gauge, Relay, World

# How much resident memory may differ between the quiet periods at the beginning and at the end.
MEMORY_LIMIT_MIB = 5
# How many descriptors may differ between the two (a page or program may join at that moment).
DESCRIPTOR_LIMIT = 4
# How soon after the attacks a world, its programs' ranging and the peers' messages must have recovered.
RECOVERY_SECONDS = 90
# So few that a flood of silent connections would exhaust them.
WORLD_DESCRIPTORS = 512


class Chaos:
    def __init__(self, options):
        self.options = options
        self.random = random.Random(options.seed)
        self.folder = pathlib.Path(options.folder or tempfile.mkdtemp(prefix="nearby-chaos-"))
        self.nearby = options.nearby
        self.counts = {}
        self.skipped = []
        self.results = []
        self.begin = time.monotonic()

    # MARK: The stage

    async def set_up(self):
        for name in ("steady", "mortal", "Ann", "Bob", "peers"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        self.disk = self.folder / "mortal"
        self.has_small_disk = os.geteuid() == 0 and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(self.disk)], check=False).returncode == 0
        if not self.has_small_disk:
            self.skipped.append("a full disk: needs root, for a small tmpfs")
        self.steady = World("steady", self.nearby, self.folder / "steady", WORLD_DESCRIPTORS)
        self.mortal = World("mortal", self.nearby, self.disk)
        await asyncio.gather(self.steady.start(), self.mortal.start())
        self.relay = Relay(random.Random(self.options.seed + 1))
        await self.relay.start(self.steady.address("listen"))
        port = self.relay.port
        self.programs = [
            self.steady.add_program("Anna", ["cerca", "--json"], port),
            self.steady.add_program("Ben", ["cerca", "--json"], port),
            self.steady.add_program("Phone", ["example", "speaker-app", "--json"], port),
            self.steady.add_program("Speaker", ["example", "speaker", "--json"], port),
            self.mortal.add_program("Anna", ["cerca", "--json"]),
            self.mortal.add_program("Ben", ["cerca", "--json"]),
        ]
        self.chip = Program("chip", [self.nearby, "chip", "--listen", "127.0.0.1:0"], descriptors=WORLD_DESCRIPTORS)
        await self.chip.start()
        self.chip_port = int((await self.chip.printed(r"^listening on .*:(\d+)$")).group(1))
        self.hosts = [self._host(1, 2, "initiator"), self._host(2, 1, "responder")]
        self.chats = Chats(self.nearby, self.folder / "peers")
        for program in self.programs + self.hosts:
            await program.start()
        await self.chats.start()
        self.gauges = [Gauge(self.steady.program), Gauge(self.chip), *map(Gauge, self.chats.programs.values())]

    def _host(self, address, peer, role):
        return Program(
            f"radio range {role}",
            [self.nearby, "radio", "range", "--radio", f"tcp:127.0.0.1:{self.chip_port}", "--role", role,
             "--address", address, "--peer", peer, "--json"])

    # MARK: Who does harm

    async def repeat(self, shortest, longest, harm):
        """Calls `harm` at random times until the attacks end, and ignores errors of refused connections."""
        while time.monotonic() < self.attack_end:
            await asyncio.sleep(self.random.uniform(shortest, longest))
            if time.monotonic() >= self.attack_end:
                break
            try:
                name = await harm()
                self.counts[name] = self.counts.get(name, 0) + 1
            except (OSError, asyncio.TimeoutError, asyncio.IncompleteReadError, ConnectionError) as error:
                name = f"refused ({type(error).__name__})"
                self.counts[name] = self.counts.get(name, 0) + 1

    async def stranger(self):
        r = self.random
        world = r.choice([self.steady, self.mortal])
        ports = [world.address("listen"), world.address("http"), world.address("uci"), ("127.0.0.1", self.chip_port)]
        harm = r.choice([
            lambda: strangers.send_garbage(r, r.choice(ports)),
            lambda: strangers.be_silent(r, r.choice(ports)),
            lambda: strangers.connect_and_reset(r, r.choice(ports)),
            lambda: strangers.speak_uci(r, r.choice(ports[2:])),
            lambda: strangers.join_and_babble(r, ports[0], TOKEN),
            lambda: strangers.ask_by_http(r, ports[1]),
            lambda: strangers.give_bad_orders(r, ports[1], TOKEN),
        ])
        await asyncio.wait_for(harm(), 30)
        return "strangers"

    async def flood(self):
        """Opens more silent connections at once than the world has descriptors."""
        name = self.random.choice(["listen", "http", "uci"])
        held = []
        try:
            for _ in range(WORLD_DESCRIPTORS + 100):
                held.append(await strangers.connect(self.steady.address(name)))
            await asyncio.sleep(self.random.uniform(1, 5))
        finally:
            for _, writer in held:
                strangers.reset(writer)
        return "floods"

    async def stop_or_kill(self):
        program = self.random.choice(self.programs + self.hosts)
        way = self.random.random()
        if way < 0.4:
            program.send(signal.SIGSTOP)
            await asyncio.sleep(self.random.uniform(0.1, 8))
            program.send(signal.SIGCONT)
            return "stops"
        await program.end(signal.SIGKILL if way < 0.8 else signal.SIGTERM)
        await asyncio.sleep(self.random.uniform(0, 2))
        await program.start()
        return "kills"

    async def revive(self):
        """Restarts programs that ended on their own, for example because their world was away."""
        for program in self.programs + self.hosts:
            if not program.is_running and not program.expected_end:
                await program.end()
                await program.start()
        return "looks"

    async def kill_world(self):
        await self.mortal.program.end(signal.SIGKILL)
        await asyncio.sleep(self.random.uniform(0, 1))
        await self.mortal.start()
        return "worlds killed"

    async def fill_disk(self):
        """Fills the disk with the mortal world's state for a while."""
        filler = self.disk / "filler"
        try:
            with open(filler, "wb") as file:
                while True:
                    file.write(bytes(4096))
                    file.flush()
        except OSError:
            pass
        await asyncio.sleep(self.random.uniform(2, 12))
        filler.unlink(missing_ok=True)
        return "full disks"

    async def cut(self):
        self.relay.cut()
        return "cuts"

    async def cut_peers(self):
        if not self.chats.kill_sockets():
            self.skipped_once("sockets of peers killed: the kernel's `ss -K` is needed")
        return "peers' sockets killed"

    async def stop_peer(self):
        program = self.random.choice(list(self.chats.programs.values()))
        program.send(signal.SIGSTOP)
        await asyncio.sleep(self.random.uniform(0.1, 4))
        program.send(signal.SIGCONT)
        return "peers stopped"

    async def talk(self):
        self.chats.say(self.random.choice(["Ann", "Bob"]))
        return "lines said"

    async def watch_page(self):
        """A viewer that reads for a while, moves a device, and leaves."""
        page = await self.steady.page()
        for _ in range(self.random.randrange(1, 200)):
            await asyncio.wait_for(page.read(), 10)
            if self.random.random() < 0.05:
                x, y = self.random.uniform(-3, 3), self.random.uniform(-3, 5)
                page.send({"do": "place", "device": self.random.randrange(4), "p": [x, y, 1.2]})
        await strangers.leave(self.random, page.writer)
        return "viewers"

    def skipped_once(self, text):
        if text not in self.skipped:
            self.skipped.append(text)

    async def attack(self, seconds):
        self.attack_end = time.monotonic() + seconds
        harms = [(0, 0.3, self.stranger)] * 16 + [(0, 3, self.watch_page)] * 4 + [
            (2, 12, self.stop_or_kill), (1, 6, self.cut), (5, 40, self.cut_peers), (10, 40, self.stop_peer),
            (0.02, 0.5, self.talk), (20, 60, self.flood), (1, 3, self.revive), (20, 60, self.kill_world)]
        if self.has_small_disk:
            harms.append((20, 60, self.fill_disk))
        await asyncio.gather(*(self.repeat(*harm) for harm in harms))

    async def measure(self):
        while True:
            for gauge in self.gauges:
                gauge.sample(time.monotonic())
            await asyncio.sleep(1)

    # MARK: Promises

    def check(self, holds, promise, detail=""):
        self.results.append(holds)
        print(f"{'kept  ' if holds else 'BROKEN'}  {promise}{': ' + detail if detail else ''}", flush=True)

    async def recovered(self, condition):
        deadline = time.monotonic() + RECOVERY_SECONDS
        while time.monotonic() < deadline:
            try:
                if condition():
                    return True
                await self.revive()
            except OSError:
                pass
            await asyncio.sleep(0.5)
        return False

    async def check_recovery(self):
        for world in (self.steady, self.mortal):
            trouble = await world.put_right()
            self.check(trouble is None, f"the {world.name} world still serves its page", trouble or "")
        for world, device in ((self.steady, "Anna"), (self.steady, "Ben"), (self.mortal, "Anna"),
                              (self.mortal, "Ben"), (self.steady, "Phone"), (self.steady, "Speaker")):
            holds = await self.recovered(lambda: world.is_ranging(device, within=3))
            self.check(holds, f"{device} ranges again in the {world.name} world", "" if holds else
                       str(world.updates[device][1]))
        holds = await self.recovered(lambda: not self.chats.missing())
        self.check(holds, f"each of {sum(self.chats.said.values())} lines between peers arrived once and in order",
                   "; ".join(self.chats.missing()))
        names = await self.mortal.device_names()
        self.check({"Anna", "Ben", "Phone", "Speaker"} <= names, "the killed world has its devices back")

    def check_costs(self, first, last):
        for gauge in self.gauges:
            name = gauge.program.name
            before, after = gauge.between(*first), gauge.between(*last)
            if before is None or after is None:
                self.check(False, f"{name} lived through the run")
                continue
            self.check(after[0] - before[0] <= MEMORY_LIMIT_MIB, f"memory of {name} is flat",
                       f"{before[0]:.1f} MiB at the beginning, {after[0]:.1f} MiB at the end")
            self.check(abs(after[1] - before[1]) <= DESCRIPTOR_LIMIT, f"descriptors of {name} are given back",
                       f"{before[1]} and {after[1]}")

    async def check_ends(self):
        everything = [self.steady.program, self.mortal.program, self.chip, *self.programs, *self.hosts,
                      *self.chats.programs.values()]
        for program in everything:
            await program.end()
        faults = [fault for program in everything for fault in program.faults]
        self.check(not faults, "no process ended by a trap or hung at its end", "; ".join(faults))
        loud = [f"{program.name} {program.log_peak // 1024} KiB" for program in everything
                if program.log_peak > LOG_LIMIT_PER_MINUTE]
        self.check(not loud, f"no log grew by over {LOG_LIMIT_PER_MINUTE // 1024} KiB a minute", ", ".join(loud))

    async def run(self):
        await self.set_up()
        measuring = asyncio.create_task(self.measure())
        seconds = self.options.seconds
        # A first attack fills caches and pools. The end is compared with the quiet period after it.
        await self.attack(max(20, seconds * 0.15))
        await self.steady.put_right()
        await asyncio.sleep(8)
        first = (time.monotonic() - 5, time.monotonic())
        await self.attack(seconds * 0.85)
        await self.check_recovery()
        await asyncio.sleep(25)
        last = (time.monotonic() - 5, time.monotonic())
        measuring.cancel()
        self.check_costs(first, last)
        await self.check_ends()

    def clean_up(self):
        if self.has_small_disk:
            subprocess.run(["umount", "-l", str(self.disk)], check=False)
        if not self.options.folder:
            shutil.rmtree(self.folder, ignore_errors=True)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=600, help="length of the attacks (default 600)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nearby", default=str(ROOT / ".build" / "release" / "nearby"))
    parser.add_argument("--folder", help="where states and keys lie; kept afterwards (default: a temporary folder)")
    return parser.parse_args()


async def main():
    # Ignored, because this run writes to connections that the other side has cut.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    chaos = Chaos(read_options())
    try:
        await chaos.run()
    finally:
        for program in Program.all:
            if program.is_running:
                program.send(signal.SIGKILL)
        chaos.clean_up()
    print(", ".join(f"{count} {name}" for name, count in sorted(chaos.counts.items())))
    for text in chaos.skipped:
        print(f"skipped: {text}")
    failed = chaos.results.count(False)
    print(f"{chaos.results.count(True)} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
