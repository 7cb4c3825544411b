"""The models page: the model of each step, cost against the cap, and when paused work continues."""

from dataclasses import replace
from decimal import Decimal

import pytest

from almanac.accounts.permissions import Role
from almanac.llm import store
from almanac.llm.store import ModelUse

USE = ModelUse(
    at=None,
    desk="news",
    step="summary",
    subject="link 7",
    model="openai:tiny",
    prompt_version="1.0",
    outcome="written",
    requests=1,
    input_tokens=1200,
    output_tokens=80,
    cost=Decimal("2.5"),
    seconds=1.5,
)


@pytest.fixture
def settings(settings):
    return replace(
        settings,
        llm_model="tiny",
        llm_base_url="http://127.0.0.1:1/v1",
        llm_monthly_cap=Decimal(3),
        llm_steps="headline=extractive",
    )


async def book(services, **changes) -> None:
    async with services.database.unit() as unit:
        await store.record_use(unit, replace(USE, at=services.clock.now(), **changes))


async def test_an_empty_month_says_what_belongs_here(admin) -> None:
    page = (await admin.get("/models")).text

    assert "Nothing was written this month" in page
    assert "openai:tiny" in page
    assert "Extraction, without a model" in page


async def test_a_month_is_shown_by_day_and_by_step_against_its_cap(admin, services) -> None:
    await book(services)

    page = (await admin.get("/models")).text

    assert "$2.50" in page
    assert "of $3.00" in page
    assert "US dollars" in page
    assert "News: summary" in page
    assert "Paused" not in page


async def test_a_used_up_cap_says_until_when_work_is_paused(admin, services) -> None:
    await book(services)
    await book(services, desk="recap")

    page = (await admin.get("/models")).text

    assert "Paused until 1 April 2026" in page


async def test_tokens_without_a_price_are_pointed_out(admin, services) -> None:
    await book(services, cost=Decimal(0), priced=False)

    assert "Prices are missing" in (await admin.get("/models")).text


async def test_an_earlier_month_can_be_looked_at(admin, services) -> None:
    await book(services)

    page = (await admin.get("/models?month=2026-02")).text

    assert "February 2026" in page
    assert "Next month" in page


@pytest.mark.parametrize("path", ["/models?month=soon", "/api/v1/models/usage?month=0000-13"])
async def test_a_month_that_is_none_is_refused_with_a_sentence(admin, path) -> None:
    answer = await admin.get(path)

    assert answer.status_code == 400
    assert "use 2026-03" in answer.text


async def test_the_api_tells_the_same(admin, services) -> None:
    await book(services)

    answer = (await admin.get("/api/v1/models/usage")).json()

    assert (Decimal(answer["spent"]), Decimal(answer["cap"]), answer["paused_until"]) == (
        Decimal("2.5"),
        Decimal(3),
        None,
    )
    assert answer["assignments"] == [
        {"what": "every step", "model": "openai:tiny"},
        {"what": "headline", "model": "extractive"},
    ]
    assert answer["steps"][0]["input_tokens"] == 1200
    assert answer["days"][0]["day"] == "2026-03-02"


async def test_others_see_neither(signed_in) -> None:
    editor = await signed_in(Role.EDITOR)
    assert (await editor.get("/models")).status_code == 403
    assert (await editor.get("/api/v1/models/usage")).status_code == 403
