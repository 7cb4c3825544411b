"""The guard: decides whether a URL and the addresses behind its host may be reached. Looking them up is left to others.

Every rule is applied twice, before anything is sent and to the very addresses that are connected to, so that a name
that changes its address between the two gains nothing.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_network

from yarl import URL

from almanac.errors import SettingError
from almanac.fetch.errors import AddressRefused
from almanac.fetch.hosts import Address, Network, describe_blocked_range, is_in_networks, parse_ip
from almanac.kit.messages import gettext

URL_LIMIT = 2000
WEB_PORTS = frozenset({80, 443})
_HOST = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?", re.IGNORECASE)
_NOT_IN_URL = re.compile(r"[\x00-\x20\x7f\\]|[^\S ]")
_HOST_LIMIT = 253


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchGuard:
    """What may be reached. An allowed host or network may be private, and be reached at any port."""

    ports: frozenset[int] = WEB_PORTS
    allowed_hosts: frozenset[str] = frozenset()
    allowed_networks: tuple[Network, ...] = field(default=())

    @classmethod
    def from_settings(cls, allow: str, ports: str) -> "FetchGuard":
        """From `ALMANAC_FETCH_ALLOW` and `ALMANAC_FETCH_PORTS`, both comma-separated."""
        hosts, networks = _allowed(part.strip() for part in allow.split(",") if part.strip())
        return cls(ports=_ports(ports), allowed_hosts=frozenset(hosts), allowed_networks=tuple(networks))

    def check_url(self, text: str) -> URL:
        """The parsed URL, which is what must be fetched so that no second reading differs; or AddressRefused."""
        url = _parsed(text)
        if url.scheme not in ("http", "https"):
            raise AddressRefused(gettext("Only addresses that start with http:// or https:// can be fetched."))
        if url.user is not None or url.password is not None:
            raise AddressRefused(
                gettext("An address must not carry a user name or password; leave out what is before the @.")
            )
        host = _host_of(url)
        spelled = parse_ip(host.rstrip("."))
        if spelled is not None:
            self.check_addresses(host, url.port or 0, [spelled])
            return url.with_host(str(spelled)).with_fragment(None)
        if "[" in text.partition("://")[2].partition("/")[0] or not _HOST.fullmatch(host) or len(host) > _HOST_LIMIT:
            raise AddressRefused(gettext("%(host)s isn't a valid host name; check the address.", host=_shown(host)))
        return url.with_fragment(None)

    def check_addresses(self, host: str, port: int, addresses: Sequence[Address]) -> None:
        """Refuse a host unless every address it has may be reached at this port."""
        if host.rstrip(".").lower() in self.allowed_hosts:
            return
        for address in addresses:
            if is_in_networks(address, self.allowed_networks):
                continue
            if (words := describe_blocked_range(address)) is not None:
                raise AddressRefused(
                    gettext(
                        "%(host)s leads to %(words)s, which is not fetched from; an administrator can allow it with "
                        "ALMANAC_FETCH_ALLOW.",
                        host=_shown(host),
                        words=words,
                    )
                )
            if port not in self.ports:
                raise AddressRefused(
                    gettext(
                        "Port %(port)s of %(host)s is not fetched from; an administrator can allow it with "
                        "ALMANAC_FETCH_PORTS.",
                        port=port,
                        host=_shown(host),
                    )
                )


def _parsed(text: str) -> URL:
    if len(text) > URL_LIMIT:
        raise AddressRefused(
            gettext(
                "An address may have %(url_limit)s characters at most; this one is longer.", url_limit=f"{URL_LIMIT:,}"
            )
        )
    if _NOT_IN_URL.search(text):
        raise AddressRefused(gettext("The address contains spaces, backslashes or control characters; check it."))
    try:
        url = URL(text)
        url.port  # noqa: B018 - reading it is what checks it
    except ValueError as error:
        raise AddressRefused(
            gettext("That isn't a valid web address; it should look like https://example.org/page.")
        ) from error
    return url


def _host_of(url: URL) -> str:
    if not url.raw_host:
        raise AddressRefused(
            gettext("That isn't a complete web address; it should look like https://example.org/page.")
        )
    if "%" in url.raw_host:
        raise AddressRefused(gettext("The host of the address must be written plainly, without percent signs."))
    return url.raw_host


def _shown(host: str) -> str:
    return host if len(host) <= 80 else host[:77] + "..."


def _allowed(parts: Iterable[str]) -> tuple[set[str], list[Network]]:
    hosts, networks = set[str](), list[Network]()
    for part in parts:
        try:
            networks.append(ip_network(part, strict=False))
        except ValueError:
            if not _HOST.fullmatch(part):
                raise SettingError(
                    gettext(
                        "ALMANAC_FETCH_ALLOW must list hosts or networks such as 10.0.0.0/8; %(part)s is neither.",
                        part=f"{part!r}",
                    )
                ) from None
            hosts.add(part.rstrip(".").lower())
    return hosts, networks


def _ports(text: str) -> frozenset[int]:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not parts or not all(part.isascii() and part.isdecimal() and 0 < int(part) < 65536 for part in parts):
        raise SettingError("ALMANAC_FETCH_PORTS must list port numbers, such as 80,443,8080.")
    return frozenset(int(part) for part in parts)
