"""The step `summary`: what the sources say, in a few sentences that read as one text."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from almanac.llm.extractive.summaries import summarise
from almanac.llm.prompts import load_prompt
from almanac.llm.sources import Cited
from almanac.llm.step import Step
from almanac.llm.steps.inputs import WritingInput


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryInput(WritingInput):
    """At most so many sentences, and where `words` is given no more than about so many words."""

    sentences: int = 5
    words: int | None = None


class Summary(BaseModel):
    """The sentences in reading order; none where the sources say nothing."""

    model_config = ConfigDict(frozen=True)

    sentences: tuple[Cited, ...]


def _extract(given: SummaryInput) -> Summary:
    return Summary(sentences=summarise(given.sources, given.sentences, words=given.words, language=given.language))


SUMMARY = Step(name="summary", prompt=load_prompt(__package__, "summary"), output=Summary, extract=_extract)
