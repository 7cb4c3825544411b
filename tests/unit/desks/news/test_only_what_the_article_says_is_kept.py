"""Headlines and points are kept where the article says them, in its own language and across translation."""

import pytest

from almanac.articles import ParsedPage
from almanac.articles.highlights import pick_highlights
from almanac.desks.news.writer.checker import StoryCheck
from almanac.desks.news.writer.composer import NoClaimVerified, StoryComposer
from almanac.desks.news.writer.step import STORY, Story, StoryInput, StoryPoint
from almanac.errors import Retryable
from almanac.llm.errors import ModelRefused, ModelUnavailable
from almanac.llm.fake import ScriptedWriter
from almanac.llm.sources import Reference, StepSource

TITLE = "Kedah opens 40 MW solar farm"
TEXT = (
    "Kedah opened a solar farm of 40 megawatts on Monday.\n\n"
    "The farm cost 120 million ringgit and supplies 9,000 homes.\n\n"
    "The state government plans two more farms by 2028, the chief minister said."
)
PAGE = ParsedPage(
    title=TITLE,
    text=TEXT,
    language="en",
    published=None,
    stated_url=None,
    country="MY",
    tags=("Solar",),
    choice=pick_highlights(TITLE, TEXT),
)


def point(text, sentence=1, en="", zh="", ms=""):
    return StoryPoint(text=text, references=(Reference(source="1", sentence=sentence),), en=en, zh=zh, ms=ms)


def story(*points, headline="", headline_zh=""):
    return Story(headline=headline, headline_en="", headline_zh=headline_zh, headline_ms="", points=points)


def kept(story):
    return StoryCheck(TITLE, TEXT, "en").kept(story)


def test_a_point_names_the_place_of_its_sentence():
    (bullet,) = kept(story(point("The farm cost 120 million ringgit and supplies 9,000 homes"))).bullets
    assert TEXT[bullet.start : bullet.end] == bullet.sentence
    assert bullet.sentence.startswith("The farm cost")


def test_a_point_with_another_number_is_dropped_with_a_reason():
    checked = kept(story(point("The farm cost 150 million ringgit and supplies 9,000 homes.")))
    assert checked.bullets == ()
    assert "150 million" in checked.dropped[0]


def test_a_point_without_a_sentence_is_dropped():
    assert kept(story(point("Kedah opened a solar farm of 40 megawatts on Monday.", sentence=99))).bullets == ()


def test_a_true_translation_is_kept_and_a_false_one_is_not():
    translated = point(
        "The farm cost 120 million ringgit and supplies 9,000 homes.",
        ms="Ladang itu menelan belanja 120 juta ringgit dan membekalkan kuasa kepada 9,000 rumah.",
        zh="该发电厂耗资3亿令吉，为9000户家庭供电。",
    )
    checked = kept(story(translated))
    assert set(checked.bullets[0].texts) == {"en", "ms"}
    assert checked.states == {"en": "original", "ms": "translated", "zh": "not translated"}


def test_a_summary_in_a_headline_column_is_dropped():
    written = story(point("x"), headline=TEXT[:100], headline_zh="吉打40兆瓦太阳能发电厂启用")
    assert kept(written).headlines == {"zh": "吉打40兆瓦太阳能发电厂启用"}


def test_extraction_is_kept_whole():
    chosen = STORY.extract(StoryInput(sources=(StepSource(id="1", text=TEXT),), choice=pick_highlights(TITLE, TEXT)))
    checked = kept(chosen)
    assert len(checked.bullets) == len(chosen.points) > 0
    assert checked.headlines == {"en": TITLE}
    assert checked.dropped == ()


async def test_a_model_that_invents_everything_is_replaced_by_extraction(clock):
    writer = ScriptedWriter(clock)
    writer.script("news_story", story(point("Perak closed 900 coal mines in 1999.")))
    written = await StoryComposer(writer, clock).compose(PAGE, 1)
    assert written.writer == "extractive"
    assert written.bullets
    assert any("Perak" in reason for reason in written.dropped)


async def test_a_model_that_declines_is_replaced_and_one_that_is_away_is_waited_for(clock):
    writer = ScriptedWriter(clock)
    writer.script("news_story", ModelRefused("model"), ModelUnavailable("model", "timed out"))
    assert (await StoryComposer(writer, clock).compose(PAGE, 1)).writer == "extractive"
    with pytest.raises(Retryable):
        await StoryComposer(writer, clock).compose(PAGE, 1)


async def test_where_nothing_holds_nothing_is_told(clock):
    writer = ScriptedWriter(clock)
    empty = ParsedPage(title="", text="", language="en", published=None, stated_url=None, country=None, tags=())
    with pytest.raises(NoClaimVerified):
        await StoryComposer(writer, clock).compose(empty, 1)
