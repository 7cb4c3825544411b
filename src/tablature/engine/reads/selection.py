"""Which index a Query or Scan reads and what it returns of each item: IndexName, Select and projections."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tablature.engine.encoding.values import Item
from tablature.engine.errors import invalid_parameter, malformed_request, validation_error
from tablature.engine.expressions.bound_expressions import BoundProjection
from tablature.engine.storage import IndexLayout, StoredTable
from tablature.engine.validation.request_expressions import RequestExpressions

_CHOICES = {
    "ALL_ATTRIBUTES": "ALL_ATTRIBUTES",
    "ALL_PROJECTED_ATTRIBUTES": "ALL_PROJECTED_ATTRIBUTES",
    "COUNT": "only the Count",
}


def check_select(request: Mapping[str, Any]) -> None:
    """Reject a Select that contradicts the projection or the lack of an index."""
    select = request.get("Select")
    if select is None:
        return
    projecting = next((name for name in ("AttributesToGet", "ProjectionExpression") if name in request), None)
    if select == "SPECIFIC_ATTRIBUTES" and projecting is None:
        raise malformed_request(
            "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES"
        )
    if projecting is not None and select in _CHOICES:
        raise validation_error(f"Cannot specify the {projecting} when choosing to get {_CHOICES[select]}")
    if select == "ALL_PROJECTED_ATTRIBUTES" and "IndexName" not in request:
        # The service says Querying even for a scan.
        raise validation_error("ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName")


@dataclass(frozen=True, slots=True)
class ItemSelection:
    """What is returned of each matching item. `reaches_back` if a local index must read attributes from the table."""

    index: IndexLayout | None
    projection: BoundProjection | None
    counts_only: bool
    reaches_back: bool

    def visible(self, item: Item) -> Item:
        """The attributes that filters and projections see."""
        return item if self.index is None or self.reaches_back else self.index.project(item)

    def project(self, visible: Item) -> Item:
        """The attributes in the response."""
        return self.projection(visible) if self.projection is not None else visible


def select(request: Mapping[str, Any], expressions: RequestExpressions, index: IndexLayout | None) -> ItemSelection:
    """The selection of a request. Rejects attributes that a global index doesn't project."""
    wanted = request.get("Select")
    reaches_back = False
    if index is not None and not index.is_whole:
        lacking = sorted(_named_attributes(expressions.projection) - index.carried)
        is_everything = wanted == "ALL_ATTRIBUTES"
        if index.schema.is_global:
            _reject_beyond_projection(index, lacking, is_everything=is_everything)
        else:
            reaches_back = is_everything or bool(lacking)
    return ItemSelection(index, expressions.projection, wanted == "COUNT", reaches_back)


def reject_unprojected_filter(expressions: RequestExpressions, index: IndexLayout | None) -> None:
    """Reject a query filter on attributes that the index doesn't project. A scan would just match nothing."""
    if expressions.filter is None or index is None or index.is_whole:
        return
    lacking = sorted(expressions.filter.used.names - index.carried)
    if lacking:
        raise invalid_parameter(
            f"Secondary index {index.schema.name} does not project one or more filter attributes: "
            f"[{', '.join(lacking)}]"
        )


def _reject_beyond_projection(index: IndexLayout, lacking: list[str], *, is_everything: bool) -> None:
    name = index.schema.name
    if is_everything:
        raise invalid_parameter(
            f"Select type ALL_ATTRIBUTES is not supported for global secondary index {name} "
            "because its projection type is not ALL"
        )
    if lacking:
        raise invalid_parameter(f"Global secondary index {name} does not project [{', '.join(lacking)}]")


def _named_attributes(projection: BoundProjection | None) -> frozenset[str]:
    return projection.used.names if projection is not None else frozenset()


def find_index(table: StoredTable, request: Mapping[str, Any]) -> IndexLayout | None:
    """The index a request reads, or None when it reads the table itself."""
    name = request.get("IndexName")
    if name is None:
        return None
    index = table.by_index_name.get(name)
    if index is None:
        raise validation_error(f"The table does not have the specified index: {name}")
    if request.get("ConsistentRead") and index.schema.is_global:
        raise validation_error("Consistent reads are not supported on global secondary indexes")
    return index
