"""Starts the server for the page's tests: the test double (WEB_SERVER=mock, the default) or the real one (real)."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
SERVER = os.environ.get("WEB_SERVER", "mock")
NEARBY = pathlib.Path(os.environ.get("NEARBY", ROOT / ".build" / "debug" / "nearby"))
START_LIMIT = 20

OFFICE = {
    "seed": 1,
    "duration": 3600,
    "walls": [
        {"from": [0, 0], "to": [15, 0], "material": "concrete"}, {"from": [15, 0], "to": [15, 8], "material": "glass"},
        {"from": [15, 8], "to": [0, 8], "material": "concrete"}, {"from": [0, 8], "to": [0, 0], "material": "glass"},
        {"from": [5, 0], "to": [5, 5], "material": "drywall"}, {"from": [10, 0], "to": [10, 5], "material": "drywall"},
    ],
    "devices": [
        {"name": "ada", "motion": {"stand": [2, 2]}},
        {"name": "bo", "motion": {"stand": [3.5, 3.5, 0.8]}},
        {"name": "cy", "motion": {"stand": [7, 2.4]}},
        {"name": "di", "kind": "accessory", "motion": {"stand": [12, 1.5]}},
        {"name": "eva", "motion": {"walk": [[6, 6.5], [9, 6.5]], "loop": True}},
        {"name": "fay", "kind": "watch", "motion": {"walk": [[12, 3], [13, 4]], "loop": True}},
    ],
}


def field(count):
    """Many devices in pairs, all of them moving."""
    columns = int(count ** 0.5 + 0.999)
    devices = []
    for number in range(count):
        x, y = number % columns * 4, number // columns * 4
        devices.append({
            "name": f"device-{number}", "motion": {"walk": [[x, y], [x + 1.5, y + 1]], "loop": True}})
    pairs = [[f"device-{number}", f"device-{number + 1}"] for number in range(0, count - 1, 2)]
    return {"seed": 1, "duration": 3600, "devices": devices, "pairs": pairs}


class WorldServer:
    """A server of one world. `address` is the page's address with its token, as the server printed it."""

    is_real = SERVER == "real"

    def __init__(self, devices=6, asks=False, scenario=None, programs=()):
        """`scenario` is a file of Examples/Scenarios, `programs` are arguments of --run; both need the real server."""
        self.devices = devices
        self.asks = asks
        self.scenario = scenario
        self.run = programs
        self.printed = []
        self.directory = tempfile.TemporaryDirectory()
        self.process = None
        self.programs = []
        self.readers = []
        self.port = 0
        self.joining_port = 0
        self.token = None
        self.start()

    def _command(self):
        http = ["--http", f"127.0.0.1:{self.port}"]
        http += ["--ask"] if self.asks else []
        token = ["--token", self.token] if self.token else []
        if not self.is_real:
            mock = ROOT / "Tests" / "Web" / "mock_server.py"
            return [sys.executable, str(mock), *http, *token, "--devices", str(self.devices)]
        listen = ["--listen", f"127.0.0.1:{self.joining_port}"]
        if self.scenario:
            scenario = ROOT / "Examples" / "Scenarios" / self.scenario
            run = [word for program in self.run for word in ("--run", program)]
            return [str(NEARBY), "world", str(scenario), *listen, *http, *token, *run]
        if self.devices == 0:
            return [str(NEARBY), "world", *listen, *http, *token]
        scenario = pathlib.Path(self.directory.name) / "scenario.json"
        scenario.write_text(json.dumps(OFFICE if self.devices <= 6 else field(self.devices)))
        return [str(NEARBY), "world", str(scenario), *listen, *http, *token]

    def start(self):
        home = dict(
            os.environ, HOME=self.directory.name, XDG_CONFIG_HOME=self.directory.name,
            XDG_STATE_HOME=self.directory.name)
        self.process = subprocess.Popen(
            self._command(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, env=home)
        self._read(self.process.stdout, self.printed)
        limit = threading.Timer(START_LIMIT, self.process.kill)
        limit.start()
        said = []
        for line in self.process.stderr:
            said.append(line)
            listening = re.search(r"listening on \S+:(\d+)", line)
            if listening:
                self.joining_port = int(listening.group(1))
            found = re.search(r"page: (http://\S+)", line)
            if found:
                self.address = found.group(1)
                break
        else:
            raise RuntimeError(f"the server did not start: {''.join(said)}")
        limit.cancel()
        # Drain the rest of the output, because a full pipe would block the server.
        self._read(self.process.stderr, [])
        parts = urllib.parse.urlsplit(self.address)
        self.port = parts.port
        self.token = urllib.parse.parse_qs(parts.query)["token"][0]

    def _read(self, stream, lines):
        """Appends output to `lines`, and keeps the last thousand."""
        def read():
            with stream:
                for line in stream:
                    lines.append(line)
                    del lines[:-1000]

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        self.readers.append(reader)

    def join(self, *names):
        """Starts programs that join as these devices. The test double's devices are held from the start.

        Returns one list per program, to which each line that it prints is appended.
        """
        if not self.is_real:
            return []
        printed = []
        for name in names:
            environment = dict(
                os.environ, NEARBY_WORLD=f"127.0.0.1:{self.joining_port}", NEARBY_DEVICE=name,
                NEARBY_TOKEN=self.token, HOME=self.directory.name, XDG_CONFIG_HOME=self.directory.name,
                XDG_STATE_HOME=self.directory.name)
            program = subprocess.Popen(
                [str(NEARBY), "cerca", "--as", name, "--json"], env=environment, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            lines = []
            self._read(program.stdout, lines)
            self.programs.append(program)
            printed.append(lines)
        return printed

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.wait(timeout=START_LIMIT)

    def end(self):
        for program in self.programs:
            program.kill()
            program.wait()
        if self.process.poll() is None:
            self.stop()
        for reader in self.readers:
            reader.join()
        self.directory.cleanup()
