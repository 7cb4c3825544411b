"""The jobs console: failures with their reasons, retried and cancelled by people and programs, and audited."""

from pathlib import Path

import pytest

from almanac.accounts.permissions import Role
from almanac.bootstrap import make_worker
from almanac.errors import AlmanacError
from almanac.jobs import JobType

REFERENCE = Path(__file__).parents[3] / "docs" / "reference" / "background-work.md"


@pytest.fixture
def failing(services):
    async def fail(job, feed: str = "") -> None:
        raise AlmanacError("The feed answered <b>badly</b>.")

    task = JobType("demo.fail", fail)
    services.jobs.registry.add(task)
    return task


@pytest.fixture
async def failed(services, failing):
    job_id = await services.jobs.defer(failing, {"feed": "example.org"})
    await make_worker(services).drain()
    return job_id


def test_the_reference_lists_everything_that_runs_in_the_background(services):
    page = REFERENCE.read_text("utf-8")
    missing = [name for name in services.jobs.registry.job_types if f"| `{name}` |" not in page]
    assert missing == []
    assert all(schedule.cron in page for schedule in services.jobs.registry.schedules.values())


async def test_a_failed_job_is_listed_with_its_reason_as_plain_text(admin, failed):
    page = (await admin.get("/jobs?status=failed")).text
    assert f'href="/jobs/{failed}"' in page
    assert "The feed answered &lt;b&gt;badly&lt;/b&gt;." in page


async def test_the_page_of_a_job_tells_its_arguments_and_attempts(admin, failed):
    page = (await admin.get(f"/jobs/{failed}")).text
    assert "example.org" in page
    assert "Attempt 1 failed" in page


async def test_failed_jobs_are_retried_in_bulk_and_on_record(admin, services, failed):
    answer = await admin.post("/jobs/retry", {"ids": [failed]})
    assert "Queued 1 job again." in answer.text
    assert (await services.jobs.job(failed)).job.status == "queued"
    assert "jobs.retried" in (await admin.get("/audit")).text


async def test_every_failed_job_is_retried_at_once(admin, services, failing, failed):
    other = await services.jobs.defer(failing)
    await make_worker(services).drain()
    assert "Queued 2 jobs again." in (await admin.post("/jobs/retry", {"everything": "yes"})).text
    assert (await services.jobs.job(other)).job.status == "queued"


async def test_a_queued_job_is_cancelled_at_once(admin, services, failing):
    job_id = await services.jobs.defer(failing)
    assert "The job is cancelled." in (await admin.post(f"/jobs/{job_id}/cancel")).text


async def test_an_approver_sees_jobs_but_can_t_retry_them(signed_in, failed):
    approver = await signed_in(Role.APPROVER)
    page = (await approver.get(f"/jobs/{failed}")).text
    assert "Why" in page
    assert "/retry" not in page


async def test_schedules_are_paused_resumed_and_run_by_hand(admin, services):
    name = (await services.jobs.schedules())[0].name
    assert name in (await admin.get("/jobs/schedules")).text
    assert "is paused." in (await admin.post(f"/jobs/schedules/{name}/pause")).text
    assert "runs again." in (await admin.post(f"/jobs/schedules/{name}/resume")).text
    assert "is started." in (await admin.post(f"/jobs/schedules/{name}/run")).text


async def test_the_home_page_says_what_failed_and_why(admin, failed):
    page = (await admin.get("/")).text
    assert "1 failure" in page
    assert "The feed answered" in page
    assert f"/jobs/{failed}/retry" in page


async def test_a_member_s_home_page_is_about_the_member(signed_in, failed):
    page = (await (await signed_in(Role.MEMBER)).get("/")).text
    assert "The feed answered" not in page
    assert 'id="decide"' in page


async def test_a_job_that_is_not_there_is_told_so(admin):
    assert (await admin.get("/jobs/999999")).status_code == 404


async def test_programs_list_retry_and_cancel_jobs(api, failed):
    listed = (await api.get("/api/v1/jobs", params={"status": "failed"})).json()["items"]
    assert [job["id"] for job in listed] == [failed]
    assert (await api.post("/api/v1/jobs/retry", json={"ids": [failed]})).json() == {"retried": 1}
    assert (await api.post(f"/api/v1/jobs/{failed}/cancel")).json()["status"] == "cancelled"
    detail = (await api.get(f"/api/v1/jobs/{failed}")).json()
    assert detail["runs"][0]["outcome"] == "failed"


async def test_what_programs_do_is_on_record_as_well(api, services, failed):
    name = (await services.jobs.schedules())[0].name
    await api.post("/api/v1/jobs/retry", json={"ids": [failed]})
    await api.post(f"/api/v1/jobs/{failed}/cancel")
    for change in ("pause", "resume", "run"):
        await api.post(f"/api/v1/schedules/{name}/{change}")
    entries = (await api.get("/api/v1/audit")).json()["items"]
    text = [(entry["action"], entry["object_id"], entry["actor_via"]) for entry in reversed(entries)]
    assert text == [
        ("jobs.retried", str(failed), "automation"),
        ("job.cancelled", str(failed), "automation"),
        ("schedule.paused", name, "automation"),
        ("schedule.resumed", name, "automation"),
        ("schedule.run", name, "automation"),
    ]
