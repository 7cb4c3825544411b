"""User pages: invitations, roles, deactivation, and what people change about their own account."""

import re

from almanac.accounts.permissions import WHOLE_SCOPES, Role, scope_permissions
from almanac.web.pages.tokens import SCOPE_WORDS


async def test_an_invitation_is_followed_to_a_signed_in_person(admin, services, nobody):
    form = {"email": "grace@example.org", "name": "Grace Hopper", "role": "editor"}
    assert "Grace Hopper is invited by e-mail." in (await admin.post("/people/invite", form)).text
    mail = await services.mailbox.get((await services.mailbox.list()).items[0].id)
    path = re.search(r"/link/\S+", mail.content.text)[0]
    assert f"{admin.user.name} has made an account for you." in mail.content.text
    assert "Welcome, Grace Hopper" in (await nobody.get(path)).text
    await nobody.http.post(path, data={"password": "violet tramway under snow"})
    assert "Grace Hopper" in (await nobody.get("/")).text


async def test_a_wrong_invitation_keeps_what_was_entered(admin):
    answer = await admin.post("/people/invite", {"email": "nonsense", "name": "Grace Hopper", "role": "editor"})
    assert answer.status_code == 422
    assert "Enter an e-mail address like ada@example.org." in answer.text
    assert 'value="Grace Hopper"' in answer.text


async def test_a_deactivated_person_is_out_at_once(admin, signed_in):
    editor = await signed_in(Role.EDITOR)
    await admin.post(f"/people/{editor.user.id}/deactivate", {"why": "Left."})
    assert str((await editor.get("/")).url).endswith("/sign-in")


async def test_the_last_administrator_can_t_be_deactivated(admin):
    answer = await admin.post(f"/people/{admin.user.id}/deactivate")
    assert answer.status_code == 409
    assert re.search(r'error-summary"[^>]*>\s*<strong>This is the last active administrator', answer.text)
    assert f'action="/people/{admin.user.id}/deactivate"' in answer.text


async def test_the_last_administrator_can_t_be_demoted(admin):
    form = {"name": "Ada L.", "role": "editor", "version": str(admin.user.version), "why": "Less work"}
    answer = await admin.post(f"/people/{admin.user.id}", form)
    assert answer.status_code == 409
    assert re.search(r'id="error-role">.*This is the last active administrator', answer.text)
    assert re.search('value="Ada L."', answer.text)
    assert re.search('value="Less work"', answer.text)


async def test_whoever_never_signed_in_is_invited_not_active(admin, person, signed_in):
    new, old = await person(Role.MEMBER, email="new@example.org"), (await signed_in(Role.EDITOR)).user
    badge = re.compile(r'class="badge[^"]*"[^>]*>(?:\s*<[^>]*>)*\s*(Invited|Active|Deactivated)')
    assert badge.search((await admin.get(f"/people/{new.id}")).text)[1] == "Invited"
    assert badge.search((await admin.get(f"/people/{old.id}")).text)[1] == "Active"
    invited, active = [(await admin.get(f"/people?state={state}")).text for state in ("invited", "active")]
    assert (f"/people/{new.id}" in invited, f"/people/{old.id}" in invited) == (True, False)
    assert (f"/people/{new.id}" in active, f"/people/{old.id}" in active) == (False, True)
    assert set(badge.findall(invited)) == {"Invited"}


async def test_whoever_administers_a_desk_can_open_it(admin, signed_in):
    member = await signed_in(Role.MEMBER)
    assert (await member.get("/reminders")).status_code == 403
    await admin.post(f"/people/{member.user.id}/rights", {"rights": ["reminders:administer"]})
    assert (await member.get("/desks/reminders/rights")).status_code == 200
    assert (await member.get("/reminders")).status_code == 200


async def test_nobody_raises_their_own_role_by_any_form(signed_in):
    editor = await signed_in(Role.EDITOR)
    answer = await editor.post(f"/people/{editor.user.id}", {"name": "Me", "role": "admin", "version": "1"})
    assert answer.status_code == 403


async def test_a_person_changes_name_language_and_time_zone(signed_in):
    member = await signed_in(Role.MEMBER)
    form = {"name": "Ada Lovelace", "language": "ja", "time_zone": "Asia/Tokyo"}
    page = (await member.post("/account", form)).text
    assert re.search('<option value="ja"[^>]* selected', page)
    assert re.search('<html[^>]* lang="ja"', page)
    wrong = await member.post("/account", {**form, "time_zone": "Mars/Olympus"})
    assert wrong.status_code == 422


async def test_a_message_after_a_change_is_shown_once(signed_in):
    member = await signed_in(Role.MEMBER)
    assert "Your account is saved." in (await member.post("/account", {"name": "Ada", "language": "en"})).text
    assert "Your account is saved." not in (await member.get("/account")).text


async def test_a_new_password_ends_the_other_sessions(signed_in):
    here = await signed_in(Role.MEMBER)
    there = await signed_in(user=here.user)
    answer = await here.post("/account/password", {"new": "violet tramway under snow"})
    assert "other sessions were signed out" in answer.text
    assert str((await there.get("/account")).url).split("?")[0].endswith("/sign-in")


async def test_sessions_are_listed_and_ended(signed_in):
    here = await signed_in(Role.MEMBER)
    there = await signed_in(user=here.user)
    assert "This browser" in (await here.get("/account/sessions")).text
    assert "Ended 1 other session." in (await here.post("/account/sessions/others/end")).text
    assert str((await there.get("/account")).url).split("?")[0].endswith("/sign-in")


async def test_a_token_is_shown_once_used_and_revoked(signed_in, visit):
    editor = await signed_in(Role.EDITOR)
    made = (await editor.post("/account/tokens", {"name": "export", "scopes": ["read"], "days": "30"})).text
    secret = re.search(r"almt_[\w-]{30,}", made)[0]
    assert secret not in (await editor.get("/account/tokens")).text
    program = visit(headers={"Authorization": f"Bearer {secret}"})
    assert (await program.get("/api/v1/me")).json()["scopes"] == ["read"]
    token_id = (await editor.get("/api/v1/tokens")).json()["items"][0]["id"]
    await editor.post(f"/account/tokens/{token_id}/revoke")
    assert (await program.get("/api/v1/me")).status_code == 401


async def test_the_theme_is_remembered_on_every_device(signed_in):
    member = await signed_in(Role.MEMBER)
    await member.post("/account/theme", {"theme": "dark", "next": "/account"})
    other = await signed_in(user=member.user)
    assert 'data-theme="dark"' in (await other.get("/account")).text
    assert (await member.post("/account/theme", {"theme": "loud"})).status_code == 422


async def test_search_finds_only_what_the_person_may_open(admin, signed_in):
    member = await signed_in(Role.MEMBER)
    assert "Some Member" in (await admin.get("/search?q=some member")).text
    answer = (await member.get("/search?q=jobs")).text
    assert "Nothing found" in answer
    assert "Habits" in (await member.get("/search?q=habit")).text


async def test_the_audit_log_names_people_filters_and_checks_itself(admin):
    await admin.post("/people/invite", {"email": "grace@example.org", "name": "Grace Hopper", "role": "editor"})
    page = (await admin.get("/audit?action=user.created")).text
    assert "Grace Hopper" in page
    assert "session.started</a>" not in page
    assert "The log is intact" in (await admin.get("/audit/check")).text


async def test_lists_go_on_where_the_page_before_ended(api, person):
    for role in Role:
        await person(role)
    seen, cursor = [], None
    while True:
        listed = (
            await api.get("/api/v1/users", params={"limit": 3, "cursor": cursor} if cursor else {"limit": 3})
        ).json()
        seen += [user["role"] for user in listed["items"]]
        cursor = listed["next_cursor"]
        if cursor is None:
            break
    assert sorted(seen) == sorted(Role)


def test_the_words_for_a_scope_promise_what_it_lets_through():
    tells_of_mail = {scope for scope, words in SCOPE_WORDS.items() if "mail" in words}
    assert tells_of_mail == {scope for scope in WHOLE_SCOPES if "mail.read" in scope_permissions([scope])}
    assert SCOPE_WORDS.keys() == set(WHOLE_SCOPES)
