"""What machines that watch over the installation see."""


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
