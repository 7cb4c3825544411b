"""Links from a model that searches the web: a port, because only a search that really happened may name addresses."""

from dataclasses import dataclass
from typing import Protocol

from almanac.desks.news.discovering.port import Findings
from almanac.desks.news.model.links import FoundLink
from almanac.desks.news.model.tasks import Source
from almanac.errors import Conflict


class WebSearchingModel(Protocol):
    """A model with a search tool; it returns addresses that its tool brought back, never ones it remembers."""

    async def search(self, words: str) -> list[FoundLink]: ...


@dataclass(frozen=True, slots=True)
class ModelFinder:
    """Asks the model that is set; without one it says so, because addresses from memory would be invented."""

    model: WebSearchingModel | None = None

    async def find(self, source: Source, words: str) -> Findings:  # noqa: ARG002 - a model has no address
        if self.model is None:
            raise Conflict("No model that searches the web is set; use a feed, a site or a search endpoint instead.")
        return Findings(links=await self.model.search(words))
