"""Making articles: claim a task, write about its record, publish, complete. A crash repeats no finished pack.

Nothing here is wrong to run in many places at once: only the holder of a lease works on a task.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta

import msgspec

from almanac.desks.recap.model.items import TaskChunk
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.recap import Recap
from almanac.desks.recap.pipeline.collect import ReportProgress
from almanac.desks.recap.pipeline.publish import publish_recap
from almanac.desks.recap.pipeline.write import write_recap
from almanac.desks.recap.store import tasks as store
from almanac.desks.recap.store.objects import load_record, object_url, prompt_key, result_key
from almanac.desks.recap.store.table import Task
from almanac.desks.recap.writer.packs import Pack, PackPlan
from almanac.desks.recap.writer.steps import PROMPT_VERSION
from almanac.errors import UNEXPECTED_ERROR, AlmanacError, Conflict, NotFound, Paused, Retryable, TooMany
from almanac.jobs import JobCancelled, JobLeaseLost
from almanac.llm.model_config import EXTRACTIVE
from almanac.services import Services
from tablature import Claim
from tablature.errors import LeaseLost as TaskTaken

logger = logging.getLogger(__name__)
_FIRST_DELAY = timedelta(minutes=1)
_LONGEST_DELAY = timedelta(hours=6)


@dataclass(slots=True)
class MakeResult:
    """How many tasks were completed, failed for good, or wait for another try.

    It `is_paused` where nothing may be written at present, whatever the task.
    """

    completed: int = 0
    failed: int = 0
    postponed: int = 0
    is_paused: bool = False

    @property
    def sentence(self) -> str:
        return f"{self.completed} written, {self.failed} failed, {self.postponed} to try again."


async def make_articles(services: Services, owner: str, *, report: ReportProgress) -> MakeResult:
    """Work until no task is left that somebody could work on, or until nothing may be written for a while."""
    await store.release_abandoned_tasks(services.tables, services.jobs.is_gone)
    await queue_waiting_tasks(services)
    made = MakeResult()
    while not made.is_paused and (claim := await store.claim_next_task(services.tables, owner)) is not None:
        await report(made.completed, None, made.sentence)
        await make_article(services, claim, made, report)
    await report(made.completed, made.completed, made.sentence)
    return made


async def queue_waiting_tasks(services: Services) -> int:
    """Let tasks that were collected, or are to be made again, be worked on by the writer of the settings."""
    model = services.settings.llm_model or EXTRACTIVE
    return await store.queue_waiting_tasks(
        services.tables, llm=model.partition(":")[0], model=model, prompt_version=PROMPT_VERSION
    )


async def make_article(services: Services, claim: Claim[Task], made: MakeResult, report: ReportProgress) -> None:
    """One task from its record to its article; whatever goes wrong is kept with the task."""
    tables = services.tables
    try:
        await _make(services, claim, report)
        made.completed += 1
    except TaskTaken:
        # The lease ran out and another has the task now.
        return
    except (JobCancelled, JobLeaseLost):
        with suppress(TaskTaken):
            await store.release_without_attempt(tables, claim, "The job was stopped.")
        raise
    except Paused as error:
        # Others would meet the same. The next run asks again, so that a raised cap is noticed within minutes.
        made.is_paused = True
        with suppress(TaskTaken):
            await store.release_without_attempt(tables, claim, error.sentence)
            made.postponed += 1
    except Retryable as error:
        with suppress(TaskTaken):
            await store.release_task(tables, claim, error.sentence, delay=_delay(claim, error))
            made.postponed += 1
    except Exception as error:
        # One sitting that can't be written must not keep the others waiting; people find the reason at its task.
        logger.warning("a sitting could not be written", exc_info=True, extra={"task_pk": claim.item.pk})
        reason = error.sentence if isinstance(error, AlmanacError) else UNEXPECTED_ERROR
        with suppress(TaskTaken):
            await store.fail_task(tables, claim, reason)
            made.failed += 1


def _delay(claim: Claim[Task], error: Retryable) -> timedelta:
    asked = timedelta(seconds=error.retry_after) if isinstance(error, TooMany) else timedelta(0)
    return max(asked, min(_FIRST_DELAY * 3.0 ** (claim.attempt - 1), _LONGEST_DELAY))


async def _make(services: Services, claim: Claim[Task], report: ReportProgress) -> None:
    task = claim.item
    meeting = await load_record(services, task.raw_url or "")
    keeping = TaskPackStore(services, claim, meeting, report)
    recap = await write_recap(
        meeting,
        writer=services.writer,
        clock=services.clock,
        keeping=keeping,
        budget=services.settings.recap_pack_tokens,
    )
    result_url = await _keep_result(services, task.pk, recap)
    await services.tables.heartbeat(keeping.claim)
    reason = "" if task.article_id is None else _reason(task, recap)
    published = await publish_recap(services, meeting, recap, record_url=task.raw_url or "", reason=reason)
    await store.complete_task(
        services.tables,
        keeping.claim,
        result_url=result_url,
        article_id=published.article_id,
        written_digest=meeting.digest,
    )


def _reason(task: Task, recap: Recap) -> str:
    """Why there is another version."""
    if task.written_digest != task.record_digest:
        return "The official record was changed."
    return f"Made again by {recap.provenance.model}, prompt {recap.provenance.prompt_version}."


async def _keep_result(services: Services, pk: str, recap: Recap) -> str:
    key = result_key(pk, "recap")
    await services.objects.put(key, msgspec.json.encode(recap))
    return object_url(services.settings, key)


@dataclass(slots=True)
class TaskPackStore:
    """Keeps the packs of a sitting with its task: each result is an object, and the task says which are finished."""

    services: Services
    claim: Claim[Task]
    meeting: Meeting
    report: ReportProgress
    plan: PackPlan | None = None
    finished: set[int] = field(default_factory=set)
    keys: dict[int, str] = field(default_factory=dict)

    async def planned(self, plan: PackPlan) -> None:
        """The packs are known; what they consist of is kept beside the task."""
        self.plan, self.finished, self.keys = plan, set(), {}
        for pack in plan.packs:
            await self._put(prompt_key(self._pk, str(pack.number)), msgspec.json.encode(self._prompt(pack)))
        await self._put(prompt_key(self._pk, "whole"), msgspec.json.encode(self._prompt(None)))
        await self._note()

    async def find(self, pack: Pack, key: str) -> bytes | None:
        """What an earlier run wrote about this pack of this record by this prompt."""
        try:
            found = await self.services.objects.get(result_key(self._pk, key))
        except NotFound:
            return None
        await self._finish(pack, key)
        return found

    async def keep(self, pack: Pack, key: str, result: bytes) -> None:
        """Keep a finished pack, and the lease with it."""
        await self._put(result_key(self._pk, key), result)
        await self._finish(pack, key)

    @property
    def _pk(self) -> str:
        return self.claim.item.pk

    async def _put(self, key: str, content: bytes) -> None:
        await self.services.objects.put(key, content)

    def _prompt(self, pack: Pack | None) -> dict[str, object]:
        told = {"prompt_version": PROMPT_VERSION, "issueID": self.meeting.issue_id, "raw_url": self.claim.item.raw_url}
        return {**told, "mode": "reduce"} if pack is None else {**told, "mode": "map", "pack": pack}

    async def _finish(self, pack: Pack, key: str) -> None:
        self.finished.add(pack.number)
        self.keys[pack.number] = key
        await self._note()
        total = len(self.plan.packs) if self.plan else 0
        await self.report(
            None, None, f"{self.meeting.meeting} {self.meeting.date}: {len(self.finished)} of {total} parts"
        )

    async def _note(self) -> None:
        """A sitting in one pack has no chunks; its prompt is the pack's."""
        plan = self.plan
        assert plan is not None
        single = plan.mode == "single_chunk"
        prompt = object_url(self.services.settings, prompt_key(self._pk, "0" if single else "whole"))
        chunks = [] if single else [self._chunk(pack) for pack in plan.packs]
        self.claim = await store.save_chunks(
            self.services.tables, self.claim, chunks, mode=plan.mode, prompt_url=prompt
        )

    def _chunk(self, pack: Pack) -> TaskChunk:
        settings = self.services.settings
        prompt = object_url(settings, prompt_key(self._pk, str(pack.number)))
        chunk = TaskChunk(prompt_url=prompt, status="pending", based_on_orders=list(pack.orders))
        if pack.number in self.finished:
            chunk["status"] = "completed"
            chunk["result_url"] = object_url(settings, result_key(self._pk, self.keys[pack.number]))
        return chunk


def major_version(version: str | None) -> str:
    """The part of a prompt's version that makes articles anew."""
    return (version or "").partition(".")[0]


async def remake_outdated_articles(services: Services) -> int:
    """Have every article made again whose prompt has another major version than today's; returns how many."""
    outdated = [
        task.pk
        async for task in store.iterate_tasks(services.tables, "completed")
        if task.raw_url and major_version(task.prompt_version) != major_version(PROMPT_VERSION)
    ]
    remade = 0
    for pk in outdated:
        # One that somebody removed, or has made again already, is none of ours any more.
        with suppress(Conflict, NotFound):
            await store.remake_task(services.tables, pk)
            remade += 1
    return remade
