"""Publishes the invented sittings one after another, and takes them away again with everything that belongs to them."""

from almanac.demo import DemoContent, DemoRun
from almanac.desks.recap.assets import save_record
from almanac.desks.recap.demo.samples import Sample, samples
from almanac.desks.recap.identity import task_pk
from almanac.desks.recap.publishing import publish, withdraw
from almanac.desks.recap.store import tasks
from almanac.desks.recap.writer.keeping import NothingKept
from almanac.desks.recap.writer.recapping import write_recap
from almanac.llm.extractive.writer import ExtractiveWriter

MEETING = "meeting"


async def load_meetings(run: DemoRun) -> None:
    """Write about every sitting and publish it; what an earlier attempt published stays as it is."""
    found = samples()
    for done, sample in enumerate(found):
        await run.ledger.progress(done, len(found), "Publishing meetings")
        await run.note(MEETING, sample.name, sample.meeting.issue_id)
        await _publish(run, sample)


async def _publish(run: DemoRun, sample: Sample) -> None:
    services, meeting = run.services, sample.meeting
    if await tasks.is_current(services.tables, meeting):
        return
    writer = ExtractiveWriter(services.clock)
    recap = await write_recap(meeting, writer=writer, clock=services.clock, keeping=NothingKept())
    record_url = await save_record(services, task_pk(meeting), sample.raw)
    published = await publish(services, meeting, recap, record_url=record_url)
    await tasks.note_written(
        services.tables,
        meeting,
        record_url,
        article_id=published.article_id,
        model=recap.provenance.model,
        prompt_version=recap.provenance.prompt_version,
    )


async def remove_meetings(content: DemoContent) -> None:
    """Everything of theirs; what somebody removed before is fine."""
    loaded = content.made(MEETING)
    for sample in samples():
        if sample.name in loaded:
            await withdraw(content.services, sample.meeting)
