"""Translation of the driver's errors into ours: the one place that knows what a failure means to a caller."""

import re

import psycopg
from psycopg import errors as pg
from psycopg.conninfo import conninfo_to_dict
from psycopg_pool import PoolTimeout

from almanac.errors import Conflict, InputError, Unavailable

_UNSTORABLE = (
    *(pg.StringDataRightTruncation, pg.NumericValueOutOfRange, pg.DatetimeFieldOverflow),
    *(pg.UntranslatableCharacter, pg.CharacterNotInRepertoire, UnicodeEncodeError),
)
_BUSY = (pg.SerializationFailure, pg.DeadlockDetected, pg.LockNotAvailable, pg.TooManyConnections)

_CORRECT = "correct ALMANAC_DATABASE_URL"
_REFUSALS = (
    (
        "password authentication failed|no password supplied",
        f"PostgreSQL refused the password of role {{role}}; {_CORRECT}.",
    ),
    ('role ".*" does not exist', f"There is no role {{role}} in PostgreSQL; create it, or {_CORRECT}."),
    ('database ".*" does not exist', f"There is no database {{database}}; create it, or {_CORRECT}."),
    ("failed to resolve host|could not translate host name", f"The host {{host}} isn't known; {_CORRECT}."),
)


class DuplicateRow(Conflict, code="duplicate"):
    """A unique rule of the database refused a second row; `constraint` names the rule."""

    def __init__(self, constraint: str) -> None:
        super().__init__("This exists already; open it instead of adding it again.", constraint=constraint)
        self.constraint = constraint


class StillReferenced(Conflict, code="still_referenced"):
    """A row is referred to by others, or refers to one that is gone; `constraint` names the rule."""

    def __init__(self, constraint: str) -> None:
        super().__init__("Something else still depends on this, or it was deleted; reload the page.")
        self.constraint = constraint


class UnstorableValue(InputError, code="unstorable"):
    """A value is too long, out of range, or text with a character that PostgreSQL can't hold."""

    def __init__(self) -> None:
        super().__init__("A value can't be stored: it is too long, too large, or contains a character that isn't text.")


class ErrorTranslation:
    """A context in which the driver's errors become ours. A class, since every statement enters one."""

    __slots__ = ()

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None and (translated := _translate(error)) is not None:
            raise translated from error


_TRANSLATION = ErrorTranslation()


def translate_errors() -> ErrorTranslation:
    """Raise our errors in place of the driver's; a mistake in our own SQL stays what it is."""
    return _TRANSLATION


def _translate(error: BaseException) -> Exception | None:
    match error:
        case pg.UniqueViolation():
            return DuplicateRow(error.diag.constraint_name or "")
        case pg.ForeignKeyViolation():
            return StillReferenced(error.diag.constraint_name or "")
        case _ if isinstance(error, _UNSTORABLE) or (isinstance(error, psycopg.DataError) and error.sqlstate is None):
            return UnstorableValue()
        case _ if isinstance(error, _BUSY):
            return Unavailable("The database is busy with a competing change; try again.")
        case PoolTimeout() | psycopg.OperationalError() | psycopg.InterfaceError():
            return Unavailable("The database doesn't answer; try again in a moment.")
    return None


def describe_refusal(url: str, error: psycopg.OperationalError) -> str:
    """Why no connection is to be had, for whoever runs Almanac: what the server or the way there refused.

    Names come from the address, without the password, and without what a badly written one leaves before the host.
    """
    given = conninfo_to_dict(url)
    host = str(given.get("host") or "").rpartition("@")[2]
    text = str(error)
    for pattern, sentence in _REFUSALS:
        if re.search(pattern, text):
            return sentence.format(role=given.get("user"), database=given.get("dbname") or given.get("user"), host=host)
    return "The database doesn't answer; check the database address and that it runs."
