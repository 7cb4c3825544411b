"""A mistake in a form of habits brings the page back with a sentence."""

from almanac.accounts.permissions import Role


async def test_a_wrong_date_in_a_new_habit_brings_the_form_back(signed_in):
    visitor = await signed_in(Role.EDITOR)
    page = await visitor.post("/habits/new", {"name": "Read", "since": "next week"}, page="/habits/new")
    assert page.status_code == 422
    assert "“next week” isn&#39;t a date; use 2026-03-02." in page.text
    assert 'value="Read"' in page.text


async def test_a_wrong_group_code_is_told_on_the_page(signed_in):
    visitor = await signed_in(Role.ADMIN)
    page = await visitor.post("/habits/groups/join", {"code": "nonsense"}, page="/habits/leaderboard")
    assert page.status_code == 422
    assert "This group doesn&#39;t exist; ask for its code again." in page.text
