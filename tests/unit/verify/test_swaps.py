"""Sentences of whole articles, as they are and with a figure of another sentence put in, which must be found."""

import random
from pathlib import Path

import pytest

from almanac.verify import CitedClaim, Verdict
from almanac.verify.checker import Checker
from almanac.verify.quantities.quantity import quantities_match
from almanac.verify.sources import SourceText

ARTICLES = Path(__file__).parents[1] / "llm" / "extractive" / "articles"
LANGUAGES = ["en", "ja", "ms", "zh"]
SHORTEST = 12


@pytest.fixture
def articles(request):
    return [path.read_text("utf-8") for path in sorted((ARTICLES / request.param).glob("*.txt"))]


def verdict_on(checker, text):
    return checker.check(CitedClaim(text, ("article",)), 0, len(text)).verdict


def with_figures_of_others(sentences, chance):
    """Each sentence with one of its figures replaced by one of the same kind from another sentence."""
    for sentence in sentences:
        own = [each for each in sentence.facts.quantities if not each.in_words]
        if not own:
            continue
        gone = chance.choice(own)
        others = [
            each
            for other in sentences
            for each in other.facts.quantities
            if each.kind is gone.kind
            and each.ordinal == gone.ordinal
            and not each.in_words
            and not any(quantities_match(each, mine) for mine in sentence.facts.quantities)
        ]
        if others:
            text = sentence.facts.text
            yield text[: gone.start] + chance.choice(others).text + text[gone.end :]


@pytest.mark.parametrize("articles", LANGUAGES, indirect=True)
def test_a_figure_of_another_sentence_is_found(articles):
    chance = random.Random(11)
    tried, missed = 0, []
    for article in articles:
        checker = Checker({"article": article}, None, None)
        for text in with_figures_of_others(SourceText("article", article).sentences, chance):
            tried += 1
            if verdict_on(checker, text) is Verdict.SUPPORTED:
                missed.append(text)
    print(f"\nfigures of other sentences: {tried - len(missed)} of {tried} found")
    assert tried >= 50
    assert len(missed) <= tried * 0.05, missed


@pytest.mark.parametrize("articles", LANGUAGES, indirect=True)
def test_every_sentence_of_an_article_is_supported_by_it(articles):
    for article in articles:
        checker = Checker({"article": article}, None, None)
        for sentence in SourceText("article", article).sentences:
            text = sentence.text.strip()
            if len(text) >= SHORTEST:
                assert verdict_on(checker, text) is Verdict.SUPPORTED, text
