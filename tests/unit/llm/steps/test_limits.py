"""Every step holds an answer to what its input asks for, and says of the rest why it isn't used."""

import pytest
from pydantic import ValidationError

from almanac.desks.news.writer.step import STORY, Story, StoryInput, StoryPoint
from almanac.desks.recap.writer.limits import MOST_KEYWORDS, MOST_POINTS, MOST_SENTENCES
from almanac.desks.recap.writer.notes import DialogNote, KeywordNote, LevelNotes, MiddleNote, PackNotes, PointNote
from almanac.desks.recap.writer.steps import RECAP_PACK, RECAP_WHOLE
from almanac.llm.answer import DroppedSentence
from almanac.llm.extractive.outlines import OutlineTopic, PlannedItem, PlannedSection
from almanac.llm.sources import Cited, Reference, StepSource
from almanac.llm.steps.outlines import (
    DRAFT_SECTION,
    OUTLINE,
    DraftedSection,
    DraftParagraph,
    DraftSectionInput,
    Outline,
    OutlineInput,
    OutlineItem,
    OutlineSection,
)
from almanac.llm.steps.summaries import (
    BULLETS,
    HEADLINE,
    KEY_POINTS,
    KEYWORDS,
    PLAIN_SUMMARY,
    SUMMARY,
    Bullets,
    BulletsInput,
    Headline,
    HeadlineInput,
    KeyPoints,
    KeyPointsInput,
    Keyword,
    Keywords,
    KeywordsInput,
    PlainSummary,
    PlainSummaryInput,
    Summary,
    SummaryInput,
)

SOURCES = (StepSource(id="a", text="The dam opened."),)
HERE = (Reference(source="a"),)
LONG = "The old dam, which many in the valley had feared for years, was opened by the minister on a wet Monday."


def cited(*texts):
    return tuple(Cited(text=text, references=HERE) for text in texts)


def numbered(count, words="Dam number {} was opened today."):
    return cited(*(words.format(number) for number in range(count)))


def texts(parts):
    return [part.text for part in parts]


@pytest.mark.parametrize(
    ("step", "given", "answer", "field"),
    [
        (SUMMARY, SummaryInput(sources=SOURCES, sentences=3), Summary(sentences=numbered(5)), "sentences"),
        (
            PLAIN_SUMMARY,
            PlainSummaryInput(sources=SOURCES, sentences=3),
            PlainSummary(sentences=numbered(5)),
            "sentences",
        ),
        (KEY_POINTS, KeyPointsInput(sources=SOURCES, points=3), KeyPoints(points=numbered(5)), "points"),
        (BULLETS, BulletsInput(sources=SOURCES, bullets=3), Bullets(bullets=numbered(5)), "bullets"),
        (
            KEYWORDS,
            KeywordsInput(sources=SOURCES, keywords=3),
            Keywords(keywords=tuple(Keyword(text=f"dam {n}", priority="low", references=HERE) for n in range(5))),
            "keywords",
        ),
        (
            STORY,
            StoryInput(sources=SOURCES, bullets=3),
            Story(
                headline="Dam opens",
                headline_en="",
                headline_zh="",
                headline_ms="",
                points=tuple(StoryPoint(text=c.text, references=HERE, en="", zh="", ms="") for c in numbered(5)),
            ),
            "points",
        ),
    ],
)
def test_only_so_many_parts_are_kept(step, given, answer, field):
    limited = step.review(given, answer)
    assert getattr(limited.output, field) == getattr(answer, field)[:3]
    assert texts(limited.dropped) == texts(getattr(answer, field)[3:])
    assert all(dropped.reason.startswith("Only 3 ") for dropped in limited.dropped)


def test_an_answer_within_the_limits_is_left_alone():
    answer = Summary(sentences=numbered(3))
    limited = SUMMARY.review(SummaryInput(sources=SOURCES, sentences=3, words=20), answer)
    assert (limited.output, limited.dropped) == (answer, ())


def test_a_bullet_that_is_too_long_goes_and_the_next_takes_its_place():
    given = BulletsInput(sources=SOURCES, bullets=1, words=10)
    limited = BULLETS.review(given, Bullets(bullets=cited(LONG, "The dam opened.")))
    assert texts(limited.output.bullets) == ["The dam opened."]
    assert limited.dropped == (DroppedSentence(LONG, "It is longer than the 10 words asked for."),)


def test_words_of_a_whole_text():
    limited = SUMMARY.review(SummaryInput(sources=SOURCES, sentences=9, words=12), Summary(sentences=numbered(5)))
    assert len(limited.output.sentences) == 3
    assert {dropped.reason for dropped in limited.dropped} == {"The text is already as long as the 12 words asked for."}


def test_japanese_is_counted_by_characters():
    short, long = (
        "ダムが完成しました。",
        "県は月曜日に新しいダムが完成したと発表し、式典には多くの住民が集まりました。" * 2,
    )
    limited = BULLETS.review(
        BulletsInput(sources=SOURCES, words=20), Bullets(bullets=cited(short, long.replace("。", "、")))
    )
    assert texts(limited.output.bullets) == [short]


def test_a_headline_that_is_too_long_is_none():
    limited = HEADLINE.review(HeadlineInput(sources=SOURCES, words=8), Headline(text=LONG, references=HERE))
    assert limited.output.is_empty
    assert texts(limited.dropped) == [LONG]


def item(title):
    return OutlineItem(title=title, description=None, topic="", references=HERE)


def test_an_outline_has_the_sections_and_items_asked_for():
    given = OutlineInput(
        sources=SOURCES,
        sections=(PlannedSection(name="News", items=1),),
        topics=(OutlineTopic(name="dams", sources=("a",)),),
    )
    answer = Outline(
        sections=(
            OutlineSection(name="News", items=(item("Dam opens"), item("Dam closes"))),
            OutlineSection(name="Sport", items=(item("Cup final"),)),
        )
    )
    limited = OUTLINE.review(given, answer)
    assert [(section.name, len(section.items)) for section in limited.output.sections] == [("News", 1)]
    assert texts(limited.dropped) == ["Dam closes", "Sport"]


def test_a_drafted_section_has_a_paragraph_per_item_and_repeats_nothing_of_the_draft():
    given = DraftSectionInput(
        sources=SOURCES, title="News", items=(PlannedItem(title="Dam"),), words=8, used=("The dam opened on Monday.",)
    )
    answer = DraftedSection(
        paragraphs=(
            DraftParagraph(item=0, sentences=cited("the dam opened on Monday", *texts(numbered(3)))),
            DraftParagraph(item=0, sentences=cited("A second paragraph.")),
            DraftParagraph(item=4, sentences=cited("A fifth item.")),
        )
    )
    limited = DRAFT_SECTION.review(given, answer)
    (paragraph,) = limited.output.paragraphs
    assert texts(paragraph.sentences) == texts(numbered(2))
    reasons = {dropped.text: dropped.reason for dropped in limited.dropped}
    assert reasons == {
        "the dam opened on Monday": "It already stands elsewhere in the draft.",
        "Dam number 2 was opened today.": "The text is already as long as the 8 words asked for.",
        "A second paragraph.": "The outline has no further item for this paragraph.",
        "A fifth item.": "The outline has no further item for this paragraph.",
    }


def note(order, summary):
    return DialogNote(speech=str(order), reaction="意見", summary=summary, sections=(), answers=())


def test_a_recap_takes_what_its_prompts_ask_for():
    keywords = tuple(KeywordNote(keyword=f"水{n}", priority="low") for n in range(MOST_KEYWORDS + 2))
    limited = RECAP_PACK.review(None, PackNotes(dialogs=(note(1, "はい。"),), keywords=keywords, terms=()))
    assert (len(limited.output.keywords), len(limited.dropped)) == (MOST_KEYWORDS, 2)

    many = numbered(MOST_SENTENCES + 1)
    points = tuple(PointNote(text=each.text, references=HERE, kind="other") for each in many)
    levels = LevelNotes(
        title="水",
        description="",
        categories=(),
        key_points=points,
        summary=many,
        soft_language_summary=many,
        middle_summary=(MiddleNote(title="質疑", sentences=many),),
    )
    kept = RECAP_WHOLE.review(None, levels)
    assert len(kept.output.key_points) == MOST_POINTS
    assert {
        len(kept.output.summary),
        len(kept.output.soft_language_summary),
        len(kept.output.middle_summary[0].sentences),
    } == {MOST_SENTENCES}
    assert len(kept.dropped) == len(many) - MOST_POINTS + 3


REPEATED = "水道の広域化に三百二十億円を充てます。"


@pytest.mark.parametrize(
    ("step", "answer"),
    [
        (SUMMARY, Summary(sentences=cited("The dam opened on Monday.", "The dam opened on Monday"))),
        (SUMMARY, Summary(sentences=cited(f"{REPEATED}式典がありました。{REPEATED}"))),
        (
            DRAFT_SECTION,
            DraftedSection(
                paragraphs=tuple(DraftParagraph(item=n, sentences=cited("The dam opened on Monday.")) for n in (0, 1))
            ),
        ),
        (RECAP_PACK, PackNotes(dialogs=(note(1, REPEATED * 2),), keywords=(), terms=())),
    ],
)
def test_a_repeated_sentence_is_refused(step, answer):
    with pytest.raises(ValidationError, match="stands twice"):
        step.review(None, answer)


def test_two_speeches_may_say_the_same():
    notes = PackNotes(dialogs=(note(1, REPEATED), note(2, REPEATED)), keywords=(), terms=())
    assert RECAP_PACK.review(None, notes).output == notes


def test_an_overview_may_name_what_a_later_section_has():
    sections = tuple(
        OutlineSection(name=name, items=(item("The new dam opens on Monday"),)) for name in ("In short", "News")
    )
    planned = tuple(PlannedSection(name=section.name, items=1) for section in sections)
    given = OutlineInput(sources=SOURCES, sections=planned, topics=())
    assert OUTLINE.review(given, Outline(sections=sections)).dropped == ()
