"""The step `letter`: a reminder written by a model from the ledger; without one, the template's letter as it is."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field

from almanac.desks.reminders.writer.templating import LONGEST_BODY, LONGEST_SUBJECT
from almanac.llm.port import WritingStep
from almanac.llm.prompts import load_prompt
from almanac.llm.steps.summaries import WritingInput

_TONES = {
    "first": "friendly; it was probably overlooked",
    "second": "polite and firm",
    "final": "serious and respectful",
}


def tone_for(level: str) -> str:
    return _TONES.get(level, "polite and firm")


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterInput(WritingInput):
    """Which reminder to whom, and the letter that stands in where no model writes."""

    level: str
    customer_name: str
    sender_name: str
    subject: str
    text: str


class Letter(BaseModel):
    """A whole letter."""

    model_config = ConfigDict(frozen=True)

    subject: str = Field(min_length=1, max_length=LONGEST_SUBJECT)
    text: str = Field(min_length=1, max_length=LONGEST_BODY)


def _extract(given: LetterInput) -> Letter:
    return Letter(subject=given.subject, text=given.text)


LETTER = WritingStep(name="letter", prompt=load_prompt(__package__, "letter"), output=Letter, extract=_extract)
