"""Guided set-up: every step is answered, skipped, resumed and changed; only administrators get there."""

import re
import stat

import pytest

from almanac.accounts import service as accounts
from almanac.accounts.passwords import SHORTEST
from almanac.accounts.permissions import Role
from almanac.config import load_settings
from almanac.demo import Demo
from almanac.desks import DESKS
from almanac.setup import STEPS

from .conftest import Visitor

PASSWORD = "violet tramway under snow"
YOU = {"name": "Ada Lovelace", "email": "ada@example.org", "password": PASSWORD}


@pytest.fixture
async def first_visit(services, visit, monkeypatch):
    """The browser of whoever opened the link that the first start printed."""
    for name in ("ALMANAC_MAIL_URL", "ALMANAC_ORGANISATION"):
        monkeypatch.delenv(name, raising=False)
    link = await accounts.first_run_link(services.accounts)
    browser = Visitor(visit(headers={"Accept": "text/html"}, follow_redirects=True))
    arrived = await browser.http.post(link.path)
    assert arrived.url.path == "/setup/organisation"
    return browser


def chosen(services):
    return load_settings({"ALMANAC_DATA": str(services.settings.data)}, services.settings.data)


async def test_the_first_link_leads_through_every_step_to_the_truth(first_visit, services):
    answer = await first_visit.post("/setup/organisation", {"organisation": "Museum of Tides"})
    assert answer.url.path == "/setup/you"
    answer = await first_visit.post("/setup/you", YOU)
    assert answer.url.path == "/setup/time-zone"
    assert "data-guess-zone" in answer.text
    answer = await first_visit.post("/setup/time-zone", {"time_zone": "Asia/Tokyo"})
    assert answer.url.path == "/setup/address"
    assert 'value="http://testserver"' in answer.text
    answer = await first_visit.post("/setup/address", {"base_url": "http://testserver"})
    assert answer.url.path == "/setup/mail"
    answer = await first_visit.post("/setup/mail", {"kind": "none"})
    assert answer.url.path == "/setup/model"
    answer = await first_visit.post("/setup/model", {"provider": "none"})
    assert answer.url.path == "/setup/desks"
    answer = await first_visit.post("/setup/desks", {"desks": ["news", "habits"]})
    assert answer.url.path == "/setup/content"
    answer = await first_visit.post("/setup/content", {"content": "keep"})
    assert answer.url.path == "/setup/end"
    for words in ("Mail isn&#39;t set up", "No model writes", "Links lead to your address", "Database"):
        assert words in answer.text
    settings = chosen(services)
    assert (settings.organisation, settings.time_zone) == ("Museum of Tides", "Asia/Tokyo")
    assert settings.enabled_desks == ("news", "habits")
    assert stat.S_IMODE((services.settings.data / "settings.toml").stat().st_mode) == 0o600
    assert "Set-up:" not in (await first_visit.get("/")).text


async def test_the_first_administrator_comes_back_with_own_address_and_password(first_visit, nobody):
    await first_visit.post("/setup/you", YOU)
    answer = await nobody.http.post("/sign-in", data={"email": "ada@example.org", "password": PASSWORD})
    assert answer.status_code == 303
    assert answer.headers["location"] == "/"


async def test_what_is_wrong_is_said_beside_its_field_and_nothing_is_kept(first_visit, services):
    answer = await first_visit.post("/setup/you", {"name": "Ada", "email": "ada@localhost", "password": ""})
    assert answer.status_code == 422
    assert "Choose a password" in answer.text
    assert "Enter an address where you get mail" in answer.text
    answer = await first_visit.post("/setup/time-zone", {"time_zone": "Mars/Olympus"})
    assert "This must be a time zone" in answer.text
    answer = await first_visit.post("/setup/organisation", {"organisation": "x" * 81})
    assert "This must be one line of at most 80 characters" in answer.text
    answer = await first_visit.post("/setup/mail", {"kind": "smtp", "port": "x", "sender": "nobody"})
    for words in ("Enter the name of the mail server", "Enter a port", "Enter an address such as post@example.org"):
        assert words in answer.text
    assert not (services.settings.data / "settings.toml").exists()


async def test_another_address_needs_a_second_look(first_visit, services):
    answer = await first_visit.post("/setup/address", {"base_url": "https://almanac.example.org/"})
    assert "You are here under another address." in answer.text
    await first_visit.post("/setup/address", {"base_url": "https://almanac.example.org/", "sure": "true"})
    assert chosen(services).base_url == "https://almanac.example.org"


@pytest.mark.parametrize("address", ["http://127.0.0.1:8000", "http://localhost:8000", "http://[::1]:8000"])
async def test_an_address_of_this_machine_alone_is_called_so_though_it_was_saved(first_visit, services, address):
    await first_visit.post("/setup/address", {"base_url": address, "sure": "true"})
    assert chosen(services).base_url == address
    page = (await first_visit.get("/setup/end")).text
    assert "Links lead to this machine only" in page
    assert f"begin with {address}" in page
    assert "Links lead to your address" not in page


async def test_a_sign_in_link_says_in_plain_words_when_it_ends(services, nobody):
    link = await accounts.first_run_link(services.accounts)
    words = re.sub(r"<[^>]+>", "", (await nobody.http.get(link.path)).text)
    assert re.search(r"It stops working in \d+ (hour|day)s?\.", words)


async def test_one_figure_for_the_length_of_a_password_everywhere(first_visit):
    words = f"At least {SHORTEST} characters"
    assert words in (await first_visit.get("/setup/you")).text
    await first_visit.post("/setup/you", YOU)
    assert words in (await first_visit.get("/account/password")).text


async def test_the_machine_s_time_zone_is_offered_while_nobody_has_chosen(first_visit, monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Kuching")
    page = (await first_visit.get("/setup/time-zone")).text
    assert re.search(r'<input type="text" value="Kuching, Malaysia"', page)
    await first_visit.post("/setup/time-zone", {"time_zone": "Asia/Tokyo"})
    assert re.search(r'<input type="text" value="Tokyo, Japan"', (await first_visit.get("/setup/time-zone")).text)


async def test_a_phone_gets_back_and_skip_beside_the_number_of_the_step(first_visit):
    page = (await first_visit.get("/setup/time-zone")).text
    assert "Step 3 of 8" in page
    bar = page.partition('class="setup-bar"')[2].partition("</div>")[0]
    assert 'href="/setup/you"' in bar
    assert 'form="skip"' in bar


async def test_each_step_can_be_skipped_and_resumed_later(first_visit):
    for step in STEPS:
        answer = await first_visit.post(f"/setup/{step.name}/skip")
    assert answer.url.path == "/setup/end"
    await first_visit.post("/setup/organisation", {"organisation": "Later"})
    assert "Later" in (await first_visit.get("/organisation")).text
    assert (await first_visit.post("/setup/nowhere/skip")).status_code == 404


async def test_home_says_how_far_it_is_until_it_is_put_away(first_visit):
    await first_visit.post("/setup/organisation", {"organisation": "Museum of Tides"})
    home = (await first_visit.get("/")).text
    assert f"Set-up: 1 of {len(STEPS)} done" in home
    assert "Next: You." in home
    assert (await first_visit.get("/setup")).url.path == "/setup/you"
    await first_visit.post("/setup/dismiss")
    assert "Set-up:" not in (await first_visit.get("/")).text


async def test_what_the_environment_sets_is_shown_as_fixed(admin, monkeypatch, services):
    monkeypatch.setenv("ALMANAC_TIME_ZONE", "UTC")
    page = (await admin.get("/setup/time-zone")).text
    assert "ALMANAC_TIME_ZONE" in page
    assert 'name="time_zone"' not in page
    assert "Set in the environment" in (await admin.get("/organisation")).text
    answer = await admin.post("/setup/time-zone", {"time_zone": "Asia/Tokyo"})
    assert answer.status_code == 422
    assert not (services.settings.data / "settings.toml").exists()


@pytest.mark.parametrize("role", [Role.MEMBER, Role.EDITOR, Role.APPROVER])
async def test_only_administrators_set_up(signed_in, nobody, role):
    somebody = await signed_in(role)
    for path in ("/setup", "/setup/mail", "/setup/end", "/organisation"):
        assert (await somebody.get(path)).status_code == 403
        assert (await nobody.get(path)).status_code in (303, 401)
    assert (await somebody.post("/setup/organisation", {"organisation": "Mine"})).status_code == 403
    assert "Set-up:" not in (await somebody.get("/")).text


async def test_demo_content_that_is_being_loaded_can_t_be_removed_yet(first_visit, services):
    demo = Demo({desk.name: desk.demo for desk in DESKS if desk.demo is not None})
    answer = await first_visit.post("/setup/content", {"content": "demo"})
    assert await demo.is_loading(services)
    answer = await first_visit.post("/setup/content", {"content": "empty"})
    assert "The demo content is being loaded" in answer.text
    page = (await first_visit.get("/setup/content")).text
    assert "is being loaded at this moment" in page
