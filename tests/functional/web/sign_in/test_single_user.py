"""Single-user mode: nobody signs in at this machine, and nothing else gets easier."""

from dataclasses import replace

import httpx
import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.accounts.principals import StoredPrincipals
from almanac.errors import SettingError

HERE = "http://127.0.0.1:8000"
HTML = {"Accept": "text/html"}


@pytest.fixture
def settings(settings):
    return replace(settings, base_url=None, single_user=True)


@pytest.fixture
async def browser(app):
    """A browser at this machine, or wherever `client` says."""
    made = []

    def open_browser(client=("127.0.0.1", 5000), **headers):
        transport = httpx.ASGITransport(app, raise_app_exceptions=False, client=client)
        made.append(httpx.AsyncClient(transport=transport, base_url=HERE, headers={**HTML, **headers}))
        return made[-1]

    yield open_browser
    for http in made:
        await http.aclose()


async def test_the_first_page_opens_without_signing_in_and_the_account_says_why(browser, services):
    http = browser()
    page = await http.get("/account", follow_redirects=True)
    assert page.url.path == "/account"
    assert "Single-user mode" in page.text
    assert "Sign out" not in page.text
    me = (await http.get("/api/v1/me")).json()
    assert (me["email"], me["role"]) == ("admin@localhost", "admin")
    assert "Single-user mode · from this machine" in (await http.get("/account/sessions")).text


async def test_everything_belongs_to_the_administrator_that_is_there(browser, person):
    boss = await person(Role.ADMIN, email="boss@example.org")
    await person(Role.EDITOR, email="other@example.org")
    http = browser()
    await http.get("/sign-in", follow_redirects=True)
    assert (await http.get("/api/v1/me")).json()["id"] == boss.id


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "192.168.1.7:8000", ""]
)
async def test_a_foreign_name_that_leads_here_gets_nothing(browser, host):
    """DNS rebinding: the page of another site, whose name was pointed at this machine."""
    http = browser(Host=host)
    for path in ("/", "/sign-in", "/api/v1/me", "/healthz", "/static/none"):
        answer = await http.get(path)
        assert answer.status_code == 403, path
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1", "[::1]:8000", "LOCALHOST"])
async def test_this_machine_by_any_of_its_names_is_answered(browser, host):
    assert (await browser(Host=host).get("/sign-in")).status_code == 303


async def test_another_machine_or_a_proxy_is_asked_to_sign_in(browser):
    assert "Password" in (await browser(client=("203.0.113.7", 5000)).get("/sign-in")).text
    for name in ("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"):
        answer = await browser(**{name: "203.0.113.7"}).get("/sign-in")
        assert (answer.status_code, "set-cookie" in answer.headers) == (200, False), name


async def test_pictures_and_scripts_of_another_site_open_no_session(browser):
    answer = await browser(**{"Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Site": "cross-site"}).get("/sign-in")
    assert "set-cookie" not in answer.headers


async def test_forms_need_their_token_and_come_from_here(browser, services):
    http = browser()
    await http.get("/sign-in", follow_redirects=True)
    assert (await http.post("/account", data={"name": "Mallory"})).status_code == 403
    foreign = {"Origin": "https://evil.example"}
    assert (await http.post("/sign-in/forgotten", data={"email": "a@example.org"}, headers=foreign)).status_code == 403
    json = await http.post("/api/v1/users", json={"email": "m@example.org", "name": "M"})
    assert json.status_code == 403
    assert len((await accounts.list_users(services.accounts, CONSOLE)).items) == 1


async def test_there_is_no_signing_out_and_turning_the_mode_off_ends_its_sessions(browser, services):
    http = browser()
    page = await http.get("/account", follow_redirects=True)
    token = page.text.partition('name="csrf_token" value="')[2].partition('"')[0]
    assert (await http.post("/sign-out", data={"csrf_token": token})).status_code == 409
    session = http.cookies["almanac_session"]
    assert await services.principals.for_session(session) is not None
    assert await StoredPrincipals(replace(services.accounts, single_user=False)).for_session(session) is None


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "almanac.example.org", ""])
def test_it_refuses_to_listen_where_others_are(settings, host):
    with pytest.raises(SettingError, match="lets everybody in"):
        replace(settings, host=host).check_single_user()


def test_it_refuses_a_public_address_and_accepts_this_machine(settings):
    with pytest.raises(SettingError, match="for this machine only"):
        replace(settings, base_url="https://almanac.example.org").check_single_user()
    for host in ("127.0.0.1", "127.0.0.2", "::1", "localhost"):
        replace(settings, host=host).check_single_user()
    replace(settings, single_user=False, host="0.0.0.0").check_single_user()
