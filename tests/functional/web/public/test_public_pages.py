"""What a citizen reads: meetings in five languages, without what editors keep to themselves, at little cost."""

import json
import re
from urllib.parse import quote
from xml.etree import ElementTree as ET

import feedparser
import msgspec
import pytest

from almanac.accounts.permissions import Role
from almanac.desks.recap.model.recap import LeftOutSentence, WritingFallback, without_internals
from almanac.desks.recap.service.articles import open_article
from almanac.desks.recap.service.group_votes import import_votes
from almanac.kit.catalogs import INTERFACE_LANGUAGES

SITEMAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


@pytest.fixture
def statements(installation, monkeypatch):
    """Statements that the public side sends while a page is made."""
    sent = []
    database = installation.read_ports.database
    kind = type(database)
    reading, unit = kind.reading, kind.unit

    def counting(method):
        def counted(self):
            if self is database:
                sent.append(method)
            return method(self)

        return counted

    monkeypatch.setattr(kind, "reading", counting(reading))
    monkeypatch.setattr(kind, "unit", counting(unit))
    return sent


@pytest.mark.parametrize("language", INTERFACE_LANGUAGES)
async def test_a_meeting_is_read_in_every_interface_language(stranger, meetings, language):
    path = f"/public/{language}/recap/articles/{quote(meetings[0].issue_id)}"
    page = (await stranger.get(path)).text
    assert f'<html lang="{language}' in page
    assert f'<link rel="canonical" href="http://testserver{path}">' in page
    assert set(re.findall(r'rel="alternate" hreflang="([^"]+)"', page)) == {*INTERFACE_LANGUAGES, "x-default"}
    assert 'id="speech-1"' in page
    for part in ("", "/recap", "/recap/people", "/recap/bills", "/newsletters", "/feeds", "/status"):
        assert (await stranger.get(f"/public/{language}{part}")).status_code == 200


async def test_the_pages_lead_to_each_other(stranger, meetings):
    """Every link on the pages, and on the pages they lead to, is answered."""
    seen, waiting = set(), ["/public/en"]
    while waiting and len(seen) < 150:
        path = waiting.pop(0)
        if path in seen:
            continue
        seen.add(path)
        answer = await stranger.get(path)
        assert answer.status_code in (200, 302), f"{path}: {answer.status_code}"
        if "html" in answer.headers.get("content-type", ""):
            waiting += [
                link.replace("&amp;", "&").partition("#")[0] for link in re.findall(r'href="(/[^"]+)"', answer.text)
            ]
    assert len(seen) > 60


async def test_what_editors_keep_to_themselves_is_not_there(installation, stranger, meetings):
    article = await open_article(installation, meetings[0].issue_id)
    internal = msgspec.structs.replace(
        article.recap.provenance,
        left_out=(LeftOutSentence(text="a sentence that was left out", kind="unsupported"),),
        fallback=WritingFallback(reason="the provider said no"),
    )
    recap = msgspec.structs.replace(article.recap, provenance=internal)
    shown = without_internals(recap)
    assert shown.provenance.left_out == ()
    assert shown.provenance.fallback is None
    page = (await stranger.get(f"/public/en/recap/articles/{quote(meetings[0].issue_id)}")).text
    for word in ("/versions", "/tasks", "csrf", "/reports"):
        assert word not in page


async def test_a_search_finds_words_of_a_speech(stranger, meetings):
    word = re.findall(r"[一-龥]{4}", meetings[0].speeches[1].text.partition("\u3000")[2])[0]
    page = await stranger.get(f"/public/ja/recap/articles?q={quote(word)}")
    assert meetings[0].issue_id in page.text
    assert page.headers["x-robots-tag"] == "noindex"


async def test_a_speech_has_a_permanent_address(stranger, meetings):
    article = f"/public/en/recap/articles/{quote(meetings[0].issue_id)}"
    answer = await stranger.get(f"{article}/speeches/1")
    assert (answer.status_code, answer.headers["location"]) == (302, f"{article}?speech=1#speech-1")
    assert (await stranger.get(f"{article}/speeches/99999")).status_code == 404


@pytest.mark.parametrize(
    ("path", "most"),
    [
        ("/en", 4),
        ("/en/recap", 1),
        ("/en/newsletters", 1),
        ("/en/newsletters/NL-1", 1),
        ("/en/feeds", 1),
        ("/en/status", 1),
        ("/en/recap/feed.atom", 1),
        ("/en/recap/articles/{article}", 0),
    ],
)
async def test_a_page_costs_few_statements(stranger, statements, meetings, path, most):
    await stranger.get(f"/public{path.replace('{article}', quote(meetings[0].issue_id))}")
    assert len(statements) <= most


async def test_a_feed_is_titled_in_the_language_of_its_address(stranger, meetings):
    english = (await stranger.get("/public/en/recap/feed.atom")).text
    assert 'xml:lang="en"' in english
    assert feedparser.parse(english).feed.title == "Parliament"
    assert feedparser.parse((await stranger.get("/public/ja/recap/feed.atom")).text).feed.title == "国会"


async def test_the_sitemap_and_the_feed_list_every_meeting(installation, stranger, meetings):
    index = ET.fromstring((await stranger.get("/public/sitemap.xml")).content)
    names = [place.text for place in index.iter(f"{SITEMAP}loc")]
    assert "http://testserver/public/sitemaps/recap-1.xml" in names
    pages = ET.fromstring((await stranger.get("/public/sitemaps/recap-1.xml")).content)
    listed = {place.text for place in pages.iter(f"{SITEMAP}loc")}
    assert {f"http://testserver/public/en/recap/articles/{meeting.issue_id}" for meeting in meetings} <= listed
    assert all(moment.text for moment in pages.iter(f"{SITEMAP}lastmod"))
    article = await open_article(installation, meetings[0].issue_id)
    for person in article.recap.participants:
        assert f"http://testserver/public/en/recap/people/{quote(person.name)}" in listed
    for bill in article.bills:
        assert f"http://testserver/public/ja/recap/bills/{quote(bill['key'], safe='')}" in listed
    feed = feedparser.parse((await stranger.get("/public/ja/recap/feed.atom")).text)
    assert {entry.link for entry in feed.entries} == {
        f"http://testserver/public/ja/recap/articles/{meeting.issue_id}" for meeting in meetings
    }
    site = (await stranger.get("/public/sitemaps/site-1.xml")).text
    for note in ("method", "data"):
        assert f"<loc>http://testserver/public/ja/recap/{note}</loc>" in site
    assert (await stranger.get("/public/sitemaps/recap-2.xml")).status_code == 404
    assert (await stranger.get("/public/sitemaps/reminders-1.xml")).status_code == 404


async def test_robots_may_read_the_public_side_alone(stranger):
    lines = (await stranger.get("/robots.txt")).text.splitlines()
    assert "Allow: /public" in lines
    assert "Disallow: /" in lines
    assert "Disallow: /public/files/" in lines
    assert "Sitemap: http://testserver/public/sitemap.xml" in lines


async def test_administrators_see_what_anyone_can_read(signed_in, meetings):
    administrator = await signed_in(Role.ADMIN)
    page = (await administrator.get("/organisation")).text
    assert "What anyone can read" in page
    assert "Anyone can read what you publish" in (await administrator.get("/setup/end")).text
    assert f'href="http://testserver/public/en/recap/articles/{meetings[0].issue_id}"' in page


async def test_a_page_that_is_kept_shows_votes_that_come_later(installation, stranger, meetings, tmp_path):
    meeting = meetings[-1]
    path = f"/public/en/recap/articles/{meeting.issue_id}"
    before = await stranger.get(path)
    decision = next(
        each for each in (await open_article(installation, meeting.issue_id)).recap.facts.decisions if each.vote
    )
    count = {"yay": decision.vote.in_favour, "nay": decision.vote.against}
    topic = {
        "topic_title": decision.subject,
        "topic_date": f"{meeting.date:%Y年%m月%d日}",
        "whole_result": {"total_votes": decision.vote.total, **count},
        "voting_results": [{"party_name": "みらい会", "member_num": 250, **count, "votes": {}}],
    }
    (tmp_path / "results.json").write_text(json.dumps({"topics": [topic]}), "utf-8")
    assert await import_votes(installation, tmp_path, meeting.house) == 1
    after = await stranger.get(path, headers={"If-None-Match": before.headers["etag"]})
    assert after.status_code == 200
    assert "みらい会" in after.text
