"""Runs the rules of meaning for Japanese."""

from almanac.verify.alignment import Alignment
from almanac.verify.facts import SentenceFacts
from almanac.verify.model import ClaimFinding
from almanac.verify.statements.japanese.causes import check_causes
from almanac.verify.statements.japanese.denials import check_clause_polarity, check_denials, check_prefixes
from almanac.verify.statements.japanese.figures import (
    check_figure_order,
    check_figure_subjects,
    check_shares,
)
from almanac.verify.statements.japanese.hedges import check_bounds, check_hedges
from almanac.verify.statements.japanese.opposites import check_opposites
from almanac.verify.statements.japanese.predicates import read_predicates
from almanac.verify.statements.japanese.quantifiers import check_quantifiers
from almanac.verify.statements.japanese.roles import check_roles, check_speakers


def check_meaning(facts: SentenceFacts, alignment: Alignment) -> list[ClaimFinding]:
    """What the claim says otherwise than the source, and what can't be told for certain."""
    claimed = read_predicates(facts.masked_text)
    sentences = [sentence.facts.masked_text for sentence in alignment.sentences]
    sourced = [predicate for text in sentences for predicate in read_predicates(text)]
    return (
        check_clause_polarity(facts, alignment)
        or check_denials(claimed, sourced, alignment)
        or check_prefixes(facts, alignment)
        or check_hedges(facts.text, claimed, sourced, alignment)
        or check_bounds(facts, alignment)
        or check_opposites(facts, alignment)
        or check_quantifiers(facts, alignment)
        or check_figure_subjects(facts, alignment)
        or check_shares(facts, alignment)
        or check_figure_order(facts, alignment)
        or check_roles(claimed, sourced)
        or check_speakers(facts, claimed, alignment)
        or check_causes(facts, alignment)
    )
