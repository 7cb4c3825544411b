"""Categories from a fixed list, by evidence: the committee's name, the titles on the agenda, and the words spoken."""

from collections.abc import Iterable

from almanac.desks.recap.derive.word_lists import category_words
from almanac.desks.recap.model.categories import CATEGORIES
from almanac.desks.recap.model.meeting import Meeting

MOST_CATEGORIES = 4
_IN_MEETING, _IN_TITLE, _MOST_SPOKEN = 6.0, 5.0, 6.0
_LEAST = 3.0
_SHARE_OF_BEST = 0.3
_PROCEDURE = CATEGORIES[0]


def categories(meeting: Meeting, titles: Iterable[str], spoken: str) -> tuple[str, ...]:
    """The best supported categories, the best first; whatever is about nothing else is about the parliament itself."""
    named, agenda = meeting.meeting, "\n".join(titles)
    scores = {
        category: _IN_MEETING * any(word in named for word in words)
        + _IN_TITLE * sum(word in agenda for word in words)
        + _spoken(spoken, words)
        for category, words in category_words().items()
    }
    least = max(_LEAST, _SHARE_OF_BEST * max(scores.values(), default=0.0))
    chosen = [name for name in sorted(scores, key=lambda name: -scores[name]) if scores[name] >= least]
    return tuple(chosen[:MOST_CATEGORIES]) or (_PROCEDURE,)


def _spoken(text: str, words: Iterable[str]) -> float:
    """Words per thousand characters, so that a long debate isn't about everything."""
    if not text:
        return 0.0
    return min(_MOST_SPOKEN, 1000 * sum(text.count(word) for word in words) / max(len(text), 1000))
