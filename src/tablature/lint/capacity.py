"""Checks of capacity: expensive writes, expensive pages, and hot items."""

from collections.abc import Iterator

from tablature.design.estimates import full_write_units, pattern_rcu
from tablature.design.model import Design
from tablature.lint.checks import LintIssue, issue_at, lint_check

from .retention import is_series

_EXPENSIVE_WRITE, _EXPENSIVE_PAGE = 12, 25


@lint_check(
    "TAB701",
    "One write costs many units",
    "advice",
    why="Every index and every copy repeats the write, and a transaction counts it twice. Past a dozen units, one "
    "save by one person takes a noticeable part of what a partition can do in a second.",
    fix="Project fewer attributes, drop an index, thin the copies, or let rare readers use a filter instead.",
)
def expensive_write(design: Design) -> Iterator[LintIssue]:
    for entity in design.entities:
        units = full_write_units(entity)
        if units > _EXPENSIVE_WRITE:
            yield LintIssue(entity.name, f"Creating one takes about {units:g} WCU.")


@lint_check(
    "TAB702",
    "One page costs many units",
    "advice",
    why="A page that reads a lot is slow for its reader and can starve others of the same partition, which gives "
    "3,000 read units per second.",
    fix="Ask for shorter pages, or read thin copies instead of whole items.",
)
def expensive_page(design: Design) -> Iterator[LintIssue]:
    for pattern in design.patterns:
        units = pattern_rcu(pattern)
        if units > _EXPENSIVE_PAGE:
            page = max(1, int(pattern.page * _EXPENSIVE_PAGE / units))
            yield LintIssue(pattern.name, f"A page of {pattern.page} takes about {units:g} RCU.", f"page={page}")


@lint_check(
    "TAB703",
    "Everybody writes the same item",
    "warning",
    why="One item takes about 1,000 writes per second and each waits for the one before it. A counter under a "
    "constant key is the first thing to give way under load.",
    fix="Keep one counter per shard or per day and add them up when reading.",
)
def hot_item(design: Design) -> Iterator[LintIssue]:
    for entity in design.entities:
        constant = all(part.template.is_constant for part in entity.primary.parts)
        numbers = [f.name for f in entity.fields.values() if f.kind.shape == "integer" and f.role == "plain"]
        if constant and numbers:
            source = entity.primary.partition.template.source
            yield issue_at(
                entity,
                numbers[0],
                f"There is one {entity.name}, and {numbers[0]!r} counts in it.",
                f'primary("{source}{entity.table.delimiter}{{shard}}", ...)',
            )


@lint_check(
    "TAB704",
    "A collection reads a partition that only grows",
    "advice",
    why="A collection reads everything in its partition at once. A member that is added by time makes that read "
    "longer and more expensive every day.",
    fix="Leave the growing member out of the collection and read it with a pattern, page by page.",
)
def growing_collection(design: Design) -> Iterator[LintIssue]:
    for collection in design.collections:
        for member in collection.members:
            if member.arity == "many" and is_series(member.entity) and member.entity.expires is None:
                yield LintIssue(f"{collection.name}.{member.name}", f"{member.entity.name} items are added by time.")


CHECKS = (expensive_write, expensive_page, hot_item, growing_collection)
