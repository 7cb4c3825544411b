"""The tour of the first visit: three steps with URLs, ended for good by each person, and available again."""

from almanac.accounts.permissions import Role

TITLES = ("Nothing gets lost", "Nothing is made up", "Nothing is sent twice")


async def test_a_newcomer_is_led_through_three_steps_and_ends_them_for_good(signed_in, person):
    visitor = await signed_in(Role.MEMBER)
    assert TITLES[0] in (await visitor.get("/")).text
    for number, title in enumerate(TITLES, 1):
        page = (await visitor.get(f"/?tour={number}")).text
        assert title in page
        assert 'id="decide"' in page
    ended = await visitor.post("/tour/end")
    assert "Tour ended" in ended.text
    assert TITLES[0] not in (await visitor.get("/")).text
    again = (await visitor.get("/?tour=1")).text
    assert TITLES[0] in again
    assert 'href="/?tour=1"' in (await visitor.get("/account")).text
    other = await signed_in(Role.MEMBER, await person(Role.MEMBER, email="second@example.org"))
    assert TITLES[0] in (await other.get("/")).text


async def test_a_step_that_is_none_shows_no_tour_to_who_has_ended_it(signed_in):
    visitor = await signed_in(Role.MEMBER)
    await visitor.post("/tour/end")
    for step in ("0", "4", "one", "9" * 50, "%00"):
        answer = await visitor.get(f"/?tour={step}")
        assert (answer.status_code, "Nothing is" in answer.text) == (200, False)


async def test_ending_the_tour_leaves_an_edit_of_the_person_alone(signed_in, services):
    visitor = await signed_in(Role.MEMBER)
    before = visitor.user.version
    await visitor.post("/tour/end")
    me = await visitor.get(f"/api/v1/users/{visitor.user.id}")
    assert me.json()["version"] == before
