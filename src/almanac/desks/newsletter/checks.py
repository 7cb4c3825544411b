"""Whether a draft may be completed: each sentence checked against the chunks it cites, each gap told in place."""

from collections.abc import Mapping
from dataclasses import dataclass

from almanac.desks.newsletter.model.draft import DraftSection
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.kit.text import counted
from almanac.verify import VerificationReport, check_text


@dataclass(frozen=True, slots=True)
class CheckedSection:
    """A section with the verdict on each of its sentences."""

    section: DraftSection
    report: VerificationReport


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why the newsletter can't be completed yet; `section` is empty where it is about the whole."""

    section: str
    sentence: str


def checked_sections(full: FullNewsletter) -> tuple[CheckedSection, ...]:
    """Every section of the draft, checked against everything that was retrieved."""
    return tuple(checked_section(section, full.sources) for section in full.draft.draft.sections)


def checked_section(section: DraftSection, sources: Mapping[str, str]) -> CheckedSection:
    return CheckedSection(section, check_text(section.text, sources))


def cited_chunks(checked: tuple[CheckedSection, ...]) -> tuple[str, ...]:
    """The chunks that a draft rests on, each once, in the order in which they are first cited."""
    cited = (ref for one in checked for sentence in one.report.sentences for ref in sentence.references)
    return tuple(dict.fromkeys(cited))


def obstacles(full: FullNewsletter, checked: tuple[CheckedSection, ...]) -> list[Obstacle]:
    """What stands in the way of completion, in the order of the text."""
    if not any(one.section.text.strip() for one in checked):
        return [Obstacle("", "There is no draft yet; generate one or write it.")]
    planned = {section.id for section in full.outline.outline.to_write}
    lacking = planned - {one.section.id for one in checked}
    found = [_lacking(len(lacking))] if lacking else []
    return found + [obstacle for one in checked if (obstacle := _in_section(one)) is not None]


def remarks(checked: tuple[CheckedSection, ...]) -> list[str]:
    """What a person should know before the issue leaves, and what stands in nobody's way."""
    empty = [one.section.name for one in checked if not one.section.text.strip()]
    return [f"“{name}” is empty and is left out of exports." for name in empty]


def _lacking(sections: int) -> Obstacle:
    return Obstacle("", f"The outline has {counted(sections, 'section')} that the draft lacks; generate it again.")


def _in_section(checked: CheckedSection) -> Obstacle | None:
    section, faults = checked.section, checked.report.faults
    if not faults:
        return None
    first = faults[0].findings[0].reason if faults[0].findings else "A sentence has no source."
    told = f"“{section.name}” has {counted(len(faults), 'sentence')} without support: {first}"
    return Obstacle(section.id, told)
