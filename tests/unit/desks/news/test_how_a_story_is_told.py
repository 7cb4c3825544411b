"""A story on its page: in the language asked for or plainly not, and its article cut at the sentences behind points."""

from dataclasses import replace

from almanac.desks.news.model.articles import Bullet, NewsArticle
from almanac.desks.news.pages.story_view import (
    ArticlePiece,
    ReadingLanguages,
    build_story_card,
    split_paragraphs,
    story_version,
)

TEXT = "The dam is full. It rained.\nThe turbines run."


def bullet(sentence, **texts):
    start = TEXT.index(sentence)
    return Bullet(sentence=sentence, start=start, end=start + len(sentence), texts=texts)


STORY = NewsArticle(
    id=1,
    url="https://a.example/1",
    domain="a.example",
    source_task=None,
    title="Dam full",
    titles={"en": "Dam full", "ms": "Empangan penuh"},
    content="- The dam is full.",
    bullets={"en": ["The turbines run.", "The dam is full."], "ms": ["Empangan penuh."]},
    states={"en": "original", "ms": "translated", "zh": "not translated"},
    tags=[],
    country=None,
    news_date=None,
    language="en",
    points=(
        bullet("The turbines run.", en="The turbines run."),
        bullet("The dam is full.", en="The dam is full.", ms="Empangan penuh."),
    ),
    article=TEXT,
    cluster=1,
    metadata={},
    discovered_at=None,
    processed_at=None,
)


def test_the_article_is_cut_where_points_rest_on_it():
    assert split_paragraphs(STORY) == [
        [ArticlePiece("The dam is full.", 1, opens=True), ArticlePiece(" It rained.")],
        [ArticlePiece("The turbines run.", 2, opens=True)],
    ]


def test_a_point_that_isnt_translated_stands_in_the_language_of_the_article():
    points = story_version(replace(STORY, states={**STORY.states, "ms": "partly translated"}), "ms").points
    assert [(point.text, point.language) for point in points] == [("The turbines run.", "en"), ("Empangan penuh.", "")]


def test_points_name_the_place_of_their_sentence_in_the_article():
    version = story_version(STORY, "en")
    assert [(point.text, point.number) for point in version.points] == [
        ("The turbines run.", 2),
        ("The dam is full.", 1),
    ]
    assert (story_version(STORY, "ms").headline, version.missing) == ("Empangan penuh", "")


def test_what_was_not_translated_is_told_in_its_own_language_once():
    (version,) = build_story_card(STORY, ReadingLanguages("zh", "en")).versions
    assert (version.language, version.headline, version.missing) == ("en", "Dam full", "Chinese")


def test_places_that_overlap_or_lie_outside_break_nothing():
    wild = Bullet(sentence="?", start=4, end=9000, texts={"en": "Wild."})
    inside = Bullet(sentence="dam", start=4, end=7, texts={"en": "Inside."})
    story = replace(STORY, points=(*STORY.points, wild, inside))
    assert split_paragraphs(story) == split_paragraphs(STORY)
    assert [point.number for point in story_version(story, "en").points] == [2, 1, None, None]


def test_rows_of_other_programs_are_told_by_their_content():
    foreign = replace(STORY, points=(), bullets={}, states={}, language="", article="")
    version = story_version(foreign, "en")
    assert ([point.text for point in version.points], split_paragraphs(foreign)) == (["The dam is full."], [])
