"""What each step rests on, as fingerprints; whether something changed since is derived from them, never stored.

Nothing is deleted when an earlier step changes: people are told, and decide.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from almanac.desks.newsletter.model.configuration import Configuration
from almanac.desks.newsletter.model.outline import OutlineSection

Basis = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class StepChange:
    """Something that a step rests on and that is different now."""

    step: str
    what: str
    sentence: str


_WORDS = {
    ("retrieval", "configuration"): "The configuration changed since the retrieval.",
    ("retrieval", "topics"): "The topics changed since the retrieval.",
    ("outline", "configuration"): "The configuration changed since the outline was generated.",
    ("outline", "sources"): "The sources changed since the outline was generated.",
    ("draft", "configuration"): "The configuration changed since the draft was generated.",
    ("draft", "sources"): "The sources changed since the draft was generated.",
    ("draft", "outline"): "The outline changed since the draft was generated.",
}


def retrieval_basis(configuration: Configuration, topics: Iterable[str]) -> dict[str, str]:
    """A retrieval rests on how often and how long, on the region and the desks, and on the topics.

    When issues are due counts only where that is what says how often, and never whether they prepare themselves.
    """
    rhythm = configuration.schedule if configuration.frequency == "custom" else None
    wanted = (
        configuration.frequency,
        configuration.length_preference,
        configuration.geographic_focus,
        str(rhythm and replace(rhythm, active=False)),
        # Only where it was narrowed: what was retrieved before this could be chosen rests on everything.
        *(() if configuration.takes_everything else sorted(configuration.source_kinds)),
    )
    return {"configuration": fingerprint(*wanted), "topics": fingerprint(*sorted(topics))}


def outline_basis(configuration: Configuration, included: Iterable[str]) -> dict[str, str]:
    """An outline rests on whom it is for, how long it is, and on the included chunks."""
    wanted = (*sorted(configuration.target_audience), configuration.length_preference, configuration.geographic_focus)
    return {"configuration": fingerprint(*wanted), "sources": fingerprint(*sorted(included))}


def draft_basis(
    configuration: Configuration, included: Iterable[str], sections: Iterable[OutlineSection]
) -> dict[str, str]:
    """A draft rests on how it shall sound, on the included chunks, and on the outline."""
    wanted = (
        *sorted(configuration.target_audience),
        configuration.length_preference,
        str(configuration.tone_professional),
        str(configuration.tone_technical),
    )
    return {
        "configuration": fingerprint(*wanted),
        "sources": fingerprint(*sorted(included)),
        "outline": fingerprint(*map(section_fingerprint, sections)),
    }


def section_fingerprint(section: OutlineSection) -> str:
    """What one section of the draft rests on: its part of the outline, as far as it is to be written."""
    items = [[i.id, i.title, i.description, i.notes, *i.sources] for i in section.items if i.included]
    return fingerprint(section.id, section.name, section.notes, json.dumps(items))


def list_changes_since(step: str, before: Basis | None, now: Basis) -> tuple[StepChange, ...]:
    """What changed. A step that never said what it rests on, as other programs leave it, isn't judged."""
    if not before:
        return ()
    different = [what for what in now if what in before and before[what] != now[what]]
    return tuple(StepChange(step, what, _WORDS[step, what]) for what in different)


def fingerprint(*parts: str) -> str:
    """Equal for equal parts in the same order."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=True).encode()).hexdigest()[:16]
