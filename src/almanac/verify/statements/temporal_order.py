"""Finds before in place of after, for the same date or event.

`by`, `until` and `no later than` mean before; `from`, `since` and `no earlier than` mean after.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from almanac.kit.lazy import lazy_regex
from almanac.language.scripts import HAN
from almanac.language.terms import stopwords
from almanac.verify.alignment import Alignment
from almanac.verify.dates.moments import DateContext, Moment, MomentKind, moments_match
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.names.latin import latin_words
from almanac.verify.normalization import mask_spans
from almanac.verify.quantities.quantity import quantities_match
from almanac.verify.reasons import order_differs
from almanac.verify.sources import SourceSentence, sentence_terms, stem_word
from almanac.verify.statements.clauses import clause_index, split_clauses

_RELATION = lazy_regex(
    r"(?i)\b(?:(?P<from>no(?:t)? earlier than|not before|after|following|since|from|selepas|sesudah|sejak|mulai|bermula"
    r"|tidak lebih awal (?:daripada|dari))"
    r"|(?P<till>no(?:t)? later than|before|prior to|ahead of|by|until|till"
    r"|sebelum|menjelang|selewat-lewatnya|hingga|sehingga))\b"
)
# Only these may precede an event; `by` and `from` have many other meanings.
_OF_EVENTS = frozenset("after following before prior to ahead of selepas sesudah sebelum".split())
_TO_MOMENT = lazy_regex(
    r"(?i) ?(?:(?:the|early|late|mid|midday|noon|midnight|end|start|beginning|middle|of|on|in|at|pada|hari"
    r"|tengah|malam|pagi"
    r"|petang|akhir|awal|pertengahan|bulan|tahun|dawn|dusk|sunset|sunrise|morning|evening|night)[ -]?)*"
)
_KIN = 0.5
_IT = frozenset("it that this them these those itu ini".split())
_FROM_CJK, _TILL_CJK = "以降|以後|以后|之后|后|後|以来|から|起", "まで|以前|之前|前|为止"
_AFTER_CJK = lazy_regex(
    rf"(?:の|正午|昼|夜|朝|夕方|未明|末|中午|上午|下午|夜间|晚上|晚间|凌晨|底|初|中|[ )]){{0,4}}"
    rf"(?:(?P<from>{_FROM_CJK})|(?P<till>{_TILL_CJK}))(?!者|半|进|回|景)"
)
_BEFORE_CJK = lazy_regex("(?:(?P<from>不早于|早くとも|自|从|從)|(?P<till>不迟于|不晚于|最迟[于在]?|截至|遅くとも))$")
_HAN_LETTER = lazy_regex(f"[{HAN}]")


@dataclass(frozen=True, slots=True)
class _TimeRelation:
    """Something before (`till`) or after (`from`) a moment or an event, and where the text says so."""

    side: str
    start: int
    text: str
    moment: Moment | None = None
    event: str | None = None

    def is_of(self, other: "_TimeRelation", around: DateContext) -> bool:
        """Whether both refer to the same moment or event; `after it` refers to any event."""
        if self.moment and other.moment:
            return moments_match(self.moment, other.moment, around)
        return self.event is not None and other.event is not None and other.event in {self.event, ""}


def check_temporal_order(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """Report the first relation that the aligned sentences have only the other way round."""
    for claimed in _find_relations(facts):
        counterparts = [
            (sentence, sourced)
            for sentence in alignment.sentences
            for sourced in _comparable_relations(claimed, facts, sentence)
        ]
        if not counterparts or any(sourced.side == claimed.side for _, sourced in counterparts):
            continue
        if not any(_has_moment_without_relation(claimed, sentence) for sentence in alignment.sentences):
            return [order_differs(claimed.text, counterparts[0][1].text)]
    return []


def _comparable_relations(
    claimed: _TimeRelation, facts: SentenceFacts, sentence: SourceSentence
) -> Iterator[_TimeRelation]:
    """The relations of a sentence to the same moment or event; beside a figure, only those in its clause."""
    source_facts = sentence.facts
    spoken = [sourced for sourced in _find_relations(source_facts) if claimed.is_of(sourced, sentence.date_context)]
    clause = clause_index(facts, claimed.start)
    figures = [each for each in facts.quantities if clause_index(facts, each.start) == clause]
    homes = {
        clause_index(source_facts, sourced.start)
        for each in figures
        for sourced in source_facts.quantities
        if quantities_match(each, sourced)
    }
    within = [sourced for sourced in spoken if clause_index(source_facts, sourced.start) in homes]
    yield from within or (sourced for sourced in spoken if _same_thing_is_placed(claimed, facts, sourced, sentence))


def _same_thing_is_placed(
    claimed: _TimeRelation, facts: SentenceFacts, sourced: _TimeRelation, sentence: SourceSentence
) -> bool:
    """Whether both relations are about the same thing: shut until Monday means open from Monday."""
    clause = split_clauses(facts)[clause_index(facts, claimed.start)]
    other = split_clauses(sentence.facts)[clause_index(sentence.facts, sourced.start)].terms
    words = sentence_terms(
        mask_spans(clause.masked_text, [(claimed.start, claimed.start + len(claimed.text))])[clause.start : clause.end]
    )
    return len(words & other) >= _KIN * len(words) and not (words - other) & sentence.terms


def _has_moment_without_relation(claimed: _TimeRelation, sentence: SourceSentence) -> bool:
    """Whether the sentence also has the moment without before or after."""
    if claimed.moment is None:
        return False
    placed = {id(side.moment) for side in _find_relations(sentence.facts)}
    moments: Sequence[Moment] = sentence.facts.moments
    return any(
        moments_match(claimed.moment, moment, sentence.date_context) for moment in moments if id(moment) not in placed
    )


def _find_relations(facts: SentenceFacts) -> list[_TimeRelation]:
    if _HAN_LETTER.search(facts.text):
        return [*_find_cjk_relations(facts)]
    return [*_find_latin_relations(facts)]


def _find_latin_relations(facts: SentenceFacts) -> Iterator[_TimeRelation]:
    for match in _RELATION.finditer(facts.text):
        side = "from" if match["from"] else "till"
        gap = _TO_MOMENT.match(facts.text, match.end())
        reach = gap.end() if gap else match.end()
        moment = next((each for each in facts.moments if match.end() <= each.start <= reach), None)
        if moment is not None:
            yield _TimeRelation(side, match.start(), facts.text[match.start() : moment.end], moment)
        elif match[0].split()[0].casefold() in _OF_EVENTS:
            event = _read_event(facts.text, match.end())
            if event is not None:
                yield _TimeRelation(side, match.start(), facts.text[match.start() : event[1]], event=event[0])


def _read_event(text: str, start: int) -> tuple[str, int] | None:
    """The stem of the next content word and its end; an empty stem for `it`; None without a word."""
    for word in latin_words(text[start : start + 40]):
        if word.key in _IT:
            return "", start + word.end
        if word.key not in stopwords("en") | stopwords("ms"):
            return stem_word(word.key), start + word.end
    return None


def _find_cjk_relations(facts: SentenceFacts) -> Iterator[_TimeRelation]:
    for moment in facts.moments:
        if moment.kind is MomentKind.DATE and all(part.month is None and part.year is None for part in moment.dates):
            continue  # 3日前 is three days ago
        if moment.kind not in {MomentKind.DATE, MomentKind.WEEKDAY}:
            continue
        match = _AFTER_CJK.match(facts.text, moment.end) or _BEFORE_CJK.search(facts.text, 0, moment.start)
        if match is not None:
            side = "from" if match["from"] else "till"
            start, end = min(match.start(), moment.start), max(match.end(), moment.end)
            yield _TimeRelation(side, start, facts.text[start:end], moment)
