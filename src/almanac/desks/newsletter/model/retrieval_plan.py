"""How many chunks an issue needs and how far back it looks, and a sentence that describes the issue to be written."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from almanac.desks.newsletter.model.configuration import AUDIENCE_NOUNS, FORMATS, FREQUENCIES, Configuration, Tone
from almanac.desks.newsletter.model.schedule import average_gap
from almanac.kit.messages import figure_text, gettext, join_texts

MAX_SOURCE_SHARE = 0.4
_OVERLAP = 4 / 3
# The longest gap between issues that still counts as daily, weekly or monthly.
_MAX_GAPS = (("daily", timedelta(days=1.5)), ("weekly", timedelta(days=10)), ("monthly", timedelta(days=40)))
_LOW, _HIGH = 35, 65
_TONE_WORDS = {
    (False, False): gettext("friendly and plain"),
    (False, True): gettext("friendly but technical"),
    (True, False): gettext("professional and plain"),
    (True, True): gettext("professional and technical"),
}
_FREQUENCIES = {**FREQUENCIES, "custom": gettext("On your own schedule")}
_AUDIENCES = {**AUDIENCE_NOUNS, "myself": gettext("yourself")}
_ARTICLES = {
    "email": gettext("an e-mail"),
    "pdf": gettext("a PDF"),
    "web": gettext("a web page"),
    "html": gettext("an HTML file"),
}


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
    kind = _ARTICLES.get(configuration.format_type, FORMATS.get(configuration.format_type, gettext("an issue")))
    values = {
        "frequency": _FREQUENCIES.get(configuration.frequency, configuration.frequency),
        "issue": kind,
        "fewest": figure_text(length.fewest),
        "most": figure_text(length.most),
        "audience": _join_audiences(configuration.target_audience),
        "focus": configuration.geographic_focus,
        "tone": describe_tone(configuration.tone),
        "chunks": plan.chunks,
        "days": plan.days,
    }
    if configuration.geographic_focus:
        return gettext(
            "%(frequency)s: %(issue)s of %(fewest)s to %(most)s words for %(audience)s about %(focus)s, %(tone)s, "
            "written from up to %(chunks)s sources of the last %(days)s days.",
            **values,
        )
    return gettext(
        "%(frequency)s: %(issue)s of %(fewest)s to %(most)s words for %(audience)s, %(tone)s, "
        "written from up to %(chunks)s sources of the last %(days)s days.",
        **values,
    )


def describe_tone(tone: Tone) -> str:
    """The tone in words."""
    is_balanced = _LOW < tone.professional < _HIGH and _LOW < tone.technical < _HIGH
    return gettext("balanced in tone") if is_balanced else _TONE_WORDS[tone.professional >= 50, tone.technical >= 50]


def _join_audiences(names: tuple[str, ...]) -> str:
    words = [_AUDIENCES.get(name, name) for name in names] or [gettext("readers")]
    if len(words) == 1:
        return words[0]
    return gettext("%(others)s and %(last)s", others=join_texts(words[:-1]), last=words[-1])
