"""Keywords and categories of sittings in English and German, from the business and the words spoken."""

from collections.abc import Mapping, Sequence
from functools import cache

from almanac.desks.recap.model.facts.keywords import CATEGORIES, MOST_CATEGORIES, MOST_KEYWORDS
from almanac.desks.recap.model.parliaments.parliament import Language
from almanac.desks.recap.model.recap import Priority, RecapKeyword, RecapParticipant
from almanac.language.word_lists import read_lines, read_words
from almanac.llm.extractive.keywords import extract_keywords
from almanac.llm.sources import StepSource

_HIGH, _MEDIUM = 5, 12
_MOST_ORDERS = 50
_SPARE = 3
_IN_TITLE, _MOST_SPOKEN, _LEAST, _SHARE_OF_BEST = 5.0, 6.0, 2.0, 0.3
_PROCEDURE = CATEGORIES[0]


def find_keywords(
    spoken: Mapping[int, Sequence[str]],
    titles: Sequence[str],
    people: Sequence[RecapParticipant],
    language: Language,
) -> tuple[RecapKeyword, ...]:
    """The most important words with the speeches that use them; names of people, groups and offices are left out."""
    texts = {order: " ".join(sentences) for order, sentences in spoken.items() if sentences}
    if not texts:
        return ()
    source = StepSource(id="0", text="\n".join(texts.values()), title=" ".join(titles), language=language)
    idle = read_words(__package__, f"idle_words_{language}.txt")
    names = {part.casefold() for person in people for part in (*person.name.split(), *(person.group or "").split())}
    keywords: list[RecapKeyword] = []
    for cited in extract_keywords([source], MOST_KEYWORDS * _SPARE, language=language):
        word, parts = cited.text, cited.text.casefold().split()
        orders = tuple(order for order, text in texts.items() if word in text)
        # German nouns are capitalised; other words alone name no subject.
        names_subject = language != "de" or word[:1].isupper()
        if names_subject and orders and not any(part in idle or part in names for part in parts):
            keywords.append(RecapKeyword(keyword=word, priority=_priority(len(keywords)), orders=orders[:_MOST_ORDERS]))
    return tuple(keywords[:MOST_KEYWORDS])


def _priority(place: int) -> Priority:
    return "high" if place < _HIGH else "medium" if place < _MEDIUM else "low"


def categorize_speeches(
    titles: Sequence[str], spoken: Mapping[int, Sequence[str]], language: Language
) -> tuple[str, ...]:
    """The best supported categories, the best first; parliamentary procedure if none has enough evidence."""
    agenda = " ".join(titles).casefold()
    text = " ".join(sentence for sentences in spoken.values() for sentence in sentences).casefold()
    scores = {
        category: _IN_TITLE * sum(word in agenda for word in words) + _spoken_score(text, words)
        for category, words in _category_words(language).items()
    }
    least = max(_LEAST, _SHARE_OF_BEST * max(scores.values(), default=0.0))
    chosen = [name for name in sorted(scores, key=lambda name: -scores[name]) if scores[name] >= least]
    return tuple(chosen[:MOST_CATEGORIES]) or (_PROCEDURE,)


def _spoken_score(text: str, words: Sequence[str]) -> float:
    """Occurrences per two thousand characters, so that a long debate doesn't match every category."""
    return min(_MOST_SPOKEN, 2000 * sum(text.count(word) for word in words) / max(len(text), 2000))


@cache
def _category_words(language: Language) -> dict[str, tuple[str, ...]]:
    lines = (line.partition(":") for line in read_lines(__package__, f"categories_{language}.txt"))
    return {name.strip(): tuple(word.strip() for word in words.split("|")) for name, _, words in lines}
