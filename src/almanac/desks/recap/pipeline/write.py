"""Writes the recap of a meeting with whatever writer is configured: pack by pack, then the levels of the whole.

Where a model's answer can't be used, extraction writes that part, and the recap says so.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TypeVar

import msgspec

from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.recap import JudgedSentence, LeftOutSentence, Recap, WritingFallback
from almanac.desks.recap.writer.assembly import RecapOrigin, assemble_recap, merge_dialogs
from almanac.desks.recap.writer.evidence import SpeechEvidence, evidence_for
from almanac.desks.recap.writer.notes import LevelNotes, PackNotes
from almanac.desks.recap.writer.packs import DEFAULT_BUDGET, Pack, PackPlan, PackStore, plan_packs, shrink_plan
from almanac.desks.recap.writer.repair import RepairedLevels, RepairedNotes, repair_levels, repair_notes
from almanac.desks.recap.writer.steps import PROMPT_VERSION, RECAP_PACK, RECAP_WHOLE, PackInput, WholeInput
from almanac.judge import SecondJudge
from almanac.kit.clock import Clock
from almanac.kit.json_text import encode_json
from almanac.llm.answer import DroppedSentence
from almanac.llm.errors import EmptyAnswer, MalformedAnswer, ModelFailure, ModelRefused, TooLongForModel
from almanac.llm.fallback import extract_instead
from almanac.llm.model_config import EXTRACTIVE
from almanac.llm.port import InputT, OutputT, StepFallback, StepWriter, WritingStep, WrittenStep

DESK = "recap"
RepairedT = TypeVar("RepairedT", RepairedNotes, RepairedLevels)
_FEWEST_CHARACTERS = 200
# What a setting must change, such as a wrong key, fails the task instead, so that somebody changes it.
_ANSWER_FAILURES = (EmptyAnswer, MalformedAnswer, ModelRefused)


class PackFallback(msgspec.Struct, frozen=True, kw_only=True):
    """Why extraction wrote a pack, and when the model is asked again; None: not by itself."""

    reason: str
    retry_at: datetime | None = None


class StoredPack(msgspec.Struct, frozen=True, kw_only=True):
    """A finished pack as stored: verified notes as JSON, and the model that wrote them."""

    notes: msgspec.Raw
    model: str
    left_out: tuple[LeftOutSentence, ...] = ()
    judged: tuple[JudgedSentence, ...] = ()
    fallback: PackFallback | None = None


@dataclass(frozen=True, slots=True)
class RecapWriter:
    """Writes about one meeting."""

    meeting: Meeting
    writer: StepWriter
    clock: Clock
    pack_store: PackStore
    judge: SecondJudge | None = None

    async def write_pack(self, pack: Pack) -> StoredPack:
        """A pack from its store, or written now; what extraction wrote in place of a model is written again."""
        key = pack.key(self.meeting, PROMPT_VERSION)
        if content := await self.pack_store.find_result(pack, key):
            stored = msgspec.json.decode(content, type=StoredPack)
            if stored.fallback is None:
                return stored
        written = await self._write(RECAP_PACK, PackInput(meeting=self.meeting, pack=pack))
        repaired = RepairedNotes(written.output, ())
        if written.provenance.model != EXTRACTIVE:
            repaired = await self._repair(partial(repair_notes, written.output, self.meeting, pack))
        kept = StoredPack(
            notes=msgspec.Raw(repaired.notes.model_dump_json().encode()),
            model=written.provenance.model,
            # The limit of a pack is one of keywords, which are no sentences that a reader would miss.
            left_out=repaired.left_out,
            judged=repaired.judged,
            fallback=_pack_fallback(written.fallback),
        )
        await self.pack_store.save_result(pack, key, encode_json(kept))
        return kept

    async def write_whole(self, plan: PackPlan, packs: list[StoredPack]) -> Recap:
        """The levels above the packs, and all of it together."""
        notes = [PackNotes.model_validate_json(bytes(pack.notes)) for pack in packs]
        written = await self._write_levels(plan, notes)
        model, repaired = written.provenance.model, RepairedLevels(written.output, (), frozenset())
        if model != EXTRACTIVE:
            repaired = await self._repair(partial(repair_levels, written.output, self.meeting))
        by_pack = [sentence for pack in packs for sentence in pack.left_out]
        fallbacks = [pack.fallback for pack in packs] + [_pack_fallback(written.fallback)]
        used = [fallback for fallback in fallbacks if fallback is not None]
        origin = RecapOrigin(
            model=" + ".join(dict.fromkeys([*(pack.model for pack in packs), model])),
            prompt_version=PROMPT_VERSION,
            made_at=self.clock.now(),
            left_out=(*by_pack, *_beyond_limits(written.dropped), *repaired.left_out),
            moved=repaired.moved,
            fallback=_writing_fallback(used),
            judged=tuple(dict.fromkeys([*(sentence for pack in packs for sentence in pack.judged), *repaired.judged])),
        )
        return await asyncio.to_thread(assemble_recap, self.meeting, notes, repaired.levels, origin)

    async def _repair(self, repair: Callable[[SpeechEvidence], RepairedT]) -> RepairedT:
        """A repair by the rules, and where a second judge is switched on, again with its opinions."""
        evidence = (await asyncio.to_thread(evidence_for, self.meeting)).copy()
        repaired = await asyncio.to_thread(repair, evidence)
        if self.judge is None or not self.judge.is_on(DESK):
            return repaired
        opinions = await self.judge.form_opinions(evidence.decisions, desk=DESK, subject=self.meeting.issue_id)
        return await asyncio.to_thread(repair, evidence.copy(opinions))

    async def _write_levels(self, plan: PackPlan, notes: list[PackNotes]) -> WrittenStep[LevelNotes]:
        """From the speeches if they fit into one prompt, otherwise from notes, which are shortened while too long."""
        most = plan.budget
        dialogs = merge_dialogs(notes)
        step_input = WholeInput(meeting=self.meeting, dialogs=dialogs, notes=plan.mode == "chunked", most=most)
        while True:
            try:
                return await self._write(RECAP_WHOLE, step_input)
            except TooLongForModel:
                most = min(most, 10 * _FEWEST_CHARACTERS) // 2
                if most < _FEWEST_CHARACTERS:
                    raise
                step_input = WholeInput(meeting=self.meeting, dialogs=dialogs, notes=True, most=most)

    async def _write(self, step: WritingStep[InputT, OutputT], given: InputT) -> WrittenStep[OutputT]:
        """What the writer makes of a step, or extraction if its answer can't be used."""
        try:
            written = await self.writer.write(step, given, desk=DESK, subject=self.meeting.issue_id)
            if not written.output.is_empty or written.provenance.model == EXTRACTIVE:
                return written
            failure: ModelFailure = EmptyAnswer(written.provenance.model)
        except _ANSWER_FAILURES as error:
            failure = error
        return await extract_instead(step, given, failure, self.clock)


async def write_recap(
    meeting: Meeting,
    *,
    writer: StepWriter,
    clock: Clock,
    pack_store: PackStore,
    budget: int = DEFAULT_BUDGET,
    judge: SecondJudge | None = None,
) -> Recap:
    """Write about a meeting; failures are those of `almanac.llm.errors`, and finished packs stay stored.

    When a model finds a pack too long, all packs are planned again with a smaller budget.
    """
    recap_writer = RecapWriter(meeting, writer, clock, pack_store, judge)
    plan = plan_packs(meeting, budget)
    while True:
        await pack_store.start_plan(plan)
        try:
            packs = [await recap_writer.write_pack(pack) for pack in plan.packs]
            break
        except TooLongForModel:
            smaller = await asyncio.to_thread(shrink_plan, meeting, plan)
            if smaller is None:
                raise
            plan = smaller
    return await recap_writer.write_whole(plan, packs)


def _beyond_limits(dropped: Sequence[DroppedSentence]) -> tuple[LeftOutSentence, ...]:
    return tuple(LeftOutSentence(text=sentence.text, kind="limit") for sentence in dropped)


def _pack_fallback(fallback: StepFallback | None) -> PackFallback | None:
    return PackFallback(reason=fallback.reason, retry_at=fallback.retry_at) if fallback else None


def _writing_fallback(used: Sequence[PackFallback]) -> WritingFallback | None:
    if not used:
        return None
    reasons = dict.fromkeys(fallback.reason for fallback in used)
    return WritingFallback(reason=" ".join(reasons), asks_again=any(fallback.retry_at for fallback in used))
