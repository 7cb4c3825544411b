"""Typing errors: the distance between words, against a plain model, and that no near word is missed by its trigrams."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.language.spellings import character_variants, fold_characters
from almanac.search import UNRESTRICTED_VIEWER, SearchDocument
from almanac.search.corrections import MisspeltWord, allowed_edits, edit_distance, trigrams
from almanac.search.postgres import PostgresIndex
from almanac.search.vocabulary import tidy_vocabulary

WORDS = st.text("abcd", min_size=1, max_size=9)


def plain_distance(first: str, second: str) -> int:
    """The definition: replace, add, remove, or swap two neighbours that are then left alone."""

    @cache
    def rest(i: int, j: int) -> int:
        if not i or not j:
            return i + j
        ways = [rest(i - 1, j) + 1, rest(i, j - 1) + 1, rest(i - 1, j - 1) + (first[i - 1] != second[j - 1])]
        if i > 1 and j > 1 and first[i - 2 : i] == second[j - 2 : j][::-1]:
            ways.append(rest(i - 2, j - 2) + 1)
        return min(ways)

    return rest(len(first), len(second))


@given(WORDS, WORDS, st.integers(0, 3))
def test_the_distance_is_the_defined_one(first, second, most):
    assert edit_distance(first, second, most) == min(plain_distance(first, second), most + 1)


@given(st.text("abcde", min_size=4, max_size=12), st.text("abcde", min_size=2, max_size=14))
def test_every_near_word_shares_enough_trigrams(word, other):
    misspelt = MisspeltWord(word)
    if plain_distance(word, other) <= allowed_edits(word):
        shared = set(trigrams(word)) & set(trigrams(other))
        assert len(shared) >= misspelt.fewest_shared or repeats(word)
        assert shared & set(misspelt.required_trigrams) or repeats(word)
        assert misspelt.lengths[0] <= len(other) <= misspelt.lengths[1]


def repeats(word: str) -> bool:
    """Whether a trigram occurs twice, so that one error can cost more different ones than it should."""
    return len(trigrams(word)) < len(word) + 1


@pytest.mark.parametrize(("word", "edits"), [("the", 0), ("rice", 1), ("kitchen", 1), ("parliament", 2)])
def test_longer_words_may_have_more_errors(word, edits):
    assert allowed_edits(word) == edits


def test_only_the_nearest_words_count():
    assert MisspeltWord("parlaiment").nearest(["parliament", "parlament", "apartment"]) == {
        "parliament": 1,
        "parlament": 1,
    }
    assert MisspeltWord("kitchne").nearest(["kitchen", "kitten"]) == {"kitchen": 1}


def test_folded_characters_are_one_for_one_and_stay_folded():
    text = "經濟部長與髮型設計師在圖書館討論経済産業省"
    folded = fold_characters(text)
    assert len(folded) == len(text)
    assert fold_characters(folded) == folded
    assert all(original in character_variants(simple) for original, simple in zip(text, folded, strict=True))


async def test_words_that_no_document_has_any_more_are_forgotten(database):
    index = PostgresIndex(database, cursor_key=b"key")
    for key, text in (("1", "harvests of durian"), ("2", "harvest")):
        async with database.unit() as unit:
            await index.put(unit, SearchDocument(kind="note", id=key, title=text, path="/"))
    async with database.unit() as unit:
        await index.remove(unit, "note", ["1"])
    assert await tidy_vocabulary(database) == 1
    async with database.unit() as unit:
        left = await unit.all("SELECT word FROM search_words ORDER BY word")
    assert [row["word"] for row in left] == ["harvest", "harvests"]
    assert (await index.find("harvset", viewer=UNRESTRICTED_VIEWER, forgiving=True)).total == 1
