"""The engine: opens a database and executes one operation per call, in process, exactly as the service would."""

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from tablature.engine.context import EngineContext, Request, Response
from tablature.engine.errors import EngineError, serialization_error
from tablature.engine.operations import OPERATIONS
from tablature.engine.storage import StaleCatalog, Storage

_MOST_FRESH_STARTS = 8


class Engine:
    """A DynamoDB-compatible service over one SQLite file; safe to share between threads."""

    def __init__(
        self,
        path: str | Path,
        *,
        clock: Callable[[], float] = time.time,
        region: str = "us-east-1",
        account: str = "000000000000",
    ) -> None:
        self.storage = Storage(str(path), clock)
        self.context = EngineContext(self.storage, clock, region, account)

    @classmethod
    def memory(cls, *, clock: Callable[[], float] = time.time) -> Self:
        """An engine in memory, which lives as long as this object."""
        return cls(":memory:", clock=clock)

    def call(self, operation: str, request: Request) -> Response:
        """Execute an operation, or raise ServiceError. The request is never changed.

        The request has the JSON types of the service's model, and binary values as base64 text.
        """
        run = OPERATIONS.get(operation)
        if run is None:
            raise EngineError("UnknownOperationException", "")
        try:
            for _ in range(_MOST_FRESH_STARTS):
                try:
                    return run(self.context, request)
                except StaleCatalog:
                    self.storage.refresh()
        except UnicodeEncodeError as error:
            raise serialization_error("Strings must be well-formed Unicode") from error
        except sqlite3.Error as error:
            raise EngineError("InternalServerError", f"The database could not be used: {error}.") from error
        raise EngineError("InternalServerError", "The table kept changing while the request ran.")

    def close(self) -> None:
        """Close the database. No call may be in progress."""
        self.storage.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
