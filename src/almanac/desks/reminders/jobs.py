"""The desk's jobs and schedules. Each may run twice: only the transition to `sending` lets a mail out."""

from dataclasses import dataclass
from typing import Any

import msgspec

from almanac.accounts.model import AUTOMATION
from almanac.desks.reminders import store
from almanac.desks.reminders.events import publish_overdue_events
from almanac.desks.reminders.formats.rows import ImportOptions
from almanac.desks.reminders.pipeline.context import BATCHES_FOLDER, load_requester
from almanac.desks.reminders.pipeline.dispatch import (
    advance_draft,
    follow_delivery,
    is_due,
    list_due_drafts,
    update_from_mail,
)
from almanac.desks.reminders.pipeline.drafts import MAX_BATCH_SIZE, WritingMethod, draft_many
from almanac.desks.reminders.pipeline.erasure import delete_expired
from almanac.desks.reminders.pipeline.imports import import_object_key, run_import
from almanac.desks.reminders.pipeline.model_letters import write_draft
from almanac.desks.reminders.pipeline.plan import find_due_customers
from almanac.errors import NotFound
from almanac.jobs import JobType, RunningJob, Schedule
from almanac.kit.ids import new_id
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext, ngettext
from almanac.services import Services

QUEUE = "reminders"
_TAKEN_BACK = gettext("Not sent: the approval was taken back.")
_NOT_DUE = gettext("Not sent yet: it was approved for a later moment.")


@dataclass(frozen=True, slots=True)
class StartedJob:
    """Work that was queued: the id under which its result will be, and the job's own id."""

    id: str
    job_id: int


async def _send(job: RunningJob[Services], draft_id: str) -> None:
    """Sends nothing if the approval was withdrawn meanwhile, or given again for a later moment; its result says so."""
    draft = await store.find_draft(job.services.tables, draft_id)
    if draft is not None and is_due(draft, job.services.clock.now()):
        status = await advance_draft(job.services, draft)
        if status is not None and status.reason:
            await job.progress(doing=status.reason)
    elif draft is not None:
        await job.progress(doing=_NOT_DUE if draft.state == "approved" else _TAKEN_BACK)


async def _follow(job: RunningJob[Services], draft_id: str) -> None:
    await follow_delivery(job.services, draft_id)


async def _mail_news(job: RunningJob[Services], mail_id: str) -> None:
    await update_from_mail(job.services, mail_id)


async def _keep_up(job: RunningJob[Services]) -> None:
    for done, draft in enumerate(await list_due_drafts(job.services), 1):
        await advance_draft(job.services, draft)
        await job.progress(done, None, ngettext("%(num)s reminder checked", "%(num)s reminders checked", done))
    await publish_overdue_events(job.services)


async def _import(job: RunningJob[Services], import_id: str, user_id: str, reading: dict[str, Any]) -> None:
    services, key = job.services, import_object_key(import_id, "file.csv")
    try:
        content = await services.objects.get(key)
    except NotFound:
        # An earlier attempt saved its report but crashed before it could say so.
        return
    by, options = await load_requester(services, user_id), msgspec.convert(reading, ImportOptions)
    await run_import(services, by, content, options, job.progress, import_id=import_id)
    await services.objects.delete(key)


async def _draft_many(
    job: RunningJob[Services],
    batch_id: str,
    user_id: str,
    customer_ids: list[str],
    how: WritingMethod,
    automatic: bool = False,
) -> None:
    services, by = job.services, await load_requester(job.services, user_id)
    outcomes = await draft_many(services, by, customer_ids, job.progress, how=how, automatic=automatic)
    await services.objects.put(f"{BATCHES_FOLDER}/{batch_id}.json", encode_json(outcomes))


async def _draft_due(job: RunningJob[Services]) -> None:
    """Queues batches for everybody who is due. A missed day is made up for, because a customer stays due."""
    services = job.services
    customers = await find_due_customers(services)
    async with job.unit() as unit:
        for start in range(0, len(customers), MAX_BATCH_SIZE):
            batch = customers[start : start + MAX_BATCH_SIZE]
            args = {"batch_id": new_id(), "user_id": AUTOMATION.user_id, "customer_ids": batch, "how": "template"}
            await services.jobs.defer(DRAFT_MANY, {**args, "automatic": True}, unit=unit)
    await job.progress(
        len(customers),
        len(customers),
        ngettext("%(num)s customer to be reminded", "%(num)s customers to be reminded", len(customers)),
    )


async def _write(
    job: RunningJob[Services], writing_id: str, draft_id: str, user_id: str, version: int, instruction: str = ""
) -> None:
    by = await load_requester(job.services, user_id)
    await write_draft(
        job.services, by, draft_id, job.progress, writing_id=writing_id, version=version, instruction=instruction
    )


async def _clean_up(job: RunningJob[Services]) -> None:
    await delete_expired(job.services)


_DRAFT_LOCK, _ABOUT = "reminders:{draft_id}", ("reminder", "draft_id")
SEND_REMINDER = JobType(
    "reminders.send", _send, queue=QUEUE, lock=_DRAFT_LOCK, title=gettext("Send a reminder"), about=_ABOUT
)
FOLLOW_DELIVERY = JobType(
    "reminders.follow", _follow, queue=QUEUE, lock=_DRAFT_LOCK, title=gettext("Check a reminder's mail"), about=_ABOUT
)
MAIL_NEWS = JobType(
    "reminders.news",
    _mail_news,
    queue=QUEUE,
    lock="reminders:{mail_id}",
    title=gettext("Store delivery status of a reminder"),
)
IMPORT = JobType(
    "reminders.import", _import, queue=QUEUE, lock="reminders.import", title=gettext("Import customers and invoices")
)
DRAFT_MANY = JobType("reminders.draft", _draft_many, queue=QUEUE, title=gettext("Draft reminders"))
WRITE_DRAFT = JobType(
    "reminders.write",
    _write,
    queue=QUEUE,
    lock="reminders.write:{draft_id}",
    title=gettext("Let the model write a reminder"),
    about=_ABOUT,
)
KEEP_UP = Schedule(
    "reminders.keep-up",
    JobType("reminders.keep-up", _keep_up, queue=QUEUE, lock="reminders.keep-up", title=gettext("Send due reminders")),
    "* * * * *",
)
CLEAN_UP = Schedule(
    "reminders.clear",
    JobType("reminders.clear", _clean_up, queue="housekeeping", title=gettext("Delete old imports and mails")),
    "50 3 * * *",
)
DRAFT_DUE = Schedule(
    "reminders.draft-due",
    JobType(
        "reminders.draft-due", _draft_due, queue=QUEUE, lock="reminders.draft-due", title=gettext("Draft due reminders")
    ),
    "30 4 * * *",
)
JOBS = (SEND_REMINDER, FOLLOW_DELIVERY, MAIL_NEWS, IMPORT, DRAFT_MANY, WRITE_DRAFT)
SCHEDULES = (KEEP_UP, CLEAN_UP, DRAFT_DUE)
