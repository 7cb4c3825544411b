"""Failures are named by what failed, shown to those whom they concern, and dismissed with a reason."""

import re

import pytest
import typst

from almanac.accounts.permissions import Role
from almanac.bootstrap import make_worker
from almanac.doctor import run_checks
from almanac.errors import AlmanacError
from almanac.jobs import JobType

BROKEN_PDF = b"%PDF-1.4\nthis is no PDF\n%%EOF"
SECRET_NAME = "salaries-of-the-board.pdf"


@pytest.fixture
async def owner(signed_in, person, services):
    """An editor whose private file can't be read."""
    editor = await signed_in(Role.EDITOR)
    token = await editor.csrf("/knowledge/add")
    answer = await editor.http.post(
        "/knowledge",
        data={"csrf_token": token},
        files={"files": (SECRET_NAME, BROKEN_PDF, "application/pdf")},
    )
    assert answer.status_code == 200, answer.text
    await make_worker(services).drain()
    return editor


@pytest.fixture
async def fault(services):
    """A job that failed by a fault, about nothing in particular."""

    async def crash(job) -> None:
        raise AlmanacError("The disk is full.")

    task = JobType("demo.crash", crash, title="Tidy the attic")
    services.jobs.registry.add(task)
    job_id = await services.jobs.defer(task)
    await make_worker(services).drain()
    return job_id


def indicator(page):
    return re.search(r'id="jobs-indicator".*?</a>', page, re.DOTALL)[0]


async def test_the_owner_of_a_broken_file_sees_its_name_and_where_it_is(owner):
    page = (await owner.get("/failures")).text
    assert SECRET_NAME in page
    assert re.search(rf'href="/knowledge/[^"]+">{SECRET_NAME}', page)
    assert SECRET_NAME in (await owner.get("/")).text


async def test_a_broken_file_is_no_alarm_for_others(owner, admin, services, signed_in, person):
    home = (await admin.get("/")).text
    assert "failure" not in indicator(home)
    assert SECRET_NAME not in home
    assert {result.name: result.well for result in await run_checks(services)}["jobs"]
    other = await signed_in(user=await person(Role.EDITOR, email="other@example.org"))
    assert "No failures" in (await other.get("/failures")).text


async def test_an_administrator_sees_the_kind_of_a_private_file_only(owner, admin, api):
    for path in ("/failures", "/jobs", "/jobs?status=failed"):
        page = (await admin.get(path)).text
        assert "Read a knowledge source" in page
        assert SECRET_NAME not in page
    (failure,) = (await api.get("/api/v1/failures")).json()
    assert (failure["object"], failure["kind"], failure["by_input"]) == (None, "source", True)
    assert failure["reason"] == "Only those who may see it see the reason."
    job = (await api.get(f"/api/v1/jobs/{failure['job_id']}")).json()
    assert {job["job"]["reason"], *(run["reason"] for run in job["runs"])} == {failure["reason"]}


async def test_a_fault_is_an_alarm_for_administrators_only(fault, admin, signed_in):
    assert "1 failure" in indicator((await admin.get("/")).text)
    editor = await signed_in(Role.EDITOR)
    assert "failure" not in indicator((await editor.get("/")).text)
    assert "Tidy the attic" not in (await editor.get("/failures")).text


async def test_a_failure_is_dismissed_with_a_reason_and_stays_in_the_history(fault, admin, services):
    answer = await admin.post("/failures/dismiss", {"ids": [fault], "why": "The attic is gone."})
    assert "Dismissed 1 failure." in answer.text
    assert "failure" not in indicator((await admin.get("/")).text)
    assert "The attic is gone." in (await admin.get("/failures?dismissed=yes")).text
    assert "dismissed: The attic is gone." in (await admin.get("/jobs?status=failed")).text
    entries = (await admin.get("/audit")).text
    assert "failures.dismissed" in entries
    assert "The attic is gone." in entries
    assert "is listed again" in (await admin.post(f"/failures/{fault}/restore")).text
    assert [failure.job_id for failure in await services.jobs.failures()] == [fault]


async def test_a_reason_is_asked_for_and_the_choice_is_kept(fault, admin):
    answer = await admin.post("/failures/dismiss", {"ids": [fault], "why": "  "})
    assert answer.status_code == 422
    assert "Say why" in answer.text
    assert re.search(rf'value="{fault}"[^>]* checked', answer.text)


async def test_all_failures_of_a_kind_are_dismissed_at_once(fault, owner, admin, services):
    await services.jobs.defer(services.jobs.registry.job_types["demo.crash"])
    await make_worker(services).drain()
    answer = await admin.post("/failures/dismiss", {"task": "demo.crash", "why": "Known."})
    assert "Dismissed 2 failures." in answer.text
    assert [failure.task for failure in await services.jobs.failures()] == ["knowledge.read"]


async def test_dismissing_several_can_be_undone(fault, admin, services):
    second = await services.jobs.defer(services.jobs.registry.job_types["demo.crash"])
    await make_worker(services).drain()
    answer = await admin.post("/failures/dismiss", {"ids": [fault, second], "why": "Known."})
    [ids] = re.findall(r'action="/failures/restore".*?name="ids" value="([^"]*)"', answer.text, re.DOTALL)
    assert "2 failures are listed again." in (await admin.post("/failures/restore", {"ids": ids})).text
    assert {failure.job_id for failure in await services.jobs.failures()} & {fault, second}
    assert "Nothing was dismissed" in (await admin.get("/failures?dismissed=yes")).text


async def test_nobody_dismisses_what_does_not_concern_them(fault, signed_in, services):
    member = await signed_in(Role.MEMBER)
    assert "Select a failure first." in (await member.post("/failures/dismiss", {"ids": [fault], "why": "no"})).text
    assert [failure.job_id for failure in await services.jobs.failures()] == [fault]


async def test_programs_dismiss_and_restore(fault, api, services):
    answer = await api.post("/api/v1/failures/dismiss", json={"ids": [fault], "why": "Known."})
    assert answer.json() == {"dismissed": 1}
    (listed,) = (await api.get("/api/v1/failures?dismissed=true")).json()
    assert listed["dismissal"]["why"] == "Known."
    assert (await api.post(f"/api/v1/failures/{fault}/restore")).json() == {"restored": 1}
    both = await api.post("/api/v1/failures/dismiss", json={"ids": [fault], "task": "demo.crash", "why": "Known."})
    assert both.status_code == 400


async def test_a_file_that_is_read_again_ends_its_failure(owner, services):
    (failure,) = await services.jobs.failures()
    assert failure.object is not None
    token = await owner.csrf("/knowledge/add")
    await owner.http.post(
        "/knowledge",
        data={"csrf_token": token},
        files={"files": (SECRET_NAME, typst.compile(b"Rice is cheaper. It rained all week."), "application/pdf")},
    )
    await make_worker(services).drain()
    assert await services.jobs.failures() == []


async def test_housekeeping_is_hidden_until_asked_for(admin, services):
    await services.jobs.run_schedule("mail.keep-up")
    await make_worker(services).drain()
    hidden = (await admin.get("/jobs")).text
    assert "Send due mail" not in hidden
    assert "Show housekeeping" in hidden
    assert "Send due mail" in (await admin.get("/jobs?housekeeping=yes")).text
    assert "Send due mail" in (await admin.get("/jobs?task=mail.keep-up")).text
