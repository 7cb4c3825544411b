"""What Query and Scan return of each item: the rules of Select and projections, on tables and on indexes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tablature.engine.clauses import Clauses
from tablature.engine.errors import invalid_parameter, malformed, validation
from tablature.engine.expressions.bound import Projection
from tablature.engine.storage import IndexLayout
from tablature.engine.values import Item

_CHOICES = {
    "ALL_ATTRIBUTES": "ALL_ATTRIBUTES",
    "ALL_PROJECTED_ATTRIBUTES": "ALL_PROJECTED_ATTRIBUTES",
    "COUNT": "only the Count",
}


def check_select(request: Mapping[str, Any]) -> None:
    """Refuse a Select that contradicts the projection or the lack of an index."""
    select = request.get("Select")
    if select is None:
        return
    projecting = next((name for name in ("AttributesToGet", "ProjectionExpression") if name in request), None)
    if select == "SPECIFIC_ATTRIBUTES" and projecting is None:
        raise malformed(
            "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"
        )
    if projecting is not None and select in _CHOICES:
        raise validation(f"Cannot specify the {projecting} when choosing to get {_CHOICES[select]}")
    if select == "ALL_PROJECTED_ATTRIBUTES" and "IndexName" not in request:
        # The service says so of scans too.
        raise validation("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName")


@dataclass(frozen=True, slots=True)
class Selection:
    """How each matching item is shown; `reaches_back` when an index must fetch what it doesn't carry."""

    index: IndexLayout | None
    projection: Projection | None
    counts_only: bool
    reaches_back: bool

    def seen(self, item: Item) -> Item:
        """The item as filters and projections see it."""
        return item if self.index is None or self.reaches_back else self.index.project(item)

    def shown(self, seen: Item) -> Item:
        """The item as the response has it."""
        return self.projection(seen) if self.projection is not None else seen


def select(request: Mapping[str, Any], clauses: Clauses, index: IndexLayout | None) -> Selection:
    """Work out what to show, refusing what a global index cannot."""
    wanted = request.get("Select")
    reaches_back = False
    if index is not None and not index.is_whole:
        lacking = sorted(_named(clauses.projection) - index.carried)
        is_everything = wanted == "ALL_ATTRIBUTES"
        if index.schema.is_global:
            _refuse_beyond_projection(index, lacking, is_everything=is_everything)
        else:
            reaches_back = is_everything or bool(lacking)
    return Selection(index, clauses.projection, wanted == "COUNT", reaches_back)


def refuse_unprojected_filter(clauses: Clauses, index: IndexLayout | None) -> None:
    """Refuse to filter a query of an index by what the index doesn't carry; a scan would just match nothing."""
    if clauses.filter is None or index is None or index.is_whole:
        return
    lacking = sorted(clauses.filter.used.names - index.carried)
    if lacking:
        raise invalid_parameter(
            f"Secondary index {index.schema.name} does not project one or more filter attributes: "
            f"[{', '.join(lacking)}]"
        )


def _refuse_beyond_projection(index: IndexLayout, lacking: list[str], *, is_everything: bool) -> None:
    name = index.schema.name
    if is_everything:
        raise invalid_parameter(
            f"Select type ALL_ATTRIBUTES is not supported for global secondary index {name} "
            "because its projection type is not ALL"
        )
    if lacking:
        raise invalid_parameter(f"Global secondary index {name} does not project [{', '.join(lacking)}]")


def _named(projection: Projection | None) -> frozenset[str]:
    return projection.used.names if projection is not None else frozenset()
