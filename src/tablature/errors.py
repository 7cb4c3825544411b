"""The error tree of the library. Errors of the service arrive as `ServiceError`, whatever the transport.

TablatureError
├── DeclarationError        a table, entity, template or pattern is declared wrongly; raised at class creation
├── InputError              the call is invalid; nothing was sent
│   ├── ItemTooLarge        the item is over 400 KB
│   ├── TransactionTooLarge over 100 actions or 4 MB in one transaction
│   ├── DerivedTouched      a raw expression touches what a key, copy or constraint is derived from
│   ├── CursorRejected      a cursor is forged, damaged, or belongs to another query
│   ├── ExportDamaged       a file of an exported table is missing, cut off or changed
│   └── TableNotEmpty       the table to import into has items
├── ImportMismatch          an imported table doesn't hold what was exported
├── StoredItemError         a stored item does not fit the entity it is read as
├── ObjectMissing           the object store has nothing under a key
├── ConditionFailed         a condition was false; carries the current item
│   ├── AlreadyExists       create met an item under the same key
│   ├── DoesNotExist        update, patch or require met none
│   ├── VersionConflict     somebody else changed the item first
│   ├── UniqueViolation     another item holds the unique value; names the fields and the holder
│   └── LeaseLost           the lease ran out and somebody else may hold the work
├── TransactionFailed       carries one error per action that failed
├── BudgetExceeded          the calls inside `budget` cost more than allowed
├── RecordingMismatch       a replayed call differs from the recorded one
└── ServiceError            the service refused; carries its code and sentence
    ├── ConditionRefused    ConditionalCheckFailedException, with the item when it was asked for
    ├── TransactionRefused  TransactionCanceledException, with one reason per action
    ├── TableMissing        ResourceNotFoundException
    └── Retryable           the same call may succeed later
        ├── Throttled       the service asks to slow down
        ├── Unavailable     no response, a broken connection, or an error of the service
        └── Contention      other writers changed the item during every attempt
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

WireItem = dict[str, dict[str, Any]]


class TablatureError(Exception):
    """The root. Its text is one sentence that says what to do."""


class DeclarationError(TablatureError):
    """A table, entity, template or pattern is declared wrongly."""


class InputError(TablatureError):
    """The call is invalid; nothing was sent."""


class ItemTooLarge(InputError):
    """The item is larger than the service can store."""

    def __init__(self, entity: str, size: int, limit: int) -> None:
        super().__init__(
            f"This {entity} is {size:,} bytes and at most {limit:,} can be stored; "
            "move its largest field out with blob(over=...) or split it into several items."
        )
        self.size = size


class TransactionTooLarge(InputError):
    """One transaction would need more actions or bytes than the service allows."""


class DerivedTouched(InputError):
    """A raw expression touches an attribute from which keys, copies or constraints are derived."""


class CursorRejected(InputError):
    """A cursor is forged, damaged, or belongs to another query."""


class ExportDamaged(InputError):
    """A file of an exported table is missing, cut off or changed."""


class TableNotEmpty(InputError):
    """The table to import into has items."""

    def __init__(self, table: str) -> None:
        super().__init__(f"The table {table} already has items; import into an empty one, or replace its content.")
        self.table = table


class ImportMismatch(TablatureError):
    """After an import the table doesn't hold what was exported: somebody else wrote to it meanwhile."""


class StoredItemError(TablatureError):
    """A stored item doesn't fit the entity it is read as."""

    def __init__(self, entity: str, field: str, problem: str, item: WireItem) -> None:
        super().__init__(f"A stored {entity} has a bad {field!r}: {problem}.")
        self.field = field
        self.item = item


class ObjectMissing(TablatureError):
    """The object store has no object with this key. Stores raise it, and the library reads the item again."""

    def __init__(self, key: str) -> None:
        super().__init__(f"The object store has no object {key!r}.")


class ConditionFailed(TablatureError):
    """A write's condition was false. `current` is the stored entity, or None if there is none."""

    def __init__(self, sentence: str, current: object = None) -> None:
        super().__init__(sentence)
        self.current = current


class AlreadyExists(ConditionFailed):
    """An item is already stored under this key."""


class DoesNotExist(ConditionFailed):
    """No item is stored under this key."""


class VersionConflict(ConditionFailed):
    """The item was changed since it was read."""


class UniqueViolation(ConditionFailed):
    """Another item holds the value. `fields` names the constraint, `holder` is the primary key of the other item."""

    def __init__(self, sentence: str, fields: tuple[str, ...], holder: tuple[str, ...] | None) -> None:
        super().__init__(sentence)
        self.fields = fields
        self.holder = holder


class LeaseLost(ConditionFailed):
    """The lease is no longer held by this claim."""


class TransactionFailed(TablatureError):
    """A transaction failed. `errors` has one entry per write, None for those without an error."""

    def __init__(self, errors: Sequence[TablatureError | None]) -> None:
        causes = "; ".join(f"action {at + 1}: {error}" for at, error in enumerate(errors) if error)
        super().__init__(f"Nothing was written. {causes}")
        self.errors = list(errors)


class BudgetExceeded(TablatureError, AssertionError):
    """The calls made inside `budget` cost more than it allows."""


class RecordingMismatch(TablatureError):
    """A replayed call differs from the recorded one, or comes after the last."""


class ServiceError(TablatureError):
    """The service refused a request."""

    def __init__(self, code: str, message: str, fields: Mapping[str, Any] | None = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.fields = dict(fields or {})


class ConditionRefused(ServiceError):
    """The condition of a single write was false."""

    @property
    def item(self) -> WireItem | None:
        """The stored item in wire form, when the request asked for it and there is one."""
        return self.fields.get("Item") or None


class TransactionRefused(ServiceError):
    """A transaction was cancelled."""

    @property
    def reasons(self) -> list[dict[str, Any]]:
        """One entry per action: its code, and the stored item when it was asked for."""
        return self.fields.get("CancellationReasons") or []


class TableMissing(ServiceError):
    """The table or index doesn't exist."""


class Retryable(ServiceError):
    """The same call may succeed later."""


class Throttled(Retryable):
    """The service asks to slow down."""


class Unavailable(Retryable):
    """No response, a broken connection, or an error of the service."""


class Contention(Retryable):
    """Other writers changed the item during every attempt."""

    def __init__(self, subject: str, attempts: int) -> None:
        super().__init__("Contention", f"{subject} changed under each of {attempts} attempts; try again in a moment")


_BY_CODE: dict[str, type[ServiceError]] = {
    "ConditionalCheckFailedException": ConditionRefused,
    "TransactionCanceledException": TransactionRefused,
    "ResourceNotFoundException": TableMissing,
    "ProvisionedThroughputExceededException": Throttled,
    "ThrottlingException": Throttled,
    "RequestLimitExceeded": Throttled,
    "TransactionInProgressException": Unavailable,
    "TransactionConflictException": Unavailable,
    "InternalServerError": Unavailable,
    "ServiceUnavailable": Unavailable,
}


def service_error(code: str, message: str, fields: Mapping[str, Any] | None = None) -> ServiceError:
    """The typed error for an error code of the service."""
    return _BY_CODE.get(code, ServiceError)(code, message, fields)
