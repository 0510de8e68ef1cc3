"""Processes that the chaos run starts, watches, stops and kills."""

import asyncio
import collections
import os
import pathlib
import re
import signal
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A program that writes more than this per minute to standard error floods its operator's log.
LOG_LIMIT_PER_MINUTE = 256 * 1024


class Program:
    """One process, restarted by hand after each end. `on_line` receives each line of its standard output."""

    all = []

    def __init__(self, name, arguments, environment=None, on_line=None, descriptors=None, stdin=False):
        self.name = name
        self.arguments = [str(argument) for argument in arguments]
        self.environment = environment or {}
        self.on_line = on_line
        self.descriptors_limit = descriptors
        self.takes_input = stdin
        self.process = None
        self.errors = collections.deque(maxlen=200)
        self.log_octets = 0
        self.log_peak = 0
        self.faults = []
        self.starts = 0
        self.expected_end = False
        self._readers = []
        Program.all.append(self)

    async def start(self):
        self.expected_end = False
        self.starts += 1
        prefix = []
        if self.descriptors_limit:
            prefix = ["prlimit", f"--nofile={self.descriptors_limit}:{self.descriptors_limit}", "--"]
        self.process = await asyncio.create_subprocess_exec(
            *prefix, *self.arguments, cwd=ROOT, env={**os.environ, **self.environment},
            stdin=asyncio.subprocess.PIPE if self.takes_input else asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, limit=1 << 22)
        self._readers = [
            asyncio.create_task(self._read_output(self.process.stdout)),
            asyncio.create_task(self._read_errors(self.process.stderr)),
            asyncio.create_task(self._watch(self.process)),
        ]

    async def _read_output(self, stream):
        async for line in stream:
            if self.on_line:
                self.on_line(line.decode(errors="replace"))

    async def _read_errors(self, stream):
        minute, octets = time.monotonic(), 0
        async for line in stream:
            if time.monotonic() - minute > 60:
                minute, octets = time.monotonic(), 0
            octets += len(line)
            self.log_octets += len(line)
            self.log_peak = max(self.log_peak, octets)
            self.errors.append(line.decode(errors="replace").rstrip())

    async def _watch(self, process):
        code = await process.wait()
        if code < 0 and not self.expected_end:
            self._fault(f"ended by {signal.Signals(-code).name}, which the run did not send")
        elif code in (132, 133, 134, 135, 136, 139):
            self._fault(f"a child ended by signal {code - 128}")

    def _fault(self, text):
        self.faults.append(f"{self.name}: {text}; its last lines: " + " | ".join(list(self.errors)[-8:]))

    @property
    def is_running(self):
        return self.process is not None and self.process.returncode is None

    def send(self, number):
        if not self.is_running:
            return
        if number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            self.expected_end = True
        self.process.send_signal(number)

    async def end(self, number=signal.SIGINT, limit=15):
        """Ends the process and returns its exit code; one that does not end within `limit` seconds is a fault."""
        if self.is_running:
            self.send(signal.SIGCONT)
            self.send(number)
            try:
                await asyncio.wait_for(self.process.wait(), limit)
            except asyncio.TimeoutError:
                self._fault(f"did not end within {limit} s of {signal.Signals(number).name}")
                self.send(signal.SIGKILL)
                await self.process.wait()
        await asyncio.gather(*self._readers)
        return self.process.returncode

    async def printed(self, pattern, limit=60):
        """Waits for a line of standard error that matches, and returns the match."""
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:
            for line in list(self.errors):
                match = re.search(pattern, line)
                if match:
                    return match
            if not self.is_running:
                break
            await asyncio.sleep(0.02)
        raise RuntimeError(f"{self.name} did not print {pattern!r}: {list(self.errors)[-8:]}")

    def write_line(self, text):
        if self.is_running:
            self.process.stdin.write(text.encode() + b"\n")

    def memory(self):
        """Resident memory in MiB, or None when the process has ended."""
        try:
            text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
            return int(re.search(r"VmRSS:\s+(\d+)", text).group(1)) / 1024
        except (OSError, AttributeError):
            return None

    def descriptors(self):
        try:
            return len(os.listdir(f"/proc/{self.process.pid}/fd"))
        except OSError:
            return None
