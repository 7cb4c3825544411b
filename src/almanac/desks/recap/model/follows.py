"""What readers follow: a person, a bill, a body of a house, or words; and which speeches of a meeting that means."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from almanac.desks.recap.model.facts.speech_text import spoken_lines, spoken_text
from almanac.desks.recap.model.filters import ArticleFilter, Facet, fold_value
from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.desks.recap.model.parliaments.registry import parliament_of
from almanac.desks.recap.model.recap import Recap
from almanac.kit.text import shorten
from almanac.language.segmentation import split_sentences

FollowKind = Literal["person", "bill", "meeting", "words"]
_KIND_OF_FACET: Mapping[Facet, FollowKind] = {"bill": "bill", "person": "person", "speaker": "person"}
FOLLOW_KINDS: tuple[FollowKind, ...] = get_args(FollowKind)
LONGEST_WORDS = 60
# Of one meeting a reader is told the longest speeches; the mail leads to all of them.
_MOST_SPEECHES = 5
_MOST_OF_A_BODY = 3
_LONGEST_QUOTE = 220
_LEAST_SENTENCE = 18
_LETTER = r"[a-z0-9\u00df-\u024f]"
_LATIN = re.compile(rf"{_LETTER}+")
_GREETING = re.compile(
    r"(?:ありがとうございま(?:す|した)|(?:お願い|感謝)(?:を)?(?:申し上げ|いたし)ます|でございます|と申します|お答え(?:を)?(?:いた|し)します)。?\Z"
)


@dataclass(frozen=True, slots=True)
class Follow:
    """Something to follow. A person is named by the key that tells namesakes apart, a body by `house/name`.

    A body without a house is that of either.
    """

    kind: FollowKind
    target: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class MatchedSpeech:
    """A speech that is about what somebody follows."""

    kind: FollowKind
    target: str
    order: int


def body_target(house: str, meeting: str) -> str:
    """How a body is named; the same name in both houses is two bodies."""
    return f"{house}/{meeting}"


def follow_of(wanted: ArticleFilter) -> Follow | None:
    """What a list of meetings with this filter is about, if that can be followed; None if it combines several."""
    chosen = wanted.chosen
    if wanted.since or wanted.until or any(len(values) > 1 for values in chosen.values()):
        return None
    text, names = fold_value(wanted.text), tuple(chosen)
    if text:
        return Follow("words", text) if not names and is_followable(text) else None
    if names in (("meeting",), ("house", "meeting")):
        return Follow("meeting", body_target(next(iter(wanted.house), ""), wanted.meeting[0]))
    kind = _KIND_OF_FACET.get(names[0]) if len(names) == 1 else None
    return Follow(kind, chosen[names[0]][0]) if kind else None


def filter_for(follow: Follow) -> tuple[str, dict[str, tuple[str, ...]]]:
    """The words and the filters with which search finds the meetings that a follow is about."""
    match follow.kind:
        case "words":
            return " ".join(f'"{word}"' for word in follow.target.split()), {}
        case "bill":
            return "", {"bill": (follow.target,)}
        case "meeting":
            house, _, meeting = follow.target.partition("/")
            return "", {"meeting": (meeting,), **({"house": (house,)} if house else {})}
        case "person":
            return "", {"speaker": (follow.target,)}


def is_followable(words: str) -> bool:
    """Whether words are enough to look for and no more than a line; signs of the search syntax are no words."""
    return 2 <= len(words) <= LONGEST_WORDS and not re.search(r'["():*]|(?:^|\s)-', words)


class MeetingFollows:
    """The speeches of one meeting by what they are about."""

    def __init__(self, meeting: Meeting, recap: Recap) -> None:
        self._meeting = meeting
        procedural = {dialog.order for dialog in recap.dialogs if dialog.procedural}
        self._speeches = {speech.order: speech for speech in meeting.spoken if speech.order not in procedural}
        self.people: Mapping[str, tuple[int, ...]] = {
            name: person.orders for person in recap.participants for name in (person.name, person.key)
        }
        self.bills: Mapping[str, tuple[int, ...]] = {bill.key: bill.orders for bill in recap.facts.bills}
        self.bodies = [body_target(house, meeting.meeting) for house in ("", meeting.house)]

    def find(self, kind: FollowKind, targets: Collection[str]) -> Iterator[MatchedSpeech]:
        """The speeches about each of these targets, at most a few of each."""
        for target in targets:
            orders = self.find_all(kind, target)
            most = _MOST_SPEECHES
            if kind == "meeting" and orders:
                orders, most = self._first_of_each(), _MOST_OF_A_BODY
            for order in sorted(self._longest(orders, most)):
                yield MatchedSpeech(kind, target, order)

    def find_all(self, kind: str, target: str) -> list[int]:
        """The numbers of every speech about a target."""
        orders: Collection[int] = ()
        match kind:
            case "person":
                orders = self.people.get(target, ())
            case "bill":
                orders = self.bills.get(target, ())
            case "meeting":
                orders = self._speeches if target in self.bodies else ()
            case "words":
                orders = [order for order, text in self._folded() if _has_all(text, target)]
        return [order for order in orders if order in self._speeches]

    def _longest(self, orders: Collection[int], most: int) -> list[int]:
        spoken = [self._speeches[order] for order in orders]
        return [speech.order for speech in sorted(spoken, key=lambda speech: -len(speech.text))[:most]]

    def _first_of_each(self) -> list[int]:
        """The longest speech of everybody who spoke."""
        best: dict[str, Speech] = {}
        for speech in self._speeches.values():
            if speech.speaker not in best or len(best[speech.speaker].text) < len(speech.text):
                best[speech.speaker] = speech
        return [speech.order for speech in best.values()]

    def _folded(self) -> list[tuple[int, str]]:
        return [(order, fold_value(spoken_text(speech))) for order, speech in self._speeches.items()]


def _has_all(text: str, words: str) -> bool:
    return all(_has_word(text, word) for word in words.split())


def _has_word(text: str, word: str) -> bool:
    """Words in Latin letters are whole words; other scripts put nothing between theirs."""
    if not _LATIN.fullmatch(word):
        return word in text
    return word in text and re.search(rf"(?<!{_LETTER}){re.escape(word)}(?!{_LETTER})", text) is not None


def quote_speech(meeting: Meeting, speech: Speech, words: str = "") -> str:
    """Sentences of a speech in its own words: from those that were looked for on, or from the first with substance."""
    language = parliament_of(meeting).language
    text = " ".join(spoken_lines(speech)) if language != "ja" else "".join(spoken_lines(speech))
    sentences = [sentence.text for sentence in split_sentences(text, language)]
    wanted = fold_value(words).split()
    first = next(
        (at for at, line in enumerate(sentences) if any(_has_word(fold_value(line), word) for word in wanted)), None
    )
    if first is None:
        solid = (at for at, line in enumerate(sentences) if len(line) >= _LEAST_SENTENCE and not _GREETING.search(line))
        first = next(solid, 0)
    most = _LONGEST_QUOTE if language == "ja" else 2 * _LONGEST_QUOTE
    quoted: list[str] = []
    for line in sentences[first:]:
        if quoted and sum(map(len, quoted)) + len(line) > most:
            break
        quoted.append(line)
    return shorten(("" if language == "ja" else " ").join(quoted), 2 * most)
