"""Collecting from Hansard by address: the official interface, and the files that ParlParse lists."""

from datetime import UTC, date, datetime

import pytest
from aiohttp import web

from almanac.config.checks import url_or_folder
from almanac.desks.recap.model.parliaments.record_reader import read_record
from almanac.desks.recap.sources.hansard_online import open_hansard
from almanac.desks.recap.sources.national_diet import RequestPacer
from almanac.desks.recap.sources.port import SkippedRecord, SourceRefused
from almanac.fetch.guard import FetchGuard
from almanac.fetch.http import FetchLimits, HttpFetcher
from almanac.kit.clock import FixedClock
from hansard_files import PUBLICWHIP, QUESTIONS, SECOND_READING

LISTING = """<a href="debates2026-06-01a.xml">1</a> <a href="debates2026-06-02a.xml">2</a>
<a href="debates2026-06-02b.xml">3</a> <a href="debates2026-06-09a.xml">4</a> <a href="README">5</a>"""
ITEMS = [
    {"Id": 1, "ParentId": None, "ExternalId": "ROOT", "SortOrder": 1, "Title": "Commons Chamber"},
    {"Id": 3, "ParentId": 1, "ExternalId": "DDDD", "SortOrder": 3, "Title": "Coastal Homes Bill [Lords]"},
    {"Id": 2, "ParentId": 1, "ExternalId": "AAAA", "SortOrder": 2, "Title": "Oral Answers to Questions"},
    {"Id": 4, "ParentId": 2, "ExternalId": "BBBB", "SortOrder": 4, "Title": "Environment"},
]


@pytest.fixture
async def hansard(loopback):
    """Both hosts on loopback: where they are, and what they were asked for."""
    asked = []

    async def answer(request):
        asked.append(request.path)
        sat = request.query.get("date") == "2026-06-02" and request.query.get("house") == "Commons"
        debate = {key: value for key, value in SECOND_READING.items() if key != "Divisions"}
        answers = {
            "/overview/sectionsforday.json": ["Debate", "WestHall"] if sat else [],
            "/overview/sectiontrees.json": [{"Title": "Commons Chamber", "SectionTreeItems": ITEMS}],
            "/debates/debate/AAAA.json": QUESTIONS,
            "/debates/debate/DDDD.json": debate,
            "/debates/divisions/DDDD.json": SECOND_READING["Divisions"],
        }
        return web.json_response(answers[request.path]) if request.path in answers else web.Response(status=404)

    async def file(request):
        asked.append(request.path)
        texts = {"": LISTING, "debates2026-06-01a.xml": "<publicwhip/>", "debates2026-06-02b.xml": PUBLICWHIP}
        name = request.match_info["name"]
        return web.Response(body=texts[name].encode("iso-8859-1")) if name in texts else web.Response(status=404)

    async with loopback(web.get("/files/{name:.*}", file), web.get("/{path:.*}", answer)) as address:
        yield address, asked


def opened(address):
    fetcher = HttpFetcher(FetchGuard.from_settings("127.0.0.1", "80"), FetchLimits(seconds=5))
    return open_hansard(address, fetcher, RequestPacer(FixedClock(datetime(2026, 6, 3, tzinfo=UTC)), 0))


async def everything(source, first, last):
    spans = source.spans(date.fromisoformat(first), date.fromisoformat(last))
    return [record for span in spans for record in [each async for each in source.collect(span)]]


async def test_a_day_of_the_interface_is_one_sitting_with_its_divisions(hansard):
    address, asked = hansard
    (record,) = await everything(opened(f"hansard+{address}"), "2026-06-01", "2026-06-02")
    assert record.meeting.issue_id == "uk-commons-2026-06-02"
    assert record.meeting.spoken[0].heading_path[0] == "Oral Answers to Questions"
    (decision,) = read_record(record.meeting).decisions
    assert (decision.vote.in_favour, decision.vote.against) == (312, 188)
    assert asked.count("/debates/divisions/DDDD.json") == 1
    assert "/debates/divisions/AAAA.json" not in asked


async def test_the_latest_file_of_each_day_is_read_and_a_broken_one_costs_itself_only(hansard):
    address, asked = hansard
    broken, record = await everything(opened(f"parlparse+{address}/files/"), "2026-06-01", "2026-06-03")
    assert isinstance(broken, SkippedRecord)
    assert record.meeting.issue_id == "uk-commons-2026-06-02"
    assert asked == ["/files/", "/files/debates2026-06-01a.xml", "/files/debates2026-06-02b.xml"]


async def test_a_refusal_says_so(hansard):
    address, _ = hansard
    with pytest.raises(SourceRefused):
        await everything(opened(f"parlparse+{address}/files/missing/"), "2026-06-01", "2026-06-03")


@pytest.mark.parametrize("address", ["https://kokkai.example/api", "file:///srv/records", "other+https://example.org"])
def test_other_addresses_are_left_to_other_sources(address):
    assert opened(address) is None


@pytest.mark.parametrize(
    "address", ["hansard+https://hansard-api.parliament.uk", "parlparse+http://example.org/debates/"]
)
def test_the_setting_takes_such_addresses(address):
    assert url_or_folder(address) is None
