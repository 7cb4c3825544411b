"""The step `bullets`: the sources in point form, each point short and about one thing."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from almanac.llm.extractive.summaries import bullets
from almanac.llm.prompts import load_prompt
from almanac.llm.sources import Cited
from almanac.llm.step import Step
from almanac.llm.steps.inputs import WritingInput


@dataclass(frozen=True, slots=True, kw_only=True)
class BulletsInput(WritingInput):
    """At most so many bullets, each of about so many words at most."""

    bullets: int = 5
    words: int = 30


class Bullets(BaseModel):
    """The bullets in the order of the sources."""

    model_config = ConfigDict(frozen=True)

    bullets: tuple[Cited, ...]


def _extract(given: BulletsInput) -> Bullets:
    return Bullets(bullets=bullets(given.sources, given.bullets, words=given.words, language=given.language))


BULLETS = Step(name="bullets", prompt=load_prompt(__package__, "bullets"), output=Bullets, extract=_extract)
