"""Boards: everybody, groups one joins, weeks and months; ties always the same way, and names only of those who like."""

import asyncio

import pytest

pytestmark = pytest.mark.usefixtures("worker")


async def test_equal_points_share_a_rank_and_are_ordered_by_name(person_who_keeps):
    group, people = None, [await person_who_keeps(name) for name in ("Zoe", "Anna", "Mia")]
    for person in people:
        if group is None:
            group = (await person.send("POST", "/groups", {"name": "Friends"})).json()["id"]
        assert (await person.send("POST", f"/groups/{group}/join")).status_code == 200
        habit = await person.begin()
        await person.complete(habit)
    await people[2].complete(habit, 1)
    board = (await people[0].get(f"/leaderboard?group={group}"))["items"]
    assert [(item["rank"], item["username"], item["points"]) for item in board] == [
        (1, "Mia", 20),
        (2, "Anna", 10),
        (2, "Zoe", 10),
    ]
    assert [item["is_me"] for item in board] == [False, False, True]


async def test_nobody_is_in_a_group_who_did_not_join_and_leaving_loses_nothing(person_who_keeps):
    ann, ben = await person_who_keeps("Ann"), await person_who_keeps("Ben")
    group = (await ann.send("POST", "/groups", {"name": "Early birds"})).json()["id"]
    for person in (ann, ben):
        await person.bring("Rising", 8)
    assert (await ben.send("GET", f"/leaderboard?group={group}")).status_code == 404
    await ben.send("POST", f"/groups/{group}/join")
    before = await ben.get(f"/leaderboard?group={group}")
    assert len(before["items"]) == 2
    assert (await ben.send("POST", f"/groups/{group}/leave")).status_code == 204
    assert [item["username"] for item in (await ann.get(f"/leaderboard?group={group}"))["items"]] == ["Ann"]
    await ben.eventually("/dashboard", lambda answer: answer["total_points"] == 100 and answer["achievements"])
    await ben.send("POST", f"/groups/{group}/join")
    assert await ben.get(f"/leaderboard?group={group}") == before
    assert [item["members"] for item in (await ann.get("/groups"))["items"]] == [2]


async def test_whoever_joins_while_the_last_one_leaves_is_in_the_group_or_told_that_it_is_gone(person_who_keeps):
    eve, fay = await person_who_keeps("Eve"), await person_who_keeps("Fay")
    for _ in range(5):
        group = (await eve.send("POST", "/groups", {"name": "Passing"})).json()["id"]
        joined, left = await asyncio.gather(
            fay.send("POST", f"/groups/{group}/join"), eve.send("POST", f"/groups/{group}/leave")
        )
        there = group in [item["id"] for item in (await fay.get("/groups"))["items"]]
        assert (joined.status_code, left.status_code, there) in ((200, 204, True), (404, 204, False))


async def test_a_week_and_a_month_count_only_their_days(person_who_keeps):
    # Today is a Monday, the second of the month.
    cleo = await person_who_keeps("Cleo")
    group = (await cleo.send("POST", "/groups", {"name": "Cleo"})).json()["id"]
    habit = await cleo.bring("Rowing", 5)
    points = [
        (await cleo.get(f"/leaderboard?group={group}&period={period}"))["items"][0]["points"]
        for period in ("week", "month", "all")
    ]
    assert points == [10, 20, 50]
    await cleo.undo(habit)
    assert (await cleo.get(f"/leaderboard?group={group}&period=week"))["items"] == []


async def test_whoever_is_not_listed_is_on_the_board_without_a_name(person_who_keeps):
    dora = await person_who_keeps("Dora")
    await dora.bring("Yoga", 50)
    await dora.eventually("/leaderboard?limit=100", lambda answer: any(item["is_me"] for item in answer["items"]))
    assert (await dora.send("PUT", "/settings", {"listed": False})).json()["listed"] is False
    for period in ("all", "month"):
        board = (await dora.get(f"/leaderboard?limit=100&period={period}"))["items"]
        (mine,) = [item for item in board if item["is_me"]]
        assert mine["username"] == "Somebody"


async def test_the_dashboard_is_one_query(ada, services):
    await ada.bring("Reading", 8)
    await ada.eventually("/dashboard", lambda answer: answer["achievements"])
    await ada.settled()
    with services.tables.measure() as spent:
        await ada.get("/dashboard")
    assert spent.total.calls == 1
