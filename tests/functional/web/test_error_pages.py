"""Every error is a page for people and a problem for programs, without internal details."""

import re
from dataclasses import replace

import httpx
import pytest
from fastapi import FastAPI

from almanac.bootstrap import open_services
from almanac.desks import DESKS
from almanac.errors import Unavailable
from almanac.web.app import create_app


@pytest.fixture
def broken(app: FastAPI):
    """Routes that fail in ways a real one never should."""

    @app.get("/broken")
    async def broken() -> None:
        raise RuntimeError("the engine room is flooded")

    @app.get("/api/v1/broken")
    async def broken_api() -> None:
        raise RuntimeError("the engine room is flooded")

    @app.get("/unavailable")
    async def unavailable() -> None:
        raise Unavailable("The database doesn't answer; try again in a minute.")

    return app


async def test_an_unknown_page_says_where_to_go(nobody):
    answer = await nobody.get("/nothing-here")
    assert answer.status_code == 404
    assert "Page not found" in answer.text
    assert 'href="/"' in answer.text


async def test_what_is_missing_at_a_desk_leads_back_to_the_desk(admin):
    answer = await admin.get("/news/stories/999999")
    assert answer.status_code == 404
    assert re.search(r'<a class="button button-primary"\s+href="/news"[^>]*>Go to News</a>', answer.text)


async def test_an_unknown_address_of_the_api_is_a_problem(api):
    answer = await api.get("/api/v1/nothing-here")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == "not_found"


async def test_an_unforeseen_error_shows_no_trace_of_the_inside(broken, nobody, api, caplog):
    page, problem = await nobody.get("/broken"), await api.get("/api/v1/broken")
    assert page.status_code == problem.status_code == 500
    for text in (page.text, problem.text):
        assert "engine room" not in text
        assert "Traceback" not in text
    assert "Something went wrong on our side" in page.text
    assert problem.json()["request_id"] == problem.headers["x-request-id"]
    assert any(record.exc_info for record in caplog.records)


async def test_what_is_down_is_told_with_the_way_on(broken, nobody):
    answer = await nobody.get("/unavailable")
    assert answer.status_code == 503
    assert "The database doesn&#39;t answer; try again in a minute." in answer.text


async def test_an_oversized_body_is_refused_with_the_limit(api):
    announced = await api.post("/api/v1/users", content=b"x" * (2 * 1024 * 1024))
    assert announced.status_code == 413
    assert "larger than the 1 MB allowed" in announced.json()["detail"]


async def test_a_file_may_be_larger_than_other_requests_and_is_refused_with_its_own_limit(settings, clock):
    roomy = replace(settings, knowledge_max_mb=3)
    async with open_services(roomy, clock) as services:
        transport = httpx.ASGITransport(create_app(services, DESKS))
        headers = {"Authorization": f"Bearer {settings.admin_token}"}
        async with httpx.AsyncClient(transport=transport, base_url=settings.base_url, headers=headers) as client:
            taken, refused = [
                await client.post("/api/v1/knowledge", files={"file": ("a.txt", b"A word. " * size)})
                for size in (2 * 1024 * 128, 4 * 1024 * 128)
            ]
    assert taken.status_code == 201
    assert refused.status_code == 413
    assert "3 MB allowed here; send less at once, or have ALMANAC_KNOWLEDGE_MAX_MB raised" in refused.json()["detail"]


async def test_an_oversized_body_of_unknown_length_is_refused_too(api):
    async def endless():
        for _ in range(40):
            yield b"x" * 65536

    answer = await api.post("/api/v1/users", content=endless(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 413


async def test_an_oversized_form_gets_a_page(admin):
    answer = await admin.http.post("/account", data={"name": "x" * (2 * 1024 * 1024)})
    assert answer.status_code == 413
    assert "Too large" in answer.text


async def test_wrong_fields_are_named_one_by_one(api):
    answer = await api.post("/api/v1/users", json={"email": "nonsense", "name": "Ada"})
    assert answer.status_code == 422
    assert answer.json()["fields"] == {"email": "Enter an e-mail address like ada@example.org."}
    missing = await api.post("/api/v1/users", json={"email": "ada@example.org", "colour": "red"})
    assert set(missing.json()["fields"]) == {"name", "colour"}


async def test_a_body_that_is_no_json_is_told_so(api):
    answer = await api.post("/api/v1/users", content=b"{", headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"


async def test_a_cursor_of_another_list_is_refused(api):
    answer = await api.get("/api/v1/users", params={"cursor": "bm9uc2Vuc2U"})
    assert answer.status_code == 400
    assert "start again from the first page" in answer.json()["detail"]


async def test_a_method_that_is_not_there_is_told_so(api):
    answer = await api.delete("/api/v1/me")
    assert answer.status_code == 405
    assert answer.json()["code"] == "method_not_allowed"


async def test_the_id_of_a_request_is_the_callers_if_it_is_harmless(nobody):
    given = await nobody.http.get("/healthz", headers={"X-Request-Id": "trace-17"})
    assert given.headers["x-request-id"] == "trace-17"
    made_up = await nobody.http.get("/healthz", headers={"X-Request-Id": "<script>"})
    assert made_up.headers["x-request-id"] != "<script>"


async def test_an_in_page_request_gets_a_problem_to_show(nobody):
    answer = await nobody.http.get("/nothing-here", headers={"HX-Request": "true"})
    assert answer.headers["content-type"] == "application/problem+json"


async def test_without_a_database_pages_and_programs_are_told_so(services, admin, api):
    await services.database.close()
    page, problem = await admin.get("/people"), await api.get("/api/v1/users")
    assert (page.status_code, problem.status_code) == (503, 503)
    assert "Not available right now" in page.text
    assert problem.json()["code"] == "unavailable"


async def test_an_address_whose_id_can_not_be_one_leads_nowhere(admin):
    answer = await admin.get("/jobs/failures")
    assert answer.status_code == 404
    assert "Page not found" in answer.text
    assert "Input should be" not in answer.text
