"""Figures of a run: percentiles by action, rates, what went wrong, and memory over time; as Markdown and for JSON."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from leaks import Verdict, verdicts
from sampling import Samples

SHOWN_MOMENTS = 10


@dataclass
class Figures:
    """What all clients together measured in one order."""

    seconds: float = 0.0
    times: dict[str, list[float]] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)

    @property
    def answers(self) -> int:
        return sum(map(len, self.times.values()))

    @property
    def rate(self) -> float:
        return self.answers / self.seconds

    @property
    def server_faults(self) -> int:
        return sum(count for kind, count in self.faults.items() if kind.startswith("5"))


def together(reports: list[dict[str, Any]]) -> Figures:
    """The figures of several processes of clients as one."""
    figures = Figures(seconds=max(item["seconds"] for item in reports))
    for item in reports:
        for name, timings in item["actions"].items():
            figures.times.setdefault(name, []).extend(timings["milliseconds"])
            figures.faults.update(timings["faults"])
    return figures


@dataclass(frozen=True)
class Report:
    """One profile in one run."""

    profile: str
    clients: int
    figures: Figures
    bare_rate: float
    samples: Samples | None = None
    processor: tuple[float, float] | None = None

    def as_json(self) -> dict[str, Any]:
        return {
            "profile": self.profile,
            "clients": self.clients,
            "seconds": self.figures.seconds,
            "requests_a_second": self.figures.rate,
            "bare_requests_a_second": self.bare_rate,
            "actions": {name: described(times) for name, times in sorted(self.figures.times.items())},
            "faults": dict(self.figures.faults),
            "processor_seconds": self.processor,
            "samples": self.samples and vars(self.samples),
        }

    def as_markdown(self) -> str:
        figures, every = self.figures, [ms for times in self.figures.times.values() for ms in times]
        summary = (
            f"{self.clients} clients without a pause for {figures.seconds:.0f} s: {figures.answers:,} answers,"
            f" **{figures.rate:.0f} requests/s**; `/healthz` alone in the same run: {self.bare_rate:.0f}/s, a ratio of"
            f" {figures.rate / self.bare_rate:.2f}. {self._told_processor()}{told_faults(figures.faults)}"
        )
        lines = [
            summary,
            "",
            "| action | answers | p50 ms | p95 ms | p99 ms |",
            "|---|---|---|---|---|",
            *(row(name, times) for name, times in sorted(figures.times.items())),
            row("**all**", every),
            "",
        ]
        return "\n".join([*lines, *(memory_lines(self.samples) if self.samples else [])])

    def _told_processor(self) -> str:
        """What an answer takes of the processor, which hardly depends on what else a machine does."""
        if self.processor is None:
            return ""
        product, postgres = (1000 * seconds / self.figures.answers for seconds in self.processor)
        return (
            f"An answer took {product:.0f} ms of the processor in web, worker and engine, with the jobs it caused, and"
            f" {postgres:.0f} ms in PostgreSQL. "
        )


def described(times: list[float]) -> dict[str, float]:
    return {"answers": len(times), **{f"p{at}": percentile(times, at) for at in (50, 95, 99)}}


def percentile(times: list[float], at: int) -> float:
    if not times:
        return 0.0
    return sorted(times)[min(len(times) - 1, len(times) * at // 100)]


def row(name: str, times: list[float]) -> str:
    figures = " | ".join(f"{percentile(times, at):.0f}" for at in (50, 95, 99))
    return f"| {name} | {len(times):,} | {figures} |"


def told_faults(faults: Counter[str]) -> str:
    if not faults:
        return "Nothing went wrong."
    return "What went wrong: " + "; ".join(f"{count} times {kind}" for kind, count in faults.most_common()) + "."


def memory_lines(samples: Samples) -> list[str]:
    """Every series at some moments; then what became of it."""
    chosen = sorted({round(at * (len(samples.moments) - 1) / SHOWN_MOMENTS) for at in range(SHOWN_MOMENTS + 1)})
    if not samples.moments:
        return []
    moments = " | ".join(f"{samples.moments[at]:.0f} s" for at in chosen)
    held = [
        f"| {name} | {' | '.join(f'{values[at]:.0f}' for at in chosen)} |" for name, values in samples.series.items()
    ]
    return [
        f"| held after | {moments} |",
        "|---" * (len(chosen) + 1) + "|",
        *held,
        "",
        *verdict_lines(verdicts(samples)),
    ]


def verdict_lines(verdicts: list[Verdict]) -> list[str]:
    if not verdicts:
        return []
    rows = [
        f"| {verdict.name} | {verdict.before:.1f} | {verdict.after:.1f} | {verdict.growth:+.2f} | "
        f"{'**yes**' if verdict.leaks else 'no'} |"
        for verdict in verdicts
    ]
    return [
        "| held | third quarter | last quarter | growth in 10 minutes | leaks |",
        "|---|---|---|---|---|",
        *rows,
        "",
    ]
