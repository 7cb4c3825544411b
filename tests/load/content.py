"""Something to read, brought straight into an installation without a worker: the demo's stories and a few sittings."""

from almanac.accounts.model import CONSOLE
from almanac.demo import DemoRecord, DemoRun
from almanac.desks.news.demo import PART as NEWS
from almanac.desks.recap.demo.sample_meetings import sample_meetings
from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.pipeline.publish import publish_recap
from almanac.desks.recap.pipeline.write import write_recap
from almanac.desks.recap.store.objects import save_record
from almanac.desks.recap.writer.packs import NoPackStore
from almanac.jobs import InlineLedger
from almanac.llm.extractive.writer import ExtractiveWriter
from almanac.services import Services


async def bring_stories(services: Services) -> None:
    loaded = DemoRecord(owner_id=CONSOLE.user_id, day=services.clock.now().date())
    run = DemoRun(services=services, desk="news", owner=CONSOLE, loaded=loaded, ledger=InlineLedger(services.database))
    for step in NEWS.steps:
        await step(run)


async def publish_sittings(services: Services, count: int) -> None:
    """The shortest ones, which are as good to read."""
    for sample in sorted(sample_meetings(), key=lambda meeting: (len(meeting.raw), meeting.name))[:count]:
        writer = ExtractiveWriter(services.clock)
        recap = await write_recap(sample.meeting, writer=writer, clock=services.clock, pack_store=NoPackStore())
        record = await save_record(services, task_pk(sample.meeting), sample.raw)
        await publish_recap(services, sample.meeting, recap, record_url=record)
