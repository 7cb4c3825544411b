"""What a step may use, and how its output says what it used."""

from dataclasses import dataclass
from datetime import date

from pydantic import BaseModel, ConfigDict


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One text that a step may draw on. Prompts show an opaque stand-in for the id, never the id itself."""

    id: str
    text: str
    title: str = ""
    language: str | None = None
    date: date | None = None


class Reference(BaseModel):
    """Where a sentence comes from: a source, and where it is known the number of the sentence in it, from 0."""

    model_config = ConfigDict(frozen=True)

    source: str
    sentence: int | None = None


class Cited(BaseModel):
    """A written sentence with what it rests on."""

    model_config = ConfigDict(frozen=True)

    text: str
    references: tuple[Reference, ...]
