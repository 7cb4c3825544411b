"""Passkeys and authenticator apps as a person uses them, with Chromium's own authenticator behind the browser."""

import re
from base64 import b32decode
from urllib.parse import urlsplit

import pytest
from playwright.async_api import expect

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.accounts.second_factors import STEP_SECONDS, totp_code
from almanac.kit.ids import new_id

PASSWORD = "violet tramway under snow"


@pytest.fixture
def home(site):
    """The application by this machine's name: browsers allow no passkeys on numeric addresses."""
    return f"http://localhost:{urlsplit(site.address).port}"


@pytest.fixture
async def ada(site):
    return await accounts.create_user(
        site.services.accounts,
        CONSOLE,
        email=f"{new_id()}@example.org",
        name="Ada Lovelace",
        role=Role.EDITOR,
        password=PASSWORD,
    )


async def plug_in_authenticator(page):
    """What a phone or a fingerprint reader is to a browser, by Chromium's protocol for developers."""
    session = await page.context.new_cdp_session(page)
    await session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    await session.send("WebAuthn.addVirtualAuthenticator", {"options": options})


async def give_password(page, home, user):
    await page.goto(f"{home}/sign-in")
    await page.get_by_label("E-mail address").fill(user.email)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in", exact=True).click()


async def sign_out(page):
    await page.get_by_role("button", name="Ada Lovelace").click()
    await page.get_by_role("button", name="Sign out").click()
    await expect(page.get_by_text("You are signed out.")).to_be_visible()


def code_now(site, key):
    now = site.services.clock.now().timestamp()
    return totp_code(b32decode(key.replace(" ", "")), int(now) // STEP_SECONDS)


async def test_a_passkey_is_added_signs_in_alone_and_is_the_second_step(site, browse, home, ada, look_around):
    page = await browse()
    await plug_in_authenticator(page)
    await give_password(page, home, ada)
    await page.goto(f"{home}/account/two-step")
    await look_around(page, "two-step-off")
    await page.get_by_label("Name of the new passkey").fill("Work laptop")
    await page.get_by_role("button", name="Add a passkey").click()
    await expect(page.get_by_text("The passkey is added")).to_be_visible()
    await expect(page.get_by_text("Work laptop", exact=True)).to_be_visible()
    await sign_out(page)
    await look_around(page, "sign-in-with-passkey")
    await page.get_by_role("button", name="Sign in with a passkey").click()
    await expect(page).to_have_url(re.compile(r"localhost:\d+/$"))
    await page.goto(f"{home}/account/two-step")
    await page.get_by_role("button", name="Use my passkeys").click()
    await expect(page.get_by_text("Keep these recovery codes")).to_be_visible()
    await look_around(page, "recovery-codes")
    await sign_out(page)
    await give_password(page, home, ada)
    await expect(page.get_by_role("heading", level=1)).to_have_text("Second step")
    await look_around(page, "second-step")
    await page.get_by_role("button", name="Use your passkey").click()
    await expect(page).to_have_url(re.compile(r"localhost:\d+/$"))
    await page.goto(f"{home}/account/sessions")
    await look_around(page, "sessions")


async def test_an_app_is_scanned_and_its_code_signs_in(site, browse, home, ada, look_around):
    page = await browse()
    await give_password(page, home, ada)
    await page.goto(f"{home}/account/two-step")
    await page.get_by_role("button", name="Use an authenticator app").click()
    await expect(page.get_by_role("img", name=re.compile("QR code"))).to_be_visible()
    await look_around(page, "authenticator-app")
    await page.get_by_text("Can't scan it?").click()
    key = await page.locator("details code").inner_text()
    await page.get_by_label("Code", exact=True).fill(code_now(site, key))
    await page.get_by_role("button", name="Confirm").click()
    await expect(page.get_by_text("Keep these recovery codes")).to_be_visible()
    [recovery, *_] = (await page.locator(".notice code").inner_text()).split()
    await look_around(page, "two-step-on")
    await sign_out(page)
    await give_password(page, home, ada)
    await page.get_by_label("Code from your app").fill(recovery)
    await page.get_by_role("button", name="Sign in", exact=True).click()
    await expect(page).to_have_url(re.compile(r"localhost:\d+/$"))


async def test_a_numeric_address_says_where_passkeys_work(site, browse, home, ada, look_around):
    page = await browse()
    await give_password(page, site.address, ada)
    await page.goto(f"{site.address}/account/two-step")
    await expect(page.get_by_text("Passkeys don't work at this address")).to_be_visible()
    await expect(page.get_by_role("link", name=home)).to_be_visible()
    await look_around(page, "two-step-numeric")


async def test_the_confirmation_address_and_person_pages_are_in_order(site, enter, ada, look_around):
    page = await enter(Role.ADMIN)
    for name, path in {
        "confirm": "/account/confirm",
        "email": "/account/email",
        "person-sign-in": f"/people/{ada.id}/sign-in",
    }.items():
        await page.goto(path)
        await look_around(page, name)
    link = await accounts.issue_sign_in_link(site.services.accounts, CONSOLE, ada.id)
    await page.goto(link.path)
    await look_around(page, "one-time-link")
    await page.get_by_role("button", name="Sign in").click()
    await page.goto("/account")
    await expect(page.locator("dd").get_by_text(ada.email)).to_be_visible()
