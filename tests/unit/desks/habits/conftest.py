"""Histories in few words."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from almanac.desks.habits.model.goal import Goal
from almanac.desks.habits.model.history import HabitHistory, HabitRule
from almanac.desks.habits.model.schedule import HabitSchedule
from almanac.desks.habits.model.stats import compute_stats

TODAY = date(2026, 3, 2)


def days_before(number, today=TODAY):
    return today - timedelta(days=number)


@pytest.fixture
def today():
    return TODAY


@pytest.fixture
def ago():
    """The day so many days before today."""
    return days_before


@pytest.fixture
def history():
    """A history in which some days, given as days before today or as dates, are done."""

    def make(*done, since=30, schedule=None, goal=None, rules=None, **more):
        first = since if isinstance(since, date) else days_before(since)
        rules = rules or (HabitRule(first, HabitSchedule(**(schedule or {})), Goal(**(goal or {}))),)
        log = {day if isinstance(day, date) else days_before(day): Decimal(1) for day in done}
        return HabitHistory(rules=rules, log=log | more.pop("amounts", {}), **more)

    return make


@pytest.fixture
def stands():
    """The standing of a history today."""

    def at(past, today=TODAY):
        return compute_stats(past, today)

    return at
