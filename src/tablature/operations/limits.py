"""The service's limits on transactions, checked before anything is sent."""

from __future__ import annotations

from tablature.errors import InputError, TransactionTooLarge
from tablature.operations.actions import Action
from tablature.wire import size_of_item

MOST_ACTIONS = 100
MOST_BYTES = 4 * 1024 * 1024


def transaction_size(actions: list[Action]) -> int:
    return sum(
        size_of_item(action.request.get("Item") or action.request["Key"]) + _values(action) for action in actions
    )


def _values(action: Action) -> int:
    return size_of_item(action.request.get("ExpressionAttributeValues", {}))


def fits_one_transaction(actions: list[Action]) -> bool:
    return len(actions) <= MOST_ACTIONS and (len(actions) == 1 or transaction_size(actions) <= MOST_BYTES)


def check_transaction(actions: list[Action]) -> None:
    """Refuse what the service would refuse, in a sentence that says what to do."""
    if len(actions) > MOST_ACTIONS:
        raise TransactionTooLarge(
            f"This transaction needs {len(actions)} actions and the service allows {MOST_ACTIONS}; split it."
        )
    size = transaction_size(actions)
    if size > MOST_BYTES:
        raise TransactionTooLarge(
            f"This transaction has {size:,} bytes and the service allows {MOST_BYTES:,}; split it."
        )
    seen = set()
    for action in actions:
        place = (action.request["TableName"], action.key)
        if place in seen:
            raise InputError(f"One transaction can touch an item once; {' / '.join(action.key)} is touched twice.")
        seen.add(place)
