"""A DNS-SD peer that shares no code with this package: PyPI's zeroconf.

Usage: dnssd_peer.py TYPE NAME PORT [OTHER]. Registers the name, browses the type, and prints its events as lines. With
OTHER, it waits until it has found that name first. Each line of input is a new value for the TXT record's key `key`. It
ends when its input ends.
"""

import ipaddress
import sys
import threading
import time

import ifaddr
from zeroconf import (IPVersion, NonUniqueNameException, ServiceBrowser, ServiceInfo, ServiceListener,
                      Zeroconf)


def say(line):
    print(line, flush=True)


other = sys.argv[4] if len(sys.argv) > 4 else None
other_found = threading.Event()


class Listener(ServiceListener):
    def describe(self, word, zeroconf, kind, name):
        info = zeroconf.get_service_info(kind, name, 5000)
        short = name[: -len(kind) - 1]
        if info is None:
            return say(f"unresolved {short}")
        text = ";".join(
            key.decode() + ("" if value is None else "=" + value.decode())
            for key, value in sorted(info.properties.items()))
        say(f"{word} {short} {info.port} {','.join(sorted(info.parsed_addresses()))} {text}")

    def add_service(self, zeroconf, kind, name):
        if name == f"{other}.{kind}":
            other_found.set()
        self.describe("found", zeroconf, kind, name)

    def update_service(self, zeroconf, kind, name):
        self.describe("changed", zeroconf, kind, name)

    def remove_service(self, zeroconf, kind, name):
        say(f"lost {name[: -len(kind) - 1]}")


def main():
    kind, name, port = sys.argv[1] + ".local.", sys.argv[2], int(sys.argv[3])
    zeroconf = Zeroconf(ip_version=IPVersion.All)
    every = [ip.ip if ip.is_IPv4 else ip.ip[0] for adapter in ifaddr.get_adapters() for ip in adapter.ips]
    # Other machines can't use this machine's loopback address.
    addresses = [ip for ip in every if not ipaddress.ip_address(ip).is_loopback]

    def info(value):
        return ServiceInfo(
            kind, f"{name}.{kind}", port, properties={"key": value, "empty": "", "flag": None},
            server=f"foreign-{port}.local.", parsed_addresses=addresses)

    browser = ServiceBrowser(zeroconf, kind, Listener())
    if other:
        # Responders send a record at most once per second, so a query of half a second may find nothing.
        other_found.wait(60)
    try:
        zeroconf.register_service(info("value"))
        say(f"registered {name}")
    except NonUniqueNameException:
        say(f"taken {name}")
    for line in sys.stdin:
        # A record replaces only those received more than a second ago (RFC 6762, section 10.2), and zeroconf
        # announces a change three times within half a second.
        time.sleep(1.1)
        zeroconf.update_service(info(line.strip()))
    browser.cancel()
    zeroconf.unregister_all_services()
    zeroconf.close()


main()
