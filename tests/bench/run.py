"""Runs the benchmarks named on the command line, or all of them, and prints one table of ratios for each.

Exits with 1 when a bar does not hold.
"""

import importlib
import sys
import tempfile
from pathlib import Path

from measure import Line, show

SUITES = {
    "shell": "shell",
    "pages": "pages",
    "engine-in-process": "engine_in_process",
    "engine-writers": "engine_writers",
    "engine-history": "engine_history",
    "engine-growth": "engine_growth",
    "engine-http": "engine_over_http",
    "layer": "layer",
    "layer-http": "layer_http",
    "exports": "exports",
    "writer": "writer",
    "trust": "trust",
    "search": "search",
    "newsletter": "newsletter",
    "reminders": "reminders",
    "recap-writing": "recap_writing",
    "recap-finding": "recap_finding",
    "news": "news",
    "news-search": "news_search",
    "reminders-queue": "reminders_queue",
    "habits": "habits",
}


def main(wanted: list[str]) -> int:
    if unknown := set(wanted) - set(SUITES):
        sys.stderr.write(f"No benchmark is called {', '.join(sorted(unknown))}; choose from {', '.join(SUITES)}.\n")
        return 2
    results: list[Line] = []
    for name in wanted or SUITES:
        with tempfile.TemporaryDirectory() as folder:
            lines = importlib.import_module(SUITES[name]).lines(Path(folder))
        sys.stdout.write(show(name, lines) + "\n")
        sys.stdout.flush()
        results += lines
    return 0 if all(line.holds for line in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
