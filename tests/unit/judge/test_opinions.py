"""Opinions on texts that were checked against several sources: whom to ask about what, and what an answer is worth."""

from almanac.judge.opinions import JudgeOpinions, SourcedCheck, choose_checks, to_opinions, to_report
from almanac.verify import CheckedClaim, Verdict, VerificationReport

TEXT = "Western Grid worked fast."
CITED, NEAREST = {"a": "Western Grid repaired the lines."}, {"a": "Western Grid is slow."}


def check(verdict, sources=CITED, text=TEXT, judged_by=""):
    claim = CheckedClaim(
        text=text, start=0, end=len(text), references=("a",), verdict=verdict, best_source="a", judged_by=judged_by
    )
    return SourcedCheck(claim, sources)


def opinion(verdict, judged_by=""):
    return JudgeOpinions({TEXT: check(verdict, judged_by=judged_by)})


def test_a_text_is_judged_against_the_source_that_supports_it_or_the_first():
    doubtful, supported = check(Verdict.UNCONFIRMED), check(Verdict.SUPPORTED, NEAREST)
    assert choose_checks([doubtful, supported]) == [supported]
    assert choose_checks([doubtful, check(Verdict.UNCONFIRMED, NEAREST)]) == [doubtful]


def test_a_text_that_any_source_contradicts_is_not_judged():
    assert choose_checks([check(Verdict.UNCONFIRMED), check(Verdict.CHANGED, NEAREST)]) == []
    assert choose_checks([check(Verdict.UNSUPPORTED), check(Verdict.UNCONFIRMED, NEAREST)]) == []


def test_sources_of_the_same_name_stay_apart():
    report, sources = to_report([check(Verdict.UNCONFIRMED), check(Verdict.SUPPORTED, NEAREST, "It is slow.")])
    assert [sources[claim.references[0]] for claim in report.sentences] == [CITED["a"], NEAREST["a"]]
    assert [claim.best_source for claim in report.sentences] == [claim.references[0] for claim in report.sentences]


def test_a_doubt_counts_for_every_source():
    doubt = opinion(Verdict.UNCONFIRMED)
    for sources in (CITED, NEAREST):
        assert doubt.apply(check(Verdict.SUPPORTED, sources).checked, sources).verdict is Verdict.UNCONFIRMED


def test_a_confirmation_counts_for_its_own_source_alone():
    confirmation = opinion(Verdict.SUPPORTED, "model")
    confirmed = confirmation.apply(check(Verdict.UNCONFIRMED).checked, CITED)
    assert (confirmed.verdict, confirmed.judged_by) == (Verdict.SUPPORTED, "model")
    elsewhere = check(Verdict.UNCONFIRMED, NEAREST).checked
    assert confirmation.apply(elsewhere, NEAREST) == elsewhere


def test_no_opinion_lifts_a_contradiction():
    for verdict in (Verdict.CHANGED, Verdict.UNSUPPORTED):
        contradicted = check(verdict).checked
        assert opinion(Verdict.SUPPORTED, "model").apply(contradicted, CITED) == contradicted


def test_what_the_judge_left_as_it_was_is_no_opinion():
    same = check(Verdict.SUPPORTED)
    assert to_opinions([same], VerificationReport((same.checked,))) == JudgeOpinions()
