"""What a retrieval chooses: by relevance, without duplicates, limited per source, and with a reason for the rest."""

import datetime as dt
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from almanac.citations.model import Passage, PassageLocation
from almanac.desks.newsletter.model.retrieval_plan import RetrievalPlan
from almanac.desks.newsletter.model.selection import RetrievalRequest, keep_cited_chunks, select_chunks

TODAY = dt.date(2026, 3, 2)
CLIMATE, LIVESTOCK = "Climate-Smart Agriculture", "Livestock"


def passage(name, text, *, source="Observer", days=1, title=""):
    place = PassageLocation(desk="knowledge", item=source, part=name, end=len(text))
    return Passage(
        id=name, text=text, title=title or name, source=source, place=place, date=TODAY - dt.timedelta(days=days)
    )


def wanted(*topics, chunks=10, focus="", used=None):
    return RetrievalRequest(
        topics=topics or (CLIMATE, LIVESTOCK),
        plan=RetrievalPlan(chunks, 14),
        today=TODAY,
        focus=focus,
        used_before=used or {},
    )


def chosen(passages, **wish):
    return {chunk.id: chunk for chunk in select_chunks(passages, wanted(**wish)).chunks}


def test_a_chunk_belongs_to_the_topic_it_speaks_of_most():
    selection = chosen(
        [
            passage("a", "Drought and low rainfall dried the soil; cattle suffered."),
            passage("b", "Cattle, camels and goats were vaccinated by herders before the drought."),
        ]
    )
    assert (selection["a"].topic, selection["b"].topic) == (CLIMATE, LIVESTOCK)


def test_what_speaks_of_no_topic_is_dropped_with_the_reason():
    result = select_chunks([passage("a", "The museum opened a new hall.")], wanted())
    assert result.chunks == ()
    assert [dropped.reason for dropped in result.coverage.dropped] == ["It mentions none of the topics."]
    assert result.coverage.empty_topics == (CLIMATE, LIVESTOCK)


def test_the_same_story_is_taken_once():
    text = "Cattle died in the drought near Moyale, and herders moved their camels south to pasture."
    result = select_chunks(
        [passage("a", text, title="First"), passage("b", text + " Officials met.", days=3)], wanted()
    )
    assert [chunk.id for chunk in result.chunks] == ["a"]
    assert result.coverage.dropped[0].reason == "It says the same as “First”."


def test_a_short_report_is_not_the_same_as_a_long_one_that_happens_to_have_its_words():
    long = (
        "Livestock Tech Review reports that sellers in Marsabit received 9 percent more. Officials receive a fee of 30 "
        "shillings for every animal. Cattle are weighed, and the service takes 4 percent of the price by telephone."
    )
    short = "Livestock prices in Garissa rose by 30 percent."
    assert chosen([passage("a", long), passage("b", short, source="Other")]).keys() == {"a", "b"}


def test_a_report_told_in_other_words_here_and_there_is_the_same():
    report = "Cattle died in the drought near Moyale on Monday, and herders moved their camels south to better pasture."
    two = "Officials said cattle died in the drought near Moyale, and herders moved camels south to better pasture."
    assert len(chosen([passage("a", report), passage("b", two, source="Other")])) == 1


def story(n):
    return f"Cattle and camels number {n} grazed at village{n} where pasture{n} and herders{n} met elder{n} of clan{n}."


def test_one_source_does_not_crowd_out_the_others():
    loud = [passage(f"a{n}", story(n), source="Loud") for n in range(12)]
    quiet = [passage(f"b{n}", story(100 + n), source=f"Quiet {n}", days=9) for n in range(6)]
    result = select_chunks([*loud, *quiet], wanted(LIVESTOCK, chunks=10))
    taken = {entry.source: entry.chunks for entry in result.coverage.sources}
    assert taken == {"Loud": 4, **{f"Quiet {n}": 1 for n in range(6)}}
    assert {entry.reason for entry in result.coverage.dropped} == {"Enough passages from “Loud” are already included."}


def test_a_lonely_source_may_fill_free_places():
    assert len(chosen([passage(f"a{n}", story(n)) for n in range(9)], chunks=10)) == 9


def test_a_loud_topic_leaves_room_for_the_others():
    herds = [passage(f"a{n}", story(n), source=f"S{n}") for n in range(20)]
    dry = [passage("dry", "The drought eased.", days=13, source="Dry")]
    assert "dry" in chosen([*herds, *dry], chunks=6)


def test_fresh_chunks_and_those_about_the_region_come_first():
    old = passage("old", "Rainfall was low and the drought went on.", days=13)
    new = passage("new", "Rainfall was high and the harvest of soil data grew.", days=0)
    near = passage("near", "Rainfall in Somalia was uneven while climate talks went on.", days=13)
    selection = chosen([old, new, near], focus="Somalia, Kenya")
    assert selection["new"].score > selection["old"].score
    assert selection["near"].score > selection["old"].score
    assert "mentions Somalia" in selection["near"].why


def test_what_was_used_before_is_flagged_and_comes_later():
    text = "Rainfall was low and the drought went on in {}."
    selection = chosen(
        [passage("a", text.format("Wajir")), passage("b", "Drought and low rainfall: herds moved.")],
        used={"a": ("NL-20260101-AAAA",)},
    )
    assert selection["a"].used_in == ("NL-20260101-AAAA",)
    assert selection["a"].why.endswith("was used before in NL-20260101-AAAA.")


def test_custom_topics_are_found_by_their_own_words():
    (chunk,) = select_chunks([passage("a", "Camel milk sells well.")], wanted("Camel milk")).chunks
    assert chunk.topic == "Camel milk"


def test_chunks_that_are_still_cited_outlive_a_retrieval():
    old = select_chunks([passage("a", story(1)), passage("b", story(2))], wanted()).chunks
    new = select_chunks([passage("c", story(3))], wanted()).chunks
    assert [chunk.id for chunk in keep_cited_chunks(old, new, {"b", "x"})] == ["c", "b"]


def test_the_report_counts_as_people_do():
    passages = [passage("a", story(1)), passage("b", "A museum opened.")]
    assert select_chunks(passages, wanted()).coverage.sentence == "1 of 2 passages found was selected, from 1 source."
    again = select_chunks(passages, wanted(used={"a": ("NL-20260101-AAAA",)})).coverage
    assert again.sentence.endswith("from 1 source; none are new and 1 was used before.")


def test_only_an_address_of_the_web_is_a_link():
    (chunk,) = select_chunks([passage("a", story(1))], wanted()).chunks
    assert replace(chunk, url="https://igad.int/study").link == "https://igad.int/study"
    assert replace(chunk, url="javascript:alert(1)").link == ""


TEXTS = st.lists(st.sampled_from(["drought", "rainfall", "cattle", "camels", "museum", "border"]), max_size=12)


@given(st.lists(st.tuples(TEXTS, st.sampled_from("ABC"), st.integers(0, 14)), max_size=40), st.integers(1, 12))
def test_the_report_always_adds_up(given_passages, chunks):
    passages = [
        passage(f"p{n}", " ".join(words) + f" {n}", source=source, days=days)
        for n, (words, source, days) in enumerate(given_passages)
    ]
    result = select_chunks(passages, wanted(chunks=chunks))
    coverage = result.coverage
    assert coverage.found == len(passages) == coverage.taken + len(coverage.dropped)
    assert coverage.taken == len(result.chunks) <= chunks
    assert sum(share.chunks for share in coverage.sources) == coverage.taken
    assert all(0 < chunk.score <= 1 for chunk in result.chunks)
    assert select_chunks(reversed(passages), wanted(chunks=chunks)).chunks == result.chunks
