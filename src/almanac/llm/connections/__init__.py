"""Connects to each provider through a module of its own, imported when one of its models is first asked.

A provider's library takes seconds to load. `lazy_module` would put it into `sys.modules`, where anything that inspects
modules would load it; so only the needed module is imported, by name.
"""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from almanac.kit.messages import gettext
from almanac.llm.errors import ModelUnusable
from almanac.llm.model_config import ModelEndpoint

if TYPE_CHECKING:
    from pydantic_ai import models


SEARCH_PROVIDERS = ("openai", "anthropic", "google")


def connect(model: ModelEndpoint, seconds: float) -> "models.Model[Any]":
    """Create a client for a model with a timeout and without retries; nothing is sent yet."""
    return _connect_by(model, seconds, "connect")


def connect_for_search(model: ModelEndpoint, seconds: float) -> "models.Model[Any]":
    """Create a client with the provider's web search tool; raises ModelUnusable where there is none."""
    if model.provider not in SEARCH_PROVIDERS:
        raise ModelUnusable(
            str(model),
            gettext(
                "its provider offers no web search; choose one of %(search_providers)s for it",
                search_providers=", ".join(SEARCH_PROVIDERS),
            ),
        )
    return _connect_by(model, seconds, "connect_for_search")


def _connect_by(model: ModelEndpoint, seconds: float, way: str) -> "models.Model[Any]":
    module = import_module(f"{__name__}.{model.provider}")
    return cast("Callable[[ModelEndpoint, float], models.Model[Any]]", getattr(module, way))(model, seconds)
