"""What a step may use, and how its output says what it used."""

import datetime as dt
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationInfo, model_validator

from almanac.llm.stand_ins import StandIns


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One text that a step may draw on. Prompts show an opaque stand-in for the id, never the id itself."""

    id: str
    text: str
    title: str = ""
    language: str | None = None
    date: dt.date | None = None


class Reference(BaseModel):
    """Where a sentence comes from: a source, and where it is known the number of the sentence in it, from 0.

    Models write `s1.4`; with the stand-ins as validation context that becomes the source's id and sentence 3.
    """

    model_config = ConfigDict(frozen=True)

    source: str
    sentence: int | None = None

    @model_validator(mode="before")
    @classmethod
    def _resolve(cls, value: object, info: ValidationInfo) -> object:
        if not isinstance(info.context, StandIns):
            return value
        source, sentence = info.context.meaning(_as_stand_in(value))
        return {"source": source, "sentence": sentence}


class Cited(BaseModel):
    """A written sentence with what it rests on."""

    model_config = ConfigDict(frozen=True)

    text: str
    references: tuple[Reference, ...]


def _source_id(value: object, info: ValidationInfo) -> object:
    return info.context.meaning(str(value))[0] if isinstance(info.context, StandIns) else value


SourceId = Annotated[str, BeforeValidator(_source_id)]
"""The id of a source as a plain field of an output; models write its stand-in."""


def _as_stand_in(value: object) -> str:
    """Some models write the fields apart although they were asked for `s1.4`; that means the same."""
    if isinstance(value, dict):
        sentence = value.get("sentence")
        return str(value.get("source")) if sentence is None else f"{value.get('source')}.{sentence}"
    return str(value)
