"""Habits through the API: begun, completed, taken back, skipped, explained, changed from a day on, and one's own."""

import re
from datetime import date, timedelta

import pytest

from almanac.accounts.model import CONSOLE
from almanac.accounts.service import create_token

pytestmark = pytest.mark.usefixtures("worker")
TODAY = date(2026, 3, 2)


def ago(days):
    return (TODAY - timedelta(days=days)).isoformat()


async def test_a_habit_is_begun_with_its_rhythm_and_goal(ada):
    wish = {
        "description": "Before breakfast",
        "tags": ["body", "morning"],
        "group": "Sport",
        "remind_at": "07:30",
        "schedule": {"kind": "weekdays", "weekdays": [4, 0, 2]},
        "goal": {"kind": "at_least", "target": "2.5", "unit": "km"},
    }
    habit = await ada.begin("Running", **wish)
    result = await ada.get(f"/{habit}")
    assert (result["schedule"]["weekdays"], result["goal"]["target"], result["tags"]) == (
        [0, 2, 4],
        "2.5",
        wish["tags"],
    )
    assert result["rules"][0]["sentence"] == "on Monday, Wednesday, Friday, at least 2.5 km"
    assert (result["due_today"], result["done_today"], result["remind_at"]) == (True, False, "07:30:00")
    assert (await ada.complete(habit, amount="2.4"))["done_today"] is False
    assert (await ada.complete(habit, amount="3"))["current_streak"] == 1


async def test_what_makes_no_sense_is_refused_beside_its_field(ada):
    habit = await ada.begin()
    for path, body, where in [
        ("", {"name": " "}, "name"),
        ("", {"name": "x", "schedule": {"kind": "per_week", "times": 9}}, "schedule"),
        ("", {"name": "x", "goal": {"kind": "at_least", "target": "0"}}, "goal"),
        ("", {"name": "x", "tags": ["u" * 41]}, "tags"),
        ("/groups", {"name": " "}, "name"),
        (f"/{habit}/complete", {"date": "2026-03-03"}, "date"),
        (f"/{habit}/complete", {"date": "1900-01-01"}, "date"),
        (f"/{habit}/complete", {"amount": "-1"}, "amount"),
        (f"/{habit}/skip", {"date": "2030-01-01"}, "date"),
        ("/vacations", {"first_day": "2026-03-04", "last_day": "2026-03-03"}, "last_day"),
    ]:
        answer = await ada.send("POST", path, body)
        assert answer.status_code == 422, (path, body, answer.text)
        assert where in answer.text
    assert (await ada.send("PUT", "/settings", {"time_zone": "Mars/Base"})).status_code == 422
    assert (await ada.send("POST", f"/{habit}/complete", {"date": "yesterday"})).status_code == 422


async def test_an_amount_is_a_number_on_the_page_too_and_reasons_go_back_to_the_first_day(ada):
    habit = await ada.begin("Water", goal={"kind": "at_least", "target": 2})
    for amount in ("NaN", "-1", "1e30"):
        refused = await ada.http.post(f"/habits/{habit}/done", data={"amount": amount})
        assert refused.status_code == 422, amount
    assert (await ada.get(f"/{habit}"))["done_today"] is False
    assert (await ada.get(f"/{habit}/explain?last=0001-01-01"))["days"] == []


async def test_an_undo_is_the_exact_inverse(ada):
    habit = await ada.bring("Reading", 6)
    before = await ada.get(f"/{habit}")
    points = (await ada.eventually("/dashboard", lambda result: result["total_points"] == 60))["total_points"]
    made = await ada.complete(habit, 6)
    assert (made["current_streak"], made["awarded"], made["unlocked"]) == (7, 20, [7])
    back = await ada.undo(habit, 6)
    assert back["awarded"] == -20
    after = await ada.get(f"/{habit}")
    assert {**before, "version": 0, "updated_at": 0} == {**after, "version": 0, "updated_at": 0}
    await ada.settled()
    result = await ada.get("/dashboard")
    assert (result["total_points"], result["achievements"]) == (points, [])
    lines = (await ada.get(f"/ledger?habit_id={habit}"))["items"]
    assert sum(line["points"] for line in lines) == 60
    assert any("Undone" in line["reason"] for line in lines)


async def test_taking_back_what_is_not_there_changes_nothing(ada):
    habit = await ada.begin()
    assert (await ada.undo(habit))["changed"] is False


async def test_a_repeated_request_is_answered_and_not_redone(ada):
    habit = await ada.begin()
    answers = [
        await ada.send("POST", f"/{habit}/complete", {"amount": "1"}, **{"Idempotency-Key": "tap-1"}) for _ in "ab"
    ]
    assert answers[0].json() == answers[1].json()
    assert answers[1].headers["Idempotency-Replayed"] == "true"
    assert (await ada.get(f"/{habit}"))["points"] == 10


async def test_days_entered_late_join_streaks_and_are_marked(ada):
    habit = await ada.begin(start=ago(9))
    for day in (0, 1, 2, 4, 5, 6, 7):
        await ada.complete(habit, day)
    result = await ada.complete(habit, 3)
    # The day itself makes a streak of five; of the three after it, the last two have a streak of seven and eight.
    assert (result["current_streak"], result["awarded"]) == (8, 10 + 2 * 10)
    lines = (await ada.get("/ledger?limit=3"))["items"]
    assert {line["day"] for line in lines} == {ago(3), ago(1), ago(0)}
    assert all("Entered late" in line["reason"] for line in lines)
    await ada.settled()
    (mine,) = [item for item in (await ada.get("/leaderboard?limit=100"))["items"] if item["is_me"]]
    assert (mine["points"], mine["late_points"]) == (100, 60)


async def test_skips_vacations_and_rest_days_protect_and_can_be_taken_back(ada):
    habit = await ada.begin(start=ago(9))
    for day in (9, 8, 5, 3, 0):
        await ada.complete(habit, day)
    assert (await ada.send("POST", f"/{habit}/skip", {"date": ago(4)})).json()["current_streak"] == 1
    vacation = await ada.send("POST", "/vacations", {"first_day": ago(7), "last_day": ago(6)})
    again = await ada.send("POST", "/vacations", {"first_day": ago(7), "last_day": ago(6)})
    assert vacation.json() == again.json()
    for day in (2, 1):
        assert (await ada.send("POST", "/rest-days", {"date": ago(day)})).status_code == 201
    assert (await ada.get(f"/{habit}"))["current_streak"] == 5
    explained = {item["day"]: item["rule"] for item in (await ada.get(f"/{habit}/explain"))["days"]}
    assert [explained[ago(day)] for day in (7, 5, 4, 2)] == ["vacation", "done", "skip", "rest"]
    await ada.send("DELETE", f"/vacations/{vacation.json()['id']}")
    await ada.send("DELETE", f"/rest-days/{ago(1)}")
    unskipped = (await ada.send("DELETE", f"/{habit}/skips/{ago(4)}")).json()
    assert (unskipped["current_streak"], unskipped["best_streak"]) == (1, 2)
    assert [item["date"] for item in (await ada.get("/rest-days"))["items"]] == [ago(2)]


async def test_a_rule_changes_from_a_day_on_and_its_effect_is_seen_before(ada):
    habit = await ada.begin(start=ago(20))
    for day in (16, 9, 2, 1, 0):
        await ada.complete(habit, day)
    wish = {"schedule": {"kind": "weekly"}, "since": ago(20)}
    explained = (await ada.send("POST", f"/{habit}/preview", wish)).json()
    assert (explained["streak_before"], explained["streak_after"]) == (3, 4)
    assert (await ada.get(f"/{habit}"))["current_streak"] == 3
    wish = {"schedule": {"kind": "weekly"}, "since": ago(0)}
    etag = (await ada.send("GET", f"/{habit}")).headers["ETag"]
    edited = (await ada.send("PATCH", f"/{habit}", wish, **{"If-Match": etag})).json()
    assert edited["current_streak"] == 3
    assert [item["schedule"]["kind"] for item in edited["rules"]] == ["daily", "weekly"]
    assert edited["streak_unit"] == "weeks"


async def test_an_edit_of_an_older_version_is_refused(ada):
    habit = await ada.begin()
    assert (await ada.send("PATCH", f"/{habit}", {"name": "A"}, **{"If-Match": '"1"'})).status_code == 200
    assert (await ada.send("PATCH", f"/{habit}", {"name": "B"}, **{"If-Match": '"1"'})).status_code == 412
    assert (await ada.send("PATCH", f"/{habit}", {"name": "B"})).status_code == 428
    assert (await ada.get(f"/{habit}"))["name"] == "A"


async def test_an_archived_habit_rests_and_keeps_what_it_earned(ada):
    habit = await ada.bring("Reading", 3)
    archived = await ada.send("PATCH", f"/{habit}", {"archived": True}, **{"If-Match": '"1"'})
    assert (archived.json()["archived"], archived.json()["points"]) == (True, 30)
    assert (await ada.get())["items"] == []
    assert [item["id"] for item in (await ada.get("?archived=true"))["items"]] == [habit]
    assert (await ada.send("POST", f"/{habit}/complete")).status_code == 409
    back = await ada.send("PATCH", f"/{habit}", {"archived": False}, **{"If-Match": '"2"'})
    assert (back.json()["current_streak"], back.json()["points"]) == (3, 30)


async def test_notes_are_kept_by_day(ada):
    habit = await ada.begin()
    await ada.complete(habit, note="In the rain")
    assert (await ada.send("PUT", f"/{habit}/notes/{ago(1)}", {"note": "Ill"})).status_code == 204
    assert await ada.get(f"/{habit}/notes") == {ago(0): "In the rain", ago(1): "Ill"}
    await ada.send("PUT", f"/{habit}/notes/{ago(1)}", {"note": ""})
    assert await ada.get(f"/{habit}/notes") == {ago(0): "In the rain"}


async def test_a_note_that_was_read_before_another_was_written_replaces_nothing(ada):
    habit = await ada.begin()
    path = f"/{habit}/notes/{ago(0)}"
    seen = (await ada.send("GET", path)).headers["etag"]
    first = await ada.send("PUT", path, {"note": "Ill"}, **{"If-Match": seen})
    assert first.status_code == 204
    second = await ada.send("PUT", path, {"note": "Lazy"}, **{"If-Match": seen})
    assert (second.status_code, second.headers["etag"]) == (412, first.headers["etag"])
    assert (await ada.send("PUT", path, {"note": "Ill"}, **{"If-Match": seen})).status_code == 204, "a retry"
    assert (await ada.get(path))["note"] == "Ill"
    assert (await ada.send("PUT", path, {"note": "Lazy"}, **{"If-Match": second.headers["etag"]})).status_code == 204
    assert (await ada.get(path))["note"] == "Lazy"


async def test_an_old_tab_replaces_no_note_unseen(ada):
    habit = await ada.begin()
    path = f"/habits/{habit}"
    version = re.search(r'name="version" value="(\w+)"', (await ada.http.get(path)).text)[1]
    assert (await ada.http.post(f"{path}/note", data={"note": "Rain", "version": version})).status_code == 303
    late = await ada.http.post(f"{path}/note", data={"note": "Late words", "version": version})
    assert late.status_code == 412
    assert "Someone else saved a different version" in late.text
    assert "Late words" in late.text
    assert (await ada.get(f"/{habit}/notes")) == {ago(0): "Rain"}
    version = re.search(r'name="version" value="(\w+)"', late.text)[1]
    assert (await ada.http.post(f"{path}/note", data={"note": "Late words", "version": version})).status_code == 303
    assert (await ada.get(f"/{habit}/notes")) == {ago(0): "Late words"}
    too_long = await ada.http.post(f"{path}/note", data={"note": "x" * 1001})
    assert (too_long.status_code, "x" * 1001 in too_long.text) == (422, True)


async def test_an_old_tab_takes_no_choice_back(ada):
    page = (await ada.http.get("/habits/settings")).text
    shown = dict(re.findall(r'name="(shown_\w+)" value="([^"]*)"', page))
    assert set(shown) == {"shown_zone", "shown_start", "shown_report"}
    await ada.send("PUT", "/settings", {"time_zone": "Asia/Tokyo", "day_start": 3})
    form = {"time_zone": shown["shown_zone"], "day_start": shown["shown_start"], "weekly_report": "yes", **shown}
    assert (await ada.http.post("/habits/settings", data=form)).status_code == 303
    result = await ada.get("/settings")
    assert (result["time_zone"], result["day_start"], result["weekly_report"]) == ("Asia/Tokyo", 3, True)


async def test_habits_are_put_into_an_order(ada):
    first, second = await ada.begin("First"), await ada.begin("Second")
    assert (await ada.send("POST", "/order", {"ids": [second, first]})).status_code == 204
    assert [item["name"] for item in (await ada.get())["items"]] == ["Second", "First"]


async def test_somebody_elses_habit_does_not_exist(ada, person_who_keeps):
    habit, eve = await ada.begin(), await person_who_keeps("Eve")
    for method, path, body in [
        ("GET", f"/{habit}", None),
        ("PATCH", f"/{habit}", {"name": "Mine"}),
        ("DELETE", f"/{habit}", None),
        ("POST", f"/{habit}/complete", {}),
        ("POST", f"/{habit}/skip", {}),
        ("GET", f"/{habit}/explain", None),
        ("DELETE", f"/{habit}/completions/{ago(0)}", None),
        ("DELETE", f"/{habit}/skips/{ago(0)}", None),
        ("POST", f"/{habit}/preview", {}),
        ("GET", f"/{habit}/notes", None),
        ("PUT", f"/{habit}/notes/{ago(0)}", {"note": "x"}),
    ]:
        answer = await eve.send(method, path, body, **{"If-Match": '"1"'})
        assert answer.status_code == 404, (method, path, answer.text)
    assert (await eve.get())["items"] == []
    assert (await eve.send("POST", "/order", {"ids": [habit]})).status_code == 422
    vacation = (await ada.send("POST", "/vacations", {"first_day": ago(1), "last_day": ago(1)})).json()["id"]
    assert (await eve.send("DELETE", f"/vacations/{vacation}")).status_code == 404


async def test_a_token_that_may_only_read_changes_nothing(ada, services):
    habit = await ada.begin()
    made = await create_token(
        services.accounts, CONSOLE, name="reader", scopes=["habits:read"], owner_id=ada.user.id, expires_at=None
    )
    ada.http.headers["Authorization"] = f"Bearer {made.secret}"
    assert (await ada.send("POST", f"/{habit}/complete")).status_code == 403
    assert (await ada.get(f"/{habit}"))["points"] == 0
