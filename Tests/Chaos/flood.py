#!/usr/bin/env python3
"""Tests a host whose chip sends notifications as fast as the host reads them.

    flood.py NEARBY [--seconds 30]

Relays between `nearby chip` and `nearby radio range`, and repeats the session's measurement endlessly once it runs.
`radio range` must end after `--seconds`, and in a second run at its first interrupt, within 3 s each, with at most
64 MiB more memory than at its start. Prints the measurements; the exit code says whether all of this was true.
"""
import argparse
import os
import re
import select
import signal
import socket
import subprocess
import sys
import threading
import time


def memory(pid):
    try:
        return int(open(f"/proc/{pid}/statm").read().split()[1]) * os.sysconf("SC_PAGESIZE") / 2**20
    except (OSError, IndexError):
        return 0


class Proxy:
    def __init__(self, chip):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.sent = 0
        threading.Thread(target=self.serve, args=(chip,), daemon=True).start()

    def serve(self, chip_port):
        while True:
            host, _ = self.listener.accept()
            chip = socket.create_connection(("127.0.0.1", chip_port))
            try:
                self.carry(host, chip)
            except OSError:
                pass
            host.close()
            chip.close()

    def carry(self, host, chip):
        flood = None
        while True:
            ready, writable, _ = select.select([host, chip], [host] if flood else [], [], 5)
            if host in ready:
                octets = host.recv(65536)
                if not octets: return
                chip.sendall(octets)
            if chip in ready:
                octets = chip.recv(65536)
                if not octets: return
                host.sendall(octets)
                # SESSION_INFO_NTF, which is repeated from here on.
                start = octets.find(b"\x62\x00\x00")
                if not flood and start >= 0: flood = octets[start:start + 4 + octets[start + 3]] * 1000
            if flood and host in writable:
                host.sendall(flood)
                self.sent += 1000


def run(nearby, proxy, seconds, isInterrupted):
    words = [nearby, "radio", "range", "--radio", f"tcp:127.0.0.1:{proxy.port}", "--peer", "2", "--json"]
    if not isInterrupted: words += ["--seconds", str(seconds)]
    before, start = proxy.sent, time.monotonic()
    with open(os.devnull, "w") as nowhere:
        process = subprocess.Popen(words, stdout=nowhere)
    time.sleep(1)
    first = most = memory(process.pid)
    while process.poll() is None and time.monotonic() < start + seconds:
        most = max(most, memory(process.pid))
        time.sleep(0.05)
    if isInterrupted: process.send_signal(signal.SIGINT)
    end = time.monotonic()
    try:
        code = process.wait(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        code = None
    late = time.monotonic() - end
    count = proxy.sent - before
    print(f"{'interrupt' if isInterrupted else '--seconds'}: {count / seconds:.0f} notifications/s, memory {first:.0f} to "
          f"{most:.0f} MiB, ended {late:.1f} s late with {code}", flush=True)
    return code == 0 and late < 3 and most - first < 64 and count > 10_000


def main():
    reader = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    reader.add_argument("nearby")
    reader.add_argument("--seconds", type=float, default=30)
    options = reader.parse_args()
    chip = subprocess.Popen([options.nearby, "chip", "--listen", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True)
    port = int(re.search(r":(\d+)", chip.stderr.readline()).group(1))
    threading.Thread(target=lambda: [0 for _ in chip.stderr], daemon=True).start()
    proxy = Proxy(port)
    held = [run(options.nearby, proxy, options.seconds, it) for it in (False, True)]
    chip.send_signal(signal.SIGINT)
    chip.wait(timeout=10)
    sys.exit(0 if all(held) else 1)


main()
