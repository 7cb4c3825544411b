"""Somebody signed in follows a person, a bill, a body or words by a button; the mail quotes what they follow."""

import re
from urllib.parse import quote

import httpx
import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.bootstrap import make_worker
from almanac.desks import DESKS
from almanac.kit.ids import new_id
from almanac.mail.mime import read_mail
from almanac.web.app import create_app

AOKI = "青木春子:あおきはるこ"


@pytest.fixture(scope="module")
async def member(services):
    """A member's browser."""
    transport = httpx.ASGITransport(create_app(services, DESKS), raise_app_exceptions=False)
    async with httpx.AsyncClient(
        transport=transport, base_url="http://testserver", headers={"Accept": "text/html"}
    ) as browser:
        user = await accounts.create_user(
            services.accounts, CONSOLE, email=f"{new_id()}@example.org", name="Some Member", role=Role.MEMBER
        )
        link = await accounts.issue_sign_in_link(services.accounts, CONSOLE, user.id)
        await browser.post(link.path)
        browser.email = user.email
        yield browser


async def press(browser, path, words):
    """Send the form whose button has these words; returns the page after it."""
    page = (await browser.get(path)).text
    form = next(form for form in re.findall(r"<form.*?</form>", page, re.DOTALL) if f">{words}</button>" in flat(form))
    fields = dict(re.findall(r'name="([^"]+)"\s+value="([^"]*)"', form))
    action = re.search(r'action="([^"]+)"', form).group(1)
    answer = await browser.post(action, data=fields, headers={"Origin": "http://testserver"})
    assert answer.status_code == 303, answer.text
    return (await browser.get(answer.headers["location"])).text


def flat(html):
    return re.sub(r"<svg.*?</svg>|\s+(?=<)|(?<=>)\s+", "", html, flags=re.DOTALL)


@pytest.mark.parametrize(
    "path",
    [
        f"/recap/people/{quote('青木春子')}",
        f"/recap/articles?meeting={quote('文教委員会')}",
        f"/recap/articles?house={quote('衆議院')}&meeting={quote('文教委員会')}",
        f"/recap/articles?q={quote('図書館')}",
    ],
)
async def test_a_button_follows_and_stops(desk, sitting, services, member, path):
    await desk.publish(sitting(1))
    assert "Stop following" in await press(member, path, "Follow")
    listed = (await member.get("/saved")).text
    assert "Daily" in listed
    assert "Stop following" not in await press(member, path, "Stop following")


async def test_a_bill_is_followed(desk, sitting, services, member):
    await desk.publish(sitting(1))
    page = (await member.get("/recap/bills")).text
    path = re.search(r'href="(/recap/bills/[^"]+)"', page).group(1)
    assert "Stop following" in await press(member, path, "Follow")
    await press(member, path, "Stop following")


async def test_the_mail_quotes_the_person_who_is_followed(desk, sitting, services, member):
    await desk.publish(sitting(1))
    await press(member, f"/recap/people/{quote('青木春子')}", "Follow")
    (meeting,) = await desk.publish(sitting(7, day="2026-02-17"))
    services.clock.advance(days=1)
    await make_worker(services).drain()
    await services.alerts.start_due()
    await make_worker(services).drain()
    mails = [read_mail(sent.raw) for sent in services.mail_transport.sent if sent.recipients == (member.email,)]
    text = mails[-1].text
    assert "予算は三億円で足りるのでしょうか。" in text
    assert "青木春子（みらい会）" in text
    assert f"/recap/articles/{quote(meeting.issue_id)}/speeches/1" in text
    assert "五十館を整備" not in text


async def test_what_isnt_there_cant_be_followed(member):
    page = (await member.get("/recap")).text
    token = re.search(r'name="csrf_token"\s+value="([^"]+)"', page).group(1)
    answer = await member.post("/recap/follow", data={"csrf_token": token, "kind": "person", "target": "だれも"})
    assert answer.status_code == 404
