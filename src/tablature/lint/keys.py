"""Checks of key templates: whether keys are unambiguous, reversible, ordered and evenly spread."""

import re
from collections.abc import Iterator
from itertools import takewhile

from tablature.design.estimates import typical_copy_size
from tablature.design.model import Design, paths_of
from tablature.lint.checks import (
    FEW_VALUED,
    TIMES,
    LintIssue,
    distinguishing_field,
    field_shapes,
    issue_at,
    kind_of_field,
    lint_check,
    shard_count,
    subject_name,
)
from tablature.schema.model import EntitySchema, FanoutPath, IndexPath, PathSchema
from tablature.schema.templates import KeyPart, TemplateSlot
from tablature.schema.timestamps import strftime_is_ordered

_LONGEST_PARTITION, _LONGEST_SORT = 2048, 1024
_RESERVED_PREFIXES = frozenset({"UNIQUE", "ONCE", "STAGING", "REWRITE"})


@lint_check(
    "TAB001",
    "A field is unescaped in a key",
    "warning",
    why="A raw field may contain the delimiter. The key still stores, but its parts can no longer be told apart, a "
    "query by prefix may return other items, and somebody who controls the value controls the shape of the key.",
    fix="Drop `:raw`, so that delimiters are escaped; or give the field a pattern or choices without the delimiter. "
    "Accept it where an existing format must be kept and its values are known.",
)
def raw_field(design: Design) -> Iterator[LintIssue]:
    for entity in design.entities:
        places_by_field: dict[str, list[str]] = {}
        for path in paths_of(entity):
            for slot in (slot for part in path.parts if not part.is_native for slot in part.template.slots):
                if slot.spec == "raw" and _may_contain_delimiter(entity, path, slot):
                    name = path.each if slot.field == "each" and isinstance(path, FanoutPath) else slot.field
                    places_by_field.setdefault(name, []).append(path.name)
        for name, paths in places_by_field.items():
            places = ", ".join(dict.fromkeys(paths))
            sentence = f"{name!r} may contain {entity.table.delimiter!r} and is unescaped in {places}."
            yield issue_at(entity, name, sentence, f"{{{name}}} without :raw")


def _may_contain_delimiter(entity: EntitySchema, path: PathSchema, slot: TemplateSlot) -> bool:
    delimiter = entity.table.delimiter
    if slot.choices:
        return any(delimiter in choice for choice in slot.choices)
    if kind_of_field(entity, path, slot.field).shape != "text":
        return False
    pattern = entity.fields[slot.field].options.pattern if slot.field in entity.fields else None
    return pattern is None or delimiter in pattern or bool(re.search(r"(?<!\\)\.|\[\^|\\[SWD]", pattern))


@lint_check(
    "TAB002",
    "A primary key loses part of a field",
    "warning",
    why="The key holds only part of the value, a month of a date for instance. Two items that differ in the rest get "
    "the same key, and the second silently replaces the first.",
    fix="Put the whole value into the key, or another field that tells the items apart. Accept it where one item per "
    "shortened value is exactly what is meant.",
)
def lossy_primary(design: Design) -> Iterator[LintIssue]:
    for entity in design.entities:
        slots = [slot for part in entity.primary.parts for slot in part.template.slots]
        for name in dict.fromkeys(slot.field for slot in slots):
            field_slots = [slot for slot in slots if slot.field == name]
            if not any(slot.format.parse for slot in field_slots) and not _contains_date(field_slots):
                spec = "%Y-%m-%d" if entity.fields[name].kind.shape == "day" else "iso"
                yield issue_at(
                    entity,
                    entity.primary,
                    f"{name!r} can't be read back from {', '.join(f'{{{s.field}:{s.spec}}}' for s in field_slots)}.",
                    f"{{{name}:{spec}}}",
                )


def _contains_date(slots: list[TemplateSlot]) -> bool:
    """Whether several parts of a date together contain the whole date."""
    directives = set(re.findall(r"%(\w)", "".join(slot.spec for slot in slots)))
    return {"Y", "m", "d"} <= directives and slots[0].kind_name == "date"


@lint_check(
    "TAB003",
    "A date in a sort key does not sort by time",
    "warning",
    why="Sort keys are compared as text. A form that does not run from the year down, or whose fractions of a second "
    "come and go, puts items in an order that looks right in a test and is wrong in production.",
    fix="Write dates as `{field:iso}` with a fixed precision, or with a format from the year down without a gap.",
)
def unsorted_time(design: Design) -> Iterator[LintIssue]:
    for entity, path in design.paths():
        for part in _text_sorts(path):
            for name in part.fields:
                kind = kind_of_field(entity, path, name)
                if kind.shape in TIMES and not _sorts_by_time(path, part, name):
                    cure = f'{name}: attr(precision="seconds")' if kind.shape == "moment" else f"{{{name}:%Y-%m-%d}}"
                    yield issue_at(entity, path, f"{name!r} in {part.template.source!r} is not in order.", cure)


def _text_sorts(path: PathSchema) -> list[KeyPart]:
    return [path.sort] if path.sort is not None and path.sort.wire == "S" else []


def _sorts_by_time(path: PathSchema, part: KeyPart, name: str) -> bool:
    """Whether the parts of a date are in time order. The partition key may contain the coarse ones."""
    own = [slot for slot in part.template.slots if slot.field == name]
    if all(slot.format.is_ordered for slot in own):
        return True
    leading = list(takewhile(lambda slot: "%" in slot.spec, own))
    if len(leading) < len(own) and not own[len(leading)].format.is_ordered:
        return False
    specs = "".join(slot.spec for slot in leading)
    fixed = "".join(slot.spec for slot in path.partition.template.slots if slot.field == name)
    return strftime_is_ordered(specs) or strftime_is_ordered(fixed + specs)


@lint_check(
    "TAB004",
    "A number in a sort key does not sort by value",
    "warning",
    why="As text, 10 comes before 9. Lists by number, ranges and `first` all give wrong results as soon as a number "
    "gets one more digit.",
    fix="Pad whole numbers to a fixed width, or store the field itself as a sort key of type N.",
)
def unsorted_number(design: Design) -> Iterator[LintIssue]:
    for entity, path in design.paths():
        for part in _text_sorts(path):
            for slot in part.template.slots:
                if (
                    kind_of_field(entity, path, slot.field).shape in ("integer", "number")
                    and not slot.format.is_ordered
                ):
                    yield issue_at(
                        entity,
                        path,
                        f"{slot.field!r} in {part.template.source!r} has no fixed width.",
                        f"{{{slot.field}:010d}}",
                    )


def _hot_partition_fix(design: Design, entity: EntitySchema, path: PathSchema) -> str:
    """The fix for a hot partition."""
    if isinstance(path, IndexPath):
        count = shard_count(design.peak_writes, typical_copy_size(entity, path))
        return f'shards={count}, by="{distinguishing_field(entity, path)}", include_unsharded=True'
    if isinstance(path, FanoutPath):
        return f"{path.partition.template.source}{entity.table.delimiter}{{each}}"
    return f"{path.partition.template.source}{entity.table.delimiter}{{{distinguishing_field(entity, path)}}}"


def _is_spread(path: PathSchema) -> bool:
    return isinstance(path, IndexPath) and path.shards > 1


@lint_check(
    "TAB005",
    "All items share one partition",
    "warning",
    why="A partition takes about 1,000 write units and 3,000 read units per second, whatever the table as a whole "
    "could do. A constant partition key puts every item of the entity behind that one limit.",
    fix="Spread an index over shards; reading then merges them in order. `include_unsharded=True` keeps items "
    "readable that were written before. A primary key needs a field in its partition key.",
)
def constant_partition(design: Design) -> Iterator[LintIssue]:
    for entity, path in design.paths():
        singleton = path is entity.primary and (path.sort is None or path.sort.template.is_constant)
        if path.partition.template.is_constant and not singleton and not _is_spread(path):
            yield issue_at(
                entity,
                path,
                f"Every {entity.name} is in the partition {path.partition.template.source!r}.",
                _hot_partition_fix(design, entity, path),
            )


@lint_check(
    "TAB006",
    "A partition key has only a few values",
    "warning",
    why="With a status or a flag as partition key, the items gather in as many partitions as there are values, and "
    "most of them in one. It works until the busiest value reaches the limit of one partition.",
    fix="Spread the index over shards, or add a field of many values to the partition key.",
)
def few_valued_partition(design: Design) -> Iterator[LintIssue]:
    for entity, path in design.paths():
        shapes = field_shapes(entity, path, path.partition.template)
        if shapes and shapes <= FEW_VALUED and not _is_spread(path):
            yield issue_at(
                entity,
                path,
                f"{path.partition.template.source!r} has few values, so its partitions grow hot.",
                _hot_partition_fix(design, entity, path),
            )


@lint_check(
    "TAB007",
    "Today's items share one partition",
    "warning",
    why="A partition key made of dates alone sends every write of the present period to the same partition, while "
    "all the others rest.",
    fix="Add a field of many values to the partition key, or spread the index over shards.",
)
def dated_partition(design: Design) -> Iterator[LintIssue]:
    for entity, path in design.paths():
        shapes = field_shapes(entity, path, path.partition.template)
        if shapes & TIMES and shapes <= TIMES | FEW_VALUED and not _is_spread(path):
            yield issue_at(
                entity,
                path,
                f"All writes of one period go to the same {path.partition.template.source!r}.",
                _hot_partition_fix(design, entity, path),
            )


@lint_check(
    "TAB008",
    "A primary key is made from a field that changes",
    "error",
    why="An item can't change its primary key. A field that every write sets, or that a queue moves from state to "
    "state, would need a new item and the removal of the old one at each change.",
    fix="Leave the field out of the primary key and reach the items by an index on it.",
)
def changing_primary(design: Design) -> Iterator[LintIssue]:
    for entity in design.entities:
        states = {queue.field for queue in entity.queues}
        for name in sorted(entity.primary.sources):
            if entity.fields[name].role in ("auto_now", "version", "expires") or name in states:
                yield issue_at(entity, entity.primary, f"{name!r} changes, and the primary key is made from it.")


@lint_check(
    "TAB009",
    "One prefix, two spellings",
    "warning",
    why="Where two entities write the same prefix and then the same kind of identity in two forms, items that "
    "belong together land in different partitions, and a collection finds only half of them.",
    fix="Use the same format after the same prefix, or give one of the two a prefix of its own.",
)
def two_spellings(design: Design) -> Iterator[LintIssue]:
    first: dict[tuple[int, str | None, str], tuple[str, TemplateSlot, str]] = {}
    for entity, path in design.paths():
        slots, prefix = path.partition.template.slots, path.partition.template.prefix
        if isinstance(path, FanoutPath) or not slots or not prefix:
            continue
        slot, spelling = slots[0], _spelling(entity, path, slots[0])
        place = (id(entity.table), path.index, prefix)
        where, other, first_spelling = first.setdefault(place, (subject_name(entity, path), slot, spelling))
        if first_spelling != spelling:
            yield issue_at(
                entity,
                path,
                f"{prefix!r} is followed by {{{slot.field}}} here and by {{{other.field}}} in {where}, "
                "which are written differently.",
            )


def _spelling(entity: EntitySchema, path: PathSchema, slot: TemplateSlot) -> str:
    """The format of a slot. All texts have the same, escaped or not."""
    shape = kind_of_field(entity, path, slot.field).shape
    return "text" if shape in ("text", "choice") else f"{shape} {slot.spec}"


@lint_check(
    "TAB010",
    "A key may be too long",
    "error",
    why="A partition key has at most 2,048 bytes and a sort key 1,024. An item with a longer key is refused when it "
    "is written, which is late to find out.",
    fix="Shorten the limits of the fields in the key, or put a short identity there instead of a text.",
)
def long_key(design: Design) -> Iterator[LintIssue]:
    for entity, path in design.paths():
        for part in path.parts:
            allowed = _LONGEST_PARTITION if part is path.partition else _LONGEST_SORT
            length = _longest(entity, part)
            if length > allowed:
                yield issue_at(
                    entity,
                    path,
                    f"{part.attribute} may have {length:,} bytes, and {allowed:,} are allowed.",
                )


def _longest(entity: EntitySchema, part: KeyPart) -> int:
    """Bytes of the longest key, from the declared limits. One character counts as one byte."""
    fixed = sum(len(p.text) for p in part.template.parts if not isinstance(p, TemplateSlot))
    limits = [entity.fields[s.field].options.longest or 0 for s in part.template.slots if s.field in entity.fields]
    return fixed + sum(limits)


@lint_check(
    "TAB011",
    "A key has no prefix that names its kind",
    "advice",
    why="In a table of several entities the prefix is what tells a person, a stream consumer or a policy which kind "
    "of item a key belongs to. A key that begins with a bare value also leaves no room for a second kind.",
    fix="Begin the partition or the sort key with the name of the entity, as in `USER#{user_id}`.",
)
def no_prefix(design: Design) -> Iterator[LintIssue]:
    for entity in design.entities:
        bare = all(not part.template.prefix for part in entity.primary.parts)
        if bare and len(entity.table.entities) > 1:
            prefix = f"{entity.name.upper()}{entity.table.delimiter}"
            yield issue_at(
                entity,
                entity.primary,
                "Neither part of the primary key begins with a fixed text.",
                f"{prefix}{entity.primary.partition.template.source}",
            )


@lint_check(
    "TAB012",
    "A key has a reserved prefix",
    "error",
    why="tablature keeps small items of its own in the table: sentinels of unique values, markers of applied events, "
    "notes of unfinished work. An entity with the same prefix can overwrite them, or be taken for one of them.",
    fix="Choose another prefix than `UNIQUE`, `ONCE`, `STAGING` and `REWRITE`.",
)
def reserved_prefix(design: Design) -> Iterator[LintIssue]:
    for entity in design.entities:
        for path in (entity.primary, *entity.fanouts):
            word = path.partition.template.prefix.split(entity.table.delimiter)[0]
            if word in _RESERVED_PREFIXES:
                yield issue_at(entity, path, f"{word!r} is the prefix of internal items.")


CHECKS = (
    raw_field,
    lossy_primary,
    unsorted_time,
    unsorted_number,
    constant_partition,
    few_valued_partition,
    dated_partition,
    changing_primary,
    two_spellings,
    long_key,
    no_prefix,
    reserved_prefix,
)
