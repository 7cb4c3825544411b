"""Outlines and drafts: bound to their topics, their pinned sources and their order."""

from almanac.llm.extractive.outlines import OutlineTopic, PlannedItem, PlannedSection, extract_draft, extract_outline
from almanac.llm.extractive.source_parser import count_words


def test_a_section_takes_items_from_its_topics_in_turn(articles):
    sources = [articles(f"en/{n:02}") for n in (1, 3, 6, 10)]
    topics = [
        OutlineTopic(name="Energy", sources=("en/01", "en/06")),
        OutlineTopic(name="Food", sources=("en/03", "en/10", "missing")),
    ]
    (items,) = extract_outline(sources, [PlannedSection(name="Main", topics=("Energy", "Food"), items=3)], topics)
    assert [(item.topic, item.references[0].source) for item in items] == [
        ("Energy", "en/01"),
        ("Food", "en/03"),
        ("Energy", "en/06"),
    ]
    assert items[0].title == "Solar rooftops to be compulsory on new public buildings"
    assert items[0].description
    assert items[0].description.references[0].source == "en/01"


def test_a_source_is_told_in_one_section_only_and_the_opening_gives_an_overview(articles):
    sources = [articles("en/01"), articles("en/09")]
    sections = [
        PlannedSection(name="Introduction", items=1),
        PlannedSection(name="News", topics=("Policy",)),
        PlannedSection(name="Energy and climate"),
        PlannedSection(name="Conclusion"),
    ]
    topics = [
        OutlineTopic(name="Policy", sources=("en/09", "en/01")),
        OutlineTopic(name="Energy", sources=("en/01",)),
    ]
    introduction, news, energy, conclusion = extract_outline(sources, sections, topics)
    assert [reference.source for reference in introduction[0].references] == ["en/09"]
    assert [item.references[0].source for item in news] == ["en/09", "en/01"]
    assert energy == conclusion == []


def test_a_topic_that_no_section_names_goes_where_the_words_fit(articles):
    sections = [PlannedSection(name="Introduction"), PlannedSection(name="News"), PlannedSection(name="Funding calls")]
    outline = extract_outline([articles("en/05")], sections, [OutlineTopic(name="Funding", sources=("en/05",))])
    assert [len(items) for items in outline] == [1, 0, 1]


def test_sources_with_nothing_to_tell_make_no_item():
    assert extract_outline([], [PlannedSection(name="News")], [OutlineTopic(name="Any", sources=("gone",))]) == [[]]


def test_a_paragraph_rests_on_its_pinned_sources_in_their_order(articles):
    sources = [articles("en/01"), articles("en/09"), articles("en/05")]
    items = [
        PlannedItem(title="Strike ends", sources=("en/05",)),
        PlannedItem(title="Laws and roofs", sources=("en/09", "en/01")),
    ]
    first, second = extract_draft(sources, items, words=220)
    assert {cited.references[0].source for cited in first} == {"en/05"}
    assert list(dict.fromkeys(cited.references[0].source for cited in second)) == ["en/09", "en/01"]


def test_a_draft_comes_near_the_wanted_length(articles):
    sources = [articles("en/01"), articles("en/10")]
    items = [PlannedItem(title="Roofs", sources=("en/01",)), PlannedItem(title="Drought", sources=("en/10",))]
    written = extract_draft(sources, items, words=200)
    assert 160 <= sum(count_words(cited.text) for paragraph in written for cited in paragraph) <= 240


def test_what_is_told_elsewhere_is_not_told_again(articles):
    sources, items = [articles("ms/01")], [PlannedItem(title="Sekolah", sources=("ms/01",))]
    (before,) = extract_draft(sources, items, words=60)
    (after,) = extract_draft(sources, items, words=60, used=[cited.text for cited in before])
    assert before
    assert after
    assert not {cited.references for cited in before} & {cited.references for cited in after}


def test_an_item_about_one_thing_takes_the_sentences_about_it(articles):
    (written,) = extract_draft(
        [articles("en/08")], [PlannedItem(title="Air conditioning in districts and homes")], words=40
    )
    assert any("Air conditioning" in cited.text or "districts" in cited.text for cited in written)


def test_two_items_on_one_source_share_nothing(articles):
    items = [PlannedItem(title="Rates", sources=("en/02",)), PlannedItem(title="Markets", sources=("en/02",))]
    first, second = extract_draft([articles("en/02")], items, words=120)
    assert not {cited.references for cited in first} & {cited.references for cited in second}
