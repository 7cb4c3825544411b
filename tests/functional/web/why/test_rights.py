"""Nobody learns of what they may not see: the same answer as about what doesn't exist, for each source and role."""

import pytest

from almanac.accounts.model import AUTOMATION
from almanac.accounts.permissions import Role
from almanac.desks.news.service import links

ROLES = (Role.MEMBER, Role.EDITOR, Role.APPROVER, Role.ADMIN)
# Who is told about a thing of each kind that is there; a member reads no desk with personal data, nobody but
# administrators reads mail.
ANSWERED = {
    "customer": {Role.EDITOR, Role.APPROVER, Role.ADMIN},
    "invoice": {Role.EDITOR, Role.APPROVER, Role.ADMIN},
    "link": set(ROLES),
    "site": set(ROLES),
    "sitting-day": set(ROLES),
    "job": {Role.EDITOR, Role.APPROVER, Role.ADMIN},
    "mail": {Role.ADMIN},
    "habit": set(),
    "person": {Role.ADMIN},
}


@pytest.fixture
async def things(services, owing, keeping, signed_in, admin):
    """One thing of each kind, none of them owned by those who ask; by kind, what to ask about."""
    await owing()
    await links.add_links(services, AUTOMATION, ["https://selat.example/a"])
    keeper = await signed_in(Role.MEMBER)
    _, habit = await keeping(keeper)
    job = str((await admin.post("/jobs/schedules/recap.work/run")).url).rsplit("/", 1)[-1]
    return {
        "customer": "customer:lotus",
        "invoice": "invoice:lotus/lotus-1",
        "link": "https://selat.example/a",
        "site": "selat.example",
        "sitting-day": "2026-02-02",
        "job": f"job:{job}",
        "mail": "lotus@example.org",
        "habit": f"habit:{habit.id}",
        "person": f"person:{keeper.user.id}",
    }


@pytest.mark.parametrize("role", ROLES)
async def test_each_source_answers_those_who_may_see_and_nobody_else(things, person, signed_in, ask, role):
    visitor = await signed_in(user=await person(role, email=f"asker-{role}@example.org"))
    answers = {kind: bool(await ask(visitor, about)) for kind, about in things.items()}
    assert answers == {kind: role in ANSWERED[kind] for kind in things}


async def test_what_may_not_be_seen_is_answered_like_what_does_not_exist(things, person, signed_in):
    visitor = await signed_in(user=await person(Role.MEMBER, email="asker@example.org"))
    for hidden, missing in (
        ("customer:lotus", "customer:none"),
        (things["habit"], "habit:none"),
        ("lotus", "nonesuch"),
    ):
        answers = [
            (await visitor.get("/api/v1/why", params={"about": about}, headers={"Accept": "application/json"})).json()
            for about in (hidden, missing)
        ]
        bodies = [{name: value for name, value in answer.items() if name != "request_id"} for answer in answers]
        assert bodies[0] == bodies[1]
        pages = [await visitor.get("/why", params={"about": about}) for about in (hidden, missing)]
        assert all("Nothing that you may see has this name." in page.text for page in pages)
        assert "Evening walk" not in pages[0].text


async def test_actions_are_offered_only_with_the_right_for_them(things, person, signed_in, ask):
    approver = await signed_in(user=await person(Role.APPROVER, email="approver-1@example.org"))
    for kind in ("customer", "link", "sitting-day", "job"):
        [trace] = await ask(approver, things[kind])
        assert not any(action["posts"] for action in trace["actions"]), kind
    editor = await signed_in(user=await person(Role.EDITOR, email="editor-1@example.org"))
    [trace] = await ask(editor, things["customer"])
    assert [action["label"] for action in trace["actions"] if action["posts"]] == ["Draft the first reminder"]


async def test_the_palette_tells_a_member_nothing_about_customers(things, person, signed_in):
    visitor = await signed_in(user=await person(Role.MEMBER, email="asker@example.org"))
    for words in ("lotus", "why lotus", "why evening walk"):
        answer = await visitor.get("/palette", params={"q": words}, headers={"HX-Request": "true"})
        assert "Lotus" not in answer.text, words
        assert "Why:" not in answer.text, words
