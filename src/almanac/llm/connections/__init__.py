"""How each provider is reached: one module for each, loaded when a model of it is first asked.

A provider's library takes seconds to load. `lazy_module` would leave it among the loaded modules, where whatever looks
through them loads it after all; so only the one that is needed is imported, by its name.
"""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from almanac.llm.errors import ModelUnusable
from almanac.llm.model_config import ModelEndpoint

if TYPE_CHECKING:
    from pydantic_ai import models


SEARCH_PROVIDERS = ("openai", "anthropic", "google")


def connect(model: ModelEndpoint, seconds: float) -> "models.Model[Any]":
    """Make ready to ask a model, which is given so long and asked once each time; nothing is sent yet."""
    return _connect_by(model, seconds, "connect")


def connect_for_search(model: ModelEndpoint, seconds: float) -> "models.Model[Any]":
    """Make ready to ask a model that searches the web with its provider's tool; Unusable where there is none."""
    if model.provider not in SEARCH_PROVIDERS:
        raise ModelUnusable(
            str(model), f"its provider offers no web search; choose one of {', '.join(SEARCH_PROVIDERS)} for it"
        )
    return _connect_by(model, seconds, "connect_for_search")


def _connect_by(model: ModelEndpoint, seconds: float, way: str) -> "models.Model[Any]":
    module = import_module(f"{__name__}.{model.provider}")
    return cast("Callable[[ModelEndpoint, float], models.Model[Any]]", getattr(module, way))(model, seconds)
