"""A short way to record a deed in a transaction of its own."""

from collections.abc import Awaitable, Callable

import pytest

from almanac.audit import service
from almanac.audit.model import Actor, AuditAction, AuditSubject
from almanac.kit.clock import FixedClock
from almanac.relational import Database


@pytest.fixture
def record(database: Database, clock: FixedClock) -> Callable[..., Awaitable[str]]:
    async def write(action: str = "draft.approved", actor: str = "ada", object_id: str = "draft-1", **rest) -> str:
        async with database.unit() as unit:
            deed = AuditAction(Actor(actor, "session"), action, AuditSubject("draft", object_id), **rest)
            return await service.record(unit, clock, deed)

    return write
