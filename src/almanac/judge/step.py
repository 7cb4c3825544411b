"""The step `judge`: many sentences in one question, each as a case with the passages that it cites."""

from dataclasses import dataclass
from typing import Literal

from almanac.llm.answer import StepAnswer
from almanac.llm.model_config import JUDGE_STEP
from almanac.llm.port import WritingStep
from almanac.llm.prompts import load_prompt
from almanac.llm.sources import Reference, SourceId, StepSource

JudgedAs = Literal["supported", "unstated", "contradicted"]


@dataclass(frozen=True, slots=True)
class JudgeInput:
    """The cases: the title of a source is the sentence, its text are the passages that the sentence cites."""

    sources: tuple[StepSource, ...]


class Judgement(StepAnswer):
    """What one sentence is, with the passages that carry it, or what is wrong with it."""

    case: SourceId
    verdict: JudgedAs
    evidence: tuple[Reference, ...]
    reason: str

    @property
    def is_usable(self) -> bool:
        """A support counts only with a passage of the same case, any other verdict only with its reason."""
        if self.verdict == "supported":
            return any(reference.source == self.case for reference in self.evidence)
        return bool(self.reason.strip())


class Judgements(StepAnswer):
    """One judgement for every case."""

    judgements: tuple[Judgement, ...]

    @property
    def is_empty(self) -> bool:
        return not self.judgements

    def text_groups(self) -> list[list[str]]:
        """Several sentences may have the same fault."""
        return []


JUDGE: WritingStep[JudgeInput, Judgements] = WritingStep(
    name=JUDGE_STEP, prompt=load_prompt(__package__, "judge"), output=Judgements
)
