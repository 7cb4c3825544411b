"""Parses a source into usable, cleaned sentences with their topic words and with what each of them needs before it."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from almanac.language.boilerplate import find_omissions, is_boilerplate
from almanac.language.detection import detect_language
from almanac.language.segmentation import TextSentence, split_sentences
from almanac.language.terms import content_words, stem
from almanac.llm.extractive.antecedents import find_antecedents
from almanac.llm.extractive.corrections import find_withdrawn, uses_withdrawn
from almanac.llm.extractive.cues import (
    SentenceCues,
    is_formality,
    is_lead_in,
    is_proviso,
    is_question,
    read_cues,
    standalone_part,
    without_dateline,
)
from almanac.llm.extractive.essentials import IN_CALLS, Essential, find_essentials, is_recommendation_heading
from almanac.llm.extractive.layout import find_claims, find_labels, is_ledger_entry, is_table_row
from almanac.llm.extractive.line_language import is_in_language
from almanac.llm.extractive.measures import count_words, is_ended, join_lines
from almanac.llm.sources import Cited, Reference, StepSource

_PAIRS = ("“”", "「」", "『』", "（）", "()", "《》", "【】")
_SPEAKER = re.compile(r"(?:君|さん|氏|委員長?|議長|大臣)[)）]?$|:$")
_MALAY_ENDINGS = re.compile(r"(?:nya|lah|kah|kan)$")
_FEWEST_WORDS, _MOST_WORDS = 4.5, 65
_FEWEST_ESSENTIAL_WORDS, _FEWEST_ENTRY_WORDS = 2.5, 1.5
_LITTLE_PROSE = 4
_FRAGMENT_START = re.compile(r"[-–—)\]}…,;:、，。）」』]|\.\.")
_TIME_WORD = re.compile(
    r"\d|(?:[ap]\.?m\.?|at|on|by|of|updated|published|posted|GMT|E[SD]?T|P[SD]?T|UTC|(?:Mon|Tue|Wednes|Wed|Thurs|Thu|Fri|Satur|Sat|Sun)(?:day)?|"
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*)[,.]*$",
    re.IGNORECASE,
)
_FEWEST_OWN_SENTENCES = 2
_LONG_WORD = re.compile(r"\b[A-Za-z][a-z]{3,}")
_FEWEST_TITLE_WORDS = 4
_LABELLED = re.compile(r"[^:：]{1,30}[:：]\s*\S")
# Rules, and notes on a writer such as “Ann Poe — Award-winning reporter”.
_RULE = re.compile(r"[-=_*/~#]{5,}|^[A-Z][a-z]+ [A-Z][a-z]+ [—–-] [A-Z]")
# A Japanese sentence that breaks off after a particle.
_BROKEN_OFF = re.compile(r"(?:こと|もの|の|人|者|方)[もがにをはへ][。！]$|[にへで][もは][。！]$")


@dataclass(frozen=True, slots=True, eq=False)
class SourceLine:
    """A usable sentence of a source.

    `standalone` is the part that can be read without the sentence before; None where there is none. `needs` are the
    lines that must come before it: its heading, what introduces its subject. A `proviso` limits the line before it.
    """

    source: str
    index: int
    paragraph: int
    order: int
    text: str
    standalone: str | None
    topic_words: frozenset[str]
    size: float
    is_complete: bool
    cues: SentenceCues
    needs: tuple["SourceLine", ...] = ()
    can_be_read: bool = True
    proviso: bool = False
    essentials: frozenset[Essential] = frozenset()

    def cite(self, text: str | None = None) -> Cited:
        """The sentence, or the given part of it, with its reference."""
        return Cited(text=text or self.text, references=(Reference(source=self.source, sentence=self.index),))


@dataclass(frozen=True, slots=True)
class ParsedSource:
    """A source with its usable sentences; `heading` is a first line that serves as title, with its index."""

    source: StepSource
    language: str
    lines: tuple[SourceLine, ...]
    title_words: frozenset[str]
    heading: tuple[int, str] | None
    withdrawn: frozenset[str] = frozenset()


def topic_words(text: str, language: str) -> frozenset[str]:
    """The stems of a text's content words."""
    words = content_words(text, language)
    if language == "ms":
        return frozenset(_MALAY_ENDINGS.sub("", word) if len(word) > 6 else word for word in words)
    return frozenset(map(stem, words))


def parse_sources(sources: Sequence[StepSource], language: str | None) -> list[ParsedSource]:
    """The parsed sources in the wanted language; where there are none, those in the most frequent language.

    A page in several languages counts as one in the wanted language if it has at least two sentences in it.
    """
    wanted = _primary_language(language)
    readings = [_parse_in(source, wanted) for source in sources]
    in_wanted = [reading for reading in readings if reading.language == wanted]
    if in_wanted or not readings:
        return in_wanted
    largest: Counter[str] = Counter()
    for reading in readings:
        largest[reading.language] += len(reading.source.text)
    main = max(largest, key=lambda name: largest[name])
    return [reading for reading in readings if reading.language == main]


def _parse_in(source: StepSource, wanted: str) -> ParsedSource:
    reading = parse_source(source)
    if not wanted or reading.language == wanted or source.language:
        return reading
    in_wanted = parse_source(source, wanted)
    return in_wanted if len(in_wanted.lines) >= _FEWEST_OWN_SENTENCES else reading


@lru_cache(maxsize=32)
def parse_source(source: StepSource, language: str = "") -> ParsedSource:
    """Parse one source, of a page in several languages only the sentences in one of them.

    Cached, because several steps use the same article in a row.
    """
    if language and detect_language(source.text) != language and not _has_language(source, language):
        return ParsedSource(source, language, (), frozenset(), None)
    language = language or _primary_language(source.language) or detect_language(source.text or source.title)
    split = split_sentences(source.text)
    title = join_lines(source.title)
    opening = _find_heading([join_lines(sentence.text) for sentence in split[:3]], title)
    withdrawn = find_withdrawn([sentence.text for sentence in split])
    heading = title or (opening[1] if opening else "")
    lines = _LineBuilder(source.id, language, split, heading, opening[0] if opening else -1).build(withdrawn)
    return ParsedSource(source, language, lines, topic_words(heading, language), opening, withdrawn)


def _has_language(source: StepSource, language: str) -> bool:
    """Whether some sentences of a page are clearly in this language."""
    sentences = [
        sentence.text for sentence in split_sentences(source.text) if count_words(sentence.text) >= _FEWEST_WORDS
    ]
    return sum(detect_language(text) == language for text in sentences) >= _FEWEST_OWN_SENTENCES


def _primary_language(language: str | None) -> str:
    """`en` of `en-GB`; empty for None."""
    return (language or "").replace("_", "-").partition("-")[0].casefold()


def _find_heading(first: list[str], title: str) -> tuple[int, str] | None:
    """The first line as heading, where the source has no title; None if it doesn't look like one."""
    if title or len(first) < 2 or is_ended(first[0]) or _SPEAKER.search(first[0]) or is_table_row(first[0]):
        return None
    if is_boilerplate(first[0]) or is_formality(first[0]) or is_question(first[0]) or _is_shouted(first[0]):
        return None
    return (0, first[0]) if 2 <= count_words(first[0]) <= 30 else None


class _LineBuilder:
    """Builds the lines of one source, each with the earlier lines that it needs."""

    def __init__(self, source: str, language: str, split: Sequence[TextSentence], title: str, opening: int) -> None:
        """`opening` is the number of the sentence that is the title; -1 where none is."""
        self.source, self.language, self.split, self.title, self.opening = source, language, split, title, opening
        self.texts = [without_dateline(join_lines(sentence.text)) for sentence in split]
        self.labels = find_labels(split, opening)
        self.essentials = find_essentials(self.texts, title)
        for at, label in self.labels.items():
            if is_recommendation_heading(self.texts[label]):
                self.essentials[at] |= {Essential.RECOMMENDATION}
        self.built: dict[int, SourceLine] = {}
        self._labels_built: dict[int, SourceLine] = {}

    def build(self, withdrawn: frozenset[str]) -> tuple[SourceLine, ...]:
        """The usable lines in order, without those that have `withdrawn` figures."""
        omissions = find_omissions(self.split).keys() | find_claims(self.split)
        usable = [
            at
            for at, text in enumerate(self.texts)
            if at != self.opening
            and not (self.title and text.rstrip(".") in self.title)
            and self._is_usable(at, omitted=at in omissions)
            and not uses_withdrawn(text, withdrawn)
        ]
        ended = [at for at in usable if is_ended(self.texts[at]) or self.essentials[at]]
        prose = sum(is_ended(self.texts[at]) for at in usable)
        if prose < _LITTLE_PROSE:
            ended = [at for at in usable if at in ended or at in self.labels] if prose else usable
        antecedents = find_antecedents([self.texts[at] for at in ended], self.language, self.title)
        for order, (at, antecedent) in enumerate(zip(ended, antecedents, strict=True)):
            introduced = self.built[ended[antecedent]] if antecedent is not None else None
            self.built[at] = self._build_line(order, at, introduced)
        return tuple(self.built.values())

    def _is_usable(self, at: int, *, omitted: bool) -> bool:
        text = self.texts[at]
        if not text or text[0].islower() or at in self.labels.values() or not is_in_language(text, self.language):
            return False
        # A line with an address is boilerplate in an article and the contact in a call.
        if self.essentials[at] & IN_CALLS:
            return _FEWEST_ESSENTIAL_WORDS <= count_words(text) <= _MOST_WORDS and not _FRAGMENT_START.match(text)
        if omitted or not _is_sentence(text):
            return False
        if self.essentials[at]:
            return _FEWEST_ESSENTIAL_WORDS <= count_words(text) <= _MOST_WORDS
        if at in self.labels and (is_ledger_entry(text) or is_table_row(text)):
            return count_words(text) >= _FEWEST_ENTRY_WORDS
        return _FEWEST_WORDS <= count_words(text) <= _MOST_WORDS

    def _build_line(self, order: int, at: int, introduced: SourceLine | None) -> SourceLine:
        text = self.texts[at]
        # A line such as “Venue: Town Hall” has no subject and needs none.
        is_labelled = at in self.labels or (bool(self.essentials[at] & IN_CALLS) and bool(_LABELLED.match(text)))
        standalone = text if is_labelled else standalone_part(text)
        before = self.built.get(at - 1) if standalone is None else None
        needs = (self._label_of(at), introduced, before)
        return SourceLine(
            source=self.source,
            index=at,
            paragraph=self.split[at].paragraph,
            order=order,
            text=text,
            standalone=standalone,
            topic_words=topic_words(text, self.language),
            size=count_words(text),
            is_complete=is_ended(text),
            cues=read_cues(text),
            needs=tuple(dict.fromkeys(line for line in needs if line)),
            can_be_read=standalone is not None or before is not None,
            proviso=is_proviso(text) and at - 1 in self.built,
            essentials=self.essentials[at],
        )

    def _label_of(self, at: int) -> SourceLine | None:
        """The heading, header row or question of a line, as a line of its own."""
        label = self.labels.get(at)
        if label is None:
            return None
        text = self.texts[label]
        above = self._label_of(label)
        return self._labels_built.setdefault(
            label,
            SourceLine(
                source=self.source,
                index=label,
                paragraph=self.split[label].paragraph,
                order=0,
                text=text,
                standalone=text,
                topic_words=topic_words(text, self.language),
                size=count_words(text),
                is_complete=False,
                cues=read_cues(text),
                needs=(above,) if above else (),
            ),
        )


def _is_sentence(text: str) -> bool:
    """Whether a text reads as a whole sentence of an article."""
    if (
        text.endswith((":", "：", ",", "，", "、"))
        or _FRAGMENT_START.match(text)
        or _is_only_a_time(text)
        or _BROKEN_OFF.search(text)
    ):
        return False
    if is_question(text) or is_lead_in(text) or is_formality(text):
        return False
    return _is_balanced(text) and not _is_shouted(text) and not _is_title_case(text) and not _RULE.search(text)


def _is_only_a_time(text: str) -> bool:
    return text.isascii() and all(_TIME_WORD.match(word) for word in text.split())


def _is_title_case(text: str) -> bool:
    """Whether it is a heading such as “Home of the Best Guitar Players and Their Bands!”."""
    words = _LONG_WORD.findall(text)
    return len(words) >= _FEWEST_TITLE_WORDS and sum(word[0].isupper() for word in words) >= 0.85 * len(words)


def _is_shouted(text: str) -> bool:
    return text.isupper() and text.isascii()


def _is_balanced(text: str) -> bool:
    if text.count('"') % 2:
        return False
    return all(text.count(pair[0]) == text.count(pair[1]) for pair in _PAIRS)
