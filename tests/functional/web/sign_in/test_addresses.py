"""An e-mail address is changed by its person, from the new address, or by an administrator."""

import re
from dataclasses import replace

import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role


async def mails(services):
    page = await services.mailbox.list()
    return [await services.mailbox.get(item.id) for item in page.items[::-1]]


async def link_in(services, at=-1):
    return re.search(r"/link/\S+", (await mails(services))[at].content.text)[0]


async def test_the_new_address_holds_once_its_link_was_opened(signed_in, ada, services, visit, sign_in):
    visitor = await signed_in(user=ada)
    page = await visitor.post("/account/email", {"email": "Countess@Example.org"})
    assert "on its way to countess@example.org" in page.text
    [mail] = await mails(services)
    assert "countess@example.org" in str(mail.recipients)
    path = await link_in(services)
    assert "Use countess@example.org?" in (await visit().get(path)).text
    assert (await accounts.get_user(services.accounts, CONSOLE, ada.id)).email == "ada@example.org"
    assert "Your address is countess@example.org now." in (await visitor.http.post(path)).text
    assert (await visit().post(path)).status_code == 410
    _, answer = await sign_in(email="countess@example.org")
    assert answer.headers["location"] == "/"
    notice = (await mails(services))[-1]
    assert "address of your Almanac account was changed" in notice.content.text
    assert "ada@example.org" in str(notice.recipients)


async def test_an_address_that_was_taken_meanwhile_is_refused(signed_in, ada, person, services, visit):
    visitor = await signed_in(user=ada)
    await visitor.post("/account/email", {"email": "wanted@example.org"})
    path = await link_in(services)
    await person(Role.MEMBER, email="wanted@example.org")
    assert (await visit().post(path)).status_code == 422
    assert (await accounts.get_user(services.accounts, CONSOLE, ada.id)).email == "ada@example.org"


@pytest.mark.parametrize("email", ["ada@example.org", "no address", "", "taken@example.org"])
async def test_what_is_no_new_address_is_refused_beside_the_field(signed_in, ada, person, email):
    await person(Role.MEMBER, email="taken@example.org")
    visitor = await signed_in(user=ada)
    assert (await visitor.post("/account/email", {"email": email})).status_code == 422


async def test_an_administrator_changes_it_and_the_former_address_is_told(admin, ada, services, sign_in):
    page = await admin.post(f"/people/{ada.id}/email", {"email": "countess@example.org", "why": "married"})
    assert "signs in with countess@example.org now" in page.text
    _, answer = await sign_in(email="countess@example.org")
    assert answer.headers["location"] == "/"
    [notice] = await mails(services)
    assert "ada@example.org" in str(notice.recipients)


class TestWithoutMail:
    @pytest.fixture
    def settings(self, settings):
        return replace(settings, mail_url=None)

    async def test_the_new_address_holds_at_once(self, signed_in, ada, services):
        visitor = await signed_in(user=ada)
        assert "holds at once" in (await visitor.get("/account/email")).text
        assert "Your address is changed." in (await visitor.post("/account/email", {"email": "c@example.org"})).text
        assert (await accounts.get_user(services.accounts, CONSOLE, ada.id)).email == "c@example.org"
