"""What a model answers is held to the rules of its step: limits, no repeats, and nothing useless is remembered."""

from dataclasses import replace

import pytest

from almanac.errors import Retryable
from almanac.llm.answer import DroppedSentence, LimitedAnswer
from almanac.llm.errors import EmptyAnswer, MalformedAnswer, ModelFailure, ModelUnavailable
from almanac.llm.fallback import write_or_extract
from almanac.llm.limits import limit_parts
from almanac.llm.model_config import EXTRACTIVE


def sentences(*texts):
    return {"sentences": [{"text": text, "references": ["s1.1"]} for text in texts]}


OPENED, COST = "The bridge opened on Monday.", "The bridge cost 4 million."
EMPTY = {"sentences": []}


def at_most(most):
    def limit(given, answer):
        kept, beyond = limit_parts(answer.sentences, most, "sentence", words=8)
        return LimitedAnswer(type(answer)(sentences=list(kept)), beyond)

    return limit


@pytest.fixture
def one_sentence(point):
    return replace(point, limit=at_most(1))


async def remembered(workshop):
    async with workshop.database.unit() as unit:
        return [row["output"] for row in await unit.all("SELECT output FROM llm_answers")]


@pytest.mark.parametrize("output", ["auto", "tool", "schema", "prompt"])
async def test_the_instructions_of_the_step_arrive_whatever_the_form(
    workshop, model_server, point, given, good, output
) -> None:
    model_server.then(model_server.says(good))

    await workshop.gateway(output=output).write(point, given, desk="news")

    system, user = model_server.asked[0]["messages"][0], model_server.asked[0]["messages"][-1]
    assert "Write the point of the sources in English." in system["content"]
    assert "[s1.2] It cost 4 million." in user["content"]
    assert "Write the point" not in user["content"]


async def test_the_prompt_form_sends_the_schema_after_the_instructions(
    workshop, model_server, point, given, good
) -> None:
    model_server.then(model_server.says("not JSON"), model_server.says(good))

    await workshop.gateway(output="prompt").write(point, given, desk="news")

    for body in model_server.asked:
        system = "\n".join(message["content"] for message in body["messages"] if message["role"] == "system")
        assert 0 <= system.index("Write the point of the sources") < system.index('"references"')
        assert "tools" not in body


async def test_an_answer_beyond_the_limit_is_sent_back_and_a_shorter_one_is_taken(
    workshop, model_server, one_sentence, given
) -> None:
    model_server.then(model_server.says(sentences(OPENED, COST)), model_server.says(sentences(COST)))

    written = await workshop.gateway().write(one_sentence, given, desk="news")

    assert [sentence.text for sentence in written.output.sentences] == [COST]
    assert "Only 1 sentence could be used" in str(model_server.asked[1]["messages"][-1])
    assert written.dropped == ()


async def test_what_stays_beyond_the_limit_is_dropped_and_listed_with_the_reason(
    workshop, model_server, one_sentence, given
) -> None:
    long = "The bridge, which is long, opened on a Monday in the rain with many guests and a band."
    model_server.reply = model_server.says(sentences(long, OPENED, COST))
    gateway = workshop.gateway()

    for _ in range(2):
        written = await gateway.write(one_sentence, given, desk="news")
        assert [sentence.text for sentence in written.output.sentences] == [OPENED]
        assert written.dropped == (
            DroppedSentence(long, "It is longer than the 8 words asked for."),
            DroppedSentence(COST, "Only 1 sentence could be used."),
        )
    assert len(model_server.asked) == 2


async def test_a_repair_that_makes_it_worse_leaves_the_answer_that_was_only_too_long(
    workshop, model_server, one_sentence, given
) -> None:
    model_server.then(model_server.says(sentences(OPENED, COST)), model_server.says("Sorry."))

    written = await workshop.gateway().write(one_sentence, given, desk="news")

    assert [sentence.text for sentence in written.output.sentences] == [OPENED]
    assert [sentence.text for sentence in written.dropped] == [COST]


@pytest.mark.parametrize(
    "again", [sentences(OPENED, "the bridge  opened on Monday!"), sentences(f"{OPENED} It rained. {OPENED}")]
)
async def test_a_repeated_sentence_is_sent_back_once_and_then_refused(
    workshop, model_server, point, given, good, again
) -> None:
    model_server.then(model_server.says(again), model_server.says(good))
    await workshop.gateway().write(point, given, desk="news")
    assert "stands twice" in str(model_server.asked[1]["messages"][-1])

    model_server.then(model_server.says(again), model_server.says(again))
    with pytest.raises(MalformedAnswer, match="it repeats a sentence"):
        await workshop.gateway().write(replace(point, name="headline"), given, desk="news")


async def test_a_short_phrase_may_stand_twice(workshop, model_server, point, given) -> None:
    model_server.then(model_server.says(sentences("He agreed.", "He agreed.")))

    assert len((await workshop.gateway().write(point, given, desk="news")).output.sentences) == 2


@pytest.mark.parametrize(
    "useless",
    [
        lambda server: server.says(EMPTY),
        lambda server: server.says(sentences("", "  ")),
        lambda server: server.says({"error": "over capacity"}),
        lambda server: server.says("I can't."),
        lambda server: server.says(sentences(OPENED, OPENED)),
        lambda server: server.says('{"sentences": [{"te', finish="length"),
        lambda server: server.says(sentences(OPENED), finish="length"),
        lambda server: server.talks("", finish="content_filter"),
        lambda server: server.says(sentences(OPENED), finish="content_filter"),
        lambda server: server.talks(None, refusal="I won't."),
        lambda server: server.fails(500),
        lambda server: server.fails(400, "content_filter"),
    ],
)
async def test_what_is_of_no_use_is_never_remembered(workshop, model_server, point, given, good, useless) -> None:
    model_server.reply = useless(model_server)
    gateway = workshop.gateway()

    try:
        written = await gateway.write(point, given, desk="news")
    except ModelFailure:
        written = None

    assert written is None or written.output.is_empty
    assert await remembered(workshop) == []
    assert [use["outcome"] in {"written", "repaired"} for use in await workshop.uses()] == [False]
    model_server.reply = model_server.says(good)
    assert not (await gateway.write(point, given, desk="news")).output.is_empty


@pytest.mark.parametrize("stored", ['{"sentences": []}', '{"error": "over capacity"}'])
async def test_a_useless_answer_of_an_earlier_version_is_forgotten(
    workshop, model_server, point, given, good, stored
) -> None:
    model_server.reply = model_server.says(good)
    gateway = workshop.gateway()
    await gateway.write(point, given, desk="news")
    async with workshop.database.unit() as unit:
        await unit.execute("UPDATE llm_answers SET output = %(stored)s", {"stored": stored})

    assert not (await gateway.write(point, given, desk="news")).output.is_empty
    assert len(model_server.asked) == 2


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ('{"sentences": [', "it isn't JSON"),
        ({"error": "SECRET"}, "a required field is missing"),
        ({**sentences(OPENED), "SECRET": "x"}, "it has a field that wasn't asked for"),
        ({"sentences": [{"text": "SECRET", "references": ["s9"]}]}, "it refers to a source that doesn't exist"),
        ({"sentences": "SECRET"}, "it doesn't have the form asked for"),
    ],
)
async def test_an_unusable_answer_falls_back_to_extraction_with_the_reason_and_a_time_to_ask_again(
    workshop, model_server, point, given, clock, answer, reason
) -> None:
    model_server.reply = model_server.says(answer)

    written = await write_or_extract(workshop.gateway(output="schema"), clock, point, given, desk="news")

    assert written.provenance.model == EXTRACTIVE
    assert written.output.sentences[0].text == given.sources[0].text
    assert written.fallback is not None
    assert reason in written.fallback.reason
    assert "SECRET" not in written.fallback.reason
    assert written.fallback.retry_at is not None
    assert written.fallback.retry_at > clock.now()


async def test_an_empty_answer_falls_back_and_says_so(workshop, model_server, point, given, clock) -> None:
    model_server.reply = model_server.says(EMPTY)

    written = await write_or_extract(workshop.gateway(), clock, point, given, desk="news")

    assert written.fallback is not None
    assert written.fallback.reason == EmptyAnswer("openai:tiny").sentence
    assert written.fallback.retry_at is not None


async def test_a_refusal_falls_back_and_is_not_asked_again_by_itself(
    workshop, model_server, point, given, clock
) -> None:
    model_server.reply = model_server.talks(None, refusal="no")

    written = await write_or_extract(workshop.gateway(), clock, point, given, desk="news")

    assert written.fallback is not None
    assert written.fallback.retry_at is None


async def test_what_a_job_retries_by_itself_does_not_fall_back(workshop, model_server, point, given, clock) -> None:
    model_server.reply = model_server.fails(503)

    with pytest.raises(ModelUnavailable) as raised:
        await write_or_extract(workshop.gateway(), clock, point, given, desk="news")

    assert isinstance(raised.value, Retryable)


async def test_a_step_without_extraction_fails(workshop, model_server, translation, given, clock) -> None:
    model_server.reply = model_server.says("I can't.")

    with pytest.raises(MalformedAnswer):
        await write_or_extract(workshop.gateway(), clock, translation, given, desk="news")
