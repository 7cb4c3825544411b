"""Binds expressions the way an operation does, for the tables of cases in this folder."""

from collections.abc import Callable
from typing import Any

import pytest

from tablature.engine.errors import EngineError
from tablature.engine.validation import request_expressions
from tablature.engine.validation.request_expressions import ExpressionParameters, RequestExpressions

Read = Callable[..., RequestExpressions]


def _read(shape: ExpressionParameters, **request: Any) -> RequestExpressions:
    request_expressions.reject_mixed_parameters(request, shape)
    return request_expressions.read_expressions(request, shape)


@pytest.fixture
def read() -> Read:
    """Read the clauses of a request."""
    return _read


@pytest.fixture
def refusal() -> Callable[..., str]:
    """The sentence with which the clauses of a request are refused."""

    def refuse(shape: ExpressionParameters, **request: Any) -> str:
        with pytest.raises(EngineError) as caught:
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
        condition = _read(request_expressions.PUT_ITEM, **request).condition
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
        update = _read(request_expressions.UPDATE_ITEM, **request).update
        assert update is not None
        return update.apply(item)

    return apply
