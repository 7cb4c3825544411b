"""A newsletter as a series: when the next issue is due, earlier runs, and whether there is enough to write."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal
from zoneinfo import ZoneInfo

from almanac.desks.newsletter.model.chunks import RetrievedChunk
from almanac.desks.newsletter.model.configuration import MAX_TITLE_LENGTH, Configuration
from almanac.desks.newsletter.model.retrieval_plan import RetrievalPlan
from almanac.desks.newsletter.model.schedule import IssueSchedule, list_next_runs
from almanac.kit.messages import gettext, translate
from almanac.kit.text import counted
from almanac.language.detection import detect_language

MAX_RUNS = 30
MIN_NEW_CHUNKS = 3
_SHARE_THAT_IS_NEW = 5

Outcome = Literal["preparing", "prepared", "skipped", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueRun:
    """A time at which an issue was due, and its outcome."""

    due: dt.datetime
    outcome: Outcome
    at: dt.datetime
    issue: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class IssueSeries:
    """The next due time and the last runs, the latest last. Without a due time nothing is prepared."""

    code: str
    active: bool = False
    next_run: dt.datetime | None = None
    runs: tuple[IssueRun, ...] = ()
    version: int = 0

    @property
    def latest(self) -> tuple[IssueRun, ...]:
        """The runs, the latest first."""
        return self.runs[::-1]

    def is_due(self, moment: dt.datetime) -> bool:
        """Whether this due time is still undecided."""
        return self.active and self.next_run == moment

    def run_at(self, moment: dt.datetime) -> IssueRun | None:
        return next((run for run in self.runs if run.due == moment), None)


def reschedule(series: IssueSeries, schedule: IssueSchedule | None, now: dt.datetime) -> IssueSeries:
    """The series with another schedule, from now on; due times in the past are not made up for."""
    runs = list_next_runs(schedule, now, count=1) if schedule and schedule.active else []
    return replace(series, active=bool(runs), next_run=runs[0] if runs else None)


def record_run(series: IssueSeries, run: IssueRun, schedule: IssueSchedule | None, now: dt.datetime) -> IssueSeries:
    """The series after the decision about its due time; due times missed meanwhile are covered by the same run."""
    return reschedule(replace(series, runs=(*series.runs, run)[-MAX_RUNS:]), schedule, now)


def set_run_outcome(
    series: IssueSeries, due: dt.datetime, outcome: Outcome, at: dt.datetime, reason: str = ""
) -> IssueSeries:
    """Set the outcome of a run."""
    runs = (replace(r, outcome=outcome, at=at, reason=reason) if r.due == due else r for r in series.runs)
    return replace(series, runs=tuple(runs))


def too_few_chunks_reason(chunks: Sequence[RetrievedChunk], plan: RetrievalPlan) -> str:
    """Why these chunks aren't enough for an issue, or an empty string. Chunks cited before don't count."""
    new = sum(not chunk.used_in for chunk in chunks)
    needed = max(MIN_NEW_CHUNKS, plan.chunks // _SHARE_THAT_IS_NEW)
    if new >= needed:
        return ""
    amount = counted(new, "new passage") if new else "no new passage"
    return (
        f"Not enough new sources: {amount} on these topics from the last {counted(plan.days, 'day')}, "
        f"and an issue needs {needed}; add sources or wait for the next run."
    )


def issue_configuration(series: Configuration, due: dt.datetime) -> Configuration:
    """The configuration of an issue: that of the series with a dated title and an inactive schedule."""
    zone = ZoneInfo(series.schedule.time_zone if series.schedule else "UTC")
    day = due.astimezone(zone)
    language = detect_language(series.title)
    mark = translate(gettext("%(title)s, %(day)s", title="", day=day.date()), language)
    return replace(deactivate_schedule(series), title=series.title[: MAX_TITLE_LENGTH - len(mark)] + mark)


def deactivate_schedule(configuration: Configuration) -> Configuration:
    """The configuration with an inactive schedule."""
    schedule = configuration.schedule
    return replace(configuration, schedule=replace(schedule, active=False) if schedule else None)
