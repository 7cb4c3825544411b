"""What a stage is given while it runs: the services, the newsletter's code, its run, and a way to report."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from almanac.desks.newsletter import store
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.services import Services

Report = Callable[[int | None, int | None, str], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class StageRun:
    """One run of a stage. `report` tells people how far it is, and raises where somebody cancelled it.

    Where it `completes`, a draft without obstacles is declared finished; otherwise that is left to a person.
    """

    services: Services
    code: str
    run: int
    report: Report
    completes: bool = True

    async def read(self) -> FullNewsletter:
        """The newsletter as it is now."""
        return await store.get_newsletter_full(self.services.tables, self.code, consistent=True)
