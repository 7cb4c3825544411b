"""Packs hold every speech once, in order, within the budget; a speech that is too long is cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.desks.recap.writer.packs import CONTEXT, count_tokens, plan_packs, shrink_plan

TEXTS = st.lists(st.text(alphabet="質問。\n abc", max_size=120), min_size=1, max_size=30)


@pytest.fixture(scope="module")
def plan_of(meeting_with):
    return lambda texts, budget: (meeting := meeting_with(*texts), plan_packs(meeting, budget))


@given(TEXTS, st.integers(min_value=5, max_value=150))
def test_every_speech_is_in_the_packs_once_and_whole(plan_of, texts, budget):
    meeting, plan = plan_of(texts, budget)
    whole = {pack.orders[0]: "" for pack in plan.packs if pack.part is not None}
    for pack in plan.packs:
        if pack.part is not None:
            whole[pack.orders[0]] += meeting.by_order[pack.orders[0]].text[pack.start : pack.end]
    single = [order for pack in plan.packs for order in pack.orders if pack.part is None]
    assert sorted([*single, *whole]) == [speech.order for speech in meeting.speeches]
    assert all(meeting.by_order[order].text == text for order, text in whole.items())


@given(TEXTS, st.integers(min_value=5, max_value=150))
def test_no_pack_is_over_the_budget(plan_of, texts, budget):
    meeting, plan = plan_of(texts, budget)
    for pack in plan.packs:
        size = sum(count_tokens(meeting.by_order[order].text[pack.start : pack.end]) for order in pack.orders)
        assert size <= budget


def test_neighbours_are_shown_on_both_sides(plan_of):
    _, plan = plan_of(["あ" * 40] * 6, 80)
    middle = plan.packs[1]
    assert (middle.before, middle.orders, middle.after) == ((1, 2), (3, 4), (5, 6))
    assert plan.packs[0].before == plan.packs[-1].after == ()
    assert CONTEXT == 2


def test_one_pack_is_a_single_chunk(plan_of):
    assert plan_of(["短い。"], 100)[1].mode == "single_chunk"
    assert plan_of(["あ" * 90] * 2, 100)[1].mode == "chunked"


def test_a_speech_longer_than_the_budget_is_cut_after_a_sentence(plan_of):
    meeting, plan = plan_of(["一二三。四五六。七八九。"], 6)
    assert [meeting.by_order[1].text[pack.start : pack.end] for pack in plan.packs] == [
        "一二三。",
        "四五六。",
        "七八九。",
    ]
    assert [pack.part for pack in plan.packs] == [0, 1, 2]


def test_a_plan_that_was_too_long_is_made_smaller_until_it_can_not_be(plan_of):
    meeting, plan = plan_of(["あ" * 900] * 4, 2000)
    smaller = shrink_plan(meeting, plan)
    assert smaller.budget == 1400
    assert len(smaller.packs) > len(plan.packs)
    assert shrink_plan(meeting, smaller) is None


def test_the_key_of_a_pack_changes_with_the_record_and_the_prompt(meeting_with, plan_of):
    meeting, plan = plan_of(["質問します。"], 100)
    other = meeting_with("質問します！")
    keys = {plan.packs[0].key(meeting, "1.0"), plan.packs[0].key(meeting, "2.0"), plan.packs[0].key(other, "1.0")}
    assert len(keys) == 3
