"""The extractive writer on 100 kB of text in each language, against the floor of splitting that text at its stops."""

import re
import time
from pathlib import Path
from typing import Any

from almanac.llm.extractive.source_parser import parse_source
from almanac.llm.port import WritingStep
from almanac.llm.sources import StepSource
from almanac.llm.steps.summaries import BULLETS, HEADLINE, SUMMARY, BulletsInput, HeadlineInput, SummaryInput
from measure import Line, Work, rates

ARTICLES = Path(__file__).parents[1] / "unit" / "llm" / "extractive" / "articles"
LANGUAGES = {"en": "English", "ms": "Malay", "zh": "Chinese", "ja": "Japanese"}
BYTES = 100_000
SECONDS_AT_MOST = 1.0


def lines(_folder: Path) -> list[Line]:
    return [_measured(code, name) for code, name in LANGUAGES.items()]


def _measured(code: str, name: str) -> Line:
    text = _long_text(code)
    works: dict[str, Work] = {"written": _writing(text), "split": lambda: re.split(r"(?<=[.!?。！？])\s*", text)}
    result = rates(works, seconds=6.0, clock=time.process_time)
    seconds = 1 / result["written"]
    times = result["split"] * seconds
    figures = f"{seconds * 1000:,.0f} ms for 100 kB, {times:,.0f} times a bare split"
    return Line(f"summary, bullets and headline, {name}: seconds", figures, seconds, SECONDS_AT_MOST, at_most=True)


def _long_text(code: str) -> str:
    """The articles over and over with other figures, so that no two sentences are the same."""
    text, number = "", 0
    articles = [path.read_text("utf-8") for path in sorted((ARTICLES / code).glob("*.txt"))]
    while len(text.encode()) < BYTES:
        shift = str(number % 9 + 1)
        text += re.sub(r"\d(?=\d)", shift, articles[number % len(articles)]) + "\n\n"
        number += 1
    return text.encode()[:BYTES].decode("utf-8", "ignore")


def _writing(text: str) -> Work:
    def write() -> object:
        parse_source.cache_clear()
        sources = (StepSource(id="long", text=text),)
        given = (SummaryInput(sources=sources), BulletsInput(sources=sources), HeadlineInput(sources=sources))
        return [_extract(step, of) for step, of in zip((SUMMARY, BULLETS, HEADLINE), given, strict=True)]

    return write


def _extract(step: WritingStep[Any, Any], given: object) -> object:
    assert step.extract is not None
    return step.extract(given)
