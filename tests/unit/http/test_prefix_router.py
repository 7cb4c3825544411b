"""PrefixRouter finds its own routes and skips all others."""

import pytest
from fastapi import APIRouter, FastAPI
from starlette.testclient import TestClient

from almanac.http.routing import PrefixRouter


@pytest.fixture
def client() -> TestClient:
    router = APIRouter(prefix="/desk")
    router.add_api_route("", lambda: "all")
    router.add_api_route("/{name}", lambda name: name)
    elsewhere = APIRouter()
    elsewhere.add_api_route("/elsewhere", lambda: "never")
    section = PrefixRouter("/desk")
    section.include_router(router)
    section.include_router(elsewhere)
    app = FastAPI()
    app.include_router(section)
    return TestClient(app)


def test_routes_of_a_section_are_found(client: TestClient) -> None:
    assert client.get("/desk").json() == "all"
    assert client.get("/desk/one").json() == "one"
    assert client.post("/desk").status_code == 405


def test_a_path_that_begins_otherwise_is_not_tried(client: TestClient) -> None:
    assert client.get("/elsewhere").status_code == 404
