"""The forty articles, and the outputs of every step on each as one readable page."""

from collections.abc import Callable
from pathlib import Path

import pytest

from almanac.llm.sources import Cited, Reference, StepSource
from almanac.llm.steps.summaries import (
    BULLETS,
    HEADLINE,
    KEY_POINTS,
    KEYWORDS,
    PLAIN_SUMMARY,
    SUMMARY,
    BulletsInput,
    HeadlineInput,
    KeyPointsInput,
    KeywordsInput,
    PlainSummaryInput,
    SummaryInput,
)

FOLDER = Path(__file__).parent / "articles"
NAMES = sorted(f"{path.parent.name}/{path.stem}" for path in FOLDER.glob("*/*.txt"))


def article(name: str) -> StepSource:
    return StepSource(id=name, text=(FOLDER / f"{name}.txt").read_text("utf-8"))


@pytest.fixture(params=NAMES)
def source(request: pytest.FixtureRequest) -> StepSource:
    """Each of the articles in turn."""
    return article(request.param)


@pytest.fixture
def articles() -> Callable[[str], StepSource]:
    """An article by its name, such as `en/01`."""
    return article


@pytest.fixture
def page() -> Callable[[StepSource], str]:
    """What the writer makes of a source, as an editor would read it."""
    return lay_out


def lay_out(source: StepSource) -> str:
    sources = (source,)
    headline = HEADLINE.extract(HeadlineInput(sources=sources))
    keywords = KEYWORDS.extract(KeywordsInput(sources=sources)).keywords
    parts = {
        "Summary": SUMMARY.extract(SummaryInput(sources=sources, sentences=4)).sentences,
        "Bullets": BULLETS.extract(BulletsInput(sources=sources)).bullets,
        "Key points": KEY_POINTS.extract(KeyPointsInput(sources=sources, points=4)).points,
        "Plain summary": PLAIN_SUMMARY.extract(PlainSummaryInput(sources=sources, sentences=3)).sentences,
    }
    lines = [f"# {headline.text} {_marks(headline.references)}", ""]
    for title, written in parts.items():
        lines += [f"## {title}", *(_shown(cited) for cited in written), ""]
    return "\n".join([*lines, "## Keywords", "; ".join(keyword.text for keyword in keywords), ""])


def _shown(cited: Cited) -> str:
    return f"- {cited.text} {_marks(cited.references)}"


def _marks(references: tuple[Reference, ...]) -> str:
    return "".join("[title]" if reference.sentence is None else f"[{reference.sentence}]" for reference in references)
