"""Precision and recall on pairs written by hand: faithful sentences of several kinds, and faults put into them."""

from collections import Counter

import pytest

from almanac.verify import Verdict

PRECISION, RECALL = 0.98, 0.95
LANGUAGES = ["en", "ja", "ms", "zh"]


def figures(judged):
    """Precision and recall of finding faults, with the number of pairs they rest on."""
    seen = Counter((pair.is_fault, checked.verdict is not Verdict.SUPPORTED) for pair, checked in judged)
    hits, alarms, misses = seen[True, True], seen[False, True], seen[True, False]
    precision = hits / (hits + alarms) if hits + alarms else 1.0
    recall = hits / (hits + misses) if hits + misses else 1.0
    return precision, recall, len(judged)


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
        if pair.is_fault != (checked.verdict is not Verdict.SUPPORTED)
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


def test_every_kind_of_fault_is_found(judged):
    kinds = sorted({pair.kind for pair, _ in judged if pair.is_fault})
    for kind in kinds:
        _, recall, count = figures([each for each in judged if each[0].kind == kind and each[0].is_fault])
        print(f"\n{kind}: recall {recall:.3f} on {count} pairs")
        assert recall >= RECALL - 0.05, kind


def test_a_changed_fact_is_told_apart_from_a_dangling_reference(judged):
    for pair, checked in judged:
        if pair.is_fault and pair.kind == "dangling":
            assert checked.verdict is Verdict.UNSUPPORTED
        elif pair.is_fault and checked.findings:
            assert checked.verdict is Verdict.CHANGED, pair.text


def test_every_reason_is_a_sentence(judged):
    reasons = [finding.reason for _, checked in judged for finding in checked.findings]
    assert all(reason[0].isupper() and reason[-1] in ".”" for reason in reasons)
