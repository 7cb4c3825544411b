"""Fingerprints of what each step was made from; whether a step is out of date is derived from them.

Nothing is deleted when an earlier step changes: people see it and decide.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from almanac.desks.newsletter.model.configuration import Configuration
from almanac.desks.newsletter.model.outline import NewsletterOutlineSection
from almanac.kit.messages import gettext

Basis = Mapping[str, str]
_WORDS = {
    ("retrieval", "configuration"): gettext("The configuration changed since the retrieval."),
    ("retrieval", "topics"): gettext("The topics changed since the retrieval."),
    ("outline", "configuration"): gettext("The configuration changed since the outline was generated."),
    ("outline", "sources"): gettext("The sources changed since the outline was generated."),
    ("draft", "configuration"): gettext("The configuration changed since the draft was generated."),
    ("draft", "sources"): gettext("The sources changed since the draft was generated."),
    ("draft", "outline"): gettext("The outline changed since the draft was generated."),
}


@dataclass(frozen=True, slots=True)
class StepChange:
    """An input of a step that has changed since."""

    step: str
    what: str
    sentence: str


def retrieval_basis(configuration: Configuration, topics: Iterable[str]) -> dict[str, str]:
    """A retrieval depends on frequency, length, region, source desks and topics.

    The schedule counts only for a custom frequency, and whether it is active never counts.
    """
    schedule = configuration.schedule if configuration.frequency == "custom" else None
    parts = (
        configuration.frequency,
        configuration.length_preference,
        configuration.geographic_focus,
        str(schedule and replace(schedule, active=False)),
        # Only if narrowed, so that fingerprints from before this setting existed stay valid.
        *(() if configuration.takes_everything else sorted(configuration.source_kinds)),
    )
    return {"configuration": fingerprint(*parts), "topics": fingerprint(*sorted(topics))}


def outline_basis(configuration: Configuration, included: Iterable[str]) -> dict[str, str]:
    """An outline depends on audience, length, region and the included chunks."""
    parts = (*sorted(configuration.target_audience), configuration.length_preference, configuration.geographic_focus)
    return {"configuration": fingerprint(*parts), "sources": fingerprint(*sorted(included))}


def draft_basis(
    configuration: Configuration, included: Iterable[str], sections: Iterable[NewsletterOutlineSection]
) -> dict[str, str]:
    """A draft depends on audience, length, tone, the included chunks and the outline."""
    parts = (
        *sorted(configuration.target_audience),
        configuration.length_preference,
        str(configuration.tone_professional),
        str(configuration.tone_technical),
    )
    return {
        "configuration": fingerprint(*parts),
        "sources": fingerprint(*sorted(included)),
        "outline": fingerprint(*map(section_fingerprint, sections)),
    }


def section_fingerprint(section: NewsletterOutlineSection) -> str:
    """The fingerprint of one outline section, as far as it is written."""
    items = [[i.id, i.title, i.description, i.notes, *i.sources] for i in section.items if i.included]
    return fingerprint(section.id, section.name, section.notes, json.dumps(items))


def list_changes_since(step: str, before: Basis | None, now: Basis) -> tuple[StepChange, ...]:
    """What changed. A step without fingerprints, as other programs leave it, has no changes."""
    if not before:
        return ()
    different = [what for what in now if what in before and before[what] != now[what]]
    return tuple(StepChange(step, what, _WORDS[step, what]) for what in different)


def fingerprint(*parts: str) -> str:
    """Equal for equal parts in the same order."""
    return hashlib.sha256(json.dumps(parts, ensure_ascii=True).encode()).hexdigest()[:16]
