"""Whatever a model server does wrong becomes a typed failure, a repair or another try; never content."""

import pytest

from almanac.errors import Retryable
from almanac.llm.errors import (
    MalformedAnswer,
    ModelRateLimited,
    ModelRefused,
    ModelUnavailable,
    ModelUnusable,
    TooLongForModel,
)
from almanac.llm.sources import Reference

NO_SUCH_SOURCE = {"sentences": [{"text": "It opened.", "references": ["s9.1"]}]}
WRONG_FORM = {"lines": ["It opened."]}


async def test_a_good_answer_comes_back_as_the_steps_own_type_with_real_ids(
    workshop, model_server, point, given, good
) -> None:
    model_server.then(model_server.says(good))

    written = await workshop.gateway().write(point, given, desk="news", subject="link 7")

    assert written.output.sentences[0].references == (Reference(source="article-77", sentence=0),)
    assert (written.provenance.model, written.provenance.step) == ("openai:tiny", "point")
    assert (written.provenance.input_tokens, written.provenance.output_tokens) == (100, 20)
    assert str(written.provenance.cost) == "0.003"


async def test_the_model_sees_stand_ins_and_never_an_id(workshop, model_server, point, given, good) -> None:
    model_server.then(model_server.says(good))

    await workshop.gateway().write(point, given, desk="news")

    asked = str(model_server.asked)
    assert "[s1.2] It cost 4 million." in asked
    assert "in English" in asked
    assert "article-77" not in asked


async def test_a_rate_limit_is_waited_out_as_long_as_the_server_asks(
    workshop, model_server, point, given, good
) -> None:
    model_server.then(model_server.fails(429, "rate_limit_exceeded", {"Retry-After": "7"}), model_server.says(good))

    await workshop.gateway().write(point, given, desk="news")

    assert workshop.waits == [7.0]


async def test_a_long_rate_limit_is_left_to_the_job(workshop, model_server, point, given) -> None:
    model_server.then(model_server.fails(429, "rate_limit_exceeded", {"Retry-After": "600"}))

    with pytest.raises(ModelRateLimited) as raised:
        await workshop.gateway().write(point, given, desk="news")

    assert raised.value.retry_after == 600
    assert workshop.waits == []


@pytest.mark.parametrize("status", [500, 502, 503, 529])
async def test_server_errors_are_tried_again_three_times_in_all(workshop, model_server, point, given, status) -> None:
    model_server.reply = model_server.fails(status)

    with pytest.raises(ModelUnavailable) as raised:
        await workshop.gateway().write(point, given, desk="news")

    assert isinstance(raised.value, Retryable)
    assert len(model_server.asked) == 3
    assert len(workshop.waits) == 2


async def test_a_cut_connection_is_tried_again(workshop, model_server, point, given, good) -> None:
    model_server.then(model_server.cuts(), model_server.says(good))

    written = await workshop.gateway().write(point, given, desk="news")

    assert written.output.sentences[0].text == "The bridge opened."


async def test_a_server_that_is_gone_is_not_answering(workshop, model_server, point, given) -> None:
    workshop.url = "http://127.0.0.1:1/v1"

    with pytest.raises(ModelUnavailable):
        await workshop.gateway().write(point, given, desk="news")


async def test_a_silent_server_is_left_when_the_time_is_up(workshop, model_server, point, given) -> None:
    model_server.reply = model_server.hangs()

    with pytest.raises(ModelUnavailable):
        await workshop.gateway(seconds=0.3).write(point, given, desk="news")

    await model_server.broken_off.wait()


@pytest.mark.parametrize(
    "wrong", [WRONG_FORM, NO_SUCH_SOURCE, '{"sentences": [{"text": "It op', "I can't.", "", {"sentences": "none"}]
)
async def test_a_wrong_answer_is_repaired_once_with_its_mistakes_fed_back(
    workshop, model_server, point, given, good, wrong
) -> None:
    model_server.then(model_server.says(wrong), model_server.says(good))

    written = await workshop.gateway().write(point, given, desk="news")

    assert written.output.sentences[0].text == "The bridge opened."
    assert "mistakes corrected" in str(model_server.asked[1]["messages"][-1])
    assert [use["outcome"] for use in await workshop.uses()] == ["repaired"]
    assert written.provenance.input_tokens == 200


@pytest.mark.parametrize("wrong", [WRONG_FORM, NO_SUCH_SOURCE, "I can't.", ""])
async def test_two_wrong_answers_are_malformed(workshop, model_server, point, given, wrong) -> None:
    model_server.then(model_server.says(wrong), model_server.says(wrong))

    with pytest.raises(MalformedAnswer):
        await workshop.gateway().write(point, given, desk="news")

    assert len(model_server.asked) == 2
    (use,) = await workshop.uses()
    assert (use["outcome"], use["input_tokens"]) == ("malformed", 200)


async def test_plain_talk_where_the_tool_was_asked_for_is_malformed(workshop, model_server, point, given) -> None:
    model_server.reply = model_server.talks("Error: the service is over capacity.")

    with pytest.raises(MalformedAnswer):
        await workshop.gateway(output="tool").write(point, given, desk="news")


async def test_a_refusal_is_refused_and_not_asked_again(workshop, model_server, point, given) -> None:
    model_server.then(model_server.talks(None, refusal="I won't write about bridges."))

    with pytest.raises(ModelRefused) as raised:
        await workshop.gateway().write(point, given, desk="news")

    assert "bridges" not in raised.value.sentence
    assert len(model_server.asked) == 1


async def test_a_content_filter_is_a_refusal(workshop, model_server, point, given) -> None:
    model_server.then(model_server.talks("", finish="content_filter"))

    with pytest.raises(ModelRefused):
        await workshop.gateway().write(point, given, desk="news")


async def test_an_answer_that_hit_the_length_limit_is_too_long(workshop, model_server, point, given) -> None:
    model_server.then(model_server.says('{"sentences": [{"te', finish="length"))

    with pytest.raises(TooLongForModel):
        await workshop.gateway().write(point, given, desk="news")


async def test_sources_beyond_the_context_are_too_long(workshop, model_server, point, given) -> None:
    model_server.then(model_server.fails(400, "context_length_exceeded"))

    with pytest.raises(TooLongForModel):
        await workshop.gateway().write(point, given, desk="news")


@pytest.mark.parametrize(
    ("status", "code"), [(401, "invalid_api_key"), (404, "model_not_found"), (429, "insufficient_quota"), (400, "")]
)
async def test_what_only_a_person_can_mend_is_unusable_and_not_tried_again(
    workshop, model_server, point, given, status, code
) -> None:
    model_server.then(model_server.fails(status, code))

    with pytest.raises(ModelUnusable) as raised:
        await workshop.gateway().write(point, given, desk="news")

    assert not isinstance(raised.value, Retryable)
    assert "SECRET" not in raised.value.sentence


@pytest.mark.parametrize("output", ["tool", "schema", "prompt"])
async def test_every_way_of_asking_for_the_form_is_understood(
    workshop, model_server, point, given, good, output
) -> None:
    model_server.then(model_server.says(good))

    written = await workshop.gateway(output=output).write(point, given, desk="news")

    assert written.output.sentences[0].text == "The bridge opened."


async def test_a_fence_around_the_answer_is_no_harm(workshop, model_server, point, given) -> None:
    model_server.then(
        model_server.talks('```json\n{"sentences": [{"text": "The bridge opened.", "references": ["s1"]}]}\n```')
    )

    written = await workshop.gateway(output="prompt").write(point, given, desk="news")

    assert written.output.sentences[0].references == (Reference(source="article-77"),)
