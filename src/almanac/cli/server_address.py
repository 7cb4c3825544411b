"""Where the running server is: a private file in the data folder that `almanac serve` writes and other commands read.

The server holds a lock on it, which the kernel drops when the process dies in any way.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from almanac.config import Settings
from almanac.kit.private_files import make_private_folder

ADDRESS_FILE = "server.json"


@contextmanager
def announced_address(data: Path, address: str) -> Iterator[None]:
    """Tell other commands the address while this is open. A second server on the same data leaves the first's."""
    descriptor = _take_note(data)
    if descriptor is None:
        yield
        return
    try:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, json.dumps({"pid": os.getpid(), "address": address}).encode(), 0)
        yield
    finally:
        os.ftruncate(descriptor, 0)
        os.close(descriptor)


def _take_note(data: Path) -> int | None:
    """The file, open and locked; None if another server has it, or the folder can't be used, which others report."""
    try:
        make_private_folder(data)
        descriptor = os.open(data / ADDRESS_FILE, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def with_server_address(settings: Settings) -> Settings:
    """The settings with the address of the server that runs on this data; unchanged if none runs or one is set."""
    if settings.base_url is not None or (address := _find_address(settings.data)) is None:
        return settings
    return replace(settings, base_url=address)


def _find_address(data: Path) -> str | None:
    try:
        with (data / ADDRESS_FILE).open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return str(json.load(file)["address"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return None
