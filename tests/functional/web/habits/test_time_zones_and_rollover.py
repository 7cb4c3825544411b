"""Time passes: streaks end by themselves, people travel, reminders come once, and their links work."""

import re
from datetime import UTC, date, datetime, timedelta

import httpx
import pytest

from almanac.desks.habits.model.signed_links import SignedLink, sign_link
from almanac.desks.habits.pipeline.day_rollover import roll_over_days
from almanac.desks.habits.pipeline.reminders import send_due_reminders
from almanac.desks.habits.store import people

TODAY = date(2026, 3, 2)


@pytest.fixture(autouse=True)
def back_to_monday(clock):
    clock.at(TODAY)


async def test_a_streak_that_nobody_continued_is_over_when_the_day_is(ada, services, clock, worker):
    habit = await ada.bring("Reading", 5)
    clock.at(TODAY + timedelta(days=1))
    assert (await ada.get(f"/{habit}"))["current_streak"] == 5
    clock.at(TODAY + timedelta(days=2))
    assert (await ada.get(f"/{habit}"))["current_streak"] == 0
    assert await roll_over_days(services) >= 1
    await ada.settled()
    answer = await ada.get("/dashboard")
    assert (answer["streaks"][0]["current_streak"], answer["total_points"]) == (0, 50)
    assert await roll_over_days(services) == 0


async def to_turn(services):
    async with services.database.unit() as unit:
        return await people.list_due_rollovers(unit, after="", now=services.clock.now(), limit=1000)


async def test_what_earns_nothing_until_it_is_changed_late_is_late(ada, clock):
    begun, kept = [await ada.begin(name, goal={"kind": "at_least", "target": 10}) for name in ("Begun", "Kept")]
    await ada.complete(begun, amount="0.1")
    await ada.complete(kept, amount="10")
    clock.at(TODAY + timedelta(days=5))
    for habit in (begun, kept):
        await ada.complete(habit, amount="12")
    (mine,) = [item for item in (await ada.get("/leaderboard?limit=100&period=month"))["items"] if item["is_me"]]
    assert (mine["points"], mine["late_points"]) == (20, 10)


async def test_only_those_are_looked_at_for_whom_a_day_has_begun(ada, services, clock):
    await ada.send("PUT", "/settings", {"time_zone": "Asia/Tokyo", "day_start": 3})
    assert ada.user.id in await to_turn(services)
    await roll_over_days(services)
    # Three in the morning in Tokyo is six in the evening before in London.
    for hour, due in ((17, False), (18, True)):
        clock.at(TODAY, hour)
        assert (ada.user.id in await to_turn(services)) is due
    await roll_over_days(services)
    assert ada.user.id not in await to_turn(services)
    await ada.send("PUT", "/settings", {"time_zone": "Europe/London"})
    assert ada.user.id in await to_turn(services)
    assert await roll_over_days(services) >= 1
    assert await to_turn(services) == []


async def test_something_avoided_counts_by_itself_and_its_badge_comes_with_the_day(ada, services, clock, worker):
    habit = await ada.begin("No sweets", goal={"kind": "avoid"})
    clock.at(TODAY + timedelta(days=7))
    await roll_over_days(services)
    answer = await ada.eventually("/achievements", lambda answer: answer["items"])
    assert answer["items"][0]["type"] == f"streak_7:{habit}"
    lapsed = await ada.send("POST", f"/{habit}/complete", {"amount": "2"})
    assert (lapsed.json()["current_streak"], lapsed.json()["best_streak"]) == (7, 7)
    clock.at(TODAY + timedelta(days=8))
    assert (await ada.get(f"/{habit}"))["current_streak"] == 0


async def test_days_are_counted_on_the_persons_clocks(ada, clock):
    await ada.send("PUT", "/settings", {"time_zone": "Asia/Tokyo", "day_start": 4})
    habit = await ada.begin()
    # Half past six in the evening in London is half past three in the morning in Tokyo, before the day begins.
    clock._now = datetime(2026, 3, 2, 18, 30, tzinfo=UTC)
    assert (await ada.send("POST", f"/{habit}/complete")).json()["last_completed"] == "2026-03-02"
    clock._now = datetime(2026, 3, 2, 19, 30, tzinfo=UTC)
    answer = (await ada.send("POST", f"/{habit}/complete")).json()
    assert (answer["last_completed"], answer["current_streak"]) == ("2026-03-03", 2)


async def test_a_traveller_keeps_their_streak(ada, clock):
    clock.at(TODAY - timedelta(days=1))
    await ada.send("PUT", "/settings", {"time_zone": "Pacific/Honolulu"})
    habit = await ada.begin()
    clock._now = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
    await ada.send("POST", f"/{habit}/complete")
    clock._now = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
    await ada.send("PUT", "/settings", {"time_zone": "Pacific/Auckland"})
    clock._now = datetime(2026, 3, 3, 0, 0, tzinfo=UTC)
    answer = (await ada.send("POST", f"/{habit}/complete")).json()
    assert (answer["last_completed"], answer["current_streak"]) == ("2026-03-03", 2)
    rules = {item["day"]: item["rule"] for item in (await ada.get(f"/{habit}/explain"))["days"]}
    assert rules["2026-03-02"] == "travel"


async def test_a_reminder_comes_once_and_only_while_the_habit_is_due(person_who_keeps, services, clock, outbox, worker):
    finn = await person_who_keeps("Finn", email="finn@example.org")
    due = await finn.begin("Flossing", remind_at="08:00")
    done = await finn.begin("Reading", remind_at="08:00")
    later = await finn.begin("Walking", remind_at="20:00")
    await finn.complete(done)
    assert [await send_due_reminders(services) for _ in range(2)] == [1, 0]
    await finn.settled()
    (mail,) = [item for item in outbox.sent if "finn@example.org" in item.recipients]
    text = mail.raw.decode()
    assert "Subject: Today: Flossing" in text
    assert later not in text
    await links_work(finn, due, text.replace("=\r\n", "").replace("=3D", "="))


async def links_work(finn, due, text):
    """Looking changes nothing; the button does, and once."""
    done, skip = re.findall(r"http://testserver(/habits/do/[\w-]+)", text)[:2]
    transport = finn.http._transport
    async with httpx.AsyncClient(transport=transport, base_url="http://testserver") as anybody:
        page = await anybody.get(done, headers={"Accept": "text/html"})
        assert page.status_code == 200
        assert "Flossing" in page.text
        assert (await finn.get(f"/{due}"))["done_today"] is False
        for _ in range(2):
            assert "Done" in (await anybody.post(done, headers={"Accept": "text/html"})).text
        assert (await finn.get(f"/{due}"))["points"] == 10
        assert (await anybody.get(skip)).status_code == 200
        forged = done[:-4] + "AAAA"
        assert (await anybody.post(forged, headers={"Accept": "text/html"})).status_code == 400


async def test_a_link_is_over_after_a_week(finn_link, services, clock):
    path, http = finn_link
    clock.at(TODAY + timedelta(days=9))
    assert (await http.get(path, headers={"Accept": "text/html"})).status_code == 400


@pytest.fixture
async def finn_link(person_who_keeps, services):
    finn = await person_who_keeps("Finn")
    habit = await finn.begin()
    token = sign_link(services.key("habit-links"), SignedLink(finn.user.id, habit, TODAY, "done"))
    return f"/habits/do/{token}", finn.http
