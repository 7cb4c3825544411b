"""The listening socket of `almanac serve`: bound before anything starts, and closed without losing a connection."""

import ctypes
import errno
import socket
import struct
import sys
from contextlib import suppress

from almanac.config import Settings
from almanac.errors import SettingError

BACKLOG = 512
# Linux' SO_ATTACH_FILTER, which Python has no name for, and a filter of four instructions (code, jump if true, jump if
# false, operand): load the flags of the TCP header, drop the packet if it asks for a new connection, else keep it.
_SO_ATTACH_FILTER = 26
_DROP_NEW_CONNECTIONS = ((0x30, 0, 0, 13), (0x45, 0, 1, 0x02), (0x06, 0, 0, 0), (0x06, 0, 0, 0xFFFFFFFF))


def bind(settings: Settings) -> socket.socket:
    """Take the port, so that a busy one fails fast. Nobody can connect before `listen`."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # The protocol is named because asyncio turns off Nagle's delay only for sockets that say they are TCP.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except (OSError, TypeError, UnicodeError) as error:
        # An invalid host name raises TypeError or UnicodeError.
        listener.close()
        raise SettingError(_bind_error(settings, error)) from error
    return listener


def listen(listener: socket.socket, settings: Settings) -> None:
    """Take connections; until then they are refused, so that a proxy asks another process at once."""
    try:
        listener.listen(BACKLOG)
    except OSError as error:
        raise SettingError(_bind_error(settings, error)) from error


def restore_backlog(listener: socket.socket) -> None:
    """Let connections wait again: asyncio takes as many at once as may wait, and sets both by one number."""
    listener.listen(BACKLOG)


def refuse_new(listener: socket.socket) -> None:
    """Ignore new connections while those that were made are accepted, where the system can do that.

    Closing the socket at once would reset connections that wait to be accepted, with requests that were sent on them.
    Who is ignored tries again after a second, and is refused then: the proxy asks another process.
    """
    if sys.platform != "linux":
        return
    program = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in _DROP_NEW_CONNECTIONS))
    with suppress(OSError):
        listener.setsockopt(
            socket.SOL_SOCKET,
            _SO_ATTACH_FILTER,
            struct.pack("@HP", len(_DROP_NEW_CONNECTIONS), ctypes.addressof(program)),
        )


def _bind_error(settings: Settings, error: Exception) -> str:
    if not isinstance(error, OSError):
        return f"{settings.host} isn't a valid host name; check ALMANAC_HOST."
    if error.errno == errno.EADDRINUSE:
        return f"Port {settings.port} is in use by another program; stop it, or set ALMANAC_PORT to another."
    if error.errno == errno.EACCES:
        return f"This account may not use port {settings.port}; set ALMANAC_PORT to one above 1023."
    return f"{settings.host} can't be listened on ({error.strerror or error}); check ALMANAC_HOST."
