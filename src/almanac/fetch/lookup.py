"""Finding the addresses of a host, through the guard: what aiohttp connects to is exactly what was checked."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from ipaddress import ip_address

from aiohttp.abc import AbstractResolver, ResolveResult

from almanac.fetch.guard import Guard

Lookup = Callable[[str, int], Awaitable[Sequence[str]]]


async def system_lookup(host: str, port: int) -> Sequence[str]:
    """The addresses that this system's resolver gives, IPv4 and IPv6."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class GuardedResolver(AbstractResolver):
    """Resolves a name once per connection and hands on only addresses that the guard lets pass."""

    def __init__(self, guard: Guard, lookup: Lookup = system_lookup) -> None:
        self._guard = guard
        self._lookup = lookup

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """In the form that aiohttp connects to without asking anybody again."""
        found = [ip_address(text.partition("%")[0]) for text in await self._lookup(host, port)]
        if not found:
            raise OSError(None, "The name has no address.")
        self._guard.check_addresses(host, port, found)
        return [
            ResolveResult(
                hostname=host,
                host=str(address),
                port=port,
                family=kind,
                proto=socket.IPPROTO_TCP,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for address in found
            if (kind := socket.AF_INET if address.version == 4 else socket.AF_INET6)
            and family in (socket.AF_UNSPEC, kind)
        ]

    async def close(self) -> None:
        """Nothing is held."""
