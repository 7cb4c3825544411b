"""Sources and references of a step, and the aliases that hide source ids from models.

Prompts and answers use `s1` for a source and `s1.4` for its fourth sentence. A model never sees an id, so it can't
invent one that exists; an unknown alias fails validation.
"""

import datetime as dt
import re
from dataclasses import dataclass
from typing import Annotated, Any, Protocol

from pydantic import BaseModel, BeforeValidator, ValidationInfo, model_validator
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from almanac.llm.answer import StepAnswer

_ALIAS = re.compile(r"\[?s([1-9]\d{0,5})(?:\.([1-9]\d{0,5}))?\]?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SourceAliases:
    """The ids of the sources of one request and their numbers of sentences. Passed as validation context."""

    ids: tuple[str, ...]
    sentences: tuple[int, ...]

    def alias_for(self, source: str, sentence: int | None = None) -> str:
        """The alias of a source, or of one of its sentences (counted from 0)."""
        if source not in self.ids:
            raise ValueError(f"A prompt refers to {source!r}, which is none of the sources of the step.")
        number = self.ids.index(source) + 1
        return f"s{number}" if sentence is None else f"s{number}.{sentence + 1}"

    def resolve(self, stand_in: str) -> tuple[str, int | None]:
        """The source id and the sentence (from 0) of an alias; raises ValueError for an unknown one."""
        match = _ALIAS.fullmatch(stand_in.strip())
        if match is None:
            raise ValueError(f"{stand_in[:20]!r} names no source; write s1 for a source or s1.4 for a sentence of it")
        source, sentence = int(match[1]) - 1, int(match[2]) - 1 if match[2] else None
        if source >= len(self.ids):
            raise ValueError(f"there is no source s{source + 1}; the last one is s{len(self.ids)}")
        if sentence is not None and sentence >= self.sentences[source]:
            raise ValueError(f"s{source + 1} has only {self.sentences[source]} sentences")
        return self.ids[source], sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSource:
    """A text that a step may use. Prompts show an alias instead of the id."""

    id: str
    text: str
    title: str = ""
    language: str | None = None
    date: dt.date | None = None


class StepInput(Protocol):
    """The input of a step has at least the sources that it may use."""

    @property
    def sources(self) -> tuple[StepSource, ...]: ...


class Reference(BaseModel, frozen=True, extra="forbid"):
    """Where a sentence comes from: a source, and where it is known the number of the sentence in it, from 0.

    Models write `s1.4`; with the stand-ins as validation context that becomes the source's id and sentence 3.
    """

    source: str
    sentence: int | None = None

    @model_validator(mode="before")
    @classmethod
    def _resolve(cls, value: object, info: ValidationInfo) -> object:
        if not isinstance(info.context, SourceAliases):
            return value
        source, sentence = info.context.resolve(_alias_text(value))
        return {"source": source, "sentence": sentence}


class Cited(StepAnswer):
    """A written sentence with what it rests on."""

    text: str
    references: tuple[Reference, ...]


def _source_id(value: object, info: ValidationInfo) -> object:
    return info.context.resolve(str(value))[0] if isinstance(info.context, SourceAliases) else value


SourceId = Annotated[str, BeforeValidator(_source_id)]
"""The id of a source as a plain field of an output; models write its stand-in."""


def _alias_text(value: object) -> str:
    """Some models return the two fields instead of `s1.4`."""
    if isinstance(value, dict):
        sentence = value.get("sentence")
        return str(value.get("source")) if sentence is None else f"{value.get('source')}.{sentence}"
    return str(value)


_ALIAS_SCHEMA: JsonSchemaValue = {
    "type": "string",
    "pattern": r"^s[1-9][0-9]*(\.[1-9][0-9]*)?$",
    "description": "A sentence of a source, such as s1.4, or a whole source, such as s1.",
}


class _OutputSchema(GenerateJsonSchema):
    """Shows a reference as an alias string; other schemas keep it an object."""

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        return dict(_ALIAS_SCHEMA) if schema["cls"] is Reference else super().model_schema(schema)


def build_output_schema(output: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema that an answer must satisfy."""
    return output.model_json_schema(schema_generator=_OutputSchema)
