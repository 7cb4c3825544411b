"""When the month's money is used up nothing is asked: work pauses with a clear sentence and goes on next month."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from almanac.errors import Paused
from almanac.llm.budget import ModelBudget
from almanac.llm.errors import BudgetUsedUp


async def test_a_used_up_cap_asks_nothing_and_names_the_moment_to_go_on(
    workshop, model_server, point, given_of, good
) -> None:
    model_server.then(model_server.says(good))
    gateway = workshop.gateway(cap="0.003")
    await gateway.write(point, given_of("a", "One."), desk="news")

    with pytest.raises(BudgetUsedUp) as raised:
        await gateway.write(point, given_of("a", "Two."), desk="news")

    assert len(model_server.asked) == 1
    assert isinstance(raised.value, Paused)
    assert raised.value.until == datetime(2026, 4, 1, tzinfo=UTC)
    assert "1 April 2026" in raised.value.sentence
    assert "ALMANAC_LLM_MONTHLY_CAP" in raised.value.sentence


async def test_next_month_it_goes_on(workshop, model_server, point, given_of, good, clock) -> None:
    model_server.reply = model_server.says(good)
    gateway = workshop.gateway(cap="0.001")
    await gateway.write(point, given_of("a", "One."), desk="news")
    clock.advance(days=30)

    assert (await gateway.write(point, given_of("a", "Two."), desk="news")).output.sentences


async def test_a_raised_cap_goes_on_at_once(workshop, model_server, point, given_of, good) -> None:
    model_server.reply = model_server.says(good)
    await workshop.gateway(cap="0.001").write(point, given_of("a", "One."), desk="news")

    assert (await workshop.gateway(cap="5").write(point, given_of("a", "Two."), desk="news")).output.sentences


async def test_what_is_remembered_and_what_is_extracted_needs_no_money(
    workshop, model_server, point, given, good
) -> None:
    model_server.then(model_server.says(good))
    gateway = workshop.gateway(cap="0.001", steps={"headline": None})
    await gateway.write(point, given, desk="news")

    assert (await gateway.write(point, given, desk="news")).provenance.cached


async def test_the_month_is_reported_against_its_cap(workshop, model_server, point, given, good, clock) -> None:
    model_server.then(model_server.says(good))
    gateway = workshop.gateway()
    await gateway.write(point, given, desk="news", subject="link 7")
    await gateway.write(point, given, desk="news")
    budget = ModelBudget(database=workshop.database, clock=clock, cap=Decimal("0.002"), zone="Asia/Tokyo")

    month = await budget.month()

    assert (month.spent, month.cap) == (Decimal("0.003"), Decimal("0.002"))
    assert month.paused_until == month.end
    assert month.start.isoformat() == "2026-03-01T00:00:00+09:00"
    assert [(day.day.isoformat(), day.uses) for day in month.days] == [("2026-03-02", 2)]
    (line,) = month.steps
    assert (line.desk, line.step, line.model, line.uses, line.cached, line.failed) == (
        "news",
        "point",
        "openai:tiny",
        2,
        1,
        0,
    )
    assert (line.requests, line.input_tokens, line.output_tokens, line.cost) == (1, 100, 20, Decimal("0.003"))


async def test_tokens_without_a_price_are_reported_and_not_counted(
    workshop, model_server, point, given, good, clock
) -> None:
    model_server.then(model_server.says(good))
    await workshop.gateway(prices={}).write(point, given, desk="news")

    month = await ModelBudget(database=workshop.database, clock=clock).month()

    assert (month.spent, month.unpriced) == (0, 1)


async def test_the_ledger_holds_no_word_of_what_was_asked_or_answered(
    workshop, model_server, point, given, good, caplog
) -> None:
    caplog.set_level("DEBUG")
    model_server.then(model_server.says(good))
    await workshop.gateway().write(point, given, desk="news", subject="link 7")

    assert "bridge" not in str(await workshop.uses())
    assert "bridge" not in caplog.text
