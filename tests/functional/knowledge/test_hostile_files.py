"""A file may crash, stall or swell its reader: the refusal is a sentence, and nothing else is harmed."""

import asyncio
import os
import sys

import psutil
import pytest

from almanac.documents.model import ReadRequest, Unreadable
from almanac.knowledge import reader_process

CODE = {
    "crashes": "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
    "exits": "raise SystemExit(3)",
    "swells": "import resource; resource.setrlimit(resource.RLIMIT_AS, (10**9, 10**9)); x = bytearray(2 * 10**9)",
    "stalls": "while True: pass",
}


@pytest.mark.parametrize(
    ("habit", "reason"),
    [
        ("crashes", "crashes the program"),
        ("exits", "crashes the program"),
        ("swells", "crashes the program"),
        ("stalls", "longer than 1 seconds"),
    ],
)
async def test_a_reader_that_goes_wrong_ends_in_a_sentence(monkeypatch, habit, reason):
    monkeypatch.setattr(reader_process, "_COMMAND", (sys.executable, "-c", CODE[habit]))
    with pytest.raises(Unreadable, match=reason):
        await reader_process.read_in_process(
            b"any bytes" * 100_000, ReadRequest(max_seconds=1 if habit == "stalls" else 30)
        )


async def test_a_page_that_swells_its_reader_is_refused():
    with pytest.raises(Unreadable, match=r"too large|memory|breaks"):
        await reader_process.read_in_process(b"<p>words " * 4_000_000, ReadRequest(name="a.html", max_memory_mb=300))


async def test_stopping_the_job_stops_the_reader():
    reading = asyncio.create_task(reader_process.read_in_process(b"<p>words " * 2_000_000, ReadRequest(name="a.html")))
    me = psutil.Process(os.getpid())
    children = []
    async with asyncio.timeout(30):
        while not children:
            await asyncio.sleep(0.01)
            children = [child for child in me.children() if "almanac.documents" in child.cmdline()]
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert not any(child.is_running() for child in children)


async def test_the_reader_does_not_know_our_secrets(monkeypatch):
    monkeypatch.setenv("ALMANAC_SECRET_KEY", "a secret that must stay here")
    code = """import json, os, sys
sys.stdin.buffer.read()
print(json.dumps({"refused": str("ALMANAC_SECRET_KEY" in os.environ)}))"""
    monkeypatch.setattr(reader_process, "_COMMAND", (sys.executable, "-c", code))
    with pytest.raises(Unreadable, match="False"):
        await reader_process.read_in_process(b"", ReadRequest())
