"""What the public side is given instead of services: ports that can only read, and only what may be published.

PostgreSQL refuses writes on its connections, the way to the tables lets through reads of the listed tables alone, and
the object store opens nothing outside the listed prefixes. There is no account, session, mail, job or secret here.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import NoReturn, Protocol

from almanac.errors import NotAllowed, NotFound
from almanac.kit.clock import Clock
from almanac.kit.signatures import derive_key
from almanac.objects import ObjectInfo, ObjectStore, OpenObject, valid_key
from almanac.relational import Database
from almanac.search import SearchIndex
from tablature.async_database import AsyncDatabase
from tablature.transport.port import Transport, VersionedTransport
from tablature.wire import Request, Response

_READS = frozenset({"GetItem", "Query"})
_BATCH_READ = "BatchGetItem"


class ObjectsLocation(Protocol):
    """Where stored URLs of objects begin, if they are elsewhere than in the data folder."""

    @property
    def objects_url(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Collector:
    """The task by which a desk collects from outside."""

    desk: str
    title: str
    task: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadSettings:
    """The settings that readers need; none of them is secret.

    `feed_kinds` are the kinds of documents that public feeds may list, each with the permission in its documents.
    """

    objects_url: str | None = None
    organisation: str | None = None
    time_zone: str = "UTC"
    feed_kinds: Mapping[str, str] = field(default_factory=dict)
    collectors: tuple[Collector, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPorts:
    """Ports for reading what is published. `secret` is derived, so it opens nothing of the private side."""

    settings: ReadSettings
    clock: Clock
    secret: bytes
    database: Database
    tables: AsyncDatabase
    objects: ObjectStore
    search: SearchIndex

    def key(self, purpose: str) -> bytes:
        """The signing key for one purpose, such as `cursors`."""
        return derive_key(self.secret, purpose)


class ReadOnlyTransport:
    """A way to the tables that lets through reads of some tables; anything else is NotAllowed and isn't sent."""

    def __init__(self, way: Transport, tables: Collection[str]) -> None:
        self._way = way
        self._tables = frozenset(tables)

    def send(self, operation: str, request: Request) -> Response:
        self._check(operation, request)
        return self._way.send(operation, request)

    async def send_async(self, operation: str, request: Request) -> Response:
        self._check(operation, request)
        return await self._way.send_async(operation, request)

    def version(self) -> int | None:
        return self._way.version() if isinstance(self._way, VersionedTransport) else None

    def close(self) -> None:
        """The way belongs to whoever opened it."""

    async def close_async(self) -> None:
        """The way belongs to whoever opened it."""

    def _check(self, operation: str, request: Request) -> None:
        if operation == _BATCH_READ:
            tables = frozenset(request["RequestItems"])
        elif operation in _READS:
            tables = frozenset({request["TableName"]})
        else:
            raise NotAllowed("The public side can only read.")
        if not tables <= self._tables:
            raise NotAllowed("The public side can't read this table.")


class ReadOnlyObjects(ObjectStore):
    """Objects below some prefixes, for reading; for everything else it is as if it didn't exist."""

    def __init__(self, objects: ObjectStore, prefixes: Collection[str]) -> None:
        self._objects = objects
        self._prefixes = tuple(prefixes)

    async def open(self, key: str) -> OpenObject:
        return await self._objects.open(self._listed(key))

    async def head(self, key: str) -> ObjectInfo:
        return await self._objects.head(self._listed(key))

    async def put(self, *_: object, **__: object) -> NoReturn:
        raise NotAllowed("The public side can only read.")

    delete = copy = list = put

    def _listed(self, key: str) -> str:
        if not key.startswith(self._prefixes):
            raise NotFound("The public side has no object with this key.")
        return valid_key(key)
