"""One meeting on its page: levels, references to speeches, minutes with their filters, where it all comes from."""

import html
import json
import re

import msgspec
import pytest

from almanac.desks.recap.pipeline.publish import publish_recap


def orders(page: str) -> list[int]:
    return [int(matched) for matched in re.findall(r'id="speech-(\d+)"', page)]


def plain(page: str) -> str:
    return html.unescape(re.sub(r"<[^>]*>", "", page))


@pytest.fixture
def sitting(sittings):
    return sittings["chiiki-kotsu-iinkai"]


async def test_every_speech_is_there_once_and_in_order(reader, sitting):
    assert orders(await reader.open(sitting.path)) == [speech.order for speech in sitting.meeting.speeches]


@pytest.mark.parametrize("level", ["points", "plain", "detailed"])
async def test_every_reference_of_a_level_leads_to_a_speech_on_the_page(reader, sitting, level):
    page = await reader.open(f"{sitting.path}?level={level}")
    reading = page[page.index('id="reading"') : page.index('id="about"')]
    referred = {int(matched) for matched in re.findall(r'href="#speech-(\d+)"', reading)}
    assert referred
    assert referred <= set(orders(page))


async def test_each_level_shows_its_own_sentences(reader, sitting):
    shown = {
        level: plain(await reader.open(f"{sitting.path}?level={level}")) for level in ("points", "plain", "detailed")
    }
    assert sitting.recap.key_points[0].text in shown["points"]
    assert sitting.recap.soft_language_summary[0].text in shown["plain"]
    assert sitting.recap.middle_summary[0].title in shown["detailed"]


async def test_the_minutes_are_filtered_by_speaker_group_and_kind(reader, sitting):
    dialog = next(item for item in sitting.recap.dialogs if item.reaction == "質問")
    page = await reader.open(f"{sitting.path}?speaker={dialog.speaker}&group={dialog.group}&reaction=質問")
    expected = [
        item.order for item in sitting.recap.dialogs if item.reaction == "質問" and item.speaker == dialog.speaker
    ]
    assert orders(page) == expected
    assert "Show all speeches" in page


async def test_a_search_within_marks_the_words_in_the_original(reader, sitting):
    page = await reader.open(f"{sitting.path}?within=路線バス")
    matched = orders(page)
    assert matched
    assert all("路線バス" in sitting.meeting.by_order[order].text for order in matched)
    assert "<mark>路線バス</mark>" in page


async def test_the_original_words_are_on_the_page_in_full(reader, sitting):
    page = plain(await reader.open(sitting.path))
    longest = max(sitting.meeting.spoken, key=lambda item: len(item.text))
    lines = [line.strip() for line in longest.text.splitlines()[1:] if line.strip() and "─" not in line]
    assert all(line in page for line in lines)


async def test_the_permanent_address_of_a_speech_leads_to_it_with_its_words_open(reader, sitting):
    order = max(sitting.meeting.spoken, key=lambda item: len(item.text)).order
    words = re.compile(rf'id="speech-{order}".*?(<details[^>]*>)', re.DOTALL)
    assert " open" not in words.search(await reader.open(sitting.path))[1]
    page = await reader.open(f"{sitting.path}/speeches/{order}")
    assert f"speech={order}" in reader.at
    assert " open" in words.search(page)[1]


async def test_a_speech_that_is_not_there_is_told_plainly(reader, sitting):
    assert "This meeting has no speech with that number" in await reader.open(
        f"{sitting.path}/speeches/9999", status=404
    )
    assert await reader.open("/recap/articles/nothing", status=404)


async def test_it_says_who_wrote_it_and_how_much_it_shows(reader, sitting):
    page = await reader.open(sitting.path, lang="ja")
    coverage = sitting.recap.provenance.coverage
    assert "モデルは使っていません" in page
    assert sitting.recap.provenance.prompt_version in page
    assert f"発言{coverage.speeches}件のうち{coverage.speeches_shown}件" in page
    assert str(sitting.meeting.url or sitting.meeting.speeches[0].url) in html.unescape(page)


async def test_explained_words_open_without_scripts(reader, sittings):
    pages = [
        await reader.open(f"{item.path}?level={level}")
        for item in sittings.values()
        for level in ("points", "detailed")
    ]
    for page in pages:
        notes = set(re.findall(r'id="(term-\d+)" *popover', page))
        assert set(re.findall(r'popovertarget="(term-\d+)"', page)) <= notes
    assert any('popovertarget="term-' in page for page in pages)


async def test_an_odd_record_still_reads(reader, publish_record):
    speeches = [
        {"speechID": "x_000", "speechOrder": 0, "speaker": "会議録情報", "speech": None},
        {"speechID": "x_001", "speechOrder": 1, "speaker": None, "speech": "<b>発言者のない発言</b>です。"},
        {"speechID": "x_005", "speechOrder": 5, "speaker": "青木春子", "speech": ""},
    ]
    record = {
        "issueID": "x",
        "session": 251,
        "nameOfHouse": "両院",
        "nameOfMeeting": None,
        "date": "2026-05-30",
        "speechRecord": speeches,
    }
    odd = await publish_record(json.dumps(record).encode())
    for level in ("points", "plain", "detailed", "nonsense"):
        page = await reader.open(f"{odd.path}?level={level}&part=99")
        assert orders(page) == [0, 1, 5]
        assert "&lt;b&gt;発言者のない発言&lt;/b&gt;" in page
    assert orders(await reader.open(f"{odd.path}?within=発言者")) == [1]


async def test_a_reader_of_an_earlier_version_stays_in_it(installation, reader, publish_record):
    speeches = [{"speechOrder": at, "speaker": "青木春子", "speech": "賛成です。"} for at in range(1, 153)]
    record = {
        "issueID": "long",
        "session": 251,
        "nameOfHouse": "衆議院",
        "nameOfMeeting": "本会議",
        "date": "2026-05-31",
        "speechRecord": speeches,
    }
    long = await publish_record(json.dumps(record).encode())
    later = msgspec.structs.replace(long.recap, title="別の題名")
    await publish_recap(installation, long.meeting, later, record_url=long.record_url)
    page = await reader.open(f"{long.path}?version=1&full=yes&speaker=青木春子")
    parts = page[page.index('aria-label="Parts of the minutes"') :]
    href = html.unescape(re.search(r'href="([^"]*part=2[^"]*)"', parts)[1])
    assert {"version=1", "full=yes", "level=points"} <= set(href.partition("?")[2].partition("#")[0].split("&"))
    second = await reader.open(html.unescape(href).partition("#")[0])
    assert "This is an earlier version" in second
    assert orders(second) == [151, 152]
    assert "This is an earlier version" in await reader.open(f"{long.path}/speeches/152?version=1")
