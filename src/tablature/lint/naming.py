"""Checks of names: one word for one thing, in keys, attributes and tables."""

import re
from collections.abc import Iterator

from tablature.design.module import Design
from tablature.design.wording import words
from tablature.schema.model import Table

from .checks import Spot, check
from .parts import subject

_NAME = re.compile(r"[A-Za-z0-9_.-]{3,255}")


@check(
    "TAB801",
    "Key prefixes mix upper and lower case",
    "warning",
    why="`USER#` and `User#` are different partitions. A mixture makes the next author guess, and a wrong guess "
    "finds nothing.",
    fix="Write all prefixes of a table in one case.",
)
def mixed_case(design: Design) -> Iterator[Spot]:
    for table in design.tables:
        found = {
            subject(entity, path): path.partition.template.prefix
            for entity in table.entities.values()
            for path in (entity.primary, *entity.indexes, *entity.fanouts)
            if path.partition.template.prefix
        }
        upper = [prefix for prefix in found.values() if prefix.upper() == prefix]
        for name, prefix in found.items():
            if upper and prefix.upper() != prefix:
                yield Spot(name, f"{prefix!r} is not written as {upper[0]!r} is.", prefix.upper())


def _attributes(table: Table) -> Iterator[tuple[str, str, str]]:
    """The attribute, its wire type and the field it belongs to, for every field of a table."""
    for entity in table.entities.values():
        for field in entity.fields.values():
            yield field.attribute, field.kind.wire, subject(entity, field.name)


@check(
    "TAB802",
    "One attribute is spelled in two ways",
    "warning",
    why="`userId` in one item and `user_id` in another are two attributes. Whoever writes one and reads the other "
    "finds nothing, and no error says so.",
    fix="Use one spelling, with `attr(name=...)` where a stored form must be kept.",
)
def two_names(design: Design) -> Iterator[Spot]:
    for table in design.tables:
        first: dict[str, tuple[str, str]] = {}
        for attribute, _, name in _attributes(table):
            known, where = first.setdefault("".join(words(attribute)), (attribute, name))
            if known != attribute:
                yield Spot(name, f"{attribute!r} here is {known!r} in {where}.", f'attr(name="{known}")')


@check(
    "TAB803",
    "One attribute has two types",
    "warning",
    why="The same name holds text in one kind of item and a number in another. An index, a filter or an export over "
    "both sees half of them.",
    fix="Use one type for one name, or two names.",
)
def two_types(design: Design) -> Iterator[Spot]:
    for table in design.tables:
        first: dict[str, tuple[str, str]] = {}
        for attribute, wire, name in _attributes(table):
            known, where = first.setdefault(attribute, (wire, name))
            if "*" not in (known, wire) and known != wire:
                yield Spot(name, f"{attribute!r} is stored as {wire} here and as {known} in {where}.")


@check(
    "TAB804",
    "The service refuses this name",
    "error",
    why="Names of tables and indexes have 3 to 255 characters: letters, digits, underscore, hyphen and dot.",
    fix="Choose another name; the physical name of a table can also be given when the database is opened.",
)
def refused_name(design: Design) -> Iterator[Spot]:
    for table in design.tables:
        names = {table.name: table.name} | {f"{table.name}.{index.name}": index.name for index in table.indexes}
        for where, name in names.items():
            if not _NAME.fullmatch(name):
                yield Spot(where, f"{name!r} can't be the name of a table or index.")


CHECKS = (mixed_case, two_names, two_types, refused_name)
