"""The whole of set-up in a browser: from the first link to what works, with a test message that is really sent."""

import asyncio
import re

import pytest
from aiosmtpd.smtp import SMTP
from playwright.async_api import expect

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role


class Inbox:
    """A mail server that keeps what it gets."""

    def __init__(self) -> None:
        self.port = 0
        self.messages: list[str] = []

    async def handle_DATA(self, _server, _session, envelope) -> str:  # noqa: N802 - aiosmtpd's name
        self.messages.append(envelope.original_content.decode())
        return "250 taken"


@pytest.fixture
async def inbox():
    box = Inbox()
    server = await asyncio.get_running_loop().create_server(lambda: SMTP(box, hostname="localhost"), "127.0.0.1", 0)
    box.port = server.sockets[0].getsockname()[1]
    yield box
    server.close()
    await server.wait_closed()


@pytest.fixture
async def first_link(site):
    """The link of somebody who has only the address that every installation starts with."""
    service = site.services.accounts
    user = await accounts.create_user(
        service, CONSOLE, email=accounts.FIRST_ADMIN_EMAIL, name=accounts.FIRST_ADMIN_NAME, role=Role.ADMIN
    )
    return await accounts.issue_sign_in_link(service, CONSOLE, user.id)


async def test_the_first_administrator_sets_everything_up(site, browse, inbox, first_link):
    page = await browse(timezone_id="Africa/Nairobi")
    go_on = page.get_by_role("button", name="Save and go on")
    await page.goto(first_link.path)
    await page.get_by_role("button", name=re.compile("^Sign in")).click()
    await expect(page.get_by_role("heading", name="What is your organisation called?")).to_be_visible()
    await page.get_by_label("Name", exact=True).fill("Museum of Tides")
    await go_on.click()
    await page.get_by_label("Your name").fill("Ada Lovelace")
    await page.get_by_label("Your e-mail address").fill("ada@example.org")
    await page.get_by_label("Password", exact=True).fill("violet tramway under snow")
    await go_on.click()
    await expect(page.get_by_label("Time zone", exact=True)).to_have_value("Nairobi, Kenya")
    await go_on.click()
    await expect(page.get_by_label("Web address")).to_have_value(site.address)
    await go_on.click()
    await expect(page.get_by_label("Mail server", exact=True)).to_be_hidden()
    await page.get_by_text("SMTP: the mail server").click()
    await page.get_by_label("Mail server", exact=True).fill("localhost")
    await page.get_by_label("Port", exact=True).fill(str(inbox.port))
    await page.get_by_label("Protection", exact=True).select_option("none")
    await page.get_by_label("Sender", exact=True).fill("desk@example.org")
    await page.get_by_text("This server is on our own network").click()
    await page.get_by_role("button", name="Send a test message").click()
    await expect(page.get_by_text("Have you seen the test message?")).to_be_visible()
    await page.get_by_label("Code", exact=True).fill(re.search(r"(\d{3} \d{3})", inbox.messages[-1])[1])
    await page.get_by_role("button", name="Confirm").click()
    await expect(page.get_by_role("heading", name="Does a model write?")).to_be_visible()
    await go_on.click()
    await expect(page.get_by_role("heading", name="Which desks do you need?")).to_be_visible()
    await go_on.click()
    await page.get_by_role("button", name="Skip this for now").click()
    await expect(page.get_by_text("Mail leaves", exact=True)).to_be_visible()
    await expect(page.get_by_text("No model writes", exact=True)).to_be_visible()
