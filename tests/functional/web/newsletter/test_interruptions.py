"""A step that is interrupted anywhere: nothing is written twice or lost, and no error becomes content."""

from contextlib import suppress
from dataclasses import dataclass, field, replace

import pytest

from almanac.desks.newsletter.jobs import DRAFT, OUTLINE, RETRIEVE
from almanac.desks.newsletter.store import newsletters as newsletter_store
from almanac.errors import Unavailable
from almanac.jobs import JobCancelled, RunningJob
from almanac.llm.errors import MalformedAnswer


class Killed(BaseException):
    """Ends everything at once, as the end of a process does: no handler of ours sees it."""


@dataclass
class Ledger:
    """Counts reports, and does something at one of them."""

    at: int | None = None
    event: type[BaseException] = Killed
    told: list[str] = field(default_factory=list)

    async def progress(self, _done, _total, doing):
        self.told.append(doing)
        if len(self.told) == self.at:
            raise self.event


@dataclass
class Watched:
    """A writer that counts what it is asked for, and may fail or let something happen meanwhile."""

    inner: object
    subjects: list[str] = field(default_factory=list)
    failure: Exception | None = None
    meanwhile: object = None

    async def write(self, step, given, *, desk, subject=""):
        self.subjects.append(getattr(given, "title", step.name))
        if self.failure is not None:
            raise self.failure
        written = await self.inner.write(step, given, desk=desk, subject=subject)
        if self.meanwhile is not None:
            await self.meanwhile()
        return written


@pytest.fixture
def watched(services):
    return Watched(services.writer)


@pytest.fixture
def attempt(services, watched):
    """One attempt at a run of a step, as a worker makes it."""

    async def attempt(task, code, *, run=1, **ledger):
        book = Ledger(**ledger)
        job = RunningJob(1, task.name, 1, replace(services, writer=watched), book)
        await task.run(job, code=code, run=run)
        return book

    return attempt


async def full(services, code):
    return await newsletter_store.get_full_newsletter(services.tables, code)


async def test_a_retrieval_that_is_killed_anywhere_is_done_by_the_next_attempt(services, editor, attempt):
    code = await editor.begin()
    await editor.choose(code, "livestock", "funding")
    for at in (1, 2, 3):
        with suppress(Killed):
            await attempt(RETRIEVE, code, at=at)
        assert (await full(services, code)).topics.chunks == ()
    await attempt(RETRIEVE, code)
    result = await full(services, code)
    assert (result.topics.state.status, result.topics.state.run) == ("completed", 1)
    assert result.topics.chunks


async def test_an_outline_that_is_killed_anywhere_leaves_the_old_one(services, editor, retrieved, attempt):
    code = await retrieved("livestock")
    await editor.send("POST", f"{code}/outline/items", {"section_id": "section-1", "title": "Mine"})
    before = (await full(services, code)).outline.outline
    for at in (1, 2):
        with suppress(Killed):
            await attempt(OUTLINE, code, at=at)
        assert (await full(services, code)).outline.outline == before
    await attempt(OUTLINE, code)
    assert "Mine" in [item.title for item in (await full(services, code)).outline.outline.items]


async def test_a_draft_that_is_killed_anywhere_writes_each_section_once(services, retrieved, attempt, watched):
    code = await retrieved()
    await attempt(OUTLINE, code)
    watched.subjects.clear()
    sections = [section.name for section in (await full(services, code)).outline.outline.to_write]
    for at in range(3, 2 * len(sections), 2):
        with suppress(Killed):
            await attempt(DRAFT, code, at=at)
    await attempt(DRAFT, code)
    assert watched.subjects == sections
    done = await full(services, code)
    assert (done.draft.state.status, done.newsletter.status) == ("completed", "completed")
    await attempt(DRAFT, code)
    assert watched.subjects == sections


@pytest.mark.parametrize(
    ("failure", "tasks"),
    [(MalformedAnswer("The model's answer made no sense."), [OUTLINE]), (RuntimeError("boom"), [OUTLINE, DRAFT])],
)
async def test_a_failed_generation_changes_nothing_and_its_words_are_no_content(
    services, editor, drafted, attempt, watched, failure, tasks
):
    code = await drafted("livestock", "funding")
    before = await full(services, code)
    watched.failure = failure
    for task in tasks:
        with pytest.raises(type(failure)):
            await attempt(task, code, run=2)
    after = await full(services, code)
    assert after.outline.outline == before.outline.outline
    assert after.draft.draft == before.draft.draft
    assert after.outline.state.status == "failed"
    assert after.draft.state.status == ("failed" if DRAFT in tasks else "completed")
    error = (await editor.get(f"{code}/outline"))["outline_error"]
    assert error == getattr(failure, "sentence", None) or "unexpected" in error
    watched.failure = None
    await attempt(OUTLINE, code, run=2)
    assert (await full(services, code)).outline.state.status == "completed"


async def test_a_passing_fault_leaves_the_step_to_the_next_attempt(services, retrieved, attempt, watched):
    code = await retrieved("livestock")
    watched.failure = Unavailable("The model does not answer.")
    with pytest.raises(Unavailable):
        await attempt(OUTLINE, code)
    assert (await full(services, code)).outline.state.status == "processing"


async def test_a_cancelled_step_leaves_what_was_there(services, drafted, attempt):
    code = await drafted("livestock")
    before = await full(services, code)
    for task in (RETRIEVE, OUTLINE, DRAFT):
        with pytest.raises(JobCancelled):
            await attempt(task, code, run=2, at=1, event=JobCancelled)
    after = await full(services, code)
    assert (after.topics.chunks, after.outline.outline, after.draft.draft) == (
        before.topics.chunks,
        before.outline.outline,
        before.draft.draft,
    )
    assert {after.step_state(step).status for step in ("retrieval", "outline", "draft")} == {"completed"}


async def test_what_a_person_writes_while_it_is_generated_stays(services, editor, retrieved, attempt, watched):
    code = await retrieved("livestock")
    await attempt(OUTLINE, code)

    async def write():
        watched.meanwhile = None
        section = (await full(services, code)).outline.outline.to_write[0].id
        answer = await editor.send("PUT", f"{code}/draft/sections/{section}", {"text": "Mine."}, version=0)
        assert answer.status_code == 200, answer.text

    watched.meanwhile = write
    await attempt(DRAFT, code)
    first = (await full(services, code)).draft.draft.sections[0]
    assert first.text == "Mine."
    assert first.proposal


async def test_an_item_added_while_an_outline_is_made_is_in_it(services, editor, retrieved, attempt, watched):
    code = await retrieved("livestock")

    async def add():
        await editor.send("POST", f"{code}/outline/items", {"section_id": "section-2", "title": "Quick"})

    watched.meanwhile = add
    await attempt(OUTLINE, code)
    outline = (await full(services, code)).outline.outline
    assert "Quick" in [item.title for item in outline.items]
    assert len(outline.modifications.added) == 1


async def test_a_newsletter_deleted_meanwhile_stays_deleted(services, editor, retrieved, attempt, watched):
    code = await retrieved("livestock")

    async def delete():
        await newsletter_store.delete_newsletter(services.tables, code)

    watched.meanwhile = delete
    with suppress(Exception):
        await attempt(OUTLINE, code)
    assert (await editor.http.get(f"/api/v1/newsletters/{code}")).status_code == 404
    assert await newsletter_store.delete_newsletter(services.tables, code) == 0
