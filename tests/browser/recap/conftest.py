"""Invented sittings behind the browser."""

import pytest

from almanac.desks.recap.demo.sample_meetings import sample_meetings
from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.pipeline.publish import publish_recap
from almanac.desks.recap.pipeline.write import write_recap
from almanac.desks.recap.store.objects import save_record
from almanac.desks.recap.writer.packs import NoPackStore

PUBLISHED = ("chiiki-kotsu-iinkai", "sangiin-honkaigi")


@pytest.fixture(scope="session")
async def sittings(site):
    """Published sittings by name: the record and what was written about it."""
    services, made = site.services, {}
    for sample in sample_meetings():
        if sample.name not in PUBLISHED:
            continue
        recap = await write_recap(
            sample.meeting, writer=services.writer, clock=services.clock, pack_store=NoPackStore()
        )
        url = await save_record(services, task_pk(sample.meeting), sample.raw)
        await publish_recap(services, sample.meeting, recap, record_url=url)
        made[sample.name] = (sample.meeting, recap)
    return made
