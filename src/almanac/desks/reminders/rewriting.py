"""A draft written by the model in a job. The words go into the draft as it was when somebody asked for them.

Where somebody changed the draft meanwhile, that stays, and the model's words are kept beside it.
"""

from dataclasses import dataclass, replace

import msgspec

from almanac.accounts.model import Principal
from almanac.desks.reminders import sending, service, store
from almanac.desks.reminders.bulk import QUEUE, StartedWork, person_asking
from almanac.desks.reminders.model.draft import Draft, Facts, Wording, split_draft_id
from almanac.desks.reminders.sending.deciding import READ, WRITE
from almanac.desks.reminders.sending.erasing import WRITINGS
from almanac.errors import Conflict, NotFound
from almanac.jobs import JobType, RunningJob
from almanac.kit.ids import new_id
from almanac.services import Services

CHANGED = "Somebody changed the draft while the model wrote; that stays as it is."
GONE = "The draft was sent or given up while the model wrote."


@dataclass(frozen=True, slots=True)
class Written:
    """What the model wrote for a draft; `aside` says why it is not in the draft."""

    draft_id: str
    wording: Wording
    facts: Facts
    aside: str = ""


async def start_writing(services: Services, by: Principal, draft_id: str, *, instruction: str = "") -> StartedWork:
    """Have the model write a draft anew on what is owed now, in a job; `instruction` is a wish for it."""
    by.require(WRITE)
    draft = await store.get_draft(services.tables, draft_id)
    await service.require_debt(services, draft)
    writing = new_id()
    args = {
        "writing_id": writing,
        "draft_id": draft_id,
        "user_id": by.user_id,
        "version": draft.version,
        "instruction": instruction,
    }
    return StartedWork(writing, await services.jobs.defer(WRITE_DRAFT, args))


async def _write(
    job: RunningJob[Services], writing_id: str, draft_id: str, user_id: str, version: int, instruction: str = ""
) -> None:
    services, by = job.services, await person_asking(job.services, user_id)
    await job.progress(0, 2, "The model writes")
    written = await _earlier(services, draft_id, writing_id)
    if written is None:
        wording, facts = await service.worded_anew(services, draft_id, how="model", instruction=instruction)
        written = Written(draft_id, wording, facts)
        await _keep(services, writing_id, written)
    await job.progress(1, 2, "The words go into the draft")
    await _keep(services, writing_id, replace(written, aside=await put_in(services, by, written, version)))
    await job.progress(2, 2, "Written")


async def put_in(services: Services, by: Principal, written: Written, version: int) -> str:
    """Put the words into the draft; where they can't go there, say why."""
    try:
        await sending.rewrite(services, by, written.draft_id, written.wording, facts=written.facts, expected=version)
    except Conflict:
        # An attempt before this one may have put them in, and not been able to say so.
        known, words = await store.find_draft(services.tables, written.draft_id), written.wording
        same = known is not None and (known.wording.subject, known.wording.text) == (words.subject, words.text)
        return "" if same else CHANGED
    except NotFound:
        return GONE
    return ""


async def written(services: Services, by: Principal, draft_id: str, writing_id: str) -> Written:
    """What the model wrote, and whether it is in the draft."""
    by.require(READ)
    found = await _earlier(services, draft_id, writing_id) if "/" not in f"{draft_id}{writing_id}" else None
    if found is None:
        raise NotFound("There is no such writing; the model writes still, or it is over a month ago.")
    return found


async def use_writing(services: Services, by: Principal, draft_id: str, writing_id: str) -> Draft:
    """Words that were kept aside take the place of what the draft says now; a person decides so."""
    by.require(WRITE)
    kept = await written(services, by, draft_id, writing_id)
    words = kept.wording
    draft = await service.edit_draft(services, by, kept.draft_id, subject=words.subject, text=words.text)
    await _keep(services, writing_id, replace(kept, aside=""))
    return draft


async def _earlier(services: Services, draft_id: str, writing_id: str) -> Written | None:
    try:
        content = await services.objects.get(_place(draft_id, writing_id))
    except NotFound:
        return None
    return msgspec.json.decode(content, type=Written)


async def _keep(services: Services, writing_id: str, written: Written) -> None:
    await services.objects.put(_place(written.draft_id, writing_id), msgspec.json.encode(written))


def _place(draft_id: str, writing_id: str) -> str:
    """Among what is kept of the customer, so that it goes when they are erased."""
    return f"{WRITINGS}/{split_draft_id(draft_id)[1]}/{writing_id}.json"


WRITE_DRAFT = JobType(
    "reminders.write", _write, queue=QUEUE, lock="reminders.write:{draft_id}", title="Have the model write a reminder"
)
WRITING_JOBS = (WRITE_DRAFT,)
