"""Why a transaction was cancelled: one reason per action, in the order of the actions."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from tablature.engine.errors import ServiceError, transaction_cancelled

Argument = TypeVar("Argument")
Result = TypeVar("Result")

Reason = dict[str, Any]
NO_REASON: Reason = {"Code": "None"}
_CODES = {
    "ConditionalCheckFailedException": "ConditionalCheckFailed",
    "DuplicateItemException": "DuplicateItem",
    "ResourceNotFoundException": "ResourceNotFound",
    "ValidationException": "ValidationError",
}


def all_or_cancel(step: Callable[[Argument], Result], arguments: Iterable[Argument]) -> list[Result]:
    """Take a step for each action; if any refuses, cancel with the reasons of all."""
    results: list[Result] = []
    reasons: list[Reason] = []
    for argument in arguments:
        try:
            results.append(step(argument))
            reasons.append(NO_REASON)
        except ServiceError as error:
            reasons.append(reason_of(error))
    if len(results) < len(reasons):
        raise transaction_cancelled(reasons)
    return results


def first_or_cancel(step: Callable[[Argument], Result], arguments: Sequence[Argument]) -> list[Result]:
    """Take a step for each action; the first that refuses cancels alone, for those after it were not looked at."""
    results: list[Result] = []
    for argument in arguments:
        try:
            results.append(step(argument))
        except ServiceError as error:
            reasons = [NO_REASON] * len(arguments)
            reasons[len(results)] = reason_of(error)
            raise transaction_cancelled(reasons) from error
    return results


def reason_of(error: ServiceError) -> Reason:
    """An action's refusal as a reason; what is no refusal of the action itself is raised instead."""
    code = _CODES.get(error.code)
    if code is None or error.ends_transaction:
        raise error
    return {"Code": code, "Message": error.message, **error.fields}
