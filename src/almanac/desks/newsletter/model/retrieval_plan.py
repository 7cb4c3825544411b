"""How many chunks an issue wants and how far back it looks: by frequency and length."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from almanac.desks.newsletter.model.configuration import Configuration
from almanac.desks.newsletter.model.schedule import usual_gap

MOST_SHARE_OF_ONE_SOURCE = 0.4
_OVERLAP = 4 / 3


@dataclass(frozen=True, slots=True)
class RetrievalPlan:
    """At most so many chunks, none older than so many days."""

    chunks: int
    days: int

    def since(self, now: datetime) -> datetime:
        """The oldest moment that counts: the beginning of its day, since a source often has a date and no time."""
        return (now - timedelta(days=self.days)).replace(hour=0, minute=0, second=0, microsecond=0)

    @property
    def chunks_per_source(self) -> int:
        """How many chunks of one source are taken before others get their turn."""
        return max(2, round(self.chunks * MOST_SHARE_OF_ONE_SOURCE))


BY_FREQUENCY: Mapping[str, RetrievalPlan] = {
    "daily": RetrievalPlan(15, 2),
    "weekly": RetrievalPlan(25, 14),
    "monthly": RetrievalPlan(40, 45),
    "quarterly": RetrievalPlan(50, 120),
}
# The longest gap between issues that still counts as daily, weekly or monthly.
_LONGEST_GAPS = (("daily", timedelta(days=1.5)), ("weekly", timedelta(days=10)), ("monthly", timedelta(days=40)))


def retrieval_plan(configuration: Configuration, now: datetime) -> RetrievalPlan:
    """The plan of a configuration; a custom frequency is planned like the usual one it is nearest to."""
    usual = BY_FREQUENCY.get(configuration.frequency) or _custom_plan(configuration, now)
    return RetrievalPlan(int(usual.chunks * configuration.length.share + 0.5), usual.days)


def _custom_plan(configuration: Configuration, now: datetime) -> RetrievalPlan:
    gap = usual_gap(configuration.schedule, now) if configuration.schedule else None
    if gap is None:
        return BY_FREQUENCY["weekly"]
    for frequency, longest in _LONGEST_GAPS:
        if gap <= longest:
            return BY_FREQUENCY[frequency]
    quarterly = BY_FREQUENCY["quarterly"]
    # Issues that are further apart than a quarter still look back over the whole time since the last one.
    return RetrievalPlan(quarterly.chunks, max(quarterly.days, ceil(gap.days * _OVERLAP)))
