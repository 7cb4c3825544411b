"""A sitting of 150 speeches, and one of 150 long ones, from record to recap by extraction, everything verified."""

import asyncio
import time
from pathlib import Path

import msgspec

from almanac.desks.recap.demo.sample_meetings import sample_meetings
from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.desks.recap.model.recap import Recap
from almanac.desks.recap.pipeline.write import write_recap
from almanac.desks.recap.writer.packs import NoPackStore
from almanac.kit.clock import SystemClock
from almanac.llm.extractive.writer import ExtractiveWriter
from measure import Line

SECONDS_AT_MOST = 20.0
_TIMES_LONGER = 8


def lines(_folder: Path) -> list[Line]:
    sitting = max((sample.meeting for sample in sample_meetings()), key=lambda meeting: len(meeting.speeches))
    return [_measured("150 speeches", sitting), _measured("150 long speeches", _longer(sitting))]


def _measured(what: str, meeting: Meeting) -> Line:
    began = time.process_time()
    recap = _written(meeting)
    seconds = time.process_time() - began
    covered = [dialog.order for dialog in recap.dialogs] == [speech.order for speech in meeting.speeches]
    size = sum(len(speech.text) for speech in meeting.speeches)
    figures = f"{seconds:,.1f} s for {size:,} characters, orders covered: {'all' if covered else 'NOT ALL'}"
    return Line(f"{what}: seconds", figures, seconds if covered else SECONDS_AT_MOST * 2, SECONDS_AT_MOST, at_most=True)


def _written(meeting: Meeting) -> Recap:
    clock = SystemClock()
    return asyncio.run(write_recap(meeting, writer=ExtractiveWriter(clock), clock=clock, pack_store=NoPackStore()))


def _longer(meeting: Meeting) -> Meeting:
    """Each speech goes on with what the next ones say, as a plenary's do."""
    texts = [speech.text.partition("　")[2] for speech in meeting.speeches]
    longer = [_with(speech, texts[at : at + _TIMES_LONGER]) for at, speech in enumerate(meeting.speeches)]
    return msgspec.structs.replace(meeting, speeches=tuple(longer))


def _with(speech: Speech, more: list[str]) -> Speech:
    return speech if speech.is_header else msgspec.structs.replace(speech, text=speech.text + "".join(more[1:]))
