"""A story as the source reader shows it: its points in one language, each with the article and the words in it."""

from collections.abc import Iterator

from almanac.desks.news.model.articles import LANGUAGES, NOT_TRANSLATED, NewsArticle
from almanac.desks.news.urls import story_path
from almanac.kit.catalogs import LANGUAGE_NAMES
from almanac.kit.messages import gettext
from almanac.reader.model import DocumentPart, ReadableDocument, ReadableSentence, ReadableSource, sentence_key
from almanac.verify import Verdict

KIND = "story"
NAMES = {"en": LANGUAGE_NAMES["en"], "zh": "中文", "ms": LANGUAGE_NAMES["ms"]}


def build_readable_story(article: NewsArticle, language: str) -> ReadableDocument:
    """The points in a language, or in the story's own where it isn't translated into that."""
    languages = [code for code in LANGUAGES if _has_points(article, code)]
    shown = language if language in languages else article.language
    if shown not in languages and languages:
        shown = languages[0]
    return ReadableDocument(
        desk="news",
        id=str(article.id),
        kind=KIND,
        title=article.headline(shown),
        path=story_path(article.id),
        sentences=tuple(_sentences(article, shown)),
        language=shown,
        part=shown,
        parts=tuple(DocumentPart(code, NAMES[code], code) for code in languages),
    )


def _has_points(article: NewsArticle, language: str) -> bool:
    return article.states.get(language) != NOT_TRANSLATED and bool(article.bullets.get(language))


def _sentences(article: NewsArticle, language: str) -> Iterator[ReadableSentence]:
    """Points with their place in the article; those that another program wrote have none and were never compared."""
    own = article.language
    points = [point for point in article.points if point.texts.get(language) or point.texts.get(own)]
    for point in points:
        text = point.texts.get(language) or point.texts[own]
        sources = (_source(article, ((point.start, point.end),)),)
        yield ReadableSentence(
            key=sentence_key(text, sources),
            text=text,
            language=language if point.texts.get(language) else own,
            sources=sources,
            verdict=Verdict.SUPPORTED,
            judged_by=point.judged_by,
        )
    for text in () if points else article.bullets.get(language, ()):
        sources = (_source(article, None),)
        yield ReadableSentence(
            key=sentence_key(text, sources),
            text=text,
            language=language,
            sources=sources,
            reason=gettext("Another program wrote this and nothing was compared with the article."),
        )


def _source(article: NewsArticle, spans: tuple[tuple[int, int], ...] | None) -> ReadableSource:
    return ReadableSource(
        title=article.title,
        text=article.article,
        spans=spans,
        path=story_path(article.id),
        url=article.url if article.url.startswith(("http://", "https://")) else "",
        language=article.language,
        is_gone=not article.article,
    )
