"""One kind of work that can be handed over from one person to another; desks declare theirs."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from almanac.accounts.model import User
from almanac.relational import Unit
from almanac.services import Services

WorkCounter = Callable[[Services, str], Awaitable[int]]
WorkMover = Callable[[Services, Unit, User, User], Awaitable[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoverPart:
    """A kind of work: how much a person has, and giving all of it to another; moving twice is no error.

    `title` names it on a page, `plural` in a sentence. `permission` is what whoever gets it needs. `note` tells what
    changes with it.
    """

    name: str
    title: str
    plural: str
    permission: str
    count: WorkCounter
    move: WorkMover
    note: str = ""
