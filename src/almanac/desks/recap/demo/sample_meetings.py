"""Invented meetings, as files in the format of the National Diet's API: written about, published, and removed again."""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import msgspec

from almanac.demo import DemoContent, DemoRun
from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.pipeline.publish import publish_recap, withdraw_meeting
from almanac.desks.recap.pipeline.write import write_recap
from almanac.desks.recap.sources.diet_record import parse_meeting
from almanac.desks.recap.store import tasks
from almanac.desks.recap.store.objects import save_record
from almanac.desks.recap.writer.packs import NoPackStore
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext
from almanac.llm.extractive.writer import ExtractiveWriter

MEETING = "meeting"


@dataclass(frozen=True, slots=True)
class SampleMeeting:
    """One meeting: its raw record, and the parsed meeting."""

    name: str
    raw: bytes
    meeting: Meeting


@cache
def sample_meetings() -> tuple[SampleMeeting, ...]:
    """Every sample, by day."""
    meetings = [
        _sample(file.name.removesuffix(".json"), file.read_bytes())
        for file in (files(__package__) / "meetings").iterdir()
        if file.name.endswith(".json")
    ]
    return tuple(sorted(meetings, key=lambda sample: (sample.meeting.date, sample.name)))


def _sample(name: str, content: bytes) -> SampleMeeting:
    (record,) = msgspec.json.decode(content)["meetingRecord"]
    raw = encode_json(record)
    return SampleMeeting(name, raw, parse_meeting(raw))


async def load_meetings(run: DemoRun) -> None:
    """Write about every meeting and publish it; those published by an earlier attempt are skipped."""
    meetings = sample_meetings()
    for done, sample in enumerate(meetings):
        await run.ledger.progress(done, len(meetings), gettext("Publishing meetings"))
        await run.note(MEETING, sample.name, sample.meeting.issue_id)
        await _publish(run, sample)


async def _publish(run: DemoRun, sample: SampleMeeting) -> None:
    services, meeting = run.services, sample.meeting
    if await tasks.is_current(services.tables, meeting):
        return
    writer = ExtractiveWriter(services.clock)
    recap = await write_recap(meeting, writer=writer, clock=services.clock, pack_store=NoPackStore())
    record_url = await save_record(services, task_pk(meeting), sample.raw)
    published = await publish_recap(services, meeting, recap, record_url=record_url)
    await tasks.add_completed_task(
        services.tables,
        meeting,
        record_url,
        article_id=published.article_id,
        model=recap.provenance.model,
        prompt_version=recap.provenance.prompt_version,
    )


async def remove_meetings(content: DemoContent) -> None:
    """Remove the published samples; those already removed are no error."""
    loaded = content.made(MEETING)
    for sample in sample_meetings():
        if sample.name in loaded:
            await withdraw_meeting(content.services, sample.meeting)
