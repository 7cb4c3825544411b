"""Faults that a tracker of this design once had, each shown absent."""

import pytest

from almanac.desks.habits.store.table import Achievement, Dashboard, Streak

pytestmark = pytest.mark.usefixtures("worker")


async def test_the_streak_is_written(ada, services):
    habit = await ada.begin()
    for day in (2, 1, 0):
        await ada.complete(habit, day)
    await ada.eventually("/dashboard", lambda result: result["streaks"] and result["streaks"][0]["current_streak"] == 3)
    item = await services.tables.require(Streak.key(user_id=ada.user.id, habit_id=habit), consistent=True)
    assert (item.current_streak, item.best_streak, item.last_completed) == (3, 3, "2026-03-02")
    assert item.strength > 0


async def test_the_history_has_no_cap_and_a_hundred_days_are_reached(ada):
    habit = await ada.bring("Running", 120)
    result = await ada.get(f"/{habit}")
    assert (result["current_streak"], result["badges"]) == (120, [7, 30, 100])
    listed = await ada.eventually("/achievements", lambda result: len(result["items"]) == 3)
    assert {row["type"] for row in listed["items"]} == {f"streak_{days}:{habit}" for days in (7, 30, 100)}


async def test_points_are_not_farmed_by_repeating(ada):
    habit = await ada.begin()
    first = await ada.complete(habit)
    again = [await ada.complete(habit) for _ in range(3)]
    assert (first["changed"], first["awarded"]) == (True, 10)
    assert [(row["changed"], row["awarded"], row["points"]) for row in again] == [(False, 0, 10)] * 3
    await ada.undo(habit)
    assert (await ada.complete(habit))["points"] == 10
    result = await ada.eventually("/dashboard", lambda result: result["total_points"] == 10)
    assert result["total_points"] == 10


async def test_the_frequency_is_minded(ada):
    weekly = await ada.begin("Swimming", schedule={"kind": "weekly"})
    for day in (14, 7, 0):
        result = await ada.complete(weekly, day)
    assert (result["current_streak"], result["streak_unit"]) == (3, "weeks")
    daily = await ada.begin("Stretching")
    for day in (14, 7, 0):
        result = await ada.complete(daily, day)
    assert result["current_streak"] == 1


async def test_the_mail_names_the_achievement_and_is_sent_once(person_who_keeps, outbox):
    grace = await person_who_keeps("Grace", email="grace@example.org")
    habit = await grace.begin("Sketching")
    for day in range(6, -1, -1):
        await grace.complete(habit, day)
    await grace.eventually("/achievements", lambda result: result["items"])
    await grace.undo(habit, 3)
    await grace.eventually("/achievements", lambda result: not result["items"])
    await grace.complete(habit, 3)
    await grace.eventually("/achievements", lambda result: result["items"])
    await grace.settled()
    (mail,) = [row for row in outbox.sent if "grace@example.org" in row.recipients]
    assert b"Subject: 7 days in a row: Sketching" in mail.raw


async def test_achievements_are_written_and_one_habits_badge_leaves_the_others(ada, services):
    first, second = await ada.bring("Chess", 8), await ada.bring("Piano", 8)
    await ada.eventually("/achievements", lambda result: len(result["items"]) == 2)
    for habit in (first, second):
        item = await services.tables.require(Achievement.key(user_id=ada.user.id, type=f"streak_7:{habit}"))
        assert item.description.startswith("7 days in a row: ")


async def test_there_is_a_leaderboard(person_who_keeps):
    bob, eve = await person_who_keeps("Bob"), await person_who_keeps("Eve")
    await bob.bring("Walking", 40)
    await eve.bring("Walking", 35)
    mine = {bob.user.id, eve.user.id}
    board = await bob.eventually(
        "/leaderboard?limit=100", lambda result: mine <= {row["user_id"] for row in result["items"]}
    )
    ranks = {row["username"]: row["rank"] for row in board["items"] if row["user_id"] in mine}
    assert ranks["Bob"] < ranks["Eve"]


async def test_nobody_raises_their_own_role_through_the_user_endpoint(ada, services):
    for path in ("/api/v1/me", f"/api/v1/users/{ada.user.id}"):
        answer = await ada.http.patch(path, json={"role": "admin", "is_admin": True}, headers={"If-Match": '"1"'})
        assert answer.status_code in (403, 404, 405, 422), answer.text
    assert (await ada.http.get("/api/v1/users")).status_code == 403


async def test_a_habit_with_completions_is_deleted_everywhere(ada, services):
    habit = await ada.bring("Juggling", 10)
    kept = await ada.begin("Cooking")
    await ada.complete(kept)
    await ada.eventually("/achievements", lambda result: result["items"])
    assert (await ada.send("DELETE", f"/{habit}")).status_code == 204
    assert (await ada.send("GET", f"/{habit}")).status_code == 404
    result = await ada.eventually("/dashboard", lambda result: result["total_points"] == 10)
    assert [row["habit_id"] for row in result["streaks"]] == [kept]
    assert result["achievements"] == []
    async with services.database.unit() as unit:
        left = await unit.value("SELECT count(*) FROM habit_completions WHERE habit_id = %(id)s", {"id": habit})
    assert left == 0
    hits = await ada.http.get("/api/v1/search", params={"q": "juggling"})
    assert hits.json()["total"] == 0


async def test_no_item_is_orphaned_by_a_late_handler(ada, services):
    habit = await ada.begin("Whistling")
    for day in range(8):
        await ada.complete(habit, day)
    assert (await ada.send("DELETE", f"/{habit}")).status_code == 204
    await ada.settled()
    result = await services.tables.collect(Dashboard, user_id=ada.user.id, consistent=True)
    assert result is None or (result.streaks, result.achievements) == ([], [])
