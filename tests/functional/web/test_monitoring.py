"""Monitoring endpoints: liveness, readiness and metrics."""

from almanac.jobs import JobType


async def test_alive_means_that_the_process_answers(nobody, services):
    await services.database.close()
    answer = await nobody.get("/healthz")
    assert (answer.status_code, answer.text) == (200, "ok")


async def test_ready_means_that_everything_needed_is_there(nobody):
    answer = await nobody.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ready", "checks": {"database": "ok", "migrations": "ok", "objects": "ok"}}


async def test_without_its_database_it_is_not_ready_and_says_so(nobody, services):
    await services.database.close()
    answer = await nobody.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"]["database"] != "ok"
    assert "postgres" not in answer.text


async def test_a_process_that_stops_is_alive_and_not_ready(app, nobody):
    app.state.almanac.draining.set()
    answer = await nobody.get("/readyz")
    assert (answer.status_code, answer.json()) == (503, {"status": "stopping"})
    assert (await nobody.get("/healthz")).status_code == 200


async def test_figures_name_routes_and_nothing_about_anybody(nobody, admin):
    await admin.get(f"/people/{admin.user.id}")
    text = (await nobody.get("/metrics")).text
    assert 'route="/people/{user_id}",status="200"} 1.0' in text
    assert "almanac_request_seconds_bucket" in text
    assert admin.user.id not in text


async def test_a_client_s_own_words_never_become_figures(nobody):
    await nobody.http.request("BREW", "/healthz")
    text = (await nobody.get("/metrics")).text
    assert 'method="other"' in text
    assert "BREW" not in text


async def test_a_queue_without_jobs_is_told_of_no_more(nobody, services):
    async def nothing(_job) -> None:
        """Never run here."""

    await services.jobs.defer(JobType("demo.nothing", nothing, queue="fleeting"))
    assert 'almanac_jobs{queue="fleeting",status="queued"} 1.0' in (await nobody.get("/metrics")).text
    async with services.database.unit() as unit:
        await unit.execute("DELETE FROM procrastinate_jobs WHERE queue_name = 'fleeting'")
    assert "fleeting" not in (await nobody.get("/metrics")).text
