"""A step: one kind of structured writing, with its prompt for models and its way of doing it by extraction alone."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from almanac.llm.prompts import Prompt
from almanac.llm.sources import Source


class StepInput(Protocol):
    """What every step is given: at least the sources that it may use."""

    @property
    def sources(self) -> tuple[Source, ...]: ...


Given = TypeVar("Given", bound=StepInput)
Made = TypeVar("Made", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(Generic[Given, Made]):
    """`extract` writes without a model; a step that has none, such as a translation, needs one and says so."""

    name: str
    prompt: Prompt
    output: type[Made]
    extract: Callable[[Given], Made] | None = None
