"""Sends one message by Apprise, in a process of its own: `python -P apprise_process.py`, a request on standard input.

Apprise makes its own connections, so the guard stands where they are made: an audit hook sees each address that is
connected to, whatever name or redirect led to it, and can't be removed again. Programs can't be started either.
"""

import json
import logging
import sys
from collections.abc import Mapping
from ipaddress import ip_address

import apprise

from almanac.errors import AlmanacError
from almanac.fetch.guard import FetchGuard

_PROGRAMS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.startfile")


class ConnectionGuard:
    """The audit hook. `refused` tells why a connection was not made."""

    def __init__(self, guard: FetchGuard) -> None:
        self.refused = ""
        self._guard = guard
        self._host = ""

    def __call__(self, event: str, args: tuple[object, ...]) -> None:
        if event == "socket.getaddrinfo":
            self._host = args[0].decode() if isinstance(args[0], bytes) else str(args[0])
        elif event == "socket.connect":
            self._check(args[1])
        elif event in _PROGRAMS:
            raise PermissionError("Sending a message starts no program.")

    def _check(self, address: object) -> None:
        if not isinstance(address, tuple):
            raise PermissionError("Only addresses of a network are connected to.")
        try:
            self._guard.check_addresses(self._host, int(address[1]), [ip_address(str(address[0]).partition("%")[0])])
        except AlmanacError as error:
            self.refused = error.sentence
            raise PermissionError(error.sentence) from error


def send(request: Mapping[str, str]) -> dict[str, object]:
    """Send the message; `sent` tells whether the service took it, `refused` why it was not even asked."""
    logging.disable()
    guard = ConnectionGuard(FetchGuard.from_settings(request["allow"], request["ports"]))
    sys.addaudithook(guard)
    client = apprise.Apprise()
    valid = bool(client.add(request["address"]))
    sent = valid and bool(client.notify(body=request["body"], title=request["title"]))
    return {"valid": valid, "sent": sent, "refused": guard.refused}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(send(json.load(sys.stdin))))
