"""Links from a model with web search: only what its tool brought back is taken, within the budget, and booked."""

from decimal import Decimal

import pytest
from aiohttp import web as http

from almanac.config import Settings
from almanac.desks.news.model.tasks import LinkSourceKind
from almanac.errors import AlmanacError
from almanac.llm.hosted import open_search
from almanac.llm.model_config import ModelEndpoint


@pytest.fixture
def settings(tmp_path, database_url, model_server) -> Settings:
    return Settings(
        data=tmp_path / "data",
        database_url=database_url,
        mail_url="memory:",
        fetch_allow="127.0.0.0/8",
        llm_steps="web_search=tiny",
        llm_base_url=model_server.url,
        llm_prices="tiny=10/100",
        news_delay_ms=0,
        llm_monthly_cap=Decimal("0.01"),
    )


def searching(*urls: str, says: str = "I searched for it."):
    """A reply of the Responses API after one search; without anything found, after none."""
    action = {"type": "search", "query": "solar", "sources": [{"type": "url", "url": url} for url in urls]}
    call = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": action}
    text = {"type": "output_text", "text": says, "annotations": []}
    message = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [text]}
    usage = {
        "input_tokens": 100,
        "output_tokens": 90,
        "total_tokens": 190,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }

    async def reply(request: http.Request, body: dict) -> http.StreamResponse:
        assert request.path == "/v1/responses"
        return http.json_response(
            {
                "id": "resp_1",
                "object": "response",
                "created_at": 1_700_000_000,
                "status": "completed",
                "model": body["model"],
                "output": [*([call] if urls else []), message],
                "usage": usage,
                "parallel_tool_calls": True,
                "tool_choice": "auto",
                "tools": [],
            }
        )

    return reply


async def run_once(desk, name="Sun"):
    await desk.task(name, "", kind=LinkSourceKind.MODEL, words="solar in Kedah {year}")
    return await desk.run(name)


async def test_what_the_search_brought_back_becomes_links_and_then_stories(desk, model_server, web):
    model_server.then(searching(web.url("/a/3"), web.url("/a/3?utm_source=openai"), "ftp://example.org/a"))
    done = await run_once(desk)
    assert (done.status, done.found, done.added, done.problems) == ("done", 2, 1, [])
    (asked,) = model_server.asked
    assert (asked["tools"][0]["type"], "solar in Kedah 2026" in str(asked["input"])) == ("web_search", True)
    await desk.read()
    assert (await desk.fate(web.url("/a/3"))).status == "completed"


async def test_what_the_model_only_says_is_never_taken(desk, model_server):
    model_server.then(searching("https://real.example/a", says="See also https://invented.example/b."))
    assert (await run_once(desk)).added == 1
    assert (await desk.fate("https://invented.example/b")).status == "unknown"


async def test_a_model_that_does_not_search_names_nothing(desk, model_server):
    model_server.then(searching(says="From memory: https://invented.example/b"))
    done = await run_once(desk)
    assert (done.status, done.found) == ("failed", 0)
    assert "answered without searching the web" in done.problems[0]
    assert [row["outcome"] for row in await desk.all("SELECT outcome FROM llm_uses")] == ["nothing searched"]


async def test_a_search_is_booked_and_the_months_cap_stops_the_next(desk, model_server):
    model_server.then(searching("https://real.example/a"))
    await run_once(desk)
    (use,) = await desk.all("SELECT desk, step, model, outcome, cost FROM llm_uses")
    assert (use["desk"], use["step"], use["model"], use["outcome"]) == ("news", "web_search", "openai:tiny", "written")
    assert use["cost"] == Decimal("0.01")
    paused = await desk.run("Sun")
    assert (paused.status, "cap for models is used up" in paused.problems[0]) == ("failed", True)
    assert len(model_server.asked) == 1


async def test_a_provider_without_web_search_says_so_in_one_sentence():
    with pytest.raises(AlmanacError) as refusal:
        open_search(ModelEndpoint(provider="bedrock", name="amazon.nova"), 5)
    assert refusal.value.sentence == (
        "bedrock:amazon.nova can't be used: its provider offers no web search; choose one of openai, anthropic, google "
        "for it."
    )
