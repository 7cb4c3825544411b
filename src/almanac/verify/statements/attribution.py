"""Finds facts attributed to the wrong subject: the source has the figure or quotation with another name."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from itertools import islice

from almanac.kit.lazy import lazy_regex
from almanac.language.scripts import HAN
from almanac.verify.alignment import Alignment
from almanac.verify.dates.moments import Moment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.names.latin import latin_words
from almanac.verify.names.mentions import NameMention, collect_han_cores, find_code_mentions, find_name_mentions
from almanac.verify.normalization import normalize_width
from almanac.verify.quantities.quantity import Quantity, is_age, quantities_match
from almanac.verify.quotations import Quotation, as_quoted, find_quotations, is_verbatim
from almanac.verify.reasons import wrong_attribution
from almanac.verify.sources import SourceSentence, SourceText, collect_quantities, sentence_terms, stem_word
from almanac.verify.statements.clauses import Clause, clause_index, clause_terms, direction_free_terms, split_clauses
from almanac.verify.word_lists import read_words

_MAX_LOCATIONS = 4
_MAX_FACTS = 16  # a row of a table rather than a sentence
_MAX_NEARBY = 40
_LONGEST_CLAUSE = 200
_CLOSE_COPY = 0.7
_NEAR_COPY = 0.9
_RELATED = 0.6
_MIN_DISTINCT_WORDS = 2
_LONGEST_ROLE = 8
_OTHER_CHARACTERS = lazy_regex(f"[{HAN}]{{2,4}}")


@dataclass(frozen=True, slots=True)
class _FactLocation:
    """Where the source has a fact: sentence, clause, the names in the clause, and the names it may refer to."""

    sentence: SourceSentence
    clause: Clause
    own: tuple[NameMention, ...]
    context: tuple[NameMention, ...]


class _SourceNames:
    """The source sentences and the names found in them and in the claim."""

    def __init__(
        self, facts: SentenceFacts, alignment: Alignment, sources: Sequence[SourceText], language: str
    ) -> None:
        self._chosen = frozenset(id(sentence) for sentence in alignment.sentences)
        self.sentences = [sentence for source in sources for sentence in source.sentences]
        self._cores = collect_han_cores([facts, *(sentence.facts for sentence in self.sentences)], language)
        self._told = frozenset(key for name in self.names(facts) for key in name.keys)

    def names(self, facts: SentenceFacts, clause: Clause | None = None) -> tuple[NameMention, ...]:
        mentions = [*find_name_mentions(facts, self._cores), *find_code_mentions(facts)]
        return tuple(name for name in mentions if clause is None or clause.contains(name.start))

    def home(self, number: int, start: int) -> _FactLocation:
        """Locate a fact in a sentence; a clause without a name refers to those of the clauses before."""
        sentence = self.sentences[number]
        clauses, at = split_clauses(sentence.facts), clause_index(sentence.facts, start)
        own = self.names(sentence.facts, clauses[at])
        context, back = own, at
        while back and not _has_subject(context):
            back -= 1
            context += self.names(sentence.facts, clauses[back])
        if not _has_subject(context):
            context += self._around(number)
        return _FactLocation(sentence, clauses[at], own, context)

    def near(self, homes: Sequence["_FactLocation"]) -> Iterator[SourceSentence]:
        """The aligned sentences, the neighbours of a fact's sentence, and those with a name of the claim."""
        beside = {(home.sentence.source, home.sentence.number + step) for home in homes for step in (-1, 0, 1)}
        count = 0
        for sentence in self.sentences:
            named = count < _MAX_NEARBY and self._names_any(sentence)
            count += named
            if named or id(sentence) in self._chosen or (sentence.source, sentence.number) in beside:
                yield sentence

    def _names_any(self, sentence: SourceSentence) -> bool:
        """Whether a sentence has any name of the claim."""
        return bool(self._told & sentence.words) or any(key in sentence.text for key in self._told if not key.isascii())

    def is_common(self, name: NameMention) -> bool:
        """Whether the sources write this word in lower case, so that it isn't a name at the start of a sentence."""
        return any(
            word.key in name.keys and word.text.islower()
            for sentence in self.sentences
            if name.keys <= sentence.words
            for word in sentence.facts.words
        )

    def _around(self, number: int) -> tuple[NameMention, ...]:
        near = self.sentences[max(0, number - 2) : number + 2]
        return tuple(name for sentence in near for name in self.names(sentence.facts))


def _has_subject(names: Sequence[NameMention]) -> bool:
    return any(name.is_subject for name in names)


def check_attribution(
    facts: SentenceFacts, alignment: Alignment, sources: Sequence[SourceText], language: str
) -> list[ClaimFinding]:
    """Report the first fact of the claim that the source has with another subject."""
    reading = _SourceNames(facts, alignment, sources, language)
    quoted = find_quotations(facts.text)
    for fact in facts.measured[:_MAX_FACTS]:
        if any(quotation.start <= fact.start < quotation.end for quotation in quoted):
            continue
        places = [*islice(_find_places(fact, reading.sentences), _MAX_LOCATIONS + 1)]
        if len(places) > _MAX_LOCATIONS or any(_is_quoted(reading.sentences[at], sourced) for at, sourced in places):
            continue
        homes = [reading.home(number, sourced.start) for number, sourced in places]
        other = _find_other_subject(facts, fact, homes, reading) if homes else None
        if other is not None:
            return [other]
    return _find_other_speaker(facts, reading)


def _find_places(
    fact: Quantity | Moment, sentences: Sequence[SourceSentence]
) -> Iterator[tuple[int, Quantity | Moment]]:
    """Where the sources have a fact. Only quantities and complete dates are specific enough."""
    exact = isinstance(fact, Quantity) and any(
        _is_exact_match(fact, sourced) for sourced in collect_quantities(sentences)
    )
    for number, sentence in enumerate(sentences):
        if isinstance(fact, Quantity):
            same = _is_exact_match if exact else quantities_match
            yield from ((number, sourced) for sourced in sentence.facts.quantities if same(fact, sourced))
        elif any(parts.day for parts in fact.dates):
            yield from ((number, sourced) for sourced in sentence.facts.moments if fact.dates & sourced.dates)


def _is_quoted(sentence: SourceSentence, sourced: Quantity | Moment) -> bool:
    """Whether the source has the fact inside a quotation."""
    return any(quotation.start <= sourced.start < quotation.end for quotation in find_quotations(sentence.facts.text))


def _is_exact_match(fact: Quantity, sourced: Quantity) -> bool:
    """Whether the values are equal without rounding."""
    return quantities_match(fact, sourced) and bool(fact.scaled & sourced.scaled)


def _find_other_subject(
    facts: SentenceFacts, fact: Quantity | Moment, homes: Sequence[_FactLocation], reading: _SourceNames
) -> ClaimFinding | None:
    clause = split_clauses(facts)[clause_index(facts, fact.start)]
    claimed = reading.names(facts, clause)
    for name in claimed:
        if name.start == 0 and reading.is_common(name):
            continue
        owners = [_find_owner(name, claimed, home, clause) for home in homes]
        exact = all(owners) and all(_shared_words(clause, home.clause, claimed) >= _NEAR_COPY for home in homes)
        spoken_of = [other for home in homes for other in (home.own if exact else home.context)]
        if any(name.is_same_name(other) for other in spoken_of):
            continue
        if all(owners) or (
            isinstance(fact, Quantity) and _has_other_figure(name, fact, clause, homes, claimed, reading)
        ):
            owner = next((each.text for each in owners if each), None)
            return wrong_attribution(name.text, owner, fact.text)
    return (
        _find_other_code(facts, fact, clause, homes)
        or _find_other_words(facts, fact, clause, homes, reading)
        or _find_other_characters(facts, fact, clause, homes, reading)
    )


def _find_other_code(
    facts: SentenceFacts, fact: Quantity | Moment, clause: Clause, homes: Sequence[_FactLocation]
) -> ClaimFinding | None:
    """Report the only code of a clause if the source always has the fact with another code."""
    claimed = [code for code in find_code_mentions(facts) if clause.contains(code.start)]
    owners = [_location_codes(home) for home in homes]
    if len(claimed) != 1 or not all(owners) or any(claimed[0].is_same_name(code) for each in owners for code in each):
        return None
    return wrong_attribution(claimed[0].text, owners[0][0].text, fact.text)


def _location_codes(home: _FactLocation) -> list[NameMention]:
    """The codes in the clause of a fact, else the last one before it."""
    codes = [code for code in find_code_mentions(home.sentence.facts) if code.start < home.clause.end]
    return [code for code in codes if home.clause.contains(code.start)] or codes[-1:]


def _find_owner(
    name: NameMention, claimed: Sequence[NameMention], home: _FactLocation, clause: Clause
) -> NameMention | None:
    """The source's name in the place of this one, in an otherwise similar clause; None without one."""
    if _shared_words(clause, home.clause, claimed) < _CLOSE_COPY:
        return None
    gone = [other for other in home.own if not any(other.is_same_name(own) for own in claimed)]
    opens = _starts_clause(name, clause)
    return next(
        (
            other
            for other in gone
            if other.neighbours & name.neighbours or (opens and _starts_clause(other, home.clause))
        ),
        None,
    )


def _starts_clause(name: NameMention, clause: Clause) -> bool:
    """Whether a name in Han characters, perhaps after a role, starts a clause and so is its subject."""
    return not name.text.isascii() and name.start - clause.start <= _LONGEST_ROLE


def _shared_words(clause: Clause, other: Clause, claimed: Sequence[NameMention]) -> float:
    """The share of the claim clause's terms in a source clause, without names and roles."""
    named = {stem_word(word.key) for name in claimed for word in latin_words(name.text)} | _role_stems()
    first = next((name for name in claimed if _starts_clause(name, clause)), None)
    words = clause.terms if first is None else sentence_terms(clause.masked_text[first.end : clause.end])
    wanted = {term for term in words if term not in named and not any(term in name.text for name in claimed)}
    return len(wanted & other.terms) / len(wanted) if wanted else 0.0


@cache
def _role_stems() -> frozenset[str]:
    """Stems of roles such as chairman and minister, which come and go with a name."""
    return frozenset(stem_word(word) for word in read_words("generic_latin.txt"))


def _has_other_figure(
    name: NameMention,
    fact: Quantity,
    clause: Clause,
    homes: Sequence[_FactLocation],
    claimed: Sequence[NameMention],
    reading: _SourceNames,
) -> bool:
    """Whether the source has this name with another figure and another name with this figure."""
    if not name.is_subject or any(_shared_words(clause, home.clause, claimed) < _CLOSE_COPY for home in homes):
        return False
    for home in homes:
        gone = [other for other in home.own if not any(other.is_same_name(own) for own in claimed)]
        if not any(other.is_subject for other in gone):
            return False
    return any(
        each.is_same_name(name) and each.is_subject and each.neighbours & name.neighbours
        for sentence, other, _ in _find_rival_clauses(fact, homes, reading)
        for each in reading.names(sentence.facts, other)
    )


def _find_rival_clauses(
    fact: Quantity | Moment, homes: Sequence[_FactLocation], reading: _SourceNames
) -> Iterator[tuple[SourceSentence, Clause, Quantity | Moment]]:
    """Source clauses that have another value of the same kind."""
    for sentence in reading.near(homes):
        for sourced in sentence.facts.measured[:_MAX_FACTS]:
            clause = split_clauses(sentence.facts)[clause_index(sentence.facts, sourced.start)]
            if _is_other_value(fact, sourced) and not any(clause == home.clause for home in homes):
                yield sentence, clause, sourced


def _is_other_value(fact: Quantity | Moment, sourced: Quantity | Moment) -> bool:
    """Whether it is another value of the same unit, or another complete date."""
    if isinstance(fact, Moment) or isinstance(sourced, Moment):
        days = [any(parts.day for parts in each.dates) for each in (fact, sourced) if isinstance(each, Moment)]
        return days == [True, True] and not _facts_match(fact, sourced)
    if fact.measure is None or sourced.measure is None:
        return fact.measure is sourced.measure and not quantities_match(fact, sourced)
    return fact.measure.is_compatible(sourced.measure) and not quantities_match(fact, sourced)


def _facts_match(fact: Quantity | Moment, sourced: Quantity | Moment) -> bool:
    if isinstance(fact, Quantity) and isinstance(sourced, Quantity):
        return quantities_match(fact, sourced)
    return isinstance(fact, Moment) and isinstance(sourced, Moment) and bool(fact.dates & sourced.dates)


def _find_other_words(
    facts: SentenceFacts, fact: Quantity | Moment, clause: Clause, homes: Sequence[_FactLocation], reading: _SourceNames
) -> ClaimFinding | None:
    """Report a figure whose clause uses the distinctive words of a source clause with another figure."""
    for sentence, other, sourced in _find_rival_clauses(fact, homes, reading):
        if any(_facts_match(claimed, sourced) for claimed in facts.measured):
            continue
        if isinstance(sourced, Quantity) and is_age(sourced, sentence.facts.text):
            continue
        at_home = [direction_free_terms(home.clause) for home in homes]
        own = [direction_free_terms(clause) & each - other.terms for each in at_home]
        elliptic = any(not each - other.terms for each in at_home)
        if not elliptic and not any(own) and _resembles_clause(clause, other, homes):
            return wrong_attribution(fact.text, sourced.text, facts.text[clause.start : clause.end].strip(" ,.;、。"))
    return None


def _resembles_clause(clause: Clause, other: Clause, homes: Sequence[_FactLocation]) -> bool:
    """Whether enough of a clause's terms belong to another clause than those with its figure."""
    for terms_in in (clause_terms, direction_free_terms):
        mine, near = terms_in(clause), terms_in(clause) & terms_in(other)
        apart = near - frozenset[str]().union(*(terms_in(home.clause) for home in homes))
        if len(apart) >= _MIN_DISTINCT_WORDS and len(near) >= _RELATED * len(mine):
            return True
    return False


def _find_other_characters(
    facts: SentenceFacts, fact: Quantity | Moment, clause: Clause, homes: Sequence[_FactLocation], reading: _SourceNames
) -> ClaimFinding | None:
    """Report characters that replace others where they start another clause: an unlisted subject."""
    mine = facts.text[clause.start : clause.end].lstrip(" ,、;")
    for home in homes:
        theirs = home.sentence.facts.text[home.clause.start : home.clause.end].lstrip(" ,、;")
        if max(len(mine), len(theirs)) > _LONGEST_CLAUSE:
            continue
        for tag, start, end, begin, stop in SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
            put, gone = mine[start:end], theirs[begin:stop]
            if tag != "replace" or not _OTHER_CHARACTERS.fullmatch(put) or not _OTHER_CHARACTERS.fullmatch(gone):
                continue
            subjects = (
                sentence.facts.text[other.start : other.end]
                for sentence, other, _ in _find_rival_clauses(fact, homes, reading)
            )
            if theirs[:begin].endswith(mine[:start]) and any(f"{mine[:start]}{put}" in each for each in subjects):
                return wrong_attribution(put, gone, fact.text)
    return None


def _find_other_speaker(facts: SentenceFacts, reading: _SourceNames) -> list[ClaimFinding]:
    """Report a quotation attributed to somebody other than in the source."""
    for quotation in find_quotations(facts.text):
        if quotation.is_title:
            continue
        clause = split_clauses(facts)[clause_index(facts, quotation.start)]
        claimed = [name for name in reading.names(facts) if not _is_in_quotation(name, find_quotations(facts.text))]
        speakers = [name for name in claimed if name.is_subject and clause.contains(name.start)]
        homes = [*_find_quoting_clauses(quotation, reading)]
        if (
            not speakers
            or not homes
            or any(own.is_same_name(two) for own in claimed for h in homes for two in h.context)
        ):
            continue
        owners = [next((name for name in home.own if name.is_subject), None) for home in homes]
        if all(owners) and any(
            own.is_same_name(other) for own in speakers for s in reading.sentences for other in reading.names(s.facts)
        ):
            owner = next(each.text for each in owners if each)
            return [wrong_attribution(speakers[0].text, owner, f"“{quotation.text}”")]
    return []


def _is_in_quotation(name: NameMention, quotations: Sequence[Quotation]) -> bool:
    return any(quotation.start <= name.start < quotation.end for quotation in quotations)


def _find_quoting_clauses(quotation: Quotation, reading: _SourceNames) -> Iterator[_FactLocation]:
    """The source clauses that contain the quotation."""
    for number, sentence in enumerate(reading.sentences):
        for other in find_quotations(sentence.text):
            passage = normalize_width(sentence.text)[other.start : other.end]
            if is_verbatim(quotation, passage, as_quoted(passage)):
                home = reading.home(number, other.start)
                inside = find_quotations(sentence.text)
                yield _FactLocation(
                    home.sentence,
                    home.clause,
                    tuple(n for n in home.own if not _is_in_quotation(n, inside)),
                    home.context,
                )
