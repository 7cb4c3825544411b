"""Exports of a deep dive: 3,500 words in six sections with forty references; each format at first and as usual."""

import datetime as dt
import statistics
import time
from pathlib import Path

from almanac.desks.newsletter.formats.export_file import ExportFormat
from almanac.desks.newsletter.formats.exporter import export_issue
from almanac.desks.newsletter.formats.publication import CitedSource, FrontMatter, MarkdownSection, Publication
from almanac.desks.newsletter.formats.publication_builder import build_publication
from measure import Line

ROUNDS = 7
BAR = 2.0
WORDS, SECTIONS, REFERENCES = 3500, 6, 40
SENTENCE = "Herders in Garissa and Moyale sold goats at 8,400 shillings, 12% more than in December. [@c{}]"
NAMES = {
    ExportFormat.PDF: "PDF",
    ExportFormat.DOCX: "Word",
    ExportFormat.HTML: "HTML for mail",
    ExportFormat.WEB: "HTML for the web",
    ExportFormat.MARKDOWN: "Markdown",
    ExportFormat.TEXT: "text",
}


def lines(folder: Path) -> list[Line]:
    publication = deep_dive()
    return [line(publication, wanted) for wanted in ExportFormat]


def line(publication: Publication, wanted: ExportFormat) -> Line:
    first, *rest = [timed(publication, wanted) for _ in range(ROUNDS)]
    figures = f"first {first:.2f} s, then {statistics.median(rest):.3f} s"
    return Line(f"{NAMES[wanted]} of {WORDS:,} words, s", figures, first, BAR, at_most=True)


def timed(publication: Publication, wanted: ExportFormat) -> float:
    started = time.perf_counter()
    export_issue(publication, wanted)
    return time.perf_counter() - started


def deep_dive() -> Publication:
    per_section = WORDS // SECTIONS // 14 + 1
    sections = [MarkdownSection(str(part), f"Section {part}", text(part, per_section)) for part in range(SECTIONS)]
    day = dt.date(2026, 1, 26)
    sources = {
        f"c{n}": CitedSource(f"Source number {n}", "Market Monitor", f"https://example.org/{n}", day)
        for n in range(REFERENCES)
    }
    return build_publication(FrontMatter("A deep dive", "NL-20260126-A1B2", day, preheader="Goats"), sections, sources)


def text(part: int, sentences: int) -> str:
    """Paragraphs of four sentences."""
    written = [SENTENCE.format((part * sentences + number) % REFERENCES) for number in range(sentences)]
    return "\n\n".join(" ".join(written[start : start + 4]) for start in range(0, len(written), 4))
