"""Precision and recall on pairs written by hand: faithful sentences of several kinds, and faults put into them."""

import pytest

from almanac.verify import Verdict

PRECISION, RECALL, RECALL_OF_A_KIND, MAX_UNCONFIRMED = 0.98, 0.95, 0.85, 0.25
LANGUAGES = ["en", "ja", "ms", "zh"]
CONTRADICTED = {Verdict.CHANGED, Verdict.UNSUPPORTED}
EXTRACTIVE = {"verbatim", "trimmed"}


def figures(judged):
    """Precision of what is called changed or unsupported, recall of faults by any flag, and the number of pairs."""
    alarms = sum(checked.verdict in CONTRADICTED for pair, checked in judged if not pair.is_fault)
    hits = sum(checked.verdict in CONTRADICTED for pair, checked in judged if pair.is_fault)
    flagged = sum(checked.verdict is not Verdict.SUPPORTED for pair, checked in judged if pair.is_fault)
    faults = sum(pair.is_fault for pair, _ in judged)
    precision = hits / (hits + alarms) if hits + alarms else 1.0
    return precision, flagged / faults if faults else 1.0, len(judged)


def test_the_set_is_large_and_balanced_enough(labelled):
    assert len(labelled) >= 440
    for language in LANGUAGES:
        faults = sum(pair.is_fault for pair in labelled if pair.language == language)
        faithful = sum(not pair.is_fault for pair in labelled if pair.language == language)
        assert min(faults, faithful) >= 40, language


def test_faults_are_found_and_nothing_else_is(judged):
    precision, recall, count = figures(judged)
    print(f"\nall: precision {precision:.3f}, recall {recall:.3f} on {count} pairs")
    wrong = [
        (pair.language, pair.kind, pair.text, [finding.reason for finding in checked.findings])
        for pair, checked in judged
        if (pair.is_fault and checked.verdict is Verdict.SUPPORTED)
        or (not pair.is_fault and checked.verdict in CONTRADICTED)
    ]
    assert precision >= PRECISION, wrong
    assert recall >= RECALL, wrong


def test_the_part_that_no_rule_was_made_for_is_no_worse(judged):
    precision, recall, count = figures([each for each in judged if each[0].held_out])
    print(f"\nheld out: precision {precision:.3f}, recall {recall:.3f} on {count} pairs")
    assert precision >= PRECISION
    assert recall >= RECALL


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_keeps_the_bars(judged, language):
    precision, recall, count = figures([each for each in judged if each[0].language == language])
    print(f"\n{language}: precision {precision:.3f}, recall {recall:.3f} on {count} pairs")
    assert precision >= PRECISION
    assert recall >= RECALL


@pytest.mark.parametrize("language", LANGUAGES)
def test_few_paraphrases_are_left_to_a_person(judged, language):
    verdicts = [checked.verdict for pair, checked in judged if pair.language == language and pair.kind == "paraphrase"]
    share = verdicts.count(Verdict.UNCONFIRMED) / len(verdicts)
    print(f"\n{language}: {share:.3f} of {len(verdicts)} paraphrases unconfirmed")
    assert share <= MAX_UNCONFIRMED


def test_what_is_taken_from_the_source_is_always_supported(judged):
    wrong = [
        (pair.text, checked.findings)
        for pair, checked in judged
        if pair.kind in EXTRACTIVE and not pair.is_fault and checked.verdict is not Verdict.SUPPORTED
    ]
    assert not wrong


def test_every_kind_of_fault_is_found(judged):
    kinds = sorted({pair.kind for pair, _ in judged if pair.is_fault})
    for kind in kinds:
        _, recall, count = figures([each for each in judged if each[0].kind == kind and each[0].is_fault])
        print(f"\n{kind}: recall {recall:.3f} on {count} pairs")
        assert recall >= RECALL_OF_A_KIND, kind


def test_a_changed_fact_is_told_apart_from_a_dangling_reference(judged):
    for pair, checked in judged:
        if pair.is_fault and pair.kind == "dangling":
            assert checked.verdict is Verdict.UNSUPPORTED
        elif pair.is_fault and checked.findings:
            assert checked.verdict is not Verdict.UNSUPPORTED or pair.kind in {"embellishment", "name"}, pair.text


def test_every_reason_is_a_sentence(judged):
    reasons = [finding.reason for _, checked in judged for finding in checked.findings]
    assert all(reason[0].isupper() and reason[-1] in ".”" for reason in reasons)
