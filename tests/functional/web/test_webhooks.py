"""Webhooks over HTTP: registered by administrators, delivered by workers to a real receiver, logged and redelivered."""

import json

import pytest
from aiohttp import web

from almanac.accounts.model import CONSOLE
from almanac.approvals import ApprovalSubject, content_hash
from almanac.bootstrap import make_worker
from almanac.config import Settings
from almanac.kit.signatures import verify_body

PATH = "/api/v1/webhooks"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Loopback is refused unless somebody allows it."""
    return Settings(**{f: getattr(settings, f) for f in settings.__slots__} | {"fetch_allow": "127.0.0.0/8"})


class Receiver:
    """A program that listens and answers as it is told."""

    def __init__(self):
        self.url, self.status, self.seen = "", 204, []

    async def take(self, request):
        self.seen.append((dict(request.headers), await request.read()))
        return web.Response(status=self.status)


@pytest.fixture
async def receiver(loopback):
    receiver = Receiver()
    async with loopback(web.post("/hook", receiver.take)) as address:
        receiver.url = f"{address}/hook?key=hidden-part"
        yield receiver


async def added(api, receiver, *events):
    wish = {"url": receiver.url, "events": list(events or ["approval.asked"]), "description": "Archive"}
    answer = await api.post(PATH, json=wish)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def test_an_event_reaches_the_receiver_signed(api, receiver, services, clock):
    made = await added(api, receiver)
    async with services.database.unit() as unit:
        subject, content = ApprovalSubject("newsletter.draft", "d1"), content_hash("x")
        await services.approvals.ask(unit, subject, content, CONSOLE, title="March issue")
    await make_worker(services).drain()
    [(headers, body)] = receiver.seen
    verify_body(body, headers["Almanac-Signature"], made["secret"].encode(), now=clock.now())
    assert json.loads(body)["data"] | {"approval_id": ""} == {
        "approval_id": "",
        "kind": "newsletter.draft",
        "subject_id": "d1",
        "content_hash": content,
        "state": "waiting",
        "title": "March issue",
        "by": "console",
        "note": "",
    }


async def test_the_secret_is_shown_once(api, receiver):
    made = await added(api, receiver)
    assert made["secret"].startswith("whsec_")
    assert "secret" not in (await api.get(f"{PATH}/{made['id']}")).json()
    assert made["secret"] not in (await api.get(PATH)).text
    changed = (await api.post(f"{PATH}/{made['id']}/secret")).json()
    assert changed["secret"] != made["secret"]
    assert changed["old_secret_until"]


async def test_a_failed_ping_is_logged_and_sent_again(api, receiver, services, clock):
    made = await added(api, receiver)
    receiver.status = 410
    ping = (await api.post(f"{PATH}/{made['id']}/ping")).json()
    assert (ping["event"], ping["state"]) == ("ping", "waiting")
    await make_worker(services).drain()
    detail = (await api.get(f"{PATH}/deliveries/{ping['id']}")).json()
    assert (detail["delivery"]["state"], detail["attempts"][0]["answer"]) == ("failed", 410)
    assert detail["attempts"][0]["milliseconds"] >= 0
    endpoint = (await api.get(f"{PATH}/{made['id']}")).json()
    assert (endpoint["active"], "410" in endpoint["disabled_why"]) == (False, True)
    assert (await api.post(f"{PATH}/deliveries/{ping['id']}/redeliver")).status_code == 409
    version = f'"{endpoint["version"]}"'
    enabled = await api.patch(f"{PATH}/{made['id']}", json={"active": True}, headers={"If-Match": version})
    assert enabled.json()["active"]
    receiver.status = 200
    assert (await api.post(f"{PATH}/deliveries/{ping['id']}/redeliver")).status_code == 202
    await make_worker(services).drain()
    listed = (await api.get(f"{PATH}/{made['id']}/deliveries", params={"state": "delivered"})).json()
    assert [(item["id"], item["attempts"]) for item in listed["items"]] == [(ping["id"], 2)]


async def test_a_private_address_is_refused_beside_its_field(api):
    answer = await api.post(PATH, json={"url": "http://10.0.0.1/", "events": ["approval.asked"]})
    assert (answer.status_code, list(answer.json()["fields"])) == (422, ["url"])


async def test_the_events_to_choose_from_are_listed(api):
    events = {event["name"] for event in (await api.get(f"{PATH}/events")).json()}
    assert {"approval.asked", "approval.approved", "approval.rejected"} <= events


async def test_an_administrator_does_all_of_it_on_pages(admin, receiver, services):
    page = await admin.post(
        "/webhooks", {"url": receiver.url, "description": "Archive", "events": "approval.asked"}, page="/webhooks"
    )
    assert "Copy the secret now" in page.text
    [endpoint] = await services.webhooks.list(CONSOLE)
    here = f"/webhooks/{endpoint.id}"
    listing = await admin.get("/webhooks")
    assert "hidden-part" not in listing.text
    receiver.status = 500
    sent = await admin.post(f"{here}/ping", page=here)
    await make_worker(services).drain()
    delivery = await admin.get(str(sent.url.path))
    assert "answered 500" in delivery.text
    assert "Failing" in (await admin.get("/webhooks")).text
    assert "Endpoint disabled" in (await admin.post(f"{here}/disable", {"why": "Moving"}, page=here)).text
    assert "Moving" in (await admin.get(here)).text
    assert "Endpoint enabled" in (await admin.post(f"{here}/enable", page=here)).text
    assert "Copy the secret now" in (await admin.post(f"{here}/secret", page=here)).text
    edit = {"url": receiver.url, "description": "New words", "events": "approval.rejected", "version": "1"}
    assert (await admin.post(here, edit, page=here)).status_code == 412
    edit["version"] = str((await services.webhooks.get(CONSOLE, endpoint.id)).version)
    assert "New words" in (await admin.post(here, edit, page=here)).text
    assert "Endpoint deleted" in (await admin.post(f"{here}/delete", page=here)).text


async def test_a_wrong_form_keeps_what_was_typed(admin):
    page = await admin.post("/webhooks", {"url": "nowhere", "description": "Kept words"}, page="/webhooks")
    assert (page.status_code, "Kept words" in page.text, "Use a full address" in page.text) == (422, True, True)
