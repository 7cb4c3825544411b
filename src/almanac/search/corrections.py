"""Forgives typing errors: which words of a query may be wrong, which are near, and the query that asks for both.

Pure functions over words; an index says which words it has and how often they occur.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from almanac.language.scripts import is_cjk
from almanac.language.spellings import swap_kana
from almanac.language.terms import fold_word, search_terms, stem
from almanac.search.model import Correction
from almanac.search.query import QueryAll, QueryAny, QueryNode, QueryNot, QueryText, SearchQuery, SimilarText
from almanac.search.terms import is_correctable

FEW_MATCHES = 3
"""A word, or a query, with fewer matches is also searched by similar words."""
MAX_CORRECTIONS = 5
_SHORTEST_RUN, _LONGEST_RUN = 4, 20
_SHORTEST_BEGUN = 3
_SHORTEST_KANA = 3
_UNTOUCHED, _ONE_EDIT = 3, 7
_TRIGRAMS_PER_EDIT = 4
_MOST_COUNTED, _COUNTED_UPTO = 20, 50


def allowed_edits(word: str) -> int:
    """How many typing errors are forgiven: none in short words, one in usual ones, two in long ones."""
    return 0 if len(word) <= _UNTOUCHED else 1 if len(word) <= _ONE_EDIT else 2


def edit_distance(first: str, second: str, most: int) -> int:
    """How many letters must be replaced, added, removed, or swapped with the next; `most + 1` if more than `most`."""
    if abs(len(first) - len(second)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, letter in enumerate(first, 1):
        before, above, row = row, before, [i]
        for j, other in enumerate(second, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == second[j - 2] and first[i - 2] == other:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
        if min(row) > most and (not before or min(before) > most):
            return most + 1
    return min(row[-1], most + 1)


def distance_of_beginning(beginning: str, word: str, most: int) -> int:
    """The distance to the beginning of a word that is nearest."""
    lengths = range(max(1, len(beginning) - most), min(len(word), len(beginning) + most) + 1)
    return min((edit_distance(beginning, word[:length], most) for length in lengths), default=most + 1)


def trigrams(word: str) -> list[str]:
    """Every three letters that follow each other, with two blanks before the word and one after it."""
    padded = f"  {word} "
    return list(dict.fromkeys(padded[at : at + 3] for at in range(len(padded) - 2)))


@dataclass(frozen=True, slots=True)
class MisspeltWord:
    """A word of a query that may be misspelt, folded as the vocabulary is; a beginning may go on in any way."""

    word: str
    is_beginning: bool = False

    @property
    def trigrams(self) -> list[str]:
        """Trigrams that words near to it share with it."""
        grams = trigrams(self.word)
        return grams[:-1] if self.is_beginning else grams

    @property
    def fewest_shared(self) -> int:
        """How many trigrams every word that is near enough has in common with it: one error costs at most four."""
        return max(1, len(self.trigrams) - _TRIGRAMS_PER_EDIT * allowed_edits(self.word))

    @property
    def required_trigrams(self) -> list[str]:
        """Trigrams of which every word that is near enough has at least one, without the most frequent: those at the
        ends of words.
        """
        grams = self.trigrams
        ends = [grams[0], grams[-1], grams[1]] if len(grams) > _TRIGRAMS_PER_EDIT else []
        skipped = ends[: self.fewest_shared - 1]
        return [gram for gram in grams if gram not in skipped]

    @property
    def lengths(self) -> tuple[int, int]:
        """The shortest and the longest that a word near to it can be, with an ending of one letter more."""
        edits = allowed_edits(self.word)
        return len(self.word) - edits, 64 if self.is_beginning else len(self.word) + edits + 1

    def nearest(self, candidates: Collection[str]) -> dict[str, int]:
        """The candidates near enough, with their distance; only those at the smallest distance count."""
        edits = allowed_edits(self.word)
        measure = distance_of_beginning if self.is_beginning else edit_distance
        # Words are indexed by their stem: “harvset” is one error from “harvest”, even if only “harvests” occurs.
        distances = {
            candidate: min(measure(self.word, candidate, edits), measure(self.word, stem(candidate), edits))
            for candidate in candidates
        }
        near = {word: distance for word, distance in distances.items() if 0 < distance <= edits}
        smallest = min(near.values(), default=0)
        return {word: distance for word, distance in near.items() if distance == smallest}


def misspelt_word(text: QueryText) -> MisspeltWord | None:
    """The word of a text in which typing errors are looked for; None if it isn't a single one of letters."""
    if text.quoted or len(search_terms(text.text)) != 1:
        return None
    word = fold_word(text.text)
    return MisspeltWord(word, text.is_beginning) if is_correctable(word) and allowed_edits(word) else None


def begun_word(text: QueryText) -> MisspeltWord | None:
    """The last word of a query as the beginning of others; None if it is short, or none of letters."""
    if text.quoted or text.is_beginning or len(search_terms(text.text)) != 1:
        return None
    word = fold_word(text.text)
    is_begun = len(word) >= _SHORTEST_BEGUN and word.isalpha() and not is_cjk(word[-1])
    return MisspeltWord(word, is_beginning=True) if is_begun else None


def correctable_texts(node: QueryNode | None) -> Iterator[QueryText]:
    """The unquoted texts that a query asks for outside of exclusions and fields."""
    match node:
        case QueryText(quoted=False):
            yield node
        case QueryAll(of) | QueryAny(of):
            for part in of:
                yield from correctable_texts(part)


def similar_run(text: QueryText) -> tuple[QueryNode, ...]:
    """What a run of Chinese or Japanese characters may have been meant for; nothing for other texts."""
    run = text.text
    if not all(map(is_cjk, run)) or len(run) < _SHORTEST_KANA:
        return ()
    similar: list[QueryNode] = [QueryText(swapped)] if (swapped := swap_kana(run)) != run else []
    if _SHORTEST_RUN <= len(run) <= _LONGEST_RUN:
        similar.append(SimilarText(run))
    return tuple(similar)


class Vocabulary(Protocol):
    """What an index knows of words, as far as one viewer may know it."""

    async def count_texts(self, texts: Sequence[QueryText], *, upto: int) -> list[int]:
        """For each text the number of documents with it, up to a number."""

    async def similar_words(self, words: Sequence[MisspeltWord]) -> list[list[str]]:
        """For each word those that share enough trigrams with it, whoever may see them."""


async def find_corrections(
    query: SearchQuery, vocabulary: Vocabulary, *, matches: int | None = None
) -> tuple[Correction, ...]:
    """The words of a query that no document has, with the words that may be meant.

    A word that some document has is spelled rightly, unless the whole query has no match and every word of it occurs:
    then those that few documents have may be wrong. `matches` is how many documents of the viewer match the whole
    query, if that was counted: a query that is a single text needs no second count. Only words that occur in a document
    of the viewer are given: others would tell what is in those of somebody else.
    """
    texts = list(dict.fromkeys(correctable_texts(query.root)))
    texts = [text for text in texts if misspelt_word(text) or similar_run(text) or text == texts[-1]]
    if matches is not None and texts == [query.root]:
        counts = [matches]
    else:
        counts = await vocabulary.count_texts(texts, upto=FEW_MATCHES) if texts else []
    enough = 1 if matches or 0 in counts else FEW_MATCHES
    rare = [text for text, count in zip(texts, counts, strict=True) if count < enough]
    begun = await _continue(texts[-1], vocabulary) if texts and counts[-1] == 0 else None
    if begun:
        rare = rare[:-1]
    return (*await _correct_all(rare, vocabulary), *([begun] if begun else ()))


async def _continue(text: QueryText, vocabulary: Vocabulary) -> Correction | None:
    """The words that begin with the last of a query, which may not be typed to its end; None if there are none."""
    word = begun_word(text)
    if word is None or not any(await vocabulary.count_texts([QueryText(text.text, is_beginning=True)], upto=1)):
        return None
    (candidates,) = await vocabulary.similar_words([word])
    longer = {candidate: 0 for candidate in candidates if candidate.startswith(word.word)}
    correction = await _correct(text, longer, vocabulary)
    return Correction(text.text, correction.alternatives if correction else (), is_beginning=True)


async def _correct_all(rare: Sequence[QueryText], vocabulary: Vocabulary) -> tuple[Correction, ...]:
    rare = [text for text in rare if misspelt_word(text) or similar_run(text)]
    words = {text: word for text in rare if (word := misspelt_word(text))}
    similar = await vocabulary.similar_words(list(words.values())) if words else []
    corrections = [
        await _correct(text, words[text].nearest(candidates), vocabulary)
        for text, candidates in zip(words, similar, strict=True)
    ]
    corrections += [Correction(text.text) for text in rare if text not in words]
    return tuple(correction for correction in corrections if correction)


async def _correct(text: QueryText, near: Mapping[str, int], vocabulary: Vocabulary) -> Correction | None:
    """The most frequent of the words near to a text; None if no document of the viewer has any of them."""
    stems = {stem(word): word for word in sorted(near, reverse=True)}
    stems.pop(stem(fold_word(text.text)), None)
    words = sorted(stems.values())[:_MOST_COUNTED]
    counts = await vocabulary.count_texts([QueryText(word) for word in words], upto=_COUNTED_UPTO) if words else []
    frequent = sorted((-count, word) for count, word in zip(counts, words, strict=True) if count)
    return Correction(text.text, tuple(word for _, word in frequent[:MAX_CORRECTIONS])) if frequent else None


def widen_query(query: SearchQuery, corrections: Sequence[Correction]) -> SearchQuery:
    """The query in which a corrected text may also be one of its alternatives; exclusions and fields stay."""
    by_word = {correction.word: correction for correction in corrections}
    alternatives: dict[QueryText, Sequence[QueryNode]] = {}
    for text in correctable_texts(query.root):
        if correction := by_word.get(text.text):
            if correction.is_beginning:
                alternatives[text] = [QueryText(text.text, is_beginning=True)]
                continue
            words = [QueryText(word) for word in correction.alternatives]
            alternatives[text] = words or similar_run(text)
    return SearchQuery(None if query.root is None else _widen(query.root, alternatives))


def exclude_query(query: SearchQuery, excluded: SearchQuery) -> SearchQuery:
    """The matches of a query that another one doesn't match."""
    if query.root is None or excluded.root is None:
        return query
    parts = query.root.of if isinstance(query.root, QueryAll) else (query.root,)
    return SearchQuery(QueryAll((*parts, QueryNot(excluded.root))))


def _widen(node: QueryNode, alternatives: Mapping[QueryText, Sequence[QueryNode]]) -> QueryNode:
    match node:
        case QueryText() if others := alternatives.get(node):
            return QueryAny((node, *others))
        case QueryAll(of):
            return QueryAll(tuple(_widen(part, alternatives) for part in of))
        case QueryAny(of):
            return QueryAny(tuple(_widen(part, alternatives) for part in of))
    return node
