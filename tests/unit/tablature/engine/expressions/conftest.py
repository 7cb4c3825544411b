"""Binds expressions the way an operation does, for the tables of cases in this folder."""

from collections.abc import Callable
from typing import Any

import pytest

from tablature.engine import clauses
from tablature.engine.clauses import Clauses, ClauseShape
from tablature.engine.errors import ServiceError

Read = Callable[..., Clauses]


def _read(shape: ClauseShape, **request: Any) -> Clauses:
    clauses.refuse_mixing(request, shape)
    return clauses.read_clauses(request, shape)


@pytest.fixture
def read() -> Read:
    """Read the clauses of a request."""
    return _read


@pytest.fixture
def refusal() -> Callable[..., str]:
    """The sentence with which the clauses of a request are refused."""

    def refuse(shape: ClauseShape, **request: Any) -> str:
        with pytest.raises(ServiceError) as caught:
            _read(shape, **request)
        assert caught.value.code == "ValidationException"
        return caught.value.message

    return refuse


@pytest.fixture
def holds() -> Callable[..., bool]:
    """Whether a condition holds for an item."""

    def test(text: str, item: dict[str, Any], values: dict[str, Any] | None = None, **names: str) -> bool:
        request: dict[str, Any] = {"ConditionExpression": text}
        if values:
            request["ExpressionAttributeValues"] = values
        if names:
            request["ExpressionAttributeNames"] = {f"#{key}": name for key, name in names.items()}
        condition = _read(clauses.PUT_ITEM, **request).condition
        assert condition is not None
        return condition(item)

    return test


@pytest.fixture
def updated() -> Callable[..., dict[str, Any]]:
    """The item that an update makes of another."""

    def apply(text: str, item: dict[str, Any], values: dict[str, Any] | None = None, **names: str) -> dict[str, Any]:
        request: dict[str, Any] = {"UpdateExpression": text}
        if values:
            request["ExpressionAttributeValues"] = values
        if names:
            request["ExpressionAttributeNames"] = {f"#{key}": name for key, name in names.items()}
        update = _read(clauses.UPDATE_ITEM, **request).update
        assert update is not None
        return update.apply(item)

    return apply
