"""The second judge: asked in batches over HTTP, cached by sentence, booked; it lowers verdicts and confirms doubts."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from almanac.judge import SecondJudge
from almanac.llm.answer_cache import AnswerCache
from almanac.llm.model_config import ModelConfig
from almanac.llm.store import forget_old_answers
from almanac.verify import CheckedClaim, ClaimFinding, FindingKind, Verdict, VerificationReport

SOURCES = {
    "grid": "A storm cut power to 40,000 homes in the west on Sunday. Western Grid repaired the lines by noon.",
    "bridge": "The council may close the old bridge in May. It has not decided yet.",
}
CUT = "The storm left 40,000 homes without power."
FAST = "Western Grid worked fast."
CLOSE = "The council will close the old bridge in May."
WRONG = "The storm cut power to 60,000 homes."
ADRIFT = "Camels are cheap this year."
REASON = ClaimFinding(kind=FindingKind.UNCOVERED, found="fast", reason="Nothing in the source carries “fast”.")
NUMBER = ClaimFinding(kind=FindingKind.NUMBER, found="60,000", expected="40,000", reason="The source says 40,000.")


def claim(text, verdict, *findings, source="grid"):
    return CheckedClaim(
        text=text, start=0, end=len(text), references=(source,), verdict=verdict, findings=findings, best_source=source
    )


REPORT = VerificationReport(
    (
        claim(CUT, Verdict.SUPPORTED),
        replace(claim(FAST, Verdict.UNCONFIRMED, REASON), uncovered=((20, 24),)),
        claim(CLOSE, Verdict.SUPPORTED, source="bridge"),
        claim(WRONG, Verdict.CHANGED, NUMBER),
        claim(ADRIFT, Verdict.UNSUPPORTED),
    )
)


def judgement(case, verdict, reason="", evidence=None):
    passages = evidence if evidence is not None else ([f"{case}.1"] if verdict == "supported" else [])
    return {"case": case, "verdict": verdict, "evidence": passages, "reason": reason}


def says(server, *judgements):
    return server.says({"judgements": list(judgements)})


@pytest.fixture
def judge(workshop):
    return judge_for(workshop)


def judge_for(workshop, desks=("news",), model="tiny", **options):
    endpoint = replace(workshop.model, name=model)
    config = ModelConfig(default=endpoint, judged_desks=frozenset(desks))
    gateway = workshop.gateway(steps={"judge": endpoint}, **options)
    return SecondJudge(gateway, AnswerCache(workshop.database, workshop.clock), config)


def verdicts(report):
    return [sentence.verdict for sentence in report.sentences]


async def test_one_question_has_every_sentence_that_may_be_judged_with_its_passages(judge, model_server) -> None:
    model_server.then(says(model_server, *(judgement(f"s{n}", "supported") for n in (1, 2, 3))))

    await judge.review(REPORT, SOURCES, desk="news", subject="link 7")

    (asked,) = model_server.asked
    instructions, cases = asked["messages"][0]["content"], asked["messages"][-1]["content"]
    assert "Give each case a verdict" in instructions
    assert f"Source s1: {CUT}\n[s1.1] A storm cut power" in cases
    assert f"Source s2: {FAST}" in cases
    assert f"Source s3: {CLOSE}\n[s3.1] The council may close" in cases
    assert WRONG not in json.dumps(asked)
    assert ADRIFT not in json.dumps(asked)


async def test_it_confirms_a_doubt_and_lowers_what_it_disputes_with_its_reason(judge, model_server) -> None:
    may = "“will close” drops the “may” of the passage."
    model_server.then(
        says(
            model_server,
            judgement("s1", "unstated", "No passage says that the storm did it."),
            judgement("s2", "supported", evidence=["s2.2"]),
            judgement("s3", "contradicted", may),
        )
    )

    cut, fast, close, wrong, adrift = (await judge.review(REPORT, SOURCES, desk="news")).sentences

    assert (cut.verdict, cut.judged_by) == (Verdict.UNCONFIRMED, "")
    assert cut.findings[-1].reason == "openai:tiny judged: No passage says that the storm did it."
    assert (fast.verdict, fast.judged_by, fast.findings) == (Verdict.SUPPORTED, "openai:tiny", ())
    assert fast.uncovered == ((20, 24),)
    assert close.verdict is Verdict.CHANGED
    assert may in close.findings[-1].reason
    assert (wrong, adrift) == REPORT.sentences[3:]


async def test_it_never_lifts_a_contradiction(judge, model_server) -> None:
    """A model that judges cases nobody gave it is sent back, and then not believed at all."""
    model_server.reply = says(model_server, *(judgement(f"s{n}", "supported") for n in (1, 2, 3, 4, 5)))

    report = await judge.review(REPORT, SOURCES, desk="news")

    assert report == REPORT
    assert len(model_server.asked) == 2


async def test_a_cached_support_of_a_sentence_does_not_lift_it_once_the_rules_contradict_it(
    judge, model_server
) -> None:
    model_server.then(says(model_server, judgement("s1", "supported")))
    doubtful = claim(WRONG, Verdict.UNCONFIRMED, REASON)
    assert verdicts(await judge.review(VerificationReport((doubtful,)), SOURCES, desk="news")) == [Verdict.SUPPORTED]

    contradicted = VerificationReport((claim(WRONG, Verdict.CHANGED, NUMBER),))

    assert await judge.review(contradicted, SOURCES, desk="news") == contradicted


async def test_a_missing_judgement_leaves_the_verdict_and_is_asked_again_alone(judge, model_server) -> None:
    model_server.then(
        says(model_server, judgement("s1", "supported"), judgement("s3", "contradicted", "It only may.")),
        says(model_server, judgement("s1", "supported")),
    )

    first = await judge.review(REPORT, SOURCES, desk="news")
    second = await judge.review(REPORT, SOURCES, desk="news")

    assert verdicts(first)[:3] == [Verdict.SUPPORTED, Verdict.UNCONFIRMED, Verdict.CHANGED]
    assert verdicts(second)[:3] == [Verdict.SUPPORTED, Verdict.SUPPORTED, Verdict.CHANGED]
    assert "Source s1: Western Grid worked fast." in model_server.asked[1]["messages"][-1]["content"]
    assert CUT not in json.dumps(model_server.asked[1])


@pytest.mark.parametrize(
    "unusable",
    [
        [judgement("s1", "supported", evidence=[])],
        [judgement("s1", "unstated", " ")],
        [judgement("s1", "contradicted", "")],
        [judgement("s1", "supported"), judgement("s1", "contradicted", "It isn't there.")],
    ],
)
async def test_a_judgement_without_evidence_or_reason_or_against_itself_changes_nothing(
    judge, model_server, unusable
) -> None:
    model_server.reply = says(model_server, *unusable)

    for text, verdict in ((CUT, Verdict.SUPPORTED), (FAST, Verdict.UNCONFIRMED)):
        report = VerificationReport((claim(text, verdict),))
        assert await judge.review(report, SOURCES, desk="news") == report


async def test_evidence_of_another_case_is_none(judge, model_server) -> None:
    report = VerificationReport((claim(CUT, Verdict.UNCONFIRMED), claim(FAST, Verdict.UNCONFIRMED)))
    model_server.then(says(model_server, judgement("s1", "supported", evidence=["s2.1"]), judgement("s2", "supported")))

    assert verdicts(await judge.review(report, SOURCES, desk="news")) == [Verdict.UNCONFIRMED, Verdict.SUPPORTED]


@pytest.mark.parametrize(
    "broken",
    [
        lambda server: server.says("I can't."),
        lambda server: server.says({"error": "over capacity"}),
        lambda server: server.says({"judgements": []}),
        lambda server: server.talks(None, refusal="no"),
        lambda server: server.says({"judgements": [judgement("s1", "fine")]}),
        lambda server: server.fails(401, "invalid_api_key"),
        lambda server: server.fails(503),
    ],
)
async def test_whatever_the_model_does_wrong_leaves_the_verdicts_of_the_rules(judge, model_server, broken) -> None:
    model_server.reply = broken(model_server)

    assert await judge.review(REPORT, SOURCES, desk="news") == REPORT


async def test_a_sentence_is_paid_for_once_in_whatever_company(workshop, judge, model_server) -> None:
    model_server.then(says(model_server, judgement("s1", "supported"), judgement("s2", "supported")))
    both = VerificationReport((claim(CUT, Verdict.UNCONFIRMED), claim(FAST, Verdict.UNCONFIRMED)))
    await judge.review(both, SOURCES, desk="news")

    other_order = VerificationReport((both.sentences[1], claim(WRONG, Verdict.CHANGED), both.sentences[0]))
    again = await judge_for(workshop).review(other_order, SOURCES, desk="news")

    assert [sentence.judged_by for sentence in again.sentences] == ["openai:tiny", "", "openai:tiny"]
    assert len(model_server.asked) == 1


@pytest.mark.parametrize("change", ["sentence", "source", "model"])
async def test_another_sentence_source_or_model_is_judged_anew(workshop, judge, model_server, change) -> None:
    model_server.reply = says(model_server, judgement("s1", "supported"))
    report, sources = VerificationReport((claim(FAST, Verdict.UNCONFIRMED),)), SOURCES
    await judge.review(report, sources, desk="news")

    if change == "sentence":
        report = VerificationReport((claim("Western Grid worked slowly.", Verdict.UNCONFIRMED),))
    elif change == "source":
        sources = {"grid": "Western Grid did nothing."}
    else:
        judge = judge_for(workshop, model="large")
    await judge.review(report, sources, desk="news")

    assert len(model_server.asked) == 2


async def test_what_was_judged_is_recalled_without_asking(judge, model_server) -> None:
    report = VerificationReport((claim(FAST, Verdict.UNCONFIRMED),))
    assert await judge.recall(report, SOURCES, desk="news") == report
    assert model_server.asked == []

    model_server.then(says(model_server, judgement("s1", "supported")))
    judged = await judge.review(report, SOURCES, desk="news")

    assert await judge.recall(report, SOURCES, desk="news") == judged
    assert len(model_server.asked) == 1


async def test_a_judgement_that_pages_still_read_is_kept(workshop, judge, model_server, clock) -> None:
    model_server.then(says(model_server, judgement("s1", "supported")))
    report = VerificationReport((claim(FAST, Verdict.UNCONFIRMED),))
    judged = await judge.review(report, SOURCES, desk="news")
    clock.advance(days=2)
    await judge.recall(report, SOURCES, desk="news")

    async with workshop.database.unit() as unit:
        await forget_old_answers(unit, clock.now() - timedelta(days=1))

    assert await judge.recall(report, SOURCES, desk="news") == judged


async def test_the_desks_setting_switches_it_on(workshop, model_server) -> None:
    judge = judge_for(workshop, desks=("newsletter",))

    assert await judge.review(REPORT, SOURCES, desk="news") == REPORT
    assert model_server.asked == []
    assert (judge.is_on("news"), judge.is_on("newsletter")) == (False, True)


async def test_it_is_booked_to_the_desk_and_stops_at_the_cap(workshop, model_server) -> None:
    judge = judge_for(workshop, cap="0.001")
    model_server.reply = says(model_server, judgement("s1", "supported"))
    await judge.review(VerificationReport((claim(FAST, Verdict.UNCONFIRMED),)), SOURCES, desk="news", subject="link 7")

    report = VerificationReport((claim(CUT, Verdict.UNCONFIRMED),))
    assert await judge.review(report, SOURCES, desk="news") == report

    (use,) = await workshop.uses()
    assert (use["desk"], use["step"], use["subject"], use["prompt_version"]) == ("news", "judge", "link 7", "1.0")
    assert (use["input_tokens"], str(use["cost"].normalize())) == (100, "0.003")


async def test_many_sentences_are_several_questions(judge, model_server) -> None:
    claims = [claim(f"Western Grid repaired line {number} fast.", Verdict.UNCONFIRMED) for number in range(45)]
    model_server.then(
        *(says(model_server, *(judgement(f"s{n}", "supported") for n in range(1, size + 1))) for size in (20, 20, 5))
    )

    report = await judge.review(VerificationReport(tuple(claims)), SOURCES, desk="news")

    assert len(model_server.asked) == 3
    assert report.supported


async def test_of_a_long_source_only_what_is_near_the_sentence_is_sent(judge, model_server) -> None:
    filler = " ".join(f"The committee heard report number {n} about roads." for n in range(60))
    text = f"{filler} Western Grid repaired the lines by noon. {filler}"
    start = text.index("Western Grid")
    near = replace(claim(FAST, Verdict.UNCONFIRMED), matched=(start, start + 40))
    model_server.then(says(model_server, judgement("s1", "supported")))

    await judge.review(VerificationReport((near,)), {"grid": text}, desk="news")

    shown = model_server.asked[0]["messages"][-1]["content"]
    assert "Western Grid repaired the lines by noon." in shown
    assert len(shown) < 1000
