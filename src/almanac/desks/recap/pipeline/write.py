"""Writes the recap of a meeting with whatever writer is configured: pack by pack, then the levels of the whole."""

import asyncio

import msgspec

from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.recap import Recap
from almanac.desks.recap.writer.assembly import RecapOrigin, assemble_recap, merge_dialogs
from almanac.desks.recap.writer.notes import LevelNotes, PackNotes
from almanac.desks.recap.writer.packs import DEFAULT_BUDGET, Pack, PackPlan, PackStore, plan_packs, shrink_plan
from almanac.desks.recap.writer.repair import repair_notes, verify_levels
from almanac.desks.recap.writer.steps import PROMPT_VERSION, RECAP_PACK, RECAP_WHOLE, PackInput, WholeInput
from almanac.kit.clock import Clock
from almanac.llm.errors import TooLongForModel
from almanac.llm.model_config import EXTRACTIVE
from almanac.llm.port import StepWriter

DESK = "recap"
_FEWEST_CHARACTERS = 200


class StoredPack(msgspec.Struct, frozen=True, kw_only=True):
    """A finished pack as stored: verified notes as JSON, and the model that wrote them."""

    notes: msgspec.Raw
    model: str
    dropped: int


async def write_recap(
    meeting: Meeting, *, writer: StepWriter, clock: Clock, pack_store: PackStore, budget: int = DEFAULT_BUDGET
) -> Recap:
    """Write about a meeting; failures are those of `almanac.llm.errors`, and finished packs stay stored.

    When a model finds a pack too long, all packs are planned again with a smaller budget.
    """
    plan = plan_packs(meeting, budget)
    while True:
        await pack_store.start_plan(plan)
        try:
            packs = [await _pack(meeting, pack, writer, pack_store) for pack in plan.packs]
            break
        except TooLongForModel:
            smaller = await asyncio.to_thread(shrink_plan, meeting, plan)
            if smaller is None:
                raise
            plan = smaller
    return await _whole(meeting, plan, packs, writer, clock)


async def _pack(meeting: Meeting, pack: Pack, writer: StepWriter, pack_store: PackStore) -> StoredPack:
    key = pack.key(meeting, PROMPT_VERSION)
    if stored := await pack_store.find_result(pack, key):
        return msgspec.json.decode(stored, type=StoredPack)
    step_input = PackInput(meeting=meeting, pack=pack)
    written = await writer.write(RECAP_PACK, step_input, desk=DESK, subject=meeting.issue_id)
    model, notes, dropped = written.provenance.model, written.output, 0
    if model != EXTRACTIVE:
        repaired = await asyncio.to_thread(repair_notes, notes, meeting, pack)
        notes, dropped = repaired.notes, repaired.dropped
    kept = StoredPack(notes=msgspec.Raw(notes.model_dump_json().encode()), model=model, dropped=dropped)
    await pack_store.save_result(pack, key, msgspec.json.encode(kept))
    return kept


async def _whole(meeting: Meeting, plan: PackPlan, packs: list[StoredPack], writer: StepWriter, clock: Clock) -> Recap:
    notes = [PackNotes.model_validate_json(bytes(pack.notes)) for pack in packs]
    levels, model = await _levels(meeting, plan, notes, writer)
    dropped = sum(pack.dropped for pack in packs)
    if model != EXTRACTIVE:
        levels, refused = await asyncio.to_thread(verify_levels, levels, meeting)
        dropped += refused
    models = dict.fromkeys([*(pack.model for pack in packs), model])
    origin = RecapOrigin(model=" + ".join(models), prompt_version=PROMPT_VERSION, made_at=clock.now(), dropped=dropped)
    return await asyncio.to_thread(assemble_recap, meeting, notes, levels, origin)


async def _levels(
    meeting: Meeting, plan: PackPlan, notes: list[PackNotes], writer: StepWriter
) -> tuple[LevelNotes, str]:
    """From the speeches if they fit into one prompt, otherwise from notes, which are shortened while too long."""
    most = plan.budget
    dialogs = merge_dialogs(notes)
    step_input = WholeInput(meeting=meeting, dialogs=dialogs, notes=plan.mode == "chunked", most=most)
    while True:
        try:
            written = await writer.write(RECAP_WHOLE, step_input, desk=DESK, subject=meeting.issue_id)
        except TooLongForModel:
            most = min(most, 10 * _FEWEST_CHARACTERS) // 2
            if most < _FEWEST_CHARACTERS:
                raise
            step_input = WholeInput(meeting=meeting, dialogs=dialogs, notes=True, most=most)
        else:
            return written.output, written.provenance.model
