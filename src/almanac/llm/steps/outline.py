"""The step `outline`: what a publication will tell, section by section, each item with the sources it will rest on."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from almanac.llm.extractive.outlines import PlannedSection, Topic, outline
from almanac.llm.prompts import load_prompt
from almanac.llm.sources import Cited, Reference
from almanac.llm.step import Step
from almanac.llm.steps.inputs import WritingInput


@dataclass(frozen=True, slots=True, kw_only=True)
class OutlineInput(WritingInput):
    """The sections wanted, in order, and the topics with the ids of their sources.

    A section that names no topics takes those that its name fits; the first section gives an overview of all.
    """

    title: str = ""
    sections: tuple[PlannedSection, ...]
    topics: tuple[Topic, ...]


class OutlineItem(BaseModel):
    """One thing to tell. The title and the description are taken from the sources that it names."""

    model_config = ConfigDict(frozen=True)

    title: str
    description: Cited | None = None
    topic: str = ""
    references: tuple[Reference, ...]


class OutlineSection(BaseModel):
    """A section with its items; one that the sources have nothing for stays empty."""

    model_config = ConfigDict(frozen=True)

    name: str
    items: tuple[OutlineItem, ...] = ()


class Outline(BaseModel):
    """Every wanted section, in the order wanted."""

    model_config = ConfigDict(frozen=True)

    sections: tuple[OutlineSection, ...]


def _extract(given: OutlineInput) -> Outline:
    planned = outline(given.sources, given.sections, given.topics, language=given.language)
    return Outline(
        sections=tuple(
            OutlineSection(
                name=section.name,
                items=tuple(
                    OutlineItem(
                        title=item.title, description=item.description, topic=item.topic, references=item.references
                    )
                    for item in items
                ),
            )
            for section, items in zip(given.sections, planned, strict=True)
        )
    )


OUTLINE = Step(name="outline", prompt=load_prompt(__package__, "outline"), output=Outline, extract=_extract)
