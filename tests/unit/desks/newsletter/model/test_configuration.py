"""Configuration: limits, aliases, how much is retrieved, and when the next issues are due."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from almanac.desks.newsletter.model.configuration import (
    Configuration,
    ConfigurationEdit,
    apply_configuration_edit,
    new_configuration,
)
from almanac.desks.newsletter.model.retrieval_plan import RetrievalPlan, describe_issue, plan_retrieval
from almanac.desks.newsletter.model.schedule import IssueSchedule, list_next_runs
from almanac.desks.newsletter.model.staleness import list_changes_since, outline_basis, retrieval_basis
from almanac.desks.newsletter.model.topics import TOPIC_TYPES, clean_topics, recommend_topics
from almanac.desks.newsletter.pages.configuration_form import build_form
from almanac.errors import FieldErrors

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def plan(**fields):
    return plan_retrieval(Configuration(title="A", **fields), NOW)


@pytest.mark.parametrize(
    ("frequency", "chunks", "days"), [("daily", 15, 2), ("weekly", 25, 14), ("monthly", 40, 45), ("quarterly", 50, 120)]
)
def test_how_much_is_retrieved_follows_the_frequency(frequency, chunks, days):
    assert plan(frequency=frequency) == RetrievalPlan(chunks, days)


@pytest.mark.parametrize(
    ("length", "chunks"),
    [("quick_read", 15), ("short", 15), ("standard", 25), ("mixed", 25), ("deep_dive", 38), ("long", 38), ("odd", 25)],
)
def test_how_much_is_retrieved_follows_the_length_and_its_aliases(length, chunks):
    assert plan(length_preference=length).chunks == chunks


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("0 7 * * *", RetrievalPlan(15, 2)),
        ("0 7 * * 1,4", RetrievalPlan(25, 14)),
        ("0 7 1,15 * *", RetrievalPlan(40, 45)),
        ("0 7 1 1,7 *", RetrievalPlan(50, 243)),
        ("0 0 30 2 *", RetrievalPlan(25, 14)),
    ],
)
def test_a_custom_rhythm_is_planned_by_the_gap_between_its_runs(rule, expected):
    assert plan(frequency="custom", schedule=IssueSchedule(rule)) == expected


def test_runs_follow_the_clocks_of_their_zone_across_summer_time():
    runs = list_next_runs(IssueSchedule("0 7 * * 0", "Europe/Berlin"), datetime(2026, 3, 20, tzinfo=UTC))
    assert [f"{run:%d %H:%M}" for run in runs] == ["22 06:00", "29 05:00", "05 05:00"]


def test_a_rule_that_never_comes_true_has_no_runs():
    assert list_next_runs(IssueSchedule("0 0 30 2 *"), NOW) == []


def test_an_alias_is_kept_as_it_is_written():
    assert new_configuration(ConfigurationEdit(title="A", length_preference="mixed")).length_preference == "mixed"


def test_an_edit_leaves_values_of_other_programs_alone():
    foreign = Configuration(title="A", frequency="fortnightly", target_audience=("donors",))
    assert apply_configuration_edit(foreign, ConfigurationEdit(title="B")).frequency == "fortnightly"
    with pytest.raises(FieldErrors):
        apply_configuration_edit(foreign, ConfigurationEdit(target_audience=("donors",)))


def test_single_tones_win_over_a_preset():
    configuration = new_configuration(ConfigurationEdit(title="A", tone_preset="expert_analysis", tone_technical=10))
    assert (configuration.tone_professional, configuration.tone_technical) == (90, 10)


def test_a_schedule_goes_with_its_frequency():
    custom = new_configuration(
        ConfigurationEdit(
            title="A", frequency="custom", schedule=IssueSchedule("30 6 * * 2", "Africa/Nairobi", active=True)
        )
    )
    monthly = apply_configuration_edit(custom, ConfigurationEdit(frequency="monthly"))
    assert monthly.schedule == IssueSchedule("0 7 1 * *", "Africa/Nairobi", active=True)
    own = IssueSchedule("0 9 3 * *", "Africa/Nairobi", active=True)
    assert (
        apply_configuration_edit(
            apply_configuration_edit(monthly, ConfigurationEdit(schedule=own)), ConfigurationEdit(title="B")
        ).schedule
        == own
    )
    assert apply_configuration_edit(custom, ConfigurationEdit(frequency="monthly", schedule=own)).schedule == own
    assert apply_configuration_edit(Configuration(title="A"), ConfigurationEdit(frequency="daily")).schedule is None


@pytest.mark.parametrize(
    ("frequency", "schedule"),
    [
        ("weekly", None),
        ("weekly", IssueSchedule("0 9 * * 3", "Africa/Nairobi", active=True)),
        ("monthly", IssueSchedule("0 7 1 * *", "UTC", active=False)),
        ("custom", IssueSchedule("15 6 2,16 * *", "UTC", active=True)),
        ("custom", IssueSchedule("*/30 6-9 * 1-6 1", "Asia/Tokyo")),
        ("fortnightly", IssueSchedule("0 7 1,15 * *", "UTC")),
    ],
)
def test_a_form_that_nobody_touched_changes_no_schedule(frequency, schedule):
    configuration = Configuration(title="A", frequency=frequency, schedule=schedule)
    wish = build_form(configuration, 1, "Africa/Nairobi").edit(configuration)
    assert wish.schedule in (None, schedule)


def test_a_custom_schedule_is_described():
    wish = ConfigurationEdit(
        title="A",
        frequency="custom",
        schedule=IssueSchedule("0 7 * * 1"),
        tone_preset="expert_analysis",
        format_type="pdf",
        target_audience=("researchers", "farmers", "myself"),
    )
    configuration = new_configuration(wish)
    assert describe_issue(configuration, plan_retrieval(configuration, NOW)) == (
        "On your own schedule: a PDF of 1,000 to 1,500 words for researchers, farmers and yourself, professional and "
        "technical, written from up to 25 sources of the last 14 days."
    )


def test_there_are_twelve_topic_types_with_names_of_their_own():
    assert len({topic.key for topic in TOPIC_TYPES}) == len({topic.name for topic in TOPIC_TYPES}) == 12
    assert clean_topics([topic.key for topic in TOPIC_TYPES]) == tuple(topic.name for topic in TOPIC_TYPES)


@pytest.mark.parametrize(
    ("given", "says"), [("🔥", "needs a word or a number"), (" ", "1 to 80"), ("x" * 81, "1 to 80")]
)
def test_a_topic_by_which_nothing_can_be_found_is_refused(given, says):
    with pytest.raises(FieldErrors) as refused:
        clean_topics(["Livestock", given])
    assert says in refused.value.fields["selected_types"]


def test_every_audience_has_recommendations():
    assert [topic.key for topic in recommend_topics(["researchers", "policy_makers"])][:2] == [
        "policy_updates",
        "research_findings",
    ]
    assert recommend_topics([]) == ()


def test_only_what_a_step_rests_on_makes_it_stale():
    before = Configuration(title="A")
    basis = retrieval_basis(before, ["Livestock"])
    retitled = Configuration(title="B", tone_technical=90)
    assert list_changes_since("retrieval", basis, retrieval_basis(retitled, ["Livestock"])) == ()
    (change,) = list_changes_since("retrieval", basis, retrieval_basis(before, ["Livestock", "Events"]))
    assert change.sentence == "The topics changed since the retrieval."
    assert list_changes_since("outline", {}, outline_basis(before, ["c1"])) == ()


def test_issues_that_prepare_themselves_make_no_retrieval_stale():
    before = Configuration(title="A")
    active = replace(before, schedule=IssueSchedule("0 7 * * 1", "Africa/Nairobi", active=True))
    assert retrieval_basis(active, []) == retrieval_basis(before, [])
    custom = replace(before, frequency="custom", schedule=IssueSchedule("0 7 * * 1,4"))
    assert retrieval_basis(replace(custom, schedule=IssueSchedule("0 7 * * 1,4", active=True)), []) == retrieval_basis(
        custom, []
    )
    assert retrieval_basis(replace(custom, schedule=IssueSchedule("0 7 1 * *")), []) != retrieval_basis(custom, [])
