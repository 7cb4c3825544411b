"""What reading articles needs: the services of the workspace have it, and so have the ports of the public side."""

from typing import Protocol

from almanac.kit.clock import Clock
from almanac.objects import ObjectStore
from almanac.read_ports import ObjectsLocation
from almanac.relational import Database
from almanac.search import SearchIndex
from tablature.async_database import AsyncDatabase


class RecapReads(Protocol):
    """Ports for reading articles, their texts and the register."""

    @property
    def settings(self) -> ObjectsLocation: ...

    @property
    def clock(self) -> Clock: ...

    @property
    def database(self) -> Database: ...

    @property
    def tables(self) -> AsyncDatabase: ...

    @property
    def objects(self) -> ObjectStore: ...

    @property
    def search(self) -> SearchIndex: ...

    def key(self, purpose: str) -> bytes: ...
