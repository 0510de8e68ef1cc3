"""Encrypted messages between two processes over ZeroMQ or NATS, and beacons parsed by beacontools.

`Benchmarks/rivals` runs this. The clients are written in Python, which is most of the cost of messages of 64 octets
and 1 KiB. The table says so.
"""

import asyncio
import logging
import multiprocessing
import os
import socket
import ssl
import statistics
import subprocess
import sys
import time

SIZES = [(64, 100_000), (1024, 50_000), (65_536, 4_096), (1 << 20, 384)]
TRIPS = 5_000
# The most octets in flight, as in `SessionPair`.
WINDOW = 6 << 20


def show(rival, size, rate):
    """Prints one line in the format of `Figure.show`."""
    if size < 65_536:
        name, value = f"{rival}, messages of {size} octets", f"{rate / 1e6:.3f} M/s"
    else:
        name, value = f"{rival}, messages of {size // 1024} KiB", f"{rate * size * 8 / 1e9:.2f} Gbit/s"
    print(f"{name:<58} {value:<16} -", flush=True)


def show_trip(rival, times):
    value = f"{statistics.median(times) * 1e6:.1f} µs"
    print(f"{rival + ', round trip of 64 octets, median':<58} {value:<16} -", flush=True)


# ZeroMQ


def zeromq_far(port, keys, server_key):
    import zmq

    context = zmq.Context()
    near = context.socket(zmq.PAIR)
    near.curve_publickey, near.curve_secretkey = keys
    near.curve_serverkey = server_key
    near.connect(f"tcp://127.0.0.1:{port}")
    for size, count in SIZES:
        for _ in range(count):
            near.recv(copy=size < 65_536)
        near.send(b"all")
    for _ in range(TRIPS):
        near.send(near.recv())
    near.close()
    context.term()


def zeromq():
    import zmq

    rival = "ZeroMQ with CURVE (Python)"
    server, client = zmq.curve_keypair(), zmq.curve_keypair()
    context = zmq.Context()
    pair = context.socket(zmq.PAIR)
    pair.curve_server = True
    pair.curve_publickey, pair.curve_secretkey = server
    port = pair.bind_to_random_port("tcp://127.0.0.1")
    far = multiprocessing.get_context("spawn").Process(target=zeromq_far, args=(port, client, server[0]))
    far.start()
    for size, count in SIZES:
        message = b"\x5a" * size
        start = time.perf_counter()
        for _ in range(count):
            pair.send(message, copy=size < 65_536)
        pair.recv()
        show(rival, size, count / (time.perf_counter() - start))
    times = []
    message = b"\x01" * 64
    for _ in range(TRIPS):
        start = time.perf_counter()
        pair.send(message)
        pair.recv()
        times.append(time.perf_counter() - start)
    show_trip(rival, times)
    far.join(30)
    pair.close()
    context.term()


# NATS


def context_of(folder):
    context = ssl.create_default_context(cafile=os.path.join(folder, "nats.pem"))
    context.check_hostname = False
    return context


async def connection(port, folder):
    import nats

    return await nats.connect(
        f"tls://127.0.0.1:{port}", tls=context_of(folder), pending_size=64 << 20, max_reconnect_attempts=0
    )


# Hide asyncio's warnings about how TLS ends when a connection closes.
logging.getLogger("asyncio").setLevel(logging.ERROR)


async def nats_far_side(port, folder, ready):
    link = await connection(port, folder)
    done = asyncio.Event()

    async def take(message):
        # The sender requests an answer after each window. It shows that everything before it has arrived.
        if message.reply:
            await link.publish(message.reply, b"")

    async def echo(message):
        await link.publish("back", message.data)

    async def end(_):
        done.set()

    for subject, action in (("data", take), ("there", echo), ("end", end)):
        await link.subscribe(subject, cb=action)
    await link.flush()
    ready.set()
    await done.wait()
    await link.close()


def nats_far(port, folder, ready):
    asyncio.run(nats_far_side(port, folder, ready))


async def nats_near(rival, port, folder):
    link = await connection(port, folder)
    for size, count in SIZES:
        message = b"\x5a" * size
        window = max(4, min(4096, WINDOW // size))
        start = time.perf_counter()
        for number in range(1, count + 1):
            if number % window == 0 or number == count:
                await link.request("data", message, timeout=60)
            else:
                await link.publish("data", message)
        show(rival, size, count / (time.perf_counter() - start))
    back = await link.subscribe("back")
    times = []
    for _ in range(TRIPS):
        start = time.perf_counter()
        await link.publish("there", b"\x01" * 64)
        await back.next_msg(timeout=60)
        times.append(time.perf_counter() - start)
    show_trip(rival, times)
    await link.publish("end", b"")
    await link.flush()
    await link.close()


def nats(server, folder):
    key, certificate = os.path.join(folder, "nats.key"), os.path.join(folder, "nats.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        + ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2"]
        + ["-keyout", key, "-out", certificate],
        check=True,
        capture_output=True,
    )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    configuration = os.path.join(folder, "nats.conf")
    with open(configuration, "w") as file:
        file.write(
            f'listen: "127.0.0.1:{port}"\nmax_payload: 8388608\n'
            f'tls {{ cert_file: "{certificate}", key_file: "{key}" }}\n'
        )
    process = subprocess.Popen([server, "-c", configuration], stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        spawn = multiprocessing.get_context("spawn")
        ready = spawn.Event()
        far = spawn.Process(target=nats_far, args=(port, folder, ready))
        far.start()
        if not ready.wait(30):
            raise SystemExit("the far side did not come")
        asyncio.run(nats_near("NATS with TLS (Python)", port, folder))
        far.join(30)
    finally:
        process.terminate()
        process.wait()


# beacontools


def beacons(ours):
    """Parses the same payloads with NearbyBenchmarks and then with beacontools."""
    from beacontools import parse_packet

    rate, *lines = subprocess.run([ours, "parsed"], capture_output=True, text=True, check=True).stdout.split()
    payloads = [bytes.fromhex(line) for line in lines]
    best, found = float("inf"), 0
    for _ in range(5):
        start = time.perf_counter()
        found = sum(parse_packet(payload) is not None for payload in payloads)
        best = min(best, time.perf_counter() - start)
    theirs = len(payloads) / best
    ratio = float(rate) / theirs
    verdict = "met" if ratio >= 100 else "MISSED"
    print(f"{'beacontools (Python), advertisements a second':<58} {f'{theirs:.0f} /s':<16} -")
    print(f"{'  of which it knows':<58} {f'{100 * found / len(payloads):.0f} %':<16} -")
    print(f"{'ours, the same advertisements a second':<58} {f'{float(rate) / 1e6:.1f} M/s':<16} -")
    print(f"{'ours over beacontools':<58} {f'{ratio:.0f} times':<16} {'>= 100 times':<16} {verdict}", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "zeromq":
        zeromq()
    elif sys.argv[1] == "beacons":
        beacons(sys.argv[2])
    else:
        nats(sys.argv[2], sys.argv[3])
