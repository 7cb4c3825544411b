"""Embedders give one vector for each text, in order; the one by a model is patient, booked and within the budget."""

from collections.abc import AsyncIterator
from decimal import Decimal
from typing import Any

import pytest
from aiohttp import web

from almanac.llm.answer_cache import AnswerCache
from almanac.llm.budget import ModelBudget
from almanac.llm.embeddings import ModelEmbedder, TextEmbedder
from almanac.llm.errors import BudgetUsedUp, MalformedAnswer, ModelUnavailable
from almanac.llm.fake import HashedEmbedder
from almanac.llm.hosted_embeddings import open_embeddings
from almanac.llm.model_call import ModelRetryPolicy
from almanac.llm.model_config import TokenPrice
from almanac.llm.provider import ProviderPool


async def lengths(request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
    """A vector is the length of its text, twice."""
    data = [
        {"object": "embedding", "index": n, "embedding": [float(len(text))] * 2} for n, text in enumerate(body["input"])
    ]
    usage = {"prompt_tokens": 1000, "total_tokens": 1000}
    return web.json_response({"object": "list", "data": data, "model": body["model"], "usage": usage})


@pytest.fixture
async def embedder(workshop, model_server) -> AsyncIterator[ModelEmbedder]:
    model_server.reply = lengths
    made = ModelEmbedder(
        workshop.model,
        TokenPrice(Decimal(1), Decimal(0)),
        ProviderPool(lambda model: open_embeddings(model, 10)),
        AnswerCache(workshop.database, workshop.clock),
        ModelBudget(database=workshop.database, clock=workshop.clock, cap=Decimal("0.0015")),
        workshop.clock,
        ModelRetryPolicy(seconds=10, sleep=workshop.wait),
    )
    yield made
    await made.close()


@pytest.fixture(params=["model", "hashed"])
def either(request: pytest.FixtureRequest, embedder: ModelEmbedder) -> TextEmbedder:
    return embedder if request.param == "model" else HashedEmbedder()


async def test_every_text_gets_a_vector_of_the_same_length_in_order(either: TextEmbedder) -> None:
    first, two, again = await either.embed(["a", "a longer text", "a"])

    assert len(first) == len(two)
    assert first == again != two


async def test_no_texts_give_no_vectors(either: TextEmbedder) -> None:
    assert await either.embed([]) == []


async def test_texts_that_share_words_are_alike_to_the_hashed_one() -> None:
    flood, flooding, budget = await HashedEmbedder().embed(["the flood in Kuching", "flood Kuching", "a budget vote"])

    def likeness(first: list[float], second: list[float]) -> float:
        return sum(a * b for a, b in zip(first, second, strict=True))

    assert likeness(flood, flooding) > likeness(flood, budget)


async def test_vectors_by_a_model_are_booked(embedder: ModelEmbedder, workshop) -> None:
    await embedder.embed(["a"], desk="news")

    (use,) = await workshop.uses()
    assert (use["desk"], use["step"], use["model"], use["cost"]) == ("news", "vectors", "openai:tiny", Decimal("0.001"))


async def test_many_texts_go_in_portions(embedder: ModelEmbedder, model_server) -> None:
    vectors = await embedder.embed(["a" * n for n in range(1, 101)])

    assert [vector[0] for vector in vectors] == [float(n) for n in range(1, 101)]
    assert [len(body["input"]) for body in model_server.asked] == [64, 36]


async def test_a_used_up_cap_asks_for_no_vectors(embedder: ModelEmbedder, model_server) -> None:
    await embedder.embed(["a" * n for n in range(1, 101)])

    with pytest.raises(BudgetUsedUp):
        await embedder.embed(["more"])


async def test_trouble_is_tried_again_and_then_told(embedder: ModelEmbedder, model_server, workshop) -> None:
    model_server.reply = model_server.fails(500)

    with pytest.raises(ModelUnavailable):
        await embedder.embed(["a"])

    assert len(model_server.asked) == 3
    assert [use["outcome"] for use in await workshop.uses()] == ["not answering"]


async def test_vectors_that_are_missing_are_malformed(embedder: ModelEmbedder, model_server) -> None:
    async def too_few(request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        return await lengths(request, {**body, "input": body["input"][:1]})

    model_server.reply = too_few

    with pytest.raises(MalformedAnswer):
        await embedder.embed(["a", "b"])
