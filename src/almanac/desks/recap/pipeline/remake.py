"""Queues an article again after a while, because extraction had to take the place of a model's answer."""

from contextlib import suppress
from datetime import timedelta

from almanac.desks.recap.store import tasks as store
from almanac.errors import Conflict, NotFound
from almanac.jobs import JobType, RunningJob
from almanac.kit.messages import gettext
from almanac.services import Services

MAX_FALLBACKS = 5
_WAIT = timedelta(hours=1)


async def schedule_remake(services: Services, pk: str) -> None:
    """Queue the task of a meeting again in an hour."""
    at = services.clock.now() + _WAIT
    await services.jobs.defer(REMAKE, {"pk": pk}, schedule_at=at, queueing_lock=f"recap.remake:{pk}")


async def _remake(job: RunningJob[Services], pk: str) -> None:
    # Someone may have deleted the task or queued it again in the meantime.
    with suppress(Conflict, NotFound):
        await store.remake_task(job.services.tables, pk)


REMAKE = JobType(
    "recap.remake",
    _remake,
    queue="recap",
    title=gettext("Ask the model again about a meeting"),
    about=("meeting", "pk"),
)
