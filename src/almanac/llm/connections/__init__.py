"""How each provider is reached: one module for each, loaded when a model of it is first asked.

A provider's library takes seconds to load. `lazy_module` would leave it among the loaded modules, where whatever looks
through them loads it after all; so only the one that is needed is imported, by its name.
"""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from almanac.llm.choices import Model

if TYPE_CHECKING:
    from pydantic_ai import models


def connect(model: Model) -> "models.Model[Any]":
    """Make ready to ask a model; nothing is sent yet."""
    module = import_module(f"{__name__}.{model.provider}")
    return cast("Callable[[Model], models.Model[Any]]", module.connect)(model)
