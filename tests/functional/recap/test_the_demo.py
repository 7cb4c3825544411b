"""The demo's sittings are published like any other, follow a bill through both houses, and go without a trace."""

import pytest

from almanac.accounts.model import CONSOLE
from almanac.demo import DemoRecord, DemoRun
from almanac.desks.recap.demo import PART
from almanac.desks.recap.demo.sample_meetings import sample_meetings
from almanac.desks.recap.model.filters import ArticleFilter
from almanac.desks.recap.model.identity import article_id_for, task_pk
from almanac.desks.recap.service import articles, search, tasks
from almanac.errors import NotFound, Unavailable
from almanac.jobs import InlineLedger

NAMES = [sample.name for sample in sample_meetings()]


@pytest.fixture(scope="module")
async def a_run(services, power_cut):
    """Cut off on the way, and begun again."""
    loaded = DemoRecord(owner_id=CONSOLE.user_id, day=services.clock.now().date())
    run = DemoRun(services=services, desk="recap", owner=CONSOLE, loaded=loaded, ledger=power_cut(services, at=3))
    with pytest.raises(Unavailable):
        await PART.steps[0](run)
    run.ledger = InlineLedger(services.database)
    await PART.steps[0](run)
    return run


def test_there_are_two_houses_committees_and_a_long_sitting():
    meetings = [sample.meeting for sample in sample_meetings()]
    assert len(meetings) >= 6
    assert {meeting.house for meeting in meetings} == {"衆議院", "参議院"}
    assert {"本会議", "予算委員会", "国土交通委員会"} <= {meeting.meeting for meeting in meetings}
    assert min(len(meeting.speeches) for meeting in meetings) >= 10
    assert max(len(meeting.speeches) for meeting in meetings) == 150
    assert all("架空の会議録" in meeting.header.text for meeting in meetings)


async def test_every_sitting_is_there_once(services, a_run):
    page = await search.list_articles(services, ArticleFilter(), limit=100)
    assert sorted(listed.card.id for listed in page.items) == sorted(
        article_id_for(sample.meeting) for sample in sample_meetings()
    )
    assert sorted(a_run.made("meeting")) == sorted(NAMES)
    for sample in sample_meetings():
        full = await articles.open_article(services, article_id_for(sample.meeting))
        assert (full.version, full.meeting) == (1, sample.meeting)
        assert (await tasks.get_task(services, task_pk(sample.meeting))).status == "completed"


async def test_a_bill_is_followed_through_both_houses(services, a_run):
    full = await articles.open_article(services, article_id_for(sample_meetings()[1].meeting))
    history = await articles.get_bill_timeline(services, full.bills[0]["key"])
    assert [entry.card.name_of_house for entry in history.entries] == ["衆議院", "衆議院", "参議院", "参議院"]


async def test_it_can_be_removed_without_a_trace(services, a_run):
    await PART.remove(a_run)
    assert list((await search.list_articles(services, ArticleFilter(), limit=100)).items) == []
    with pytest.raises(NotFound):
        await tasks.get_task(services, task_pk(sample_meetings()[0].meeting))
    await PART.remove(a_run)
