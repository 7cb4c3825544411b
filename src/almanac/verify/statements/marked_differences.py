"""Rules of meaning by lists of words, shared by Malay (with Indonesian) and Chinese."""

from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.statements.contrasts import check_contrasts, check_lists, check_rates, check_works
from almanac.verify.statements.denials import check_denials
from almanac.verify.statements.figure_order import check_figure_order
from almanac.verify.statements.marked_sentences import mark_sentence
from almanac.verify.statements.openness import check_bounds, check_openness
from almanac.verify.statements.restrictions import check_restrictions
from almanac.verify.statements.subjects import check_subjects
from almanac.verify.statements.word_replacements import check_replaced_words

_END = ".。 !！?？"


def check_marked_differences(
    facts: SentenceFacts, alignment: Alignment, language: str, restrictions: frozenset[str]
) -> list[ClaimFinding]:
    """The first difference of meaning that a person must look at; `restrictions` are the classes the language has."""
    claim = mark_sentence(facts, language)
    sentences = [mark_sentence(sentence.facts, language) for sentence in alignment.sentences]
    whole = [sentence for sentence in sentences if claim.text.rstrip(_END) in sentence.text]
    if whole:  # a part of a sentence, word for word, can only have lost a hedge or a quantifier
        return check_openness(claim, whole) or check_restrictions(claim, whole, frozenset())
    return (
        check_openness(claim, sentences)
        or check_bounds(facts, alignment.sentences, language)
        or check_denials(claim, sentences)
        or check_restrictions(claim, sentences, restrictions)
        or check_figure_order(facts, language)
        or check_lists(facts, alignment.sentences)
        or (
            check_rates(facts, alignment.sentences) or check_works(facts, alignment.sentences)
            if language == "zh"
            else []
        )
        or check_contrasts(claim, sentences)
        or check_subjects(claim, sentences)
        or check_replaced_words(claim, sentences)
    )
