"""A story as a page tells it: headline and points by language, and the article cut where its points rest on it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from almanac.desks.news.model.articles import LANGUAGES, NOT_TRANSLATED, NewsArticle
from almanac.desks.news.pages.reading import IN_ENGLISH, Reading


@dataclass(frozen=True, slots=True)
class ToldPoint:
    """One point; `number` is that of the sentence it rests on, or none where no place is known."""

    text: str
    number: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """A story in one language. `missing` is the language asked for where the story is not there in it."""

    language: str
    headline: str
    points: list[ToldPoint]
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a paragraph; `number` is that of the points that rest on it, `quoted` where an address asks for it.

    `opens` is the piece with which the sentence begins, `opens_quote` the one with which the quoted words do.
    """

    text: str
    number: int | None = None
    opens: bool = False
    quoted: bool = False
    opens_quote: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryCard:
    """A story with what is shown of it in each language that is read."""

    article: NewsArticle
    tellings: list[Telling]

    @property
    def outlets(self) -> list[str]:
        return list(dict.fromkeys(source.domain for source in self.article.sources if source.domain))


def card_of(article: NewsArticle, reading: Reading) -> StoryCard:
    """The story in the languages that are read; one that is missing in both is told once."""
    told = [telling_of(article, language) for language in reading.languages]
    return StoryCard(article=article, tellings=list({one.language: one for one in reversed(told)}.values())[::-1])


def telling_of(article: NewsArticle, language: str) -> Telling:
    """The story in a language, or in its own where it was not translated."""
    if article.states.get(language) != NOT_TRANSLATED and article.bullets.get(language):
        return Telling(language=language, headline=article.headline(language), points=_points(article, language))
    own = article.language or next((name for name in LANGUAGES if article.bullets.get(name)), "")
    points = _points(article, own) or [ToldPoint(line, None) for line in _lines(article.content)]
    return Telling(
        language=own,
        headline=article.headline(own),
        points=points,
        missing=IN_ENGLISH[language] if language != own else "",
    )


def paragraphs(article: NewsArticle, quote: tuple[int, int] | None = None) -> list[list[Piece]]:
    """The words of the article by paragraph, cut so that what a point rests on, or an address quotes, is a piece."""
    shown: list[list[Piece]] = [[]]
    for piece in _pieces(article, quote or (0, 0)):
        first, *others = piece.text.split("\n")
        shown[-1].append(replace(piece, text=first))
        shown += [[replace(piece, text=text, opens=False, opens_quote=False)] for text in others]
    cleaned = ([piece for piece in one if piece.text] for one in shown)
    return [one for one in cleaned if any(piece.text.strip() for piece in one)]


def _pieces(article: NewsArticle, quote: tuple[int, int]) -> Iterator[Piece]:
    text, places = article.article, _places(article)
    edges = {0, len(text), *(edge for place in places for edge in place), *(edge for edge in quote if edge < len(text))}
    for start, end in pairwise(sorted(edges)):
        number = next((at for at, place in enumerate(places, 1) if place[0] <= start < place[1]), None)
        yield Piece(
            text[start:end],
            number,
            opens=number is not None and places[number - 1][0] == start,
            quoted=quote[0] <= start < quote[1],
            opens_quote=quote[0] == start < quote[1],
        )


def _places(article: NewsArticle) -> list[tuple[int, int]]:
    """Where the points rest, in the order of the article; of places that overlap, the first."""
    found: list[tuple[int, int]] = []
    for start, end in sorted({(point.start, point.end) for point in article.points}):
        if start < end <= len(article.article) and (not found or start >= found[-1][1]):
            found.append((start, end))
    return found


def _points(article: NewsArticle, language: str) -> list[ToldPoint]:
    numbers = {place: number for number, place in enumerate(_places(article), 1)}
    told = [
        ToldPoint(point.texts[language], numbers.get((point.start, point.end)))
        for point in article.points
        if point.texts.get(language)
    ]
    return told or [ToldPoint(line, None) for line in article.bullets.get(language, ())]


def _lines(text: str) -> Sequence[str]:
    lines = (line.strip().lstrip("-•* ") for line in text.splitlines())
    return [line for line in lines if line]
