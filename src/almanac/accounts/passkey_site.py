"""Where passkeys work: browsers tie them to a host's name and to its exact origin."""

from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

LOCALHOST = "localhost"


@dataclass(frozen=True, slots=True)
class PasskeySite:
    """The name that passkeys belong to, and the origin that they are used on."""

    host: str
    origin: str


def passkey_site(base_url: str | None, visited: str) -> PasskeySite | None:
    """The site for the visited address: that of the base URL, or this machine's own name where none is set.

    None where browsers allow no passkeys (a numeric address, or plain HTTP on a network) or where the visited address
    isn't the one that passkeys belong to.
    """
    base_url, here = _named(base_url), urlsplit(visited)
    home = urlsplit(base_url) if base_url else here
    origin = f"{home.scheme}://{home.netloc}"
    if not home.hostname or is_numeric(home.hostname) or (here.hostname, here.port) != (home.hostname, home.port):
        return None
    if home.hostname != LOCALHOST and (home.scheme != "https" or base_url is None):
        return None
    return PasskeySite(home.hostname, origin)


def passkey_address(base_url: str | None, visited: str) -> str | None:
    """Another address of this installation on which passkeys work; None if there is none."""
    base_url = _named(base_url)
    if base_url and passkey_site(base_url, base_url):
        return base_url
    parts = urlsplit(visited)
    if base_url is None and parts.hostname and is_loopback(parts.hostname):
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{LOCALHOST}{port}"
    return None


def _named(base_url: str | None) -> str | None:
    """The base URL; None where it is this machine's number, which has a name as well."""
    host = urlsplit(base_url).hostname if base_url else None
    return None if host and is_numeric(host) and is_loopback(host) else base_url


def is_numeric(host: str) -> bool:
    """Whether the host is an IP address."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    """Whether the host is this machine, by number or by name."""
    return host == LOCALHOST or (is_numeric(host) and ip_address(host).is_loopback)
