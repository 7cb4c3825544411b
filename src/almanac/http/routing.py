"""Finds the route of a request by the beginning of its path, before any route is tried."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

_SHARED_PREFIX = "/api/"


class PrefixRouter(APIRouter):
    """Includes routers with full paths that all start with one prefix.

    Trying each of the product's hundreds of routes takes longer than many responses.
    """

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._prefix = prefix

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        if not scope["path"].startswith(self._prefix):
            return Match.NONE, {}
        return super().matches(scope)


def _prefix(path: str) -> str:
    """The first part of a path; of the API's the third, which are all under `/api/v1`."""
    parts = path.split("/", 4)
    return "/".join(parts[1:4]) if path.startswith(_SHARED_PREFIX) else parts[1] if len(parts) > 1 else path


@dataclass(frozen=True, slots=True)
class RoutePart:
    """Some routes of an application, loaded when a path begins like theirs; without prefixes, at the first request."""

    load: Callable[[], Iterable[BaseRoute]]
    prefixes: frozenset[str] | None = None


def list_leaf_routes(routes: Iterable[BaseRoute]) -> Iterator[BaseRoute]:
    """The routes themselves, also those of included routers, in their order.

    A router here may not be included with a prefix, dependencies or the like: its routes are used as they are.
    """
    for route in routes:
        if (included := getattr(route, "original_router", None)) is not None:
            yield from list_leaf_routes(included.routes)
        else:
            yield route


class RouteIndex:
    """ASGI app in front of a router: finds the route of a request by the first parts of its path.

    FastAPI tries routers and routes one after the other, and again at each level of included routers, and keeps an
    analysis of every route for each of them. What has a route here, but not for this method or with one slash more or
    less, is left to the router.
    """

    def __init__(self, router: ASGIApp, parts: Sequence[RoutePart]) -> None:
        self._router = router
        self._pending = list(parts)
        self._loading = asyncio.Lock()
        # Each with its path, if nothing in it varies.
        self._by_prefix: dict[str, list[tuple[str | None, Route]]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope.get("root_path"):
            await self._router(scope, receive, send)
            return
        path, method = scope["path"], scope["method"]
        routes = await self._routes_of(path)
        for fixed_path, route in routes:
            if (fixed_path is None or fixed_path == path) and method in (route.methods or ()):
                match, child_scope = route.matches(scope)
                if match == Match.FULL:
                    scope.update(child_scope)
                    scope["route"] = route
                    await route.app(scope, receive, send)
                    return
        if not any(_is_near(route, path) for _, route in routes):
            raise HTTPException(404)
        await self._router(scope, receive, send)

    async def _routes_of(self, path: str) -> "list[tuple[str | None, Route]]":
        prefix = _prefix(path)
        if any(_may_hold(part, prefix) for part in self._pending):
            async with self._loading:
                for part in [part for part in self._pending if _may_hold(part, prefix)]:
                    # Importing a desk takes a second or more; other requests and their time limits don't wait for it.
                    self._add(part, await asyncio.to_thread(_load_leaves, part))
                    self._pending.remove(part)
        return self._by_prefix.get(prefix, [])

    def _add(self, part: RoutePart, leaves: Iterable[BaseRoute]) -> None:
        for leaf in leaves:
            route = cast("Route", leaf)
            prefix = _prefix(route.path)
            if "{" in prefix:
                raise ValueError(f"A route's first part must be a name, not {prefix}: it would answer for all others.")
            if part.prefixes is not None and prefix not in part.prefixes:
                raise ValueError(
                    f"A route of /{prefix} is in a part for {sorted(part.prefixes)}: nobody would reach it."
                )
            self._by_prefix.setdefault(prefix, []).append((None if "{" in route.path else route.path, route))


def _may_hold(part: RoutePart, prefix: str) -> bool:
    """Whether routes of this prefix may be in the part."""
    return part.prefixes is None or prefix in part.prefixes


def _load_leaves(part: RoutePart) -> list[BaseRoute]:
    return list(list_leaf_routes(part.load()))


def _is_near(route: Route, path: str) -> bool:
    """Whether the path belongs to the route, perhaps with one slash more or less."""
    return any(route.path_regex.match(variant) for variant in (path, path.rstrip("/"), f"{path}/"))
