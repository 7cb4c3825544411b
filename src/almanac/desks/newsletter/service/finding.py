"""Looking through one's own newsletters by status, words and order."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from almanac.accounts.model import Principal
from almanac.desks.newsletter.model.newsletter import Newsletter
from almanac.desks.newsletter.service.configuration import list_own
from almanac.services import Services

MOST_SEARCHED = 1000
_PAGE = 100

ORDERS: Mapping[str, Callable[[Newsletter], Any]] = {
    "title": lambda one: one.title.casefold(),
    "code": lambda one: one.code,
    "status": lambda one: one.status,
    "step": lambda one: one.current_step,
    "updated": lambda one: one.updated_at,
}


@dataclass(frozen=True, slots=True)
class FoundNewsletters:
    """What was found. `by_status` counts before the status was asked for; `is_cut` tells that older ones were left."""

    items: list[Newsletter]
    by_status: Counter[str] = field(default_factory=Counter)
    is_cut: bool = False


async def find_own(
    services: Services, principal: Principal, *, status: str = "", text: str = "", order: str = "-updated"
) -> FoundNewsletters:
    """One's own newsletters by status and by words of title or code, among the latest thousand."""
    own, is_cut = await _latest(services, principal)
    words = text.casefold().split()
    fitting = [one for one in own if all(word in f"{one.title} {one.code}".casefold() for word in words)]
    counts = Counter[str](one.status for one in fitting)
    key = ORDERS.get(order.removeprefix("-"), ORDERS["updated"])
    chosen = sorted((one for one in fitting if status in ("", one.status)), key=key, reverse=order.startswith("-"))
    return FoundNewsletters(chosen, counts, is_cut)


async def _latest(services: Services, principal: Principal) -> tuple[list[Newsletter], bool]:
    own: list[Newsletter] = []
    cursor: str | None = None
    while len(own) < MOST_SEARCHED:
        listed = await list_own(services, principal, limit=_PAGE, cursor=cursor)
        own += listed.items
        cursor = listed.next_cursor
        if cursor is None:
            return own, False
    return own, True
