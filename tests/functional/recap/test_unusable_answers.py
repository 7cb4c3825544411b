"""A model whose answer can't be used: extraction writes the article, and the model is asked again a few times."""

import hashlib
from dataclasses import replace
from datetime import timedelta

import pytest

from almanac.desks.recap.pipeline.make import make_articles
from almanac.desks.recap.pipeline.remake import MAX_FALLBACKS, REMAKE
from almanac.desks.recap.service import articles
from almanac.desks.recap.store import tasks as store
from almanac.jobs import JobFilter, RunningJob
from almanac.llm.errors import MalformedAnswer
from almanac.llm.fake import ScriptedWriter


async def nobody_listens(_done, _total, _doing):
    return


class Ledger:
    async def progress(self, _done, _total, _doing):
        return


@pytest.fixture
async def collected(desk, sitting):
    """Collects a sitting of a number of its own; gives the id of its article and the key of its task."""

    async def collect(number):
        record = sitting(number)
        desk.diet.sittings = [record]
        await desk.collect()
        identity = f"session=221|house=shugi|issueID={record['issueID']}"
        return record["issueID"], hashlib.sha256(identity.encode()).hexdigest()

    return collect


@pytest.fixture
def by_model(services):
    """The same installation, with a model that answers a number of times in a form that can't be used."""

    def scripted(times):
        writer = ScriptedWriter(services.clock, model="openai:gpt-x")
        writer.script("recap_whole", *[MalformedAnswer("openai:gpt-x")] * times)
        return replace(services, writer=writer)

    return scripted


async def test_the_article_is_there_and_says_why_no_model_wrote_it(services, by_model, collected):
    issue, pk = await collected(701)
    await make_articles(by_model(1), "test", report=nobody_listens)
    article = await articles.open_article(services, issue)
    assert "unusable answer" in article.recap.provenance.fallback.reason
    assert article.recap.provenance.fallback.asks_again
    assert article.recap.key_points
    assert (await store.get_task(services.tables, pk)).fallbacks == 1


async def test_the_model_is_asked_again_and_then_the_reason_is_gone(services, by_model, collected):
    issue, pk = await collected(702)
    model = by_model(1)
    await make_articles(model, "test", report=nobody_listens)
    job = (await services.jobs.jobs(JobFilter(task=REMAKE.name), limit=1)).items[0]
    assert job.not_before == services.clock.now() + timedelta(hours=1)
    await REMAKE.run(RunningJob(job.id, REMAKE.name, 1, services, Ledger()), pk=pk)
    assert (await store.get_task(services.tables, pk)).status == "remake"
    await make_articles(model, "test", report=nobody_listens)
    assert (await articles.open_article(services, issue)).recap.provenance.fallback is None
    assert (await store.get_task(services.tables, pk)).fallbacks == 0


async def test_a_model_that_never_answers_well_is_given_up(services, by_model, collected):
    issue, pk = await collected(703)
    model = by_model(20)
    await make_articles(model, "test", report=nobody_listens)
    for _ in range(MAX_FALLBACKS - 2):
        await store.remake_task(services.tables, pk)
        await make_articles(model, "test", report=nobody_listens)
    before = (await services.jobs.jobs(JobFilter(task=REMAKE.name), limit=1)).items[0]
    await services.jobs.cancel(before.id)
    await store.remake_task(services.tables, pk)
    await make_articles(model, "test", report=nobody_listens)
    assert (await store.get_task(services.tables, pk)).fallbacks == MAX_FALLBACKS
    assert (await services.jobs.jobs(JobFilter(task=REMAKE.name), limit=1)).items[0].id == before.id
    assert (await articles.open_article(services, issue)).recap.key_points
