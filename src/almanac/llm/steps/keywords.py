"""The step `keywords`: the names and notions that the sources are about."""

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from almanac.llm.extractive.keywords import keywords
from almanac.llm.prompts import load_prompt
from almanac.llm.sources import Reference
from almanac.llm.step import Step
from almanac.llm.steps.inputs import WritingInput


@dataclass(frozen=True, slots=True, kw_only=True)
class KeywordsInput(WritingInput):
    """At most so many keywords."""

    keywords: int = 10


class Keyword(BaseModel):
    """A word or short phrase as the sources write it, with where it stands."""

    model_config = ConfigDict(frozen=True)

    text: str
    priority: Literal["high", "medium", "low"]
    references: tuple[Reference, ...]


class Keywords(BaseModel):
    """The keywords, the weightiest first."""

    model_config = ConfigDict(frozen=True)

    keywords: tuple[Keyword, ...]


def _extract(given: KeywordsInput) -> Keywords:
    found = keywords(given.sources, given.keywords, language=given.language)
    return Keywords(
        keywords=tuple(
            Keyword(text=keyword.text, priority=_priority(rank, len(found)), references=keyword.references)
            for rank, keyword in enumerate(found)
        )
    )


def _priority(rank: int, count: int) -> Literal["high", "medium", "low"]:
    return "high" if rank < (count + 2) // 3 else "medium" if rank < (2 * count + 2) // 3 else "low"


KEYWORDS = Step(name="keywords", prompt=load_prompt(__package__, "keywords"), output=Keywords, extract=_extract)
