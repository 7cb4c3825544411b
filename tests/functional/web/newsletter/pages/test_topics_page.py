"""Step 2 as a page: topics, the passages found for them, which are included, and what is out of date."""

import re

import pytest

PASSAGE = re.compile(r'name="shown" value="([^"]*)"')


async def test_topics_of_ones_own_and_recommended_ones(begin):
    desk = await begin()
    page = await desk.see("topics")
    assert "Recommended" in page
    await desk.send("topics", {"topics": ["Livestock"], "custom": "camel milk\nboreholes"}, page="topics")
    page = await desk.see("topics")
    assert "camel milk\nboreholes</textarea>" in page


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("topics/retrieve", "Choose at least one topic first"),
        ("outline/generate", "Retrieve sources first"),
        ("draft/generate", "Make an outline first"),
    ],
)
async def test_a_step_that_can_not_begin_says_why_on_its_own_page(begin, path, words):
    desk = await begin()
    answer = await desk.send(path)
    assert answer.status_code == 409
    assert words in answer.text
    assert '<div id="step"' in answer.text


async def test_passages_show_where_they_are_from_and_why(retrieved_desk):
    page = await retrieved_desk.see("topics")
    assert "Horn of Africa Observer" in page
    assert "matches" in page
    assert "By source" in page
    assert "Read the passage" in page


async def test_only_passages_that_were_shown_are_left_out(retrieved_desk):
    every = PASSAGE.findall(await retrieved_desk.see("topics"))
    livestock = PASSAGE.findall(await retrieved_desk.see("topics?topic=Livestock"))
    assert 0 < len(livestock) < len(every)
    await retrieved_desk.send("topics/chunks", {"shown": livestock, "included": livestock[1:]}, page="topics")
    unused = PASSAGE.findall(await retrieved_desk.see("topics?show=unused"))
    assert unused == livestock[:1]


async def test_a_stale_choice_changes_nothing(retrieved_desk):
    every = PASSAGE.findall(await retrieved_desk.see("topics"))
    await retrieved_desk.send("topics/chunks", {"shown": every, "included": every[1:]}, page="topics")
    answer = await retrieved_desk.send("topics/chunks", {"shown": every, "included": [], "version": "0"})
    assert answer.status_code == 409
    assert f"{len(every) - 1} of {len(every)} included" in await retrieved_desk.see("topics")


async def test_a_change_before_the_retrieval_is_told_and_may_be_kept(retrieved_desk):
    await retrieved_desk.send("topics", {"topics": ["Livestock"]}, page="topics")
    page = await retrieved_desk.see("topics")
    assert "The topics changed since the retrieval." in page
    assert "Retrieve again" in page
    await retrieved_desk.send("keep/retrieval")
    page = await retrieved_desk.see("topics")
    assert "The topics changed since the retrieval." not in page
    assert "Read the passage" in page


async def test_cancelling_nothing_is_refused(begin):
    desk = await begin()
    assert (await desk.send("cancel/retrieval")).status_code == 409
    assert (await desk.send("cancel/nonsense")).status_code == 404
    assert (await desk.send("keep/nonsense")).status_code == 404
