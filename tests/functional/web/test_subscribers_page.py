"""An administrator counts readers who get mail, sees what is stored about an address, and erases it."""

import json

import pytest

from almanac.accounts.permissions import Role
from almanac.subscribers import FollowRequest

ADDRESS = "reader@example.org"


@pytest.fixture
def follow(services):
    async def ask(label="「rice」"):
        wish = FollowRequest(
            email=ADDRESS, desk="recap", kind="words", target=label, label=label, language="ja", frequency="daily"
        )
        await services.subscribers.ask(wish)

    return ask


async def test_what_is_stored_is_shown_taken_along_and_erased(admin, follow, services):
    await follow()
    page = (await admin.get("/subscribers")).text
    assert "1 request to confirm" in page
    assert ADDRESS not in page
    shown = await admin.post("/subscribers", {"email": "Reader@Example.org"})
    assert "「rice」" in shown.text
    taken = await admin.post("/subscribers/export", {"email": ADDRESS})
    assert json.loads(taken.text)["subscriptions"][0]["label"] == "「rice」"
    assert "attachment" in taken.headers["content-disposition"]
    erased = await admin.post("/subscribers/erase", {"email": ADDRESS, "forever": "yes"})
    assert "The address is erased." in erased.text
    assert (await admin.post("/subscribers", {"email": ADDRESS})).status_code == 422
    log = (await admin.get("/audit")).text
    assert "erased the address of a reader" in log
    assert ADDRESS not in log
    await follow("other")
    assert await services.subscribers.find(ADDRESS) is None


async def test_what_isnt_an_address_is_said_beside_the_field(admin):
    answer = await admin.post("/subscribers", {"email": "nobody"})
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.text


@pytest.mark.parametrize("role", [Role.MEMBER, Role.APPROVER, Role.EDITOR])
async def test_only_administrators_see_readers(signed_in, role):
    somebody = await signed_in(role)
    assert (await somebody.get("/subscribers")).status_code == 403
    assert (await somebody.post("/subscribers/erase", {"email": ADDRESS})).status_code == 403


async def test_texts_of_mails_are_kept_for_a_week(services, follow, clock):
    await follow()
    await services.mailer.deliver_due()
    clock.advance(days=8)
    await services.subscribers.prune()
    async with services.database.reading() as reading:
        assert await reading.value("SELECT count(*) FROM mail_messages WHERE recipients::text LIKE '%%reader%%'") == 0
