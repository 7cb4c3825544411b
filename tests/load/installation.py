"""The product under load: `almanac serve` on a data folder of its own with the demo in it, or one that runs already.

Beside it a small web on loopback, for the news desk to read from.
"""

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

LOCAL_WEB = Path(__file__).parent.parent / "functional" / "news" / "local_web.py"
TOKEN = "load-" + "x" * 32
SECONDS_TO_START, SECONDS_FOR_DEMO = 600, 1200
SITES, PAGES = 5, 10
MOST_COMPLAINTS = 20


@dataclass(frozen=True)
class Installation:
    """Where the product is, how to get in, and which process and data folder it is, where that is known."""

    url: str
    token: str
    web_port: int | None = None
    process: int | None = None
    data: Path | None = None

    def ask(self, path: str) -> object:
        request = urllib.request.Request(self.url + path, headers={"Authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)


@contextmanager
def served(folder: Path, *, whole_demo: bool, processes: int = 1) -> Iterator[Installation]:
    """Start everything, wait for the demo (its news and meetings are enough for a short run), stop in the end."""
    # As root, PostgreSQL runs under an account of its own that must be able to pass through.
    folder.chmod(0o755)
    log = folder / "serve.log"
    with small_web() as web_port, log.open("w") as output:
        command = [sys.executable, "-m", "almanac", "serve", "--processes", str(processes)]
        process = subprocess.Popen(
            command, cwd=folder, env=environment(folder), stdout=output, stderr=subprocess.STDOUT
        )
        try:
            url = wait_for(lambda: greeting(process, log), SECONDS_TO_START)
            installation = Installation(url, TOKEN, web_port, process.pid, folder / "data")
            wait_for(lambda: is_filled(installation, whole_demo=whole_demo), SECONDS_FOR_DEMO)
            yield installation
        finally:
            process.terminate()
            process.wait(60)
            tell_trouble(log)


def tell_trouble(log: Path) -> None:
    """What the server complained of, which is the first question after a fault."""
    lines = [line for line in log.read_text().splitlines() if '"level":' in line]
    sys.stderr.writelines(f"{line}\n" for line in lines[:MOST_COMPLAINTS])


def environment(folder: Path) -> dict[str, str]:
    plain = {name: value for name, value in os.environ.items() if not name.startswith("ALMANAC_")}
    plain.pop("PYTHONDONTWRITEBYTECODE", None)
    return {
        **plain,
        "ALMANAC_DATA": str(folder / "data"),
        "ALMANAC_PORT": "0",
        "ALMANAC_ADMIN_TOKEN": TOKEN,
        "ALMANAC_RATE_LIMIT_PER_MINUTE": "1000000",
        "ALMANAC_PUBLIC": "recap",
        "ALMANAC_PUBLIC_RATE_LIMIT_PER_MINUTE": "1000000",
        "ALMANAC_LOG_LEVEL": "warning",
        "ALMANAC_RECAP_DAILY": "no",
        "ALMANAC_FETCH_ALLOW": "127.0.0.0/8",
        "ALMANAC_NEWS_DELAY_MS": "0",
    }


def greeting(process: subprocess.Popen[bytes], log: Path) -> str | None:
    match = re.search(r"Almanac is at (\S+)\. ", log.read_text())
    if match is None and process.poll() is not None:
        raise RuntimeError(f"almanac serve ended at once: {log.read_text()}")
    return match and match[1]


def is_filled(installation: Installation, *, whole_demo: bool) -> bool:
    if whole_demo:
        queues = installation.ask("/api/v1/queues")
        assert isinstance(queues, list)
        return {"demo", "recap", "news"} & {queue["queue"] for queue in queues} != set() and all(
            not queue["queued"] and not queue["running"] for queue in queues
        )
    results = [installation.ask(f"/api/v1/{path}?limit=1") for path in ("news/articles", "recap/articles")]
    return all(isinstance(item, dict) and item["items"] for item in results)


def wait_for(look, seconds: float):
    deadline = time.monotonic() + seconds
    while not (result := look()):
        if time.monotonic() > deadline:
            raise RuntimeError(f"The product was not ready within {seconds:.0f} seconds.")
        time.sleep(0.2)
    return result


@contextmanager
def small_web() -> Iterator[int]:
    command = [sys.executable, str(LOCAL_WEB), str(PAGES), str(SITES)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield int(process.stdout.readline())
        process.kill()
