"""Checks of consistency across items: uniqueness, copies and counts kept by hand, and work queues."""

import re
from collections.abc import Iterator
from datetime import timedelta

from tablature.design.model import Design
from tablature.design.samples import split_words
from tablature.lint.checks import LintIssue, entity_pairs, issue_at, lint_check
from tablature.schema.model import EntitySchema

_COUNTER = re.compile(r"(^|_)(count|total|sum|num|number_of)(_|$)|[a-z](Count|Total)$")
_SELF_COUNTS = frozenset({"word", "words", "char", "chars", "page", "pages", "byte", "bytes", "attempt", "attempts"})
_MIN_COPIED = 2
_SHORTEST_LEASE, _LONGEST_LEASE = timedelta(seconds=5), timedelta(hours=12)


@lint_check(
    "TAB501",
    "Uniqueness is kept by hand",
    "warning",
    why="An entity that only points from a value to another item is a unique constraint in disguise. Written by "
    "itself, it can be left behind, be missing, or point to an item that has changed its value.",
    fix="Declare `unique(...)` on the entity that has the value; its sentinel is written in the same transaction.",
)
def pointer_entity(design: Design) -> Iterator[LintIssue]:
    for pointer, target in entity_pairs(design.entities):
        if len(pointer.primary.sources) != 1:
            continue
        (value,) = pointer.primary.sources
        own = {field.name for field in pointer.fields.values() if field.role == "plain"}
        points = own == target.primary.sources | {value} and value in target.fields
        if points and value not in target.primary.sources:
            yield LintIssue(
                pointer.name, f"It only leads from {value!r} to a {target.name}.", f'by_{value} = unique("{value}")'
            )


@lint_check(
    "TAB502",
    "An entity repeats another's fields by hand",
    "warning",
    why="Both entities hold the same values under the same names, and nothing keeps them equal. After the first "
    "change of the original, the copy is out of date.",
    fix="Declare a `fanout(...)` on the original, which is diffed and written in the same transaction; or keep only "
    "the reference and get the original by key.",
)
def copied_by_hand(design: Design) -> Iterator[LintIssue]:
    for copy, original in entity_pairs(design.entities):
        shared = _shared_fields(copy, original)
        refers = original.primary.sources and original.primary.sources <= copy.fields.keys()
        apart = copy.primary.partition.template.source != original.primary.partition.template.source
        if refers and apart and len(shared) >= _MIN_COPIED:
            yield LintIssue(copy.name, f"It repeats {', '.join(map(repr, shared))} of {original.name}.")


def _shared_fields(copy: EntitySchema, original: EntitySchema) -> list[str]:
    """Plain fields outside both primary keys that both entities have with the same type."""
    keys = copy.primary.sources | original.primary.sources
    return [
        name
        for name, field in original.fields.items()
        if name not in keys
        and field.role == "plain"
        and name in copy.fields
        and copy.fields[name].role == "plain"
        and copy.fields[name].kind.name == field.kind.name
    ]


@lint_check(
    "TAB503",
    "A count of other items may drift",
    "advice",
    why="A number that counts or sums its neighbours must change in the same transaction as they do, and once per "
    "event. Otherwise a retry, a crash or an undo leaves it wrong, and nobody can tell since when.",
    fix="Change it with `transact(...)` together with the items, with `once=` for events that may come twice; or "
    "derive it from the items.",
)
def drifting_count(design: Design) -> Iterator[LintIssue]:
    for entity, field in design.fields():
        counts = field.kind.shape in ("integer", "number") and _COUNTER.search(field.name)
        inside = _SELF_COUNTS & set(split_words(field.name))
        if counts and not inside and field.role == "plain" and _is_partition_header(entity):
            yield issue_at(entity, field.name, f"{field.name!r} seems to count items of the same partition.")


def _is_partition_header(entity: EntitySchema) -> bool:
    """Whether the entity is the single item of its kind in a partition shared with other entities."""
    sort, home = entity.primary.sort, entity.primary.partition.template.source
    others = [e for e in entity.table.entities.values() if e is not entity]
    alone = sort is None or sort.template.is_constant
    return alone and any(other.primary.partition.template.source == home for other in others)


@lint_check(
    "TAB504",
    "A unique constraint repeats the primary key",
    "warning",
    why="The primary key is unique already. The constraint adds a sentinel item and a transaction to every write "
    "and forbids nothing.",
    fix="Remove the constraint; `create` refuses a key that exists.",
)
def redundant_unique(design: Design) -> Iterator[LintIssue]:
    for entity, unique in design.uniques():
        if unique.window is None and entity.primary.sources and entity.primary.sources <= set(unique.fields):
            yield issue_at(entity, unique.name, f"{unique.name} holds whenever the primary key does.")


@lint_check(
    "TAB505",
    "Work that always fails is retried forever",
    "warning",
    why="An item that makes its worker fail comes back after every lease, takes the place of work that could "
    "succeed, and is never shown to a person.",
    fix="Give the queue `most_attempts=` and a `failed` state.",
)
def endless_attempts(design: Design) -> Iterator[LintIssue]:
    for entity, queue in design.queues():
        if queue.most_attempts is None:
            yield issue_at(entity, queue.name, f"{queue.name} never gives up.", "most_attempts=5")


@lint_check(
    "TAB506",
    "A queue names a state that its field can't have",
    "error",
    why="Work in that state is never written, so it is never found: the queue looks empty while work waits.",
    fix="Name states that the field has.",
)
def unknown_state(design: Design) -> Iterator[LintIssue]:
    for entity, queue in design.queues():
        choices = entity.fields[queue.field].kind.choices
        for state in (queue.ready, queue.running, queue.done, queue.failed):
            if state is not None and choices and state not in choices:
                allowed = ", ".join(map(repr, choices))
                yield issue_at(entity, queue.name, f"{queue.field!r} is never {state!r}; it has {allowed}.")


@lint_check(
    "TAB507",
    "A lease is too short or too long",
    "warning",
    why="A lease of a few seconds runs out under an honest worker that pauses, and the work is done twice. One of "
    "many hours keeps the work of a crashed worker from everybody else for as long.",
    fix="Choose a lease of a few times the usual duration and prolong it with `heartbeat`.",
)
def unreasonable_lease(design: Design) -> Iterator[LintIssue]:
    for entity, queue in design.queues():
        if not _SHORTEST_LEASE <= queue.lease <= _LONGEST_LEASE:
            yield issue_at(entity, queue.name, f"Its lease is {queue.lease}.", "lease=timedelta(minutes=5)")


CHECKS = (
    pointer_entity,
    copied_by_hand,
    drifting_count,
    redundant_unique,
    endless_attempts,
    unknown_state,
    unreasonable_lease,
)
