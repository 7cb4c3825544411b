"""The one way from a record to a recap, by whatever writer the settings chose: pack by pack, then the whole."""

import asyncio

import msgspec

from almanac.desks.recap.chunking import BUDGET, Pack, Plan, plan_packs, shrunk
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.recap import Recap
from almanac.desks.recap.writer.assembling import Origin, assemble
from almanac.desks.recap.writer.keeping import Keeping
from almanac.desks.recap.writer.merging import merged_dialogs
from almanac.desks.recap.writer.notes import Levels, PackNotes
from almanac.desks.recap.writer.repairing import repair
from almanac.desks.recap.writer.steps import PROMPT_VERSION, RECAP_PACK, RECAP_WHOLE, PackInput, WholeInput
from almanac.desks.recap.writer.verifying import verified
from almanac.kit.clock import Clock
from almanac.llm.errors import TooLongForModel
from almanac.llm.model_config import EXTRACTIVE
from almanac.llm.port import StepWriter

DESK = "recap"
_FEWEST_CHARACTERS = 200


class KeptPack(msgspec.Struct, frozen=True, kw_only=True):
    """A finished pack as it is kept: notes that were verified, as JSON, and who wrote them."""

    notes: msgspec.Raw
    model: str
    dropped: int


async def write_recap(
    meeting: Meeting, *, writer: StepWriter, clock: Clock, keeping: Keeping, budget: int = BUDGET
) -> Recap:
    """Write about a sitting; failures are those of `almanac.llm.errors`, and finished packs stay kept.

    When a model says that a pack is too long, the packs are made anew with less in each.
    """
    plan = plan_packs(meeting, budget)
    while True:
        await keeping.planned(plan)
        try:
            packs = [await _pack(meeting, pack, writer, keeping) for pack in plan.packs]
            break
        except TooLongForModel:
            smaller = await asyncio.to_thread(shrunk, meeting, plan)
            if smaller is None:
                raise
            plan = smaller
    return await _whole(meeting, plan, packs, writer, clock)


async def _pack(meeting: Meeting, pack: Pack, writer: StepWriter, keeping: Keeping) -> KeptPack:
    key = pack.key(meeting, PROMPT_VERSION)
    if found := await keeping.find(pack, key):
        return msgspec.json.decode(found, type=KeptPack)
    given = PackInput(meeting=meeting, pack=pack)
    written = await writer.write(RECAP_PACK, given, desk=DESK, subject=meeting.issue_id)
    model, notes, dropped = written.provenance.model, written.output, 0
    if model != EXTRACTIVE:
        repaired = await asyncio.to_thread(repair, notes, meeting, pack)
        notes, dropped = repaired.notes, repaired.dropped
    kept = KeptPack(notes=msgspec.Raw(notes.model_dump_json().encode()), model=model, dropped=dropped)
    await keeping.keep(pack, key, msgspec.json.encode(kept))
    return kept


async def _whole(meeting: Meeting, plan: Plan, packs: list[KeptPack], writer: StepWriter, clock: Clock) -> Recap:
    notes = [PackNotes.model_validate_json(bytes(pack.notes)) for pack in packs]
    levels, model = await _levels(meeting, plan, notes, writer)
    dropped = sum(pack.dropped for pack in packs)
    if model != EXTRACTIVE:
        levels, refused = await asyncio.to_thread(verified, levels, meeting)
        dropped += refused
    models = dict.fromkeys([*(pack.model for pack in packs), model])
    origin = Origin(model=" + ".join(models), prompt_version=PROMPT_VERSION, made_at=clock.now(), dropped=dropped)
    return await asyncio.to_thread(assemble, meeting, notes, levels, origin)


async def _levels(meeting: Meeting, plan: Plan, notes: list[PackNotes], writer: StepWriter) -> tuple[Levels, str]:
    """From the speeches where they fit into one prompt, otherwise from the notes, with less of each while too long."""
    most = plan.budget
    dialogs = merged_dialogs(notes)
    given = WholeInput(meeting=meeting, dialogs=dialogs, notes=plan.mode == "chunked", most=most)
    while True:
        try:
            written = await writer.write(RECAP_WHOLE, given, desk=DESK, subject=meeting.issue_id)
        except TooLongForModel:
            most = min(most, 10 * _FEWEST_CHARACTERS) // 2
            if most < _FEWEST_CHARACTERS:
                raise
            given = WholeInput(meeting=meeting, dialogs=dialogs, notes=True, most=most)
        else:
            return written.output, written.provenance.model
