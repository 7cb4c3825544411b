"""Anybody reports an error without an account; robots, floods and markup get nowhere, editors see where it is from."""

import re
from urllib.parse import quote

import pytest

from almanac.accounts.permissions import Role
from almanac.desks.recap.service.reports import list_reports

THANKS = "/public/en/recap/reported"


@pytest.fixture
def form(meetings):
    return f"/public/en/recap/articles/{quote(meetings[0].issue_id)}/report"


async def reports_with(installation, words):
    reports = (await list_reports(installation, "open", limit=100)).items
    return [report for report in reports if words in report.text]


async def test_an_article_and_each_speech_lead_to_the_form(stranger, meetings, form):
    page = (await stranger.get(form.removesuffix("/report"))).text
    assert f'href="{form}"' in page
    assert f'href="{form}?order=1"' in page
    about = (await stranger.get(f"{form}?order=1")).text
    assert 'name="order" value="1"' in about
    assert "<script" not in about


async def test_a_report_lands_in_the_list_marked_as_from_the_public(installation, stranger, signed_in, meetings, form):
    words = "The count of <b>this</b> vote is https://spam.example wrong"
    sent = await stranger.post(form, data={"text": words, "order": "1"})
    assert (sent.status_code, sent.headers["location"]) == (303, THANKS)
    assert "set-cookie" not in sent.headers
    (report,) = await reports_with(installation, words)
    assert (report.from_public, report.by, report.order) == (True, "", 1)
    assert report.article_id == meetings[0].issue_id
    editor = await signed_in(Role.ADMIN)
    page = (await editor.get("/recap/reports")).text
    assert "From the public side" in page
    assert "&lt;b&gt;this&lt;/b&gt;" in page
    assert 'href="https://spam.example' not in page
    assert (await stranger.get(THANKS)).status_code == 200


async def test_the_same_report_twice_is_one(installation, stranger, form):
    for _ in range(3):
        assert (await stranger.post(form, data={"text": "Sent three times over"})).status_code == 303
    assert len(await reports_with(installation, "Sent three times over")) == 1


async def test_wrong_texts_are_shown_again(stranger, form):
    for text in ("", "x", "long " * 500):
        answer = await stranger.post(form, data={"text": text, "order": "1"})
        assert answer.status_code == 422
        assert 'class="error-summary"' in answer.text
        assert 'name="order" value="1"' in answer.text
        assert answer.headers["cache-control"] == "no-store"
    missing = await stranger.post(form, data={"text": "There is no such speech", "order": "99999"})
    assert missing.status_code == 422


async def test_robots_are_thanked_and_ignored(installation, stranger, form):
    page = (await stranger.get(form)).text
    trap = re.search(r'<input type="text" name="(\w+)"', page)[1]
    answer = await stranger.post(form, data={"text": "Buy cheap things here", trap: "https://spam.example"})
    assert answer.headers["location"] == THANKS
    assert await reports_with(installation, "Buy cheap") == []


async def test_an_article_that_isnt_there_has_no_form(stranger):
    assert (await stranger.get("/public/en/recap/articles/nothing/report")).status_code == 404
    answer = await stranger.post("/public/en/recap/articles/nothing/report", data={"text": "What is wrong here"})
    assert answer.status_code == 404


async def test_one_address_sends_a_few_an_hour(browse, installation, form):
    flood = browse(headers={"Accept": "text/html"})
    statuses = [(await flood.post(form, data={"text": f"Report number {number}"})).status_code for number in range(12)]
    assert statuses.count(303) <= 6
    assert statuses[-1] == 429
