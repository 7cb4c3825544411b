"""Responses of writes, and the cancellation reasons of a transaction: one per action, in order."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from tablature.engine.capacity import CapacityTally, attach_capacity, collection_metrics
from tablature.engine.encoding.values import Item
from tablature.engine.errors import EngineError, transaction_cancelled
from tablature.engine.storage import ItemChange
from tablature.engine.writes.actions import ItemAction


def write_response(
    request: Mapping[str, Any], action: ItemAction, change: ItemChange, attributes: Item | None
) -> dict[str, Any]:
    """The response of a write: the attributes, capacity and metrics that the request asks for."""
    response: dict[str, Any] = {}
    if attributes:
        response["Attributes"] = attributes
    if "ReturnConsumedCapacity" in request:
        tally = CapacityTally(action.table)
        tally.add_change(change)
        attach_capacity(response, request["ReturnConsumedCapacity"], tally)
    if request.get("ReturnItemCollectionMetrics") == "SIZE":
        metrics = collection_metrics(action.table, action.attributes)
        if metrics:
            response["ItemCollectionMetrics"] = metrics
    return response


def old_item(request: Mapping[str, Any], change: ItemChange) -> Item | None:
    """The replaced or removed item, when ReturnValues asks for it."""
    return change.old.item if change.old and request.get("ReturnValues") == "ALL_OLD" else None


def collect_metrics(actions: Sequence[ItemAction]) -> dict[str, list[dict[str, Any]]]:
    """ItemCollectionMetrics of many writes by table, once for each collection written to."""
    gathered: dict[str, list[dict[str, Any]]] = {}
    for action in actions:
        metrics = collection_metrics(action.table, action.attributes)
        if metrics is not None and metrics not in gathered.setdefault(action.table.name, []):
            gathered[action.table.name].append(metrics)
    return gathered


Argument = TypeVar("Argument")
Result = TypeVar("Result")

Reason = dict[str, Any]
NO_REASON: Reason = {"Code": "None"}
REASON_CODES = {
    "ConditionalCheckFailedException": "ConditionalCheckFailed",
    "DuplicateItemException": "DuplicateItem",
    "ResourceNotFoundException": "ResourceNotFound",
    "ValidationException": "ValidationError",
}


def all_or_cancel(step: Callable[[Argument], Result], arguments: Iterable[Argument]) -> list[Result]:
    """Run a step for each action. If any fails, raise a cancellation with the reasons of all."""
    results: list[Result] = []
    reasons: list[Reason] = []
    for argument in arguments:
        try:
            results.append(step(argument))
            reasons.append(NO_REASON)
        except EngineError as error:
            reasons.append(cancellation_reason(error))
    if len(results) < len(reasons):
        raise transaction_cancelled(reasons)
    return results


def first_or_cancel(step: Callable[[Argument], Result], arguments: Sequence[Argument]) -> list[Result]:
    """Run a step for each action. The first failure raises a cancellation with that reason alone."""
    results: list[Result] = []
    for argument in arguments:
        try:
            results.append(step(argument))
        except EngineError as error:
            reasons = [NO_REASON] * len(arguments)
            reasons[len(results)] = cancellation_reason(error)
            raise transaction_cancelled(reasons) from error
    return results


def cancellation_reason(error: EngineError) -> Reason:
    """An action's error as a cancellation reason. Raises the error if it doesn't concern the action alone."""
    code = REASON_CODES.get(error.code)
    if code is None or error.ends_transaction:
        raise error
    return {"Code": code, "Message": error.message, **error.fields}
