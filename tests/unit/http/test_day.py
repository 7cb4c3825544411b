"""A day and its boundaries, the sums of what waits, and many events of a kind as one."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.audit.model import ActionSummary
from almanac.errors import InputError
from almanac.http.day import Day, Deed, WaitingGroup, WaitingItem, add_amounts, describe_amounts, oldest_first, open_day
from almanac.http.failures import ShownFailure
from almanac.http.platform_day import describe_actions, describe_failures, describe_mail
from almanac.jobs import JobFailure
from almanac.kit.money import Money
from almanac.mail.model import EndedMail

NOW = datetime(2026, 11, 18, 13, 0, tzinfo=UTC)
monies = st.builds(Money, st.integers(0, 10**9), st.sampled_from(["EUR", "USD", "JPY", "KWD"]))
moments = st.datetimes(datetime(2020, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC))


@given(st.lists(monies))
def test_sums_are_by_currency_and_lose_nothing(amounts):
    sums = add_amounts(amounts)
    assert {money.currency for money in sums} == {money.currency for money in amounts}
    assert len({money.currency for money in sums}) == len(sums)
    for money in sums:
        assert money.amount == sum(each.amount for each in amounts if each.currency == money.currency)
    assert [money.amount for money in sums] == sorted((money.amount for money in sums), reverse=True)


def test_amounts_of_several_currencies_stand_side_by_side():
    euros, dollars, yen = Money("1200.50", "EUR"), Money("900", "USD"), Money("10", "JPY")
    assert describe_amounts([]) == ""
    assert describe_amounts([euros]) == "1,200.50 EUR"
    assert describe_amounts([euros, dollars]) == "1,200.50 EUR + 900.00 USD"
    assert describe_amounts([euros, dollars, yen]) == "1,200.50 EUR + 900.00 USD + 1 more currency"
    assert describe_amounts([euros]).translated("de") == "1.200,50 EUR"


@given(st.lists(st.lists(st.none() | moments, max_size=3), max_size=8))
def test_what_waits_longest_comes_first_and_what_has_no_time_last(times):
    groups = [
        WaitingGroup(
            noun="x",
            words="x",
            href="/",
            count=len(since),
            items=[WaitingItem(title="", text="", href="/", since=at) for at in since],
        )
        for since in times
    ]
    begins = [group.waits_since for group in oldest_first(groups)]
    dated = [at for at in begins if at is not None]
    assert dated == sorted(dated)
    assert begins[len(dated) :] == [None] * (len(begins) - len(dated))


@given(moments, st.sampled_from(["Asia/Tokyo", "America/New_York", "Europe/Berlin", "Asia/Kathmandu", "UTC"]))
def test_a_moment_lies_in_the_day_that_it_has_where_the_person_is(now, zone):
    day = open_day("", now, zone, "en")
    assert day.is_today
    assert day.since <= now < day.until
    assert open_day(day.before.isoformat(), now, zone, "en").until == day.since
    assert open_day(day.after.isoformat(), now, zone, "en").since == day.until


def test_a_day_of_a_change_of_clocks_has_its_own_length():
    day = Day(date(2026, 10, 25), date(2026, 11, 18), "Europe/Berlin", "en")
    assert day.until.astimezone(UTC) - day.since.astimezone(UTC) == timedelta(hours=25)
    assert day.since.tzinfo == ZoneInfo("Europe/Berlin")


@pytest.mark.parametrize("text", ["soon", "2026-02-30", "1969-12-31", "2028-01-01", "2026-11-18 "])
def test_a_day_out_of_reach_is_refused(text):
    with pytest.raises(InputError):
        open_day(text, NOW, "UTC", "en")


def failure(number, *, title="Read a page", times=1):
    failed = JobFailure(
        job_id=number,
        task="news.read",
        queue="news",
        object=None,
        by_input=False,
        times=times,
        reason=f"Reason {number}.",
        failed_at=NOW,
    )
    return ShownFailure(failure=failed, title=title, object=None, reason=f"Reason {number}.", is_own=False)


def test_few_failures_are_named_and_many_of_a_kind_are_one():
    few = describe_failures([failure(1), failure(2, title="Back up", times=3)])
    assert [event.sentence for event in few] == ["Back up failed 3 times", "Read a page failed"]
    [many] = describe_failures(failure(number) for number in range(1, 6))
    assert (many.sentence, many.text, many.href) == ("Read a page failed 5 times", "Reason 5.", "/failures")


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 4))))
def test_no_failure_is_lost_in_a_group(shown):
    failures = [failure(number, title=f"Task {title}", times=times) for number, (title, times) in enumerate(shown, 1)]
    events = describe_failures(failures)
    counted = sum(
        int(event.sentence.rpartition(" failed ")[2].split()[0]) if "times" in event.sentence else 1 for event in events
    )
    assert counted == sum(times for _, times in shown)


def test_mail_is_one_event_for_each_outcome():
    ended = [
        EndedMail(outcome="sent", number=2, last_at=NOW - timedelta(hours=2), reason=None),
        EndedMail(outcome="sent", number=1, last_at=NOW, reason=None),
        EndedMail(outcome="failed", number=1, last_at=NOW, reason="The mailbox is full."),
        EndedMail(outcome="unknown", number=4, last_at=None, reason=None),
    ]
    events = describe_mail(ended)
    assert [(event.sentence, event.text, event.at) for event in events] == [
        ("3 mails were sent", "", NOW),
        ("1 mail failed", "The mailbox is full.", NOW),
    ]


def test_a_reason_is_told_of_a_single_deed_and_not_as_if_of_several():
    def describe(number, name):
        action = ActionSummary(
            action="rejected", actor_id="ada", actor_name=name, number=number, last_at=NOW, why="Wrong sum."
        )
        deeds = {"rejected": Deed(lambda count: f"{count} rejected")}
        [event] = describe_actions([action], deeds, "ada")
        return event.text

    assert describe(1, "Ada") == "By you. Wrong sum."
    assert describe(4, "Ada") == "By you."
