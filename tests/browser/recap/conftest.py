"""Invented sittings behind the browser."""

import pytest

from almanac.desks.recap.assets import save_record
from almanac.desks.recap.demo.samples import samples
from almanac.desks.recap.identity import task_pk
from almanac.desks.recap.publishing import publish
from almanac.desks.recap.writer.keeping import NothingKept
from almanac.desks.recap.writer.recapping import write_recap

PUBLISHED = ("chiiki-kotsu-iinkai", "sangiin-honkaigi")


@pytest.fixture(scope="session")
async def sittings(site):
    """Published sittings by name: the record and what was written about it."""
    services, made = site.services, {}
    for sample in samples():
        if sample.name not in PUBLISHED:
            continue
        recap = await write_recap(sample.meeting, writer=services.writer, clock=services.clock, keeping=NothingKept())
        url = await save_record(services, task_pk(sample.meeting), sample.raw)
        await publish(services, sample.meeting, recap, record_url=url)
        made[sample.name] = (sample.meeting, recap)
    return made
