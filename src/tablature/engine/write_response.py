"""The responses of writes: attributes, capacity and collection metrics, as far as they were asked for."""

from collections.abc import Mapping, Sequence
from typing import Any

from tablature.engine.actions import Action
from tablature.engine.capacity import Tally, attach, collection_metrics
from tablature.engine.storage import Change
from tablature.engine.values import Item


def answer_write(request: Mapping[str, Any], action: Action, change: Change, attributes: Item | None) -> dict[str, Any]:
    """Lay out what the request asked to be told about its write."""
    response: dict[str, Any] = {}
    if attributes:
        response["Attributes"] = attributes
    if "ReturnConsumedCapacity" in request:
        tally = Tally(action.table)
        tally.add_change(change)
        attach(response, request["ReturnConsumedCapacity"], tally)
    if request.get("ReturnItemCollectionMetrics") == "SIZE":
        metrics = collection_metrics(action.table, action.attributes)
        if metrics:
            response["ItemCollectionMetrics"] = metrics
    return response


def old_item(request: Mapping[str, Any], change: Change) -> Item | None:
    """The replaced or removed item, when ReturnValues asks for it."""
    return change.old.item if change.old and request.get("ReturnValues") == "ALL_OLD" else None


def gather_metrics(actions: Sequence[Action]) -> dict[str, list[dict[str, Any]]]:
    """ItemCollectionMetrics of many writes by table, once for each collection written to."""
    gathered: dict[str, list[dict[str, Any]]] = {}
    for action in actions:
        metrics = collection_metrics(action.table, action.attributes)
        if metrics is not None and metrics not in gathered.setdefault(action.table.name, []):
            gathered[action.table.name].append(metrics)
    return gathered
