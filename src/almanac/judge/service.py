"""Asks the model about the sentences of a report: in batches, within the budget, each sentence once.

A judgement is cached by sentence, passages, prompt version and model, so a batch in another composition pays nothing
twice. Whatever goes wrong leaves the verdicts of the rules.
"""

import asyncio
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from almanac.judge.cases import JudgeCase, StoredJudgement, apply_judgement, build_case
from almanac.judge.opinions import JudgeOpinions, SourcedCheck, choose_checks, to_opinions, to_report
from almanac.judge.step import JUDGE, JudgeInput, Judgements
from almanac.kit.json_text import encode_json
from almanac.llm.answer_cache import AnswerCache
from almanac.llm.errors import ModelFailure
from almanac.llm.model_config import ModelConfig, ModelEndpoint
from almanac.llm.port import StepWriter
from almanac.llm.sources import StepSource
from almanac.verify import VerificationReport

logger = logging.getLogger(__name__)

_CASES_PER_QUESTION = 20
_CHARACTERS_PER_QUESTION = 20_000


class SecondJudge:
    """The model as a judge of what the rules left supported or unconfirmed, for the desks of ALMANAC_LLM_JUDGE."""

    def __init__(self, writer: StepWriter, answers: AnswerCache, config: ModelConfig) -> None:
        self._writer = writer
        self._answers = answers
        self._config = config

    def is_on(self, desk: str) -> bool:
        """Whether the desk has its sentences judged."""
        return desk in self._config.judged_desks and self._config.for_step(JUDGE.name) is not None

    async def review(
        self, report: VerificationReport, sources: Mapping[str, str], *, desk: str, subject: str = ""
    ) -> VerificationReport:
        """The report with the judge's verdicts; the model is asked about what it hasn't judged before."""
        return await self._judge(report, sources, desk, subject, asks=True)

    async def recall(self, report: VerificationReport, sources: Mapping[str, str], *, desk: str) -> VerificationReport:
        """The report with the judge's earlier verdicts. Asks nothing, so it is fit for a page."""
        return await self._judge(report, sources, desk, "", asks=False)

    async def form_opinions(self, checks: Iterable[SourcedCheck], *, desk: str, subject: str = "") -> JudgeOpinions:
        """Opinions on texts that were checked against several sources each; one question for each text."""
        chosen = choose_checks(checks)
        report, sources = to_report(chosen)
        return to_opinions(chosen, await self.review(report, sources, desk=desk, subject=subject))

    async def _judge(
        self, report: VerificationReport, sources: Mapping[str, str], desk: str, subject: str, *, asks: bool
    ) -> VerificationReport:
        model = self._config.for_step(JUDGE.name)
        if model is None or not self.is_on(desk):
            return report
        cases = await asyncio.to_thread(_build_cases, report, sources, model)
        wanted = {case.key: case for case in cases if case is not None}
        if not wanted:
            return report
        judgements = _decode(await self._answers.find_all(list(wanted)))
        if asks:
            missing = [case for key, case in wanted.items() if key not in judgements]
            judgements |= await self._ask_all(missing, str(model), desk, subject)
        return VerificationReport(
            tuple(
                apply_judgement(claim, judgements[case.key], str(model)) if case and case.key in judgements else claim
                for claim, case in zip(report.sentences, cases, strict=True)
            )
        )

    async def _ask_all(
        self, cases: Sequence[JudgeCase], model: str, desk: str, subject: str
    ) -> dict[str, StoredJudgement]:
        judgements: dict[str, StoredJudgement] = {}
        for batch in _batches(cases):
            try:
                answered = await self._ask(batch, desk, subject)
            except ModelFailure as failure:
                logger.warning("The judge left the verdicts of the rules.", extra={"reason": failure.sentence})
                break
            texts = {key: encode_json(judgement).decode() for key, judgement in answered.items()}
            await self._answers.save_all(texts, model=model, step=JUDGE.name)
            judgements |= answered
        return judgements

    async def _ask(self, batch: Sequence[JudgeCase], desk: str, subject: str) -> dict[str, StoredJudgement]:
        cases = tuple(StepSource(id=case.key, title=case.sentence, text=case.passages) for case in batch)
        written = await self._writer.write(JUDGE, JudgeInput(cases), desk=desk, subject=subject)
        return _usable(written.output)


def _build_cases(
    report: VerificationReport, sources: Mapping[str, str], model: ModelEndpoint
) -> list[JudgeCase | None]:
    return [build_case(claim, sources, model) for claim in report.sentences]


def _decode(texts: Mapping[str, str]) -> dict[str, StoredJudgement]:
    return {key: msgspec.json.decode(text, type=StoredJudgement) for key, text in texts.items()}


def _usable(answer: Judgements) -> dict[str, StoredJudgement]:
    """The judgement of each case. One that is judged twice and differently has none."""
    usable: dict[str, StoredJudgement] = {}
    disputed: set[str] = set()
    for judgement in answer.judgements:
        if not judgement.is_usable:
            continue
        before = usable.setdefault(judgement.case, StoredJudgement(judgement.verdict, judgement.reason))
        if before.verdict != judgement.verdict:
            disputed.add(judgement.case)
    return {case: stored for case, stored in usable.items() if case not in disputed}


def _batches(cases: Sequence[JudgeCase]) -> Iterator[list[JudgeCase]]:
    batch: list[JudgeCase] = []
    size = 0
    for case in cases:
        length = len(case.sentence) + len(case.passages)
        if batch and (len(batch) == _CASES_PER_QUESTION or size + length > _CHARACTERS_PER_QUESTION):
            yield batch
            batch, size = [], 0
        batch.append(case)
        size += length
    if batch:
        yield batch
