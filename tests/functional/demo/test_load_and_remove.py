"""Demo content is offered once, loaded once, and removed without anything else."""

from dataclasses import replace

import pytest

from almanac.bootstrap import DEMO
from almanac.demo import Demo
from almanac.demo.model import read_record
from almanac.desks.newsletter.demo import PART
from almanac.desks.newsletter.demo.documents import load_documents
from almanac.desks.newsletter.demo.issues import ISSUES, start_issue
from almanac.desks.newsletter.demo.sources import add_sources, group_by_publisher
from almanac.desks.newsletter.model.configuration import ConfigurationEdit
from almanac.desks.newsletter.service import newsletters
from almanac.errors import Conflict
from almanac.jobs import InlineLedger, JobFilter, RunningJob
from almanac.knowledge import KnowledgeViewer, Visibility

PUBLISHERS = len(group_by_publisher(load_documents()))


class StepByStep(InlineLedger):
    """Nobody watches, and the test itself begins the next step."""

    async def once(self, unit, step):
        return False


async def begin_issues(run):
    for issue in ISSUES:
        await start_issue(run, issue)


UNREAD = Demo({"newsletter": replace(PART, steps=(add_sources, begin_issues))})
"""The same content without the time that reading and writing it take."""


@pytest.fixture
def load(services, owner_id):
    async def load(demo=UNREAD, steps=2):
        job = RunningJob(0, demo.task.name, 1, services, StepByStep(services.database))
        for step in range(steps):
            await demo.task.run(job, owner_id=owner_id, step=step)

    return load


async def sources_of(services, owner_id):
    page = await services.knowledge.list(KnowledgeViewer(owner_id), limit=200)
    return page.items


async def codes_of(services, owner):
    return {newsletter.code for newsletter in (await newsletters.list_own_newsletters(services, owner)).items}


async def queued(services):
    return (await services.jobs.jobs(JobFilter(task=DEMO.task.name))).items


async def test_an_empty_installation_is_offered_the_demo_and_a_waiting_load_is_enough(services, owner_id):
    assert await DEMO.offer(services, owner_id)
    assert await DEMO.offer(services, owner_id)
    assert len(await queued(services)) == 1


async def test_an_installation_that_wants_none_is_left_alone(services, owner_id):
    production = replace(services, settings=replace(services.settings, demo=False))
    assert not await DEMO.offer(production, owner_id)
    assert await queued(services) == []


async def test_everything_is_loaded_for_one_person_and_shared_with_everyone(services, owner_id, load):
    await load()
    sources = await sources_of(services, owner_id)
    assert len(sources) == PUBLISHERS
    assert {source.owner_id for source in sources} == {owner_id}
    assert {source.visibility for source in sources} == {Visibility.EVERYONE}
    assert all(source.title.endswith("(demo)") for source in sources)
    assert await UNREAD.is_complete(services)
    report = await UNREAD.report(services)
    assert report.summary == f"{PUBLISHERS} sources and {len(ISSUES)} newsletters"


async def test_a_second_load_adds_nothing(services, owner_id, owner, load):
    await load()
    before = [source.id for source in await sources_of(services, owner_id)], await codes_of(services, owner)
    await load()
    assert ([source.id for source in await sources_of(services, owner_id)], await codes_of(services, owner)) == before
    assert not await DEMO.offer(services, owner_id)


async def test_a_load_that_was_cut_off_goes_on_with_the_same_day(services, owner_id, owner, load):
    await load(steps=1)
    begun = await read_record(services.objects, "newsletter")
    assert not begun.complete
    await load()
    ended = await read_record(services.objects, "newsletter")
    assert (ended.complete, ended.day) == (True, begun.day)
    assert ended.made["source"] == begun.made["source"]
    assert await codes_of(services, owner) == set(ended.made["newsletter"].values())


async def test_a_code_that_was_noted_before_a_crash_is_the_one_that_is_used(services, owner, load):
    await load(steps=1)
    taken = []

    async def cut_off(run):
        await run.note("newsletter", ISSUES[0].name, "NL-20260302-AAAA")
        taken.append(run)

    await load(Demo({"newsletter": replace(PART, steps=(add_sources, cut_off, begin_issues))}), steps=2)
    await load()
    assert taken
    assert "NL-20260302-AAAA" in await codes_of(services, owner)
    assert len(await codes_of(services, owner)) == len(ISSUES)


async def test_removing_takes_the_demo_away_and_nothing_else(services, owner_id, owner, load):
    mine = await services.knowledge.add_file(KnowledgeViewer(owner_id), "mine.md", b"# Mine\n\nMy own words.")
    own = await newsletters.create_newsletter(services, owner, ConfigurationEdit(title="My own"))
    await load()
    removed = await UNREAD.remove(services)
    assert removed.counts == {"source": PUBLISHERS, "newsletter": len(ISSUES)}
    assert [source.id for source in await sources_of(services, owner_id)] == [mine.id]
    assert await codes_of(services, owner) == {own.code}


async def test_what_was_removed_does_not_come_back_by_itself_but_on_request(services, owner_id, load):
    await load()
    await UNREAD.remove(services)
    assert not await DEMO.offer(services, owner_id)
    assert (await UNREAD.remove(services)).summary == ""
    await load()
    assert len(await sources_of(services, owner_id)) == PUBLISHERS


async def test_what_somebody_removed_before_does_not_hinder_the_removal(services, owner_id, owner, load):
    await load()
    source, *_ = await sources_of(services, owner_id)
    await services.knowledge.remove(KnowledgeViewer(owner_id), source.id)
    await newsletters.delete_newsletter(services, owner, min(await codes_of(services, owner)))
    await UNREAD.remove(services)
    assert await sources_of(services, owner_id) == []
    assert await codes_of(services, owner) == set()


async def test_a_removal_while_it_is_being_loaded_is_refused(services, owner_id):
    await DEMO.queue(services, owner_id)
    with pytest.raises(Conflict, match="being loaded"):
        await DEMO.remove(services)
