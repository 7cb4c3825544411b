"""Finds a fact given to another subject: the figure or the quotation is the source's, but somebody else's."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from itertools import islice

from almanac.kit.lazy_regex import lazy_regex
from almanac.language.scripts import HAN
from almanac.verify.alignment import Alignment
from almanac.verify.clauses import Clause, clause_at, clauses_of, terms_of, undirected_terms
from almanac.verify.facts import Facts
from almanac.verify.latin_names import latin_words
from almanac.verify.model import Finding
from almanac.verify.moments import Moment
from almanac.verify.named import Named, codes_in, cores_of, names_in
from almanac.verify.plain import plain
from almanac.verify.quantities import Quantity, says_same
from almanac.verify.quotations import Quotation, as_quoted, find_quotations, is_verbatim
from almanac.verify.reasons import of_another
from almanac.verify.sources import SourceSentence, SourceText, all_quantities, root, terms
from almanac.verify.vocabulary import words_of

_MOST_HOMES = 4
_MOST_FACTS = 16  # a row of a table rather than a sentence
_MOST_NEAR = 40
_LONGEST_CLAUSE = 200
_KEPT = 0.7
_VERBATIM = 0.9
_KIN = 0.6
_CONVINCING = 2
_LONGEST_ROLE = 8
_OTHER_CHARACTERS = lazy_regex(f"[{HAN}]{{2,4}}")


@dataclass(frozen=True, slots=True)
class _Home:
    """Where the source has a fact: the sentence, the clause, the names in it and those it may speak of."""

    sentence: SourceSentence
    clause: Clause
    own: tuple[Named, ...]
    context: tuple[Named, ...]


class _Reading:
    """The sources with the names that they and the claim show."""

    def __init__(self, facts: Facts, alignment: Alignment, sources: Sequence[SourceText], language: str) -> None:
        self._chosen = frozenset(id(sentence) for sentence in alignment.chosen)
        self.sentences = [sentence for source in sources for sentence in source.sentences]
        self._cores = cores_of([facts, *(sentence.facts for sentence in self.sentences)], language)
        self._told = frozenset(key for name in self.names(facts) for key in name.keys)

    def names(self, facts: Facts, clause: Clause | None = None) -> tuple[Named, ...]:
        found = [*names_in(facts, self._cores), *codes_in(facts)]
        return tuple(name for name in found if clause is None or clause.holds(name.start))

    def home(self, number: int, start: int) -> _Home:
        """The clause that holds the fact at this place of a sentence; without a name it goes on about those before."""
        sentence = self.sentences[number]
        clauses, at = clauses_of(sentence.facts), clause_at(sentence.facts, start)
        own = self.names(sentence.facts, clauses[at])
        context, back = own, at
        while back and not _has_subject(context):
            back -= 1
            context += self.names(sentence.facts, clauses[back])
        if not _has_subject(context):
            context += self._around(number)
        return _Home(sentence, clauses[at], own, context)

    def near(self, homes: Sequence["_Home"]) -> Iterator[SourceSentence]:
        """The sentences that the claim rests on, those right beside a fact, and those with a name of the claim."""
        beside = {(home.sentence.source, home.sentence.number + step) for home in homes for step in (-1, 0, 1)}
        found = 0
        for sentence in self.sentences:
            named = found < _MOST_NEAR and self._names_any(sentence)
            found += named
            if named or id(sentence) in self._chosen or (sentence.source, sentence.number) in beside:
                yield sentence

    def _names_any(self, sentence: SourceSentence) -> bool:
        """Whether a sentence has any name of the claim."""
        return bool(self._told & sentence.words) or any(key in sentence.text for key in self._told if not key.isascii())

    def is_common(self, name: Named) -> bool:
        """Whether the sources write this word small: at the beginning of a sentence it is no name then."""
        return any(
            word.key in name.keys and word.text.islower()
            for sentence in self.sentences
            if name.keys <= sentence.words
            for word in sentence.facts.words
        )

    def _around(self, number: int) -> tuple[Named, ...]:
        near = self.sentences[max(0, number - 2) : number + 2]
        return tuple(name for sentence in near for name in self.names(sentence.facts))


def _has_subject(names: Sequence[Named]) -> bool:
    return any(name.is_subject for name in names)


def check_attribution(
    facts: Facts, alignment: Alignment, sources: Sequence[SourceText], language: str
) -> list[Finding]:
    """The first fact of the claim that the source gives to somebody or something that the claim doesn't name."""
    reading = _Reading(facts, alignment, sources, language)
    quoted = find_quotations(facts.text)
    for fact in facts.measured[:_MOST_FACTS]:
        if any(quotation.start <= fact.start < quotation.end for quotation in quoted):
            continue
        places = [*islice(_places(fact, reading.sentences), _MOST_HOMES + 1)]
        if len(places) > _MOST_HOMES or any(_is_quoted(reading.sentences[at], meant) for at, meant in places):
            continue
        homes = [reading.home(number, meant.start) for number, meant in places]
        other = _other_subject(facts, fact, homes, reading) if homes else None
        if other is not None:
            return [other]
    return _other_speaker(facts, reading)


def _places(fact: Quantity | Moment, sentences: Sequence[SourceSentence]) -> Iterator[tuple[int, Quantity | Moment]]:
    """Where the sources have a fact. Only quantities and whole dates are told apart well enough."""
    exact = isinstance(fact, Quantity) and any(_is_exactly(fact, meant) for meant in all_quantities(sentences))
    for number, sentence in enumerate(sentences):
        if isinstance(fact, Quantity):
            same = _is_exactly if exact else says_same
            yield from ((number, meant) for meant in sentence.facts.quantities if same(fact, meant))
        elif any(parts.day for parts in fact.dates):
            yield from ((number, meant) for meant in sentence.facts.moments if fact.dates & meant.dates)


def _is_quoted(sentence: SourceSentence, meant: Quantity | Moment) -> bool:
    """Whether a source has a fact in somebody's words, which a clause is read without."""
    return any(quotation.start <= meant.start < quotation.end for quotation in find_quotations(sentence.facts.text))


def _is_exactly(fact: Quantity, meant: Quantity) -> bool:
    """The same without any rounding: where the source has that, what comes near is something else."""
    return says_same(fact, meant) and bool(fact.scaled & meant.scaled)


def _other_subject(facts: Facts, fact: Quantity | Moment, homes: Sequence[_Home], reading: _Reading) -> Finding | None:
    clause = clauses_of(facts)[clause_at(facts, fact.start)]
    said = reading.names(facts, clause)
    for name in said:
        if name.start == 0 and reading.is_common(name):
            continue
        owners = [_owner(name, said, home, clause) for home in homes]
        exact = all(owners) and all(_kept(clause, home.clause, said) >= _VERBATIM for home in homes)
        spoken_of = [other for home in homes for other in (home.own if exact else home.context)]
        if any(name.is_same(other) for other in spoken_of):
            continue
        if all(owners) or (isinstance(fact, Quantity) and _is_rival(name, fact, clause, homes, said, reading)):
            owner = next((each.text for each in owners if each), None)
            return of_another(name.text, owner, fact.text)
    return (
        _other_code(facts, fact, clause, homes)
        or _other_words(facts, fact, clause, homes, reading)
        or _other_characters(facts, fact, clause, homes, reading)
    )


def _other_code(facts: Facts, fact: Quantity | Moment, clause: Clause, homes: Sequence[_Home]) -> Finding | None:
    """The one invoice number of a clause, while the source has the fact after another one wherever it has it."""
    said = [code for code in codes_in(facts) if clause.holds(code.start)]
    owners = [_codes_of(home) for home in homes]
    if len(said) != 1 or not all(owners) or any(said[0].is_same(code) for each in owners for code in each):
        return None
    return of_another(said[0].text, owners[0][0].text, fact.text)


def _codes_of(home: _Home) -> list[Named]:
    """The codes of the clause that has a fact, else the last one before it."""
    codes = [code for code in codes_in(home.sentence.facts) if code.start < home.clause.end]
    return [code for code in codes if home.clause.holds(code.start)] or codes[-1:]


def _owner(name: Named, said: Sequence[Named], home: _Home, clause: Clause) -> Named | None:
    """The name that stands in the source where the claim has this one, in words that are else the same."""
    if _kept(clause, home.clause, said) < _KEPT:
        return None
    gone = [other for other in home.own if not any(other.is_same(one) for one in said)]
    opens = _opens(name, clause)
    return next((other for other in gone if other.beside & name.beside or (opens and _opens(other, home.clause))), None)


def _opens(name: Named, clause: Clause) -> bool:
    """Whether a name in Chinese characters, with a role before it, begins a clause and so is what it speaks of."""
    return not name.text.isascii() and name.start - clause.start <= _LONGEST_ROLE


def _kept(clause: Clause, other: Clause, said: Sequence[Named]) -> float:
    """The share of the claim's words, names and the role before them aside, that a clause of the source has."""
    named = {root(word.key) for name in said for word in latin_words(name.text)} | _roles()
    first = next((name for name in said if _opens(name, clause)), None)
    words = clause.terms if first is None else terms(clause.bare[first.end : clause.end])
    wanted = {term for term in words if term not in named and not any(term in name.text for name in said)}
    return len(wanted & other.terms) / len(wanted) if wanted else 0.0


@cache
def _roles() -> frozenset[str]:
    """Chairman, minister: said before a name, they come and go with it."""
    return frozenset(root(word) for word in words_of("generic_latin.txt"))


def _is_rival(
    name: Named, fact: Quantity, clause: Clause, homes: Sequence[_Home], said: Sequence[Named], reading: _Reading
) -> bool:
    """The source says the same of this name with another figure, and of another with this one."""
    if not name.is_subject or any(_kept(clause, home.clause, said) < _KEPT for home in homes):
        return False
    for home in homes:
        gone = [other for other in home.own if not any(other.is_same(one) for one in said)]
        if not any(other.is_subject for other in gone):
            return False
    return any(
        each.is_same(name) and each.is_subject and each.beside & name.beside
        for sentence, other, _ in _rivals(fact, homes, reading)
        for each in reading.names(sentence.facts, other)
    )


def _rivals(
    fact: Quantity | Moment, homes: Sequence[_Home], reading: _Reading
) -> Iterator[tuple[SourceSentence, Clause, Quantity | Moment]]:
    """The clauses of the source that have another fact of the same sort instead."""
    for sentence in reading.near(homes):
        for meant in sentence.facts.measured[:_MOST_FACTS]:
            clause = clauses_of(sentence.facts)[clause_at(sentence.facts, meant.start)]
            if _is_sort(fact, meant) and not any(clause == home.clause for home in homes):
                yield sentence, clause, meant


def _is_sort(fact: Quantity | Moment, meant: Quantity | Moment) -> bool:
    """Another value of the same sort: the same unit or none, or another whole date."""
    if isinstance(fact, Moment) or isinstance(meant, Moment):
        days = [any(parts.day for parts in each.dates) for each in (fact, meant) if isinstance(each, Moment)]
        return days == [True, True] and not _is_said(fact, meant)
    if fact.measure is None or meant.measure is None:
        return fact.measure is meant.measure and not says_same(fact, meant)
    return fact.measure.fits(meant.measure) and not says_same(fact, meant)


def _is_said(fact: Quantity | Moment, meant: Quantity | Moment) -> bool:
    if isinstance(fact, Quantity) and isinstance(meant, Quantity):
        return says_same(fact, meant)
    return isinstance(fact, Moment) and isinstance(meant, Moment) and bool(fact.dates & meant.dates)


def _other_words(
    facts: Facts, fact: Quantity | Moment, clause: Clause, homes: Sequence[_Home], reading: _Reading
) -> Finding | None:
    """All the words that tell two clauses apart are those of the clause that has another figure."""
    for _, other, meant in _rivals(fact, homes, reading):
        if any(_is_said(said, meant) for said in facts.measured):
            continue
        at_home = [undirected_terms(home.clause) for home in homes]
        own = [undirected_terms(clause) & each - other.terms for each in at_home]
        elliptic = any(not each - other.terms for each in at_home)
        if not elliptic and not any(own) and _are_those_of(clause, other, homes):
            return of_another(fact.text, meant.text, facts.text[clause.start : clause.end].strip(" ,.;、。"))
    return None


def _are_those_of(clause: Clause, other: Clause, homes: Sequence[_Home]) -> bool:
    """Whether enough words of a claim's clause are those of another clause than the one its figure is at home in."""
    for told in (terms_of, undirected_terms):
        mine, near = told(clause), told(clause) & told(other)
        apart = near - frozenset[str]().union(*(told(home.clause) for home in homes))
        if len(apart) >= _CONVINCING and len(near) >= _KIN * len(mine):
            return True
    return False


def _other_characters(
    facts: Facts, fact: Quantity | Moment, clause: Clause, homes: Sequence[_Home], reading: _Reading
) -> Finding | None:
    """Characters in the very place of others, which another clause begins with: a subject, if not a known name."""
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
                sentence.facts.text[other.start : other.end] for sentence, other, _ in _rivals(fact, homes, reading)
            )
            if theirs[:begin].endswith(mine[:start]) and any(f"{mine[:start]}{put}" in each for each in subjects):
                return of_another(put, gone, fact.text)
    return None


def _other_speaker(facts: Facts, reading: _Reading) -> list[Finding]:
    """A quotation given to somebody who isn't where the source has it, while somebody else is."""
    for quotation in find_quotations(facts.text):
        if quotation.is_title:
            continue
        clause = clauses_of(facts)[clause_at(facts, quotation.start)]
        said = [name for name in reading.names(facts) if not _within(name, find_quotations(facts.text))]
        speakers = [name for name in said if name.is_subject and clause.holds(name.start)]
        homes = [*_quoted(quotation, reading)]
        if not speakers or not homes or any(one.is_same(two) for one in said for h in homes for two in h.context):
            continue
        owners = [next((name for name in home.own if name.is_subject), None) for home in homes]
        if all(owners) and any(
            one.is_same(other) for one in speakers for s in reading.sentences for other in reading.names(s.facts)
        ):
            owner = next(each.text for each in owners if each)
            return [of_another(speakers[0].text, owner, f"“{quotation.text}”")]
    return []


def _within(name: Named, quotations: Sequence[Quotation]) -> bool:
    return any(quotation.start <= name.start < quotation.end for quotation in quotations)


def _quoted(quotation: Quotation, reading: _Reading) -> Iterator[_Home]:
    """The clauses of the source that quote these words."""
    for number, sentence in enumerate(reading.sentences):
        for other in find_quotations(sentence.text):
            passage = plain(sentence.text)[other.start : other.end]
            if is_verbatim(quotation, passage, as_quoted(passage)):
                home = reading.home(number, other.start)
                inside = find_quotations(sentence.text)
                yield _Home(
                    home.sentence, home.clause, tuple(n for n in home.own if not _within(n, inside)), home.context
                )
