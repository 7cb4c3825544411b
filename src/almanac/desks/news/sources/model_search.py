"""Links from a model that searches the web: only pages that its search tool brought back, never ones it remembers."""

from dataclasses import dataclass

from almanac.desks.news.model.links import FoundLink
from almanac.desks.news.model.tasks import Source
from almanac.desks.news.sources.port import Findings
from almanac.kit.text import one_line
from almanac.llm.web_search import WebSearch

MOST_RESULTS, TITLE_LIMIT = 200, 500


@dataclass(frozen=True, slots=True)
class ModelFinder:
    """Asks the model that is set for the step `web_search`; without one, that is the sentence of the failure."""

    search: WebSearch

    async def find(self, source: Source, words: str) -> Findings:
        found = await self.search.search(words, desk="news", subject=source.title or "query task")
        web = (page for page in found if page.url.lower().startswith(("http://", "https://")))
        links = [FoundLink(url=page.url, title=one_line(page.title)[:TITLE_LIMIT]) for page in web]
        return Findings(links=links[:MOST_RESULTS])
