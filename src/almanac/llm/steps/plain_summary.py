"""The step `plain_summary`: the main things in short and simple sentences, for readers who are new to the matter."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from almanac.llm.extractive.summaries import summarise_plainly
from almanac.llm.prompts import load_prompt
from almanac.llm.sources import Cited
from almanac.llm.step import Step
from almanac.llm.steps.inputs import WritingInput


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainSummaryInput(WritingInput):
    """At most so many sentences."""

    sentences: int = 4


class PlainSummary(BaseModel):
    """The sentences in reading order."""

    model_config = ConfigDict(frozen=True)

    sentences: tuple[Cited, ...]


def _extract(given: PlainSummaryInput) -> PlainSummary:
    return PlainSummary(sentences=summarise_plainly(given.sources, given.sentences, language=given.language))


PLAIN_SUMMARY = Step(
    name="plain_summary", prompt=load_prompt(__package__, "plain_summary"), output=PlainSummary, extract=_extract
)
