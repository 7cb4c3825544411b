"""A choice in set-up takes effect in what runs, without a restart by hand and without losing a request."""

import threading
import time
from dataclasses import replace

import httpx
import pytest

from almanac.config import Settings, save_choices

SECONDS = 30


def wait_for(url: str, words: str) -> str:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        if words in (page := httpx.get(url, timeout=SECONDS).text):
            return page
        time.sleep(0.05)
    pytest.fail(f"{url} never showed {words!r}")


@pytest.fixture
def choose(idle_machine):
    settings = replace(Settings(), data=idle_machine.folder / "data")
    return lambda **changes: save_choices(settings, changes)


def test_a_running_server_takes_choices_over_and_no_request_fails(idle_machine, choose):
    served = idle_machine.serve(ALMANAC_RATE_LIMIT_PER_MINUTE="1000000")
    answers: list[int] = []
    enough = threading.Event()

    def ask() -> None:
        with httpx.Client(timeout=SECONDS) as caller:
            while not enough.is_set():
                answers.append(caller.get(f"{served.url}/sign-in", headers={"Connection": "close"}).status_code)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        for name in ("Museum of Tides", "Museum of Winds"):
            choose(organisation=name)
            wait_for(f"{served.url}/sign-in", f"· {name}</title>")
    finally:
        enough.set()
        asking.join(SECONDS)
    assert set(answers) == {200}
    assert len(answers) > 10
    assert served.stop() == 0


def test_a_broken_file_is_said_and_the_server_goes_on(idle_machine):
    served = idle_machine.serve()
    (idle_machine.folder / "data" / "settings.toml").write_text('time_zone = "Mars/Olympus"\n')
    deadline = time.monotonic() + SECONDS
    while "so the settings stay" not in served.text and time.monotonic() < deadline:
        time.sleep(0.05)
    assert "must be a time zone" in served.text
    assert httpx.get(f"{served.url}/sign-in").status_code == 200
    (idle_machine.folder / "data" / "settings.toml").unlink()
