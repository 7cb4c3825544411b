"""Checks of retention: short-lived entities, unused expiry, and partitions that only grow."""

from collections.abc import Iterator

from tablature.design.model import Design
from tablature.design.samples import split_words
from tablature.lint.checks import TIMES, LintIssue, issue_at, kind_of_field, lint_check
from tablature.schema.model import EntitySchema

_SHORT_LIVED = frozenset(
    {"session", "token", "otp", "lock", "lease", "cache", "nonce", "event", "log", "notification", "attempt", "marker"}
)
_EXPIRY_NAMES = frozenset({"expires", "expiresat", "expireat", "expiry", "expiration", "ttl", "validuntil"})


@lint_check(
    "TAB601",
    "A short-lived entity never expires",
    "warning",
    why="Sessions, tokens, events and logs are worth keeping for a while only. Without an expiry they are stored, "
    "backed up and paid for until somebody writes a job to find them, which needs a scan.",
    fix="Give the table `ttl=` and the entity an `expires(days=...)` field.",
)
def missing_expiry(design: Design) -> Iterator[LintIssue]:
    for entity in design.entities:
        if entity.expires is None and _SHORT_LIVED & set(split_words(entity.name)):
            name = entity.table.ttl or "expires_at"
            yield LintIssue(entity.name, "Its items stay forever.", f"{name}: Attr[datetime] = expires(days=30)")


@lint_check(
    "TAB602",
    "Nothing uses the table's expiry",
    "advice",
    why="The table watches an attribute that no entity writes, so nothing ever expires, whatever its readers expect.",
    fix="Give an entity an `expires(...)` field, or remove `ttl=` from the table.",
)
def unused_expiry(design: Design) -> Iterator[LintIssue]:
    for table in design.tables:
        entities = table.entities.values()
        windows = any(unique.window for entity in entities for unique in entity.uniques)
        if table.ttl is not None and not windows and all(entity.expires is None for entity in entities):
            yield LintIssue(table.name, f"No entity has an expires(...) field stored as {table.ttl!r}.")


@lint_check(
    "TAB603",
    "Sentinels of a time window are never removed",
    "warning",
    why="A unique value for a time window leaves one small item behind for every write. Without an expiry on the "
    "table they are ignored when their time is over, but never removed.",
    fix="Give the table `ttl=`; the sentinels then expire with their window.",
)
def lasting_sentinels(design: Design) -> Iterator[LintIssue]:
    for entity, unique in design.uniques():
        if unique.window is not None and entity.table.ttl is None:
            yield issue_at(entity, unique.name, "Its sentinels stay forever.", 'Table(..., ttl="expires_at")')


@lint_check(
    "TAB604",
    "A field looks like an expiry but isn't one",
    "warning",
    why="The name promises that the item goes away at that time, but neither readers nor the service look at it. An "
    "expired session is still accepted.",
    fix="Declare the field with `expires(...)` and store it under the table's ttl attribute.",
)
def false_expiry(design: Design) -> Iterator[LintIssue]:
    for entity, field in design.fields():
        named = "".join(split_words(field.name)) in _EXPIRY_NAMES or field.attribute == entity.table.ttl
        if named and field.role != "expires":
            yield issue_at(
                entity,
                field.name,
                f"{field.name!r} does not make the item expire.",
                f'{field.name}: Attr[datetime] = expires(name="{entity.table.ttl or field.attribute}")',
            )


@lint_check(
    "TAB605",
    "A partition grows with time",
    "advice",
    why="Items ordered by time are added for as long as their partition lives. Reading all of it, or deleting it, "
    "takes longer every day.",
    fix="Let old items expire, or put the month or the year into the partition key.",
)
def endless_series(design: Design) -> Iterator[LintIssue]:
    for entity in design.entities:
        if is_series(entity) and entity.expires is None:
            yield issue_at(
                entity,
                entity.primary,
                "Items are added by time and never removed.",
                "expires(days=365)",
            )


def is_series(entity: EntitySchema) -> bool:
    """Whether the items of a partition are ordered by time and the partition isn't limited to a period."""
    path = entity.primary
    if path.sort is None:
        return False
    timed = any(kind_of_field(entity, path, name).shape in TIMES for name in path.sort.fields)
    bounded = any(kind_of_field(entity, path, name).shape in TIMES for name in path.partition.fields)
    return timed and not bounded


CHECKS = (missing_expiry, unused_expiry, lasting_sentinels, false_expiry, endless_series)
