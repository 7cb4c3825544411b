"""How each provider is reached: one module for each, loaded when a model of it is first asked.

A provider's library takes seconds to load. `lazy_module` would leave it among the loaded modules, where whatever looks
through them loads it after all; so only the one that is needed is imported, by its name.
"""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from almanac.llm.choices import Model
from almanac.llm.failures import Unusable

if TYPE_CHECKING:
    from pydantic_ai import models


SEARCHING = ("openai", "anthropic", "google")


def connect(model: Model, seconds: float) -> "models.Model[Any]":
    """Make ready to ask a model, which is given so long and asked once each time; nothing is sent yet."""
    return _connected(model, seconds, "connect")


def connect_searching(model: Model, seconds: float) -> "models.Model[Any]":
    """Make ready to ask a model that searches the web with its provider's tool; Unusable where there is none."""
    if model.provider not in SEARCHING:
        raise Unusable(str(model), f"its provider offers no web search; choose one of {', '.join(SEARCHING)} for it")
    return _connected(model, seconds, "connect_searching")


def _connected(model: Model, seconds: float, way: str) -> "models.Model[Any]":
    module = import_module(f"{__name__}.{model.provider}")
    return cast("Callable[[Model, float], models.Model[Any]]", getattr(module, way))(model, seconds)
