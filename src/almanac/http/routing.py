"""Finds the route of a request by the beginning of its path, before any route is tried."""

from collections.abc import Sequence
from functools import cached_property

from fastapi import APIRouter
from fastapi.routing import RouteContext, iter_route_contexts
from starlette.routing import BaseRoute, Match
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


class RouteIndex:
    """ASGI app in front of a router: finds the route of a request by the first parts of its path.

    FastAPI tries routers and routes one after the other, and again at each level of included routers. What no route
    here answers in full (another method, a missing slash, nothing at all) is left to the router.
    """

    def __init__(self, router: ASGIApp, routes: Sequence[BaseRoute]) -> None:
        self._router = router
        self._routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope.get("root_path") and (match := self._find(scope)):
            route, child_scope = match
            scope.update(child_scope)
            await route.app(scope, receive, send)
            return
        await self._router(scope, receive, send)

    def _find(self, scope: Scope) -> tuple[RouteContext, Scope] | None:
        path, method = scope["path"], scope["method"]
        for fixed_path, route in self._by_prefix.get(_prefix(path), ()):
            if (fixed_path is None or fixed_path == path) and method in (route.methods or ()):
                match, child_scope = route.matches(scope)
                if match == Match.FULL:
                    return route, {**child_scope, "route": route.original_route}
        return None

    @cached_property
    def _by_prefix(self) -> dict[str, list[tuple[str | None, RouteContext]]]:
        """Made at the first request, as FastAPI's own analysis of routes is."""
        index: dict[str, list[tuple[str | None, RouteContext]]] = {}
        for route in iter_route_contexts(self._routes):
            path = route.path or ""
            index.setdefault(_prefix(path), []).append((None if "{" in path else path, route))
        if dynamic := [prefix for prefix in index if "{" in prefix]:
            raise ValueError(f"A route's first part must be a name, not {dynamic}: it would answer for all others.")
        return index
