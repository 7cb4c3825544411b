"""The proof of the promise in short: the load, kills and checks of `make prove`, with leases of seconds."""

import os
import re
import subprocess
import sys
from pathlib import Path

PROVE = Path(__file__).parents[2] / "prove"
PAGE = Path(__file__).parents[3] / "docs" / "explanation" / "promise.md"


def test_nothing_is_lost_or_sent_twice_while_everything_is_killed():
    done = subprocess.run(
        [sys.executable, PROVE / "run.py", "lost"], env={**os.environ, "PROVE_QUICK": "1", "PROVE_SECONDS": "8"},
        capture_output=True, text=True, check=False, timeout=290,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"[1-9]\d*: .* kills by", done.stdout)


def test_the_page_has_a_place_for_the_figures_of_every_proof():
    parts = re.search(r"PARTS = \{(.*)\}", (PROVE / "run.py").read_text("utf-8"))
    page = PAGE.read_text("utf-8")
    for part in re.findall(r'"(\w+)":', parts[1]):
        assert page.count(f"<!-- figures of {part} -->") == page.count(f"<!-- end of {part} -->") == 1
