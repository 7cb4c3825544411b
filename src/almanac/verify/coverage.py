"""Which words of a claim are carried by nothing in the source sentences that it is made from."""

from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.words.content import carried_keys, content_words
from almanac.verify.words.model import ContentWord


def find_uncovered_words(facts: SentenceFacts, alignment: Alignment, language: str) -> list[ContentWord]:
    """The claim's words that no aligned sentence carries, in order."""
    words = content_words(facts.masked_text, language)
    carried = carried_keys((sentence.facts.masked_text for sentence in alignment.sentences), language)
    return [word for word in words if not word.keys & carried]
