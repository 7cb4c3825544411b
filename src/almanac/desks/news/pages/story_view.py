"""How a story is shown: the reader's languages, headline and points by language, and the article in pieces."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time
from itertools import pairwise

from starlette.requests import Request
from starlette.responses import Response

from almanac.desks.news.model.articles import LANGUAGES, NOT_TRANSLATED, NewsArticle
from almanac.desks.news.model.readable_story import NAMES
from almanac.http.app_state import get_state
from almanac.http.cookies import READING_LANGUAGES
from almanac.http.language_choice import accepted_languages
from almanac.http.paging import with_query
from almanac.kit.messages import country_text, gettext

LANGUAGE_PARAM, BESIDE_PARAM, NO_SECOND = "lang", "beside", "none"
ENGLISH_NAMES = {"en": gettext("English"), "zh": gettext("Chinese"), "ms": gettext("Malay")}

LanguageLink = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class ReadingLanguages:
    """The language that stories are read in, and a second one shown beside it unless `beside` is empty."""

    language: str
    beside: str = ""

    @property
    def languages(self) -> tuple[str, ...]:
        return (self.language, self.beside) if self.beside else (self.language,)


def choose_languages(request: Request) -> ReadingLanguages:
    """From the URL, else from the cookie, else from Accept-Language, else English."""
    saved, _, saved_beside = request.cookies.get(READING_LANGUAGES, "").partition("-")
    wishes = (
        request.query_params.get(LANGUAGE_PARAM, ""),
        saved,
        *accepted_languages(request.headers.get("Accept-Language", "")),
    )
    language = next((wish for wish in wishes if wish in LANGUAGES), LANGUAGES[0])
    beside = request.query_params.get(BESIDE_PARAM, saved_beside)
    return ReadingLanguages(language, beside if beside in LANGUAGES and beside != language else "")


def remember_languages(request: Request, response: Response, reading: ReadingLanguages) -> None:
    """Store languages given in the URL in a cookie, for the next page."""
    if LANGUAGE_PARAM in request.query_params or BESIDE_PARAM in request.query_params:
        get_state(request).cookies.set_reading_languages(response, "-".join(reading.languages))


def language_links(request: Request) -> list[LanguageLink]:
    """For each language: its code, its own name, and the URL of this page in it."""
    return [(code, NAMES[code], with_query(request.url, lang=code, cursor=None)) for code in LANGUAGES]


def beside_links(request: Request, reading: ReadingLanguages) -> list[tuple[str, str, bool]]:
    """For no second language and for each: its label, the URL of this page with it, and whether it is chosen."""
    others = [code for code in LANGUAGES if code != reading.language]
    alone = (gettext("One language"), with_query(request.url, beside=NO_SECOND), not reading.beside)
    return [
        alone,
        *(
            (
                gettext("With %(language)s", language=NAMES[code]),
                with_query(request.url, beside=code),
                code == reading.beside,
            )
            for code in others
        ),
    ]


@dataclass(frozen=True, slots=True)
class PointView:
    """One point; `number` is that of the sentence it is based on, or None where that is unknown.

    `moved` says that the writer named another sentence, `judged_by` which model confirmed the point, `language` in
    which language the point is where it isn't translated.
    """

    text: str
    number: int | None
    moved: bool = False
    judged_by: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryVersion:
    """A story in one language. `missing` is the chosen language where the story isn't translated into it."""

    language: str
    headline: str
    points: list[PointView]
    missing: str = ""


@dataclass(frozen=True, slots=True)
class ArticlePiece:
    """A part of a paragraph. `number` is set where a point is based on it, `quoted` where the URL quotes it.

    `opens` marks the first piece of the sentence, `opens_quote` the first piece of the quote.
    """

    text: str
    number: int | None = None
    opens: bool = False
    quoted: bool = False
    opens_quote: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryCard:
    """A story with its version in each language that is read.

    `published_at` is the midnight of UTC of its day, which stands for a day whose time nobody knows.
    """

    article: NewsArticle
    versions: list[StoryVersion]
    outlets: list[str]
    country: str
    published_at: datetime | None


def build_story_card(article: NewsArticle, reading: ReadingLanguages) -> StoryCard:
    """The story in the reader's languages; where both are missing, its own language is shown once."""
    versions = [story_version(article, language) for language in reading.languages]
    return StoryCard(
        article=article,
        versions=list({version.language: version for version in reversed(versions)}.values())[::-1],
        outlets=list(dict.fromkeys(source.domain for source in article.sources if source.domain)),
        country=country_text(article.country) if article.country else "",
        published_at=datetime.combine(article.news_date, time(), UTC) if article.news_date else None,
    )


def story_version(article: NewsArticle, language: str) -> StoryVersion:
    """The story in a language, or in its own language where it wasn't translated."""
    if article.states.get(language) != NOT_TRANSLATED and article.bullets.get(language):
        return StoryVersion(language=language, headline=article.headline(language), points=_points(article, language))
    own = article.language or next((name for name in LANGUAGES if article.bullets.get(name)), "")
    points = _points(article, own) or [PointView(line, None) for line in _lines(article.content)]
    return StoryVersion(
        language=own,
        headline=article.headline(own),
        points=points,
        missing=ENGLISH_NAMES[language] if language != own else "",
    )


def split_paragraphs(article: NewsArticle, quote: tuple[int, int] | None = None) -> list[list[ArticlePiece]]:
    """The article by paragraph, in pieces: sentences that points are based on and words that the URL quotes."""
    shown: list[list[ArticlePiece]] = [[]]
    for piece in _pieces(article, quote or (0, 0)):
        first, *others = piece.text.split("\n")
        shown[-1].append(replace(piece, text=first))
        shown += [[replace(piece, text=text, opens=False, opens_quote=False)] for text in others]
    paragraphs = ([piece for piece in paragraph if piece.text] for paragraph in shown)
    return [paragraph for paragraph in paragraphs if any(piece.text.strip() for piece in paragraph)]


def _pieces(article: NewsArticle, quote: tuple[int, int]) -> Iterator[ArticlePiece]:
    text, places = article.article, _places(article)
    edges = {0, len(text), *(edge for place in places for edge in place), *(edge for edge in quote if edge < len(text))}
    for start, end in pairwise(sorted(edges)):
        number = next((at for at, place in enumerate(places, 1) if place[0] <= start < place[1]), None)
        yield ArticlePiece(
            text[start:end],
            number,
            opens=number is not None and places[number - 1][0] == start,
            quoted=quote[0] <= start < quote[1],
            opens_quote=quote[0] == start < quote[1],
        )


def _places(article: NewsArticle) -> list[tuple[int, int]]:
    """Positions of the points' sentences in order; of overlapping ones, the first."""
    places: list[tuple[int, int]] = []
    for start, end in sorted({(point.start, point.end) for point in article.points}):
        if start < end <= len(article.article) and (not places or start >= places[-1][1]):
            places.append((start, end))
    return places


def _points(article: NewsArticle, language: str) -> list[PointView]:
    numbers = {place: number for number, place in enumerate(_places(article), 1)}
    own = article.language
    points = [
        PointView(
            point.texts.get(language) or point.texts[own],
            numbers.get((point.start, point.end)),
            point.moved,
            point.judged_by,
            "" if point.texts.get(language) else own,
        )
        for point in article.points
        if point.texts.get(language) or point.texts.get(own)
    ]
    return points or [PointView(line, None) for line in article.bullets.get(language, ())]


def _lines(text: str) -> Sequence[str]:
    lines = (line.strip().lstrip("-•* ") for line in text.splitlines())
    return [line for line in lines if line]
