"""What programs read: an API without a key, and files of whole sessions that are made once and checked by a digest."""

import csv
import hashlib
import io
import json
import re
from urllib.parse import quote

import pytest

from almanac.desks.recap.model.bulk import COLUMNS
from almanac.desks.recap.pipeline.bulk_files import make_bulk_files
from almanac.desks.recap.service.articles import open_article

API = "/public/data/v1/recap"


async def quiet(*_: object) -> None:
    """No progress."""


@pytest.fixture(scope="module")
async def files(installation, meetings):
    """The files by name."""
    assert await make_bulk_files(installation, report=quiet) == len({meeting.session for meeting in meetings})
    return sorted(
        f"session-{session}-{content}.{form}"
        for session in {meeting.session for meeting in meetings}
        for content in ("articles", "speeches")
        for form in ("jsonl", "csv")
    )


def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


async def test_every_session_has_its_files_with_checksums(stranger, files):
    sums = (await stranger.get("/public/files/recap/SHA256SUMS")).text
    listed = {name: digest for digest, name in (line.split("  ") for line in sums.splitlines())}
    assert sorted(listed) == files
    for name, digest in listed.items():
        answer = await stranger.get(f"/public/files/recap/{name}")
        assert hashlib.sha256(answer.content).hexdigest() == digest
        assert answer.headers["content-length"] == str(len(answer.content))
        assert answer.headers["etag"] == f'"{digest}"'
        assert answer.headers["access-control-allow-origin"] == "*"
        again = await stranger.get(f"/public/files/recap/{name}", headers={"If-None-Match": f'"{digest}"'})
        assert (again.status_code, again.content) == (304, b"")
        head = await stranger.head(f"/public/files/recap/{name}")
        assert head.headers["content-length"] == answer.headers["content-length"]


async def test_each_speech_is_a_line_with_its_original_words(stranger, meetings, files):
    meeting = meetings[0]
    text = (await stranger.get(f"/public/files/recap/session-{meeting.session}-speeches.jsonl")).text
    spoken = {(line["issue_id"], line["order"]): line for line in lines_of(text)}
    for speech in meeting.spoken:
        line = spoken[meeting.issue_id, speech.order]
        assert line["text"] == speech.text
        assert line["speaker"] == speech.speaker
        assert list(line) == COLUMNS["speeches"]
        assert (await stranger.get(line["url"])).status_code == 302
    table = (await stranger.get(f"/public/files/recap/session-{meeting.session}-speeches.csv")).content
    rows = list(csv.DictReader(io.StringIO(table.decode("utf-8-sig"), newline="")))
    assert len(rows) == len(spoken)
    assert {row["text"] for row in rows} == {line["text"] for line in spoken.values()}


async def test_articles_are_whole_without_what_editors_keep(stranger, installation, meetings, files):
    text = (await stranger.get(f"/public/files/recap/session-{meetings[0].session}-articles.jsonl")).text
    line = next(line for line in lines_of(text) if line["id"] == meetings[0].issue_id)
    article = await open_article(installation, meetings[0].issue_id)
    assert line["title"] == article.recap.title
    assert len(line["recap"]["key_points"]) == len(article.recap.key_points)
    assert line["recap"]["provenance"]["left_out"] == []
    assert line["decisions"] == len(article.recap.facts.decisions)


async def test_an_unchanged_session_isnt_made_again(installation, files, monkeypatch):
    stored = []
    put = type(installation.objects).put
    monkeypatch.setattr(
        type(installation.objects),
        "put",
        lambda self, key, *rest, **named: stored.append(key) or put(self, key, *rest, **named),
    )
    assert await make_bulk_files(installation, report=quiet) == 0
    assert stored == []


async def test_a_changed_session_replaces_its_files_and_a_lost_one_loses_them(installation, meetings, files):
    async with installation.database.unit() as unit:
        await unit.execute(
            "UPDATE recap_articles SET changed_at = now() WHERE id = %(id)s", {"id": meetings[0].issue_id}
        )
    before = {listed.key async for listed in installation.objects.iterate("recap/bulk")}
    assert await make_bulk_files(installation, report=quiet) == 1
    assert {listed.key async for listed in installation.objects.iterate("recap/bulk")} == before
    async with installation.database.unit() as unit:
        await unit.execute(
            "INSERT INTO recap_bulk_sessions VALUES (1, 'x', 0, 0, 0, 0, 0, '{}', now());"
            "INSERT INTO recap_bulk_files VALUES ('session-1-x.csv', 1, 'x', 'recap/bulk/gone', 0, 0, 'x', now())"
        )
    await installation.objects.put("recap/bulk/gone", b"x")
    await make_bulk_files(installation, report=quiet)
    assert {listed.key async for listed in installation.objects.iterate("recap/bulk")} == before


async def test_the_data_page_lists_them(stranger, meetings, files):
    page = (await stranger.get("/public/en/recap/data")).text
    for name in files:
        assert f'href="/public/files/recap/{name}"' in page
    assert "SHA256SUMS" in page
    assert "1 June 2026" in page
    assert re.search(r"\d KB", page)
    assert (await stranger.get(f"{API}/files")).json()["items"][0]["sha256"]


async def test_nothing_else_can_be_downloaded(stranger, files):
    for name in ("nothing.csv", "..%2f..%2frecords", "session-1-x.csv", "%2e%2e"):
        answer = await stranger.get(f"/public/files/recap/{name}")
        assert answer.status_code == 404
        assert answer.headers["content-type"] in ("application/problem+json", "text/html; charset=utf-8")


async def test_the_method_page_states_its_own_figures(installation, stranger, meetings, files):
    recaps = [(await open_article(installation, meeting.issue_id)).recap for meeting in meetings]
    decisions = [decision for recap in recaps for decision in recap.facts.decisions]
    page = (await stranger.get("/public/en/recap/method")).text
    figures = dict(re.findall(r"<dt>([^<]+)</dt>\s*<dd>\s*([\d,]+)\s*</dd>", page))
    assert figures["Articles"] == str(len(meetings))
    assert figures["Speeches"] == str(sum(len(meeting.spoken) for meeting in meetings))
    assert figures["Decisions with their subject"] == str(sum(bool(decision.subject) for decision in decisions))
    assert "Error reports that wait for an editor" in figures
    article = (await stranger.get(f"/public/ja/recap/articles/{quote(meetings[0].issue_id)}")).text
    assert 'href="/public/ja/recap/method"' in article.partition("public-foot")[2]
    assert article.count('href="/public/ja/recap/method"') > 1


async def test_articles_are_listed_and_filtered_as_json(stranger, meetings):
    answer = await stranger.get(f"{API}/articles?limit=1")
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["cache-control"].startswith("public")
    body = answer.json()
    assert len(body["items"]) == 1
    following = re.fullmatch(r'<([^>]+)>; rel="next"', answer.headers["link"])[1]
    ids = {body["items"][0]["id"], (await stranger.get(following)).json()["items"][0]["id"]}
    assert ids == {meeting.issue_id for meeting in meetings}
    again = await stranger.get(f"{API}/articles?limit=1", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    house = (await stranger.get(f"{API}/articles", params={"house": "参議院"})).json()["items"]
    assert {item["name_of_house"] for item in house} == {"参議院"}
    word = re.findall(r"[一-龥]{4}", meetings[0].speeches[1].text.partition("\u3000")[2])[0]
    hits = (await stranger.get(f"{API}/articles", params={"q": word})).json()["items"]
    assert word in next(item["snippet"] for item in hits if item["id"] == meetings[0].issue_id)


async def test_an_article_is_whole_and_its_speeches_are_lines(stranger, meetings):
    path = f"{API}/articles/{quote(meetings[0].issue_id)}"
    answer = await stranger.get(path)
    body = answer.json()
    assert [line["order"] for line in body["minutes"]] == [speech.order for speech in meetings[0].spoken]
    assert body["recap"]["summary"]
    assert (await stranger.get(path, headers={"If-None-Match": answer.headers["etag"]})).status_code == 304
    speeches = lines_of((await stranger.get(f"{path}/speeches.jsonl")).text)
    assert speeches == body["minutes"]
    assert (await stranger.get(f"{path}/speeches/{speeches[0]['order']}")).json() == speeches[0]
    assert (await stranger.get(f"{path}/speeches/99999")).status_code == 404
    whole = lines_of((await stranger.get(f"{API}/articles.jsonl")).text)
    assert {line["id"] for line in whole} == {meeting.issue_id for meeting in meetings}


async def test_speeches_are_found_by_their_words_and_speakers(stranger, meetings):
    speech = max(meetings[0].spoken, key=lambda each: len(each.text))
    word = re.findall(r"[一-龥]{4}", speech.text.partition("\u3000")[2])[0]
    answer = await stranger.get(f"{API}/speeches", params={"q": word, "person": speech.speaker})
    hits = {(item["article_id"], item["order"]): item for item in answer.json()["items"]}
    hit = hits[meetings[0].issue_id, speech.order]
    assert hit["speaker"] == speech.speaker
    assert word in hit["snippet"]
    assert hit["url"].endswith(f"/ja/recap/articles/{meetings[0].issue_id}/speeches/{speech.order}")
    page = await stranger.get(f"{API}/speeches?limit=1")
    assert len(page.json()["items"]) == 1
    assert 'rel="next"' in page.headers["link"]


async def test_people_and_bills_are_read_as_json(stranger, installation, meetings):
    article = await open_article(installation, meetings[0].issue_id)
    name = article.recap.participants[0].name
    people = (await stranger.get(f"{API}/people", params={"q": name})).json()["items"]
    assert name in {row["name"] for row in people}
    person = (await stranger.get(f"{API}/people/{quote(name)}")).json()
    assert meetings[0].issue_id in {row["id"] for row in person["articles"]}
    bills = (await stranger.get(f"{API}/bills")).json()["items"]
    bill = (await stranger.get(f"{API}/bills/{quote(bills[0]['key'], safe='')}")).json()
    assert bill["title"] == bills[0]["title"]
    assert bill["entries"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/articles/nothing", 404),
        ("/articles?from=yesterday", 400),
        ("/nothing", 404),
        ("/tasks", 404),
        ("/reports", 404),
    ],
)
async def test_programs_are_told_in_json_what_is_wrong(stranger, path, status):
    answer = await stranger.get(f"{API}{path}")
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.json()["status"] == status
    assert (await stranger.post(f"{API}{path}")).status_code == 405
