"""Checks of access patterns: wasted reads, oversized pages, and missing documentation."""

from collections.abc import Iterator

from tablature.design.model import Design, paths_of
from tablature.explain import typical_size
from tablature.lint.checks import LintIssue, lint_check, reads_items_of, subject_name
from tablature.schema.model import EntitySchema, IndexPath, PathSchema, PatternSchema

_LARGEST_RESPONSE = 1024 * 1024


@lint_check(
    "TAB201",
    "A pattern needs a filter",
    "warning",
    why="A filter is applied after reading. The items it drops are paid for, and a page may read thousands of items "
    "to return ten.",
    fix="Put the field before the rest of the sort key, so that the query goes straight to its items; a field with "
    "several values per item belongs in a fan-out.",
)
def filtered_pattern(design: Design) -> Iterator[LintIssue]:
    for pattern in design.patterns:
        names = [name for name in pattern.filters if name not in _key_fields(pattern)]
        if names:
            yield LintIssue(
                pattern.name,
                f"Items are read before {', '.join(map(repr, names))} can drop them.",
                _without_filter(pattern, names),
            )


def _key_fields(pattern: PatternSchema) -> set[str]:
    return {name for part in pattern.path.parts for name in part.fields}


def _without_filter(pattern: PatternSchema, names: list[str]) -> str:
    """The keys that make the filter unnecessary."""
    entity, path = pattern.entity, pattern.path
    several = [name for name in names if entity.fields[name].kind.shape in ("list", "set")]
    if several:
        return f'fanout(each="{several[0]}", pk="{several[0].upper()}{entity.table.delimiter}{{each}}", ...)'
    return f'pk="{path.partition.template.source}", sk="{_composite(entity, path, names)}"'


def _composite(entity: EntitySchema, path: PathSchema, names: list[str]) -> str:
    """The sort key with the filter's fields before everything that varies."""
    delimiter = entity.table.delimiter
    fields = delimiter.join(f"{{{name}}}" for name in names)
    sort = path.sort.template if path.sort is not None else None
    prefix = sort.prefix if sort is not None else ""
    rest = sort.source[len(prefix) :] if sort is not None else ""
    return f"{prefix}{fields}{delimiter}{rest}" if rest else f"{prefix}{fields}"


@lint_check(
    "TAB202",
    "A pattern filters by what its key already says",
    "advice",
    why="The input narrows the key, and naming it as a filter as well suggests that it costs a read for every item "
    "it drops, which it does not.",
    fix="Leave the field out of `filters`.",
)
def filter_on_key(design: Design) -> Iterator[LintIssue]:
    for pattern in design.patterns:
        for name in pattern.filters:
            if name in _key_fields(pattern):
                yield LintIssue(pattern.name, f"{name!r} is part of the key.")


@lint_check(
    "TAB203",
    "A pattern always drops some of what it reads",
    "warning",
    why="A fixed condition drops the same items on every read, so they need not be where the pattern looks. Each "
    "page pays for them again.",
    fix="Give the pattern a sparse index that holds only the items it wants.",
)
def fixed_condition(design: Design) -> Iterator[LintIssue]:
    for pattern in design.patterns:
        if pattern.where is not None:
            names = sorted(pattern.where.attributes())
            yield LintIssue(
                pattern.name,
                f"Its condition on {', '.join(map(repr, names))} drops items after they are read.",
                f"index(..., when={{{', '.join(f'{name!r}: ...' for name in names)}}})",
            )


@lint_check(
    "TAB204",
    "A pattern does not say what it is for",
    "advice",
    why="The list of access patterns is the design. A pattern without a sentence can't be weighed against its cost "
    "or removed with confidence.",
    fix="Give it `doc=`: who needs it, and when.",
)
def undocumented_pattern(design: Design) -> Iterator[LintIssue]:
    for pattern in design.patterns:
        if not pattern.doc:
            yield LintIssue(pattern.name, "It has no doc.", 'doc="..."')


@lint_check(
    "TAB205",
    "A pattern reads items of another kind",
    "warning",
    why="Other items have keys inside the range that the query asks for. They are read, paid for and dropped, and a "
    "page takes more requests the more of them there are.",
    fix="Give each kind its own prefix in the sort key, so that the ranges are apart.",
)
def reads_other_entities(design: Design) -> Iterator[LintIssue]:
    for pattern in design.patterns:
        others = [
            subject_name(entity, path)
            for entity in pattern.entity.table.entities.values()
            for path in paths_of(entity)
            if not (entity is pattern.entity and path.name == pattern.path.name) and reads_items_of(pattern.path, path)
        ]
        if others:
            yield LintIssue(pattern.name, f"It also reads what {', '.join(others)} writes.")


@lint_check(
    "TAB206",
    "A page is larger than one response",
    "warning",
    why="The service returns at most 1 MB at a time, so such a page always takes several requests, one after "
    "another, before the first result is seen.",
    fix="Ask for shorter pages, or read thin copies of the items.",
)
def large_page(design: Design) -> Iterator[LintIssue]:
    for pattern in design.patterns:
        size = typical_size(pattern)
        if pattern.page * size > _LARGEST_RESPONSE:
            yield LintIssue(
                pattern.name,
                f"{pattern.page} items of about {size:,} bytes are more than 1 MB.",
                f"page={max(1, _LARGEST_RESPONSE // size)}",
            )


@lint_check(
    "TAB207",
    "A pattern can find only one item",
    "advice",
    why="The pattern's inputs are the whole primary key. Getting the item by its key says the same, costs the same "
    "or less, and can be consistent.",
    fix="Remove the pattern and get the item by its key.",
)
def single_item(design: Design) -> Iterator[LintIssue]:
    for pattern in design.patterns:
        path = pattern.path
        if path is pattern.entity.primary and (path.sort is None or set(path.sort.fields) <= set(pattern.needed)):
            yield LintIssue(
                pattern.name, "Its inputs are the whole key.", f"db.get({pattern.entity.name}.{path.name}(...))"
            )


@lint_check(
    "TAB208",
    "A page is shorter than the number of shards",
    "advice",
    why="A page asks every shard for its share and a little more, so a page with fewer items than there are shards "
    "reads several times what it returns.",
    fix="Ask for longer pages, or use fewer shards.",
)
def page_under_shards(design: Design) -> Iterator[LintIssue]:
    for pattern in design.patterns:
        if isinstance(pattern.path, IndexPath) and pattern.page < pattern.path.shards:
            shards = pattern.path.shards
            yield LintIssue(pattern.name, f"A page of {pattern.page} asks {shards} shards.", f"page={shards * 2}")


CHECKS = (
    filtered_pattern,
    filter_on_key,
    fixed_condition,
    undocumented_pattern,
    reads_other_entities,
    large_page,
    single_item,
    page_under_shards,
)
