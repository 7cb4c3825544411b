"""A page that is shared says what it is: a picture drawn once, oEmbed, a frame that others may show, schema.org."""

import asyncio
import html
import json
import re
import struct
from urllib.parse import quote

import pytest

from almanac.desks.recap.service.articles import open_article
from almanac.errors import Unavailable
from almanac.public import card_image
from almanac.public.card_image import CardPainter, CardText, draw_card

BASE = "http://testserver/public"


def size_of(picture):
    assert picture.startswith(b"\x89PNG\r\n")
    return struct.unpack(">II", picture[16:24])


def meta(page, name):
    values = re.findall(rf'<meta (?:property|name)="{name}" content="([^"]*)">', page)
    assert len(values) == 1, f"{name}: {values}"
    return html.unescape(values[0])


def schema_of(page):
    return json.loads(re.search(r'<script type="application/ld\+json">(.*?)</script>', page)[1])


@pytest.fixture
def drawn(monkeypatch):
    """The texts that pictures were drawn of."""
    texts, draw = [], card_image.draw_card

    def count(text, site):
        texts.append((text, site))
        return draw(text, site)

    monkeypatch.setattr(card_image, "draw_card", count)
    return texts


@pytest.fixture(scope="module")
async def person(installation, meetings):
    article = await open_article(installation, meetings[0].issue_id)
    return article.recap.participants[0].name


@pytest.fixture(scope="module")
async def bill(installation, meetings):
    article = await open_article(installation, meetings[0].issue_id)
    return article.bills[0]["key"]


async def test_an_article_names_its_picture_and_says_what_is_on_it(stranger, meetings, drawn):
    path = f"/ja/recap/articles/{quote(meetings[0].issue_id)}"
    page = (await stranger.get(f"/public{path}?level=plain")).text
    assert meta(page, "og:image") == f"{BASE}{path}/card.png"
    assert meta(page, "twitter:card") == "summary_large_image"
    assert (meta(page, "og:image:width"), meta(page, "og:image:height")) == ("1200", "630")
    assert meta(page, "og:title") in meta(page, "og:image:alt")
    assert meta(page, "og:locale") == "ja_JP"
    picture = await stranger.get(f"/public{path}/card.png")
    assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png")
    assert size_of(picture.content) == (1200, 630)
    ((text, site),) = drawn
    assert site == "Open Records"
    assert text.title == meta(page, "og:title")
    assert "衆議院" in text.foot
    assert "本会議" in text.foot


async def test_the_picture_shows_the_weightiest_decision_with_its_count(installation, stranger, meetings, drawn):
    decisions = [
        (meeting, (await open_article(installation, meeting.issue_id)).recap.facts.decisions) for meeting in meetings
    ]
    meeting, counted = next((row for row in decisions if any(each.vote for each in row[1])), decisions[0])
    await stranger.get(f"/public/en/recap/articles/{quote(meeting.issue_id)}/card.png")
    ((text, _),) = drawn
    decision = next(each for each in counted if each.subject and each.subject in text.line)
    assert text.line.startswith(("Passed", "Approved", "Rejected", "Agreed", "Adopted"))
    if decision.vote:
        assert text.figure == f"{decision.vote.in_favour} for, {decision.vote.against} against"


async def test_people_and_bills_have_plainer_ones(stranger, meetings, person, bill, drawn):
    for path in (f"/en/recap/people/{quote(person)}", f"/en/recap/bills/{quote(bill, safe='')}"):
        page = (await stranger.get(f"/public{path}")).text
        assert meta(page, "og:image") == f"{BASE}{path}/card.png"
        answer = await stranger.get(f"/public{path}/card.png")
        assert size_of(answer.content) == (1200, 630)
        assert drawn.pop()[0].title == meta(page, "og:title")


async def test_a_picture_is_kept_by_its_content_and_drawn_once_at_a_time(stranger, meetings, drawn):
    path = f"/public/de/recap/articles/{quote(meetings[1].issue_id)}/card.png"
    answers = await asyncio.gather(*(stranger.get(path) for _ in range(8)))
    assert len(drawn) == 1
    assert {answer.content for answer in answers} == {answers[0].content}
    again = await stranger.get(path, headers={"If-None-Match": answers[0].headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    await stranger.get(path)
    assert len(drawn) == 1


async def test_a_crowd_asking_for_many_pictures_waits_or_is_sent_away(monkeypatch):
    at_once, most = 0, 0

    def slow(_text, _site):
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        at_once -= 1
        return b""

    monkeypatch.setattr(card_image, "draw_card", slow)
    painter = CardPainter("site")
    outcomes = await asyncio.gather(
        *(painter.paint(CardText(title=str(number), language="ja")) for number in range(200)), return_exceptions=True
    )
    assert most == 1
    assert sum(outcome == b"" for outcome in outcomes) == card_image._MOST_WAITING
    assert all(isinstance(outcome, Unavailable) for outcome in outcomes if outcome != b"")
    assert await painter.paint(CardText(title="later", language="ja")) == b""


def test_no_character_becomes_an_empty_box():
    """What no font has is marked, so two unknown characters look the same, and a line of nothing else is left out."""
    foot = "2026"
    unknown = [
        draw_card(CardText(title=f"可決{sign}した法律案", foot=foot, language="ja"), "x") for sign in "\ue000\ue001"
    ]
    marked = draw_card(CardText(title="可決〓した法律案", foot=foot, language="ja"), "x")
    assert unknown == [marked, marked]
    empty = draw_card(CardText(title="", foot=foot, language="ja"), "x")
    assert draw_card(CardText(title="\ue000\ue001\ue002", foot=foot, language="ja"), "x") == empty
    assert draw_card(CardText(title="髙﨑𠮷", foot=foot, language="ja"), "x") not in (marked, empty)


async def test_oembed_is_announced_and_gives_a_frame(stranger, meetings):
    path = f"/en/recap/articles/{quote(meetings[0].issue_id)}"
    page = (await stranger.get(f"/public{path}?level=plain")).text
    link = html.unescape(re.search(r'type="application/json\+oembed" href="([^"]+)"', page)[1])
    answer = await stranger.get(link)
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["access-control-allow-origin"] == "*"
    body = answer.json()
    assert (body["version"], body["type"]) == ("1.0", "rich")
    assert body["title"] == meta(page, "og:title")
    assert body["provider_name"] == "Open Records"
    assert body["thumbnail_url"] == f"{BASE}{path}/card.png"
    frame = re.search(r'<iframe src="([^"]+)"', body["html"])[1]
    assert frame == f"{BASE}{path}/embed"
    assert "<script" not in body["html"]
    framed = await stranger.get(frame)
    assert framed.status_code == 200
    assert "frame-ancestors *" in framed.headers["content-security-policy"]
    assert "x-frame-options" not in framed.headers
    assert framed.headers["x-robots-tag"] == "noindex"
    assert f'rel="canonical" href="{BASE}{path}"' in framed.text


async def test_only_the_small_pages_may_be_framed(stranger, meetings):
    for path in ("/en", "/en/recap", f"/en/recap/articles/{quote(meetings[0].issue_id)}", "/oembed?url=x"):
        headers = (await stranger.get(f"/public{path}")).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-frame-options"] == "DENY"


async def test_oembed_keeps_to_the_size_asked_for(stranger, meetings):
    url = quote(f"{BASE}/en/recap/articles/{meetings[0].issue_id}", safe="")
    small = (await stranger.get(f"/public/oembed?url={url}&maxwidth=320&maxheight=200")).json()
    assert (small["width"], small["height"]) == (320, 200)
    assert 'width="320" height="200"' in small["html"]
    assert "thumbnail_url" not in small
    large = (await stranger.get(f"/public/oembed?url={url}&maxwidth=5000&maxheight=5000")).json()
    assert large["width"] <= 800
    assert large["height"] < 500


async def test_a_speech_is_embedded_in_its_own_words(stranger, meetings):
    speech = max(meetings[0].spoken, key=lambda each: len(each.text))
    address = f"{BASE}/ja/recap/articles/{meetings[0].issue_id}"
    for url in (f"{address}/speeches/{speech.order}", f"{address}?speech={speech.order}#speech-{speech.order}"):
        body = (await stranger.get("/public/oembed", params={"url": url})).json()
        frame = re.search(r'<iframe src="([^"]+)"', body["html"])[1]
        assert frame == f"{address}/speeches/{speech.order}/embed"
    page = await stranger.get(frame)
    assert "frame-ancestors *" in page.headers["content-security-policy"]
    words = speech.text.partition("\u3000")[2].splitlines()[0][:40]
    assert words in html.unescape(page.text)
    assert html.escape(speech.speaker) in page.text


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("", 404),
        ("?url=https://elsewhere.example/public/en/recap/articles/x", 404),
        (f"?url={BASE}/en/recap/articles/nothing", 404),
        (f"?url={BASE}/en/recap/people", 404),
        (f"?url={BASE}/xx/recap/articles/x", 404),
        ("?url=http://[&format=json", 404),
        (f"?url={BASE}/en/recap&format=xml", 501),
    ],
)
async def test_oembed_says_what_it_cant_do(stranger, query, status):
    answer = await stranger.get(f"/public/oembed{query}")
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["status"] == status


async def test_pages_say_what_they_are(stranger, meetings, person, bill):
    article = schema_of((await stranger.get(f"/public/en/recap/articles/{quote(meetings[0].issue_id)}")).text)
    assert article["@type"] == "Report"
    assert article["datePublished"] > meetings[0].date.isoformat()
    assert article["recordedAt"]["startDate"] == meetings[0].date.isoformat()
    assert article["publisher"]["name"] == "Open Records"
    assert article["url"] == f"{BASE}/en/recap/articles/{quote(meetings[0].issue_id)}"
    assert article["image"].endswith("/card.png")
    somebody = schema_of((await stranger.get(f"/public/en/recap/people/{quote(person)}")).text)
    assert (somebody["@type"], somebody["name"]) == ("Person", person)
    law = schema_of((await stranger.get(f"/public/en/recap/bills/{quote(bill, safe='')}")).text)
    assert law["@type"] == "Legislation"
    assert article["@id"] in {report["@id"] for report in law["subjectOf"]}


async def test_each_page_has_one_address(stranger, meetings, person):
    def canonical(page):
        return html.unescape(re.search(r'rel="canonical" href="([^"]+)"', page)[1])

    for path, expected in (
        ("/en/recap/articles", "/en/recap"),
        ("/en/recap", "/en/recap"),
        (f"/en/recap/articles/{quote(meetings[0].issue_id)}?level=detailed&part=1", None),
        (f"/en/recap/people/{quote(person)}?bill=x", f"/en/recap/people/{quote(person)}"),
    ):
        page = (await stranger.get(f"/public{path}")).text
        assert canonical(page) == f"{BASE}{expected or path.partition('?')[0]}"
        assert f'hreflang="x-default" href="{canonical(page)}"' in html.unescape(page)
