#!/usr/bin/env python3
"""Opens and resets connections as fast as possible, at each port that accepts strangers.

    resets.py NEARBY [--seconds 60] [--rate 1000] [--only chip|world|uci|...]

Starts `nearby chip` and `nearby world --uci` on loopback, and opens `--rate` connections per second at the chip's port,
the world's port, and the world's port for UCI hosts. Each ends immediately in one of five ways, with or without sending
octets first. Afterwards every descriptor must be closed, memory must be within 5 MiB of its start, every place must be
free, and the world must have no additional device. Prints one line per port; the exit code is the number of ports that
failed.
"""
import argparse
import concurrent.futures
import json
import os
import random
import re
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

RESET = bytes([0x20, 0, 0, 1, 0])
INFORMATION = bytes([0x20, 2, 0, 0])
LINGER = struct.pack("ii", 1, 0)
# What a connection sends before it ends: nothing, half a packet, a chip reset, or more than one read returns.
SAID = [b"", RESET[:3], RESET, INFORMATION * 10_000]
MEBIBYTES = 5
PROCESSES = 6


class Program:
    """A program of this package, and its standard error."""

    def __init__(self, words):
        self.process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
        self.lines, self.changed = [], threading.Condition()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stderr:
            with self.changed:
                if len(self.lines) < 1000: self.lines.append(line)
                self.changed.notify_all()

    def port(self, pattern):
        def found(): return next((m for m in map(re.compile(pattern).search, self.lines) if m), None)
        with self.changed:
            if not self.changed.wait_for(found, timeout=60): sys.exit(f"no {pattern}: {self.lines}")
            return int(found().group(1))

    def descriptors(self): return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def mebibytes(self):
        pages = int(open(f"/proc/{self.process.pid}/statm").read().split()[1])
        return pages * os.sysconf("SC_PAGESIZE") / 2**20

    def end(self):
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=60)


def one(port, generator):
    """Opens a connection from one of eight loopback addresses and ends it immediately."""
    with socket.socket() as it:
        it.bind((f"127.0.0.{generator.randint(1, 8)}", 0))
        it.settimeout(5)
        it.connect(("127.0.0.1", port))
        said = generator.choices(SAID, [40, 40, 40, 1])[0]
        try:
            if said: it.sendall(said)
        except (BlockingIOError, TimeoutError, ConnectionError):
            pass
        # FIN only one time in three, because each occupies its port for a minute.
        if generator.random() < 2 / 3: it.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, LINGER)


def storm(port, seconds, rate, seed):
    """Attacks from several processes, so that they get enough time on a busy machine."""
    with concurrent.futures.ProcessPoolExecutor(PROCESSES) as pool:
        parts = [pool.submit(storm_part, port, seconds, rate / PROCESSES, seed * 100 + it) for it in range(PROCESSES)]
        results = [part.result() for part in parts]
    return sum(count for count, _ in results), sum(refused for _, refused in results)


def storm_part(port, seconds, rate, seed):
    generator, start, count, refused = random.Random(seed), time.monotonic(), 0, 0
    while (passed := time.monotonic() - start) < seconds:
        if count > passed * rate:
            time.sleep(0.001)
            continue
        count += 1
        try:
            one(port, generator)
        except OSError:
            refused += 1
    return count, refused


def settled(value, wanted, patience=20):
    """Returns the value once it is as wanted, or when the time-out expires."""
    end = time.monotonic() + patience
    while not wanted(now := value()) and time.monotonic() < end: time.sleep(0.2)
    return now


def answers(port):
    """Whether a chip answers at this port."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as it:
        it.sendall(RESET)
        got = b""
        try:
            while b"\x40\0\0\1\0" not in got:
                part = it.recv(4096)
                if not part: return False
                got += part
        except OSError:
            return False
        return True


def measure(name, program, port, options, isUsable):
    storm(port, 5, options.rate, 1)
    time.sleep(2)
    descriptors, mebibytes = program.descriptors(), program.mebibytes()
    count, refused = storm(port, options.seconds, options.rate, 2)
    left = settled(program.descriptors, lambda it: it <= descriptors) - descriptors
    more = program.mebibytes() - mebibytes
    usable = isUsable(port)
    isKept = left > 0 or abs(more) > MEBIBYTES or not usable
    print(f"{name:6} {count / options.seconds:6.0f} connections/s for {options.seconds:g} s, {refused} not made: "
          f"{left:+d} descriptors, {more:+.1f} MiB, {'serves' if usable else 'DOES NOT SERVE'}"
          f"{'  KEPT SOMETHING' if isKept else ''}", flush=True)
    return isKept


def devices(file):
    """The devices in a world's saved state."""
    def count(it):
        if isinstance(it, dict):
            if isinstance(it.get("devices"), list): return len(it["devices"])
            return max((count(value) for value in it.values()), default=0)
        return 0
    return count(json.load(open(file)))


def greets(port):
    """Whether the world answers octets that are not a hello."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as it:
        it.sendall(b"\0" * 32)
        try:
            it.recv(4096)
            return True
        except OSError:
            return False


def main():
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("nearby")
    reader.add_argument("--seconds", type=float, default=60)
    reader.add_argument("--rate", type=float, default=1000)
    reader.add_argument("--only", action="append")
    options = reader.parse_args()
    names = options.only or ["chip", "world", "uci"]
    kept = 0
    if "chip" in names:
        chip = Program([options.nearby, "chip", "--listen", "127.0.0.1:0"])
        port = chip.port(r"listening on 127\.0\.0\.1:(\d+)")
        kept += measure("chip", chip, port, options, answers)
        kept += chip.end() != 0
    if "world" in names or "uci" in names:
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "state.json")
            world = Program([options.nearby, "world", "--listen", "127.0.0.1:0", "--uci", "127.0.0.1:0",
                             "--token", "", "--state", file])
            port, uci = world.port(r"listening on 127\.0\.0\.1:(\d+)"), world.port(r"UCI on 127\.0\.0\.1:(\d+)")
            if "world" in names: kept += measure("world", world, port, options, greets)
            if "uci" in names: kept += measure("uci", world, uci, options, answers)
            kept += world.end() != 0
            # Each connected host has a device. One or two may be connected at once, and their devices may be reused.
            count = devices(file)
            print(f"{count} devices in the world's state")
            kept += count > 10
    sys.exit(kept)


main()
