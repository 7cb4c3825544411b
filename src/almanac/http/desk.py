"""The descriptor by which a desk presents itself to the web surface; the list of desks is in `almanac.desks`."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from fastapi import APIRouter

from almanac.accounts.model import Principal
from almanac.accounts.permissions import desk_permission
from almanac.services import Services

Waiting = Callable[[Services, Principal], Awaitable[int]]


async def nothing_waits(_services: Services, _principal: Principal) -> int:
    """For a desk where nothing can wait for a person."""
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """One desk: its words, its routes (the API's under `/api/v1/<name>`), its templates and how much waits there."""

    name: str
    title: str
    summary: str
    pages: APIRouter
    templates: Path
    api: APIRouter | None = None
    waiting: Waiting = field(default=nothing_waits)

    @property
    def path(self) -> str:
        """Where its list of work is."""
        return f"/{self.name}"

    @property
    def read_permission(self) -> str:
        return desk_permission(self.name, "read")
