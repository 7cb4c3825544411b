"""The desk's long work as jobs with progress: importing a file, drafting a batch, clearing away old imports."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import msgspec

from almanac.accounts.model import AUTOMATION, CONSOLE, Principal
from almanac.desks.reminders.importing.applying import check_readable
from almanac.desks.reminders.importing.entries import Reading
from almanac.desks.reminders.model.moves import DRAFTS_KEPT
from almanac.desks.reminders.sending.deciding import READ, WRITE
from almanac.desks.reminders.sending.erasing import IMPORTS, PLANS, WRITINGS
from almanac.desks.reminders.sending.following import TOPIC
from almanac.desks.reminders.service.drafting import MOST_AT_ONCE, DraftOutcome, How, draft_many
from almanac.desks.reminders.service.importing import import_here, part
from almanac.desks.reminders.service.planning import due_customers
from almanac.desks.reminders.table import SENT_KEPT_DAYS
from almanac.errors import InputError, NotAllowed, NotFound
from almanac.jobs import JobType, RunningJob, Schedule
from almanac.kit.ids import new_id
from almanac.kit.text import counted
from almanac.mail.model import Outlived
from almanac.saved.owners import owner_of
from almanac.services import Services

QUEUE = "reminders"
KEPT = timedelta(days=30)
BATCHES = "reminders/batches"
_KEPT_FOR = {IMPORTS: KEPT, BATCHES: KEPT, WRITINGS: KEPT, PLANS: timedelta(days=1)}


@dataclass(frozen=True, slots=True)
class StartedWork:
    """Work that was queued: its own id, under which its result will be, and the job's."""

    id: str
    job_id: int


async def start_import(services: Services, by: Principal, content: bytes, reading: Reading) -> StartedWork:
    """Import a file in a job; its report is there when the job has ended."""
    by.require(WRITE)
    await check_readable(content, reading)
    import_id = new_id()
    await services.objects.put(part(import_id, "file.csv"), content, content_type="text/csv")
    args = {"import_id": import_id, "user_id": by.user_id, "reading": msgspec.to_builtins(reading)}
    return StartedWork(import_id, await services.jobs.defer(IMPORT, args))


async def _import(job: RunningJob[Services], import_id: str, user_id: str, reading: dict[str, Any]) -> None:
    services, key = job.services, part(import_id, "file.csv")
    try:
        content = await services.objects.get(key)
    except NotFound:
        # An attempt before this one has ended with its report and could not say so any more.
        return
    by = await person_asking(services, user_id)
    said = msgspec.convert(reading, Reading)
    await import_here(services, by, content, said, job.progress, import_id=import_id)
    await services.objects.delete(key)


async def start_drafting(
    services: Services, by: Principal, customer_ids: Sequence[str] | None = None, *, how: How = "template"
) -> StartedWork:
    """Draft reminders for these customers, or for the first who may be reminded now, in a job."""
    by.require(WRITE)
    customers = list(dict.fromkeys(customer_ids)) if customer_ids is not None else await due_customers(services, by)
    if not customers:
        raise InputError("Nobody can be reminded now; the plan says why.")
    if len(customers) > MOST_AT_ONCE:
        raise InputError(f"Draft at most {MOST_AT_ONCE} customers at once.")
    batch = new_id()
    args = {"batch_id": batch, "user_id": by.user_id, "customer_ids": customers, "how": how}
    return StartedWork(batch, await services.jobs.defer(DRAFT_MANY, args))


async def _draft_many(
    job: RunningJob[Services], batch_id: str, user_id: str, customer_ids: list[str], how: How, automatic: bool = False
) -> None:
    services, by = job.services, await person_asking(job.services, user_id)
    outcomes = await draft_many(services, by, customer_ids, job.progress, how=how, automatic=automatic)
    await services.objects.put(f"{BATCHES}/{batch_id}.json", msgspec.json.encode(outcomes))


async def drafted(services: Services, by: Principal, batch_id: str) -> list[DraftOutcome]:
    """What a batch came to, for each customer and currency."""
    by.require(READ)
    return msgspec.json.decode(await read_batch(services, f"{batch_id}.json"), type=list[DraftOutcome])


async def read_batch(services: Services, name: str) -> bytes:
    """What was kept of a batch."""
    try:
        if "/" not in name:
            return await services.objects.get(f"{BATCHES}/{name}")
    except NotFound:
        pass
    raise NotFound("There is no such batch; it has not ended yet, or it is over a month old.")


async def person_asking(services: Services, user_id: str) -> Principal:
    """Whoever asked for the work, with the rights that they have now."""
    if user_id == CONSOLE.user_id:
        return CONSOLE
    person = await owner_of(services.accounts, user_id)
    if person is None:
        raise NotAllowed("The account of whoever asked for this is closed; ask for it anew.")
    return person


async def _draft_due(job: RunningJob[Services]) -> None:
    """Batches for everybody whose turn it is. A day that was missed is made up for, because turns don't pass."""
    services = job.services
    customers = await due_customers(services, AUTOMATION, limit=None)
    async with job.unit() as unit:
        for start in range(0, len(customers), MOST_AT_ONCE):
            some = customers[start : start + MOST_AT_ONCE]
            args = {"batch_id": new_id(), "user_id": AUTOMATION.user_id, "customer_ids": some, "how": "template"}
            await services.jobs.defer(DRAFT_MANY, {**args, "automatic": True}, unit=unit)
    await job.progress(len(customers), len(customers), f"{counted(len(customers), 'customer')} to be reminded")


async def _clear(job: RunningJob[Services]) -> None:
    objects, now = job.services.objects, job.services.clock.now()
    for folder, kept in _KEPT_FOR.items():
        before = now - kept
        old = [listed.key async for listed in objects.iterate(folder) if listed.modified_at < before]
        for key in old:
            await objects.delete(key)
    await _forget_mails(job.services)


async def _forget_mails(services: Services) -> None:
    """The mail's own record tells as long as the reminder's: of what was sent a year, of what never left a month."""
    now = services.clock.now()
    old = Outlived(TOPIC, now - timedelta(days=SENT_KEPT_DAYS), now - DRAFTS_KEPT)
    await services.mailer.erase_old(old)


IMPORT = JobType(
    "reminders.import", _import, queue=QUEUE, lock="reminders.import", title="Import customers and invoices"
)
DRAFT_MANY = JobType("reminders.draft", _draft_many, queue=QUEUE, title="Draft reminders")
CLEAR = Schedule(
    "reminders.clear",
    JobType("reminders.clear", _clear, queue="housekeeping", title="Clear away old imports and mails"),
    "50 3 * * *",
)
DRAFT_DUE = Schedule(
    "reminders.draft-due",
    JobType("reminders.draft-due", _draft_due, queue=QUEUE, lock="reminders.draft-due", title="Draft what is due"),
    "30 4 * * *",
)
BULK_JOBS = (IMPORT, DRAFT_MANY)
BULK_SCHEDULES = (CLEAR, DRAFT_DUE)
