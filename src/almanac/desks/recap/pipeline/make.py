"""Makes articles from tasks: claim a task, write about its record, publish, complete.

Any number of workers may run at once: only the holder of a lease works on a task. A crash repeats no finished pack.
"""

import logging
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta

from almanac.desks.recap.model.items import TaskChunk
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.recap import Recap
from almanac.desks.recap.pipeline.collect import ReportProgress
from almanac.desks.recap.pipeline.publish import publish_recap
from almanac.desks.recap.pipeline.remake import MAX_FALLBACKS, schedule_remake
from almanac.desks.recap.pipeline.write import write_recap
from almanac.desks.recap.store import tasks as store
from almanac.desks.recap.store.addresses import object_url
from almanac.desks.recap.store.objects import load_record, prompt_key, result_key
from almanac.desks.recap.store.table import Task
from almanac.desks.recap.writer.packs import Pack, PackPlan
from almanac.desks.recap.writer.steps import PROMPT_VERSION
from almanac.errors import UNEXPECTED_ERROR, AlmanacError, Conflict, NotFound, Paused, Retryable, TooMany
from almanac.jobs import JobCancelled, JobLeaseLost
from almanac.kit.json_text import encode_json
from almanac.llm.model_config import EXTRACTIVE
from almanac.services import Services
from tablature import Claim
from tablature.errors import LeaseLost as TaskTaken

logger = logging.getLogger(__name__)
_FIRST_DELAY = timedelta(minutes=1)
_LONGEST_DELAY = timedelta(hours=6)


@dataclass(slots=True)
class MakeResult:
    """How many tasks were completed, failed for good, or will be tried again.

    `is_paused` if nothing may be written at present, as when a spending cap is reached.
    """

    completed: int = 0
    failed: int = 0
    postponed: int = 0
    is_paused: bool = False

    @property
    def sentence(self) -> str:
        return f"{self.completed} written, {self.failed} failed, {self.postponed} to try again."


async def make_articles(services: Services, owner: str, *, report: ReportProgress) -> MakeResult:
    """Work on tasks until none is left, or until writing is paused."""
    await store.release_abandoned_tasks(services.tables, services.jobs.is_gone)
    await queue_waiting_tasks(services)
    result = MakeResult()
    while not result.is_paused and (claim := await store.claim_next_task(services.tables, owner)) is not None:
        await report(result.completed, None, result.sentence)
        await make_article(services, claim, result, report)
    await report(result.completed, result.completed, result.sentence)
    return result


async def queue_waiting_tasks(services: Services) -> int:
    """Queue collected tasks, and those to make again, for the configured writer. Returns how many."""
    model = services.settings.llm_model or EXTRACTIVE
    return await store.queue_waiting_tasks(
        services.tables, llm=model.partition(":")[0], model=model, prompt_version=PROMPT_VERSION
    )


async def make_article(services: Services, claim: Claim[Task], result: MakeResult, report: ReportProgress) -> None:
    """Make the article of one task; errors are stored with the task."""
    tables = services.tables
    try:
        await _make(services, claim, report)
        result.completed += 1
    except TaskTaken:
        # The lease expired and another worker has the task now.
        return
    except (JobCancelled, JobLeaseLost):
        with suppress(TaskTaken):
            await store.release_without_attempt(tables, claim, "The job was stopped.")
        raise
    except Paused as error:
        # Other tasks would be paused too. The next run tries again, so a raised cap takes effect within minutes.
        result.is_paused = True
        with suppress(TaskTaken):
            await store.release_without_attempt(tables, claim, str(error.sentence))
            result.postponed += 1
    except Retryable as error:
        with suppress(TaskTaken):
            await store.release_task(tables, claim, str(error.sentence), delay=_delay(claim, error))
            result.postponed += 1
    except Exception as error:
        # One meeting that can't be written must not block the others; its task shows the reason.
        logger.warning("a sitting could not be written", exc_info=True, extra={"task_pk": claim.item.pk})
        reason = str(error.sentence) if isinstance(error, AlmanacError) else str(UNEXPECTED_ERROR)
        with suppress(TaskTaken):
            await store.fail_task(tables, claim, reason)
            result.failed += 1


def _delay(claim: Claim[Task], error: Retryable) -> timedelta:
    asked = timedelta(seconds=error.retry_after) if isinstance(error, TooMany) else timedelta(0)
    return max(asked, min(_FIRST_DELAY * 3.0 ** (claim.attempt - 1), _LONGEST_DELAY))


async def _make(services: Services, claim: Claim[Task], report: ReportProgress) -> None:
    task = claim.item
    meeting = await load_record(services, task.raw_url or "")
    pack_store = TaskPackStore(services, claim, meeting, report)
    recap = await write_recap(
        meeting,
        writer=services.writer,
        clock=services.clock,
        pack_store=pack_store,
        budget=services.settings.recap_pack_tokens,
        judge=services.judge,
    )
    result_url = await _save_recap(services, task.pk, recap)
    await services.tables.heartbeat(pack_store.claim)
    reason = "" if task.article_id is None else _reason(task, recap)
    published = await publish_recap(services, meeting, recap, record_url=task.raw_url or "", reason=reason)
    fallback = recap.provenance.fallback
    fallbacks = (task.fallbacks or 0) + 1 if fallback is not None else 0
    await store.complete_task(
        services.tables,
        pack_store.claim,
        result_url=result_url,
        article_id=published.article_id,
        written_digest=meeting.digest,
        fallbacks=fallbacks,
    )
    if fallback is not None and fallback.asks_again and fallbacks < MAX_FALLBACKS:
        await schedule_remake(services, task.pk)


def _reason(task: Task, recap: Recap) -> str:
    """Why there is a new version."""
    if task.written_digest != task.record_digest:
        return "The official record was changed."
    return f"Made again by {recap.provenance.model}, prompt {recap.provenance.prompt_version}."


async def _save_recap(services: Services, pk: str, recap: Recap) -> str:
    key = result_key(pk, "recap")
    await services.objects.put(key, encode_json(recap))
    return object_url(services.settings, key)


@dataclass(slots=True)
class TaskPackStore:
    """Stores the packs of a meeting with its task: each result as an object, and its status in the task."""

    services: Services
    claim: Claim[Task]
    meeting: Meeting
    report: ReportProgress
    plan: PackPlan | None = None
    finished: set[int] = field(default_factory=set)
    keys: dict[int, str] = field(default_factory=dict)

    async def start_plan(self, plan: PackPlan) -> None:
        """Store what each pack consists of, and the packs' status in the task."""
        self.plan, self.finished, self.keys = plan, set(), {}
        for pack in plan.packs:
            await self._put(prompt_key(self._pk, str(pack.number)), encode_json(self._prompt(pack)))
        await self._put(prompt_key(self._pk, "whole"), encode_json(self._prompt(None)))
        await self._save_status()

    async def find_result(self, pack: Pack, key: str) -> bytes | None:
        """The result of an earlier run for the same pack, record and prompt; None if there is none."""
        try:
            content = await self.services.objects.get(result_key(self._pk, key))
        except NotFound:
            return None
        await self._finish(pack, key)
        return content

    async def save_result(self, pack: Pack, key: str, result: bytes) -> None:
        """Store a finished pack and extend the lease."""
        await self._put(result_key(self._pk, key), result)
        await self._finish(pack, key)

    @property
    def _pk(self) -> str:
        return self.claim.item.pk

    async def _put(self, key: str, content: bytes) -> None:
        await self.services.objects.put(key, content)

    def _prompt(self, pack: Pack | None) -> dict[str, object]:
        fields = {
            "prompt_version": PROMPT_VERSION,
            "issueID": self.meeting.issue_id,
            "raw_url": self.claim.item.raw_url,
        }
        return {**fields, "mode": "reduce"} if pack is None else {**fields, "mode": "map", "pack": pack}

    async def _finish(self, pack: Pack, key: str) -> None:
        self.finished.add(pack.number)
        self.keys[pack.number] = key
        await self._save_status()
        total = len(self.plan.packs) if self.plan else 0
        await self.report(
            None, None, f"{self.meeting.meeting} {self.meeting.date}: {len(self.finished)} of {total} parts"
        )

    async def _save_status(self) -> None:
        """Store the status of all packs in the task. A meeting in one pack has no chunks."""
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
    """The major part of a prompt version; a change of it remakes articles."""
    return (version or "").partition(".")[0]


async def remake_outdated_articles(services: Services) -> int:
    """Remake every article whose prompt has another major version than today's; returns how many."""
    outdated = [
        task.pk
        async for task in store.iterate_tasks(services.tables, "completed")
        if store.is_ours(task) and major_version(task.prompt_version) != major_version(PROMPT_VERSION)
    ]
    remade = 0
    for pk in outdated:
        # Someone may have deleted the task or queued it again in the meantime.
        with suppress(Conflict, NotFound):
            await store.remake_task(services.tables, pk)
            remade += 1
    return remade
