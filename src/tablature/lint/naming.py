"""Checks of names: one spelling per name, in keys, attributes and tables."""

import re
from collections.abc import Iterator

from tablature.design.model import Design
from tablature.design.samples import split_words
from tablature.lint.checks import LintIssue, lint_check, subject_name
from tablature.schema.model import Table

_NAME = re.compile(r"[A-Za-z0-9_.-]{3,255}")


@lint_check(
    "TAB801",
    "Key prefixes mix upper and lower case",
    "warning",
    why="`USER#` and `User#` are different partitions. A mixture makes the next author guess, and a wrong guess "
    "finds nothing.",
    fix="Write all prefixes of a table in one case.",
)
def mixed_case(design: Design) -> Iterator[LintIssue]:
    for table in design.tables:
        prefixes = {
            subject_name(entity, path): path.partition.template.prefix
            for entity in table.entities.values()
            for path in (entity.primary, *entity.indexes, *entity.fanouts)
            if path.partition.template.prefix
        }
        upper = [prefix for prefix in prefixes.values() if prefix.upper() == prefix]
        for name, prefix in prefixes.items():
            if upper and prefix.upper() != prefix:
                yield LintIssue(name, f"{prefix!r} is not written as {upper[0]!r} is.", prefix.upper())


def _attributes(table: Table) -> Iterator[tuple[str, str, str]]:
    """The attribute, its wire type and the field it belongs to, for every field of a table."""
    for entity in table.entities.values():
        for field in entity.fields.values():
            yield field.attribute, field.kind.wire, subject_name(entity, field.name)


@lint_check(
    "TAB802",
    "One attribute is spelled in two ways",
    "warning",
    why="`userId` in one item and `user_id` in another are two attributes. Whoever writes one and reads the other "
    "finds nothing, and no error says so.",
    fix="Use one spelling, with `attr(name=...)` where a stored form must be kept.",
)
def two_names(design: Design) -> Iterator[LintIssue]:
    for table in design.tables:
        first: dict[str, tuple[str, str]] = {}
        for attribute, _, name in _attributes(table):
            first_name, where = first.setdefault("".join(split_words(attribute)), (attribute, name))
            if first_name != attribute:
                yield LintIssue(name, f"{attribute!r} here is {first_name!r} in {where}.", f'attr(name="{first_name}")')


@lint_check(
    "TAB803",
    "One attribute has two types",
    "warning",
    why="The same name holds text in one kind of item and a number in another. An index, a filter or an export over "
    "both sees half of them.",
    fix="Use one type for one name, or two names.",
)
def two_types(design: Design) -> Iterator[LintIssue]:
    for table in design.tables:
        first: dict[str, tuple[str, str]] = {}
        for attribute, wire, name in _attributes(table):
            first_type, where = first.setdefault(attribute, (wire, name))
            if "*" not in (first_type, wire) and first_type != wire:
                yield LintIssue(name, f"{attribute!r} is stored as {wire} here and as {first_type} in {where}.")


@lint_check(
    "TAB804",
    "The service refuses this name",
    "error",
    why="Names of tables and indexes have 3 to 255 characters: letters, digits, underscore, hyphen and dot.",
    fix="Choose another name; the physical name of a table can also be given when the database is opened.",
)
def invalid_table_name(design: Design) -> Iterator[LintIssue]:
    for table in design.tables:
        names = {table.name: table.name} | {f"{table.name}.{index.name}": index.name for index in table.indexes}
        for where, name in names.items():
            if not _NAME.fullmatch(name):
                yield LintIssue(where, f"{name!r} can't be the name of a table or index.")


CHECKS = (mixed_case, two_names, two_types, invalid_table_name)
