"""The sessions page: how, from where and with what somebody is signed in, and ending it."""

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE


async def test_a_session_shows_its_device_place_and_method(sign_in, ada, services, signed_in):
    http, _ = await sign_in()
    page = (await http.get("/account/sessions")).text
    assert "Password · from this machine" in page
    await http.post("/sign-out")
    visitor = await signed_in(user=ada)
    assert "One-time link · from" in (await visitor.get("/account/sessions")).text


async def test_an_administrator_sees_and_ends_a_persons_sessions(admin, ada, signed_in, services):
    visitor = await signed_in(user=ada)
    page = await admin.get(f"/people/{ada.id}/sign-in")
    assert "One-time link · from this machine" in page.text
    ended = await admin.post(f"/people/{ada.id}/sessions/end", {"why": "laptop stolen"})
    assert "Ended 1 session." in ended.text
    assert "is signed in nowhere" in ended.text
    assert visitor_is_out(await visitor.get("/account"))
    assert (await admin.get("/account")).status_code == 200


async def test_an_administrator_who_ends_their_own_keeps_this_one(admin, signed_in):
    other = await signed_in(user=admin.user)
    await admin.post(f"/people/{admin.user.id}/sessions/end")
    assert (await admin.get("/account")).url.path == "/account"
    assert visitor_is_out(await other.get("/account"))


def visitor_is_out(answer):
    return answer.url.path == "/sign-in"


async def test_the_api_lists_and_ends_sessions_and_resets_a_second_factor(
    api, ada, signed_in, add_key, security_key, services
):
    visitor = await signed_in(user=ada)
    await add_key(visitor, security_key)
    path = f"/api/v1/users/{ada.id}"
    [session] = (await api.get(f"{path}/sessions")).json()["items"]
    assert (session["method"], session["address"]) == ("link", "127.0.0.1")
    assert (await api.delete(f"{path}/sessions")).json() == {"ended": 1}
    assert visitor_is_out(await visitor.get("/account"))
    assert (await api.get(f"{path}/second-factor")).json()["passkeys"] == 1
    assert (await api.delete(f"{path}/second-factor")).status_code == 204
    assert (await accounts.get_second_factor(services.accounts, CONSOLE, ada.id)).passkeys == []
    member = await signed_in(user=ada)
    headers = {"X-CSRF-Token": await member.csrf()}
    for method in ("GET", "DELETE"):
        for part in ("sessions", "second-factor"):
            assert (await member.http.request(method, f"{path}/{part}", headers=headers)).status_code == 403
