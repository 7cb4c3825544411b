"""The step `key_points`: what was decided, by how much, by whom; each point stands by itself."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from almanac.llm.extractive.summaries import key_points
from almanac.llm.prompts import load_prompt
from almanac.llm.sources import Cited
from almanac.llm.step import Step
from almanac.llm.steps.inputs import WritingInput


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPointsInput(WritingInput):
    """At most so many points."""

    points: int = 5


class KeyPoints(BaseModel):
    """The points in the order of the sources."""

    model_config = ConfigDict(frozen=True)

    points: tuple[Cited, ...]


def _extract(given: KeyPointsInput) -> KeyPoints:
    return KeyPoints(points=key_points(given.sources, given.points, language=given.language))


KEY_POINTS = Step(name="key_points", prompt=load_prompt(__package__, "key_points"), output=KeyPoints, extract=_extract)
