"""People with their offices and words, and bills through both houses."""

import html
import json
import re
from urllib.parse import quote

from almanac.desks.recap.demo.sample_meetings import sample_meetings

BILL = "地域生活交通の維持に関する法律案"


async def bill_address(reader) -> str:
    page = await reader.open("/recap/bills")
    links = re.findall(r'<a[^>]*href="(/recap/bills/[^"]*)"[^>]*>([^<]*)</a>', page)
    return next(html.unescape(href) for href, title in links if title == BILL)


async def test_a_bill_is_followed_through_both_houses_from_the_first(reader, sittings):
    page = await reader.open(await bill_address(reader))
    history = page[page.index('id="history"') : page.index("</ol>")]
    days = re.findall(r'<time datetime="([^"]*)"', history)
    assert days == sorted(days)
    assert re.findall(r"</svg>(\w+)</span>", page[page.index('id="history"') :]) == ["Passed"] * 4
    assert {"House of Representatives", "House of Councillors"} <= set(re.findall(r"<span>(House of \w+)</span>", page))


async def test_a_person_has_offices_of_the_day_and_is_quoted_only(reader, sittings):
    speech = next(item for item in sittings["chiiki-kotsu-iinkai"].meeting.spoken if item.group and not item.position)
    page = await reader.open(f"/recap/people/{speech.speaker}")
    assert speech.group in page
    speech_words = "".join(
        other.text
        for sitting in sittings.values()
        for other in sitting.meeting.spoken
        if other.speaker == speech.speaker
    )
    words = quoted_words(page)
    assert words
    spaceless = re.sub(r"\s", "", speech_words)
    assert all(re.sub(r"\s|…", "", item) in spaceless for item in words)


def quoted_words(page):
    quoted = re.findall(r"<blockquote[^>]*>(.*?)</blockquote>", page, re.DOTALL)
    return [html.unescape(re.sub(r"<[^>]*>", "", block)).strip() for block in quoted]


async def test_what_a_person_said_is_filtered_by_word_and_year(reader, sittings):
    meeting = sittings["chiiki-kotsu-iinkai"].meeting
    speech = next(item for item in meeting.spoken if "路線バス" in item.text and item.group)
    path = f"/recap/people/{speech.speaker}"
    words = quoted_words(await reader.open(f"{path}?q=路線バス&year={meeting.date.year}"))
    assert words
    assert all("路線バス" in item for item in words)
    assert "no speech by this person" in await reader.open(f"{path}?year=1950")
    assert quoted_words(await reader.open(f"{path}?year=sometime")) == quoted_words(await reader.open(path))
    assert "can't be used" in await reader.open(f"{path}?q=%28")


async def test_a_bill_shows_who_spoke_for_and_against_it_in_their_words(reader, sittings):
    page = await reader.open(await bill_address(reader))
    for heading, stance in (("Who spoke for it", "賛成"), ("Who spoke against it", "反対")):
        part = page[page.index(heading) :]
        words = quoted_words(part[: part.index("</ul>")])
        assert words
        assert all(stance in item for item in words)


async def test_from_a_bill_to_what_one_person_said_about_it(reader):
    page = await reader.open(await bill_address(reader))
    href = html.unescape(re.search(r'href="(/recap/people/[^"]*bill=[^"]*)"', page)[1])
    assert BILL in await reader.open(href)


async def test_people_are_found_by_the_beginning_of_their_name(reader, sittings):
    name = sittings["chiiki-kotsu-iinkai"].meeting.spoken[1].speaker
    assert name in await reader.open(f"/recap/people?q={name[:2]}")
    assert "No speaker with this name" in await reader.open("/recap/people?q=zzz")


async def test_people_are_found_by_kana_on_their_page_and_in_the_palette(reader, sittings):
    speech = next(item for item in sittings["chiiki-kotsu-iinkai"].meeting.spoken if item.yomi)
    assert speech.speaker in await reader.open(f"/recap/people?q={speech.yomi[-3:]}")
    assert f"/recap/people/{quote(speech.speaker)}" in await reader.open(f"/palette?q={speech.yomi}")


async def test_nobody_and_nothing_are_told_plainly(reader):
    for path in ("/recap/people/誰でもない", "/recap/bills/ない", "/recap/agenda/ない", "/recap/issues/ない"):
        assert await reader.open(path, status=404)


async def test_a_record_leads_to_its_article(reader, sittings):
    sitting = sittings["sangiin-honkaigi"]
    assert sitting.path in await reader.open(f"/recap/issues/{sitting.meeting.issue_id}")


async def test_people_of_one_name_are_told_apart_by_its_reading(reader, sittings, publish_record):
    record = json.loads(next(item.raw for item in sample_meetings() if item.name == "sangiin-honkaigi"))
    record["issueID"] = "125115254X09920260529"
    name = next(
        item["speaker"] for item in record["speechRecord"] if item["speakerGroup"] and not item["speakerPosition"]
    )
    for speech in record["speechRecord"]:
        speech["speakerYomi"] = "べつのよみ" if speech["speaker"] == name else speech["speakerYomi"]
    await publish_record(json.dumps(record).encode())
    page = await reader.open(f"/recap/people/{name}")
    assert "Other people with this name" in page
    assert "べつのよみ" in page
    notice = page[page.index("Other people with this name") :]
    other = html.unescape(re.search(r'href="(/recap/people/[^"]*key=[^"]*)"', notice)[1])
    assert '<p class="lead" lang="ja">べつのよみ</p>' in await reader.open(other)


async def test_a_rejected_bill_is_a_result_and_no_alarm(reader, publish_record):
    """Last in this file: the sitting stays published."""
    (sample,) = [sample for sample in sample_meetings() if sample.name == "suiryoku-hatsuden"]
    sitting = await publish_record(sample.raw)
    for path in ("/recap/bills", sitting.path):
        page = await reader.open(path)
        assert '<span class="badge badge-plain">Rejected</span>' in page
        assert "badge-failed" not in page
