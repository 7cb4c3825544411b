"""The desk's jobs: collect the records of some days, every day those of the last weeks, and write what waits."""

from contextlib import suppress
from datetime import date, timedelta

from almanac.desks.recap.pipeline.adopt import adopt_all_articles, adopt_recent_articles
from almanac.desks.recap.pipeline.alert_matches import MATCH_ALERTS
from almanac.desks.recap.pipeline.bulk_files import make_bulk_files
from almanac.desks.recap.pipeline.collect import collect_meetings, configured_sources
from almanac.desks.recap.pipeline.make import make_articles, remake_outdated_articles
from almanac.desks.recap.pipeline.remake import REMAKE
from almanac.desks.recap.pipeline.status import settle_unfinished
from almanac.desks.recap.sources.port import DaySpan
from almanac.jobs import JobType, RunningJob, Schedule
from almanac.kit.messages import gettext
from almanac.services import Services

QUEUE = "recap"
LOOK_BACK = timedelta(days=21)


class _NotYet(Exception):
    """Rolls back the check of a step, so that checking doesn't mark it as done."""


def _take_back(is_first: bool) -> None:
    if is_first:
        raise _NotYet


async def _collect(job: RunningJob[Services], since: str, until: str) -> None:
    await _collect_days(job, date.fromisoformat(since), date.fromisoformat(until))


async def _collect_lately(job: RunningJob[Services]) -> None:
    """Remake articles of outdated prompts; then collect the last weeks, since records appear and change for weeks."""
    services = job.services
    await adopt_all_articles(services)
    await remake_outdated_articles(services)
    await services.jobs.defer(WORK, queueing_lock=WORK.name)
    if services.settings.recap_daily:
        today = services.clock.now().date()
        await _collect_days(job, today - LOOK_BACK, today)


async def _collect_days(job: RunningJob[Services], since: date, until: date) -> None:
    async def is_done(source: str, span: DaySpan) -> bool:
        with suppress(_NotYet):
            async with job.unit() as unit:
                _take_back(await job.once(unit, f"collected {source} {span}"))
                return True
        return False

    async def mark(source: str, span: DaySpan) -> None:
        async with job.unit() as unit:
            await job.once(unit, f"collected {source} {span}")

    sources = configured_sources(job.services)
    result = await collect_meetings(
        job.services, sources, since, until, report=job.progress, is_done=is_done, mark=mark
    )
    await job.services.jobs.defer(WORK, queueing_lock=WORK.name)
    result.raise_failures()


async def _work(job: RunningJob[Services]) -> None:
    await settle_unfinished(job.services)
    await adopt_recent_articles(job.services)
    await make_articles(job.services, job.holder, report=job.progress)


async def _make_bulk_files(job: RunningJob[Services]) -> None:
    await make_bulk_files(job.services, report=job.progress)


# Requests to a source are made one after the other, so there is one collection at a time.
COLLECT = JobType(
    "recap.collect", _collect, queue=QUEUE, lock="recap.collect", title=gettext("Collect records of parliament")
)
WORK = JobType("recap.work", _work, queue=QUEUE, title=gettext("Write about meetings"))
COLLECT_DAILY = Schedule(
    "recap.collect-lately",
    JobType(
        "recap.collect-lately",
        _collect_lately,
        queue=QUEUE,
        lock="recap.collect",
        title=gettext("Collect records of recent weeks"),
    ),
    "40 18 * * *",
)
WORK_REGULARLY = Schedule("recap.work", WORK, "*/5 * * * *")
MAKE_BULK_FILES = Schedule(
    "recap.bulk-files",
    JobType(
        "recap.bulk-files",
        _make_bulk_files,
        queue=QUEUE,
        lock="recap.bulk-files",
        title=gettext("Make files of meetings for everybody"),
    ),
    "25 * * * *",
)
JOBS = (COLLECT, WORK, REMAKE, MATCH_ALERTS)
SCHEDULES = (COLLECT_DAILY, WORK_REGULARLY, MAKE_BULK_FILES)
