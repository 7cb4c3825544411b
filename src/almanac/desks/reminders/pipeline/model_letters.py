"""A draft written by the model in a job. The letter goes into the draft as it was when somebody asked for it.

If somebody changed the draft meanwhile, that change stays and the model's letter is kept beside it.
"""

from dataclasses import dataclass, replace

import msgspec

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.model.draft import DebtFacts, LetterWording, split_draft_id
from almanac.desks.reminders.pipeline.context import WRITINGS_FOLDER
from almanac.desks.reminders.pipeline.drafts import replace_wording, reword_draft
from almanac.errors import Conflict, NotFound
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext
from almanac.kit.progress import Progress
from almanac.services import Services

DRAFT_CHANGED = str(gettext("Somebody changed the draft while the model was writing; their change stays."))
DRAFT_GONE = str(gettext("The draft was sent or cancelled while the model was writing."))


@dataclass(frozen=True, slots=True)
class ModelWriting:
    """What the model wrote for a draft; `aside` says why it isn't in the draft, and is empty if it is."""

    draft_id: str
    wording: LetterWording
    facts: DebtFacts
    aside: str = ""


async def write_draft(
    services: Services,
    by: Principal,
    draft_id: str,
    progress: Progress,
    *,
    writing_id: str,
    version: int,
    instruction: str = "",
) -> None:
    """Let the model write, keep the result, and insert it into the draft if that is still of `version`."""
    await progress(0, 2, gettext("The model is writing"))
    writing = await load_writing(services, draft_id, writing_id)
    if writing is None:
        wording, facts = await reword_draft(services, draft_id, how="model", instruction=instruction)
        writing = ModelWriting(draft_id, wording, facts)
        await save_writing(services, writing_id, writing)
    await progress(1, 2, gettext("Updating the draft"))
    aside = await insert_writing(services, by, writing, version)
    await save_writing(services, writing_id, replace(writing, aside=aside))
    await progress(2, 2, gettext("Written"))


async def insert_writing(services: Services, by: Principal, writing: ModelWriting, version: int) -> str:
    """Put the letter into the draft; returns why it could not, or an empty text."""
    wording = writing.wording
    try:
        await replace_wording(services, by, writing.draft_id, wording, facts=writing.facts, expected=version)
    except Conflict:
        # An earlier attempt may have inserted it without being able to say so.
        draft = await store.find_draft(services.tables, writing.draft_id)
        is_inserted = draft is not None and (draft.wording.subject, draft.wording.text) == (
            wording.subject,
            wording.text,
        )
        return "" if is_inserted else DRAFT_CHANGED
    except NotFound:
        return DRAFT_GONE
    return ""


async def load_writing(services: Services, draft_id: str, writing_id: str) -> ModelWriting | None:
    """What the model wrote; None if it hasn't finished or the result expired."""
    try:
        content = await services.objects.get(_writing_key(draft_id, writing_id))
    except NotFound:
        return None
    return msgspec.json.decode(content, type=ModelWriting)


async def save_writing(services: Services, writing_id: str, writing: ModelWriting) -> None:
    """Keep it in the customer's folder, so that it is erased with the customer."""
    await services.objects.put(_writing_key(writing.draft_id, writing_id), encode_json(writing))


def _writing_key(draft_id: str, writing_id: str) -> str:
    return f"{WRITINGS_FOLDER}/{split_draft_id(draft_id)[1]}/{writing_id}.json"
