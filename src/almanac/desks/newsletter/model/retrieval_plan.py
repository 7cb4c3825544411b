"""How many chunks an issue needs and how far back it looks, and a sentence that describes the issue to be written."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from almanac.desks.newsletter.model.configuration import AUDIENCES, FORMATS, Configuration, Tone
from almanac.desks.newsletter.model.schedule import average_gap

MAX_SOURCE_SHARE = 0.4
_OVERLAP = 4 / 3
# The longest gap between issues that still counts as daily, weekly or monthly.
_MAX_GAPS = (("daily", timedelta(days=1.5)), ("weekly", timedelta(days=10)), ("monthly", timedelta(days=40)))
_LOW, _HIGH = 35, 65
_TONE_WORDS = {
    (False, False): "friendly and plain",
    (False, True): "friendly but technical",
    (True, False): "professional and plain",
    (True, True): "professional and technical",
}
_ARTICLES = {"email": "an e-mail", "pdf": "a PDF", "web": "a web page", "html": "an HTML file"}


@dataclass(frozen=True, slots=True)
class RetrievalPlan:
    """The most chunks to retrieve, and their maximum age in days."""

    chunks: int
    days: int

    def since(self, now: datetime) -> datetime:
        """The start of the oldest day that counts: sources often have a date without a time."""
        return (now - timedelta(days=self.days)).replace(hour=0, minute=0, second=0, microsecond=0)

    @property
    def chunks_per_source(self) -> int:
        """How many chunks of one source are chosen before other sources get their turn."""
        return max(2, round(self.chunks * MAX_SOURCE_SHARE))


BY_FREQUENCY: Mapping[str, RetrievalPlan] = {
    "daily": RetrievalPlan(15, 2),
    "weekly": RetrievalPlan(25, 14),
    "monthly": RetrievalPlan(40, 45),
    "quarterly": RetrievalPlan(50, 120),
}


def plan_retrieval(configuration: Configuration, now: datetime) -> RetrievalPlan:
    """The plan of a configuration; a custom schedule uses the plan of the nearest frequency."""
    usual = BY_FREQUENCY.get(configuration.frequency) or _custom_plan(configuration, now)
    return RetrievalPlan(int(usual.chunks * configuration.length.share + 0.5), usual.days)


def _custom_plan(configuration: Configuration, now: datetime) -> RetrievalPlan:
    gap = average_gap(configuration.schedule, now) if configuration.schedule else None
    if gap is None:
        return BY_FREQUENCY["weekly"]
    for frequency, longest in _MAX_GAPS:
        if gap <= longest:
            return BY_FREQUENCY[frequency]
    quarterly = BY_FREQUENCY["quarterly"]
    # Issues more than a quarter apart still look back to the previous one.
    return RetrievalPlan(quarterly.chunks, max(quarterly.days, ceil(gap.days * _OVERLAP)))


def describe_issue(configuration: Configuration, plan: RetrievalPlan) -> str:
    """A sentence that describes the issue: format, length, audience, tone and sources."""
    length = configuration.length
    kind = _ARTICLES.get(configuration.format_type, FORMATS.get(configuration.format_type, "an issue"))
    focus = f" about {configuration.geographic_focus}" if configuration.geographic_focus else ""
    frequency = "on your own schedule" if configuration.frequency == "custom" else configuration.frequency
    audience, tone = _join_audiences(configuration.target_audience), describe_tone(configuration.tone)
    return (
        f"{frequency[:1].upper()}{frequency[1:]}: {kind} of {length.fewest:,} to {length.most:,} words for "
        f"{audience}{focus}, {tone}, written from up to {plan.chunks} sources of the last {plan.days} days."
    )


def describe_tone(tone: Tone) -> str:
    """The tone in words."""
    is_balanced = _LOW < tone.professional < _HIGH and _LOW < tone.technical < _HIGH
    return "balanced in tone" if is_balanced else _TONE_WORDS[tone.professional >= 50, tone.technical >= 50]


def _join_audiences(names: tuple[str, ...]) -> str:
    words = ["yourself" if name == "myself" else AUDIENCES.get(name, name).lower() for name in names] or ["readers"]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
