"""A story as a page tells it: headline and points by language, and the article cut where its points rest on it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from almanac.desks.news.model.articles import LANGUAGES, NOT_TRANSLATED, Article
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
    """A part of a paragraph; `number` is that of the points that rest on it."""

    text: str
    number: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryCard:
    """A story with what is shown of it in each language that is read."""

    article: Article
    tellings: list[Telling]

    @property
    def outlets(self) -> list[str]:
        return list(dict.fromkeys(source.domain for source in self.article.sources if source.domain))


def card_of(article: Article, reading: Reading) -> StoryCard:
    """The story in the languages that are read; one that is missing in both is told once."""
    told = [telling_of(article, language) for language in reading.languages]
    return StoryCard(article=article, tellings=list({one.language: one for one in reversed(told)}.values())[::-1])


def telling_of(article: Article, language: str) -> Telling:
    """The story in a language, or in its own where it was not translated."""
    if article.states.get(language) != NOT_TRANSLATED and article.bullets.get(language):
        return Telling(language=language, headline=article.headline(language), points=_points(article, language))
    own = article.language or next((name for name in LANGUAGES if article.bullets.get(name)), "")
    points = _points(article, own) or [ToldPoint(line, None) for line in _lines(article.content)]
    return Telling(
        language=own, headline=article.headline(own), points=points,
        missing=IN_ENGLISH[language] if language != own else "",
    )  # fmt: skip


def paragraphs(article: Article) -> list[list[Piece]]:
    """The words of the article by paragraph, cut so that every sentence that a point rests on is a piece."""
    shown: list[list[Piece]] = [[]]
    for piece in _pieces(article):
        first, *others = piece.text.split("\n")
        shown[-1].append(Piece(first, piece.number))
        shown += [[Piece(text, piece.number)] for text in others]
    cleaned = ([piece for piece in one if piece.text] for one in shown)
    return [one for one in cleaned if any(piece.text.strip() for piece in one)]


def _pieces(article: Article) -> Iterator[Piece]:
    at = 0
    for number, (start, end) in enumerate(_places(article), 1):
        yield Piece(article.article[at:start])
        yield Piece(article.article[start:end], number)
        at = end
    yield Piece(article.article[at:])


def _places(article: Article) -> list[tuple[int, int]]:
    """Where the points rest, in the order of the article; of places that overlap, the first."""
    found: list[tuple[int, int]] = []
    for start, end in sorted({(point.start, point.end) for point in article.points}):
        if start < end <= len(article.article) and (not found or start >= found[-1][1]):
            found.append((start, end))
    return found


def _points(article: Article, language: str) -> list[ToldPoint]:
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
