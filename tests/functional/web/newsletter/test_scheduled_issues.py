"""A schedule prepares the next issue once per due time, or records why it doesn't."""

import asyncio
from datetime import timedelta

import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.bootstrap import make_worker
from almanac.desks.newsletter import jobs
from almanac.desks.newsletter.store import newsletters as newsletter_store
from almanac.desks.newsletter.store import series as series_store
from almanac.desks.newsletter.store.table import NewsletterRecord
from almanac.errors import Unavailable
from almanac.jobs import RunningJob

DAILY = {"frequency": "weekly", "schedule": {"rule": "0 10 * * *", "time_zone": "UTC", "active": True}}
TOPICS = ("livestock", "climate_smart", "funding", "food_security")


class Killed(BaseException):
    """Ends everything at once, as the end of a process does."""


class Ledger:
    """What a run leaves its marks in; ends the run at a report that begins with these words."""

    def __init__(self, services, until=None):
        self.services, self.until, self.steps = services, until, set()

    async def progress(self, _done, _total, doing):
        if self.until and doing.startswith(self.until):
            raise Killed

    def unit(self):
        return self.services.database.unit()

    async def once(self, _unit, step):
        return not (step in self.steps or self.steps.add(step))


@pytest.fixture
def begin(editor):
    async def begin(*topics, **fields):
        code = await editor.begin(title="Drought watch", **{**DAILY, **fields})
        if topics or not fields.get("bare"):
            await editor.choose(code, *(topics or TOPICS))
        return code

    return begin


@pytest.fixture
def tick(services, clock):
    """Time passes, the schedule looks, and everything it started is done."""

    async def tick(**passed):
        clock.advance(**passed)
        await services.jobs.defer(jobs.PREPARE_DUE.job_type)
        await make_worker(services).drain()

    return tick


@pytest.fixture
def attempt(services, clock):
    """One attempt to prepare what is due, as a worker makes it."""

    async def attempt(code, due, ledger, number=1):
        job = RunningJob(1, jobs.PREPARE.name, number, services, ledger)
        await jobs.PREPARE.run(job, code=code, due=due)

    return attempt


async def own(editor):
    return (await editor.http.get("/api/v1/newsletters")).json()["items"]


async def test_the_next_issue_waits_for_review_with_what_is_new(editor, begin, tick, clock):
    code = await begin()
    assert (await editor.get(f"{code}/runs")) == {"active": True, "next_run": "2026-03-02T10:00:00Z", "runs": []}
    await tick(hours=2)
    series = await editor.get(f"{code}/runs")
    (run,) = series["runs"]
    assert (run["due_at"], run["outcome"]) == ("2026-03-02T10:00:00Z", "prepared")
    assert series["next_run"] == "2026-03-03T10:00:00Z"
    issue = await editor.get(run["issue"])
    assert (issue["title"], issue["status"], issue["made_from"]) == ("Drought watch, 2 March 2026", "draft", code)
    assert issue["schedule"]["active"] is False
    draft = await editor.get(f"{run['issue']}/draft")
    assert draft["word_count"] > 100
    assert draft["obstacles"] == []
    coverage = (await editor.get(f"{run['issue']}/topics"))["coverage"]
    assert len(coverage["new"]) > 3


async def test_what_the_last_issue_told_is_left_out_of_the_next(editor, begin, tick, services):
    code = await begin(length_preference="quick_read")
    await tick(hours=2)
    await tick(days=1)
    second, first = (await editor.get(f"{code}/runs"))["runs"]
    assert (first["outcome"], second["outcome"]) == ("prepared", "prepared"), second["reason"]
    cited, again = [
        (await newsletter_store.get_newsletter(services.tables, run["issue"])).covered_chunks for run in (first, second)
    ]
    assert cited
    assert again
    assert not set(cited) & set(again)
    used = {
        chunk["id"]: chunk["included"]
        for chunk in (await editor.get(f"{second['issue']}/topics"))["retrieved_content"]
        if chunk["used_in"]
    }
    assert not any(used.values())


async def test_thin_sources_skip_the_run_and_say_why(editor, begin, tick):
    code = await begin("Submarine archaeology")
    await tick(hours=2)
    (run,) = (await editor.get(f"{code}/runs"))["runs"]
    assert (run["outcome"], run["issue"]) == ("skipped", None)
    assert run["reason"].startswith("Not enough new sources: no new passage on these topics from the last 14 days")
    assert [newsletter["code"] for newsletter in await own(editor)] == [code]


async def test_days_of_silence_bring_one_issue(editor, begin, tick):
    code = await begin()
    await tick(days=5, hours=2)
    series = await editor.get(f"{code}/runs")
    assert [run["due_at"] for run in series["runs"]] == ["2026-03-02T10:00:00Z"]
    assert series["next_run"] == "2026-03-08T10:00:00Z"
    assert len(await own(editor)) == 2


async def test_two_looks_at_the_same_moment_make_one_issue(editor, begin, services, attempt, clock):
    code = await begin()
    clock.advance(hours=2)
    due = (await editor.get(f"{code}/runs"))["next_run"]
    await asyncio.gather(*(attempt(code, due, Ledger(services), number) for number in (1, 2)), return_exceptions=True)
    await attempt(code, due, Ledger(services))
    (run,) = (await editor.get(f"{code}/runs"))["runs"]
    assert run["outcome"] == "prepared"
    assert {newsletter["code"] for newsletter in await own(editor)} == {code, run["issue"]}


@pytest.mark.parametrize("at", ["Looking for", "Reading", "Merging", "Writing", "Conclusion"])
async def test_a_preparation_that_is_killed_anywhere_goes_on_with_its_issue(
    editor, begin, services, attempt, clock, at
):
    code = await begin()
    clock.advance(hours=2)
    due = (await editor.get(f"{code}/runs"))["next_run"]
    with pytest.raises(Killed):
        await attempt(code, due, Ledger(services, until=at))
    await attempt(code, due, Ledger(services))
    (run,) = (await editor.get(f"{code}/runs"))["runs"]
    assert run["outcome"] == "prepared"
    assert {newsletter["code"] for newsletter in await own(editor)} == {code, run["issue"]}
    names = [section["name"] for section in (await editor.get(f"{run['issue']}/draft"))["sections"]]
    assert len(names) == len(set(names)) > 2


async def test_an_ended_schedule_prepares_nothing_and_a_copy_has_none(editor, begin, tick):
    code = await begin()
    copy = (await editor.send("POST", f"{code}/duplicate", {})).json()
    rhythm = {**DAILY["schedule"], "active": False}
    ended = await editor.send("PATCH", code, {"schedule": rhythm}, of=code)
    assert ended.status_code == 200
    await tick(days=2)
    for each in (code, copy["code"]):
        assert await editor.get(f"{each}/runs") == {"active": False, "next_run": None, "runs": []}
    assert len(await own(editor)) == 2


async def test_an_owner_who_left_gets_no_more_issues(editor, begin, tick, services, api):
    code = await begin()
    owner = (await newsletter_store.get_newsletter(services.tables, code)).owner_id
    user = await accounts.get_user(services.accounts, CONSOLE, owner)
    await accounts.deactivate_user(services.accounts, CONSOLE, user.id)
    await tick(hours=2)
    (run,) = (await api.get(f"/api/v1/newsletters/{code}/runs")).json()["runs"]
    assert run["outcome"] == "skipped"
    assert "no active account" in run["reason"]


async def test_a_failure_is_told_and_the_next_moment_is_another_try(editor, begin, services, attempt, clock):
    code = await begin()
    clock.advance(hours=2)
    due = (await editor.get(f"{code}/runs"))["next_run"]

    class Away(Ledger):
        async def progress(self, _done, _total, doing):
            raise Unavailable("The index is away.")

    with pytest.raises(Unavailable):
        await attempt(code, due, Away(services))
    assert (await editor.get(f"{code}/runs"))["runs"] == []
    with pytest.raises(Unavailable):
        await attempt(code, due, Away(services), number=jobs.PREPARE.retry.attempts)
    series = await editor.get(f"{code}/runs")
    assert [(run["outcome"], run["reason"]) for run in series["runs"]] == [("failed", "The index is away.")]
    assert series["next_run"] == "2026-03-03T10:00:00Z"


async def test_what_is_due_is_found_in_one_query_among_many(editor, begin, services, clock):
    late = await begin(schedule={"rule": "30 9 * * *", "time_zone": "UTC", "active": True})
    due = await begin()
    await begin(schedule={"rule": "0 23 * * *", "time_zone": "UTC", "active": True})
    clock.advance(hours=2)
    with services.tables.measure() as spent:
        due_series = await series_store.list_due_series(services.tables, clock.now(), limit=50)
    assert spent.total.calls == 1
    assert [series.code for series in due_series] == [late, due]


async def test_a_series_whose_newsletter_another_program_deleted_is_forgotten(editor, begin, tick, services, clock):
    code = await begin()
    await services.tables.delete(NewsletterRecord.key(newsletter_code=code))
    await tick(hours=2)
    later = clock.now() + timedelta(days=30)
    assert await series_store.list_due_series(services.tables, later, limit=50) == []
