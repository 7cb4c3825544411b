"""The levels of a recap for readers: sentences with glossary terms marked and the speeches that support them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from almanac.desks.recap.model.recap import Exchange, GlossaryTerm, KeyPoint, MiddleSection, Recap, WrittenSentence


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A piece of a sentence; `term` is the index of the glossary term that it is, or None."""

    text: str
    term: int | None = None


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence with the orders of its speeches; `kind` is set on key points.

    `moved` says that the writer named another speech, `number` counts the sentences of the level from 1.
    `speaker` is set on questions and answers.
    """

    pieces: tuple[TextPiece, ...]
    orders: tuple[int, ...]
    kind: str = ""
    moved: bool = False
    number: int = 0
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class CitedSection:
    """One part of the detailed level."""

    title: str
    sentences: tuple[CitedSentence, ...]


@dataclass(frozen=True, slots=True)
class CitedExchange:
    """A question with its answers, which may be none."""

    question: CitedSentence
    answers: tuple[CitedSentence, ...]


class Glossary:
    """Splits text at glossary terms. Each term is marked only where it first occurs."""

    def __init__(self, terms: Sequence[GlossaryTerm]) -> None:
        self._numbers = {term.term: number for number, term in enumerate(terms) if term.term}
        longest_first = sorted(self._numbers, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first))) if longest_first else None
        self._seen: set[int] = set()
        self._cited_sentences = 0

    def pieces(self, text: str) -> tuple[TextPiece, ...]:
        """The text in pieces; terms that occurred before stay plain text."""
        pieces: list[TextPiece] = []
        done = 0
        for match in self._pattern.finditer(text) if self._pattern else ():
            number = self._numbers[match[0]]
            if number in self._seen:
                continue
            self._seen.add(number)
            pieces += [TextPiece(text[done : match.start()]), TextPiece(match[0], number)]
            done = match.end()
        return tuple(piece for piece in (*pieces, TextPiece(text[done:])) if piece.text)

    def cite(self, sentences: Iterable[WrittenSentence]) -> tuple[CitedSentence, ...]:
        """Sentences with their references."""
        return tuple(self._cited(sentence) for sentence in sentences)

    def cite_sections(self, sections: Iterable[MiddleSection]) -> tuple[CitedSection, ...]:
        return tuple(CitedSection(section.title, self.cite(section.sentences)) for section in sections)

    def cite_exchanges(self, exchanges: Iterable[Exchange], speakers: Mapping[int, str]) -> tuple[CitedExchange, ...]:
        """Questions and answers, each with who spoke."""

        def spoken(sentence: WrittenSentence) -> CitedSentence:
            return replace(self._cited(sentence), speaker=speakers.get(sentence.based_on_orders[0], ""))

        return tuple(
            CitedExchange(spoken(exchange.question), tuple(map(spoken, exchange.answers))) for exchange in exchanges
        )

    def _cited(self, sentence: WrittenSentence) -> CitedSentence:
        kind = sentence.kind if isinstance(sentence, KeyPoint) else ""
        self._cited_sentences += 1
        return CitedSentence(
            self.pieces(sentence.text), sentence.based_on_orders, kind, sentence.moved, self._cited_sentences
        )


@dataclass(frozen=True, slots=True)
class ArticleLevel:
    """The content of one level; only the fields of that level are filled."""

    points: tuple[CitedSentence, ...] = ()
    plain: tuple[CitedSentence, ...] = ()
    summary: tuple[CitedSentence, ...] = ()
    detailed: tuple[CitedSection, ...] = ()
    exchanges: tuple[CitedExchange, ...] = ()


def build_level(recap: Recap, level: str) -> ArticleLevel:
    """The content of the level `points`, `plain` or `detailed`."""
    glossary = Glossary(recap.terms)
    if level == "plain":
        return ArticleLevel(plain=glossary.cite(recap.soft_language_summary))
    if level == "detailed":
        return ArticleLevel(
            summary=glossary.cite(recap.summary),
            detailed=glossary.cite_sections(recap.middle_summary),
            exchanges=glossary.cite_exchanges(
                recap.exchanges, {dialog.order: dialog.speaker for dialog in recap.dialogs}
            ),
        )
    return ArticleLevel(points=glossary.cite(recap.key_points))
