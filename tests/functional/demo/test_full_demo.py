"""The demo as workers load it that are killed on the way: complete, nothing twice, and every sentence supported."""

import asyncio
import importlib
import signal
import subprocess
import sys
from collections import Counter
from contextlib import aclosing, contextmanager
from pathlib import Path

import pytest

from almanac.accounts.model import Principal
from almanac.accounts.service import first_run_link
from almanac.bootstrap import DEMO, open_services
from almanac.config import Settings
from almanac.desks.newsletter.demo.documents import load_documents
from almanac.desks.newsletter.demo.issues import ISSUES
from almanac.desks.newsletter.model.configuration import LENGTHS, ConfigurationEdit
from almanac.desks.newsletter.model.newsletter import STEPS
from almanac.desks.newsletter.model.topics import TOPIC_TYPES
from almanac.desks.newsletter.model.verification import check_sections, list_cited_chunks
from almanac.desks.newsletter.service import newsletters as newsletter_service
from almanac.desks.newsletter.service import provenance as provenance_service
from almanac.desks.newsletter.service import steps as step_service
from almanac.desks.newsletter.service import topics as topic_service
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.jobs import InlineLedger, JobStatus
from almanac.knowledge import KnowledgeViewer, SourceStatus

PROVE = Path(__file__).parents[2] / "prove"
SCRIPT = Path(__file__).parent / "worker_process.py"
DOCUMENTS = load_documents()
LONGEST_LOAD = 180


@contextmanager
def a_worker(settings):
    worker = subprocess.Popen([sys.executable, SCRIPT, settings.database_url, str(settings.data)])
    try:
        yield worker
    finally:
        worker.send_signal(signal.SIGKILL)
        worker.wait()


async def reached(services, doing):
    """A load reports that it is doing this."""
    async with asyncio.timeout(LONGEST_LOAD), aclosing(services.jobs.watch()) as changes:
        async for job in changes:
            if job.task == DEMO.task.name and (job.doing or "").startswith(doing) and job.done:
                return


async def ended(services):
    """The demo is complete; a job that fails on the way tells why."""
    async with asyncio.timeout(LONGEST_LOAD), aclosing(services.jobs.watch()) as changes:
        async for job in changes:
            assert job.status is not JobStatus.FAILED, f"{job.task}: {job.reason}"
            if await DEMO.is_complete(services):
                return


@pytest.fixture(scope="module")
async def installation(databases, tmp_path_factory):
    """Loaded by three workers, of which two are killed: while sources are added, and while a newsletter is written."""
    async with databases.lend() as url:
        settings = Settings(data=tmp_path_factory.mktemp("demo"), database_url=url, mail_url="memory:")
        async with open_services(settings) as services:
            user = (await first_run_link(services.accounts)).user
            await DEMO.queue(services, user.id)
            for doing in ("Adding", "Looking for"):
                with a_worker(settings):
                    await reached(services, doing)
            with a_worker(settings):
                await ended(services)
            yield services, Principal(user_id=user.id, name=user.name, email=user.email, role=user.role, via="console")


def assert_supported(full):
    checked = check_sections(full)
    assert [fault.findings for item in checked for fault in item.report.faults] == []
    assert len(list_cited_chunks(checked)) >= 4


async def test_every_document_is_there_once_and_read(installation):
    services, owner = installation
    viewer = KnowledgeViewer(owner.user_id)
    sources = (await services.knowledge.list(viewer, limit=200)).items
    assert {source.status for source in sources} == {SourceStatus.READY}
    details = [await services.knowledge.get(viewer, source.id) for source in sources]
    held = Counter(document.url for detail in details for document in detail.documents)
    assert held == Counter(document.url for document in DOCUMENTS)
    languages = {document.url: document.language for detail in details for document in detail.documents}
    assert languages == {document.url: document.language for document in DOCUMENTS}


async def test_its_newsletters_are_there_once_each_as_far_as_it_is_meant_to_be(installation):
    services, owner = installation
    issues = {issue.configuration.title: issue for issue in ISSUES}
    own = [
        own_newsletter
        for own_newsletter in (await newsletter_service.list_own_newsletters(services, owner)).items
        if own_newsletter.title in issues
    ]
    assert sorted(item.title for item in own) == sorted(issues)
    for item in own:
        full = await open_newsletter(services, owner, item.code)
        done = STEPS.index(issues[item.title].until) + 1
        expected = ["completed"] * done + ["pending"] * (len(STEPS) - done)
        assert [full.step_state(step).status for step in STEPS] == expected
        assert full.changes == ()


async def test_finished_newsletters_say_nothing_that_their_sources_do_not_say(installation):
    services, owner = installation
    finished = [
        own_newsletter
        for own_newsletter in (await newsletter_service.list_own_newsletters(services, owner)).items
        if own_newsletter.status == "completed"
    ]
    assert len(finished) == sum(issue.until == "draft" for issue in ISSUES)
    for item in finished:
        assert_supported(await open_newsletter(services, owner, item.code))


async def test_one_of_them_is_written_from_news_and_parliament(installation):
    services, owner = installation
    (code,) = [
        own_newsletter.code
        for own_newsletter in (await newsletter_service.list_own_newsletters(services, owner)).items
        if "Sun, Wind" in own_newsletter.title
    ]
    traced = await provenance_service.get_provenance(services, owner, code)
    results = [support for _, supports in traced.sentences for support in supports]
    assert {support.quoted.chunk.kind for support in results} == {"news", "recap"}
    assert {support.status for support in results} == {"unchanged"}


async def test_nothing_in_it_is_invented_and_faults_would_be_found(installation, monkeypatch):
    """The short form of `make prove`: every statement of every desk, and a tenth of the faults."""
    monkeypatch.syspath_prepend(PROVE)
    proof, artefacts = map(importlib.import_module, ("nothing_invented", "nothing_invented_artefacts"))
    statements = await artefacts.statements(*installation)
    assert {statement.desk for statement in statements} == {"news", "recap", "newsletter", "reminders", "habits"}
    assert [statement.text for statement in proof.unsupported(statements)] == []
    tallies = proof.inject(statements, most=proof.MOST_OF_A_KIND // 10)
    assert sum(tally.found for tally in tallies.values()) >= 0.9 * sum(tally.tried for tally in tallies.values()) > 90


EVERY_TOPIC = tuple(topic.key for topic in TOPIC_TYPES)


@pytest.mark.parametrize(
    ("frequency", "length", "topics"),
    [
        ("daily", "quick_read", EVERY_TOPIC),
        ("weekly", "standard", EVERY_TOPIC),
        ("monthly", "deep_dive", EVERY_TOPIC),
        ("quarterly", "quick_read", EVERY_TOPIC),
        ("weekly", "quick_read", ("livestock", "funding")),
    ],
)
async def test_the_whole_run_leaves_no_sentence_unsupported(installation, frequency, length, topics):
    services, owner = installation
    edit = ConfigurationEdit(
        title=f"The Horn, {frequency}", target_audience=("field_staff",), frequency=frequency, length_preference=length
    )
    code = (await newsletter_service.create_newsletter(services, owner, edit)).code
    await topic_service.choose_topics(services, owner, code, topics, expected=0)
    for step in STEPS:
        full = await step_service.run_step_now(services, owner, code, step, InlineLedger(services.database))
    assert full.newsletter.status == "completed"
    assert_supported(full)
    assert LENGTHS[length].fewest <= full.draft.draft.word_count <= LENGTHS[length].most
    await newsletter_service.delete_newsletter(services, owner, code)
