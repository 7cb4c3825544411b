"""Notifications over HTTP: the page, the API with its ETag, devices, and addresses that show no secret."""

import json
import re
from dataclasses import replace

import pytest
from aiohttp import web

from almanac.accounts.permissions import Role
from almanac.kit.signatures import verify_body
from push_receiver import PushReceiver

PAGE = "/account/notifications"
API = "/api/v1/me/notifications"


@pytest.fixture
def settings(settings):
    return replace(settings, fetch_allow="127.0.0.0/8")


@pytest.fixture
async def push(loopback):
    receiver = PushReceiver()
    async with loopback(receiver.route) as receiver.address:
        yield receiver


async def subscribe(browser, push):
    headers = {"X-CSRF-Token": await browser.csrf()}
    return await browser.http.post(f"{PAGE}/devices", json=push.as_json(), headers=headers)


async def test_a_browser_subscribes_gets_a_test_and_is_removed(signed_in, push):
    browser = await signed_in(Role.MEMBER)
    answer = await subscribe(browser, push)
    assert answer.status_code == 201
    page = (await browser.get(PAGE)).text
    assert "data-push-off" in page
    assert push.as_json()["endpoint"] not in page
    assert "on its way" in (await browser.post(f"{PAGE}/test/push")).text
    assert push.messages[0]["path"] == PAGE
    await browser.post(f"{PAGE}/devices/{answer.json()['id']}/remove")
    assert "data-push-off" not in (await browser.get(PAGE)).text


async def test_a_subscription_needs_the_csrf_token(signed_in, push):
    browser = await signed_in(Role.MEMBER)
    assert (await browser.http.post(f"{PAGE}/devices", json=push.as_json())).status_code == 403


async def test_signing_out_ends_push_to_this_browser(signed_in, push, services):
    browser = await signed_in(Role.MEMBER)
    await subscribe(browser, push)
    await browser.post("/sign-out")
    profile = await services.notifications.get_profile(browser.user.as_principal("session"))
    assert profile.devices == ()


async def test_the_form_keeps_what_was_chosen(signed_in):
    browser = await signed_in(Role.APPROVER)
    await browser.post(f"{PAGE}/addresses/ntfy", {"address": "https://ntfy.sh/topic"})
    form = {
        "version": "0",
        "choice": ["approvals.push", "approvals.mail", "sign_in.ntfy"],
        "quiet_from": "22:00",
        "quiet_to": "07:30",
        "titles": "yes",
    }
    page = (await browser.post(PAGE, form)).text
    ticked = set(re.findall(r'value="(\w+\.\w+)" checked', page))
    assert ticked == {"approvals.push", "approvals.mail", "sign_in.ntfy"}
    assert 'value="22:00"' in page
    chosen = (await browser.get(API)).json()["choices"]
    assert chosen["approvals"] == ["apprise", "mail", "push", "webhook"], "what isn't offered yet stays as it is"
    assert "apprise.approvals" not in page
    assert "mail.push" not in page, "an approver settles no mail"
    stale = await browser.post(PAGE, form)
    assert stale.status_code == 412


async def test_the_hour_of_the_morning_mail_is_shown_and_survives_the_next_save(signed_in):
    browser = await signed_in(Role.EDITOR)
    form = {"version": "0", "morning_hour": "9", "morning_day": ["1", "2"]}
    page = (await browser.post(PAGE, form)).text
    shown = re.search(r'<select[^>]*name="morning_hour".*?</select>', page, re.DOTALL)[0]
    chosen = re.findall(r'value="(\d*)" selected', shown)
    assert chosen == ["9"]
    await browser.post(PAGE, {**form, "version": "1", "morning_hour": chosen[0], "titles": "yes"})
    morning = (await browser.get(API)).json()["morning"]
    assert (morning["hour"], morning["days"]) == (9, [1, 2])


async def test_half_a_quiet_night_is_an_error_beside_the_field(signed_in):
    browser = await signed_in(Role.EDITOR)
    answer = await browser.post(PAGE, {"version": "0", "quiet_from": "22:00"})
    assert answer.status_code == 422
    assert "Use a time such as 22:00" in answer.text


async def test_the_api_reads_and_changes_with_an_etag(signed_in):
    browser = await signed_in(Role.EDITOR)
    csrf = await browser.csrf()
    before = await browser.get(API)
    assert before.json()["choices"]["approvals"] == ["apprise", "ntfy", "push", "webhook"]
    body = {"choices": {"approvals": ["mail"]}, "quiet_from": "22:00", "quiet_to": "06:00"}
    assert (await browser.http.put(API, json=body, headers={"X-CSRF-Token": csrf})).status_code == 428
    headers = {"X-CSRF-Token": csrf, "If-Match": before.headers["etag"]}
    after = await browser.http.put(API, json=body, headers=headers)
    assert after.json()["choices"]["approvals"] == ["mail"]
    assert after.json()["choices"]["failures"] == before.json()["choices"]["failures"]
    assert (await browser.http.put(API, json=body, headers=headers)).status_code == 412
    wrong = {"choices": {"approvals": ["pigeon"]}}
    assert (await browser.http.put(API, json=wrong, headers=headers)).status_code == 422


async def test_a_webhook_of_ones_own_is_signed_and_never_shown_again(signed_in, loopback, clock, services):
    taken = []

    async def take(request):
        taken.append((request.headers, await request.read()))
        return web.Response()

    browser = await signed_in(Role.EDITOR)
    async with loopback(web.post("/hook/{secret}", take)) as address:
        page = (await browser.post(f"{PAGE}/addresses/webhook", {"address": f"{address}/hook/very-secret"})).text
        secret = re.search(r"whsec_[\w-]+", page)[0]
        again = (await browser.get(PAGE)).text
        assert "very-secret" not in again
        assert secret not in again
        assert "127.0.0.1/…" in again
        assert "on its way" in (await browser.post(f"{PAGE}/test/webhook")).text
    [(headers, body)] = taken
    verify_body(body, headers["Almanac-Signature"], secret.encode(), now=clock.now())
    assert headers["Almanac-Delivery"] == json.loads(body)["id"]
    async with services.database.unit() as unit:
        rows = await unit.all("SELECT sealed, shown FROM notification_addresses")
    assert b"very-secret" not in rows[0]["sealed"]


@pytest.mark.parametrize(
    ("channel", "address"),
    [
        ("ntfy", "https://ntfy.sh/"),
        ("ntfy", "http://10.0.0.1/topic"),
        ("webhook", "http://192.168.1.1/hook"),
        ("webhook", "ftp://example.org/hook"),
        ("apprise", "syslog://"),
        ("apprise", "mailto://user:pass@example.org"),
        ("apprise", "windows://"),
        ("apprise", "https://example.org"),
    ],
)
async def test_an_address_that_leads_nowhere_or_inside_is_refused(signed_in, channel, address):
    browser = await signed_in(Role.EDITOR)
    answer = await browser.post(f"{PAGE}/addresses/{channel}", {"address": address})
    assert answer.status_code == 422


async def test_a_failed_test_says_why(signed_in, loopback):
    async def refuse(_request):
        return web.Response(status=403)

    browser = await signed_in(Role.EDITOR)
    async with loopback(web.post("/", refuse)) as address:
        await browser.post(f"{PAGE}/addresses/ntfy", {"address": f"{address}/topic"})
        assert "refuses the message (403)" in (await browser.post(f"{PAGE}/test/ntfy")).text
    assert "Failing" in (await browser.get(PAGE)).text


async def test_the_audit_log_names_the_channel_and_no_address(signed_in, api):
    browser = await signed_in(Role.EDITOR)
    await browser.post(f"{PAGE}/addresses/ntfy", {"address": "https://ntfy.sh/very-secret"})
    entries = (await api.get("/api/v1/audit?action=notifications.address_set")).json()["items"]
    assert entries[0]["detail"] == {"channel": "ntfy"}
    assert "very-secret" not in str(entries)


async def test_the_morning_mail_is_chosen_on_the_page_and_by_the_api(signed_in):
    visitor = await signed_in(Role.MEMBER)
    page = (await visitor.get("/account/notifications")).text
    assert '<option value="" selected>' in page, "it is off until it is chosen"
    form = {"version": "0", "morning_hour": "7", "morning_day": ["1", "5"], "morning_when_empty": "yes"}
    await visitor.post("/account/notifications", form)
    answer = await visitor.get("/api/v1/me/notifications")
    assert answer.json()["morning"] == {"hour": 7, "days": [1, 5], "when_empty": True}
    without_days = await visitor.post("/account/notifications", {"version": "1", "morning_hour": "7"})
    assert without_days.status_code == 422
    assert "Choose at least one day of the week." in without_days.text
    assert (await visitor.post("/account/notifications", {"version": "1", "morning_hour": "24"})).status_code == 422
