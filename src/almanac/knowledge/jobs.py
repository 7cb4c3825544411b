"""The jobs of knowledge: read a source, refresh feeds and pages, and delete sources removed long ago."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from almanac.jobs import JobsPort, JobType, RunningJob, Schedule
from almanac.kit.messages import gettext, ngettext
from almanac.knowledge import store
from almanac.knowledge.source_reader import READ_RETRY, SourceReader
from almanac.relational import Unit

QUEUE = "knowledge"
FEED_INTERVAL, PAGE_INTERVAL = timedelta(hours=1), timedelta(days=1)
RESTORE_PERIOD = timedelta(days=7)
_BATCH_SIZE = 200
# A feed that is looked at each hour by an hourly schedule must not miss its turn by a second.
_SCHEDULE_SLACK = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class KnowledgeJobs:
    """Declares the jobs of knowledge and queues them."""

    reader: SourceReader
    jobs: JobsPort

    @property
    def read_task(self) -> JobType:
        return JobType(
            "knowledge.read",
            self.reader.read,
            queue=QUEUE,
            retry=READ_RETRY,
            lock="knowledge:{source_id}",
            title=gettext("Read a knowledge source"),
            about=("source", "source_id"),
        )

    @property
    def schedules(self) -> Sequence[Schedule]:
        look = JobType("knowledge.look-again", self._look_again, queue=QUEUE, title=gettext("Refresh feeds and pages"))
        clear = JobType(
            "knowledge.clear",
            self._clear,
            queue="housekeeping",
            title=gettext("Delete removed sources"),
        )
        return (
            Schedule("knowledge.look-again", look, "7 * * * *"),
            Schedule("knowledge.clear", clear, "40 3 * * *"),
        )

    async def queue_reading(self, unit: Unit, source_id: str) -> None:
        """Queue reading a source once this transaction has committed; one that is waiting isn't queued twice."""
        args = {"source_id": source_id}
        job_id = await self.jobs.defer(self.read_task, args, unit=unit, queueing_lock=f"knowledge.read:{source_id}")
        await store.set_waiting(unit, source_id, job_id)

    async def _look_again(self, job: RunningJob[Any]) -> None:
        now = self.reader.clock.now() + _SCHEDULE_SLACK
        queued = 0
        while True:
            async with job.unit() as unit:
                due = await store.list_due(
                    unit, feeds_before=now - FEED_INTERVAL, pages_before=now - PAGE_INTERVAL, limit=_BATCH_SIZE
                )
                for source_id in due:
                    await self.queue_reading(unit, source_id)
            queued += len(due)
            await job.progress(queued, None, ngettext("%(num)s source queued", "%(num)s sources queued", queued))
            if len(due) < _BATCH_SIZE:
                return

    async def _clear(self, job: RunningJob[Any]) -> None:
        before = self.reader.clock.now() - RESTORE_PERIOD
        cleared = 0
        while True:
            async with job.unit() as unit:
                over = await store.list_removed(unit, before, _BATCH_SIZE)
            for source_id in over:
                async with job.unit() as unit:
                    # The bytes go before the row is gone for good: without it nobody would find them again.
                    if await store.delete_source(unit, source_id):
                        await self.reader.objects.delete_prefix(f"knowledge/{source_id}")
            cleared += len(over)
            await job.progress(
                cleared, None, ngettext("%(num)s source cleared away", "%(num)s sources cleared away", cleared)
            )
            if len(over) < _BATCH_SIZE:
                return
