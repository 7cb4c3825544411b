"""Files through the API: tried first, brought once, taken away, and brought to somebody else without loss."""

import json
from datetime import date, timedelta

import pytest

PATH = "/api/v1/habits"
TODAY = date(2026, 3, 2)
CSV = "habit,date,amount\n" + "".join(f"Reading,{TODAY - timedelta(days=day)},1\n" for day in range(8))


async def bring(keeper, content, query=""):
    answer = await keeper.http.post(f"{PATH}/import{query}", files={"file": ("a-file", content)})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_a_dry_run_tells_and_changes_nothing(ada):
    report = await bring(ada, CSV + "Reading,2027-01-01,1\n", "?dry_run=true")
    assert (report["dry_run"], report["entries"]) == (True, 8)
    assert report["habits"][0] == {
        "name": "Reading",
        "is_new": True,
        "entries": 8,
        "entries_known": 0,
        "skips": 0,
        "notes": 0,
    }
    assert report["refused"] == ["Reading: 1 day is in the future or too long ago."]
    assert (await ada.get())["items"] == []


async def test_a_file_brought_twice_brings_nothing_the_second_time(ada):
    await bring(ada, CSV)
    again = await bring(ada, CSV)
    assert [(item["is_new"], item["entries"], item["entries_known"]) for item in again["habits"]] == [(False, 0, 8)]
    (habit_item,) = (await ada.get())["items"]
    assert (habit_item["current_streak"], habit_item["points"]) == (8, 100)


async def test_days_that_were_entered_here_win_over_those_of_a_file(ada):
    habit = await ada.begin("Reading", goal={"kind": "at_least", "target": "5"})
    await ada.complete(habit, amount="7")
    await bring(ada, CSV)
    report = {item["day"]: item["amount"] for item in (await ada.get(f"/{habit}/explain"))["days"]}
    assert (report["2026-03-02"], report["2026-03-01"]) == ("7", "1")


@pytest.mark.parametrize("form", ["json", "loop"])
async def test_an_export_brings_everything_to_another_account(ada, person_who_keeps, form):
    habit = await ada.begin("Run", schedule={"kind": "weekdays", "weekdays": [0, 6]}, tags=["sport"], remind_at="07:00")
    await ada.complete(habit, 0, note="Cold")
    await ada.complete(habit, 8)
    await ada.send("POST", f"/{habit}/skip", {"date": "2026-03-01"})
    await ada.send("POST", "/vacations", {"first_day": "2026-01-01", "last_day": "2026-01-05"})
    await ada.send("POST", "/rest-days", {"date": "2026-01-09"})
    taken = await ada.send("GET", f"/export?form={form}")
    assert "attachment" in taken.headers["Content-Disposition"]
    other = await person_who_keeps("Bob")
    await bring(other, taken.content)
    mine, theirs = [(await item.send("GET", "/export?form=json")).json() for item in (ada, other)]
    assert theirs == mine
    (habit_item,) = (await other.get())["items"]
    assert habit_item["current_streak"] == (await ada.get(f"/{habit}"))["current_streak"]


async def test_two_habits_of_one_name_and_what_is_planned_come_back_as_they_were(ada, person_who_keeps):
    old = await ada.begin("Run", start="2026-01-01")
    await ada.complete(old, 20)
    await ada.send("PATCH", f"/{old}", {"archived": True}, **{"If-Match": '"1"'})
    new = await ada.begin("Run", schedule={"kind": "weekly"}, start="2026-02-23")
    await ada.complete(new, 1)
    await ada.send("POST", f"/{new}/skip", {"date": "2026-03-20"})
    await ada.send("PUT", f"/{new}/notes/2026-04-01", {"note": "A race"})
    taken = await ada.send("GET", "/export?form=json")
    other = await person_who_keeps("Bob")
    for is_new in (True, False):
        report = await bring(other, taken.content)
        assert [(item["name"], item["is_new"]) for item in report["habits"]] == [("Run", is_new), ("Run", is_new)]
        assert report["refused"] == []
        assert (await other.send("GET", "/export?form=json")).json() == taken.json()
    assert (await bring(ada, taken.content))["entries"] == 0


async def test_days_off_of_a_file_are_told_and_hold_for_habits_that_it_does_not_name(ada, worker):
    await ada.begin("Reading", start="2026-02-20")
    habit = next(item["id"] for item in (await ada.get())["items"])
    for day in (1, 2, 6, 7):
        await ada.complete(habit, day)
    off = {"vacations": [{"first_day": "2026-02-25", "last_day": "2026-02-27"}], "rest_days": ["2026-01-09"]}
    wrong = {"vacations": [*off["vacations"], {"first_day": "2026-02-05", "last_day": "2026-02-01"}]}
    content = json.dumps({"form": "almanac-habits-1", "habits": [], **off, **wrong}).encode()
    tried = await bring(ada, content, "?dry_run=true")
    assert (tried["days_off"], len(tried["refused"])) == (2, 1)
    assert "on or after the first day" in tried["refused"][0]
    assert (await bring(ada, content))["days_off"] == 2
    await ada.settled()
    assert [item["current_streak"] for item in (await ada.get("/dashboard"))["streaks"]] == [4]
    assert (await bring(ada, content))["days_off"] == 0


async def test_other_forms_are_written_too(ada):
    await bring(ada, CSV)
    assert (await ada.send("GET", "/export?form=csv")).text.splitlines()[1] == "Reading,2026-02-23,done,1,"
    assert (await ada.send("GET", "/export?form=loop-db")).content.startswith(b"SQLite format 3\x00")
    assert (await ada.send("GET", "/export?form=xls")).status_code == 422


async def test_a_file_that_makes_no_sense_is_refused_with_a_sentence(ada):
    answer = await ada.http.post(f"{PATH}/import", files={"file": ("x", b"\x00\x01")})
    assert answer.status_code == 400
    assert json.loads(answer.text)["detail"].endswith(".")


async def test_whoever_sends_the_form_without_a_file_is_asked_for_one(ada):
    part = '--x\r\nContent-Disposition: form-data; name="file"; filename=""\r\n\r\n\r\n--x--\r\n'
    typed = {"Content-Type": "multipart/form-data; boundary=x"}
    for sent in ({"content": part, "headers": typed}, {"data": {"for_good": "yes"}}):
        answer = await ada.http.post("/habits/files", **sent)
        assert (answer.status_code, "Choose a file first." in answer.text) == (422, True), answer.text


@pytest.mark.parametrize(
    ("day", "since", "reason"),
    [
        ({"amount": "NaN"}, "2026-01-01", "Use an amount between"),
        ({"amount": "1e30"}, "2026-01-01", "Use an amount between"),
        ({"amount": "1"}, "1000-01-01", "too long ago"),
        ({"amount": "1"}, "9999-12-31", "more than a year ahead"),
    ],
)
async def test_a_habit_that_could_not_be_reckoned_with_is_left_out_by_name(ada, day, since, reason):
    rule = {"since": since, "schedule": {"kind": "monthly"}, "goal": {"kind": "done"}}
    strange = {"name": "Strange", "rules": [rule], "days": [{"day": "2026-02-01", **day}]}
    fine = {"name": "Fine", "days": [{"day": "2026-03-01", "amount": "1"}]}
    report = await bring(ada, json.dumps({"form": "almanac-habits-1", "habits": [strange, fine]}).encode())
    assert [item["name"] for item in report["habits"]] == ["Fine"]
    assert [(item.startswith("Strange: "), reason in item) for item in report["refused"]] == [(True, True)]
    assert [item["name"] for item in (await ada.get())["items"]] == ["Fine"]
