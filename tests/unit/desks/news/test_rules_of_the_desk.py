"""Schedules, headlines, waits, prompts: the desk's small rules."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from almanac.desks.news.model.articles import is_headline
from almanac.desks.news.model.backoff import block_duration, host_retry_delay, link_retry_delay
from almanac.desks.news.model.rules import CompiledRule, NewsRule, apply_rules
from almanac.desks.news.model.tasks import (
    TASK_TEMPLATES,
    LinkSource,
    LinkSourceKind,
    Scorecard,
    TaskEdit,
    check_task_edit,
    fill_prompt,
    next_run,
    parse_schedule,
)
from almanac.errors import FieldErrors, InputError
from almanac.search import SearchDocument, parse_query

MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("schedule", "zone", "due"),
    [
        ("hourly", "UTC", datetime(2026, 3, 2, 10, 0, tzinfo=UTC)),
        ("daily", "Asia/Kuala_Lumpur", datetime(2026, 3, 2, 22, 0, tzinfo=UTC)),
        ("*/15 * * * *", "UTC", datetime(2026, 3, 2, 9, 15, tzinfo=UTC)),
        ("", "UTC", None),
        ("manual", "UTC", None),
    ],
)
def test_a_schedule_is_a_real_one_in_its_zone(schedule, zone, due):
    assert next_run(schedule, zone, MONDAY) == due


def test_a_schedule_that_means_nothing_is_refused():
    with pytest.raises(InputError):
        parse_schedule("every now and then", "UTC")
    with pytest.raises(InputError):
        parse_schedule("hourly", "Mars/Olympus")


@pytest.mark.parametrize(
    "text", ["Kedah opens solar farm", "马来西亚批准新太阳能项目", "EV sales double", "TNB naikkan tarif 3%"]
)
def test_headlines_pass(text):
    assert is_headline(text)


@pytest.mark.parametrize(
    "text",
    [
        "Solar",
        "The ministry said on Monday that it would build the farm in Kedah next year",
        "A farm opens. It is large",
        "Farm opens in Kedah.",
        "Farm opens\nin Kedah",
        "能源部星期一宣布将在吉打州兴建一座五百兆瓦的太阳能发电厂并为十万户家庭供电",
        "",
    ],
)
def test_summaries_do_not_pass_for_headlines(text):
    assert not is_headline(text)


def test_waits_grow_and_respect_what_the_host_asks():
    waits = [link_retry_delay(attempts).total_seconds() for attempts in (1, 3, 5)]
    assert waits[0] < waits[1] < waits[2]
    assert link_retry_delay(1, asked=900) >= timedelta(seconds=900)


def test_one_failure_is_no_reason_to_leave_a_host_alone():
    assert host_retry_delay(1) == timedelta(0)
    assert timedelta(0) < host_retry_delay(4) < host_retry_delay(12)


def test_a_block_ends_and_grows_with_each_strike():
    assert [block_duration(strikes).days for strikes in (1, 2, 3, 40)] == [1, 2, 4, 30]


def test_there_are_eight_templates_with_real_schedules():
    assert len({template.name for template in TASK_TEMPLATES}) == 8
    assert all(parse_schedule(template.schedule, "UTC") for template in TASK_TEMPLATES)


def test_a_prompt_is_filled_with_the_day_of_the_run():
    assert fill_prompt("solar {month} {today} {year} {other}", MONDAY) == "solar March 2026 2 March 2026 2026 {other}"


def test_the_price_of_an_article_counts_only_those_that_became_readable():
    card = Scorecard(found=9, added=8, duplicate=1, blocked=1, failed=3, completed=4, waiting=0, cost=0.2)
    assert card.cost_per_article == pytest.approx(0.05)
    assert replace(card, completed=0).cost_per_article is None


def test_every_wrong_field_of_a_task_gets_its_sentence():
    wrong = TaskEdit(
        task_name=" ",
        prompt_template="",
        schedule="often",
        sources=(LinkSource(kind=LinkSourceKind.FEED, address="nowhere"),),
    )
    with pytest.raises(FieldErrors) as refusal:
        check_task_edit(wrong, default_zone="UTC")
    assert set(refusal.value.fields) == {"task_name", "prompt_template", "schedule", "sources"}


def rule(action, query, tag=None):
    made = NewsRule(id=1, name=f"{action} {query}", action=action, query=query, tag=tag, is_active=True, version=1)
    return CompiledRule(made, parse_query(query, ["tag", "country", "source"]))


def test_rules_exclude_include_and_tag():
    article = SearchDocument(
        kind="news",
        id="1",
        title="Kedah opens solar farm",
        path="",
        body="The farm has 40 megawatts.",
        facets={"country": ("MY",), "tag": ("Solar",)},
    )
    assert apply_rules([], article).excluded_because is None
    assert "excludes it" in apply_rules([rule("exclude", "farm country:MY")], article).excluded_because
    assert apply_rules([rule("exclude", "farm country:SG")], article).excluded_because is None
    assert (
        apply_rules([rule("include", "wind")], article).excluded_because
        == "It matches none of the rules that include articles."
    )
    assert apply_rules([rule("include", "wind"), rule("include", "title:solar")], article).excluded_because is None
    assert apply_rules([rule("tag", "megawatts", "Large"), rule("tag", "wind", "Wind")], article).tags == ("Large",)
