"""Hansard by address: the official interface, debate by debate, or a list of ParlParse's files, file by file."""

import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeVar
from urllib.parse import quote, urlencode, urljoin

import msgspec

from almanac.desks.recap.sources.diet_record import UnreadableRecord, encode_record
from almanac.desks.recap.sources.formats import read_xml
from almanac.desks.recap.sources.hansard_debates import HansardDebate, HansardDivision, build_sitting
from almanac.desks.recap.sources.national_diet import RequestPacer
from almanac.desks.recap.sources.port import CollectedRecord, DaySpan, MeetingSource, SkippedRecord, SourceRefused
from almanac.errors import Unavailable
from almanac.fetch import Fetcher, FetchFailed
from almanac.kit.messages import gettext

MOST_BYTES = 60_000_000
_SECONDS = 120.0
_HOUSES = ("Commons", "Lords")
_CHAMBER = "Debate"
_FILE = re.compile(r'href="(?P<name>[a-z]+(?P<day>\d{4}-\d{2}-\d{2})(?P<version>[a-z]*)\.xml)"')
_SCHEMES = ("hansard", "parlparse")
AnswerT = TypeVar("AnswerT")


class _TreeItem(msgspec.Struct, rename="pascal", kw_only=True):
    id: int
    parent_id: int | None = None
    external_id: str | None = None
    sort_order: int | None = None


class _SectionTree(msgspec.Struct, rename="pascal", kw_only=True):
    section_tree_items: list[_TreeItem] | None = None


@dataclass(frozen=True, slots=True)
class _HansardHost:
    """Fetches one address after the other, with a pause in between."""

    fetcher: Fetcher
    pacer: RequestPacer

    async def fetch(self, url: str, accept: str) -> bytes:
        await self.pacer.wait()
        try:
            fetched = await self.fetcher.get(url, accept=accept, max_bytes=MOST_BYTES, seconds=_SECONDS)
        except FetchFailed as failure:
            raise SourceRefused(failure.sentence) from failure
        finally:
            self.pacer.finish()
        return fetched.body


def _days(since: date, until: date) -> list[DaySpan]:
    """Every day by itself: a day is many requests, and after an interruption only the present one is repeated."""
    days = (since + timedelta(days=number) for number in range((until - since).days + 1))
    return [DaySpan(day, day) for day in days]


@dataclass(frozen=True, slots=True)
class HansardInterface:
    """The chambers of both houses from the official interface, each debate of the first level by itself."""

    host: _HansardHost
    base_url: str

    def spans(self, since: date, until: date) -> Sequence[DaySpan]:
        return _days(since, until)

    async def collect(self, span: DaySpan) -> AsyncIterator[CollectedRecord | SkippedRecord]:
        for house in _HOUSES:
            debates = [await self._debate(name) for name in await self._list_debates(span.first, house)]
            if not debates:
                continue
            try:
                meeting = build_sitting(debates)
            except UnreadableRecord as error:
                yield SkippedRecord(f"{house} {span.first}", str(error))
                continue
            yield CollectedRecord(encode_record(meeting), meeting)

    async def _list_debates(self, day: date, house: str) -> list[str]:
        """The debates of the first level in their order; none if the chamber didn't sit."""
        asked = {"house": house, "date": day.isoformat()}
        if _CHAMBER not in await self._ask("overview/sectionsforday.json", asked, list[str]):
            return []
        trees = await self._ask("overview/sectiontrees.json", {**asked, "section": _CHAMBER}, list[_SectionTree])
        items = [item for tree in trees for item in tree.section_tree_items or ()]
        roots = {item.id for item in items if item.parent_id is None}
        first = sorted((item for item in items if item.parent_id in roots), key=lambda item: item.sort_order or 0)
        return [item.external_id for item in first if item.external_id]

    async def _debate(self, name: str) -> HansardDebate:
        """A debate with the counts of its divisions, which are asked for only where it has some."""
        debate = await self._ask(f"debates/debate/{quote(name, safe='')}.json", {}, HansardDebate)
        return await self._with_divisions(debate) if debate.has_divisions else debate

    async def _with_divisions(self, debate: HansardDebate) -> HansardDebate:
        children = [await self._with_divisions(child) for child in debate.child_debates or ()]
        divisions: list[HansardDivision] = []
        name = debate.overview.ext_id
        if name and any(item.item_type == "Division" for item in debate.items or ()):
            divisions = await self._ask(f"debates/divisions/{quote(name, safe='')}.json", {}, list[HansardDivision])
        return msgspec.structs.replace(debate, child_debates=children, divisions=divisions)

    async def _ask(self, path: str, parameters: dict[str, str], form: type[AnswerT]) -> AnswerT:
        """An answer; the interface takes parameters with and without its prefix, depending on its version."""
        both = {**parameters, **{f"queryParameters.{name}": value for name, value in parameters.items()}}
        query = f"?{urlencode(both)}" if both else ""
        body = await self.host.fetch(f"{self.base_url.rstrip('/')}/{path}{query}", "application/json")
        try:
            return msgspec.json.decode(body, type=form, strict=False)
        except msgspec.MsgspecError as error:
            raise Unavailable(gettext("Hansard's interface didn't answer as expected; try later.")) from error


@dataclass(frozen=True, slots=True)
class PublicwhipListing:
    """ParlParse's files from the folder in which TheyWorkForYou lists them; of a day, the latest version."""

    host: _HansardHost
    base_url: str

    def spans(self, since: date, until: date) -> Sequence[DaySpan]:
        return [DaySpan(since, until)]

    async def collect(self, span: DaySpan) -> AsyncIterator[CollectedRecord | SkippedRecord]:
        listing = (await self.host.fetch(self.base_url, "text/html")).decode("utf-8", "replace")
        latest: dict[str, re.Match[str]] = {}
        for match in sorted(_FILE.finditer(listing), key=lambda match: match["version"]):
            if span.first.isoformat() <= match["day"] <= span.last.isoformat():
                latest[match["day"]] = match
        for day in sorted(latest):
            name = latest[day]["name"]
            try:
                for record in read_xml(await self.host.fetch(urljoin(self.base_url, name), "application/xml")):
                    yield record
            except UnreadableRecord as error:
                yield SkippedRecord(name, str(error))


def open_hansard(address: str, fetcher: Fetcher, pacer: RequestPacer) -> MeetingSource | None:
    """The source at an address such as hansard+https://…; None if the address is of another kind."""
    kind, _, url = address.partition("+")
    if kind not in _SCHEMES or not url:
        return None
    host = _HansardHost(fetcher, pacer)
    return HansardInterface(host, url) if kind == "hansard" else PublicwhipListing(host, url)
