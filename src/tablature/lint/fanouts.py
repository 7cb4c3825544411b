"""Checks of fan-outs: how many copies a write makes, what they repeat, and whether anybody reads them."""

from collections.abc import Iterator

from tablature.design.model import Design
from tablature.lint.checks import LintIssue, issue_at, lint_check
from tablature.operations.actions import MAX_ACTIONS
from tablature.schema.model import EntitySchema, FanoutPath

_HEAVY = frozenset({"list", "set", "map", "any"})


@lint_check(
    "TAB401",
    "A fan-out may need more than 100 actions",
    "warning",
    why="One transaction has at most 100 actions. A write that needs more is staged in several steps: still safe, "
    "but slower, more expensive, and in need of repair if it is interrupted. An update may need both the old copies "
    "and the new ones.",
    fix="Limit the field with `attr(longest=...)`, so that old and new copies together fit one transaction.",
)
def large_fanout(design: Design) -> Iterator[LintIssue]:
    for entity in design.entities:
        sizes = {fanout.each: _max_copies(entity, fanout) for fanout in entity.fanouts}
        total = 1 + 2 * len(entity.uniques) + 2 * sum(_max_copies(entity, f) or 0 for f in entity.fanouts)
        room = (MAX_ACTIONS - total) // 2
        for name, most in sizes.items():
            if most is None:
                cure = f"{name}: attr(longest={room})" if room > 0 else ""
                yield issue_at(entity, name, f"{name!r} may have any number of elements, each with a copy.", cure)
        if total > MAX_ACTIONS:
            largest = max(sizes, key=lambda name: sizes[name] or 0)
            left = (sizes[largest] or 0) + room
            cure = f"{largest}: attr(longest={left})" if left > 0 else ""
            yield LintIssue(entity.name, f"An update may need {total} actions, for old and new copies.", cure)


def _max_copies(entity: EntitySchema, fanout: FanoutPath) -> int | None:
    """The maximum number of copies of one item; None if there is no limit."""
    field = entity.fields[fanout.each]
    return field.options.longest if field.kind.shape in ("list", "set") else 1


@lint_check(
    "TAB402",
    "Copies change with every write",
    "warning",
    why="A copied field that every write sets makes every write rewrite all copies, although readers of the list "
    "rarely need it.",
    fix="Leave the field out of the copies and their keys; readers who need it get the item itself.",
)
def mutable_copies(design: Design) -> Iterator[LintIssue]:
    for entity, fanout in design.fanouts():
        for name in sorted(fanout.sources):
            if entity.fields[name].role in ("auto_now", "version"):
                yield issue_at(entity, fanout, f"{name!r} is copied and changes with every write.")


@lint_check(
    "TAB403",
    "Copies are not thin",
    "advice",
    why="Each copy is stored and written again for every element. Lists, documents and long texts in a copy are "
    "paid for as many times as there are elements.",
    fix="Copy what a list shows, a title and a date, and get the rest by key.",
)
def fat_copies(design: Design) -> Iterator[LintIssue]:
    for entity, fanout in design.fanouts():
        blobs = {blob.name for blob in entity.blobs}
        heavy = [n for n in fanout.fields if entity.fields[n].kind.shape in _HEAVY or n in blobs]
        if heavy:
            yield issue_at(entity, fanout, f"Each copy holds {', '.join(map(repr, heavy))}.")


@lint_check(
    "TAB404",
    "Nothing reads these copies",
    "warning",
    why="Copies without a pattern cost a write per element and are never seen.",
    fix="Declare the access pattern that the fan-out is for, or remove it.",
)
def unread_fanout(design: Design) -> Iterator[LintIssue]:
    read = {(p.entity.name, p.path.name) for p in design.patterns}
    for entity, fanout in design.fanouts():
        if (entity.name, fanout.name) not in read:
            yield issue_at(
                entity,
                fanout,
                f"No pattern reads {fanout.name}.",
                f'list_{fanout.name} = pattern({fanout.name}, doc="...")',
            )


@lint_check(
    "TAB405",
    "A copy does not lead to its item",
    "warning",
    why="A reader of the copy can't get the item it stands for, because neither the copy's keys nor its fields hold "
    "the whole key of the item.",
    fix="Add the fields of the primary key to the copy's fields or keys.",
)
def untraceable_copy(design: Design) -> Iterator[LintIssue]:
    for entity, fanout in design.fanouts():
        available = {*fanout.fields, *(name for part in fanout.parts for name in part.fields)}
        if entity.fields[fanout.each].kind.shape not in ("list", "set"):
            available.add(fanout.each)
        missing = sorted(entity.primary.sources - available)
        if missing:
            names = ", ".join(repr(name) for name in (*fanout.fields, *missing))
            yield issue_at(entity, fanout, f"It lacks {', '.join(map(repr, missing))}.", f"fields=({names},)")


CHECKS = (large_fanout, mutable_copies, fat_copies, unread_fanout, untraceable_copy)
