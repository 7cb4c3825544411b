"""The OpenAPI document is valid, and the application behaves as it says for arbitrary requests."""

import asyncio

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.specs.openapi.checks import missing_required_header, positive_data_acceptance, unsupported_method

from almanac.http.idempotency.route import IdempotentRoute

# A form that is right may still name somebody who isn't there or a version that is over.
BEYOND_THE_DOCUMENT = [positive_data_acceptance, missing_required_header, unsupported_method]
TOKEN = {"Authorization": "Bearer a-fixed-token-for-automation"}


DESCRIPTION = {}


@pytest.fixture
async def described(api):
    """The OpenAPI document, built once: it doesn't depend on data, and building it takes a second."""
    if not DESCRIPTION:
        DESCRIPTION.update((await api.get("/api/openapi.json")).json())
    return DESCRIPTION


def operations(described):
    return [(method, path, op) for path, methods in described["paths"].items() for method, op in methods.items()]


async def test_every_operation_has_words_a_tag_and_its_errors(described):
    for method, path, operation in operations(described):
        assert operation["description"], f"{method} {path}"
        assert operation["tags"], f"{method} {path}"
        assert {"401", "403", "422", "429"} <= set(operation["responses"]), f"{method} {path}"
        for status, answer in operation["responses"].items():
            if int(status) >= 400:
                assert list(answer["content"]) == ["application/problem+json"]


async def test_edits_take_if_match_and_posts_an_idempotency_key(described):
    for method, path, operation in operations(described):
        names = {parameter["name"] for parameter in operation.get("parameters", [])}
        if method == "patch":
            assert "If-Match" in names, path
        if method == "post":
            assert "Idempotency-Key" in names, path


def test_a_key_that_is_documented_is_kept(routes):
    """But for checking a text, which changes nothing and is the same each time."""
    posts = [route for route in routes if route.path.startswith("/api/") and "POST" in route.methods]
    careless = {route.path for route in posts if not isinstance(route, IdempotentRoute)}
    assert careless == {"/api/v1/verify"}


async def test_the_reference_page_shows_every_operation(described, nobody):
    page = (await nobody.get("/api/docs")).text
    for _, path, operation in operations(described):
        assert path in page
        assert f'id="{operation["operationId"]}"' in page


@pytest.fixture
async def address(app, serve_app):
    """The application behind a real port, since what is sent to it here is made in another thread."""
    async with serve_app(app) as address:
        yield address


def try_everything(described, address):
    """Send what the document allows to every operation; each answer must be one that the document foretells."""
    schema = schemathesis.openapi.from_dict(described)
    with requests.Session() as session:
        for result in schema.get_all_operations():

            @settings(max_examples=6, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
            @given(case=result.ok().as_strategy())
            def conforms(case):
                case.call_and_validate(
                    base_url=address, session=session, headers=TOKEN, timeout=20, excluded_checks=BEYOND_THE_DOCUMENT
                )

            conforms()


# The application runs beside in another thread, and its jitter draws from `random` too.
@pytest.mark.filterwarnings("ignore:Do not use the `random` module")
async def test_whatever_is_sent_gets_an_answer_that_was_foretold(described, address):
    await asyncio.to_thread(try_everything, described, address)
