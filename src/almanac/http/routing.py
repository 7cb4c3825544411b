"""A router that checks the prefix of a path before it tries its routes one by one."""

from fastapi import APIRouter
from starlette.routing import Match
from starlette.types import Scope


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
