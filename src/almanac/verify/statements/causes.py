"""Finds a cause that the source doesn't give: `because of the frost` where the source only has both side by side."""

from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.reasons import uncertain_difference
from almanac.verify.statements.english_words import english_pattern
from almanac.verify.statements.parallels import stated_words
from almanac.verify.words.content import carried_keys


def check_causes(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """A finding where the claim gives a cause and the sentence with the words of that cause doesn't call it one."""
    match = english_pattern("cause").search(facts.text)
    if match is None:
        return []
    cause = [word for word in stated_words(facts) if word.start >= match.end()]
    home = max(
        alignment.sentences,
        key=lambda sentence: sum(bool(word.keys & carried_keys([sentence.facts.masked_text], "en")) for word in cause),
    )
    if english_pattern("linked").search(home.facts.text):
        return []
    return [uncertain_difference(match[0], home.facts.text)]
