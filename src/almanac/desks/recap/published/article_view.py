"""One article as its templates show it, in the workspace and on the public side alike."""

from collections.abc import Mapping, Sequence
from typing import Literal, get_args
from urllib.parse import urlencode

from almanac.citations.passages import QUOTE_ANCHOR, parse_quote
from almanac.desks.recap.model.cited_levels import build_level
from almanac.desks.recap.model.meeting import DIET
from almanac.desks.recap.model.minutes import Minutes, MinutesFilter, find_part, read_minutes
from almanac.desks.recap.model.parliaments.registry import parliament_of
from almanac.desks.recap.model.views import FullArticle
from almanac.desks.recap.published.labels import REACTIONS
from almanac.desks.recap.urls import RecapUrls
from almanac.errors import NotFound
from almanac.kit.messages import gettext

Level = Literal["points", "plain", "detailed"]
LEVELS: tuple[Level, ...] = get_args(Level)
TONES = {
    "質問": "question",
    "答弁": "answer",
    "採決": "done",
    "動議": "question",
    "議事進行": "plain",
}


def build_article_values(
    article: FullArticle,
    wanted: MinutesFilter,
    *,
    level: str,
    version: int | None,
    to: RecapUrls,
) -> dict[str, object]:
    """The article at a level, with the speeches that the reader asks for."""
    level = level if level in LEVELS else LEVELS[0]
    minutes = read_minutes(article.meeting, article.recap.dialogs, wanted)
    level_links = {name: to.article(article.card.id, name, version) for name in LEVELS}
    return {
        "article": article,
        "recap": article.recap,
        "meeting": article.meeting,
        "card": article.card,
        "level": level,
        "levels": LEVELS,
        "read": build_level(article.recap, level),
        "minutes": minutes,
        "wanted": wanted,
        "here": to.article(article.card.id),
        "link": SpeechLinks(article, minutes, version, to),
        "decided": article.recap.facts.decisions,
        "level_links": level_links,
        "speaker_options": _options(gettext("Everybody"), minutes.speakers),
        "group_options": _options(gettext("Every group"), minutes.groups),
        "reaction_options": _options(gettext("Everything"), minutes.reactions, REACTIONS),
        "tones": TONES,
        "part_links": _part_links(level_links[level], minutes, wanted),
        "official": official_url(article),
        "parliament": parliament_of(article.meeting),
        "text_language": parliament_of(article.meeting).language,
    }


def locate_speech(article: FullArticle, order: int, *, quote: str, version: int | None, to: RecapUrls) -> str:
    """Where a speech is in the minutes, with the words that it quotes marked. NotFound if there is no such speech."""
    part = find_part(article.meeting, order)
    if part is None:
        raise NotFound(gettext("This meeting has no speech with that number; open the meeting and search its minutes."))
    url = _with_query(
        to.article(article.card.id), version=version, part=part if part > 1 else None, speech=order, quote=quote
    )
    return f"{url}#{QUOTE_ANCHOR if parse_quote(quote) else f'speech-{order}'}"


class SpeechLinks:
    """Where a reference leads: down the page where the speech is on it, else to its permanent address.

    A reader of an earlier version stays in it.
    """

    def __init__(self, article: FullArticle, minutes: Minutes, version: int | None, to: RecapUrls) -> None:
        self._to = to
        self._version = version
        self._shown = minutes.shown_orders
        self._article_id = article.card.id
        self._speakers = {speech.order: speech.speaker for speech in article.meeting.speeches}
        self._keys = {order: person.key for person in article.recap.participants for order in person.orders}

    def __call__(self, order: int) -> str:
        if order in self._shown:
            return f"#speech-{order}"
        return self._to.speech(self._article_id, order, self._version)

    def speaker(self, order: int) -> str:
        return self._speakers.get(order, "")

    def person(self, order: int) -> str:
        """The page of whoever spoke, and of nobody else of that name."""
        return self._to.person(self.speaker(order), self._keys.get(order, ""))


def official_url(article: FullArticle) -> str:
    """The official record, or its first speech where the source gives no address of the whole.

    Else where the parliament publishes its records.
    """
    own = (article.meeting.url, *(speech.url for speech in article.meeting.speeches))
    urls = own if article.meeting.parliament_id == DIET else (*own, parliament_of(article.meeting).source_url)
    return next((url for url in urls if url), "")


def _options(
    everything: str, counts: Sequence[tuple[str, int]], labels: Mapping[str, str] | None = None
) -> list[tuple[str, str]]:
    """What a select offers, each with how many speeches it leaves."""
    return [
        ("", everything),
        *(
            (value, gettext("%(name)s (%(count)s)", name=(labels or {}).get(value, value), count=count))
            for value, count in counts
        ),
    ]


def _part_links(here: str, minutes: Minutes, wanted: MinutesFilter) -> list[tuple[int, str, bool]]:
    """Every page of the minutes, as the reader has them now."""
    chosen = {
        "within": wanted.text,
        "speaker": wanted.speaker,
        "group": wanted.group,
        "reaction": wanted.reaction,
        "full": "yes" if wanted.in_full else "",
    }
    return [
        (number, f"{_with_query(here, **chosen, part=number)}#minutes", number == minutes.part)
        for number in range(1, minutes.parts + 1)
    ]


def _with_query(path: str, **values: object) -> str:
    query = urlencode({name: value for name, value in values.items() if value not in (None, "")})
    return f"{path}{'&' if '?' in path else '?'}{query}" if query else path
