"""A request reaches the route that the router itself would choose, found by the beginning of its path."""

import asyncio
import threading
from collections.abc import AsyncIterator

import httpx
import pytest
from fastapi import APIRouter, Depends, FastAPI, Request
from starlette.types import Receive, Scope, Send

from almanac.http.routing import PrefixRouter, RouteIndex, RoutePart


def answer_with(words: str):
    async def answer(request: Request) -> dict[str, object]:
        return {"route": words, "path": request.scope["route"].path, "params": request.path_params}

    return answer


async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
    raise AssertionError(f"{scope['path']} was left to the router")


def make_app(*, only_indexed: bool = False) -> FastAPI:
    items, top, app = APIRouter(prefix="/items"), PrefixRouter("/items"), FastAPI()
    items.get("/new")(answer_with("new"))
    items.get("/{item}")(answer_with("item"))
    items.get("/late")(answer_with("never: the route above takes it"))
    items.post("/{item}")(answer_with("change"))
    top.include_router(items)
    api = APIRouter(prefix="/api/v1/items", dependencies=[Depends(lambda: None)])
    api.get("/{item}/parts/{number:int}")(answer_with("part"))
    router = APIRouter()
    router.include_router(top)
    router.include_router(api)
    router.get("/")(answer_with("home"))
    app.routes.extend(router.routes)
    rest = refuse if only_indexed else app.router.middleware_stack
    app.router.middleware_stack = RouteIndex(rest, [RoutePart(lambda: router.routes)])
    return app


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(make_app()), base_url="http://almanac") as client:
        yield client


@pytest.fixture
async def indexed() -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(make_app(only_indexed=True))
    async with httpx.AsyncClient(transport=transport, base_url="http://almanac") as client:
        yield client


@pytest.mark.parametrize(
    ("path", "route", "params"),
    [
        ("/", "home", {}),
        ("/items/new", "new", {}),
        ("/items/late", "item", {"item": "late"}),
        ("/items/a%20b", "item", {"item": "a b"}),
        ("/api/v1/items/x/parts/7", "part", {"item": "x", "number": 7}),
    ],
)
async def test_the_first_route_that_matches_answers(indexed: httpx.AsyncClient, path: str, route: str, params) -> None:
    answer = (await indexed.get(path)).json()
    assert (answer["route"], answer["params"]) == (route, params)


async def test_the_method_chooses_among_routes_of_one_path(indexed: httpx.AsyncClient) -> None:
    assert (await indexed.post("/items/x")).json()["route"] == "change"


async def test_another_method_is_refused_by_the_router(client: httpx.AsyncClient) -> None:
    assert (await client.delete("/items/x")).status_code == 405


async def test_an_unknown_path_is_not_found(client: httpx.AsyncClient) -> None:
    assert (await client.get("/items/x/y/z")).status_code == 404
    assert (await client.get("/elsewhere")).status_code == 404


async def test_a_slash_too_many_is_redirected(client: httpx.AsyncClient) -> None:
    assert (await client.get("/items/x/")).headers["Location"] == "http://almanac/items/x"


async def test_a_route_that_takes_every_first_part_is_refused() -> None:
    router, app = APIRouter(), FastAPI()
    router.get("/{anything}/x")(answer_with("anything"))
    app.router.middleware_stack = RouteIndex(app.router.middleware_stack, [RoutePart(lambda: router.routes)])
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://almanac") as client:
        with pytest.raises(ValueError, match="first part must be a name"):
            await client.get("/a/x")


async def test_a_part_is_loaded_by_the_first_request_for_it() -> None:
    loaded, app = [], FastAPI()

    def part_of(name: str) -> RoutePart:
        router = APIRouter(prefix=f"/{name}")
        router.get("/x")(answer_with(name))
        return RoutePart(lambda: loaded.append(name) or router.routes, frozenset({name}))

    app.router.middleware_stack = RouteIndex(refuse, [part_of("news"), part_of("recap")])
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://almanac") as client:
        assert (await client.get("/elsewhere")).status_code == 404
        assert loaded == []
        assert (await client.get("/recap/x")).json()["route"] == "recap"
        assert (await client.get("/recap/x")).json()["route"] == "recap"
        assert loaded == ["recap"]


async def test_other_requests_are_answered_while_a_part_is_loaded() -> None:
    may_go_on, app = threading.Event(), FastAPI()
    quick, slow = APIRouter(prefix="/quick"), APIRouter(prefix="/slow")
    quick.get("/x")(answer_with("quick"))
    slow.get("/x")(answer_with("slow"))
    app.router.middleware_stack = RouteIndex(
        refuse,
        [
            RoutePart(lambda: quick.routes),
            RoutePart(lambda: slow.routes if may_go_on.wait(10) else [], frozenset({"slow"})),
        ],
    )
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://almanac") as client:
        await client.get("/quick/x")
        waiting = [asyncio.create_task(client.get("/slow/x")) for _ in range(2)]
        assert (await client.get("/quick/x")).json()["route"] == "quick"
        may_go_on.set()
        assert [answer.json()["route"] for answer in await asyncio.gather(*waiting)] == ["slow", "slow"]


async def test_a_route_that_nobody_would_reach_is_refused() -> None:
    router, app = APIRouter(), FastAPI()
    router.get("/elsewhere")(answer_with("elsewhere"))
    index = RouteIndex(refuse, [RoutePart(lambda: router.routes, frozenset({"news"}))])
    app.router.middleware_stack = index
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://almanac") as client:
        with pytest.raises(ValueError, match="nobody would reach it"):
            await client.get("/news")
