"""Which network addresses lie on the open web, and why the others don't; pure rules, no lookups."""

import socket
from collections.abc import Iterable, Mapping
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from almanac.kit.lazy import lazy_module
from almanac.kit.messages import gettext

yarl = lazy_module("yarl")

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network


def _table(rows: Mapping[str, str]) -> tuple[tuple[Network, str], ...]:
    """Networks with the words for them, from words with their networks."""
    return tuple((ip_network(network), words) for words, networks in rows.items() for network in networks.split())


_CLOSED = _table(
    {
        "this machine": "0.0.0.0/8 127.0.0.0/8 ::/128 ::1/128",
        gettext("a private network"): "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7 fec0::/10",
        gettext("a shared carrier network"): "100.64.0.0/10",
        gettext("the local link, where clouds keep their credentials"): "169.254.0.0/16 fe80::/10",
        gettext("a cloud's internal service"): "168.63.129.16/32",
        gettext("a range reserved for protocols"): "192.0.0.0/24 192.88.99.0/24 2001::/23",
        gettext("a range reserved for examples"): "192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 2001:db8::/32 3fff::/20",
        gettext("a range reserved for tests"): "198.18.0.0/15",
        gettext("a group of machines"): "224.0.0.0/4 ff00::/8",
        gettext("a reserved range"): "240.0.0.0/4",
        "a tunnel": "2002::/16 64:ff9b:1::/48",
    }
)
_OPEN_IPV6 = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")
_COMPATIBLE = IPv6Network("::/96")


def describe_blocked_range(address: Address) -> str | None:
    """Where the address leads if not to the open web, in words that complete "It leads to …"."""
    inner = _embedded(address)
    if inner is not None:
        return describe_blocked_range(inner)
    for network, words in _CLOSED:
        if address.version == network.version and address in network:
            return words
    if isinstance(address, IPv6Address) and address not in _OPEN_IPV6:
        return gettext("a reserved range")
    return None


def _embedded(address: Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 address stands for: mapped, compatible, or behind a translator."""
    if isinstance(address, IPv4Address) or int(address) <= 1:
        return None
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _NAT64 or address in _COMPATIBLE:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return None


def parse_ip(host: str) -> Address | None:
    """The address that a host spells out, in any form that a system's resolver takes: decimal, octal, hex, short."""
    try:
        return ip_address(host)
    except ValueError:
        pass
    try:
        return IPv4Address(socket.inet_aton(host))
    except (OSError, ValueError):
        return None


def is_in_networks(address: Address, networks: Iterable[Network]) -> bool:
    """Whether an address lies in one of the networks; a mapped one counts as the address it stands for."""
    seen = _embedded(address) or address
    return any(seen.version == network.version and seen in network for network in networks)


def ascii_host(host: str) -> str:
    """The name that is asked for when a page of this host is fetched; a ValueError for what is no name."""
    return str(yarl.URL.build(scheme="https", host=host).raw_host)
