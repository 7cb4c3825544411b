"""Unchanged input never pays twice: not later, not at the same time, not from another process."""

import asyncio
from dataclasses import replace
from typing import NoReturn

import pytest

from almanac.llm.errors import ModelRefused, ModelUnavailable, ModelUnusable
from almanac.llm.model_config import ModelEndpoint
from almanac.llm.provider import ProviderPool
from almanac.llm.sources import Reference


async def test_the_same_question_is_answered_from_memory(workshop, model_server, point, given, good, clock) -> None:
    model_server.then(model_server.says(good))
    gateway = workshop.gateway()

    first = await gateway.write(point, given, desk="news")
    clock.advance(days=3)
    second = await gateway.write(point, given, desk="recap")

    assert len(model_server.asked) == 1
    assert second.output == first.output
    assert (second.provenance.cached, second.provenance.cost) == (True, 0)
    assert second.provenance.made_at == first.provenance.made_at
    assert [(use["desk"], use["cached"], use["requests"]) for use in await workshop.uses()] == [
        ("news", False, 1),
        ("recap", True, 0),
    ]


async def test_the_same_text_under_another_id_is_the_same_question(
    workshop, model_server, point, good, given_of
) -> None:
    model_server.then(model_server.says(good))
    gateway = workshop.gateway()

    await gateway.write(point, given_of("a", "One. Two."), desk="news")
    again = await gateway.write(point, given_of("b", "One. Two."), desk="news")

    assert len(model_server.asked) == 1
    assert again.output.sentences[0].references == (Reference(source="b", sentence=0),)


@pytest.mark.parametrize("change", ["text", "language", "prompt", "step"])
async def test_any_change_is_another_question(workshop, model_server, point, given, good, change, given_of) -> None:
    model_server.reply = model_server.says(good)
    gateway = workshop.gateway()
    await gateway.write(point, given, desk="news")

    if change == "text":
        given = given_of("article-77", "Another text.")
    elif change == "language":
        given = replace(given, language="Malay")
    elif change == "prompt":
        point = replace(point, prompt=replace(point.prompt, minor=1))
    else:
        point = replace(point, name="headline")
    await gateway.write(point, given, desk="news")

    assert len(model_server.asked) == 2


async def test_many_who_ask_the_same_at_once_make_one_call(workshop, model_server, point, given, good) -> None:
    model_server.then(model_server.says(good))
    gateway = workshop.gateway()

    written = await asyncio.gather(*(gateway.write(point, given, desk="news") for _ in range(20)))

    assert len(model_server.asked) == 1
    assert sum(not result.provenance.cached for result in written) == 1


async def test_two_processes_that_ask_the_same_at_once_make_one_call(
    workshop, model_server, point, given, good
) -> None:
    model_server.then(model_server.says(good))
    gateways = [workshop.gateway() for _ in range(4)]

    await asyncio.gather(*(gateway.write(point, given, desk="news") for gateway in gateways))

    assert len(model_server.asked) == 1


async def test_a_failure_is_not_remembered(workshop, model_server, point, given, good) -> None:
    model_server.then(model_server.talks(None, refusal="no"), model_server.says(good))
    gateway = workshop.gateway()

    with pytest.raises(ModelRefused):
        await gateway.write(point, given, desk="news")

    assert (await gateway.write(point, given, desk="news")).output.sentences


async def test_those_who_wait_together_share_the_failure(workshop, model_server, point, given) -> None:
    model_server.then(model_server.talks(None, refusal="no"))
    gateway = workshop.gateway()

    ended = await asyncio.gather(*(gateway.write(point, given, desk="news") for _ in range(5)), return_exceptions=True)

    assert [type(result) for result in ended] == [ModelRefused] * 5
    assert len(model_server.asked) == 1


async def test_a_process_that_died_while_asking_blocks_nobody_for_long(
    workshop, model_server, point, given, good, clock
) -> None:
    model_server.then(model_server.hangs(), model_server.says(good))
    dying = asyncio.create_task(workshop.gateway(seconds=30).write(point, given, desk="news"))
    await model_server.reached.wait()
    clock.advance(minutes=5)

    written = await workshop.gateway().write(point, given, desk="news")

    assert written.output.sentences
    dying.cancel()
    await asyncio.wait([dying])


async def test_an_answer_that_the_step_no_longer_accepts_is_asked_for_again(
    workshop, model_server, point, given, good
) -> None:
    model_server.then(model_server.says(good), model_server.says(good))
    gateway = workshop.gateway()
    await gateway.write(point, given, desk="news")
    async with workshop.database.unit() as unit:
        await unit.execute("UPDATE llm_answers SET output = '{}'")

    assert (await gateway.write(point, given, desk="news")).output.sentences
    assert len(model_server.asked) == 2


async def test_cancelling_closes_the_connection_and_gives_up_the_claim(
    workshop, model_server, point, given, good
) -> None:
    model_server.then(model_server.hangs(), model_server.says(good))
    gateway = workshop.gateway()
    writing = asyncio.create_task(gateway.write(point, given, desk="news"))
    await model_server.reached.wait()

    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    await model_server.broken_off.wait()

    assert (await gateway.write(point, given, desk="news")).output.sentences
    assert [use["outcome"] for use in await workshop.uses()] == ["cancelled", "written"]


async def test_one_who_leaves_takes_nothing_from_those_who_wait_on(workshop, model_server, point, given, good) -> None:
    go = asyncio.Event()

    async def late(request, body):
        await go.wait()
        return await model_server.says(good)(request, body)

    model_server.then(late)
    gateway = workshop.gateway()
    first, second = (asyncio.create_task(gateway.write(point, given, desk="news")) for _ in range(2))
    await model_server.reached.wait()
    first.cancel()
    await asyncio.wait([first])
    go.set()

    assert (await second).output.sentences


async def test_when_the_time_is_up_the_claim_is_given_up_too(workshop, model_server, point, given, good) -> None:
    model_server.then(model_server.hangs(), model_server.says(good))

    with pytest.raises(ModelUnavailable):
        await workshop.gateway(seconds=0.3).write(point, given, desk="news")

    assert (await workshop.gateway().write(point, given, desk="news")).output.sentences


async def test_a_model_that_can_t_be_opened_keeps_nobody_waiting(workshop, model_server, point, given, good) -> None:
    """As after a key was mended: the question isn't held by the one who never came to ask it."""

    def refuse(model: ModelEndpoint) -> NoReturn:
        raise ModelUnusable(str(model), "there is no key")

    broken = workshop.gateway()
    broken._providers = ProviderPool(refuse)
    with pytest.raises(ModelUnusable):
        await broken.write(point, given, desk="news")
    model_server.then(model_server.says(good))
    async with asyncio.timeout(20):
        await workshop.gateway().write(point, given, desk="news")
