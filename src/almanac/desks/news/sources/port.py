"""The port: something that names links, asked on behalf of a task. Adapters are in the files beside this one."""

from dataclasses import dataclass, field
from typing import Protocol

from almanac.desks.news.model.links import FoundLink
from almanac.desks.news.model.tasks import Source
from almanac.fetch import Conditions


@dataclass(frozen=True, slots=True)
class Findings:
    """What a source named. `unchanged` says that it has nothing new since it was last asked."""

    links: list[FoundLink] = field(default_factory=list)
    title: str = ""
    conditions: Conditions = field(default_factory=Conditions)
    unchanged: bool = False


class LinkFinder(Protocol):
    """Asks one kind of source. Failures are AlmanacErrors with a sentence; nothing is made up in their place."""

    async def find(self, source: Source, words: str) -> Findings: ...
