"""Sign-in with a password, a link or single sign-on, and the cookies it sets."""

import re
from dataclasses import replace

import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role

PASSWORD = "violet tramway under snow"


@pytest.fixture
async def ada(person):
    return await person(Role.EDITOR, email="ada@example.org", password=PASSWORD)


async def sign_in(visitor, **fields):
    return await visitor.http.post("/sign-in", data={"email": "ada@example.org", "password": PASSWORD, **fields})


async def test_the_right_password_leads_to_the_page_that_was_wanted(nobody, ada):
    asked = await nobody.get("/jobs?status=failed")
    assert asked.status_code == 303
    assert asked.headers["location"] == "/sign-in?next=/jobs%3Fstatus%3Dfailed"
    form = await nobody.get(asked.headers["location"])
    assert 'name="next" value="/jobs?status=failed"' in form.text
    answer = await sign_in(nobody, next="/jobs?status=failed")
    assert (answer.status_code, answer.headers["location"]) == (303, "/jobs?status=failed")
    assert (await nobody.get("/jobs")).status_code == 200


async def test_the_session_cookie_is_kept_from_scripts_and_other_sites(nobody, ada):
    cookie = (await sign_in(nobody)).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie


async def test_a_wrong_password_is_one_sentence_beside_the_form(nobody, ada):
    answer = await sign_in(nobody, password="wrong password here")
    assert answer.status_code == 401
    assert "The e-mail address or the password is wrong." in answer.text
    assert 'value="ada@example.org"' in answer.text
    assert "wrong password here" not in answer.text


async def test_an_unknown_person_gets_the_same_answer_as_a_wrong_password(nobody, ada):
    wrong = await sign_in(nobody, password="wrong password here")
    unknown = await sign_in(nobody, email="nobody@example.org")
    assert unknown.status_code == wrong.status_code
    assert "The e-mail address or the password is wrong." in unknown.text


async def test_many_wrong_passwords_are_slowed_down(nobody, ada):
    for _ in range(20):
        answer = await sign_in(nobody, password="wrong password here")
        if answer.status_code != 401:
            break
    assert answer.status_code == 429
    assert "try again in" in answer.text


@pytest.mark.parametrize("elsewhere", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:x"])
async def test_signing_in_never_leads_to_another_site(nobody, ada, elsewhere):
    assert (await sign_in(nobody, next=elsewhere)).headers["location"] == "/"


async def test_a_sign_in_form_of_another_site_is_refused(nobody, ada):
    answer = await nobody.http.post(
        "/sign-in", data={"email": "ada@example.org", "password": PASSWORD}, headers={"Origin": "https://evil.example"}
    )
    assert answer.status_code == 403
    assert "came from another site" in answer.text


async def test_a_sign_in_link_works_once(services, nobody, visit, ada):
    link = await accounts.issue_sign_in_link(services.accounts, CONSOLE, ada.id)
    assert (await nobody.http.post(link.path)).status_code == 303
    assert (await nobody.get("/")).status_code == 200
    second = await visit().post(link.path)
    assert second.status_code == 410
    assert "was used or has expired" in second.text


async def test_an_expired_link_says_what_to_do(services, nobody, clock, ada):
    link = await accounts.issue_sign_in_link(services.accounts, CONSOLE, ada.id)
    clock.advance(days=2)
    answer = await nobody.get(link.path)
    assert answer.status_code == 410
    assert "ask for a new one" in answer.text


@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_only_the_button_uses_a_sign_in_link_up(services, nobody, ada, method):
    link = await accounts.issue_sign_in_link(services.accounts, CONSOLE, ada.id)
    for _ in range(3):
        looked = await nobody.http.request(method, link.path)
        assert "set-cookie" not in looked.headers
    assert (await nobody.get("/")).status_code == 303
    page = await nobody.get(link.path)
    assert f'method="post" action="{link.path}"' in page.text
    assert (await nobody.http.post(link.path)).headers["location"] == "/"
    assert (await nobody.get("/")).status_code == 200


async def test_a_sign_in_link_posted_by_another_site_signs_nobody_in(services, nobody, ada):
    link = await accounts.issue_sign_in_link(services.accounts, CONSOLE, ada.id)
    answer = await nobody.http.post(link.path, headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403
    assert (await nobody.http.post(link.path)).status_code == 303


async def test_a_forgotten_password_is_replaced_by_mail(services, nobody, ada):
    answer = await nobody.http.post("/sign-in/forgotten", data={"email": "ada@example.org"})
    assert "If there is an account for this address" in answer.text
    mail = await services.mailbox.get((await services.mailbox.list()).items[0].id)
    path = re.search(r"/link/\S+", mail.content.text)[0]
    weak = await nobody.http.post(path, data={"password": "short"})
    assert weak.status_code == 422
    assert "Use at least 10 characters" in weak.text
    assert (await nobody.http.post(path, data={"password": "another good long one"})).status_code == 303
    assert (await nobody.get("/")).status_code == 200


async def test_asking_for_a_link_tells_nothing_about_who_has_an_account(services, nobody, ada):
    answer = await nobody.http.post("/sign-in/forgotten", data={"email": "stranger@example.org"})
    assert "If there is an account for this address" in answer.text
    assert not (await services.mailbox.list()).items


async def test_signing_out_ends_the_session(signed_in):
    visitor = await signed_in()
    answer = await visitor.post("/sign-out")
    assert "You are signed out." in answer.text
    assert str((await visitor.get("/")).url).endswith("/sign-in")


async def test_there_is_no_single_sign_on_button_unless_it_is_set_up(nobody):
    assert "single sign-on" not in (await nobody.get("/sign-in")).text
    assert (await nobody.get("/sign-in/single")).status_code == 404


class TestSingleSignOn:
    @pytest.fixture
    def settings(self, settings):
        return replace(
            settings, oidc_issuer="http://127.0.0.1:1", oidc_client_id="almanac", oidc_client_secret="a secret"
        )

    async def test_the_form_offers_it_where_it_is_set_up(self, nobody):
        assert 'href="/sign-in/single?next=/jobs"' in (await nobody.get("/sign-in?next=/jobs")).text

    async def test_a_service_that_does_not_answer_is_told_plainly(self, nobody):
        answer = await nobody.get("/sign-in/single")
        assert answer.status_code == 503
        assert "Not available right now" in answer.text

    async def test_coming_back_without_having_left_is_refused(self, nobody):
        answer = await nobody.get("/sign-in/single/return?code=x&state=y")
        assert answer.status_code in (303, 401)

    async def test_a_refusal_at_the_service_leads_back_to_the_form(self, nobody):
        answer = await nobody.get("/sign-in/single/return?error=access_denied")
        assert answer.status_code == 401
        assert "sign you in; try again" in answer.text
