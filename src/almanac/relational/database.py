"""Connections, units of work and named queries on PostgreSQL."""

import asyncio
import re
import select
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, LiteralString, Self, TypeAlias, TypeVar, overload

import msgspec
import psycopg
from psycopg import AsyncConnection, AsyncCursor
from psycopg.abc import AdaptContext, Buffer
from psycopg.abc import Loader as AnyLoader
from psycopg.adapt import Loader
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import Format
from psycopg.rows import dict_row, kwargs_row
from psycopg.sql import SQL, Identifier
from psycopg.types.json import JsonbDumper, set_json_dumps, set_json_loads
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from almanac.errors import SettingError, Unavailable
from almanac.kit.json_text import encode_json
from almanac.kit.side_effects import tracked_effects
from almanac.relational.errors import describe_refusal, translate_errors
from almanac.relational.presence import Presence

_SECTIONS = re.compile(r"^-- (name|part):[ \t]*(\S+)[ \t]*\n(.*?)(?=^-- (?:name|part):|\Z)", re.MULTILINE | re.DOTALL)
_COMMENTS = re.compile(r"^--.*\n", re.MULTILINE)
_PART_USE = re.compile(r"\{\{(\w+)\}\}")


class Queries:
    """The statements of one package, by name; an unknown name is a programming error that names the package."""

    def __init__(self, package: str, statements: dict[str, str]) -> None:
        self._package = package
        self._statements = statements

    def __getitem__(self, name: str) -> LiteralString:
        if name not in self._statements:
            raise KeyError(f"{self._package}/queries.sql has no statement named {name}.")
        return self._statements[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._statements)

    def __len__(self) -> int:
        return len(self._statements)


def load_queries(package: str | None, file: str = "queries.sql") -> Queries:
    """Read the statements beside a module: `QUERIES = load_queries(__package__)`."""
    if not package:
        raise ValueError("Named SQL lives in a package; pass __package__.")
    return Queries(package, parse_queries(files(package).joinpath(file).read_text(encoding="utf-8")))


def parse_queries(text: str) -> dict[str, str]:
    """Split a file at its `-- name:` and `-- part:` lines.

    A part is no statement: it stands, without its comments, wherever a later section says `{{its name}}`. A name given
    twice would hide a statement, so it is refused.
    """
    statements: dict[str, str] = {}
    parts: dict[str, str] = {}
    for kind, name, body in _SECTIONS.findall(text):
        sections = parts if kind == "part" else statements
        if name in sections:
            raise ValueError(f"The {'part' if kind == 'part' else 'statement'} {name} is named twice.")
        sections[name] = _insert_parts(body.strip(), parts)
        if kind == "part":
            sections[name] = _COMMENTS.sub("", sections[name]).strip()
    return statements


def _insert_parts(statement: str, parts: Mapping[str, str]) -> str:
    def insert(use: re.Match[str]) -> str:
        if use[1] not in parts:
            raise ValueError(f"There is no part {use[1]} above the statement that uses it.")
        return parts[use[1]]

    return _PART_USE.sub(insert, statement)


T = TypeVar("T")
Row: TypeAlias = dict[str, Any]
Params: TypeAlias = Mapping[str, Any]

_RECONNECT_SECONDS = 1.0
_QUICK_SECONDS = 1.0
_CONNECT_SECONDS = 2
_BACKED_OFF_SECONDS = 1.0
# A machine that vanished answers nothing more; this is how long its connections are believed in.
_TCP = {"keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3, "tcp_user_timeout": 10_000}
_MOMENTS = ("date", "timestamp", "timestamptz")
_UNREACHABLE = "The database doesn't answer; try again in a moment."
_HAS_WRITTEN = "SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS written"


def redact_url(url: str) -> str:
    """The address itself, if the driver can read it. What is wrong with it is not quoted: it may hold a password."""
    try:
        conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        raise SettingError(
            "ALMANAC_DATABASE_URL can't be read; write it like postgresql://user:password@host:5432/name?sslmode=require."
        ) from error
    return url


class ReadTransaction:
    """A connection to read from. Statements take `%(name)s` parameters; `into` builds each row by keyword."""

    def __init__(self, connection: AsyncConnection) -> None:
        self.connection = connection

    @overload
    async def one(self, sql: LiteralString, params: Params | None = None) -> Row | None: ...
    @overload
    async def one(self, sql: LiteralString, params: Params | None = None, *, into: Callable[..., T]) -> T | None: ...
    async def one(
        self, sql: LiteralString, params: Params | None = None, *, into: Callable[..., Any] | None = None
    ) -> Any:
        """The first row, or None."""
        with translate_errors():
            return await (await self._run(sql, params, into)).fetchone()

    @overload
    async def all(self, sql: LiteralString, params: Params | None = None) -> list[Row]: ...
    @overload
    async def all(self, sql: LiteralString, params: Params | None = None, *, into: Callable[..., T]) -> list[T]: ...
    async def all(
        self, sql: LiteralString, params: Params | None = None, *, into: Callable[..., Any] | None = None
    ) -> list[Any]:
        """Every row."""
        with translate_errors():
            return await (await self._run(sql, params, into)).fetchall()

    async def value(self, sql: LiteralString, params: Params | None = None) -> Any:
        """The first column of the first row, or None."""
        row = await self.one(sql, params)
        return next(iter(row.values()), None) if row else None

    async def _run(
        self, sql: LiteralString, params: Params | None, into: Callable[..., Any] | None
    ) -> AsyncCursor[Any]:
        """A cursor whose rows are here already: it holds nothing at the server, so that nobody has to close it."""
        return await self.connection.cursor(row_factory=kwargs_row(into) if into else dict_row).execute(sql, params)


class Unit(ReadTransaction):
    """One transaction, to read and to write in."""

    def __init__(self, connection: AsyncConnection) -> None:
        super().__init__(connection)
        self._after_commit: list[Callable[[], None]] = []

    async def execute(self, sql: LiteralString, params: Params | None = None) -> int:
        """Run a statement for its effect; returns how many rows it touched."""
        with translate_errors():
            return (await self._run(sql, params, None)).rowcount

    def after_commit(self, act: Callable[[], None]) -> None:
        """Do something in memory once the transaction has committed, and not at all if it rolls back."""
        self._after_commit.append(act)

    def _committed(self) -> None:
        for act in self._after_commit:
            act()


@dataclass(slots=True)
class _SharedUnit:
    """A unit of work that all units in its context take part in, until it ends."""

    database: "Database"
    unit: Unit
    is_open: bool = True


_shared: ContextVar[_SharedUnit | None] = ContextVar("shared_unit", default=None)


class Database:
    """A pool of connections to one PostgreSQL database. With `read_only`, the server refuses every write on them."""

    def __init__(
        self, url: str, *, max_connections: int = 10, patience_seconds: float = 15.0, read_only: bool = False
    ) -> None:
        self.url = url
        self.pool: AsyncConnectionPool[AsyncConnection] = AsyncConnectionPool(
            url,
            kwargs={"connect_timeout": _CONNECT_SECONDS, **_TCP},
            min_size=1,
            max_size=max_connections,
            timeout=patience_seconds,
            # Attempts come ever more rarely until they are given up. Soon, so that the next request begins anew.
            reconnect_timeout=4.0,
            open=False,
            configure=_refuse_writes if read_only else _agree_on_forms,
            check=_check_if_anything_came,
            name="almanac",
        )
        self.presence = Presence(url)
        self._unreachable_until = 0.0
        self._probing = asyncio.Lock()

    async def open(self) -> None:
        """Connect, or raise Unavailable: soon if the server doesn't answer, else within the pool's patience."""
        await self._require_reachable(explain=True)
        with translate_errors():
            await self.pool.open(wait=True, timeout=self.pool.timeout)

    async def close(self) -> None:
        await self.presence.close()
        await self.pool.close()

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @asynccontextmanager
    async def unit(self) -> AsyncIterator[Unit]:
        """One transaction: committed when the block ends well, rolled back on any error."""
        if (shared := self._shared_unit()) is not None:
            async with self._part_of(shared) as unit:
                yield unit
            return
        with translate_errors():
            async with self._connection() as connection, connection.transaction():
                unit = Unit(connection)
                yield unit
                await _note_effects(unit)
        unit._committed()  # noqa: SLF001 - the unit is ours; callers register, only the database fires

    @asynccontextmanager
    async def shared_unit(self) -> AsyncIterator[Unit]:
        """One transaction for all units and readings of this context: they commit together at the end, or none does.

        For work that runs step by step; steps side by side would meet on one connection.
        """
        async with self.unit() as unit:
            shared = _SharedUnit(self, unit)
            token = _shared.set(shared)
            try:
                yield unit
            finally:
                shared.is_open = False
                _shared.reset(token)

    def _shared_unit(self) -> _SharedUnit | None:
        shared = _shared.get()
        return shared if shared is not None and shared.is_open and shared.database is self else None

    @asynccontextmanager
    async def _part_of(self, shared: _SharedUnit) -> AsyncIterator[Unit]:
        """A part that fails is undone alone, if whoever began it goes on."""
        with translate_errors():
            async with shared.unit.connection.transaction():
                unit = Unit(shared.unit.connection)
                yield unit
        shared.unit.after_commit(unit._committed)  # noqa: SLF001 - fired when the whole has committed

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[ReadTransaction]:
        """For a question or a few that need not see one moment: each is one journey to the server instead of three."""
        if (shared := self._shared_unit()) is not None:
            yield shared.unit
            return
        with translate_errors():
            async with self._connection() as connection:
                yield ReadTransaction(connection)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection]:
        """A connection of the pool, waited for patiently while all are in use, and not while the server is down."""
        if time.monotonic() < self._unreachable_until:
            raise Unavailable(_UNREACHABLE)
        try:
            connection = await self.pool.getconn(min(_QUICK_SECONDS, self.pool.timeout))
        except PoolTimeout:
            await self._require_reachable()
            connection = await self.pool.getconn()
        try:
            async with connection:
                yield connection
        finally:
            await self.pool.putconn(connection)

    async def _require_reachable(self, *, explain: bool = False) -> None:
        """Raise Unavailable if no new connection is to be had; all requests of the next moment are told so at once.

        Why is for whoever starts Almanac: a visitor learns no names of roles and hosts.
        """
        async with self._probing:
            if time.monotonic() < self._unreachable_until:
                raise Unavailable(_UNREACHABLE)
            try:
                connection = await AsyncConnection.connect(self.url, connect_timeout=_CONNECT_SECONDS)
            except psycopg.OperationalError as error:
                self._unreachable_until = time.monotonic() + _BACKED_OFF_SECONDS
                raise Unavailable(describe_refusal(self.url, error) if explain else _UNREACHABLE) from error
            await connection.close()

    @asynccontextmanager
    async def dedicated(self) -> AsyncIterator[AsyncConnection]:
        """A connection outside the pool that commits each statement; for listening and session locks."""
        with translate_errors():
            connection = await AsyncConnection.connect(self.url, autocommit=True, connect_timeout=_CONNECT_SECONDS)
        async with connection:
            yield connection

    async def listen(self, channel: LiteralString) -> AsyncGenerator[str | None, None]:
        """What is notified on a channel. None says that listening began, also anew after a broken connection."""
        while True:
            try:
                async with self.dedicated() as connection:
                    await connection.execute(SQL("LISTEN {}").format(Identifier(channel)))
                    yield None
                    async for notice in connection.notifies():
                        yield notice.payload
            except (Unavailable, psycopg.OperationalError):
                await asyncio.sleep(_RECONNECT_SECONDS)

    async def check(self) -> str:
        """Prove that the database answers; returns its version for people to read."""
        async with self.unit() as unit:
            return str(await unit.value("SHOW server_version"))


class _DictDumper(JsonbDumper):
    """A dictionary as jsonb."""

    def dump(self, obj: object) -> bytes:
        return encode_json(obj)


def _patient(usual: type[AnyLoader]) -> type[Loader]:
    """A loader to which a moment that Python has no value for is None.

    Other programs write into documented tables, and PostgreSQL takes `infinity`, years before Christ and after 9999
    from them: such a moment must not keep the row it stands in, and every other row of a list, from being read.
    """

    class Patient(Loader):
        def __init__(self, oid: int, context: AdaptContext | None = None) -> None:
            super().__init__(oid, context)
            self._load = usual(oid, context).load

        def load(self, data: Buffer) -> Any:
            try:
                return self._load(data)
            except psycopg.DataError:
                return None

    return Patient


async def _note_effects(unit: Unit) -> None:
    """Tell whoever tracks this context that the unit has written, in the unit itself."""
    effects = tracked_effects()
    if effects is None or (effects.begun and effects.log is None) or not await unit.value(_HAS_WRITTEN):
        return
    if effects.log is not None:
        await effects.log.note_here(unit)
    effects.begun = True


async def _check_if_anything_came(connection: AsyncConnection) -> None:
    """Ask the server whether it is there, but only where there is something to read.

    A connection that rests has nothing, a broken one its end: so looking at the socket spares a journey for each unit.
    """
    came = select.poll()
    came.register(connection.fileno(), select.POLLIN)
    if came.poll(0):
        await AsyncConnectionPool.check_connection(connection)


async def _agree_on_forms(connection: AsyncConnection) -> None:
    """Times are in UTC whatever the server prefers; dictionaries travel as jsonb, with dates and decimals in them.

    Outside a unit each statement stands for itself, so that a single question needs no transaction around it.
    """
    await connection.set_autocommit(True)
    await connection.execute("SET TIME ZONE 'UTC'")
    for kind in _MOMENTS:
        oid = connection.adapters.types[kind].oid
        if (usual := connection.adapters.get_loader(oid, Format.TEXT)) is not None:
            connection.adapters.register_loader(oid, _patient(usual))
    connection.adapters.register_dumper(dict, _DictDumper)
    set_json_dumps(encode_json, connection)
    set_json_loads(msgspec.json.decode, connection)


async def _refuse_writes(connection: AsyncConnection) -> None:
    await _agree_on_forms(connection)
    await connection.execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
