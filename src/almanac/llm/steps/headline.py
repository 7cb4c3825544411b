"""The step `headline`: what happened, in two to twelve words; never a summary."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from almanac.llm.extractive.headlines import headline
from almanac.llm.prompts import load_prompt
from almanac.llm.sources import Reference
from almanac.llm.step import Step
from almanac.llm.steps.inputs import WritingInput


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineInput(WritingInput):
    """At most so many words; for Chinese and Japanese, about two and a half characters for each."""

    words: int = 12


class Headline(BaseModel):
    """One line without a closing stop, empty where the sources yield none; a source's own title has no sentence."""

    model_config = ConfigDict(frozen=True)

    text: str
    references: tuple[Reference, ...]


def _extract(given: HeadlineInput) -> Headline:
    found = headline(given.sources, given.words, language=given.language)
    return Headline(text=found.text, references=found.references) if found else Headline(text="", references=())


HEADLINE = Step(name="headline", prompt=load_prompt(__package__, "headline"), output=Headline, extract=_extract)
