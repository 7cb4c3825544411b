"""The proof of the promise in short: the load, kills and checks of `make prove`, with leases of seconds."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROVE = Path(__file__).parents[2] / "prove"
PAGE = Path(__file__).parents[3] / "docs" / "explanation" / "promise.md"


@pytest.mark.timeout(600)
def test_nothing_is_lost_or_sent_twice_while_everything_is_killed():
    """It takes half a minute; on a machine that has much else to do, what is killed takes long to come back."""
    settings = {**os.environ, "PROVE_QUICK": "1", "PROVE_SECONDS": "4"}
    command = [sys.executable, PROVE / "run.py", "lost"]
    with subprocess.Popen(command, env=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as proof:
        try:
            statements, _ = proof.communicate(timeout=540)
        finally:
            proof.terminate()
    assert proof.returncode == 0, statements
    assert re.search(r"[1-9]\d*: .* kills by", statements)


def test_the_page_has_a_place_for_the_figures_of_every_proof():
    parts = re.search(r"PARTS = \{(.*)\}", (PROVE / "run.py").read_text("utf-8"))
    page = PAGE.read_text("utf-8")
    for part in re.findall(r'"(\w+)":', parts[1]):
        assert page.count(f"<!-- figures of {part} -->") == page.count(f"<!-- end of {part} -->") == 1
